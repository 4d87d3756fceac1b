"""Conflicts: two current decisions of *one* person on the same thing, as a merge of stores can leave them.

Nobody but that person settles one, by deciding again (the new event replaces both). Never the clock.
"""

from __future__ import annotations

from collections import defaultdict

from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.values import dataclass

_DECISIONS = ("label", "adjudicate")


@dataclass(frozen=True, slots=True)
class Conflict:
    """The current events of one person in one place (trace, taxonomy, round) that exclude each other."""

    trace_id: str
    annotator: str
    taxonomy: str
    round: int
    kind: str
    events: tuple[LabelEvent, ...]


def conflicts(store: Store, taxonomy: str = "") -> list[Conflict]:
    """Every conflict under one taxonomy (empty: any), in an order that does not depend on arrival."""
    found: dict[tuple[str, str, str, int, str], list[LabelEvent]] = defaultdict(list)
    for event in store.labels.heads(taxonomy):
        if event.kind in _DECISIONS:
            slot = (event.trace_id, event.annotator, event.taxonomy, event.round, event.kind)
            found[slot].append(event)
    return [
        Conflict(*slot, tuple(sorted(events, key=lambda event: event.id)))
        for slot, events in sorted(found.items())
        if len(events) > 1
    ]
