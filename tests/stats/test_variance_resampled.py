"""Intervals of the parts of the spread: the parts themselves, copies of a task by brute force, coverage."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from reviewer.stats.variance import variance_parts
from reviewer.stats.variance_resampled import PARTS, _Tasks, variance_intervals

Run = tuple[int, int, float]


def runs(seed: int, tasks: int, *, repeats: int = 2) -> list[Run]:
    """Runs with task, model and chance effects, a few of them missing."""
    rng = Random(seed)
    found = []
    for task in range(tasks):
        hard = rng.gauss(0, 0.3)
        for model in range(3):
            kept = [rng.random() < 0.9 for _ in range(repeats)]
            found += [(task, model, 10 + hard + 0.1 * model + rng.gauss(0, 0.4)) for one in kept if one]
    return found


def by_hand(found: list[Run], counts: list[int]) -> dict[str, float]:
    """The mean over pairs of runs, where a copy of a task is compared with no other copy of it."""
    copies = [(t, copy, m, y) for t, m, y in found for copy in range(counts[t])]
    kinds: dict[tuple[bool, bool], list[float]] = {}
    for a, b in combinations(copies, 2):
        if a[0] != b[0] or a[1] == b[1]:
            kinds.setdefault((a[0] == b[0], a[2] == b[2]), []).append((a[3] - b[3]) ** 2 / 2)
    mean = {kind: sum(values) / len(values) for kind, values in kinds.items()}
    both = mean[True, False] + mean[False, True] - mean[False, False]
    return {
        "task": mean[False, False] - mean[True, False],
        "model": mean[False, False] - mean[False, True],
        "task_model": both - mean[True, True],
        "run": mean[True, True],
        "task_model_and_run": both,
    }


@pytest.mark.parametrize("counts", [[1] * 6, [2, 0, 1, 3, 0, 0], [0, 1, 1, 0, 2, 2]])
def test_the_parts_of_a_resample_are_means_over_pairs(counts: list[int]) -> None:
    found = runs(1, 6)
    tasks, models, ys = zip(*found, strict=True)
    parts = _Tasks(found, variance_parts(tasks, models, ys)).parts(counts)
    assert dict(zip(PARTS, parts, strict=True)) == pytest.approx(by_hand(found, counts))


def test_the_value_is_that_of_the_parts_and_lies_inside() -> None:
    tasks, models, ys = zip(*runs(2, 40), strict=True)
    plain = variance_parts(tasks, models, ys)
    told = variance_intervals(tasks, models, [*ys], seed=1, replicates=200)
    assert told == variance_intervals(tasks, models, [*ys], seed=1, replicates=200)
    for name in PARTS:
        one = told[name]
        assert one.value == pytest.approx(getattr(plain, name)) and one.n == 40
        assert one.low is not None and one.high is not None and one.value is not None
        assert one.low < one.value < one.high and one.interval == "bootstrap_percentile"


def test_what_has_no_value_or_too_few_tasks_has_no_interval() -> None:
    few = variance_intervals(*zip(*runs(3, 4), strict=True), seed=1, replicates=100)
    assert {(one.low, one.remarks) for one in few.values()} == {(None, ("few_tasks",))}
    once = variance_intervals(*zip(*runs(4, 20, repeats=1), strict=True), seed=1, replicates=100)
    assert (once["run"].value, once["run"].undefined, once["task_model"].value) == (None, "no_repeats", None)
    assert once["task"].low is not None and once["task_model_and_run"].low is not None
    tasks, _, ys = zip(*runs(5, 20), strict=True)
    one = variance_intervals(tasks, ["m"] * len(ys), ys, seed=1, replicates=100)
    assert (one["model"].undefined, one["task"].low is None) == ("one_group", False)
    assert variance_intervals([], [], [], seed=1)["task"].undefined == "no_data"
    apart = variance_intervals([0, 0, 1, 1, 2, 2, 3, 3], [0] * 4 + [1] * 4, [1, 0, 1, 1] * 2, seed=1)
    assert {name: part.undefined for name, part in apart.items() if part.undefined} == {
        "task": "not_crossed",
        "task_model": "not_crossed",
        "task_model_and_run": "not_crossed",
    }
    unknown = variance_intervals([*tasks, 99], ["m"] * (len(ys) + 1), [*ys, None], seed=1, replicates=100)
    assert unknown["task"] == one["task"]


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    held = 0
    for seed in range(60):
        tasks, models, ys = zip(*runs(1000 + seed, 50), strict=True)
        one = variance_intervals(tasks, models, ys, seed=seed, replicates=150)["task"]
        assert one.low is not None and one.high is not None
        held += one.low <= 0.09 <= one.high
    assert 50 <= held < 60
