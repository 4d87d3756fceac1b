"""How often a nominal 95 % interval of kappa holds the true value, by drawing tables from known ones.

Every interval is that of the public function; what is cheap here is the drawing only: the cells of a whole
table at once, and a table drawn before is not computed again. Two raters share the category shares p of a
cell, and the joint probabilities are kappa diag(p) + (1 - kappa) p p'; in a clustered cell kappa itself
varies from task to task, so that what the raters share within a task is no separate evidence. Tables without
a kappa (all ratings alike) are counted apart: there is no interval to judge.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final

from reviewer.stats.cohen import Interval, cohen_kappa
from reviewer.stats.estimate import Estimate
from reviewer.stats.table import Table, cross_table, from_counts

TABLES: Final = 6000
SEED: Final = 20260101

# The published shares of the six modes (taxonomies/six-modes.toml), and everything else.
PUBLISHED: Final = (24.1, 19.8, 17.6, 13.4, 8.9, 5.7, 10.5)
SKEWED: Final = (60, 25, 10, 5)
FOURTEEN: Final = tuple(1 / (k + 1) ** 0.8 for k in range(14))
# kappa of a task: how well the raters see what is the case there; the mean is the kappa of all
UNEVEN: Final = (0.15, 0.45, 0.7, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of the table. `strict` cells must hold 92.5 to 97.5 %, the others 88 % or more.

    Without `tasks`, `n` independent items; else `tasks` tasks of `n // tasks` items each.
    """

    name: str
    shares: tuple[float, ...]
    kappa: float
    n: int
    strict: bool
    tasks: int = 0

    @property
    def bounds(self) -> tuple[float, float]:
        return (0.925, 0.975) if self.strict else (0.88, 1.0)

    def __str__(self) -> str:
        grouped = f", {self.tasks} tasks" if self.tasks else ""
        return f"{self.name}, kappa {self.kappa:.2f}, n {self.n}{grouped}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """`held` of `judged` intervals held the truth; `undefined` tables had no kappa."""

    cell: Cell
    held: int
    judged: int
    undefined: int
    width: float

    @property
    def share(self) -> float:
        return self.held / self.judged


def cells() -> Iterator[Cell]:
    """The cells that must hold, then the others of METHODS."""
    for n in (50, 100, 300):
        for kappa in (0.3, 0.5, 0.7, 0.9):
            yield Cell("published shares", PUBLISHED, kappa, n, True)
    for name, shares in (("50/50", (1.0, 1.0)), ("80/20", (4.0, 1.0))):
        for n in (50, 100, 300):
            for kappa in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9):
                yield Cell(name, shares, kappa, n, True)
    for name, shares in (("published shares", PUBLISHED), ("50/50", (1.0, 1.0)), ("80/20", (4.0, 1.0))):
        for tasks, each in ((50, 6), (100, 5)):
            yield Cell(name, shares, math.fsum(UNEVEN) / len(UNEVEN), tasks * each, True, tasks)
    yield Cell("50/50", (1.0, 1.0), math.fsum(UNEVEN) / len(UNEVEN), 300, False, 20)
    for kappa, sizes in ((0.1, (30, 100)), (0.3, (30, 50, 100)), (0.7, (50, 300)), (0.9, (30, 100))):
        yield from (Cell("90/10", (9.0, 1.0), kappa, n, False) for n in sizes)
    yield from (Cell("4 skewed modes", SKEWED, 0.9, n, False) for n in (30, 300))
    yield from (Cell("14 modes", FOURTEEN, 0.7, n, False) for n in (30, 300))


def simulate(cell: Cell, *, tables: int = TABLES, interval: Interval = "score", seed: int = SEED) -> Coverage:
    """Draw, compute, count."""
    rng = Random(f"{seed} {cell}")
    drawn = _clustered(cell, tables, rng) if cell.tasks else _plain(cell, tables, rng)
    known: dict[object, Estimate] = {}
    held = undefined = 0
    width = 0.0
    for key, table in drawn:
        found = known.get(key)
        if found is None:
            found = cohen_kappa(table, interval=interval)
            if key is not None:
                known[key] = found
        if found.low is None or found.high is None:
            undefined += 1
            continue
        held += found.low - 1e-9 <= cell.kappa <= found.high + 1e-9
        width += found.high - found.low
    judged = tables - undefined
    return Coverage(cell, held, judged, undefined, width / judged)


def _joint(shares: Sequence[float], kappa: float) -> list[float]:
    """Cumulated probabilities of the cells, row by row."""
    p = [share / math.fsum(shares) for share in shares]
    cells = [kappa * a * (i == j) + (1 - kappa) * a * b for i, a in enumerate(p) for j, b in enumerate(p)]
    return list(accumulate(cells))


def _plain(cell: Cell, tables: int, rng: Random) -> Iterator[tuple[object, Table]]:
    q = len(cell.shares)
    weights = _joint(cell.shares, cell.kappa)
    where = range(q * q)
    kept: dict[tuple[int, ...], Table] = {}
    for _ in range(tables):
        counts = Counter(rng.choices(where, cum_weights=weights, k=cell.n))
        key = tuple(counts[k] for k in where)
        if key not in kept:
            kept[key] = from_counts([key[q * k : q * k + q] for k in range(q)])
        yield key, kept[key]


def _clustered(cell: Cell, tables: int, rng: Random) -> Iterator[tuple[object, Table]]:
    q, each = len(cell.shares), cell.n // cell.tasks
    weights = [_joint(cell.shares, kappa) for kappa in UNEVEN]
    where = range(q * q)
    tasks = [task for task in range(cell.tasks) for _ in range(each)]
    for _ in range(tables):
        items: list[int] = []
        for level in rng.choices(weights, k=cell.tasks):
            items += rng.choices(where, cum_weights=level, k=each)
        a, b = [k // q for k in items], [k % q for k in items]
        yield None, cross_table(a, b, categories=range(q), tasks=tasks)
