"""Normal, Student's t and chi square: the few tails and quantiles that the statistics need.

The incomplete gamma and beta functions are evaluated by series and continued fractions
(Abramowitz & Stegun 1964, 6.5.29, 6.5.31, 26.5.8); the fractions by Lentz's method.
Accuracy is about 1e-12. Knows no statistic of ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_TINY = 1e-300
_EPS = 1e-16
_NORMAL = NormalDist()


def normal_quantile(p: float) -> float:
    """The standard normal quantile; 0 < p < 1, else ValueError."""
    if not 0 < p < 1:
        raise ValueError(f"a probability between 0 and 1 is needed, not {p}")
    return _NORMAL.inv_cdf(p)


def normal_cdf(z: float) -> float:
    """P(Z <= z), accurate in the lower tail too."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def two_sided(level: float) -> float:
    """The normal quantile for a two-sided interval; 0 < level < 1, else ValueError."""
    return normal_quantile(0.5 + level / 2)


def normal_two_sided_p(z: float) -> float:
    """P(|Z| >= |z|)."""
    return math.erfc(abs(z) / math.sqrt(2))


def _fraction(term: Callable[[int], tuple[float, float]], first: float) -> float:
    """b0 + a1/(b1 + a2/(b2 + ...)), with term(i) = (a_i, b_i) and b0 = first."""
    value = first or _TINY
    c, d = value, 0.0
    for i in range(1, 100_000):
        a, b = term(i)
        d = 1 / ((b + a * d) or _TINY)
        c = (b + a / c) or _TINY
        value *= c * d
        if abs(c * d - 1) < _EPS * 4:
            return value
    raise ArithmeticError("a continued fraction did not converge")


def _upper_gamma(a: float, x: float) -> float:
    """Q(a, x), the regularised upper incomplete gamma function; a > 0, x >= 0."""
    if x == 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        k = a
        while term > total * _EPS:
            k += 1
            term *= x / k
            total += term
        return 1 - scale * total
    return scale / _fraction(lambda i: (-i * (i - a), x + 2 * i + 1 - a), x + 1 - a)


def chi2_tail(x: float, df: int) -> float:
    """P(chi square with df degrees of freedom >= x); x >= 0 and df >= 1, else ValueError."""
    if x < 0 or df < 1:
        raise ValueError("chi square needs x >= 0 and at least one degree of freedom")
    return _upper_gamma(df / 2, x / 2)


def _lower_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b), the regularised incomplete beta function; 0 <= x <= 1."""
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - _lower_beta(b, a, 1 - x)

    def term(i: int) -> tuple[float, float]:
        m, odd = divmod(i, 2)
        if odd:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1.0

    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log) / a / _fraction(term, 1.0)


@lru_cache(maxsize=256)
def t_two_sided(level: float, df: int) -> float:
    """The quantile of Student's t for a two-sided interval; 0 < level < 1, df >= 1, else ValueError."""
    if not 0 < level < 1 or df < 1:
        raise ValueError("a level between 0 and 1 and at least one degree of freedom are needed")
    tail = 1 - level
    low, high = 0.0, 1.0  # of x = df / (df + t^2), whose distribution function is the two-sided tail
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _lower_beta(df / 2, 0.5, middle) < tail:
            low = middle
        else:
            high = middle
    return math.sqrt(df * (1 - low) / low) if low else math.inf
