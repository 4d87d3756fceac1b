"""What others said of traces that wait for one's own label: who labels in a round must not be told of it yet.

Whoever labels nothing in the round is a third person, and told all. What somebody was told already is spoilt,
and hidden no more.
"""

from __future__ import annotations

from reviewer.label import Annotator
from reviewer.store import Store
from reviewer.study.assigning_people import assigned
from reviewer.study.current import Current, current
from reviewer.taxonomy import Taxonomy


def labelled(store: Store, counted: Current, person: Annotator) -> frozenset[str]:
    """The traces with a current label of this person."""
    me = store.labels.links.people().person(person.id)
    return frozenset(event.trace_id for event in counted.labels if event.annotator == me)


def told(store: Store, person: Annotator) -> frozenset[str]:
    """The traces of which this person was told what others said, in whichever round."""
    ids = store.labels.links.people().ids(person.id)
    looks = store.history.exposures()
    return frozenset(one.trace_id for one in looks if one.kind == "peers" and one.annotator in ids)


def waiting(store: Store, taxonomy: Taxonomy, person: Annotator, round: int) -> frozenset[str]:
    """The traces of a round that this person labels in and has not labelled yet, nor been told of.

    Those assigned to them; of somebody who labels without an assignment, all others.
    """
    counted = current(store, taxonomy, round)
    done = labelled(store, counted, person)
    given = {one.trace_id for one in assigned(store, person, round)}
    if not given and done:
        given = {info.trace_id for info in store.traces.all(children=True)}
        given |= {event.trace_id for event in counted.heads}
    return frozenset(given - done - told(store, person)) if given else frozenset()
