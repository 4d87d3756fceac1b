"""How many items two raters need: for a test of kappa against another, or for an interval of a width.

Sources: Cantor 1996, Psychol Methods 1:150-153; Flack et al. 1988, Psychometrika 53:321-325. The large-sample
variance is Fleiss, Cohen & Everitt's at the table that margins and kappa imply.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from reviewer.stats.cohen import expected_interval
from reviewer.stats.distributions import normal_quantile, two_sided
from reviewer.stats.estimate import Estimate
from reviewer.stats.table import Table

Shares = Sequence[Sequence[float]]

NARROWEST = 1e-6
"""No number of items that anybody has tells kappas apart that are closer than this."""


def unit_variance(table: Shares) -> float:
    """n times the variance of kappa, for a q x q table of probabilities that sum to 1 (p_e below 1)."""
    rows = [math.fsum(row) for row in table]
    columns = [math.fsum(column) for column in zip(*table, strict=True)]
    observed = math.fsum(row[k] for k, row in enumerate(table))
    chance = math.fsum(r * c for r, c in zip(rows, columns, strict=True))
    missed = (1 - observed) / (1 - chance)
    squares = math.fsum(
        p * ((i == j) - missed * (columns[i] + rows[j])) ** 2
        for i, row in enumerate(table)
        for j, p in enumerate(row)
    )
    mean = 1 - missed - chance * missed
    return (squares - mean * mean) / (1 - chance) ** 2


def _two_by_two(rate1: float, rate2: float, kappa: float) -> list[list[float]]:
    """The table with these shares of the category and this kappa; ValueError if there is none."""
    chance = rate1 * rate2 + (1 - rate1) * (1 - rate2)
    observed = kappa * (1 - chance) + chance
    both = (observed - 1 + rate1 + rate2) / 2
    table = [[both, rate1 - both], [rate2 - both, 1 - rate1 - rate2 + both]]
    if any(p < -1e-12 for row in table for p in row):
        raise ValueError(f"kappa {kappa} is not possible with shares {rate1} and {rate2}")
    return table


def size_for_test(
    rate1: float,
    rate2: float,
    expected: float,
    null: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    two_sided_test: bool = False,
) -> int:
    """Items needed to reject kappa = `null` when kappa is `expected`, for one category against the rest.

    rate1, rate2: each rater's share of the category, in (0, 1). ValueError when the kappas are nearly equal,
    impossible with these shares, or a probability is out of range.
    """
    if not (0 < rate1 < 1 and 0 < rate2 < 1) or not abs(expected - null) >= NARROWEST:
        raise ValueError("shares between 0 and 1 and two different kappas are needed")
    z_alpha = normal_quantile(1 - alpha / 2 if two_sided_test else 1 - alpha)
    q_null = unit_variance(_two_by_two(rate1, rate2, null))
    q_expected = unit_variance(_two_by_two(rate1, rate2, expected))
    root = z_alpha * math.sqrt(max(0.0, q_null)) + normal_quantile(power) * math.sqrt(max(0.0, q_expected))
    return math.ceil((root / (expected - null)) ** 2)


def size_for_interval(
    shares: Sequence[float], kappa: float, half_width: float, *, level: float = 0.95, design: float = 1.0
) -> int:
    """Items needed for kappa +- half_width, at these shares of the categories (both raters alike).

    `design`: the design effect 1 + (m - 1) ICC of m traces per task, 1 to a billion. 0 <= kappa < 1, and
    half_width at least NARROWEST. ValueError unless the shares are positive, at least two, and sum to 1.
    """
    if len(shares) < 2 or min(shares) <= 0 or abs(math.fsum(shares) - 1) > 1e-9:
        raise ValueError("at least two positive shares that sum to 1 are needed")
    if not 0 <= kappa < 1 or not half_width >= NARROWEST or not 1 <= design <= 1e9:
        raise ValueError(f"0 <= kappa < 1, half_width >= {NARROWEST} and 1 <= design <= 1e9 are needed")
    table = [
        [kappa * p * (i == j) + (1 - kappa) * p * other for j, other in enumerate(shares)]
        for i, p in enumerate(shares)
    ]
    return math.ceil((two_sided(level) / half_width) ** 2 * unit_variance(table) * design)


def size_to_decide(found: Estimate, value: float, table: Table | None = None) -> int | None:
    """The fewest items at which the interval would not hold `value`, if the estimate stays what it is.

    At the table that is then expected, the end of the interval that is towards `value` has just come to it:
    with so many items it is about as likely as not that the question is decided. With `table` (that of
    `found`, a kappa) the score interval is worked out anew; Wilson's of a share in closed form; any other end
    comes nearer with the root of the number of items. Tasks with several items are in the width already.
    None where there is no interval or the estimate is the value itself: then no number is likely to decide.
    """
    if found.value is None or found.low is None or found.high is None or found.value == value:
        return None
    side = found.value - found.low if value < found.value else found.high - found.value
    times = (side / (found.value - value)) ** 2
    near = found.low if value < found.value else found.high
    if found.interval.startswith("wilson") and "mapped" not in found.interval:
        # n (p - x)^2 = z^2 x (1 - x) at either end: the variance is that of the end
        times *= value * (1 - value) / (near * (1 - near)) if 0 < near < 1 else 1.0
    if table is None or not found.interval.startswith("score"):
        return math.ceil(found.n * times - 1e-9)
    return _of_kappa(found.value, value, table)


_MOST = 1 << 24  # items; whoever needs more will not label them


def _of_kappa(kappa: float, value: float, table: Table) -> int | None:
    """The fewest items, by halving: the ends of the score interval come nearer with every item."""

    def open_at(n: int) -> bool:
        low, high = expected_interval(table, n)
        return low < value if value < kappa else high >= value

    least, most = 1, max(2, table.n)
    while open_at(most):
        least, most = most, 2 * most
        if most > _MOST:
            return None
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if open_at(middle) else (least, middle)
    return most
