"""How well a score tells success from failure: within tasks, and pooled beside it.

Pooled over tasks the area mixes "which task" with "which run": a score that only knows how hard a task is
looks good. Within tasks, pairs of a success and a failure of one task are compared, and no others.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reviewer.stats.distributions import t_two_sided
from reviewer.stats.estimate import Estimate, point, undefined


@dataclass(frozen=True, slots=True)
class Auroc:
    """`within` weighs pairs alike (its n counts the tasks with pairs), `task_mean` weighs tasks alike.

    `pooled` is the area over all runs. `pairs` are the comparable pairs within tasks. `unknown` runs had no
    outcome, or no score, and were left out: they are no failures.
    """

    within: Estimate
    task_mean: float | None
    pooled: float | None
    pairs: int
    tasks_used: int
    tasks: int
    unknown: int = 0


def _wins(scores: Sequence[tuple[bool, float]]) -> tuple[Fraction, int]:
    """Success-failure pairs in which the success scores higher, ties one half; and all such pairs."""
    low = sorted(score for success, score in scores if not success)
    high = [score for success, score in scores if success]
    doubled = sum(bisect_left(low, score) + bisect_right(low, score) for score in high)
    return Fraction(doubled, 2), len(low) * len(high)


def auroc_within(
    tasks: Sequence[Hashable],
    outcomes: Sequence[bool | int | None],
    scores: Sequence[float | None],
    *,
    level: float = 0.95,
) -> Auroc:
    """One task, outcome (1 = success, None = unknown) and score (or None) per run.

    ValueError when lengths differ, an outcome is anything else, or a score is no number.

    Values in [0, 1], .5 for a score that says nothing. Standard error by task (ratio of sums), t interval
    within [0, 1]; none when it is 0 or one task has pairs. Undefined: `no_data`, `no_comparable_pairs`.
    """
    if len({len(tasks), len(outcomes), len(scores)}) > 1:
        raise ValueError("tasks, outcomes and scores need one value per run")
    if any(outcome not in (0, 1, None) for outcome in outcomes):
        raise ValueError("an outcome is true, false or None")
    if any(score is not None and not _number(score) for score in scores):
        raise ValueError("a score is not a number")
    by_task: dict[Hashable, list[tuple[bool, float]]] = {}
    unknown = 0
    for task, outcome, score in zip(tasks, outcomes, scores, strict=True):
        if outcome is None or score is None:
            unknown += 1
        else:
            by_task.setdefault(task, []).append((bool(outcome), score))
    found = [part for part in map(_wins, by_task.values()) if part[1]]
    every, all_pairs = _wins([run for runs in by_task.values() for run in runs])
    pooled = float(every / all_pairs) if all_pairs else None
    if not found:
        reason = "no_comparable_pairs" if by_task else "no_data"
        return Auroc(undefined(reason), None, pooled, 0, 0, len(by_task), unknown)
    mean = float(sum((wins / pairs for wins, pairs in found), Fraction(0)) / len(found))
    pairs = sum(part[1] for part in found)
    return Auroc(_ratio(found, level), mean, pooled, pairs, len(found), len(by_task), unknown)


def _number(score: object) -> bool:
    return isinstance(score, int | float) and not math.isnan(score)


def _ratio(found: Sequence[tuple[Fraction, int]], level: float) -> Estimate:
    groups, pairs = len(found), sum(n for _, n in found)
    area = sum((wins for wins, _ in found), Fraction(0)) / pairs
    value = float(area)
    if groups < 2:
        return point(value, groups, None, ("one_task",))
    squares = sum((wins - area * n) ** 2 for wins, n in found)
    se = math.sqrt(float(squares * groups / (groups - 1)) / pairs**2)
    if not se:
        return point(value, groups, se)
    half = t_two_sided(level, groups - 1) * se
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), groups, "t_tasks", "", se)
