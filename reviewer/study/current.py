"""What counts in one round under one version of a codebook; what is in conflict; what was left out.

The one place that decides it, for agreement, gold, exports and counts alike. Agreement is a property of
a round labelled under one version of the codebook (DESIGN, Words): labels made under another version of
the same taxonomy are left out and counted, unless a caller asks for them (`across`). A person with
several current labels on a trace is in conflict, and out of every number until it is settled (law 1).
"""

from __future__ import annotations

from collections import Counter

from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Current:
    """The current events of a round (`heads`), the blind labels that count, and what is not among them.

    `conflicts` are (trace, annotator) with several current labels or adjudications; `other_versions`
    counts the labels made under another version of the codebook, left out or not; `other_settled` the
    adjudications.
    """

    heads: tuple[LabelEvent, ...]
    blind: tuple[LabelEvent, ...]
    conflicts: tuple[tuple[str, str], ...]
    other_versions: int
    other_settled: int = 0

    @property
    def labels(self) -> list[LabelEvent]:
        return [event for event in self.heads if event.kind == "label"]

    @property
    def counted(self) -> list[LabelEvent]:
        """The labels without those in conflict, which are in no number until they are settled."""
        times = Counter((event.trace_id, event.annotator) for event in self.labels)
        return [event for event in self.labels if times[event.trace_id, event.annotator] == 1]


def current(store: Store, taxonomy: Taxonomy, round: int, *, across: bool = False) -> Current:
    """What counts in `round` under exactly this version of `taxonomy`; `across`: under any version of it."""
    found = store.labels.heads(taxonomy.id, round)
    other = [event for event in found if event.taxonomy_hash != taxonomy.hash and event.kind in _DECIDE]
    gone = set() if across else {event.id for event in other}
    heads = [event for event in found if event.id not in gone]
    slots = Counter((event.trace_id, event.annotator, event.kind) for event in heads if event.kind in _DECIDE)
    torn = {(trace, person) for (trace, person, _), count in slots.items() if count > 1}
    blind = [
        event
        for event in store.labels.blind_heads(taxonomy.id, round)
        if (across or event.taxonomy_hash == taxonomy.hash)
        and slots[event.trace_id, event.annotator, "label"] < 2
    ]
    labels = sum(event.kind == "label" for event in other)
    return Current(tuple(heads), tuple(blind), tuple(sorted(torn)), labels, len(other) - labels)


_DECIDE = ("label", "adjudicate")
