"""The draw: for any people, overlap, raters and seed it is what it says, and the same seed draws the same."""

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.study.assigning import (
    Candidate,
    Seat,
    design,
    more,
    pair_counts,
    shuffled_pairs,
    systematic,
)

STRATA = ("", "easy", "hard")
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, object]:
    count = draw(st.integers(0, 60))
    candidates = [Candidate(f"t{n}", draw(st.sampled_from(STRATA))) for n in range(count)]
    people = [f"p{n}" for n in range(draw(st.integers(1, 7)))]
    n = draw(st.integers(0, count))
    overlap = draw(st.integers(0, n)) if len(people) > 1 else 0
    raters = draw(st.sampled_from(["2", "all"]))
    return {"candidates": candidates, "people": people, "n": n, "overlap": overlap, "raters": raters}


def drawn(wish: dict[str, object], seed: int = 1) -> list[Seat]:
    asked = dict(wish)
    return design(
        asked.pop("candidates"),  # type: ignore[arg-type]
        asked.pop("people"),  # type: ignore[arg-type]
        random=Random(seed),
        **asked,  # type: ignore[arg-type]
    )


@CALM
@given(wish=wishes(), seed=st.integers(0, 10**6))
def test_every_overlap_trace_has_exactly_its_raters_and_every_other_one_person(
    wish: dict[str, object], seed: int
) -> None:
    seats = drawn(wish, seed)
    each = 2 if wish["raters"] == "2" else len(wish["people"])  # type: ignore[arg-type]
    counts = Counter(seat.trace_id for seat in seats)
    shared = {seat.trace_id for seat in seats if seat.overlap}
    assert len(counts) == wish["n"] and len(shared) == wish["overlap"]
    assert all(counts[trace] == (each if trace in shared else 1) for trace in counts)
    assert len({(seat.trace_id, seat.annotator) for seat in seats}) == len(seats)


@CALM
@given(wish=wishes(), seed=st.integers(0, 10**6))
def test_loads_differ_by_one_at_most_where_the_rest_evens_them_out_else_by_two(
    wish: dict[str, object], seed: int
) -> None:
    people: list[str] = wish["people"]  # type: ignore[assignment]
    load = Counter(dict.fromkeys(people, 0))
    load.update(seat.annotator for seat in drawn(wish, seed))
    rest = int(wish["n"]) - int(wish["overlap"])  # type: ignore[call-overload]
    assert max(load.values()) - min(load.values()) <= (1 if rest >= len(people) else 2)


@CALM
@given(wish=wishes(), seed=st.integers(0, 10**6))
def test_pairs_are_balanced(wish: dict[str, object], seed: int) -> None:
    people: list[str] = wish["people"]  # type: ignore[assignment]
    holders: dict[str, set[str]] = {}
    for seat in drawn(wish, seed):
        holders.setdefault(seat.trace_id, set()).add(seat.annotator)
    counts = pair_counts(people, holders)
    assert not counts or max(counts.values()) - min(counts.values()) <= 1
    assert sum(counts.values()) == sum(math.comb(len(who), 2) for who in holders.values())


@CALM
@given(wish=wishes(), seed=st.integers(0, 10**6))
def test_the_same_seed_draws_the_same_whatever_the_order_of_names_and_traces(
    wish: dict[str, object], seed: int
) -> None:
    turned = {**wish, "candidates": list(reversed(wish["candidates"]))}  # type: ignore[call-overload]
    turned["people"] = list(reversed(wish["people"]))  # type: ignore[call-overload]
    assert drawn(wish, seed) == drawn(turned, seed)


@CALM
@given(wish=wishes(), seed=st.integers(0, 10**6))
def test_chances_sum_to_what_is_assigned(wish: dict[str, object], seed: int) -> None:
    """Over all traces and people the chances of an assignment are as many as there are assignments."""
    seats = drawn(wish, seed)
    pairs = len(wish["candidates"]) * len(wish["people"])  # type: ignore[arg-type]
    chances = {seat.probability for seat in seats}
    assert len(chances) <= 1 and all(0 < chance <= 1 for chance in chances)
    assert math.isclose(sum(chance * pairs for chance in chances), len(seats))


