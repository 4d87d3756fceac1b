"""An event loop in a thread of its own, and the news from it: so that the thread of the store never waits.

Knows nothing of what the work is. What goes wrong in it is news as well: `news` raises it where it is
asked for, in the thread that owns the desk.
"""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

N = TypeVar("N")
T = TypeVar("T")
_SWITCH = 0.0001  # seconds; see below


class Desk(Generic[N]):
    """Work goes in by `start`, news come out by `news`; `close` ends whatever is still going on."""

    def __init__(self) -> None:
        self._news: queue.SimpleQueue[N | BaseException | None] = queue.SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="desk", daemon=True)
        # The loop gives up the interpreter at each of many short waits, and would get it back only after
        # the usual 5 ms each while the other thread prepares a trace.
        self._usual = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work; its news are put by itself."""
        self._loop.call_soon_threadsafe(self._begin, work)

    def result(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for some work."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def put(self, news: N | None) -> None:
        """News, from any thread or signal handler."""
        self._news.put(news)

    def news(self, timeout: float | None = None) -> N | None:
        """The next news; None where somebody only wanted to wake us, or when there is none in time."""
        try:
            found = self._news.get(timeout=timeout)
        except queue.Empty:
            return None
        if isinstance(found, BaseException):
            raise found
        return found

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what is going on, do `last`, and end the thread."""
        if self._loop.is_closed():
            last.close()
            return
        self.result(self._end(last))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        sys.setswitchinterval(self._usual)

    async def _end(self, last: Coroutine[Any, Any, None]) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await last

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._news.put(error)
