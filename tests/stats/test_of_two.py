"""Fleiss' kappa and alpha of two raters: the interval holds what it says, and goes by task."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from reviewer.stats.cohen import cohen_kappa
from reviewer.stats.counts import ItemCounts, count_items
from reviewer.stats.estimate import Estimate
from reviewer.stats.fleiss import fleiss_kappa
from reviewer.stats.krippendorff import alpha_nominal
from reviewer.stats.table import cross_table

Statistic = Callable[[ItemCounts], Estimate]
BOTH = pytest.mark.parametrize("statistic", [fleiss_kappa, alpha_nominal])


def drawn(random: Random, n: int, common: float, kappa: float) -> tuple[str, str]:
    """Two raters who use x in the same share, and agree beyond chance in `kappa` of the items."""
    a = [random.random() < common for _ in range(n)]
    b = [x if random.random() < kappa else random.random() < common for x in a]
    return tuple("".join("x" if one else "y" for one in rater) for rater in (a, b))  # type: ignore[return-value]


def held(statistic: Statistic, n: int, common: float, kappa: float, draws: int = 1500) -> float:
    random = Random(7)
    inside = judged = 0
    for _ in range(draws):
        found = statistic(count_items(drawn(random, n, common, kappa)))
        if found.low is not None and found.high is not None:
            judged += 1
            inside += found.low <= kappa <= found.high
    return inside / judged


@BOTH
@pytest.mark.parametrize(
    ("n", "common", "kappa"), [(50, 0.8, 0.0), (50, 0.5, 0.0), (50, 0.8, 0.6), (30, 0.7, 0.3)]
)
def test_the_interval_holds_the_truth(statistic: Statistic, n: int, common: float, kappa: float) -> None:
    assert 0.92 <= held(statistic, n, common, kappa) <= 0.985


@BOTH
def test_it_is_that_of_cohen_where_habits_are_alike(statistic: Statistic) -> None:
    a, b = "x" * 40 + "y" * 40 + "x" * 10 + "y" * 10, "x" * 40 + "y" * 40 + "y" * 10 + "x" * 10
    one, other = statistic(count_items([a, b])), cohen_kappa(cross_table(a, b))
    assert one.interval == other.interval == "score"
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.01)


@BOTH
def test_the_task_is_the_unit(statistic: Statistic) -> None:
    a, b = "xyxyxyyxxy" * 4, "xyxxxyyyxy" * 4
    alone, tasks = statistic(count_items([a, b])), statistic(count_items([a, b], tasks=list(range(10)) * 4))
    assert (alone.value, alone.interval, tasks.interval) == (tasks.value, "score", "score_tasks")
    assert alone.low is not None and tasks.low is not None
    assert tasks.low < alone.low - 0.1
    one = statistic(count_items([a, b], tasks=["t"] * 40))
    assert one.of_one_task


@BOTH
def test_three_ratings_of_an_item_are_another_case(statistic: Statistic) -> None:
    a, b, c = "xyxyxyyxxyxyxyxy", "xyxxxyyyxyxxyyxy", "xyyxxyxyxyxyyyxy"
    assert statistic(count_items([a, b, c])).interval == "t"
    assert statistic(count_items([a, b, [*c[:3], *[None] * 13]])).interval == "t"
