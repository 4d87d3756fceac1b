"""One SQLite connection to a store: open it safely, write to it in whole transactions, say what went wrong.

Knows the file, its locks and its guards; not what a label or a trace is. Rollback journal and
`synchronous=FULL`: a transaction that was reported as done survives a power cut, and a plain copy of
the file taken between two writes is whole. Writes take the lock first (BEGIN IMMEDIATE) and wait for
it in short random naps, so that eight annotators on one file do not starve each other.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from reviewer.counting import count
from reviewer.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
    why,
)
from reviewer.store import schema

WAIT = 20.0  # seconds that a write waits for other processes before it gives up
_NAP = 0.0005, 0.02
_MOVED = sqlite3.SQLITE_READONLY_DBMOVED
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """Our error, with advice, for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _BUSY:
        return StoreBusy(f"{path}: another process holds the lock; nothing was written, try again")
    if getattr(error, "sqlite_errorcode", 0) == _MOVED and not path.exists():
        return StoreMissing(
            f"{path}: the file is gone (deleted or moved); nothing was written, put it back and start again"
        )
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
        return StoreReadOnly(f"{path}: the file is read-only; make it writable or work on a `backup` of it")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"{path}: the disk is full; nothing was written, make room and try again")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"{path}: the disk refused the write (full, or at its size limit); nothing was written"
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        if path.exists() and os.access(path, os.R_OK):
            return StoreReadOnly(f"{path}: cannot make a journal in {path.parent}; make that folder writable")
        whose = "the file's permissions" if path.exists() else f"the permissions of {path.parent}"
        return StoreReadOnly(f"{path}: cannot be opened; check {whose}")
    if code == sqlite3.SQLITE_NOTADB:  # not even its first bytes are those of one
        return StoreDamaged(
            f"{path}: not a store of reviewer; choose another --store (if it was one, restore a backup)"
        )
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreDamaged(f"{path}: not a sound store; run `reviewer check`, then restore a backup")
    return StoreError(f"{path}: {error}")


