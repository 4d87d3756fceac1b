"""Start an app over its lanes and end both well. Imports Textual only when the lanes are at work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal

from reviewer.errors import InputError
from reviewer.session import Reading
from reviewer.taxonomy import Taxonomy
from reviewer.tui.opening import Opening, Session
from reviewer.tui.outside import Outside


def need_terminal() -> None:
    """InputError: there is none, and the screen cannot be shown."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError("the screen needs a terminal; `annotate` and `adjudicate TRACE MODE` do without")


def run(
    session: Callable[[], Session],
    reading: Callable[[], Reading],
    taxonomy: Taxonomy,
    app: Literal["ReviewApp", "AdjudicationApp"],
    outside: Outside,
) -> int:
    """Run `app` on a session and a reader of its own, each in its thread; the exit status.

    An error of ours that ended the app is raised after both stores are closed.
    """
    need_terminal()
    sys.setswitchinterval(0.0005)  # so that the lanes get on while Textual is being imported
    opening: Opening[Session] = Opening.of(session, reading, taxonomy)
    try:
        from reviewer.tui import app as apps

        sys.setswitchinterval(0.005)
        running: apps.DeskApp = getattr(apps, app)(opening, outside)
        running.run()
        running.check_saved()
        if running.habits != outside.habits:
            outside.keep(running.habits)
    finally:
        opening.close()
    if running.failure is not None:
        raise running.failure
    return running.return_code or 0
