"""Seeded bootstrap over distinct patterns, with the standard library's generator.

Resampling n items is drawing a multinomial over their distinct patterns (the cells of a table, the triples
of a paired comparison), so the work of a replicate grows with the patterns and not with the items. Only
`Random.random()` is drawn from, whose stream Python promises to keep, so a seed means the same everywhere.
Sources: Efron 1979; Efron 1987, JASA 82:171-185 (BCa); binomials: Hormann 1993, J Stat Comput Simul 46:101.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import sub
from random import Random
from typing import Literal

from reviewer.stats.distributions import normal_cdf, normal_quantile
from reviewer.stats.estimate import Estimate, undefined

Statistic = Callable[[Sequence[int]], float | None]
Method = Literal["percentile", "bca"]
_BLOCK = 500_000  # counts drawn at once: what is held in memory


def binomial(rng: Random, n: int, p: float) -> int:
    """A binomial draw; n >= 0, 0 <= p <= 1."""
    if n == 0 or p <= 0:
        return 0
    if p >= 1:
        return n
    if p > 0.5:
        return n - binomial(rng, n, 1 - p)
    if n * p < 10:
        return _by_gaps(rng, n, p)
    return _by_rejection(rng, n, p, rng.random(), rng.random())


def _by_gaps(rng: Random, n: int, p: float) -> int:
    """Count successes by jumping over the failures between them."""
    at = found = 0
    log_q = math.log1p(-p)
    while True:
        at += int(math.log(1 - rng.random()) / log_q) + 1
        if at > n:
            return found
        found += 1


def _by_rejection(rng: Random, n: int, p: float, u: float, v: float) -> int:
    """Hormann's transformed rejection (BTRS), for n p >= 10 and p <= 1/2; u, v: the first two draws."""
    deviation = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = n * p + 0.5
    alpha = (2.83 + 5.1 / b) * deviation
    while True:
        u, v = u - 0.5, 1 - v
        edge = 0.5 - abs(u)
        if edge > 0:
            k = math.floor((2 * a / edge + b) * u + c)
            sure = edge >= 0.07 and v <= 0.92 - 4.2 / b
            if 0 <= k <= n and (sure or _below(n, p, k, v * alpha / (a / (edge * edge) + b))):
                return k
        u, v = rng.random(), rng.random()


def _below(n: int, p: float, k: int, height: float) -> bool:
    """Whether `height`, of the hat, lies below the binomial's own at k (as a share of that at its mode)."""
    mode, spread, log_height = int((n + 1) * p), n * p * (1 - p), math.log(height)
    away = abs(k - mode)
    if away < spread / 2 - 1:  # Hormann's squeeze (BTRD, step 3.2): mostly the normal curve decides
        doubt = away / spread * (((away / 3 + 0.625) * away + 1 / 6) / spread + 0.5)
        normal = -away * away / (2 * spread)
        if log_height < normal - doubt:
            return True
        if log_height > normal + doubt:
            return False
    top = math.lgamma(mode + 1) + math.lgamma(n - mode + 1)
    own = top - math.lgamma(k + 1) - math.lgamma(n - k + 1) + (k - mode) * math.log(p / (1 - p))
    return log_height <= own


def multinomial(rng: Random, weights: Sequence[int]) -> list[int]:
    """How often each pattern is drawn when sum(weights) units are drawn with replacement."""
    return list(multinomials(rng, weights, 1)[0])


