"""The score interval of kappa: its variance another way, its ends as roots, its edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.stats.cohen import cohen_kappa, kappa_se, kappa_value
from reviewer.stats.sample_size import unit_variance
from reviewer.stats.score import Implied, score_interval
from reviewer.stats.table import Table, cross_table, from_counts

Z = 1.959963984540054


@pytest.mark.parametrize("shares", [[0.5, 0.5], [0.9, 0.1], [0.5, 0.3, 0.15, 0.05]])
@pytest.mark.parametrize("kappa", [-0.02, 0.0, 0.3, 0.8, 1.0])
def test_the_implied_variance_is_that_of_the_implied_table(shares: list[float], kappa: float) -> None:
    table = [
        [kappa * p * (i == j) + (1 - kappa) * p * other for j, other in enumerate(shares)]
        for i, p in enumerate(shares)
    ]
    assert Implied.of(shares).at(kappa) == pytest.approx(unit_variance(table), abs=1e-12)


def test_the_ends_are_where_the_score_test_just_rejects() -> None:
    # no ratio: with variance 0 the implied one stands alone
    low, high = score_interval(0.6, [0.7, 0.3], 80, 0.0, 12, quantile=Z)
    for end in (low, high):
        assert (0.6 - end) ** 2 == pytest.approx(Z * Z * Implied.of([0.7, 0.3]).at(end) / 80)


def test_of_many_items_it_is_the_interval_of_the_observed_variance() -> None:
    table = from_counts([[60_000, 5_000, 2_000], [9_000, 30_000, 1_000], [100, 8_000, 20_000]])
    score, wald = cohen_kappa(table), cohen_kappa(table, interval="wald")
    assert (score.low, score.high) == pytest.approx((wald.low, wald.high), abs=1e-4)


def test_perfect_agreement_is_no_certainty() -> None:
    found = cohen_kappa(from_counts([[10, 0], [0, 10]]))
    assert (found.value, found.high, found.interval) == (1, 1, "score")
    # at p_o = 1 the score test is Wilson's: 2 g - g^2 = g^2 n / z^2 with g = 1 - low
    gap = 2 / (1 + 20 / Z**2)
    assert found.low == pytest.approx(1 - gap)


def test_a_constant_rater_is_no_certainty() -> None:
    found = cohen_kappa(from_counts([[19, 1], [0, 0]]))
    assert found.value == 0
    assert found.low is not None and found.high is not None
    assert found.low < -0.02 and found.high > 0.2
    assert "constant_rater" in found.remarks


def test_agreement_without_an_exception_rests_on_the_tasks() -> None:
    a = list("xxxyyyxxxyyyxxxyyy")
    alone, by_task = cross_table(a, a), cross_table(a, a, tasks=[k // 3 for k in range(18)])
    independent, together = cohen_kappa(alone), cohen_kappa(by_task)
    assert together.interval == "score_tasks"
    assert (together.low or 0) < (independent.low or 0) - 0.1


CELLS = st.integers(2, 4).flatmap(
    lambda q: st.lists(st.lists(st.integers(0, 12), min_size=q, max_size=q), min_size=q, max_size=q)
)


@given(CELLS)
def test_the_interval_is_around_the_value_and_of_some_width(cells: list[list[int]]) -> None:
    table = from_counts(cells)
    found = cohen_kappa(table)
    if found.value is None:
        assert kappa_value(table) is None
        return
    assert found.low is not None and found.high is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.high - found.low > 0.01
    wider = cohen_kappa(table, level=0.99)
    assert wider.low is not None and wider.high is not None
    assert wider.low <= found.low and wider.high >= found.high


@given(CELLS)
def test_the_order_of_raters_and_of_categories_is_nothing(cells: list[list[int]]) -> None:
    found = cohen_kappa(from_counts(cells))
    turned = cohen_kappa(from_counts([list(column) for column in zip(*cells, strict=True)]))
    backwards = cohen_kappa(from_counts([row[::-1] for row in cells[::-1]]))
    for other in (turned, backwards):
        assert (found.value, found.undefined) == (other.value, other.undefined)
        if found.low is not None:
            assert (other.low, other.high) == pytest.approx((found.low, found.high), abs=1e-9)


def test_one_item_a_task_is_nearly_the_interval_of_items() -> None:
    cells = ((200, 50), (100, 150))
    tasks = tuple({(i, j): 1} for i in (0, 1) for j in (0, 1) for _ in range(cells[i][j]))
    plain, by_task = cohen_kappa(from_counts(cells)), cohen_kappa(Table((0, 1), cells, tasks))
    assert kappa_se(from_counts(cells)) is not None
    assert (by_task.low, by_task.high) == pytest.approx((plain.low, plain.high), abs=1e-3)
