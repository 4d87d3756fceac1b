"""The one way to read a file that lies beside a trace: a report, the parts of a session, a parent.

Nobody named such a file, so nothing there is trusted: only regular files are opened (a pipe or a device would
wait for ever), only up to a size, and a name out of a record is used only where it can be no path. What
cannot be read is not there. Knows no format.
"""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG

LARGEST = 200_000_000
# What a file name may be long, with room for an ending: file systems take 255 bytes.
_LONGEST_NAME = 200
_SEPARATORS = set("/\\:") if os.name == "nt" else set("/\\")
# A pipe that takes the place of the file between the two looks is opened without waiting for its writer.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def regular(path: Path) -> os.stat_result | None:
    """What the system says of a regular file (or of a link to one); None for anything else, or nothing."""
    try:
        stat = path.stat()
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    return stat if S_ISREG(stat.st_mode) else None


def read_beside(path: Path, most: int = LARGEST, *, part: bool = False) -> bytes | None:
    """The bytes of a regular file of at most `most` bytes; with `part` the first ones of a larger one."""
    stat = regular(path)
    if stat is None or (stat.st_size > most and not part):
        return None
    try:
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            if not S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(most + 1)
    except (OSError, ValueError):
        return None
    return data[:most] if part or len(data) <= most else None


def plain_name(name: str) -> bool:
    """Whether a text out of a record may stand in a path: as one name, that leads nowhere else."""
    if not name or name.startswith(".") or not name.isprintable():  # no NUL, no half of a character
        return False
    return len(name.encode()) <= _LONGEST_NAME and not _SEPARATORS & set(name)
