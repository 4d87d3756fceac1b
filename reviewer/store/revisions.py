"""The revisions of traces, for a merge: which were ever met, and old ones put beside the newest.

What the newest revision is, and how a trace grows, is decided in `traces`. Nothing here changes it.
"""

from __future__ import annotations

from reviewer.store.connection import Connection
from reviewer.store.traces import Traces
from reviewer.trace import Trace


class Revisions:
    """The revisions of one store; who writes holds the transaction (`Store.write`)."""

    def __init__(self, connection: Connection, traces: Traces) -> None:
        self._connection = connection
        self._db = connection.db
        self._traces = traces

    def all(self) -> dict[str, set[str]]:
        """The content hashes of every revision that was ever met, by trace id."""
        found: dict[str, set[str]] = {}
        sql = "SELECT trace_id, r.content_hash FROM traces t JOIN revisions r USING(tid)"
        with self._connection.told():
            for full_id, content_hash in self._db.execute(sql):
                found.setdefault(full_id, set()).add(content_hash)
        return found

    def labelled_without_steps(self) -> set[tuple[str, str]]:
        """(trace id, content hash) of the revisions that a label refers to and whose steps were dropped."""
        sql = """SELECT t.trace_id, r.content_hash FROM traces t JOIN revisions r USING(tid)
                 WHERE NOT EXISTS(SELECT 1 FROM raw w WHERE w.tid = r.tid AND w.revision = r.revision)
                 AND EXISTS(SELECT 1 FROM events e
                            WHERE e.trace_id = t.trace_id AND e.content_hash = r.content_hash)"""
        with self._connection.told():
            return set(self._db.execute(sql).fetchall())

    def keep_older(
        self, full_id: str, content_hash: str, records: bytes, trace: Trace | None, *, now: str
    ) -> None:
        """Keep a revision that another store met before the newest one; its steps where they are given."""
        sql = "SELECT tid, min(r.revision) - 1 FROM traces JOIN revisions r USING(tid) WHERE trace_id = ?"
        at: tuple[int, int] = self._db.execute(sql, (full_id,)).fetchone()
        self._db.execute("INSERT INTO revisions VALUES(?, ?, ?, ?, ?)", (*at, content_hash, records, now))
        if trace is not None:
            self._traces.fill(*at, trace)

    def refill(self, full_id: str, content_hash: str, trace: Trace) -> None:
        """Put back the steps of a revision that were dropped before a label came that refers to it."""
        sql = """SELECT tid, r.revision FROM traces JOIN revisions r USING(tid)
                 WHERE trace_id = ? AND r.content_hash = ?"""
        at: tuple[int, int] = self._db.execute(sql, (full_id, content_hash)).fetchone()
        self._traces.fill(*at, trace)
