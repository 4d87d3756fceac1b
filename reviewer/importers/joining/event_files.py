"""Folders with one file an event, as the OpenHands SDK keeps them: which file stands for the conversation.

That is `base_state.json` beside the folder `events`; where it is lost, the first event. Knows no event.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from reviewer.importers.opening.beside import regular

EVENTS, STATE = "events", "base_state.json"
_NAME = re.compile(r"\Aevent-(\d{1,12})-.*\.json\Z")


def event_files(folder: Path) -> list[Path]:
    """The files of the events in a folder, in order."""
    try:
        named = [
            (int(found[1]), path.name, path) for path in folder.iterdir() if (found := _NAME.match(path.name))
        ]
    except OSError:
        return []
    return [path for _, _, path in sorted(named)]


def state_of(folder: Path) -> Path | None:
    """The state that a folder of events belongs to, beside which it lies."""
    state = folder.absolute().parent / STATE
    return state if folder.absolute().name == EVENTS and regular(state) and event_files(folder) else None


def stands_alone(path: Path) -> bool:
    """Whether a file is the first event of a conversation whose state is lost: it stands for all of it."""
    folder = path.absolute().parent
    if not _NAME.match(path.name) or (folder.name == EVENTS and regular(folder.parent / STATE)):
        return False
    try:
        return _first(folder, folder.stat().st_mtime_ns) == path.name
    except OSError:
        return False


@lru_cache(maxsize=64)
def _first(folder: Path, changed: int) -> str:
    """The name of the first event, as the folder was when a file last came or went."""
    return next((path.name for path in event_files(folder)), "")
