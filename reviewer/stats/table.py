"""The cross table of two raters, by task where tasks are given. Knows no statistic.

Counts stay integers, so that "chance agreement is complete" and "the variance is 0" are exact questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """How often rater A said row category and rater B said column category.

    `categories` are the declared ones in their order, then those only seen, in order of appearance.
    `cells` is square. `tasks` holds the cells of each task, {(row, column): count}, when a task has more
    than one item, and is empty when items are taken as independent. `empty` is the reason word when n is 0.
    """

    categories: tuple[Hashable, ...]
    cells: tuple[tuple[int, ...], ...]
    tasks: tuple[Mapping[tuple[int, int], int], ...] = ()
    empty: str = ""

    @property
    def n(self) -> int:
        return sum(self.rows)

    @property
    def rows(self) -> tuple[int, ...]:
        """Rater A's count of each category."""
        return tuple(sum(row) for row in self.cells)

    @property
    def columns(self) -> tuple[int, ...]:
        """Rater B's count of each category."""
        return tuple(sum(row[k] for row in self.cells) for k in range(len(self.categories)))

    @property
    def agreed(self) -> int:
        return sum(row[k] for k, row in enumerate(self.cells))

    def collapse(self, category: Hashable) -> Table:
        """This category against all the rest: a 2 x 2 table. ValueError for a category it lacks."""
        k = self.categories.index(category)
        both, a, b = self.cells[k][k], self.rows[k], self.columns[k]
        cells = ((both, a - both), (b - both, self.n - a - b + both))
        tasks = []
        for task in self.tasks:
            collapsed: Counter[tuple[int, int]] = Counter()
            for (i, j), count in task.items():
                collapsed[int(i != k), int(j != k)] += count
            tasks.append(collapsed)
        return Table((True, False), cells, tuple(tasks), self.empty)


def ordered(declared: Iterable[Hashable] | None, seen: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Declared categories, then the rest as they appear; each once; never None."""
    everything = dict.fromkeys(declared or ())
    everything.update(dict.fromkeys(seen))
    everything.pop(None, None)
    return tuple(everything)


def cross_table(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    categories: Iterable[Hashable] | None = None,
    tasks: Sequence[Hashable] | None = None,
) -> Table:
    """The table of the items that both raters rated (pairwise complete).

    a, b, tasks: one value per item, None = missing rating; ValueError when their lengths differ. A task of
    None is unknown: such an item stands for itself. `categories`: the codebook; a label outside it is
    counted all the same, as a further category, and so is one used only on items the other left out.
    """
    if len(a) != len(b) or (tasks is not None and len(tasks) != len(a)):
        raise ValueError("both raters, and the tasks, need one value per item")
    pairs = Counter(zip(a, b, strict=True))
    names = ordered(categories, (label for pair in pairs for label in pair))
    place = {name: k for k, name in enumerate(names)}
    cells = [[0] * len(names) for _ in names]
    for (x, y), count in pairs.items():
        if x is not None and y is not None:
            cells[place[x]][place[y]] = count
    groups = _by_task(tasks, a, b, place) if tasks is not None else ()
    return Table(names, tuple(tuple(row) for row in cells), groups, _why_empty(pairs))


def _by_task(
    tasks: Sequence[Hashable],
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    place: Mapping[Hashable, int],
) -> tuple[Mapping[tuple[int, int], int], ...]:
    """The cells of each task; nothing when every task has one item, for then items are the units."""
    known: dict[Hashable, dict[tuple[int, int], int]] = {}
    alone: list[dict[tuple[int, int], int]] = []
    for (task, x, y), count in Counter(zip(tasks, a, b, strict=True)).items():
        if x is None or y is None:
            continue
        cell = place[x], place[y]
        if task is None:
            alone += [{cell: 1}] * count
        else:
            known.setdefault(task, {})[cell] = count
    groups = (*known.values(), *alone)
    return groups if any(sum(group.values()) > 1 for group in groups) else ()


def _why_empty(pairs: Iterable[tuple[Hashable, Hashable]]) -> str:
    """The reason word when no item has both ratings, else ""."""
    rated_a = rated_b = False
    for x, y in pairs:
        if x is not None and y is not None:
            return ""
        rated_a, rated_b = rated_a or x is not None, rated_b or y is not None
    if rated_a and rated_b:
        return "no_overlap"
    return "single_rater" if rated_a or rated_b else "no_data"


def from_counts(cells: Sequence[Sequence[int]], categories: Sequence[Hashable] | None = None) -> Table:
    """A table from its counts; categories 0, 1, ... if none are given. ValueError unless square and >= 0."""
    q = len(cells)
    names = tuple(range(q)) if categories is None else tuple(categories)
    if len(names) != q or len(set(names)) != q or any(len(row) != q for row in cells):
        raise ValueError("a table needs as many rows as columns, and as many different categories")
    if any(count < 0 for row in cells for count in row):
        raise ValueError("a count cannot be negative")
    counts = tuple(tuple(row) for row in cells)
    return Table(names, counts, (), "" if any(map(any, counts)) else "no_data")
