"""How far an assigned round is: per person, and for every two people how many traces both have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from reviewer.label import Annotator
from reviewer.store import Store
from reviewer.store.assignments import Assignment
from reviewer.study.assigning import pair_counts
from reviewer.study.assigning_people import Roster
from reviewer.study.planning import KAPPA, Shares, design_effect, half_width, tasks_of
from reviewer.study.rounds import book_id, notes_only, stamps
from reviewer.taxonomy import Taxonomy
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """One person in one round. `overlap`: of the assigned ones, those that others have too.

    `noted`: those with a note of this person and no label. In open coding, a round of notes in which nobody
    gave a label, a note is all that is asked for (`notes_only`). `elsewhere`: of the labelled, those under
    another version of the codebook than the one that the round was assigned under.
    """

    round: int
    annotator: Annotator
    assigned: int
    overlap: int
    labelled: int
    blind: int
    noted: int = 0
    notes_only: bool = False
    elsewhere: int = 0

    @property
    def waiting(self) -> int:
        """How many nothing was done with yet."""
        return self.assigned - self.labelled - (self.noted if self.notes_only else 0)


@dataclass(frozen=True, slots=True)
class Shared:
    """Two people and the traces that both are to label; `half_width`: what these would tell about kappa."""

    a: Annotator
    b: Annotator
    traces: int
    half_width: float | None


def progress(store: Store, taxonomy: Taxonomy) -> list[Progress]:
    """Everybody in every round that something was assigned in, the newest round first."""
    roster = Roster(store)
    found = []
    under = stamps(store)
    for round in sorted({one.round for one in store.assignments.all()}, reverse=True):
        hashes = {stamp.hash for stamp in under.get(round, ())}
        heads = store.labels.heads(book_id(store, round, taxonomy.id), round)
        coded = notes_only(store, round)
        mine = by_person(roster, store.assignments.all(round))
        holders = by_trace(mine)
        said = {(one.trace_id, one.annotator): one for one in heads if one.kind == "label"}
        notes = {(one.trace_id, one.annotator) for one in heads if one.kind == "note"}
        for person, traces in mine.items():
            done = [said[trace, person] for trace in traces if (trace, person) in said]
            overlap = sum(len(holders[trace]) > 1 for trace in traces)
            who = Annotator(person, roster.name(person))
            blind = sum(one.condition == "blind" for one in done)
            noted = sum((trace, person) in notes and (trace, person) not in said for trace in traces)
            other = sum(bool(hashes) and one.taxonomy_hash not in hashes for one in done)
            counts = len(traces), overlap, len(done), blind, noted, coded, other
            found.append(Progress(round, who, *counts))
    return sorted(found, key=lambda one: (-one.round, one.annotator.name, one.annotator.id))


def by_person(roster: Roster, assignments: Iterable[Assignment]) -> dict[str, set[str]]:
    """The traces of each person."""
    found: dict[str, set[str]] = {}
    for one in assignments:
        found.setdefault(roster.person(one.annotator), set()).add(one.trace_id)
    return found


def by_trace(mine: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """The people of each trace."""
    found: dict[str, set[str]] = {}
    for person, traces in mine.items():
        for trace in traces:
            found.setdefault(trace, set()).add(person)
    return found


def spoilt(
    store: Store, taxonomy: Taxonomy, roster: Roster, assignments: Sequence[Assignment]
) -> set[tuple[str, str]]:
    """(person, trace) of the assignments of a round to which no blind label can come any more.

    Their people were shown a suggestion or what others said before they labelled, in whatever round.
    """
    mine = by_person(roster, assignments)
    round = assignments[0].round if assignments else 1
    blind = {(one.annotator, one.trace_id) for one in store.labels.blind_heads(taxonomy.id, round)}
    people = store.labels.links.people()
    found = set()
    for person, traces in mine.items():
        revealed = store.assignments.revealed(people.ids(person)) & traces
        found |= {(person, trace) for trace in revealed if (person, trace) not in blind}
    return found


def shared(
    store: Store,
    shares: Shares | None,
    roster: Roster,
    assignments: Sequence[Assignment],
    lost: Collection[tuple[str, str]] = (),
) -> tuple[list[Shared], int, float | None]:
    """Every pair; how many traces several people have; and what all of these together would tell of kappa.

    `assignments` are all of one round; `lost` are those without a blind label to come, which count in no
    pair. Several traces of one task tell less: that is in the widths.
    """
    every = by_person(roster, assignments)
    mine = {
        person: {trace for trace in traces if (person, trace) not in lost} for person, traces in every.items()
    }
    holders = by_trace(mine)
    several = {trace for trace, who in holders.items() if len(who) > 1}
    values = shares.values if shares is not None else ()
    people = sorted(mine, key=lambda person: (roster.name(person), person))
    pairs = []
    for (a, b), count in pair_counts(people, holders).items():
        design = design_effect(tasks_of(store, mine[a] & mine[b]))
        one, other = Annotator(a, roster.name(a)), Annotator(b, roster.name(b))
        pairs.append(Shared(one, other, count, half_width(values, KAPPA, count, design)))
    design = design_effect(tasks_of(store, several))
    return pairs, len(several), half_width(values, KAPPA, len(several), design)
