"""pass@k, pass^k, AUROC, variance parts, shift and sample size, by hand and by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from reviewer.stats.adjust import benjamini_hochberg, holm
from reviewer.stats.auroc import auroc_within
from reviewer.stats.outcomes import mean_pass_at_k, mean_pass_hat_k, pass_at_k, pass_hat_k
from reviewer.stats.sample_size import size_for_interval, size_for_test
from reviewer.stats.sets import jaccard_distance, masi_distance
from reviewer.stats.shift import chi2_homogeneity, mode_shifts, permutation_p, total_variation
from reviewer.stats.variance import variance_parts

# Six batches of five (Davies): the one-way example of many textbooks.
DYESTUFF = {
    "A": (1545, 1440, 1440, 1520, 1580),
    "B": (1540, 1555, 1490, 1560, 1495),
    "C": (1595, 1550, 1605, 1510, 1560),
    "D": (1445, 1440, 1595, 1465, 1545),
    "E": (1595, 1630, 1515, 1635, 1625),
    "F": (1520, 1455, 1450, 1480, 1445),
}


@pytest.mark.parametrize(("n", "c"), [(5, 2), (5, 0), (5, 5), (7, 3)])
def test_pass_counts_the_draws(n: int, c: int) -> None:
    for k in range(1, n + 1):
        draws = [sum(draw) for draw in combinations([1] * c + [0] * (n - c), k)]
        assert pass_at_k(n, c, k) == pytest.approx(sum(d > 0 for d in draws) / len(draws))
        assert pass_hat_k(n, c, k) == pytest.approx(sum(d == k for d in draws) / len(draws))
    assert pass_at_k(n, c, n + 1) is None
    assert pass_hat_k(n, c, n + 1) is None


def test_pass_refuses_nonsense() -> None:
    for n, c, k in ((2, 3, 1), (2, -1, 1), (2, 1, 0)):
        with pytest.raises(ValueError, match="trials"):
            pass_at_k(n, c, k)
        with pytest.raises(ValueError, match="trials"):
            pass_hat_k(n, c, k)
    with pytest.raises(ValueError, match="outcome"):
        mean_pass_at_k([[2]], 1)
    with pytest.raises(ValueError, match="k = 0"):
        mean_pass_at_k([[1]], 0)


def test_tasks_with_too_few_trials_are_excluded_and_counted() -> None:
    found = mean_pass_hat_k([[1, 1, 1, 1], [1, 1, 0], [1], [None, 1]], 2)
    assert found.estimate.value == pytest.approx((1 + 1 / 3) / 2)
    assert (found.tasks_used, found.tasks_excluded, found.unknown) == (2, 2, 1)
    assert found.as_failures == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert mean_pass_at_k([[1], [0]], 2).estimate.undefined == "too_few_trials"
    assert mean_pass_at_k([], 2).estimate.undefined == "no_data"


def test_the_task_is_the_unit() -> None:
    trials = [[1, 1, 1, 1]] * 10 + [[0, 0, 0, 0]] * 10
    found = mean_pass_at_k(trials, 1).estimate
    assert (found.value, found.n, found.interval) == (0.5, 20, "t_tasks")
    assert found.se == pytest.approx(math.sqrt(0.25 / 19))
    assert found.high == pytest.approx(0.5 + 2.0930240544 * math.sqrt(0.25 / 19))


def test_all_solved_is_not_certainty() -> None:
    found = mean_pass_at_k([[1, 1]] * 20, 1).estimate
    assert (found.value, found.interval) == (1, "wilson")
    assert found.low == pytest.approx(0.8389, abs=1e-4)
    one = mean_pass_at_k([[1, 0]], 1).estimate
    assert one.value == 0.5
    assert "too_few_items" in one.remarks


def test_auroc_counts_the_pairs() -> None:
    rng = Random(8)
    tasks = [rng.randrange(5) for _ in range(60)]
    outcomes = [rng.randrange(2) for _ in tasks]
    scores = [rng.randrange(6) / 5 for _ in tasks]
    runs = list(zip(tasks, outcomes, scores, strict=True))
    within = [(a[2] > b[2]) + (a[2] == b[2]) / 2 for a in runs for b in runs if a[1] > b[1] and a[0] == b[0]]
    pooled = [(a[2] > b[2]) + (a[2] == b[2]) / 2 for a in runs for b in runs if a[1] > b[1]]
    found = auroc_within(tasks, outcomes, scores)
    assert found.within.value == pytest.approx(sum(within) / len(within))
    assert found.pooled == pytest.approx(sum(pooled) / len(pooled))
    assert found.pairs == len(within)
    assert found.tasks_used == found.within.n == 5


def test_a_score_that_knows_only_the_task() -> None:
    tasks = [0] * 6 + [1] * 6
    found = auroc_within(tasks, [0, 0, 0, 0, 0, 1] + [1] * 5 + [0], [0.1] * 6 + [0.9] * 6)
    assert found.within.value == found.task_mean == 0.5
    assert found.pooled == pytest.approx((5 * 5 + 5 / 2 + 5 / 2) / 36)
    assert found.within.low is None  # both tasks say the same: a spread of 0 is no certainty


def test_auroc_interval_by_hand() -> None:
    # three tasks of 2, 1 and 2 pairs, in which 2, 0 and 1 are won: area .6
    tasks = [0, 0, 0, 1, 1, 2, 2, 2]
    found = auroc_within(tasks, [1, 1, 0, 1, 0, 1, 0, 0], [5, 4, 3, 1, 2, 2, 1, 3]).within
    squares = (2 - 1.2) ** 2 + (0 - 0.6) ** 2 + (1 - 1.2) ** 2
    se = math.sqrt(3 / 2 * squares) / 5
    assert (found.value, found.se, found.n) == (0.6, pytest.approx(se), 3)
    assert (found.low, found.high) == (0, 1)  # t with 2 degrees of freedom is 4.3
    many = auroc_within(
        [t + 10 * k for k in range(9) for t in tasks],
        [1, 1, 0, 1, 0, 1, 0, 0] * 9,
        [5, 4, 3, 1, 2, 2, 1, 3] * 9,
    ).within
    se = math.sqrt(27 / 26 * 9 * squares) / 45
    assert many.low == pytest.approx(0.6 - 2.0555294386 * se)
    assert many.high == pytest.approx(0.6 + 2.0555294386 * se)


def test_auroc_without_pairs() -> None:
    found = auroc_within([0, 0, 1, 1], [1, 1, 0, 0], [0.9, 0.8, 0.1, 0.2])
    assert found.within.undefined == "no_comparable_pairs"
    assert (found.pooled, found.pairs, found.tasks_used, found.tasks) == (1, 0, 0, 2)
    assert auroc_within([], [], []).within.undefined == "no_data"
    assert auroc_within([0, 0], [1, 0], [1, 0]).within.remarks == ("one_task",)
    with pytest.raises(ValueError, match="not a number"):
        auroc_within([0], [1], [math.nan])
    with pytest.raises(ValueError, match="one value per run"):
        auroc_within([0], [1], [])


def test_variance_of_the_textbook() -> None:
    tasks = [batch for batch, values in DYESTUFF.items() for _ in values]
    outcomes = [y for values in DYESTUFF.values() for y in values]
    found = variance_parts(tasks, ["m"] * len(tasks), outcomes)
    assert (found.run, found.task) == pytest.approx((2451.25, 1764.05))
    assert (found.model, found.task_model, found.undefined) == (None, None, "one_group")
    turned = variance_parts(["t"] * len(tasks), tasks, outcomes)
    assert (turned.run, turned.model, turned.task) == (found.run, found.task, None)


def test_variance_is_the_mean_over_pairs() -> None:
    rng = Random(2)
    cells = [(t, m) for t in range(4) for m in range(3) for _ in range(rng.randrange(4))]
    runs = [(t, m, rng.randrange(2)) for t, m in cells]
    kinds: dict[tuple[bool, bool], list[float]] = {}
    for a, b in combinations(runs, 2):
        kinds.setdefault((a[0] == b[0], a[1] == b[1]), []).append((a[2] - b[2]) ** 2 / 2)
    mean = {kind: sum(values) / len(values) for kind, values in kinds.items()}
    found = variance_parts(*zip(*runs, strict=True))
    assert found.run == pytest.approx(mean[True, True])
    assert found.task == pytest.approx(mean[False, False] - mean[True, False])
    assert found.model == pytest.approx(mean[False, False] - mean[False, True])
    both = mean[True, False] + mean[False, True] - mean[False, False]
    assert found.task_model_and_run == pytest.approx(both)
    assert found.task_model == pytest.approx(both - mean[True, True])
    assert set(found.clipped) == {
        name for name in ("run", "task", "model", "task_model") if (getattr(found, name) or 0) < 0
    }


def test_variance_without_repeats_says_so() -> None:
    found = variance_parts([0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 1, 1])
    assert (found.run, found.task_model, found.undefined) == (None, None, "no_repeats")
    assert found.task_model_and_run is not None
    assert variance_parts([], [], []).undefined == "no_data"
    with pytest.raises(ValueError, match="one value per run"):
        variance_parts([0], [0], [])


def test_chi_square_by_hand() -> None:
    found = chi2_homogeneity([[10, 20, 0], [20, 10, 0], [0, 0, 0]])
    assert found.statistic == pytest.approx(20 / 3)
    assert found.p == pytest.approx(math.erfc(math.sqrt(10 / 3)))
    assert found.cramer_v == pytest.approx(1 / 3)
    assert (found.df, found.dropped_modes, found.dropped_groups) == (1, (2,), (2,))
    assert not found.small_expected
    assert chi2_homogeneity([[3, 1], [1, 3]]).small_expected
    assert not chi2_homogeneity([[10, 10], [5, 5]]).small_expected  # 5 is enough
    assert chi2_homogeneity([[3, 0], [1, 0]]).p is None
    assert chi2_homogeneity([]).p is None
    for broken in ([[1, 2], [1]], [[1, -1], [1, 1]]):
        with pytest.raises(ValueError, match="one count"):
            chi2_homogeneity(broken)


def test_permutation_p_is_near_the_exact_one() -> None:
    # Fisher's exact two-sided p of [[3, 1], [1, 3]] is 34/70
    found = permutation_p("aaaabbbb", "xxxyxyyy", seed=1)
    assert found == pytest.approx(34 / 70, abs=0.04)
    assert found == permutation_p("aaaabbbb", "xxxyxyyy", seed=1)
    by_task = permutation_p("aaaabbbb", "xxxxyyyy", tasks="00001111", seed=1, replicates=200)
    assert by_task == 1  # one task a group: nothing can be told
    assert permutation_p("aaaa", "xyxy", seed=1) is None
    with pytest.raises(ValueError, match="two groups"):
        permutation_p("ab", "xy", tasks="tt", seed=1)
    with pytest.raises(ValueError, match="one value per trace"):
        permutation_p("ab", "x", seed=1)


def test_shift_of_modes() -> None:
    assert total_variation([5, 5], [10, 0]) == 0.5
    assert total_variation([5, 5], [0, 0]) is None
    first, second, nobody = mode_shifts([30, 20, 0], [15, 35, 0])
    assert first.difference == pytest.approx(0.3)
    assert first.low < 0.3 < first.high
    assert first.p == second.p == pytest.approx(2 * math.erfc(3.0151134 / math.sqrt(2)), rel=1e-6)
    assert nobody.p == 1
    assert [one.p for one in mode_shifts([3, 0], [4, 0])] == [1, 1]
    for broken in (lambda: mode_shifts([1], [1, 2]), lambda: total_variation([1], [1, 2])):
        with pytest.raises(ValueError, match="one count per mode"):
            broken()


def test_sample_sizes() -> None:
    assert [size_for_interval([p, 1 - p], 0.6, 0.1) for p in (0.5, 0.8, 0.9, 0.95)] == [246, 392, 705, 1347]
    assert size_for_interval([0.5, 0.5], 0.6, 0.1, design=2) in {491, 492}
    assert size_for_test(0.5, 0.5, 0.7, 0.85) == 96
    assert size_for_test(0.5, 0.5, 0.85, 0.7) == 117
    assert size_for_test(0.5, 0.5, 0.7, 0.85, two_sided_test=True) == 119


def test_sample_size_refuses_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="not possible"):
        size_for_test(0.1, 0.9, 0.9, 0.5)
    with pytest.raises(ValueError, match="two different kappas"):
        size_for_test(0.5, 0.5, 0.7, 0.7)
    with pytest.raises(ValueError, match="sum to 1"):
        size_for_interval([0.5, 0.6], 0.6, 0.1)
    with pytest.raises(ValueError, match="kappa < 1"):
        size_for_interval([0.5, 0.5], 1, 0.1)


def test_unknown_outcomes_and_scores_are_left_out_and_counted() -> None:
    tasks, outcomes, scores = [0, 0, 0, 1, 1, 2, 2, 2], [1, 1, 0, 1, 0, 1, 0, 0], [5, 4, 3, 1, 2, 2, 1, 3]
    whole = auroc_within(tasks, outcomes, scores)
    more = auroc_within([*tasks, 0, 1, 3], [*outcomes, None, 1, None], [*scores, 9, None, None])
    assert (more.within, more.pooled, more.pairs) == (whole.within, whole.pooled, whole.pairs)
    assert (more.tasks, more.unknown, whole.unknown) == (3, 3, 0)
    for odd in ("0", "1", 0.5, 2):
        with pytest.raises(ValueError, match="true, false or None"):
            auroc_within([0, 0], [odd, 1], [1, 2])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="not a number"):
        auroc_within([0, 0], [0, 1], ["a", 2])  # type: ignore[list-item]
    assert auroc_within([0], [None], [1]).within.undefined == "no_data"


def test_unknown_outcomes_are_in_no_part_of_the_variance() -> None:
    tasks, models, outcomes = [0, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1], [1, 0, 1, 1, 0, 1]
    whole = variance_parts(tasks, models, outcomes)
    more = variance_parts([*tasks, 2, 0], [*models, 0, 1], [*outcomes, None, None])
    assert (more.task, more.model, more.run) == (whole.task, whole.model, whole.run)
    assert (more.n, more.tasks, more.unknown, whole.unknown) == (6, 2, 2, 0)
    for odd in ("1", math.inf, math.nan):
        with pytest.raises(ValueError, match="finite number"):
            variance_parts([0], [0], [odd])  # type: ignore[list-item]


def test_a_string_is_no_set_of_labels() -> None:
    for distance in (masi_distance, jaccard_distance):
        for a, b in (("ab", {"a"}), ({"a"}, "ba"), ("ab", "ba"), (b"a", {"a"})):
            with pytest.raises(TypeError, match="set of labels"):
                distance(a, b)
        assert distance(["a", "b"], ("b", "a")) == 0


@pytest.mark.parametrize("width", [1e-200, 0.0, -1.0, math.nan])
def test_no_number_of_items_is_that_large(width: float) -> None:
    with pytest.raises(ValueError, match="half_width"):
        size_for_interval([0.5, 0.5], 0.6, width)
    with pytest.raises(ValueError, match="design"):
        size_for_interval([0.5, 0.5], 0.6, 0.1, design=math.inf)
    with pytest.raises(ValueError, match="different kappas"):
        size_for_test(0.5, 0.5, 0.6, 0.6 + 1e-12)


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_a_p_that_is_not_known_is_refused(correct: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="not a probability"):
        correct([0.1, None])
