"""What people had met of a round's traces before the round: labelled, noted or settled in an earlier one.

Two people who have talked about a trace agree on it more than on one that is new to them, so agreement over
such traces is told apart. Knows no statistic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviewer.store import Store
from reviewer.study.columns import Row
from reviewer.values import dataclass

_READ = ("label", "note", "adjudicate")


@dataclass(frozen=True, slots=True)
class Earlier:
    """`read`: (person, trace) of what a person labelled, noted or settled; `settled`: by anybody."""

    read: frozenset[tuple[str, str]] = frozenset()
    settled: frozenset[str] = frozenset()

    def met(self, people: Iterable[str], trace: str) -> bool:
        """Whether one of these people had read the trace, or what it was settled as could be known."""
        return trace in self.settled or any((person, trace) in self.read for person in people)

    def met_rows(self, rows: Sequence[Row], a: str, b: str) -> list[Row]:
        """Of what two people labelled, the traces that one of them had met."""
        return [row for row in rows if self.met((a, b), row[0])]

    def fresh_rows(self, rows: Sequence[Row], a: str, b: str) -> list[Row]:
        """The others, where there are both kinds."""
        met = {row[0] for row in self.met_rows(rows, a, b)}
        return [row for row in rows if met and row[0] not in met]


def earlier(store: Store, round: int) -> Earlier:
    """Everything before `round`, under whatever codebook."""
    if round < 2:
        return Earlier()
    before = [event for event in store.labels.heads() if event.round < round and event.kind in _READ]
    return Earlier(
        frozenset((event.annotator, event.trace_id) for event in before),
        frozenset(event.trace_id for event in before if event.kind == "adjudicate"),
    )
