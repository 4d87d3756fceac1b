"""Ends the process when its terminal has gone, in whatever state the event loop is.

A hang-up comes as a signal to some processes only (not under `setsid`, not to one that blocks it). The
rest would read the end of the terminal for ever; and once the thread that writes to it has failed, the
loop itself may wait for that thread and hear no signal. Labels are committed at the key press, so
nothing is lost by an end without ceremony. Knows no app.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from threading import Thread

STATUS = 128 + signal.SIGHUP
GRACE = 2.0  # seconds for an end in order


def watch(terminal: int, end: Callable[[], object]) -> None:
    """Call `end` from a thread once the file descriptor `terminal` has hung up, then make sure of it."""
    Thread(target=_wait, args=(terminal, end), name="hang-up", daemon=True).start()


def _wait(terminal: int, end: Callable[[], object]) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # a hang-up is told without being asked for
    ((_, what),) = poll.poll()
    if what & select.POLLNVAL:  # closed by ourselves, or a system that cannot watch terminals
        return
    try:
        end()
    finally:
        time.sleep(GRACE)
        os._exit(STATUS)
