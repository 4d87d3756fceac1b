"""One process at a time asks a model about a store, so that nothing is asked, and paid for, twice.

The lock is one of the system's, on a file of its own among the temporary ones: it ends with the process,
however that ends. It does not reach other machines, nor other users where each has a folder for such files.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from reviewer.errors import StoreBusy


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """While this lasts, `alone` raises `StoreBusy` for the store at `path` in every other process."""
    known = path.stat()
    place = Path(tempfile.gettempdir()) / f"reviewer-asking-{known.st_dev:x}-{known.st_ino:x}.lock"
    try:
        # SQLite locks files on every system that we run on; nothing is ever written into this one
        lock = sqlite3.connect(place, timeout=0, isolation_level=None)
    except sqlite3.Error:  # of another user, or no such folder
        yield
        return
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                raise StoreBusy(
                    f"{path}: another `suggest --with claude` is at work on this store; two at once "
                    "would ask, and pay for, the same things twice, so wait until it has ended"
                ) from None
        yield
