"""From the parts of a mean to its interval: the common last step of the coefficients for many raters.

Each coefficient hands in one residual per distinct row (how far an item pulls the value away from itself,
to first order: Gwet 2008, Br J Math Stat Psychol 61:29-48; Gwet 2014, Handbook of Inter-Rater
Reliability). Knows no coefficient.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from reviewer.stats.estimate import Estimate
from reviewer.stats.intervals import student, wilson_mapped

FEW = 5
"""With fewer items in disagreement than this the standard error is not trusted."""

Interval = Literal["hybrid", "t"]


def spread(
    residuals: Sequence[float], weights: Sequence[int], tasks: Sequence[Mapping[int, int]]
) -> tuple[float, int] | None:
    """Standard error of a mean and its degrees of freedom; by task where there are tasks.

    None with fewer than two items (or tasks). A variance below 1e-12/n is rounding, and 0.
    """
    n = sum(weights)
    units = len(tasks) or n
    if units < 2:
        return None
    if tasks:
        sums = (math.fsum(residuals[k] * w for k, w in task.items()) for task in tasks)
        variance = units * math.fsum(s * s for s in sums) / ((units - 1) * n * n)
    else:
        squares = math.fsum(w * r * r for r, w in zip(residuals, weights, strict=True))
        variance = squares / (n * (n - 1))
    return (0.0 if variance < 1e-12 / n else math.sqrt(variance)), units - 1


def with_interval(
    value: float,
    se: tuple[float, int] | None,
    *,
    agreement: float,
    scale: float,
    n: int,
    n_split: int,
    tasks: Sequence[Mapping[int, int]],
    level: float,
    interval: Interval,
) -> Estimate:
    """The estimate: t interval, or `wilson_mapped` where few items disagree or the standard error is 0.

    `agreement` is the observed one, value = 1 - scale (1 - agreement); n items can agree, n_split of them
    do not. `interval="t"` never falls back, as packages do it: then perfect agreement has width 0. Where
    several `tasks` have so little disagreement, items of a task count as always alike (Kish 1965).
    """
    remarks = tuple(
        word
        for word, true in {
            "too_few_items": n < 2,
            "few_disagreements": n_split < FEW or (se is not None and se[0] == 0),
            "one_task": len(tasks) == 1,
        }.items()
        if true
    )
    error = None if se is None else se[0]
    if interval == "hybrid" and (se is None or se[0] == 0 or n_split < FEW):
        if len(tasks) > 1:
            low, high = wilson_mapped(agreement, n / alike(tasks), scale, level)
            return Estimate(value, low, high, n, "wilson_mapped_tasks", "", error, remarks)
        low, high = wilson_mapped(agreement, n, scale, level)
        extra = ("clustering_ignored",) if tasks else ()
        return Estimate(value, low, high, n, "wilson_mapped", "", error, remarks + extra)
    if se is None:
        return Estimate(value, None, None, n, "", "", None, remarks)
    low, high = student(value, se[0], se[1], level)
    return Estimate(value, low, high, n, "t_tasks" if tasks else "t", "", error, remarks)


def alike(tasks: Sequence[Mapping[int, int]]) -> float:
    """The design effect of tasks whose items are always alike: the mean size of the task of an item."""
    sizes = [sum(task.values()) for task in tasks]
    return sum(size * size for size in sizes) / sum(sizes)
