"""The same person on the same trace a second time: agreement with oneself.

Second labels live in a round of their own, that of the first ones plus `AGAIN`: so nothing is superseded,
no conflict arises, and no other number looks there. Which traces qualify: those that this person labelled
blind in the round and has never been shown a suggestion or somebody else's label of.
"""

from __future__ import annotations

from collections.abc import Collection

from reviewer.label import AGAIN, Annotator, LabelEvent
from reviewer.store import Store
from reviewer.study.assigning_people import keys
from reviewer.study.current import current
from reviewer.taxonomy import Taxonomy


def pairs(store: Store, taxonomy: Taxonomy, round: int) -> list[tuple[LabelEvent, LabelEvent]]:
    """(first, again) of every trace that a person labelled blind in `round` and blind a second time.

    Both under exactly this version of the codebook, neither in conflict. Ordered by person and trace,
    whatever the order in which the events came into the store; the traces of one pair may share a task.
    """
    first = {(event.annotator, event.trace_id): event for event in current(store, taxonomy, round).blind}
    again = {
        (event.annotator, event.trace_id): event
        for event in current(store, taxonomy, again_round(round)).blind
    }
    return [(first[key], again[key]) for key in sorted(first.keys() & again.keys())]


def again_round(round: int) -> int:
    """The round that holds the second labels of `round`."""
    return round if is_again(round) else AGAIN + round


def is_again(round: int) -> bool:
    """Whether a round holds second labels."""
    return round > AGAIN


def waiting(store: Store, annotator: Annotator) -> frozenset[str]:
    """The traces that this annotator was given a second time and has not labelled yet.

    Until then they are not reminded of what they said the first time.
    """
    mine = keys(store, annotator)
    every = (one for one in store.assignments.all() if is_again(one.round))
    given = {(one.trace_id, one.round) for one in every if one.annotator in mine}
    if not given:
        return frozenset()
    me = store.labels.links.people().person(annotator.id)
    done = {(e.trace_id, e.round) for e in store.labels.heads() if e.kind == "label" and e.annotator == me}
    return frozenset(trace for trace, _ in given - done)


def eligible(store: Store, taxonomy: Taxonomy, round: int, people: Collection[str]) -> tuple[list[str], int]:
    """(the traces that a person may be given again, in no meaningful order; all that they labelled blind).

    `people` are the ids of that one person.
    """
    labelled = {
        event.trace_id for event in current(store, taxonomy, round).blind if event.annotator in people
    }
    return sorted(labelled - store.assignments.revealed(people)), len(labelled)
