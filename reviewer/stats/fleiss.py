"""Fleiss's kappa of many raters, who need not be the same for every item.

Sources: Fleiss 1971, Psychol Bull 76:378-382; with missing ratings Gwet 2014; the variance under
kappa = 0 Fleiss, Nee & Landis 1979, Psychol Bull 86:974-977.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

from reviewer.stats.chance import chance_corrected
from reviewer.stats.counts import ItemCounts
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.linear import Interval
from reviewer.stats.of_two import scored


def fleiss_kappa(
    counts: ItemCounts, *, singletons: bool = True, level: float = 0.95, interval: Interval = "hybrid"
) -> Estimate:
    """p_e = sum of squared mean shares. Undefined without an item rated twice, or without variation.

    `singletons`: whether items with a single rating count towards the shares (Gwet) or are left out (then
    the value is nearly Krippendorff's alpha). In [-1, 1]; with such items it can lie below -1. With two
    ratings for each item the interval is that of `of_two.py`.
    """
    if counts.empty:
        return undefined(counts.empty)
    used = counts if singletons else counts.paired()
    if used.one_category:
        return undefined("no_variation", used.n_paired)
    shares, whole = used.shares()
    chance = Fraction(sum(s * s for s in shares), whole * whole)
    pull = [
        float(Fraction(sum(c * s for c, s in zip(row, shares, strict=True)), sum(row) * whole) - chance)
        for row in used.rows
    ]
    found = chance_corrected(used, chance, pull, level=level, interval=interval)
    if interval != "hybrid":
        return found
    alone = chance_corrected(replace(used, tasks=()), chance, pull, level=level, interval="t").se
    return scored(found, used, alone, level)


def fleiss_category(
    counts: ItemCounts, category: Hashable, *, singletons: bool = True, level: float = 0.95
) -> Estimate:
    """Fleiss's kappa of "this category or not"; ValueError for a category that the counts lack."""
    found = fleiss_kappa(counts.collapse(category), singletons=singletons, level=level)
    k = counts.categories.index(category)
    if found.undefined == "no_variation" and not any(row[k] for row in counts.rows):
        return undefined("category_unused", found.n)
    return found


def fleiss_z(counts: ItemCounts) -> Estimate:
    """The z statistic of "kappa is 0", as `value`; its standard error under that hypothesis as `se`.

    Needs the same number of ratings for every item, else undefined: `unequal_ratings`.
    """
    kappa = fleiss_kappa(counts)
    if kappa.value is None:
        return kappa
    sizes = {sum(row) for row in counts.rows}
    if len(sizes) > 1:
        return undefined("unequal_ratings", counts.n_paired)
    m = sizes.pop()
    shares, whole = counts.shares()
    odds = [(Fraction(s, whole), 1 - Fraction(s, whole)) for s in shares]
    spread = sum(p * q for p, q in odds)
    skew = sum(p * q * (q - p) for p, q in odds)
    variance = 2 * (spread**2 - skew) / (counts.n * m * (m - 1) * spread**2)
    se = math.sqrt(variance)
    if not se:
        return undefined("no_variation", counts.n_paired)
    return Estimate(kappa.value / se, None, None, counts.n, "", "", se)
