"""Fleiss's kappa and Krippendorff's alpha where each item has two ratings: they are Scott's pi, or nearly.

So the score interval of Cohen's kappa serves them too: at equal margins the three have the same variance to
first order. The t interval of a standard error holds the truth in about 85 % of samples only where kappa is
near 0 and one of two categories has 80 % of 50 items; this one in about 95 % (tests/stats/test_of_two.py).
"""

from __future__ import annotations

from dataclasses import replace

from reviewer.stats.counts import ItemCounts
from reviewer.stats.distributions import t_two_sided, two_sided
from reviewer.stats.estimate import Estimate
from reviewer.stats.linear import FEW, alike
from reviewer.stats.score import score_interval


def scored(found: Estimate, used: ItemCounts, alone: float | None, level: float) -> Estimate:
    """The estimate with the score interval, where `used` has two ratings for each item; else as it is.

    `alone` is its standard error with the items as the units; that of `found` goes by task where there are
    tasks. With one task the interval ignores it, and says so like the others.
    """
    if found.value is None or alone is None or any(sum(row) != 2 for row in used.rows):
        return found
    n, units, several = used.n, len(used.tasks), len(used.tasks) > 1
    shares = [sum(row[k] * w for row, w in zip(used.rows, used.weights, strict=True)) for k in _places(used)]
    design = 1.0
    if several and alone and found.se is not None:
        design = max(0.5 if used.n_split >= FEW else 1.0, (found.se / alone) ** 2)
    elif several:
        design = alike(used.tasks)
    low, high = score_interval(
        found.value,
        [share / (2 * n) for share in shares],
        n,
        n * alone**2,
        used.n_split,
        quantile=t_two_sided(level, units - 1) if several else two_sided(level),
        design=design,
    )
    return replace(found, low=low, high=high, interval="score_tasks" if several else "score")


def _places(used: ItemCounts) -> range:
    return range(len(used.categories))
