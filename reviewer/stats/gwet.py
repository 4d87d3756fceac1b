"""Agreement corrected for chance in ways that do not collapse under skew: Gwet's AC1, Brennan-Prediger.

Both depend on the number q of categories that raters could have chosen: declare the codebook when counting
(`count_items(..., categories=...)`), or q is only what happened to be used.
"""

from __future__ import annotations

from fractions import Fraction

from reviewer.stats.chance import chance_corrected
from reviewer.stats.counts import ItemCounts
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.linear import Interval


def gwet_ac1(
    counts: ItemCounts, *, singletons: bool = True, level: float = 0.95, interval: Interval = "hybrid"
) -> Estimate:
    """p_e = sum pi_k (1 - pi_k)/(q - 1). In [-1, 1]; undefined with no item rated twice or q < 2.

    Source: Gwet 2008, Br J Math Stat Psychol 61:29-48.
    """
    if counts.empty:
        return undefined(counts.empty)
    used = counts if singletons else counts.paired()
    q = len(used.categories)
    if q < 2:
        return undefined("no_variation", used.n_paired)
    shares, whole = used.shares()
    chance = Fraction(sum(s * (whole - s) for s in shares), whole * whole * (q - 1))
    pull = [
        float(
            Fraction(
                sum(c * (whole - s) for c, s in zip(row, shares, strict=True)), sum(row) * whole * (q - 1)
            )
            - chance
        )
        for row in used.rows
    ]
    return chance_corrected(used, chance, pull, level=level, interval=interval)


def brennan_prediger(counts: ItemCounts, *, level: float = 0.95, interval: Interval = "hybrid") -> Estimate:
    """p_e = 1/q: PABAK for any number of raters. In [-1/(q-1), 1]; undefined like AC1.

    Source: Brennan & Prediger 1981, Educ Psychol Meas 41:687-699.
    """
    if counts.empty:
        return undefined(counts.empty)
    q = len(counts.categories)
    if q < 2:
        return undefined("no_variation", counts.n_paired)
    return chance_corrected(
        counts, Fraction(1, q), [0.0] * len(counts.rows), level=level, interval=interval
    )
