"""Shares with the task as the unit: by hand, as properties, and how often the interval holds the truth."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.stats.clustered import FEW_TASKS, clustered_share, effective_items
from reviewer.stats.distributions import t_two_sided, two_sided
from reviewer.stats.estimate import explain
from reviewer.stats.intervals import wilson, wilson_share

TASKS = st.lists(
    st.integers(1, 6).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), min_size=1, max_size=20
)


def test_one_item_a_task_is_the_plain_interval() -> None:
    found = clustered_share([(1, 1)] * 2 + [(0, 1)] * 8)
    assert (found.value, found.n, found.interval) == (0.2, 10, "wilson")
    assert (found.low, found.high) == wilson(2, 10)


def test_tasks_whose_attempts_are_alike_count_once_each() -> None:
    found = clustered_share([(2, 2), (0, 2), (1, 2), (0, 2), (0, 2), (2, 2)])
    # the design effect is 29/720 : 35/1728 = 1.99, and shrunk by (1.96/2.57)^2 it would leave 3.5 of 12
    assert (found.low, found.high) == pytest.approx(wilson_share(5 / 12, 6))
    assert (found.n, found.interval) == (12, "wilson_tasks")


def test_tasks_whose_attempts_differ_count_more() -> None:
    shrunk = (two_sided(0.95) / t_two_sided(0.95, 9)) ** 2
    assert effective_items([(1, 2)] * 10) == pytest.approx(20 * shrunk)
    # residuals 6 x 1 in 10 tasks: 10/9 * 6/400 = 1/60, by 0.25/20 = 1/80
    mixed = [(1, 2)] * 4 + [(2, 2)] * 3 + [(0, 2)] * 3
    assert effective_items(mixed) == pytest.approx(20 / (4 / 3) * shrunk)


def test_nothing_and_everything_rest_on_the_tasks() -> None:
    assert effective_items([(0, 3)] * 6) == 6
    none, all_ = clustered_share([(0, 3)] * 6), clustered_share([(3, 3)] * 6)
    assert (none.low, none.high) == wilson(0, 6)
    assert (all_.low, all_.high) == wilson(6, 6)


def test_a_few_tasks_have_a_share_and_no_interval() -> None:
    found = clustered_share([(1, 10)] * (FEW_TASKS - 1))
    assert (found.value, found.low, found.high) == (0.1, None, None)
    assert "interval" in explain(found.remarks[0])
    assert clustered_share([(1, 10)] * FEW_TASKS).low is not None


def test_nothing_to_count() -> None:
    assert clustered_share([]).undefined == clustered_share([(0, 0)]).undefined == "no_data"
    with pytest.raises(ValueError, match="items"):
        clustered_share([(2, 1)])


@given(TASKS, st.randoms())
def test_the_interval_holds_the_share_and_the_order_of_tasks_is_nothing(
    tasks: list[tuple[int, int]], random: Random
) -> None:
    found = clustered_share(tasks)
    other = list(tasks)
    random.shuffle(other)
    assert clustered_share(other).value == found.value
    if found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert clustered_share(other).low == pytest.approx(found.low)
        n = sum(m for _, m in tasks)
        alike = n * n / sum(m * m for _, m in tasks)
        assert alike - 1e-9 <= effective_items(tasks) <= n + 1e-9
        plain = wilson_share(found.value, n)
        assert found.high - found.low >= plain[1] - plain[0] - 1e-9


@pytest.mark.parametrize("likeness", [0.0, 0.3, 0.8])
@pytest.mark.parametrize(("tasks", "share"), [(6, 0.24), (15, 0.06), (15, 0.24), (40, 0.24)])
def test_the_interval_holds_the_truth_as_often_as_it_says(tasks: int, share: float, likeness: float) -> None:
    rng, hits, times = Random(20), 0, 500
    for _ in range(times):
        drawn = []
        for _ in range(tasks):
            items = rng.choice((1, 1, 2, 3, 4))
            own = share
            if likeness:
                spread = (1 - likeness) / likeness
                own = rng.betavariate(share * spread, (1 - share) * spread)
            drawn.append((sum(rng.random() < own for _ in range(items)), items))
        found = clustered_share(drawn)
        assert found.low is not None and found.high is not None
        hits += found.low <= share <= found.high
    assert hits / times >= 0.9  # 0.93 or more, less the chance of 500 draws
