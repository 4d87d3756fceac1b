"""Two raters, one category against the rest: kappa, and agreement specific to the category.

A kappa over all categories hides which of them the raters confuse; these tell.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from reviewer.stats.cohen import cohen_kappa
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.table import Table


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """One category: by how many ratings of either rater it was used, how it fared.

    `n` counts ratings (of two an item), `share` is the mean share of items, `specific` the agreement
    specific to the category in [0, 1], None when nobody used it.
    """

    category: Hashable
    n: int
    share: float
    kappa: Estimate
    specific: float | None


def category_kappa(table: Table, category: Hashable, *, level: float = 0.95) -> Estimate:
    """Cohen's kappa of "this category or not"; undefined when nobody, or everybody always, used it.

    ValueError for a category that the table lacks.
    """
    found = cohen_kappa(table.collapse(category), level=level)
    unused = table.n and specific_agreement(table, category) is None
    return undefined("category_unused", table.n) if unused else found


def specific_agreement(table: Table, category: Hashable) -> float | None:
    """2 T_kk / (r_k + c_k): given that one rater said k, how often did the other. None if nobody did.

    The same as F1. Sources: Dice 1945; Cicchetti & Feinstein 1990, J Clin Epidemiol 43:551-558.
    """
    k = table.categories.index(category)
    used = table.rows[k] + table.columns[k]
    return 2 * table.cells[k][k] / used if used else None


def by_category(table: Table, *, level: float = 0.95) -> tuple[CategoryAgreement, ...]:
    """All categories of the table, in its order, the unused among them."""
    rows, columns, n = table.rows, table.columns, table.n
    return tuple(
        CategoryAgreement(
            category,
            rows[k] + columns[k],
            (rows[k] + columns[k]) / (2 * n) if n else 0.0,
            category_kappa(table, category, level=level),
            specific_agreement(table, category),
        )
        for k, category in enumerate(table.categories)
    )
