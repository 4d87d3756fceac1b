"""Krippendorff's alpha: any number of raters, missing ratings, nominal or any distance between labels.

Sources: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability; standard error linearised, after
Gwet 2014 for the nominal one; Hayes & Krippendorff 2007, Commun Methods Meas 1:77-89.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from reviewer.stats.counts import ItemCounts, count_items
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.linear import FEW, Interval, spread, with_interval
from reviewer.stats.of_two import scored
from reviewer.stats.percent import agreement_share

H = TypeVar("H", bound=Hashable)


def alpha_nominal(counts: ItemCounts, *, level: float = 0.95, interval: Interval = "hybrid") -> Estimate:
    """Alpha with distance 0 for equal labels, else 1. At most 1; items with a single rating do not count.

    Undefined when no item has two ratings, or all ratings that can be paired are the same.
    """
    if counts.empty:
        return undefined(counts.empty)
    used = counts.paired()
    if used.one_category:
        return undefined("no_variation", used.n)
    totals = [
        sum(row[k] * w for row, w in zip(used.rows, used.weights, strict=True))
        for k in range(len(used.categories))
    ]
    size = sum(totals)
    apart = sum(
        (
            Fraction(w * (sum(row) ** 2 - sum(c * c for c in row)), sum(row) - 1)
            for row, w in zip(used.rows, used.weights, strict=True)
        ),
        Fraction(0),
    )
    value = float(1 - (size - 1) * apart / (size * size - sum(t * t for t in totals)))
    share = float(agreement_share(used))
    chance = sum(t * t for t in totals) / size**2
    scale = (1 - value) / (1 - share) if share < 1 else (size - 1) / size / (1 - chance)
    residuals = _residuals(used, totals, size)
    found = with_interval(
        value,
        spread(residuals, used.weights, used.tasks),
        agreement=share,
        scale=scale,
        n=used.n,
        n_split=used.n_split,
        tasks=used.tasks,
        level=level,
        interval=interval,
    )
    alone = spread(residuals, used.weights, ())
    return scored(found, used, alone and alone[0], level) if interval == "hybrid" and alone else found


def _residuals(used: ItemCounts, totals: Sequence[int], size: int) -> list[float]:
    """How far an item of each row moves alpha, the ratings of an item being a random number too.

    Gwet corrects the agreement for small samples in the term for the item's size, and there only; we follow
    him, so that the figure is the one that other software prints. Items of one size are not touched by it.
    """
    mean = size / used.n
    shares = [t / size for t in totals]
    chance = math.fsum(s * s for s in shares)
    equal = [sum(c * (c - 1) for c in row) / (mean * (sum(row) - 1)) for row in used.rows]
    agreed = math.fsum(e * w for e, w in zip(equal, used.weights, strict=True)) / used.n
    corrected = agreed + (1 - agreed) / size
    room, missed = 1 - chance, (1 - agreed) / (1 - chance)
    found = []
    for row, own in zip(used.rows, equal, strict=True):
        size_here = sum(row) / mean
        expected = math.fsum(c * s for c, s in zip(row, shares, strict=True)) / mean
        pull_agreed = own - agreed - corrected * (size_here - 1)
        pull_chance = 2 * (expected - chance * size_here)
        found.append((pull_agreed - missed * pull_chance) / room)
    return found


def alpha_distance(
    ratings: Sequence[Sequence[H | None]],
    distance: Callable[[H, H], float],
    *,
    tasks: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Alpha for any symmetric distance >= 0 that is 0 between equal labels; raters x items, None = missing.

    Undefined like `alpha_nominal`; also when all the labels used are at distance 0 from each other.
    Fewer than FEW items (or tasks) have a value and no interval: from their spread a standard error means
    nothing, and the t quantile of two of them alone is 12.7. Alpha has no lower bound (distances may be as
    large as they like beside what chance gives), but an interval that goes below -1 tells no more than one
    that ends there: it is cut at -1, as Hayes & Krippendorff 2007 do with each resampled alpha, or at a value
    that is lower still; `cut_below` says so, and `cut_above` that the upper end is cut at 1, which the
    disagreement seen rules out.
    """
    counts = count_items(ratings, tasks=tasks)
    if counts.empty:
        return undefined(counts.empty)
    used = counts.paired()
    labels = tuple(dict.fromkeys(x for item in zip(*ratings, strict=True) for x in item if x is not None))
    q = range(len(labels))
    table = [[0.0 if i == j else distance(labels[i], labels[j]) for j in q] for i in q]
    apart = [_across(row, table) / (sum(row) - 1) for row in used.rows]
    totals = [sum(row[k] * w for row, w in zip(used.rows, used.weights, strict=True)) for k in q]
    size, expected = sum(totals), _across(totals, table)
    if not expected:
        return undefined("no_variation", used.n)
    observed = math.fsum(a * w for a, w in zip(apart, used.weights, strict=True))
    value = 1 - (size - 1) * observed / expected
    far = [math.fsum(t * table[k][c] for c, t in enumerate(totals)) for k in q]
    pulls = [
        (2 * (1 - value) * math.fsum(c * f for c, f in zip(row, far, strict=True)) - (size - 1) * own)
        / expected
        - sum(row) * observed / expected
        for row, own in zip(used.rows, apart, strict=True)
    ]
    mean = math.fsum(p * w for p, w in zip(pulls, used.weights, strict=True)) / used.n
    found = with_interval(
        value,
        spread([used.n * (pull - mean) for pull in pulls], used.weights, used.tasks),
        agreement=0.0,
        scale=1.0,
        n=used.n,
        n_split=used.n_split,
        tasks=used.tasks,
        level=level,
        interval="t",
    )
    if (len(used.tasks) or used.n) < FEW:
        few = "few_tasks" if used.tasks else "few_items"
        known = {"too_few_items", "one_task"}.intersection(found.remarks)  # says the same, and more
        remarks = found.remarks if known else (*found.remarks, few)
        return replace(found, low=None, high=None, interval="", remarks=remarks)
    if not found.se or found.low is None:  # a spread of 0 between items is no certainty
        return replace(found, low=None, high=None, interval="")
    floor = min(-1.0, value)
    ends = {"cut_below": found.low < floor, "cut_above": found.high == 1 > value}
    cut = [word for word, true in ends.items() if true]
    return replace(found, low=max(floor, found.low), remarks=(*found.remarks, *cut))


def _across(totals: Sequence[int], table: Sequence[Sequence[float]]) -> float:
    """The sum of distances over all ordered pairs of ratings."""
    used = [k for k, t in enumerate(totals) if t]
    return math.fsum(totals[i] * totals[j] * table[i][j] for i in used for j in used if i != j)


def alpha_sets(
    ratings: Sequence[Sequence[Collection[Hashable] | None]],
    distance: Callable[[frozenset[Hashable], frozenset[Hashable]], float],
    *,
    tasks: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Alpha where a rating is a set of labels (`masi_distance`, `jaccard_distance`, `nominal_distance`).

    None = missing; the empty set is a rating; TypeError for a string, which is no set.
    """
    if any(isinstance(cell, str | bytes) for rater in ratings for cell in rater):
        raise TypeError("a set of labels is wanted; a string would be taken for a set of letters")
    frozen = [[None if cell is None else frozenset(cell) for cell in rater] for rater in ratings]
    return alpha_distance(frozen, distance, tasks=tasks, level=level)
