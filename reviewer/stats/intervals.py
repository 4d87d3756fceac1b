"""Intervals of proportions: Wilson's, also mapped through a chance correction, and Newcombe's difference.

Knows no ratings.
"""

from __future__ import annotations

import math

from reviewer.stats.distributions import t_two_sided, two_sided


def wilson_share(p: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share 0 <= p <= 1 of n >= 0 units; [0, 1] when n is 0.

    0 at p = 0 and 1 at p = 1 are exact, not nearly so. ValueError outside the ranges.
    Source: Wilson 1927, JASA 22:209-212.
    """
    if not 0 <= p <= 1 or n < 0:
        raise ValueError(f"not a share of a number of units: {p} of {n}")
    z = two_sided(level)
    if n == 0:
        return 0.0, 1.0
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if p == 0 else (centre - half) / (1 + z * z / n)
    high = 1.0 if p == 1 else (centre + half) / (1 + z * z / n)
    return max(0.0, low), min(1.0, high)


def wilson(x: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of x successes in n trials; 0 <= x <= n, else ValueError."""
    if not 0 <= x <= n:
        raise ValueError(f"{x} successes in {n} trials")
    return wilson_share(x / n if n else 0.0, n, level)


def newcombe(x1: int, n1: int, x2: int, n2: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of the difference x1/n1 - x2/n2 of two independent proportions; within [-1, 1].

    With an empty sample that sample's interval is [0, 1] around a share that nobody knows, so the
    difference is anything: [-1, 1]. Source: Newcombe 1998, Stat Med 17:873-890, method 10.
    """
    low1, high1 = wilson(x1, n1, level)
    low2, high2 = wilson(x2, n2, level)
    if n1 == 0 or n2 == 0:
        return -1.0, 1.0
    p1, p2 = x1 / n1, x2 / n2
    low = p1 - p2 - math.hypot(p1 - low1, high2 - p2)
    high = p1 - p2 + math.hypot(high1 - p1, p2 - low2)
    return max(-1.0, low), min(1.0, high)


def wilson_mapped(agreement: float, n: float, scale: float, level: float) -> tuple[float, float]:
    """Wilson's interval of the observed agreement, each end x mapped to 1 - scale (1 - x).

    Within [-1, 1], unless the value itself lies below -1, as it can where some items have one rating only.

    `scale` is 1/(1 - chance agreement), which is taken as known. This is a heuristic of ours, not from a
    paper: with few disagreements the standard errors of chance-corrected coefficients collapse to 0
    while the uncertainty of the observed agreement does not.
    """
    low, high = wilson_share(agreement, n, level)
    floor = min(-1.0, 1 - scale * (1 - agreement))
    return max(floor, 1 - scale * (1 - low)), min(1.0, 1 - scale * (1 - high))


def wald(value: float, se: float, level: float) -> tuple[float, float]:
    """value plus or minus normal quantile times standard error; not clipped."""
    half = two_sided(level) * se
    return value - half, value + half


def student(value: float, se: float, df: int, level: float) -> tuple[float, float]:
    """value plus or minus t quantile times standard error, the upper end at most 1 (Gwet 2014)."""
    half = t_two_sided(level, df) * se
    return value - half, min(1.0, value + half)


def fisher_z(value: float, se: float, quantile: float) -> tuple[float, float]:
    """tanh(atanh(value) +- quantile * se/(1 - value^2)); |value| < 1, else ValueError."""
    if not -1 < value < 1:
        raise ValueError(f"Fisher's z needs a value between -1 and 1, not {value}")
    z, half = math.atanh(value), quantile * se / (1 - value * value)
    return math.tanh(z - half), math.tanh(z + half)
