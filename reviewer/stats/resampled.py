"""Bootstrap intervals of agreement: tables and counts drawn anew, by task where there are tasks.

The work of a replicate grows with the cells of a table (or the distinct rows of counts, or the tasks), not
with the items: a million labels cost what a thousand do. Offered beside the intervals by formula, which
hold better where hardly anybody disagrees (see `score.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import mul

from reviewer.stats.bootstrap import Method, bootstrap
from reviewer.stats.cohen import kappa_of_cells
from reviewer.stats.counts import ItemCounts
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.table import Table

Statistic = Callable[[Sequence[int]], float | None]


def kappa_bootstrap(
    table: Table, *, seed: int, replicates: int = 2000, level: float = 0.95, method: Method = "percentile"
) -> Estimate:
    """Cohen's kappa with a bootstrap interval; the estimate's n counts what is drawn: items, or tasks."""
    if table.empty:
        return undefined(table.empty)
    q = len(table.categories)
    used = [(i, j) for i, row in enumerate(table.cells) for j, count in enumerate(row) if count]
    full = 2 * len(used) >= q * q  # then whole rows and columns are quicker than cell by cell
    cells = [(i, j) for i in range(q) for j in range(q)] if full else used

    def kappa(counts: Sequence[int]) -> float | None:
        return _kappa_of_all(counts, q) if full else kappa_of_cells(cells, counts, q)

    place = {cell: k for k, cell in enumerate(cells)}
    tasks = [{place[cell]: count for cell, count in task.items()} for task in table.tasks]
    weights = [table.cells[i][j] for i, j in cells]
    return _drawn(weights, tasks, kappa, seed=seed, replicates=replicates, level=level, method=method)


def fleiss_bootstrap(
    counts: ItemCounts,
    *,
    seed: int,
    replicates: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Estimate:
    """Fleiss's kappa of the items with two ratings or more, with a bootstrap interval."""
    return _many(counts, _fleiss, seed=seed, replicates=replicates, level=level, method=method)


def alpha_bootstrap(
    counts: ItemCounts,
    *,
    seed: int,
    replicates: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Estimate:
    """Krippendorff's nominal alpha with a bootstrap interval."""
    return _many(counts, _alpha, seed=seed, replicates=replicates, level=level, method=method)


def ac1_bootstrap(
    counts: ItemCounts,
    *,
    seed: int,
    replicates: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Estimate:
    """Gwet's AC1 of the items with two ratings or more, with a bootstrap interval."""
    return _many(counts, _ac1, seed=seed, replicates=replicates, level=level, method=method)


def _kappa_of_all(counts: Sequence[int], q: int) -> float | None:
    """Kappa of all cells of a table of q categories, row by row."""
    rows = [sum(counts[k : k + q]) for k in range(0, q * q, q)]
    columns = [sum(counts[k::q]) for k in range(q)]
    n = sum(rows)
    chance = sum(map(mul, rows, columns))
    return (n * sum(counts[:: q + 1]) - chance) / (n * n - chance) if n * n > chance else None


def _drawn(
    weights: Sequence[int],
    tasks: Sequence[Mapping[int, int]],
    statistic: Statistic,
    *,
    seed: int,
    replicates: int,
    level: float,
    method: Method,
) -> Estimate:
    """Patterns drawn as items, or whole tasks with all the patterns of their items."""
    if not tasks:
        return bootstrap(weights, statistic, seed=seed, replicates=replicates, level=level, method=method)

    def by_task(times: Sequence[int]) -> float | None:
        counts = [0] * len(weights)
        for time, task in zip(times, tasks, strict=True):
            if time:
                for k, count in task.items():
                    counts[k] += time * count
        return statistic(counts)

    ones = [1] * len(tasks)
    return bootstrap(ones, by_task, seed=seed, replicates=replicates, level=level, method=method)


def _many(
    counts: ItemCounts,
    make: Callable[[ItemCounts], Statistic],
    *,
    seed: int,
    replicates: int,
    level: float,
    method: Method,
) -> Estimate:
    if counts.empty:
        return undefined(counts.empty)
    used = counts.paired()
    return _drawn(
        used.weights,
        used.tasks,
        make(used),
        seed=seed,
        replicates=replicates,
        level=level,
        method=method,
    )


def _parts(used: ItemCounts) -> tuple[list[float], list[list[float]]]:
    """Of each row: its agreement, and its shares of the categories."""
    agreed, shares = [], []
    for row in used.rows:
        m = sum(row)
        agreed.append(sum(c * (c - 1) for c in row) / (m * (m - 1)))
        shares.append([c / m for c in row])
    return agreed, shares


def _corrected(used: ItemCounts, chance_of: Callable[[Sequence[float]], float]) -> Statistic:
    agreed, shares = _parts(used)
    columns = list(zip(*shares, strict=True))

    def value(counts: Sequence[int]) -> float | None:
        n = sum(counts)
        if not n:
            return None
        p_o = sum(w * a for w, a in zip(counts, agreed, strict=True)) / n
        p_e = chance_of([sum(w * s for w, s in zip(counts, column, strict=True)) / n for column in columns])
        return (p_o - p_e) / (1 - p_e) if 1 - p_e > 1e-12 else None

    return value


def _fleiss(used: ItemCounts) -> Statistic:
    return _corrected(used, lambda shares: sum(p * p for p in shares))


def _ac1(used: ItemCounts) -> Statistic:
    q = len(used.categories)
    if q < 2:
        return lambda counts: None
    return _corrected(used, lambda shares: sum(p * (1 - p) for p in shares) / (q - 1))


def _alpha(used: ItemCounts) -> Statistic:
    sizes = [sum(row) for row in used.rows]
    apart = [(m * m - sum(c * c for c in row)) / (m - 1) for row, m in zip(used.rows, sizes, strict=True)]
    columns = list(zip(*used.rows, strict=True))

    def value(counts: Sequence[int]) -> float | None:
        size = sum(w * m for w, m in zip(counts, sizes, strict=True))
        totals = [sum(w * c for w, c in zip(counts, column, strict=True)) for column in columns]
        expected = size * size - sum(t * t for t in totals)
        if not expected:
            return None
        observed = sum(w * d for w, d in zip(counts, apart, strict=True))
        return float(1 - (size - 1) * observed / expected)

    return value