class Connection:
    """An open store file. Use it in the thread that made it; `close()` or a `with` block ends it."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open `path`; with `create`, make a store where there is none. Nothing is changed on refusal."""
        self.path = path
        self.db = _connect(path, create=create)
        try:
            with self.told():
                self._settle(create=create)
        except BaseException:
            self.db.close()
            raise

    def _settle(self, *, create: bool) -> None:
        self.db.execute("PRAGMA busy_timeout = 20000")
        version: int = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version > schema.VERSION:
            raise StoreTooNew(
                f"{self.path}: made by a newer reviewer (schema {version}, this one knows {schema.VERSION}); "
                "upgrade reviewer, or use the version that made it"
            )
        has_tables = self.db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
        mine = self.db.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
        if has_tables and not mine:
            raise StoreDamaged(
                f"{self.path}: an SQLite file, but not a store of reviewer; choose another --store"
            )
        if not has_tables and not create:
            raise StoreDamaged(
                f"{self.path}: empty, not a store; `reviewer import` into a new --store makes one"
            )
        self._check_length()
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.execute("PRAGMA synchronous = FULL")
        if version < schema.VERSION:
            self._migrate(version)
        self._check_guards()

    def _migrate(self, version: int) -> None:
        if version:
            self.backup(self._before())
        with self.write():
            # another process may have been faster while we waited for the lock
            if self.db.execute("PRAGMA user_version").fetchone()[0] < schema.VERSION:
                schema.migrate(self.db)

    def _before(self) -> Path:
        """Where the copy of a store goes that is about to be migrated: one of an earlier time stays."""
        name = f"{self.path.name}.before-{schema.VERSION}"
        names = itertools.chain([name], (f"{name}-{n}" for n in itertools.count(2)))
        return next(place for place in map(self.path.with_name, names) if not place.exists())

    def _check_length(self) -> None:
        """A file that was cut short still opens; refuse it before anything is written into the rest."""
        pages, size = (
            self.db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        if pages and self.path.stat().st_size < pages * size:
            raise StoreDamaged(
                f"{self.path}: the file was cut short; run `reviewer check`, then restore a backup"
            )

    def _check_guards(self) -> None:
        sql = "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY type DESC"
        found = dict(self.db.execute(sql).fetchall())
        wanted = schema.wanted()
        for name in sorted(found.keys() | wanted.keys()):
            if found.get(name) != wanted.get(name):
                raise StoreDamaged(
                    f"{self.path}: the guard {name!r} of the labels was changed; restore a backup"
                )

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Turn SQLite's errors into ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of the block is on the disk when it ends, or none of it."""
        deadline = time.monotonic() + WAIT
        with self.told():
            self._until(deadline, "BEGIN IMMEDIATE")
            try:
                yield self.db
                self._until(deadline, "COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself (disk full)
                    if self.db.in_transaction:
                        self.db.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """A part of a transaction that is kept whole or not at all, whatever becomes of the rest."""
        with self.told():
            self.db.execute("SAVEPOINT part")
            try:
                yield
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK TO part")
                    self.db.execute("RELEASE part")
                raise
            self.db.execute("RELEASE part")

    def _until(self, deadline: float, statement: str) -> None:
        self.db.execute("PRAGMA busy_timeout = 0")
        nap = _NAP[0]
        try:
            while True:
                try:
                    self.db.execute(statement)
                    return
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > deadline:
                        raise
                time.sleep(random.uniform(0, nap))
                nap = min(nap * 1.5, _NAP[1])
        finally:
            self.db.execute("PRAGMA busy_timeout = 20000")

    def backup(self, target: Path) -> None:
        """A whole copy of the live store in `target`, which must not exist."""
        try:
            if target.exists():
                raise StoreError(f"{target}: already there; name a new file")
            if not target.parent.is_dir():
                raise StoreError(_no_folder(target))
        except OSError as error:
            raise StoreError(f"{target}: cannot be written: {why(error)}") from None
        part = target.with_name(f"{target.name}.part-{os.getpid()}")
        try:
            with self.told(), contextlib.closing(sqlite3.connect(part)) as copy:
                self.db.backup(copy)
            _name(part, target)
        except OSError as error:
            raise StoreError(f"{target}: cannot be written: {why(error)}") from error
        finally:
            part.unlink(missing_ok=True)

    def problems(self) -> list[str]:
        """What SQLite finds wrong with the file; empty when it is sound."""
        with self.told():
            rows = [row[0] for row in self.db.execute("PRAGMA integrity_check")]
            orphans = self.db.execute("PRAGMA foreign_key_check").fetchall()
        return [row for row in rows if row != "ok"] + [
            count(len(orphans), "row", "points", "point") + " nowhere"
        ] * bool(orphans)

    def close(self) -> None:
        self.db.close()


def _name(part: Path, target: Path) -> None:
    """Give a finished file its name; a hard link, unlike a rename, never goes over what came meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise
        part.replace(target)


def _no_folder(path: Path) -> str:
    if path.parent.exists():
        return f"{path}: {path.parent} is no folder; name a file in one"
    return f"{path}: the folder {path.parent} does not exist; make it first"


def _connect(path: Path, *, create: bool) -> sqlite3.Connection:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise StoreError(f"{path}: a device or pipe, not a store; name a file with --store")
    if path.is_dir():
        raise StoreError(f"{path}: a folder, not a store; name a file with --store")
    if not create and not path.parent.is_dir():
        raise StoreMissing(_no_folder(path))
    if not create and not path.exists():
        raise StoreMissing(f"{path}: no store here; `reviewer import PATH` makes one, --store names another")
    if create and not path.parent.is_dir():
        raise StoreError(_no_folder(path))
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
    try:
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=20.0)
    except sqlite3.Error as error:
        raise explain(error, path) from error
