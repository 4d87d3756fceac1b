"""The middle of a list of numbers: median with its interval, and quartiles. Knows no labels and no time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, quartiles, and an interval of the median; None where there are too few values for it."""

    n: int
    median: float | None
    low: float | None
    high: float | None
    first: float | None
    third: float | None


def spread(values: Sequence[float], *, level: float = 0.95) -> Spread:
    """The interval is the narrowest pair of order statistics that covers the median with at least `level`.

    It assumes nothing but independent values, and does not exist for five of them or fewer at 95 %.
    Quartiles are interpolated between order statistics (Hyndman, Fan 1996, type 7).
    """
    if any(not math.isfinite(value) for value in values):
        raise ValueError("numbers must be finite")
    ordered, n = sorted(values), len(values)
    if not n:
        return Spread(0, None, None, None, None, None)
    k, below = 0, 0.0
    while True:
        below += math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))
        if below > (1 - level) / 2:
            break
        k += 1
    low, high = (ordered[k - 1], ordered[n - k]) if k else (None, None)
    first, median, third = (_quantile(ordered, p) for p in (0.25, 0.5, 0.75))
    return Spread(n, median, low, high, first, third)


def _quantile(ordered: Sequence[float], p: float) -> float:
    at = p * (len(ordered) - 1)
    place = math.floor(at)
    following = ordered[min(place + 1, len(ordered) - 1)]
    return ordered[place] + (at - place) * (following - ordered[place])
