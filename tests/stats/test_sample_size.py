"""How many more items would decide: what the number promises is what resampling finds."""

from __future__ import annotations

import random

import pytest

from reviewer.stats.cohen import cohen_kappa, expected_interval
from reviewer.stats.estimate import Estimate
from reviewer.stats.intervals import wilson
from reviewer.stats.sample_size import size_to_decide
from reviewer.stats.table import Table, cross_table, from_counts

STUDY = from_counts([[10, 1, 0, 0], [1, 7, 1, 0], [0, 1, 4, 1], [0, 0, 1, 3]])  # n = 30, kappa 0.72


def decided(table: Table, value: float, n: int, times: int = 600) -> float:
    """How often a sample of this size from the table, added to it, leaves `value` outside the interval."""
    pairs = [(i, j) for i, row in enumerate(table.cells) for j, count in enumerate(row) for _ in range(count)]
    source, hits = random.Random(7), 0
    for _ in range(times):
        both = pairs + source.choices(pairs, k=n - len(pairs))
        found = cohen_kappa(cross_table(*zip(*both, strict=True), categories=table.categories))
        assert found.low is not None and found.high is not None
        hits += found.low >= value or found.high < value
    return hits / times


@pytest.mark.parametrize("value", [0.5, 0.55, 0.6])
def test_every_other_time_it_is_decided(value: float) -> None:
    found = cohen_kappa(STUDY)
    assert found.low is not None and found.low < value
    n = size_to_decide(found, value, STUDY)
    assert n is not None and n > STUDY.n
    assert 0.35 < decided(STUDY, value, n) < 0.65
    assert expected_interval(STUDY, n)[0] >= value > expected_interval(STUDY, n - 1)[0]


def test_the_expected_table_of_the_same_size_is_the_table_itself() -> None:
    by_task = cross_table("xxyxyyxxyyzz" * 3, "xxyyyyxxyxzz" * 3, tasks=[n // 2 for n in range(36)])
    for table in (STUDY, by_task):
        found = cohen_kappa(table)
        assert expected_interval(table, table.n) == pytest.approx((found.low, found.high))
        assert expected_interval(table, 10**7)[0] == pytest.approx(found.value, abs=0.01)


def test_the_upper_end_and_a_perfect_table() -> None:
    found = cohen_kappa(STUDY)
    n = size_to_decide(found, 0.8, STUDY)
    assert n is not None and expected_interval(STUDY, n)[1] < 0.8 <= expected_interval(STUDY, n - 1)[1]
    whole = from_counts([[6, 0], [0, 4]])
    n = size_to_decide(cohen_kappa(whole), 0.8, whole)
    assert n is not None and cohen_kappa(from_counts([[6 * n, 0], [0, 4 * n]])).low > 0.8  # type: ignore[operator]
    assert size_to_decide(cohen_kappa(STUDY), cohen_kappa(STUDY).value or 0, STUDY) is None


def test_a_share_is_solved_exactly() -> None:
    low, high = wilson(24, 30)
    n = size_to_decide(Estimate(0.8, low, high, 30, "wilson", ""), 0.7)
    assert n is not None and n % 5 == 1  # 81: at 80, a whole number of hits, it is just not decided
    assert wilson(4 * n // 5 + 1, n)[0] >= 0.7 > wilson(64, 80)[0]
