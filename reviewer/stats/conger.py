"""Many raters with habits of their own: Conger's kappa, and Light's mean of the pairwise kappas.

Unlike Fleiss's kappa they know who gave which rating, so the raters must be the same people throughout.
Sources: Conger 1980, Psychol Bull 88:322-328; Light 1971, Psychol Bull 76:365-377.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from reviewer.stats.cohen import kappa_value
from reviewer.stats.counts import check_ratings, count_items, group_by_task
from reviewer.stats.estimate import Estimate, point, undefined
from reviewer.stats.jackknife import jackknife_se
from reviewer.stats.linear import with_interval
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


def _parts(patterns: Sequence[Pattern], weights: Sequence[int]) -> tuple[Fraction, Fraction] | None:
    """Observed and chance agreement of weighted rows of ratings; None if either has no value."""
    shares: list[Counter[Hashable]] = [Counter() for _ in patterns[0]]
    agreed, paired = Fraction(0), 0
    for pattern, weight in zip(patterns, weights, strict=True):
        for rater, label in enumerate(pattern):
            if label is not None:
                shares[rater][label] += weight
        counts = tuple(Counter(label for label in pattern if label is not None).values())
        if sum(counts) > 1:
            agreed += weight * row_agreement(counts)
            paired += weight
    sizes = [sum(share.values()) for share in shares]
    if not paired or not all(sizes):
        return None
    chance = Fraction(0)
    for a, b in combinations(range(len(shares)), 2):
        same = sum(count * shares[b][label] for label, count in shares[a].items())
        chance += Fraction(same, sizes[a] * sizes[b])
    pairs = len(shares) * (len(shares) - 1) // 2
    return agreed / paired, chance / pairs


def conger_kappa(
    ratings: Sequence[Sequence[Hashable]],
    *,
    tasks: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """(p_a - p_e)/(1 - p_e), p_e the mean over rater pairs of the product of their shares; at most 1.

    Raters x items, None = missing; ValueError when lengths differ. With two raters and nothing missing
    it is Cohen's kappa. Undefined like Fleiss's, and `silent_rater` when somebody rated nothing
    (`without_silent` drops them). Interval: jackknife over items or tasks; Wilson mapped if few disagree.
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
    parts = _parts(patterns, weights)
    if parts is None or parts[1] == 1:
        return undefined("no_variation", counts.n_paired)
    agreement, chance = parts

    def kappa(multiplicities: Sequence[int]) -> float | None:
        found = _parts(patterns, multiplicities)
        return None if found is None or found[1] == 1 else float((found[0] - found[1]) / (1 - found[1]))

    found = with_interval(
        float((agreement - chance) / (1 - chance)),
        jackknife_se(weights, kappa, groups),
        agreement=float(agreement),
        scale=float(1 / (1 - chance)),
        n=counts.n_paired,
        n_split=counts.n_split,
        tasks=len(groups),
        level=level,
        interval="hybrid",
    )
    name = {"t": "jackknife", "t_tasks": "jackknife_tasks"}.get(found.interval, found.interval)
    return Estimate(found.value, found.low, found.high, found.n, name, "", found.se, found.remarks)


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
