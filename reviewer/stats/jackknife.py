"""Delete-one standard errors for statistics whose formula has none. Knows no statistic.

Sources: Quenouille 1956, Biometrika 43:353-360; Tukey 1958. Items alike are deleted once, weighted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

Statistic = Callable[[Sequence[int]], float | None]


def delete_one(
    weights: Sequence[int], statistic: Statistic, tasks: Sequence[Mapping[int, int]] = ()
) -> list[tuple[float | None, int]]:
    """The statistic without one unit, and how many units give it; units are tasks where there are any.

    `statistic` takes one multiplicity for each distinct pattern, like `weights`.
    """
    if tasks:
        removals: list[tuple[Mapping[int, int], int]] = [(task, 1) for task in tasks]
    else:
        removals = [({k: 1}, weight) for k, weight in enumerate(weights) if weight]
    found = []
    for removal, times in removals:
        left = [weight - removal.get(k, 0) for k, weight in enumerate(weights)]
        found.append((statistic(left), times))
    return found


def jackknife_se(
    weights: Sequence[int], statistic: Statistic, tasks: Sequence[Mapping[int, int]] = ()
) -> tuple[float, int] | None:
    """Standard error and degrees of freedom; None with fewer than two units, or a deletion without value."""
    units = len(tasks) or sum(weights)
    if units < 2:
        return None
    values: list[tuple[float, int]] = []
    for value, times in delete_one(weights, statistic, tasks):
        if value is None:
            return None
        values.append((value, times))
    mean = math.fsum(value * times for value, times in values) / units
    squares = math.fsum(times * (value - mean) ** 2 for value, times in values)
    variance = squares * (units - 1) / units
    return (0.0 if variance < 1e-12 / units else math.sqrt(variance)), units - 1
