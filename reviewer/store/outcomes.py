"""What benchmarks said about traces: rows of their own, joined at any time, never part of a trace.

A new grade from the same origin supersedes the old one; two current outcomes from different origins
that differ are both kept, and `passed` is then unknown.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from reviewer.errors import LabelRefused
from reviewer.store import codec
from reviewer.store.connection import Connection
from reviewer.trace import Outcome, digest

COLUMNS = (
    *("id", "trace_id", "passed", "score", "detail", "final_state", "expected_state", "origin", "supersedes"),
    "at",
)
# Which are superseded stands among the outcomes of the same trace, and these have an index.
_CURRENT = "NOT EXISTS(SELECT 1 FROM outcomes n WHERE n.supersedes = o.id AND n.trace_id = o.trace_id)"
OutcomeRow: TypeAlias = tuple[Any, ...]  # the values of COLUMNS


class Outcomes:
    """The outcomes of one store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    def put(self, trace_id: str, outcome: Outcome, *, now: str) -> bool:
        """Put one outcome in; the caller holds the transaction. False: it was known already."""
        values = (
            *(None if outcome.passed is None else int(outcome.passed), _finite(outcome.score)),
            *(codec.dumps(value) for value in (outcome.detail, outcome.final_state, outcome.expected_state)),
            codec.text(outcome.origin),
        )
        current = self._db.execute(
            f"""SELECT id, passed, score, detail, final_state, expected_state, origin FROM outcomes o
                WHERE trace_id = ? AND origin = ? AND {_CURRENT}""",
            (trace_id, values[-1]),
        ).fetchone()
        if current is not None and tuple(current[1:]) == values:
            return False
        old = current[0] if current else ""
        own = "o1-" + digest([trace_id, *values, old])[:32]
        self._db.execute(
            "INSERT INTO outcomes VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (own, trace_id, *values, old, now)
        )
        return True

    def receive(self, row: OutcomeRow) -> bool:
        """Take in a row of another store; the caller holds the transaction. False: it was known already."""
        sql = f"SELECT {', '.join(COLUMNS)} FROM outcomes WHERE id = ?"
        known = self._db.execute(sql, row[:1]).fetchone()
        if known is None:
            self._db.execute("INSERT INTO outcomes VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        elif tuple(known[:-1]) != tuple(row[:-1]):
            raise LabelRefused(f"outcome {row[0]} is here already with another content")
        return known is None

    def moved(self, row: OutcomeRow, home: str) -> OutcomeRow:
        """The row for another trace: the ids of it and of what it supersedes follow from the old ones."""
        ids = {old: old and "o1-" + digest([old, home])[:32] for old in (row[0], row[8])}
        return (ids[row[0]], home, *row[2:8], ids[row[8]], row[9])

    def of(self, trace_id: str) -> list[Outcome]:
        """The current outcomes of one trace, one an origin."""
        return self._select("o.trace_id = ?", (trace_id,)).get(trace_id, [])

    def all(self) -> dict[str, list[Outcome]]:
        """The current outcomes by trace id."""
        return self._select("TRUE", ())

    def _select(self, where: str, values: tuple[str, ...]) -> dict[str, list[Outcome]]:
        sql = f"""SELECT trace_id, passed, score, detail, final_state, expected_state, origin FROM outcomes o
                  WHERE {where} AND {_CURRENT} ORDER BY o.rowid"""
        found: dict[str, list[Outcome]] = {}
        with self._connection.told():
            for trace_id, passed, score, detail, final, expected, origin in self._db.execute(sql, values):
                verdict = None if passed is None else bool(passed)
                states = codec.loads(final), codec.loads(expected)
                outcome = Outcome(verdict, score, codec.loads(detail), *states, origin)
                found.setdefault(trace_id, []).append(outcome)
        return found


def _finite(score: float | None) -> float | None:
    """NaN has no place in a column; the source record keeps it."""
    return None if score is None or math.isnan(score) else score
