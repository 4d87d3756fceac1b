"""Agreement corrected for chance in ways that do not collapse under skew: Gwet's AC1, Brennan-Prediger.

Both depend on the number q of categories that raters could have chosen: declare the codebook when counting
(`count_items(..., categories=...)`), or q is only what happened to be used.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

from reviewer.stats.chance import chance_corrected
from reviewer.stats.counts import ItemCounts
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.intervals import student
from reviewer.stats.linear import Interval
from reviewer.stats.table import Table


def gwet_ac1(
    counts: ItemCounts, *, singletons: bool = True, level: float = 0.95, interval: Interval = "hybrid"
) -> Estimate:
    """p_e = sum pi_k (1 - pi_k)/(q - 1), at most 1/q, so in [-1, 1].

    Undefined with no item rated twice, or q < 2. `singletons` as in `fleiss_kappa`.

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


def gwet_ac1_of_table(table: Table, *, level: float = 0.95) -> Estimate:
    """AC1 of two raters with the variance as first published: divided by n, not n - 1 (t interval).

    Only for parity with figures printed that way; `gwet_ac1` gives the same value.
    """
    rows: Counter[tuple[int, ...]] = Counter()
    for i, row in enumerate(table.cells):
        for j, count in enumerate(row):
            if count:
                rows[tuple((k == i) + (k == j) for k in range(len(row)))] += count
    found = gwet_ac1(
        ItemCounts(table.categories, tuple(rows), tuple(rows.values()), (), 2, table.empty),
        level=level,
        interval="t",
    )
    if found.value is None or found.se is None:
        return found
    se = found.se * math.sqrt((found.n - 1) / found.n)
    low, high = student(found.value, se, found.n - 1, level)
    return replace(found, low=low, high=high, se=se)


def brennan_prediger(counts: ItemCounts, *, level: float = 0.95, interval: Interval = "hybrid") -> Estimate:
    """p_e = 1/q: PABAK for any number of raters. In [-1/(q-1), 1]; undefined like AC1.

    Source: Brennan & Prediger 1981, Educ Psychol Meas 41:687-699.
    """
    if counts.empty:
        return undefined(counts.empty)
    q = len(counts.categories)
    if q < 2:
        return undefined("no_variation", counts.n_paired)
    return chance_corrected(counts, Fraction(1, q), [0.0] * len(counts.rows), level=level, interval=interval)
