"""Percent agreement of any number of raters: the share of rating pairs that are equal, item by item."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from reviewer.stats.counts import ItemCounts
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.linear import Interval, spread, with_interval


def row_agreement(row: tuple[int, ...]) -> Fraction:
    """The share of equal pairs among one item's ratings; 0 for a single rating, which has no pair."""
    m = sum(row)
    return Fraction(sum(count * (count - 1) for count in row), m * (m - 1)) if m > 1 else Fraction(0)


def agreement_share(counts: ItemCounts) -> Fraction:
    """The mean share of equal pairs over the items with two or more ratings; ZeroDivisionError without."""
    total: Fraction = sum(
        (w * row_agreement(row) for row, w in zip(counts.rows, counts.weights, strict=True)), Fraction(0)
    )
    return total / counts.n_paired


def percent_agreement(counts: ItemCounts, *, level: float = 0.95, interval: Interval = "hybrid") -> Estimate:
    """The mean over items with at least two ratings of the share of equal pairs, in [0, 1].

    Interval: t over items (or tasks), within [0, 1]; Wilson where fewer than five items are in
    disagreement. Undefined when no item has two ratings.
    """
    if counts.empty:
        return undefined(counts.empty)
    paired = counts.paired()
    share = agreement_share(paired)
    value = float(share)
    residuals = [float(row_agreement(row) - share) for row in paired.rows]
    found = with_interval(
        value,
        spread(residuals, paired.weights, paired.tasks),
        agreement=value,
        scale=1.0,
        n=paired.n,
        n_split=paired.n_split,
        tasks=paired.tasks,
        level=level,
        interval=interval,
    )
    name = found.interval.replace("wilson_mapped", "wilson")
    low = None if found.low is None else max(0.0, found.low)
    return replace(found, low=low, interval=name)
