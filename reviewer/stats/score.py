"""The score interval of Cohen's kappa: all true values that the observed one does not contradict.

A standard error taken at the observed table is too small where the table happens to show little of what
makes kappa vary (few disagreements, or few agreements on a rare category). So the variance is taken at each
candidate value x instead, at the table that x and the raters' mean shares p imply: x diag(p) + (1-x) p p'.
The interval is all x with n (kappa - x)^2 <= z^2 rho V(x): Wilson's idea, for kappa. For two categories it
is near the goodness-of-fit interval of Donner & Eliasziw 1992, Stat Med 11:1511-1519.

Real raters confuse some categories more than that, and differ in their habits. rho corrects for it: the
variance of Fleiss, Cohen & Everitt over V at the observed value, shrunk towards 1 as exp(d/(d + 20) log rho)
with d disagreements, which is all that is known about it. Many disagreements: their interval, in the limit.
The shrinking is ours, chosen by simulation (tests/stats/test_coverage.py holds it to its coverage).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

TRUST = 20
"""Disagreements at which the observed variance and the implied one weigh the same."""
BOUNDS = (0.25, 4.0)
"""A ratio of variances beyond these says that one of them is degenerate."""


@dataclass(frozen=True, slots=True)
class Implied:
    """n times the variance of kappa where both raters use the categories in the same shares.

    Fleiss, Cohen & Everitt's at x diag(p) + (1-x) p p', multiplied out: with g = 1 - x and S_k = sum p^k
    it is g/(1-S2) - g^2 + 2 g^3 (S2^2 - S3)/(1-S2)^2. At least two shares are positive.
    """

    linear: float
    cubic: float

    @classmethod
    def of(cls, shares: Sequence[float]) -> Implied:
        s2, s3 = math.fsum(p * p for p in shares), math.fsum(p * p * p for p in shares)
        return cls(1 / (1 - s2), 2 * (s2 * s2 - s3) / (1 - s2) ** 2)

    def at(self, kappa: float) -> float:
        g = 1 - kappa
        return max(0.0, g * (self.linear + g * (g * self.cubic - 1)))


def score_interval(
    kappa: float,
    shares: Sequence[float],
    n: int,
    variance: float,
    disagreements: float,
    *,
    quantile: float,
    design: float = 1.0,
) -> tuple[float, float]:
    """Low and high, within [-1, 1], around a kappa of n items that is not undefined.

    `variance` is n times the observed one; `design` what tasks with several items multiply it by.
    """
    implied = Implied.of(shares)
    here = implied.at(kappa)
    ratio = 1.0
    if here > 1e-12 and variance > 0:
        known = disagreements / (disagreements + TRUST)
        ratio = min(max(variance / here, BOUNDS[0]), BOUNDS[1]) ** known
    reach = quantile * quantile * ratio * design / n
    # Below about -sum p^2 the implied table has negative cells, and V may vanish: it is no smaller there.
    floor = variance if here <= 1e-12 and kappa < 1 else 0.0

    def end(outer: float) -> float:
        inside, outside = kappa, outer
        for _ in range(44):
            middle = (inside + outside) / 2
            if (kappa - middle) ** 2 <= reach * max(floor, implied.at(middle)):
                inside = middle
            else:
                outside = middle
        return (inside + outside) / 2 if abs(outer - inside) > 1e-9 else outer

    return end(-1.0), end(1.0)
