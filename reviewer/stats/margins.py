"""Two raters, whole table: Scott's pi, PABAK, the greatest possible kappa, prevalence and bias.

Point values in exact integers until one division; None where undefined (see `Table.empty`, else
`no_variation`). Per category: `categories.py`; other numbers of raters: `fleiss.py`, `gwet.py`.
"""

from __future__ import annotations

from reviewer.stats.clustered import FEW_TASKS, clustered_share, effective_items
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.intervals import wilson_mapped, wilson_share
from reviewer.stats.table import Table


def observed_agreement(table: Table, *, level: float = 0.95) -> Estimate:
    """The share of items with equal ratings, with the interval of every share: see `clustered_share`.

    So fewer than five tasks (or items, where each has its own task) have none.
    """
    if not table.n:
        return undefined(table.empty)
    if not table.tasks and table.n >= FEW_TASKS:  # as below, without a list of every item
        share = table.agreed / table.n
        low, high = wilson_share(share, table.n, level)
        return Estimate(share, low, high, table.n, "wilson", "")
    alone = [(1, 1)] * table.agreed + [(0, 1)] * (table.n - table.agreed) if not table.tasks else []
    return clustered_share(_by_task(table) or alone, level=level)


def _by_task(table: Table) -> list[tuple[int, int]]:
    """(items with equal ratings, items) of each task."""
    return [
        (sum(count for (i, j), count in task.items() if i == j), sum(task.values())) for task in table.tasks
    ]


def _units(table: Table, level: float) -> tuple[float, str, tuple[str, ...]]:
    """How many independent items the table is worth, and what is to be said about that."""
    if len(table.tasks) < 2:
        return table.n, "", ("clustering_ignored",) if table.tasks else ()
    return effective_items(_by_task(table), level=level), "_tasks", ()


def scott_pi(table: Table) -> float | None:
    """(p_o - p_e)/(1 - p_e), p_e from the raters' mean shares. Scott 1955, Public Opin Q 19:321-325."""
    n = table.n
    chance = sum((r + c) ** 2 for r, c in zip(table.rows, table.columns, strict=True))
    room = 4 * n * n - chance
    return (4 * n * table.agreed - chance) / room if room else None


def pabak(table: Table, *, level: float = 0.95) -> Estimate:
    """(q p_o - 1)/(q - 1) for the q categories of the table, declared ones included; in [-1/(q-1), 1].

    Chance agreement is fixed at 1/q, so Wilson's interval maps exactly (by task on the effective number of
    items). Undefined with fewer than two categories. Sources: Brennan & Prediger 1981, Educ Psychol Meas
    41:687-699; Byrt et al. 1993.
    """
    q, n = len(table.categories), table.n
    if not n:
        return undefined(table.empty)
    if q < 2:
        return undefined("no_variation", n)
    value = (q * table.agreed - n) / (n * (q - 1))
    share, (units, suffix, remarks) = table.agreed / n, _units(table, level)
    low, high = wilson_mapped(share, units, q / (q - 1), level)
    se = q / (q - 1) * (share * (1 - share) / units) ** 0.5
    return Estimate(value, low, high, n, "wilson_mapped" + suffix, "", se, remarks)


def kappa_max(table: Table) -> float | None:
    """The greatest kappa that these margins allow. Cohen 1960."""
    n = table.n
    pairs = list(zip(table.rows, table.columns, strict=True))
    chance = sum(r * c for r, c in pairs)
    room = n * n - chance
    return (n * sum(min(pair) for pair in pairs) - chance) / room if room else None


def prevalence_index(table: Table) -> float | None:
    """|a - d|/n of a 2 x 2 table, in [0, 1]; None without items or with another number of categories."""
    if len(table.categories) != 2 or not table.n:
        return None
    return abs(table.cells[0][0] - table.cells[1][1]) / table.n


def bias_index(table: Table) -> float | None:
    """|b - c|/n of a 2 x 2 table; for more categories half the sum of |r_i - c_i|/n, the same at two.

    In [0, 1]: how far the raters' habits lie apart. None without items. Byrt et al. 1993, J Clin
    Epidemiol 46:423-429.
    """
    if not table.n:
        return None
    return sum(abs(r - c) for r, c in zip(table.rows, table.columns, strict=True)) / (2 * table.n)


def largest_share(table: Table) -> float | None:
    """The mean share of the most used category, in (0, 1]; None without items."""
    if not table.n:
        return None
    return max(r + c for r, c in zip(table.rows, table.columns, strict=True)) / (2 * table.n)
