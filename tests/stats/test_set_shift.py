"""Shifts of sets of modes: by hand, what chance gives, and whole tasks."""

from __future__ import annotations

from random import Random

import pytest

from reviewer.stats.set_shift import set_shifts
from reviewer.stats.shift import mode_shifts

HALVES = [True] * 40 + [False] * 40


def test_differences_by_hand_and_as_single_modes() -> None:
    sets = [{"a", "b"}] * 30 + [{"b"}] * 10 + [{"a"}] * 10 + [set[str]()] * 30
    found = {one.mode: one for one in set_shifts(sets, HALVES, seed=1, replicates=500)}
    a, b = found["a"], found["b"]
    assert (a.difference, b.difference) == (pytest.approx(0.5), pytest.approx(1.0))
    assert (a.p, b.p) == (1 / 501, 1 / 501)
    alone = mode_shifts([30, 10], [10, 30])[0]
    assert a.difference == pytest.approx(alone.difference)
    assert a.z == pytest.approx(0.5 / (0.25 * 2 / 40) ** 0.5)


def test_without_a_shift_p_is_rarely_small_for_any_mode() -> None:
    rng, hits, times = Random(4), 0, 120
    for _ in range(times):
        sets = [{mode for mode in "abcde" if rng.random() < 0.3} for _ in HALVES]
        found = set_shifts(sets, HALVES, seed=rng.randrange(10**6), replicates=100)
        hits += min(one.p for one in found) <= 0.05
    assert hits / times < 0.13


def test_copies_of_a_task_are_no_evidence() -> None:
    sets = [["a"]] * 20 + [["b"]] * 20
    in_first, tasks = [True] * 20 + [False] * 20, ["t"] * 10 + ["u"] * 10 + ["v"] * 10 + ["w"] * 10
    alone = set_shifts(sets, in_first, seed=1, replicates=300)
    together = set_shifts(sets, in_first, seed=1, tasks=tasks, replicates=300)
    assert alone[0].difference == together[0].difference == 1
    assert alone[0].p < 0.01 and together[0].p > 0.2


def test_edges() -> None:
    assert set_shifts([], [], seed=1) == ()
    assert set_shifts([["a"]], [True], seed=1) == ()
    assert set_shifts([[], []], [True, False], seed=1) == ()
    everywhere = set_shifts([["a"], ["a"]], [True, False], seed=1, replicates=10)
    assert (everywhere[0].difference, everywhere[0].z, everywhere[0].p) == (0, 0, 1)
    with pytest.raises(ValueError, match="per trace"):
        set_shifts([["a"]], [True, False], seed=1)
    with pytest.raises(ValueError, match="two groups"):
        set_shifts([["a"], ["b"]], [True, False], seed=1, tasks=["t", "t"])
