"""Foreign SQLite databases, read only and never changed: not even a lock or a side file is left beside them.

A database whose write-ahead log lies beside it is copied with it to a folder of our own and read there. Only
what is stored is read: tables, no views, which can compute for ever. Values come as JSON knows them. Knows
no format.
"""

from __future__ import annotations

import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from reviewer.errors import InputError
from reviewer.importers.opening.beside import regular

if TYPE_CHECKING:
    from sqlite3 import Connection

PATIENCE = 60.0  # seconds until the next row of a query; whoever uses the rows may take longer
_LOOK = 100_000  # instructions of SQLite between two looks at the clock
_TRIES = 3  # to copy what is being written to
_LARGEST = 1 << 28  # bytes of one value
Stamp: TypeAlias = tuple[int, int]


class Database:
    """One open database; what it cannot give is an `InputError` that names the file."""

    def __init__(self, path: Path, connection: Connection, warn: Callable[[str], None]) -> None:
        self.path = path
        self._connection = connection
        self._warn = warn
        self._until = 0.0
        connection.set_progress_handler(lambda: time.monotonic() > self._until, _LOOK)

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[Mapping[str, Any]]:
        """The rows of a query, by the names of their columns."""
        import sqlite3

        try:
            self._until = time.monotonic() + PATIENCE
            cursor = self._connection.execute(query, values)
            names = [column[0] for column in cursor.description]
            while (row := cursor.fetchone()) is not None:
                yield dict(zip(names, map(self._plain, row), strict=True))
                self._until = time.monotonic() + PATIENCE
        except sqlite3.Error as error:
            late = time.monotonic() > self._until
            reason = f"it takes longer than {PATIENCE:.0f} seconds for a row" if late else error
            raise InputError(f"{self.path}: the database cannot be read: {reason}") from None

    def columns(self) -> dict[str, set[str]]:
        """The tables and their columns."""
        query = """SELECT m.name AS name, c.name AS column FROM sqlite_master AS m
            JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.sql NOT LIKE 'create virtual%'"""
        found: dict[str, set[str]] = {}
        for row in self.rows(query):
            found.setdefault(row["name"], set()).add(row["column"])
        return found

    def _plain(self, value: Any) -> Any:
        if not isinstance(value, bytes):
            return value
        self._warn("bytes in the database (BLOB) are read as text")
        return value.decode("utf-8", errors="replace")


@contextmanager
def database(path: Path, warn: Callable[[str], None] = lambda _: None) -> Iterator[Database]:
    """The database at `path`, to be read in a `with` block."""
    import sqlite3

    try:
        place, mode = _place(path)
        connection = sqlite3.connect(f"{place.absolute().as_uri()}?{mode}", uri=True)
    except (sqlite3.Error, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: the database cannot be opened: {reason}") from None
    connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
    try:
        yield Database(path, connection, warn)
    finally:
        connection.close()


def _place(path: Path) -> tuple[Path, str]:
    """Where to read the database, and how."""
    for _ in range(_TRIES):
        if not _has_log(path):
            return path, "mode=ro&immutable=1"
        if copy := _copy(path, _stamps(path)):
            return copy.path, "mode=ro"
    # Somebody is at work in it, so that the side files are there and stay.
    return path, "mode=ro"


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _has_log(path: Path) -> bool:
    stat = regular(_log(path))
    return stat is not None and stat.st_size > 0


def _stamps(path: Path) -> tuple[Stamp, ...]:
    """What changes when somebody writes into the database."""
    stats = map(regular, (path, _log(path)))
    return tuple((stat.st_size, stat.st_mtime_ns) if stat else (0, 0) for stat in stats)


@lru_cache(maxsize=1)  # looked into by several importers, then read
def _copy(path: Path, stamps: tuple[Stamp, ...]) -> _Copy | None:
    """A copy of the database and its log as they were at one moment; None when they changed meanwhile."""
    copy = _Copy()
    shutil.copyfile(path, copy.path)
    shutil.copyfile(_log(path), _log(copy.path))
    return copy if _stamps(path) == stamps else None


class _Copy:
    """A database of our own that goes away with this object, and at the latest with the process."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="reviewer-")
        self.path = Path(folder, "copy.db")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