def test_the_chance_that_is_kept_is_how_often_it_happens() -> None:
    candidates = [Candidate(f"t{n}", STRATA[n % 3]) for n in range(9)]
    found = Counter[tuple[str, str]]()
    times = 4000
    for seed in range(times):
        seats = design(candidates, ["a", "b", "c"], n=6, overlap=3, raters="2", random=Random(seed))
        found.update((seat.trace_id, seat.annotator) for seat in seats)
        chance = seats[0].probability
    assert len(found) == 27
    spread = 4.5 * math.sqrt(chance * (1 - chance) / times)  # of 27 shares the furthest
    assert all(abs(count / times - chance) < spread for count in found.values())


@CALM
@given(st.integers(1, 200), st.data())
def test_a_systematic_sample_takes_each_stratum_in_its_share(count: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, count))
    first = data.draw(st.integers(0, count))
    found = systematic(range(count), n, Random(data.draw(st.integers(0, 1000))))
    assert len(set(found)) == n
    assert abs(sum(place < first for place in found) - n * first / count) < 1


class From(Random):
    """Randomness that begins where we say."""

    start = 0

    def randrange(self, *_: int) -> int:  # type: ignore[override]
        return self.start


@CALM
@given(st.integers(1, 60), st.data())
def test_over_all_starts_a_systematic_sample_takes_every_item_equally_often(
    count: int, data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, count))
    random, taken = From(), Counter[int]()
    for random.start in range(count):
        taken.update(systematic(range(count), n, random))
    assert taken == Counter(dict.fromkeys(range(count), n))


@CALM
@given(st.integers(2, 9))
def test_a_tournament_meets_everybody_once_before_anybody_twice(count: int) -> None:
    people = [f"p{n}" for n in range(count)]
    pairs = shuffled_pairs(people)
    rounds = [frozenset(next(pairs)) for _ in range(math.comb(count, 2))]
    assert len(set(rounds)) == math.comb(count, 2)


@st.composite
def standings(draw: st.DrawFn) -> tuple[dict[Candidate, tuple[str, ...]], list[str]]:
    people = [f"p{n}" for n in range(draw(st.integers(1, 5)))]
    everybody = [*people, "old"]
    count = draw(st.integers(0, 30))
    return {Candidate(f"t{n}"): (draw(st.sampled_from(everybody)),) for n in range(count)}, people


@CALM
@given(standings(), st.integers(0, 40), st.sampled_from(["2", "all"]), st.integers(0, 999))
def test_more_overlap_never_gives_a_trace_to_who_has_it(
    case: tuple[dict[Candidate, tuple[str, ...]], list[str]], n: int, raters: str, seed: int
) -> None:
    standing, people = case
    seats = more(standing, people, n=n, raters=raters, random=Random(seed))  # type: ignore[arg-type]
    holders = {one.trace_id: who for one, who in standing.items()}
    able = [who for who in holders.values() if set(people) - set(who)]
    counts = Counter(seat.trace_id for seat in seats)
    assert len(counts) == min(n, len(able))
    assert all(seat.annotator not in holders[seat.trace_id] for seat in seats)
    assert len({(seat.trace_id, seat.annotator) for seat in seats}) == len(seats)
    others = {trace: len(set(people) - set(who)) for trace, who in holders.items()}
    assert all(counts[trace] == (1 if raters == "2" else others[trace]) for trace in counts)


def test_what_cannot_be_drawn_is_refused() -> None:
    few = [Candidate("t1")]
    for n, overlap, people in ((2, 0, ["a"]), (1, 2, ["a", "b"]), (1, 1, ["a"]), (1, 0, [])):
        with pytest.raises(ValueError, match="overlap"):
            design(few, people, n=n, overlap=overlap, raters="2", random=Random(1))
