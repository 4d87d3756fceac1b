"""Suggestions of machines, and the reasons why there is none. Never labels, never mixed with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewer.errors import LabelRefused
from reviewer.label import Evidence, Suggestion
from reviewer.store import codec
from reviewer.store.connection import Connection

_TEXT = (
    *(
        "id",
        "request",
        "trace_id",
        "content_hash",
        "taxonomy_hash",
        "suggester",
        "model",
        "prompt_hash",
        "status",
    ),
    *("reason", "mode", "runner_up", "rationale", "step_source", "omitted", "at"),
)
_PLAIN = ("confidence", "step_n", "cost")
_JSON = ("settings", "usage", "facets", "evidence")
COLUMNS = (*_TEXT, *_PLAIN, *_JSON)


class Suggestions:
    """The suggestions of one store; the newest of each suggester on a trace is the one that is shown.

    Newest by their own time, since stores that were merged hold them in different orders.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    def save(self, *suggestions: Suggestion) -> None:
        """Keep one suggestion, or those that have come since the last one; durable when this returns."""
        with self._connection.write():
            for suggestion in suggestions:
                self._insert(suggestion)

    def receive(self, suggestion: Suggestion) -> bool:
        """Take in one of another store; the caller holds the transaction. False: it was known already."""
        row = _to_row(suggestion)
        sql = f"SELECT {', '.join(COLUMNS)} FROM suggestions WHERE id = ?"
        known = self._db.execute(sql, (suggestion.id,)).fetchone()
        if known is None:
            self._insert(suggestion)
        elif _from_row(known) != _from_row(row):
            raise LabelRefused(f"suggestion {suggestion.id} is here already with another content")
        return known is None

    def _insert(self, suggestion: Suggestion) -> None:
        marks = ", ".join("?" * len(COLUMNS))
        sql = f"INSERT INTO suggestions({', '.join(COLUMNS)}) VALUES({marks})"
        self._db.execute(sql, _to_row(suggestion))

    def answered(self, request: str) -> bool:
        """Whether this very request was answered before, so that nothing is asked twice."""
        sql = (
            "SELECT 1 FROM suggestions WHERE request = ? AND status IN ('ok', 'abstained', 'refused') LIMIT 1"
        )
        with self._connection.told():
            return self._db.execute(sql, (request,)).fetchone() is not None

    def of(self, trace_id: str, taxonomy_hash: str = "") -> list[Suggestion]:
        """The newest suggestion with a mode, else the newest reason, of each suggester on this trace."""
        return self._select("s.trace_id = ?", (trace_id,), taxonomy_hash)

    def history(self, trace_id: str) -> list[Suggestion]:
        """Every suggestion that was ever made on this trace, in order."""
        columns = ", ".join(COLUMNS)
        sql = f"SELECT {columns} FROM suggestions WHERE trace_id = ? ORDER BY rowid"
        with self._connection.told():
            return [_from_row(row) for row in self._db.execute(sql, (trace_id,))]

    def all(self, taxonomy_hash: str = "") -> list[Suggestion]:
        return self._select("TRUE", (), taxonomy_hash)

    def every(self, taxonomy_hash: str) -> list[Suggestion]:
        """Every suggestion ever made under this taxonomy, older versions among them, by their own time."""
        sql = f"SELECT {', '.join(COLUMNS)} FROM suggestions WHERE taxonomy_hash = ? ORDER BY at, rowid"
        with self._connection.told():
            return [_from_row(row) for row in self._db.execute(sql, (taxonomy_hash,))]

    def lacking(self, suggester: str, taxonomy_hash: str) -> list[str]:
        """The traces that this suggester (empty: any) has not seen as they are now; no sub-agent runs."""
        sql = """SELECT trace_id FROM traces t WHERE (parent_id = ''
                 OR NOT EXISTS(SELECT 1 FROM traces p WHERE p.trace_id = t.parent_id)) AND NOT EXISTS(
                 SELECT 1 FROM suggestions s WHERE s.trace_id = t.trace_id AND s.content_hash = t.content_hash
                 AND (s.suggester = ? OR ? = '') AND s.taxonomy_hash = ?
                 AND s.status <> 'failed') ORDER BY tid"""
        with self._connection.told():
            return [row[0] for row in self._db.execute(sql, (suggester, suggester, taxonomy_hash))]

    def count(self) -> tuple[int, int]:
        """How many there are, and how many of them are abstentions."""
        sql = "SELECT count(*), coalesce(sum(status = 'abstained'), 0) FROM suggestions"
        with self._connection.told():
            every, abstained = self._db.execute(sql).fetchone()
        return int(every), int(abstained)

    def _select(self, where: str, values: Sequence[Any], taxonomy_hash: str) -> list[Suggestion]:
        columns = ", ".join(f"s.{name}" for name in COLUMNS)
        sql = f"""SELECT {columns} FROM suggestions s WHERE {where} AND (? = '' OR s.taxonomy_hash = ?)
                  AND NOT EXISTS(SELECT 1 FROM suggestions n WHERE n.trace_id = s.trace_id
                    AND n.suggester = s.suggester AND n.taxonomy_hash = s.taxonomy_hash
                    AND (n.status = 'ok', n.at, n.rowid) > (s.status = 'ok', s.at, s.rowid))
                  ORDER BY s.trace_id, s.suggester"""
        with self._connection.told():
            rows = self._db.execute(sql, (*values, taxonomy_hash, taxonomy_hash)).fetchall()
        return [_from_row(row) for row in rows]


def _to_row(suggestion: Suggestion) -> tuple[Any, ...]:
    evidence = [
        [e.step_n, e.quote, e.step_source, e.verified, *filter(None, [e.shows])] for e in suggestion.evidence
    ]
    return (
        *(codec.text(getattr(suggestion, name)) for name in _TEXT),
        *(getattr(suggestion, name) for name in _PLAIN),
        *(codec.dumps(dict(getattr(suggestion, name))) for name in _JSON[:-1]),
        codec.dumps(evidence),
    )


def _from_row(row: Sequence[Any]) -> Suggestion:
    values = fields(row)
    values["evidence"] = tuple(Evidence(*item) for item in values["evidence"])
    return Suggestion(**values)


def fields(row: Sequence[Any]) -> dict[str, Any]:
    """The fields of the suggestion in a row of `COLUMNS`, by name; evidence as plain lists."""
    values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
    return values | {name: codec.loads(values[name]) for name in _JSON}
