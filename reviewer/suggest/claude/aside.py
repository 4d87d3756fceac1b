"""Plans requests beside the event loop: in a thread, and once a run is long, in a process of its own.

To take a trace apart, mask it and spell the request out is most of what a run computes; in a thread alone
it would hold up the loop, the store and all answers. The process is this very file, spoken to by pipes, so
that it loads nothing else of whoever runs us. Where it cannot be had, or is lost, the thread goes on by
itself.
"""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from reviewer.suggest.claude.injection import may_hold_verdict
from reviewer.suggest.claude.plan import Plan, Planner
from reviewer.suggest.excerpt import Part
from reviewer.suggest.segments import Views
from reviewer.trace import Outcome, Trace

_LONG = 16  # traces; the process takes a moment to start


@dataclass(frozen=True, slots=True)
class _Job:
    trace: Trace
    outcomes: Sequence[Outcome]
    request: str
    done: Future[Plan]


class Aside:
    """Plans for one planner; `close` lets go of threads and process."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self._thread = ThreadPoolExecutor(1, "aside")
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._lock = threading.Lock()  # over the two that follow
        self._live = False
        self._sent: deque[_Job] = deque()  # in the order in which the process answers
        self._asked = 0

    async def plan(self, trace: Trace, outcomes: Sequence[Outcome], request: str) -> Plan:
        """The plan for a trace."""
        job = _Job(trace, outcomes, request, Future())
        self._thread.submit(self._hand_on, job)
        return await asyncio.wrap_future(job.done)

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        if self._process is not None and self._reader is not None:
            self._process.kill()
            self._reader.join()
            self._process.communicate()

    def _hand_on(self, job: _Job) -> None:
        """In the thread: give the job to the process, or do it."""
        self._asked += 1
        if self._asked == _LONG:
            self._start()
        try:
            data = pickle.dumps((job.trace, job.outcomes, job.request), pickle.HIGHEST_PROTOCOL)
        except RecursionError:  # arguments that are nested too deeply to travel
            data = b""
        with self._lock:
            sent = self._live and bool(data)
            if sent:
                self._sent.append(job)
        if sent:
            self._send(data)
        else:
            self._do(job)

    def _do(self, job: _Job) -> None:
        if not job.done.set_running_or_notify_cancel():
            return
        try:
            job.done.set_result(self.planner.plan(job.trace, job.outcomes, job.request))
        except BaseException as error:  # noqa: BLE001  # raised where the plan is waited for
            job.done.set_exception(error)

    def _start(self) -> None:
        """A process that Ctrl-C does not reach: the command ends it in good order."""
        command = [sys.executable, "-P", "-m", __name__]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
            )
        except (OSError, ValueError):
            return
        self._live = True
        self._reader = threading.Thread(target=self._read, args=(self._process,), name="aside reader")
        self._reader.start()
        self._send(pickle.dumps(self.planner, pickle.HIGHEST_PROTOCOL))

    def _send(self, data: bytes) -> None:
        """To the process; if it is gone, the reader notices, and does what was sent."""
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except (OSError, ValueError):
            self._process.kill()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread of its own: what the process has planned; at its end, whatever it left undone."""
        assert process.stdout is not None
        try:
            while True:
                plan: Plan = pickle.load(process.stdout)
                with self._lock:
                    job = self._sent.popleft()
                if job.done.set_running_or_notify_cancel():
                    job.done.set_result(self._whole(plan, job.trace))
        except (EOFError, OSError, ValueError, pickle.PickleError):
            process.kill()
        with self._lock:
            self._live = False
            left = list(self._sent)
            self._sent.clear()
        for job in left:
            self._do(job)

    def _whole(self, plan: Plan, trace: Trace) -> Plan:
        calls = tuple(replace(call, body=self.planner.clad(plan, call.body)) for call in plan.calls)
        return replace(plan, trace=trace, calls=calls)


def _serve() -> None:
    """What the process does, until nobody asks any more. What is the same in every plan is not sent."""
    planner: Planner = pickle.load(sys.stdin.buffer)
    while True:
        try:
            trace, outcomes, request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        plan = planner.plan(trace, outcomes, request)
        bare = tuple(replace(call, body={"messages": call.body["messages"]}) for call in plan.calls)
        light = replace(plan, trace=replace(trace, steps=(), records=b""), calls=bare, views=_light(plan))
        pickle.dump(light, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()


def _light(plan: Plan) -> Views:
    """The views without the texts, which stand in the request; as one where an echo can be told by them."""
    views = plan.views
    if plan.segmented:
        return views
    (whole,) = views.segments
    text = whole.text
    parts = (Part(0, "", text),) if plan.addressed or may_hold_verdict(text) else ()
    return replace(views, segments=(replace(whole, parts=parts),))


if __name__ == "__main__":
    _serve()
