"""What of the labelled traces goes out: gold only, one person's labels, or everything ever said. Pure but for
the history, which is asked of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from reviewer.errors import NotFound
from reviewer.label import Annotator, Gold, LabelEvent, LabelledTrace
from reviewer.store import Store
from reviewer.study.gold import by_trace, decision_of, gold


def gold_only(rows: Iterable[LabelledTrace]) -> Iterator[LabelledTrace]:
    """The traces that are settled, without what single people and machines said of them.

    Gold is what a suggester or a judge is measured by: its own words do not stand beside it.
    """
    for row in rows:
        if row.gold.decision is not None:
            yield replace(row, labels=(), blind=(), suggestions=())


def with_history(rows: Iterable[LabelledTrace], store: Store) -> Iterator[LabelledTrace]:
    """The traces with every event about them: of all rounds, of all taxonomies, taken back or not."""
    said = by_trace(store.labels.events())
    for row in rows:
        events = sorted(said.get(row.info.trace_id, ()), key=lambda event: (event.at, event.id))
        yield replace(row, history=tuple(events))


def people_called(store: Store, name: str) -> frozenset[str]:
    """The ids of everybody with this name or id; NotFound says who there is."""
    known = store.labels.annotators().values()
    found = frozenset(one.id for one in known if name in (one.id, one.name, *one.also))
    if not found:
        there = ", ".join(sorted({one.name for one in known})) or "nobody"
        raise NotFound(f"no annotator {name!r} in this store; there is {there}")
    return found


def said_by(rows: Iterable[LabelledTrace], people: frozenset[str]) -> Iterator[LabelledTrace]:
    """The traces that these people labelled or settled, with what they said alone.

    No suggestion, and no gold but what follows from their own events: whoever reads it may label further.
    """

    def theirs(row: LabelledTrace, name: str) -> tuple[LabelEvent, ...]:
        return tuple(event for event in getattr(row, name) if event.annotator in people)

    for row in rows:
        if any(e.annotator in people and e.kind in ("label", "adjudicate") for e in row.labels):
            labels, blind, history = (theirs(row, name) for name in ("labels", "blind", "history"))
            own = gold([event for event in labels if event.kind != "note"], blind)
            yield replace(row, labels=labels, blind=blind, history=history, gold=own, suggestions=())


def as_gold(rows: Iterable[LabelledTrace]) -> Iterator[LabelledTrace]:
    """The traces that one person labelled, with that label in the place of gold; the others are left out."""
    for row in rows:
        labels = [event for event in row.labels if event.kind == "label"]
        if len(labels) == 1:
            yield replace(row, gold=Gold("single", decision_of(labels[0]), (labels[0].id,)))


def placed(rows: Iterable[LabelledTrace], split: Callable[[str], str]) -> Iterator[LabelledTrace]:
    """The traces with the split that `split` names for each id."""
    for row in rows:
        yield replace(row, split=split(row.info.trace_id))


def named(row: LabelledTrace) -> dict[str, Annotator]:
    """Who said something of this trace."""
    people = {event.annotator for event in (*row.labels, *row.history)}
    return {id: one for id, one in row.annotators.items() if id in people}
