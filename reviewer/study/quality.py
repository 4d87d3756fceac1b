"""How a round was worked on, for its lead: time, reading, suggestions taken, changes of mind, drift.

Linked annotators are one person. Counts labels under exactly this version of the taxonomy. It measures
work, not people: none of it says that a label is right, and a careful person who knows the traces is fast.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from reviewer.label import Annotator, LabelEvent
from reviewer.stats.clustered import clustered_share
from reviewer.stats.estimate import Estimate
from reviewer.stats.spread import Spread, spread
from reviewer.store import Store
from reviewer.study.current import Current, current
from reviewer.study.drift import Drift, drift
from reviewer.study.pace import MOST_ADULTS, NOBODY, Paced, paced
from reviewer.study.reveals import Flips, Reveal, flips, reveals, shown_modes
from reviewer.taxonomy import Taxonomy
from reviewer.trace import digest
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Revealed:
    """Blind labels whose suggestion was shown afterwards: the shares that said the same before it was
    (`agreed`), that say it now (`agrees`), both of those where it named a mode, and that changed (`changed`).
    """

    flips: Flips
    agreed: Estimate
    agrees: Estimate
    changed: Estimate


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one person in a round, or (`annotator` None) of all of them.

    `labels` counts current labels by condition. `seconds` and `opened` (the share of a trace's steps) are
    of first labels with a time; `unopened`, `fast` and `faster` are shares of those: given without opening
    a step, and sooner than what decides is read at 300 and 1,000 words a minute. `accepted`: of labels given
    with a suggestion in sight, those that say the same.
    """

    annotator: Annotator | None
    labels: Mapping[str, int]
    untimed: int
    seconds: Spread
    opened: Spread
    unopened: Estimate
    fast: Estimate
    faster: Estimate
    accepted: Estimate
    revealed: Revealed
    noted: Estimate
    skipped: int
    flagged: int
    drift: Drift | None


@dataclass(frozen=True, slots=True)
class Quality:
    """The work of a round: of everybody, and of each."""

    round: int
    everybody: Work
    people: tuple[Work, ...]


class _Round:
    """What a round holds, under the ids of persons."""

    def __init__(self, store: Store, taxonomy: Taxonomy, round: int) -> None:
        self.store = store
        self.counted: Current = current(store, taxonomy, round)
        self.known = store.labels.annotators()
        self.tasks = {info.trace_id: "\0".join(info.task_key) for info in store.traces.all(children=True)}
        self.shown = shown_modes(store, taxonomy.hash)
        self.suggested: dict[str, set[str]] = defaultdict(set)
        for one in store.suggestions.all(taxonomy.hash):
            if one.status == "ok":
                self.suggested[one.trace_id].add(one.mode)
        torn = {(event.annotator, event.trace_id) for event in self.counted.labels}
        torn -= {(event.annotator, event.trace_id) for event in self.counted.counted}
        self.firsts = _firsts(store, taxonomy, round, torn)
        self.paced = paced(store, [event for mine in self.firsts.values() for event in mine])
        self.reveals = reveals(self.counted, self.shown)

    def share(self, items: Iterable[tuple[str, bool]]) -> Estimate:
        """The share of (trace, whether) that hold; the task is the unit."""
        tasks: dict[str, list[bool]] = defaultdict(list)
        for trace, holds in items:
            tasks[self.tasks.get(trace, trace)].append(holds)
        return clustered_share([(sum(found), len(found)) for found in tasks.values()])

    def work(self, id: str | None) -> Work:
        """The work of one person, or of all."""
        heads = [event for event in self.counted.heads if id in (None, event.annotator)]
        labels = [event for event in self.counted.counted if id in (None, event.annotator)]
        firsts = [event for who, mine in self.firsts.items() if id in (None, who) for event in mine]
        timed = [one for one in self.paced if id in (None, one.event.annotator)]
        mine = [one for one in self.reveals if id in (None, one.before.annotator)]
        noted = {(event.annotator, event.trace_id) for event in heads if event.kind == "note"}
        return Work(
            annotator=None if id is None else self.known.get(id, Annotator(id, "")),
            labels=Counter(str(event.condition) for event in labels),
            untimed=len(firsts) - len(timed),
            seconds=spread([one.seconds for one in timed]),
            opened=spread([one.opened / one.steps for one in timed]),
            unopened=self.share((one.event.trace_id, not one.opened) for one in timed),
            fast=self.pace(timed, MOST_ADULTS),
            faster=self.pace(timed, NOBODY),
            accepted=self.share(self.assisted(labels)),
            revealed=self.revealed(mine),
            noted=self.share(
                (one.trace_id, bool(one.note) or (one.annotator, one.trace_id) in noted) for one in labels
            ),
            skipped=sum(event.kind == "skip" for event in heads),
            flagged=sum(event.kind == "flag" for event in heads),
            drift=None if id is None else self.drift(id),
        )

    def pace(self, timed: Sequence[Paced], words: int) -> Estimate:
        return self.share((one.event.trace_id, one.faster_than(words)) for one in timed)

    def assisted(self, labels: Iterable[LabelEvent]) -> Iterable[tuple[str, bool]]:
        """Labels with a suggestion in sight, where no blind label came first: does it say the same?"""
        blind = {(event.annotator, event.trace_id) for event in self.counted.blind}
        for event in labels:
            place = event.annotator, event.trace_id
            if event.condition == "suggestion" and place not in blind and self.shown.get(place):
                yield event.trace_id, event.mode in self.shown[place]

    def revealed(self, mine: Sequence[Reveal]) -> Revealed:
        counted = [one for one in mine if not one.peers]
        return Revealed(
            flips=flips(mine),
            agreed=self.share((one.before.trace_id, one.agreed) for one in counted if one.modes),
            agrees=self.share((one.before.trace_id, one.agrees) for one in counted if one.modes),
            changed=self.share((one.before.trace_id, one.changed) for one in counted),
        )

    def drift(self, id: str) -> Drift:
        blind = {event.trace_id: event.mode for event in self.counted.blind if event.annotator == id}
        peers: dict[str, list[str]] = defaultdict(list)
        for event in self.counted.blind:
            if event.annotator != id:
                peers[event.trace_id].append(event.mode)
        suggested = {trace: frozenset(modes) for trace, modes in self.suggested.items()}
        return drift(self.firsts.get(id, ()), blind, suggested, peers)