def multinomials(rng: Random, weights: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """`size` such draws: pattern after pattern, for all draws at once, since its probability is the same."""
    if weights and max(weights) == 1:
        return [_ones(rng, weights) for _ in range(size)]
    total = sum(weights)
    left = [total] * size
    columns = []
    for weight in weights:
        if not weight:
            drawn = [0] * size
        elif weight == total:
            drawn, left = left, [0] * size
        else:
            drawn = _column(rng, left, weight / total)
            left = list(map(sub, left, drawn))
        columns.append(drawn)
        total -= weight
    return list(zip(*columns, strict=True)) if columns else [()] * size


def _ones(rng: Random, weights: Sequence[int]) -> tuple[int, ...]:
    """One draw where no pattern stands for more than one unit."""
    known = [k for k, weight in enumerate(weights) if weight]
    drawn, random, n = [0] * len(weights), rng.random, len(known)
    for _ in known:
        drawn[known[int(random() * n)]] += 1
    return tuple(drawn)


def _column(rng: Random, left: Sequence[int], p: float) -> list[int]:
    """A binomial draw of probability p < 1 for each number of units left.

    `_by_rejection` once more, written out for the cases that need no logarithm of a factorial: nearly all.
    """
    if p > 0.5 or min(left) * p < 10:
        return [binomial(rng, n, p) for n in left]
    drawn = []
    random, sqrt, log = rng.random, math.sqrt, math.log
    shape, shift = p * (1 - p), 0.01 * p - 0.0873
    for n in left:
        spread = n * shape
        deviation = sqrt(spread)
        b = 1.15 + 2.53 * deviation
        a = 0.0248 * b + shift
        while True:
            u, v = random(), random()
            edge = u if u < 0.5 else 1 - u
            k = int((2 * a / edge + b) * (u - 0.5) + n * p + 0.5) if edge else -1
            if not 0 < k <= n:
                drawn.append(_by_rejection(rng, n, p, u, v))
                break
            if edge >= 0.07 and v >= 0.08 + 4.2 / b:
                drawn.append(k)
                break
            away = abs(k - int((n + 1) * p))
            if away >= spread / 2 - 1:
                drawn.append(_by_rejection(rng, n, p, u, v))
                break
            doubt = away / spread * (((away / 3 + 0.625) * away + 1 / 6) / spread + 0.5)
            over = log((1 - v) * (2.83 + 5.1 / b) * deviation / (a / (edge * edge) + b))
            over += away * away / (2 * spread)
            if over < -doubt:
                drawn.append(k)
                break
            if over <= doubt:
                drawn.append(_by_rejection(rng, n, p, u, v))
                break
    return drawn


def bootstrap(
    weights: Sequence[int],
    statistic: Statistic,
    *,
    seed: int,
    replicates: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Estimate:
    """The statistic of `weights` with a bootstrap interval; n is the number of units drawn.

    `statistic` takes one multiplicity per pattern and returns a number or None. Replicates without a
    value are left out, with the remark `undefined_replicates`; when they are half or more there is no
    interval. With one task (or item) a pattern and weights of 1, the units are tasks (or items).
    """
    n = sum(weights)
    value = statistic(weights)
    if value is None:
        return undefined("no_variation" if n else "no_data", n)
    if n < 2:
        return Estimate(value, None, None, n, "", "", None, ("too_few_items",))
    rng = Random(seed)
    block = max(1, _BLOCK // len(weights))
    sizes = [min(block, replicates - done) for done in range(0, replicates, block)]
    drawn = (statistic(counts) for size in sizes for counts in multinomials(rng, weights, size))
    found = sorted(v for v in drawn if v is not None)
    remarks = ("undefined_replicates",) if len(found) < replicates else ()
    if len(found) * 2 <= replicates:
        return Estimate(value, None, None, n, "", "", None, remarks)
    mean = math.fsum(found) / len(found)
    se = math.sqrt(math.fsum((v - mean) ** 2 for v in found) / (len(found) - 1))
    tails: tuple[float, float] | None = ((1 - level) / 2, (1 + level) / 2)
    if method == "bca":
        tails = _bca_tails(weights, statistic, value, found, level)
    if tails is None or se == 0:
        return Estimate(value, None, None, n, "", "", se, remarks)
    low, high = (_percentile(found, tail) for tail in tails)
    return Estimate(value, low, high, n, f"bootstrap_{method}", "", se, remarks)


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Linear interpolation between the order statistics."""
    at = share * (len(ordered) - 1)
    below = min(int(at), len(ordered) - 2) if len(ordered) > 1 else 0
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def _without_one(weights: Sequence[int], statistic: Statistic) -> list[tuple[float, int]]:
    """The statistic without one unit, where it has a value then, and how many units give it."""
    found = []
    for k, times in enumerate(weights):
        if times:
            value = statistic([weight - (j == k) for j, weight in enumerate(weights)])
            if value is not None:
                found.append((value, times))
    return found


def _bca_tails(
    weights: Sequence[int], statistic: Statistic, value: float, found: Sequence[float], level: float
) -> tuple[float, float] | None:
    """The two tail shares corrected for bias and acceleration; None where the correction has no value."""
    below = sum(v < value for v in found) + sum(v == value for v in found) / 2
    if not 0 < below < len(found):
        return None
    bias = normal_quantile(below / len(found))
    deleted = _without_one(weights, statistic)
    units = sum(times for _, times in deleted)
    if not units:
        return None
    mean = math.fsum(v * times for v, times in deleted) / units
    second = math.fsum(times * (mean - v) ** 2 for v, times in deleted)
    third = math.fsum(times * (mean - v) ** 3 for v, times in deleted)
    acceleration = third / (6 * second**1.5) if second else 0.0
    tails = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal_quantile(share)
        tails.append(normal_cdf(bias + z / (1 - acceleration * z)))
    return tails[0], tails[1]
