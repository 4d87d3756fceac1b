"""The door: everything to say about two raters, or about a group, in one value.

A coefficient never comes alone: p_o, kappa, AC1, PABAK, the number of categories and agreement per
category belong together. The arithmetic stands in the files beside this one. Of fewer than five items or
tasks everything is told without an interval (`few.py`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from reviewer.stats.categories import CategoryAgreement, by_category
from reviewer.stats.cohen import cohen_kappa
from reviewer.stats.conger import conger_kappa, without_silent
from reviewer.stats.counts import ItemCounts, count_items
from reviewer.stats.estimate import Estimate
from reviewer.stats.few import alpha_judged, judged
from reviewer.stats.fleiss import fleiss_category, fleiss_kappa
from reviewer.stats.gwet import brennan_prediger, gwet_ac1
from reviewer.stats.krippendorff import alpha_nominal
from reviewer.stats.margins import (
    bias_index,
    kappa_max,
    largest_share,
    observed_agreement,
    pabak,
    scott_pi,
)
from reviewer.stats.paradox import Paradox, paradox
from reviewer.stats.percent import percent_agreement
from reviewer.stats.table import Table, cross_table


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two raters on the items that both rated. Every number rests on `n` items and `q` categories."""

    n: int
    q: int
    table: Table
    percent: Estimate
    kappa: Estimate
    ac1: Estimate
    pabak: Estimate
    scott_pi: float | None
    kappa_max: float | None
    largest_share: float | None
    bias: float | None
    categories: tuple[CategoryAgreement, ...]
    warning: Paradox | None


@dataclass(frozen=True, slots=True)
class GroupCategory:
    """One category among many raters: its share of the ratings, kappa, and specific agreement in [0, 1].

    `n` counts ratings with this category on items with two ratings or more.
    """

    category: Hashable
    n: int
    share: float
    kappa: Estimate
    specific: float | None


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Any number of raters. `n` items with two ratings or more, of `rated` with any, by `raters` people.

    Raters who rated nothing are left out: `silent` are their positions.
    """

    n: int
    rated: int
    raters: int
    silent: tuple[int, ...]
    q: int
    percent: Estimate
    fleiss: Estimate
    alpha: Estimate
    ac1: Estimate
    brennan_prediger: Estimate
    conger: Estimate
    categories: tuple[GroupCategory, ...]


def pair_agreement(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    categories: Iterable[Hashable] | None = None,
    tasks: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> PairAgreement:
    """Two raters; one value per item, None = missing; ValueError when lengths differ.

    `categories` is the codebook: PABAK and AC1 depend on its size. `tasks` (None = unknown) makes the task
    the unit of every standard error, where some task has more than one item.
    """
    names = None if categories is None else tuple(categories)
    table = cross_table(a, b, categories=names, tasks=tasks)
    both = [x is not None and y is not None for x, y in zip(a, b, strict=True)]
    pair = [[x if there else None for x, there in zip(rater, both, strict=True)] for rater in (a, b)]
    counts = count_items(pair, categories=table.categories, tasks=tasks)
    if table.empty:  # the table knows why: one rater missing, or nothing in common
        counts = ItemCounts(counts.categories, (), (), (), counts.raters, table.empty)
    ac1 = judged(gwet_ac1(counts, level=level), table.tasks)
    return PairAgreement(
        n=table.n,
        q=len(table.categories),
        table=table,
        percent=judged(observed_agreement(table, level=level), table.tasks),
        kappa=judged(cohen_kappa(table, level=level), table.tasks),
        ac1=ac1,
        pabak=judged(pabak(table, level=level), table.tasks),
        scott_pi=scott_pi(table),
        kappa_max=kappa_max(table),
        largest_share=largest_share(table),
        bias=bias_index(table),
        categories=tuple(
            replace(one, kappa=judged(one.kappa, table.tasks)) for one in by_category(table, level=level)
        ),
        warning=paradox(table, ac1.value),
    )


def group_agreement(
    ratings: Sequence[Sequence[Hashable]],
    *,
    categories: Iterable[Hashable] | None = None,
    tasks: Sequence[Hashable] | None = None,
    singletons: bool = True,
    level: float = 0.95,
) -> GroupAgreement:
    """Many raters: raters x items, None = missing; ValueError when lengths differ.

    `singletons`: whether items with one rating bear on the chance agreement of Fleiss's kappa and AC1
    (Gwet 2014) or not. `categories` and `tasks` as in `pair_agreement`.
    """
    kept, speaking = without_silent(ratings)
    names = None if categories is None else tuple(categories)
    counts = count_items(speaking, categories=names, tasks=tasks if speaking else None)
    units = counts.paired().tasks
    return GroupAgreement(
        n=counts.n_paired,
        rated=counts.n,
        raters=counts.raters,
        silent=tuple(k for k in range(len(ratings)) if k not in kept),
        q=len(counts.categories),
        percent=judged(percent_agreement(counts, level=level), units),
        fleiss=judged(fleiss_kappa(counts, singletons=singletons, level=level), units),
        alpha=alpha_judged(alpha_nominal(counts, level=level), units),
        ac1=judged(gwet_ac1(counts, singletons=singletons, level=level), units),
        brennan_prediger=judged(brennan_prediger(counts, level=level), units),
        conger=judged(conger_kappa(speaking, tasks=tasks if speaking else None, level=level), units),
        categories=_group_categories(counts, singletons, level),
    )


def _group_categories(counts: ItemCounts, singletons: bool, level: float) -> tuple[GroupCategory, ...]:
    paired = counts.paired()
    size = sum(sum(row) * w for row, w in zip(paired.rows, paired.weights, strict=True))
    found = []
    for k, category in enumerate(counts.categories):
        used = sum(row[k] * w for row, w in zip(paired.rows, paired.weights, strict=True))
        # An item's pairs weigh 1/(m - 1), as in alpha: each rating meets the others of its item once.
        same = sum(
            row[k] * (row[k] - 1) / (sum(row) - 1) * w
            for row, w in zip(paired.rows, paired.weights, strict=True)
        )
        kappa = judged(fleiss_category(counts, category, singletons=singletons, level=level), paired.tasks)
        share = used / size if size else 0.0
        found.append(GroupCategory(category, used, share, kappa, same / used if used else None))
    return tuple(found)
