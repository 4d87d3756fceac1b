"""Many raters with habits of their own: Conger's kappa, and Light's mean of the pairwise kappas.

Unlike Fleiss's kappa they know who gave which rating, so the raters must be the same people throughout.
Sources: Conger 1980, Psychol Bull 88:322-328; Light 1971, Psychol Bull 76:365-377.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from reviewer.stats.cohen import kappa_value
from reviewer.stats.counts import check_ratings, count_items, group_by_task
from reviewer.stats.estimate import Estimate, point, undefined
from reviewer.stats.linear import Interval, spread, with_interval
from reviewer.stats.percent import row_agreement
from reviewer.stats.table import cross_table

Pattern = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class LightKappa:
    """The mean over all pairs, undefined if one of them is; and the mean over those that have a kappa."""

    estimate: Estimate
    mean_of_defined: float | None
    defined: int
    pairs: int


def without_silent(ratings: Sequence[Sequence[Hashable]]) -> tuple[tuple[int, ...], list[Sequence[Hashable]]]:
    """The raters who rated something: their positions and their ratings."""
    kept = [k for k, rater in enumerate(ratings) if any(label is not None for label in rater)]
    return tuple(kept), [ratings[k] for k in kept]


def _shares(patterns: Sequence[Pattern], weights: Sequence[int]) -> list[Counter[Hashable]]:
    """How often each rater gave each label."""
    shares: list[Counter[Hashable]] = [Counter() for _ in patterns[0]]
    for pattern, weight in zip(patterns, weights, strict=True):
        for rater, label in zip(shares, pattern, strict=True):
            if label is not None:
                rater[label] += weight
    return shares


def _chance(shares: Sequence[Counter[Hashable]]) -> Fraction:
    """The mean over rater pairs of the chance that they would say the same."""
    sizes = [share.total() for share in shares]
    pairs = list(combinations(range(len(shares)), 2))
    total = Fraction(0)
    for a, b in pairs:
        same = sum(count * shares[b][label] for label, count in shares[a].items())
        total += Fraction(same, sizes[a] * sizes[b])
    return total / len(pairs)


def _agreement(pattern: Pattern) -> Fraction | None:
    """The share of equal pairs of one item's ratings; None with fewer than two."""
    counts = tuple(Counter(label for label in pattern if label is not None).values())
    return row_agreement(counts) if sum(counts) > 1 else None


def _pull(patterns: Sequence[Pattern], shares: Sequence[Counter[Hashable]], n: int) -> list[float]:
    """How far an item of each pattern moves chance agreement, to first order."""
    raters = range(len(shares))
    sizes = [share.total() for share in shares]
    others: list[dict[Hashable, float]] = [{} for _ in raters]
    for a in raters:
        for b in raters:
            if a != b:
                for label, count in shares[b].items():
                    others[a][label] = others[a].get(label, 0.0) + count / sizes[b]
    mean = [
        math.fsum(count * others[a].get(label, 0.0) for label, count in shares[a].items()) / sizes[a]
        for a in raters
    ]
    pairs = len(shares) * (len(shares) - 1) / 2
    return [
        math.fsum(
            n / sizes[a] * (others[a].get(label, 0.0) - mean[a])
            for a, label in enumerate(pattern)
            if label is not None
        )
        / pairs
        for pattern in patterns
    ]


def conger_kappa(
    ratings: Sequence[Sequence[Hashable]],
    *,
    tasks: Sequence[Hashable] | None = None,
    level: float = 0.95,
    interval: Interval = "hybrid",
) -> Estimate:
    """(p_a - p_e)/(1 - p_e), p_e the mean over rater pairs of the product of their shares; at most 1.

    Raters x items, None = missing; ValueError when lengths differ. With two raters and nothing missing
    it is Cohen's kappa. Undefined like Fleiss's, and `silent_rater` when somebody rated nothing
    (`without_silent` drops them). The standard error is linearised like Gwet's, over items or tasks; with two
    raters it is the Fleiss-Cohen-Everitt one times sqrt(n/(n-1)).
    """
    check_ratings(ratings, tasks)
    counts = count_items(ratings, tasks=tasks)
    if counts.empty:
        return undefined(counts.empty)
    if counts.raters < len(ratings):
        return undefined("silent_rater", counts.n_paired)
    rated = Counter(p for p in zip(*ratings, strict=True) if any(label is not None for label in p))
    patterns, weights = tuple(rated), tuple(rated.values())
    groups = (
        group_by_task(tasks, ratings, {p: k for k, p in enumerate(patterns)}) if tasks is not None else ()
    )
    shares = _shares(patterns, weights)
    chance = _chance(shares)
    if chance == 1:
        return undefined("no_variation", counts.n_paired)
    own = [_agreement(pattern) for pattern in patterns]
    agreed = sum((w * a for a, w in zip(own, weights, strict=True) if a is not None), Fraction(0))
    agreement = agreed / counts.n_paired
    value = float((agreement - chance) / (1 - chance))
    scale, missed = counts.n / counts.n_paired, 1 - value
    residuals = [
        ((0.0 if a is None else scale * float(a - agreement)) - missed * moved) / float(1 - chance)
        for a, moved in zip(own, _pull(patterns, shares, counts.n), strict=True)
    ]
    return with_interval(
        value,
        spread(residuals, weights, groups),
        agreement=float(agreement),
        scale=float(1 / (1 - chance)),
        n=counts.n_paired,
        n_split=counts.n_split,
        tasks=groups,
        level=level,
        interval=interval,
    )


def light_kappa(ratings: Sequence[Sequence[Hashable]]) -> LightKappa:
    """The mean of Cohen's kappa over all pairs of raters, each on the items both rated.

    Undefined when one pair has no kappa: a missing one is never taken as 1 or 0.
    """
    check_ratings(ratings)
    counts = count_items(ratings)
    pairs = list(combinations(ratings, 2))
    values = [kappa_value(cross_table(a, b)) for a, b in pairs]
    found = [value for value in values if value is not None]
    mean = sum(found) / len(found) if found else None
    if counts.empty:
        estimate = undefined(counts.empty)
    elif counts.raters < len(ratings):
        estimate = undefined("silent_rater", counts.n_paired)
    elif counts.one_category:
        estimate = undefined("no_variation", counts.n_paired)
    elif mean is None or len(found) < len(pairs):
        estimate = undefined("pair_undefined", counts.n_paired)
    else:
        estimate = point(mean, counts.n_paired)
    return LightKappa(estimate, mean, len(found), len(pairs))
