"""The bootstrap, and the comparison of kappas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import pytest

from reviewer.stats.bootstrap import binomial, bootstrap, multinomial, multinomials
from reviewer.stats.cohen import cohen_kappa, kappa_of_cells, kappa_se, kappa_se_tasks
from reviewer.stats.compare import homogeneity, kappa_difference, kappa_test
from reviewer.stats.counts import count_items
from reviewer.stats.estimate import Estimate, point, undefined
from reviewer.stats.fleiss import fleiss_kappa
from reviewer.stats.gwet import gwet_ac1
from reviewer.stats.krippendorff import alpha_nominal
from reviewer.stats.resampled import ac1_bootstrap, alpha_bootstrap, fleiss_bootstrap, kappa_bootstrap
from reviewer.stats.table import cross_table, from_counts

CELLS = [(0, 0), (0, 1), (1, 0), (1, 1)]
COUNTS = [80, 20, 40, 60]


def kappa(counts: Sequence[int]) -> float | None:
    return kappa_of_cells(CELLS, counts, 2)


def share(counts: Sequence[int]) -> float | None:
    return counts[0] / sum(counts) if sum(counts) else None


@pytest.mark.parametrize(("n", "p"), [(7, 0.3), (40, 0.01), (60, 0.4), (500, 0.97), (10_000, 0.5)])
def test_binomial_draws_have_the_right_mean_and_variance(n: int, p: float) -> None:
    rng, times = Random(5), 20_000
    drawn = [binomial(rng, n, p) for _ in range(times)]
    assert all(0 <= k <= n for k in drawn)
    mean = sum(drawn) / times
    variance = sum((k - mean) ** 2 for k in drawn) / (times - 1)
    exact = n * p * (1 - p)
    assert abs(mean - n * p) < 4.5 * math.sqrt(exact / times)
    assert variance == pytest.approx(exact, rel=0.06)


@pytest.mark.parametrize(("n", "p"), [(6, 0.3), (36, 0.45)])
def test_binomial_draws_have_the_right_distribution(n: int, p: float) -> None:
    rng, times = Random(11), 30_000
    drawn = [binomial(rng, n, p) for _ in range(times)]
    for k in range(n + 1):
        exact = math.comb(n, k) * p**k * (1 - p) ** (n - k)
        assert abs(drawn.count(k) / times - exact) < 4.5 * math.sqrt(exact / times) + 1e-4


def test_binomial_at_the_edges() -> None:
    rng = Random(1)
    assert [binomial(rng, 5, 0), binomial(rng, 5, 1), binomial(rng, 0, 0.5)] == [0, 5, 0]


def test_multinomial_keeps_the_number_and_the_empty_cells() -> None:
    rng = Random(3)
    for _ in range(200):
        drawn = multinomial(rng, [5, 0, 90, 5])
        assert sum(drawn) == 100
        assert drawn[1] == 0
    assert multinomial(rng, [0, 0]) == [0, 0]


@pytest.mark.parametrize("weights", [[60, 25, 40, 0, 75], [9_000, 700, 40, 260]])
def test_many_draws_at_once_have_the_right_distribution(weights: list[int]) -> None:
    times, n = 20_000, sum(weights)
    drawn = multinomials(Random(8), weights, times)
    assert all(sum(counts) == n for counts in drawn)
    for k, weight in enumerate(weights):
        p, mine = weight / n, [counts[k] for counts in drawn]
        assert sum(mine) / times == pytest.approx(weight, abs=4.5 * math.sqrt(n * p * (1 - p) / times))
        for at in range(max(0, weight - 4), weight + 5):
            log = math.lgamma(n + 1) - math.lgamma(at + 1) - math.lgamma(n - at + 1)
            exact = math.exp(log + at * math.log(p) + (n - at) * math.log(1 - p)) if p else float(at == 0)
            assert abs(mine.count(at) / times - exact) < 4.5 * math.sqrt(exact / times) + 1e-4
    covariance = sum((counts[0] - weights[0]) * (counts[1] - weights[1]) for counts in drawn) / times
    assert covariance == pytest.approx(-weights[0] * weights[1] / n, rel=0.15)


def test_units_that_stand_for_themselves_are_drawn_alike() -> None:
    drawn = multinomials(Random(2), [1, 0, 1, 1], 6000)
    assert all(sum(counts) == 3 and counts[1] == 0 for counts in drawn)
    assert sum(counts == (1, 0, 1, 1) for counts in drawn) / 6000 == pytest.approx(6 / 27, abs=0.025)


def test_a_seed_means_the_same_again() -> None:
    one = bootstrap(COUNTS, kappa, seed=1, replicates=200)
    assert one == bootstrap(COUNTS, kappa, seed=1, replicates=200)
    assert one != bootstrap(COUNTS, kappa, seed=2, replicates=200)


def test_bootstrap_agrees_with_the_formula() -> None:
    se = kappa_se(from_counts([[80, 20], [40, 60]]))
    assert se is not None
    for method in ("percentile", "bca"):
        found = bootstrap(COUNTS, kappa, seed=4, method=method)
        assert found.interval == f"bootstrap_{method}"
        assert found.value == 0.4
        assert found.se == pytest.approx(se, rel=0.06)
        assert (found.low, found.high) == pytest.approx((0.4 - 1.96 * se, 0.4 + 1.96 * se), abs=0.02)


def test_bca_leans_with_the_skew() -> None:
    plain = bootstrap([3, 97], share, seed=9)
    leaning = bootstrap([3, 97], share, seed=9, method="bca")
    assert (leaning.high or 0) > (plain.high or 1)


def test_what_has_no_value_is_counted_out() -> None:
    assert bootstrap([5, 0, 0, 0], kappa, seed=1).undefined == "no_variation"
    assert bootstrap([], share, seed=1).undefined == "no_data"
    few = bootstrap([9, 0, 0, 1], kappa, seed=1, replicates=500)
    assert "undefined_replicates" in few.remarks
    assert few.low is None  # every replicate that has a value has the same one
    assert bootstrap([1, 0], share, seed=1).remarks == ("too_few_items",)


def test_paired_difference() -> None:
    people = list("aabb" * 40)
    first = list("aabb" * 38 + "bbaa" * 2)
    second = list("aabb" * 20 + "abab" * 20)
    found = kappa_difference(people, first, second, seed=1, replicates=400)
    assert found.value == pytest.approx(0.9 - 0.5)
    assert found.n == 160
    assert 0.2 < (found.low or 0) < 0.4 < (found.high or 0) < 0.6
    same = kappa_difference(people, first, first, seed=1, replicates=100)
    assert (same.value, same.low) == (0, None)


def test_paired_difference_by_task_is_wider_for_copies() -> None:
    people, first, second = "aabbabab" * 3, "aabbbaab" * 3, "abbbabaa" * 3
    items = kappa_difference(people * 8, first * 8, second * 8, seed=2, replicates=300)
    tasks = list(range(24)) * 8
    by_task = kappa_difference(people * 8, first * 8, second * 8, tasks=tasks, seed=2, replicates=300)
    assert by_task.value == items.value
    assert by_task.n == 24
    assert (by_task.se or 0) > 2 * (items.se or 1)


def test_paired_difference_without_common_items() -> None:
    assert kappa_difference(["a", None], ["a", "b"], [None, "b"], seed=1).undefined == "no_overlap"
    assert kappa_difference([], [], [], seed=1).undefined == "no_data"
    with pytest.raises(ValueError, match="one value per item"):
        kappa_difference("ab", "ab", "a", seed=1)


def test_independent_kappas_by_hand() -> None:
    one, two = point(0.7, 50, 0.03), point(0.6, 60, 0.04)
    found = kappa_test(one, two)
    assert (found.difference.value, found.difference.se) == (pytest.approx(0.1), pytest.approx(0.05))
    assert found.z == pytest.approx(2)
    assert found.p == pytest.approx(0.0455, abs=1e-4)
    assert kappa_test(one, undefined("no_data")).difference.undefined == "too_few_estimates"


def test_homogeneity_of_two_is_the_square_of_z() -> None:
    one, two = point(0.7, 50, 0.03), point(0.6, 60, 0.04)
    found = homogeneity([one, two, undefined("no_overlap"), point(1.0, 4, 0.0)])
    assert found.statistic == pytest.approx(4)
    assert found.df == 1
    assert found.pooled == pytest.approx((0.7 / 9 + 0.6 / 16) / (1 / 9 + 1 / 16))
    assert found.p == pytest.approx(0.0455, abs=1e-4)
    assert homogeneity([one]).undefined == "too_few_estimates"


def test_perfect_kappas_cannot_be_compared_by_their_errors() -> None:
    perfect: Estimate = cohen_kappa(from_counts([[5, 0], [0, 5]]))
    assert kappa_test(perfect, perfect).z is None


def test_kappa_of_a_table_by_items_and_by_task() -> None:
    a, b = "aabbabab" * 12, "aabbbaab" * 12
    table, tasked = cross_table(a, b), cross_table(a * 4, b * 4, tasks=list(range(96)) * 4)
    items = kappa_bootstrap(table, seed=3)
    assert (items.value, items.interval, items.n) == (0.5, "bootstrap_percentile", 96)
    assert items.se == pytest.approx(kappa_se(table), rel=0.08)
    by_task = kappa_bootstrap(tasked, seed=3, method="bca")
    assert (by_task.value, by_task.interval, by_task.n) == (0.5, "bootstrap_bca", 96)
    assert by_task.se == pytest.approx(kappa_se_tasks(tasked), rel=0.08)
    assert kappa_bootstrap(cross_table("a", [None]), seed=1).undefined == "single_rater"
    assert kappa_bootstrap(cross_table("aa", "aa"), seed=1).undefined == "no_variation"


def test_many_raters_agree_with_their_formulas() -> None:
    ratings = [list("aabbccab") * 15, list("aabbcbab") * 15, [None, *list("abbccba") * 17]]
    counts = count_items(ratings, categories="abcd", tasks=[k // 2 for k in range(120)])
    for drawn, formula in (
        (alpha_bootstrap, alpha_nominal(counts)),
        (fleiss_bootstrap, fleiss_kappa(counts, singletons=False)),
        (ac1_bootstrap, gwet_ac1(counts, singletons=False)),
    ):
        found = drawn(counts, seed=5, replicates=1500)
        assert found.value == pytest.approx(formula.value)
        assert found.se == pytest.approx(formula.se, rel=0.12)
        assert found.n == 60
    assert alpha_bootstrap(count_items([["a"], [None]]), seed=1).undefined == "single_rater"