def quality(store: Store, taxonomy: Taxonomy, round: int) -> Quality:
    """The work of everybody who labelled in this round, by name."""
    here = _Round(store, taxonomy, round)
    ids = {event.annotator for event in here.counted.labels} | set(here.firsts)
    people = sorted((here.work(id) for id in ids), key=lambda one: (_name(one), _id(one)))
    return Quality(round, here.work(None), tuple(people))


def _name(one: Work) -> str:
    return one.annotator.name if one.annotator else ""


def _id(one: Work) -> str:
    return one.annotator.id if one.annotator else ""


def _firsts(
    store: Store, taxonomy: Taxonomy, round: int, torn: Collection[tuple[str, str]]
) -> dict[str, list[LabelEvent]]:
    """Each person's first label on each trace of the round, in the order they were made.

    An undo makes none, and a label that was undone or taken back is none. None where the labels are in
    conflict (`torn`: who, which trace): nobody knows which of two was first.
    """
    people = store.labels.links.people()
    found: dict[str, dict[str, LabelEvent]] = defaultdict(dict)
    every = store.labels.events()
    gone = _taken_back(every)
    events = [
        event
        for event in every
        if event.kind == "label" and not event.restores and event.round == round
        and event.taxonomy_hash == taxonomy.hash and event.id not in gone
    ]  # fmt: skip
    for event in sorted(events, key=lambda one: (one.at, one.id)):  # of one person: their own clock
        person = people.person(event.annotator)
        if (person, event.trace_id) not in torn:
            found[person].setdefault(event.trace_id, replace(event, annotator=person))
    return {person: list(firsts.values()) for person, firsts in found.items()}


def _taken_back(events: Sequence[LabelEvent]) -> set[str]:
    """The events that an undo or a retraction put an end to, and what they had replaced themselves."""
    known = {event.id: event for event in events}

    def whole(ids: Iterable[str]) -> set[str]:
        """These and what they replaced or put back; what an undo or a retraction ended is not below it."""
        found: set[str] = set()
        todo = list(ids)
        while todo:
            if (id := todo.pop()) not in found and id in known:
                found.add(id)
                event = known[id]
                if event.restores or event.kind != "retract":
                    todo += [event.restores] if event.restores else event.supersedes
        return found

    gone: set[str] = set()
    for event in events:  # in the order of writing: what one undo took away another may put back
        if event.kind == "retract" or event.restores:
            gone |= whole(event.supersedes)
            gone -= whole([event.restores])
    return gone


def unnamed(found: Quality) -> Quality:
    """The same with numbers for names, in an order that tells nothing."""
    order = sorted(found.people, key=lambda one: digest([found.round, _id(one)]))
    hidden = [
        replace(one, annotator=Annotator("", f"annotator {place}")) for place, one in enumerate(order, 1)
    ]
    return replace(found, people=tuple(hidden))
