"""Which round is meant where none is named: for the study, and for one annotator.

A round begins with its first assignment or its first label. What is said about a round (agreement, gold,
exports) is about the newest with labels; whoever labels is in the newest that has something waiting for them.
"""

from __future__ import annotations

from reviewer.errors import InputError
from reviewer.label import AGAIN, Annotator
from reviewer.store import Store
from reviewer.study.assigning_people import assigned, keys


def newest(store: Store) -> int:
    """The newest round that somebody labelled in or is to label in; 1 where there is none."""
    return max([store.labels.newest_round(), *store.assignments.rounds()[:1]])


def own(store: Store, annotator: Annotator, taxonomy: str) -> int:
    """The round in which this annotator labels where none is named."""
    for round in store.assignments.rounds(keys(store, annotator))[:1]:
        if waiting(store, annotator, taxonomy, round):
            return round
    return store.labels.newest_round()


def waiting(store: Store, annotator: Annotator, taxonomy: str, round: int) -> int:
    """How many of the traces that are assigned to this annotator in a round have no label of theirs."""
    mine = {one.trace_id for one in assigned(store, annotator, round)}
    person = store.labels.links.people().person(annotator.id)
    heads = store.labels.heads(taxonomy, round) if mine else []
    return len(mine - {one.trace_id for one in heads if one.kind == "label" and one.annotator == person})


def checked(store: Store, round: int | None) -> int | None:
    """`round` where it is one, or the next to begin. InputError: it is further away."""
    if round is not None and round <= AGAIN and round > newest(store) + 1:
        last = newest(store)
        raise InputError(f"--round {round}: the newest is {last}, so the next one is {last + 1}")
    return round
