"""A lane: one thread that owns one thing (a session, a reader) and does what it is asked, in order.

The event loop never waits for a disk or a lock: it asks, goes on, and is told. Knows no store; what the
lane owns is made by the function it is given, in the thread that uses it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Concatenate, Generic, ParamSpec, TypeVar

Owned = TypeVar("Owned")
Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")


class Lane(Generic[Owned]):
    """Owns what `make` makes; starts making it at once, or (`later`) when it is first asked for."""

    def __init__(self, make: Callable[[], Owned], name: str, *, later: bool = False) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._make = make
        self._made: Future[Owned] | None = None if later else self._pool.submit(make)

    @property
    def _owned(self) -> Future[Owned]:
        if self._made is None:
            self._made = self._pool.submit(self._make)
        return self._made

    def submit(
        self, ask: Callable[Concatenate[Owned, Asked], Answer], *args: Asked.args, **kwargs: Asked.kwargs
    ) -> Future[Answer]:
        """Ask for something; questions are answered in the order they were asked."""
        owned = self._owned
        return self._pool.submit(lambda: ask(owned.result(), *args, **kwargs))

    def ask(
        self, ask: Callable[Concatenate[Owned, Asked], Answer], *args: Asked.args, **kwargs: Asked.kwargs
    ) -> Awaitable[Answer]:
        """The same for the event loop."""
        return asyncio.wrap_future(self.submit(ask, *args, **kwargs))

    def close(self, ending: Callable[[Owned], None]) -> None:
        """Let everything that was asked be done, then end what the lane owns."""
        if self._made is not None and (not self._made.done() or self._made.exception() is None):
            self.submit(ending)
        self._pool.shutdown(wait=True)
