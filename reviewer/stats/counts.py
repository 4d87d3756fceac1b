"""Any number of raters: how many gave each item each category. Knows no statistic.

Items with the same counts are kept once, with their number, so that the work of a statistic grows with the
distinct patterns and not with the items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from reviewer.stats.table import ordered


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """Distinct rows of counts (one count a category, at least one rating in all) and their multiplicities.

    `categories` are the declared ones, then those only seen. `tasks` says for each task how many of its
    items have which row; empty when items are independent. `raters` counts those who rated anything.
    `empty` is the reason word when no item has two ratings, else "".
    """

    categories: tuple[Hashable, ...]
    rows: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    tasks: tuple[Mapping[int, int], ...]
    raters: int
    empty: str

    @property
    def n(self) -> int:
        """Items with at least one rating."""
        return sum(self.weights)

    @property
    def n_paired(self) -> int:
        """Items with at least two ratings: those that can agree."""
        return sum(w for row, w in zip(self.rows, self.weights, strict=True) if sum(row) > 1)

    @property
    def n_split(self) -> int:
        """Items with two or more different ratings."""
        return sum(w for row, w in zip(self.rows, self.weights, strict=True) if sum(map(bool, row)) > 1)

    @property
    def one_category(self) -> bool:
        """Whether all ratings are the same category: then chance agreement is complete."""
        return len({k for row in self.rows for k, count in enumerate(row) if count}) < 2

    def paired(self) -> ItemCounts:
        """Without the items that have a single rating."""
        kept = [k for k, row in enumerate(self.rows) if sum(row) > 1]
        if len(kept) == len(self.rows):
            return self
        place = {old: new for new, old in enumerate(kept)}
        tasks = [{place[k]: w for k, w in task.items() if k in place} for task in self.tasks]
        return ItemCounts(
            self.categories,
            tuple(self.rows[k] for k in kept),
            tuple(self.weights[k] for k in kept),
            tuple(task for task in tasks if task),
            self.raters,
            self.empty,
        )

    def collapse(self, category: Hashable) -> ItemCounts:
        """This category against all the rest. ValueError for a category it lacks."""
        k = self.categories.index(category)
        rows = tuple((row[k], sum(row) - row[k]) for row in self.rows)
        return ItemCounts((True, False), rows, self.weights, self.tasks, self.raters, self.empty)

    def shares(self) -> tuple[tuple[int, ...], int]:
        """pi_k, the mean over items of n_uk/m_u, as whole numbers over a common denominator."""
        common = lcm(*(sum(row) for row in self.rows)) if self.rows else 1
        totals = [0] * len(self.categories)
        for row, weight in zip(self.rows, self.weights, strict=True):
            scale = weight * common // sum(row)
            for k, count in enumerate(row):
                totals[k] += count * scale
        return tuple(totals), self.n * common


def check_ratings(ratings: Sequence[Sequence[Hashable]], tasks: Sequence[Hashable] | None = None) -> None:
    """ValueError unless every rater, and the tasks, have one value per item."""
    lengths = {len(row) for row in ratings}
    if tasks is not None:
        lengths.add(len(tasks))
    if len(lengths) > 1:
        raise ValueError("every rater, and the tasks, need one value per item")


def count_items(
    ratings: Sequence[Sequence[Hashable]],
    *,
    categories: Iterable[Hashable] | None = None,
    tasks: Sequence[Hashable] | None = None,
) -> ItemCounts:
    """Counts from raters x items, None = missing rating; items that nobody rated are left out.

    A task of None is unknown: such an item stands for itself. ValueError when lengths differ.
    """
    check_ratings(ratings, tasks)
    patterns = Counter(zip(*ratings, strict=True))
    names = ordered(categories, (label for pattern in patterns for label in pattern))
    place = {name: k for k, name in enumerate(names)}
    weights: Counter[tuple[int, ...]] = Counter()
    row_of: dict[tuple[Hashable, ...], tuple[int, ...]] = {}
    for pattern, count in patterns.items():
        row = [0] * len(names)
        for label in pattern:
            if label is not None:
                row[place[label]] += 1
        if any(row):
            row_of[pattern] = tuple(row)
            weights[tuple(row)] += count
    rows = tuple(weights)
    raters = sum(any(label is not None for label in rater) for rater in ratings)
    at = {row: k for k, row in enumerate(rows)}
    index = {pattern: at[row] for pattern, row in row_of.items()}
    groups = group_by_task(tasks, ratings, index) if tasks is not None else ()
    empty = ""
    if not any(sum(row) > 1 for row in rows):
        empty = ("no_data", "single_rater")[raters] if raters < 2 else "no_overlap"
    return ItemCounts(names, rows, tuple(weights.values()), groups, raters, empty)


def group_by_task(
    tasks: Sequence[Hashable],
    ratings: Sequence[Sequence[Hashable]],
    index: Mapping[tuple[Hashable, ...], int],
) -> tuple[Mapping[int, int], ...]:
    """How many items of each index a task has; nothing when every task has one item."""
    known: dict[Hashable, Counter[int]] = {}
    alone: list[Mapping[int, int]] = []
    for (task, *labels), count in Counter(zip(tasks, *ratings, strict=True)).items():
        k = index.get(tuple(labels))
        if k is None:
            continue
        if task is None:
            alone += [{k: 1}] * count
        else:
            known.setdefault(task, Counter())[k] += count
    groups: tuple[Mapping[int, int], ...] = (*known.values(), *alone)
    return groups if any(sum(group.values()) > 1 for group in groups) else ()
