"""Drawing who labels what: pure, repeatable from a seed, with the chance of each assignment.

Traces come in strata; a systematic sample with a random start takes as many of each as their share, and gives
every trace exactly the same chance. The traces that several people get are drawn from the sample in the same
way. People are seated in a random order, so that nobody's chance is better than another's:

    overlap, 2 raters   pairs as in a tournament, so that the counts of two pairs differ by at most one
    overlap, all        everybody
    the rest            whoever has least by then

So the loads of two people differ by at most one where the rest has a trace for each, else by at most two;
those of several draws add up, since evening them out would make chances differ.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Literal, TypeAlias, TypeVar

from reviewer.values import dataclass

T = TypeVar("T")
Raters: TypeAlias = Literal["2", "all"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A trace that may be drawn, and the stratum it is in."""

    trace_id: str
    stratum: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """One trace for one person. `overlap`: others get it too. `probability`: of just that."""

    trace_id: str
    annotator: str
    stratum: str
    overlap: bool
    probability: float


def design(
    candidates: Sequence[Candidate],
    people: Sequence[str],
    *,
    n: int,
    overlap: int,
    raters: Raters,
    random: Random,
) -> list[Seat]:
    """`n` of the candidates, `overlap` of these for several of the people, the others for one each.

    0 <= overlap <= n <= the candidates; people are different, two at least where anything overlaps.
    """
    if not (0 <= overlap <= n <= len(candidates)) or (overlap and len(people) < 2) or not people:
        raise ValueError("0 <= overlap <= n <= candidates, and two people where anything overlaps")
    if not n:
        return []
    drawn = systematic(_by_stratum(candidates, random), n, random)
    shared = set(systematic(range(n), overlap, random))
    order = sorted(people)
    random.shuffle(order)
    each = 2 if raters == "2" else len(order)
    seated = shuffled_pairs(order) if each == 2 else None
    share = overlap / n
    chance = n / len(candidates) * (share * each + (1 - share)) / len(order)
    seats: list[Seat] = []
    load = dict.fromkeys(order, 0)
    for place, one in enumerate(drawn):
        if place in shared:
            for person in next(seated) if seated is not None else order:
                load[person] += 1
                seats.append(Seat(one.trace_id, person, one.stratum, True, chance))
    free = [(count, rank, person) for rank, (person, count) in enumerate(load.items())]
    heapq.heapify(free)
    for place, one in enumerate(drawn):
        if place not in shared:
            count, rank, person = free[0]
            heapq.heapreplace(free, (count + 1, rank, person))
            seats.append(Seat(one.trace_id, person, one.stratum, False, chance))
    return seats


def more(
    standing: Mapping[Candidate, Collection[str]],
    people: Sequence[str],
    *,
    n: int,
    raters: Raters,
    random: Random,
) -> list[Seat]:
    """Further people for `n` of the traces that stand with one person each (`standing`: with whom).

    Nobody gets a trace again. Each goes to whoever has least of these, and shares least with its holder.
    """
    able = {one: holders for one, holders in standing.items() if set(people) - set(holders)}
    drawn = systematic(_by_stratum(list(able), random), min(n, len(able)), random)
    order = sorted(people)
    random.shuffle(order)
    load, pairs = Counter[str](), Counter[frozenset[str]]()
    seats = []
    for one in drawn:
        holders = able[one]
        others = [person for person in order if person not in holders]
        wanted = 1 if raters == "2" else len(others)
        others.sort(key=lambda who: (load[who], sum(pairs[frozenset((who, other))] for other in holders)))
        chance = len(drawn) / len(able) * wanted / len(others)
        for person in others[:wanted]:
            load[person] += 1
            pairs.update(frozenset((person, other)) for other in holders)
            seats.append(Seat(one.trace_id, person, one.stratum, True, chance))
    return seats


def systematic(items: Sequence[T], n: int, random: Random) -> list[T]:
    """`n` of the items at equal distances from a random start: each has the chance n / len(items)."""
    if n <= 0:
        return []
    count = len(items)
    start = random.randrange(count)  # whole numbers: no rounding may give an item twice
    return [items[(start + i * count) // n] for i in range(n)]


def _by_stratum(candidates: Sequence[Candidate], random: Random) -> list[Candidate]:
    """Strata in a random order, traces in a random order within: whatever order they came in."""
    order = sorted(candidates, key=lambda one: (one.stratum, one.trace_id))
    random.shuffle(order)
    rank = {name: random.random() for name in sorted({one.stratum for one in candidates})}
    order.sort(key=lambda one: rank[one.stratum])
    return order


def shuffled_pairs(people: Sequence[str]) -> Iterator[tuple[str, str]]:
    """All pairs again and again, in rounds of a tournament: in each everybody plays once, or sits out."""
    table: list[str | None] = [*people, *([None] if len(people) % 2 else [])]
    half = len(table) // 2
    while True:
        for _ in range(len(table) - 1):
            for a, b in zip(table[:half], reversed(table[half:]), strict=True):
                if a is not None and b is not None:
                    yield a, b
            table[1:] = [table[-1], *table[1:-1]]


def pair_counts(people: Sequence[str], holders: Mapping[str, Collection[str]]) -> dict[tuple[str, str], int]:
    """How many traces both of each two people have (`holders`: the people of each trace)."""
    counts = dict.fromkeys(combinations(people, 2), 0)
    for who in holders.values():
        for pair in combinations([person for person in people if person in who], 2):
            counts[pair] += 1
    return counts
