"""Chance-corrected agreement (p_a - p_e)/(1 - p_e), whatever chance agreement p_e is taken to be.

The common part of Fleiss's kappa, AC1 and Brennan-Prediger; each brings its p_e and how an item moves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from reviewer.stats.counts import ItemCounts
from reviewer.stats.estimate import Estimate
from reviewer.stats.linear import Interval, spread, with_interval
from reviewer.stats.percent import agreement_share, row_agreement


def chance_corrected(
    counts: ItemCounts,
    chance: Fraction,
    pull: Sequence[float],
    *,
    level: float,
    interval: Interval,
) -> Estimate:
    """The coefficient with Gwet's linearised standard error.

    `pull[k]` is half of how far an item of row k moves p_e (0 where p_e is fixed). Needs an item with two
    ratings and chance < 1. Items with a single rating bear on p_e only, and on the standard error.
    """
    share = agreement_share(counts)
    exact = (share - chance) / (1 - chance)
    value, p_e = float(exact), float(chance)
    room = float(1 - chance)
    missed = float(1 - exact)
    scale = counts.n / counts.n_paired
    residuals = []
    for row, moved in zip(counts.rows, pull, strict=True):
        own = scale * (float(row_agreement(row)) - p_e) / room if sum(row) > 1 else 0.0
        residuals.append(own - 2 * missed * moved / room - value)
    return with_interval(
        value,
        spread(residuals, counts.weights, counts.tasks),
        agreement=float(share),
        scale=1 / room,
        n=counts.n_paired,
        n_split=counts.n_split,
        tasks=counts.tasks,
        level=level,
        interval=interval,
    )
