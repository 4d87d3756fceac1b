"""Cohen's kappa of two raters, its standard errors and its intervals.

Everything is computed in integers until one division, so that "undefined" (chance agreement complete) and
"the standard error is 0" are exact. Write n items, t agreed, r_i and c_i the raters' counts of category i,
S = sum r_i c_i and D = n^2 - S. Then kappa = (n t - S)/D, and the weight of cell (i, j) in the variance is
W_ij / D with W_ij = [i = j] D - (n - t)(c_i + r_j), the mean weight M/(n D) with M = D t - 2 S (n - t).

Sources: Cohen 1960, Educ Psychol Meas 20:37-46; Fleiss, Cohen & Everitt 1969, Psychol Bull 72:323-327;
the clustered form is the sandwich of the same weights, compare Kang et al. 2013, Stat Med 32(21).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from reviewer.stats.distributions import t_two_sided, two_sided
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.intervals import fisher_z, wilson_mapped
from reviewer.stats.score import score_interval
from reviewer.stats.table import Table

FEW = 5
"""With fewer disagreements than this the standard error is not trusted."""

Interval = Literal["score", "hybrid", "wald"]


def _sums(table: Table) -> tuple[int, int, int]:
    """n, S and D of the module docstring."""
    n = table.n
    chance = sum(r * c for r, c in zip(table.rows, table.columns, strict=True))
    return n, chance, n * n - chance


def kappa_of_cells(cells: Sequence[tuple[int, int]], counts: Sequence[int], q: int) -> float | None:
    """Kappa of a sparse table: counts[k] items in cell cells[k] of q categories; None where undefined."""
    rows, columns = [0] * q, [0] * q
    agreed = 0
    for (i, j), count in zip(cells, counts, strict=True):
        rows[i] += count
        columns[j] += count
        if i == j:
            agreed += count
    n = sum(rows)
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    return (n * agreed - chance) / (n * n - chance) if n * n > chance else None


def kappa_value(table: Table) -> float | None:
    """Kappa, or None where it is undefined (no items, or chance agreement complete)."""
    n, chance, room = _sums(table)
    return (n * table.agreed - chance) / room if room else None


def kappa_se(table: Table) -> float | None:
    """The Fleiss-Cohen-Everitt standard error, for intervals; None where kappa is. Exactly 0 if it is 0."""
    n, chance, room = _sums(table)
    if not room:
        return None
    missed = n - table.agreed
    rows, columns = table.rows, table.columns
    squares = 0
    for i, row in enumerate(table.cells):
        for j, count in enumerate(row):
            if count:
                weight = (room if i == j else 0) - missed * (columns[i] + rows[j])
                squares += count * weight * weight
    mean = room * table.agreed - 2 * chance * missed
    return math.sqrt(n * (n * squares - mean * mean) / room**4)


def kappa_se_null(table: Table) -> float | None:
    """The standard error if the true kappa were 0: for the z test only, never for an interval."""
    n, chance, room = _sums(table)
    if not room:
        return None
    cubes = sum(r * c * (r + c) for r, c in zip(table.rows, table.columns, strict=True))
    return math.sqrt((chance * n * n + chance * chance - n * cubes) / (n * room * room))


def kappa_se_tasks(table: Table) -> float | None:
    """The standard error with the task as the unit; None without tasks, with one task, or without kappa.

    With one item per task it would be the Fleiss-Cohen-Everitt one times sqrt(n/(n-1)).
    """
    n, chance, room = _sums(table)
    groups = len(table.tasks)
    if not room or groups < 2:
        return None
    missed = n - table.agreed
    rows, columns = table.rows, table.columns
    mean = room * table.agreed - 2 * chance * missed
    squares = 0
    for task in table.tasks:
        total = 0
        for (i, j), count in task.items():
            weight = (room if i == j else 0) - missed * (columns[i] + rows[j])
            total += count * (n * weight - mean)
        squares += total * total
    return math.sqrt(groups * squares / ((groups - 1) * room**4))


def cohen_kappa(table: Table, *, level: float = 0.95, interval: Interval = "score") -> Estimate:
    """Kappa in [-1, 1] with an interval; undefined with no items or when chance agreement is complete.

    The standard error is by task where the table has tasks (then a t quantile with tasks - 1 degrees of
    freedom), else the Fleiss-Cohen-Everitt one. `score`, the default: see `score.py`. `hybrid`: Fisher's z of
    the standard error; but with one of 0, or fewer than FEW disagreements, Wilson's interval of the observed
    agreement mapped through the chance correction (labelled `wilson_mapped`). `wald` is plus or minus z
    standard errors, as most packages print it. Remarks tell of a constant rater, few disagreements, one task.
    """
    n, _, room = _sums(table)
    value, plain = kappa_value(table), kappa_se(table)
    if value is None or plain is None:
        return undefined(table.empty or "no_variation", n)
    remarks = _remarks(table, plain)
    clustered = kappa_se_tasks(table)
    se = plain if clustered is None else clustered
    quantile = two_sided(level) if clustered is None else t_two_sided(level, len(table.tasks) - 1)
    suffix = "" if clustered is None else "_tasks"
    if interval == "wald":
        low, high = value - quantile * se, value + quantile * se
        return Estimate(value, low, high, n, "wald" + suffix, "", se, remarks)
    if interval == "score":
        shares = [(r + c) / (2 * n) for r, c in zip(table.rows, table.columns, strict=True)]
        design = 1.0 if clustered is None else _design(table, plain, clustered)
        low, high = score_interval(
            value, shares, n, n * plain**2, n - table.agreed, quantile=quantile, design=design
        )
        return Estimate(value, low, high, n, "score" + suffix, "", se, remarks)
    if plain == 0 or se == 0 or n - table.agreed < FEW or abs(value) == 1:
        low, high = wilson_mapped(table.agreed / n, n, n * n / room, level)
        if table.tasks:
            remarks = tuple(dict.fromkeys((*remarks, "clustering_ignored")))
        return Estimate(value, low, high, n, "wilson_mapped", "", se, remarks)
    low, high = fisher_z(value, se, quantile)
    return Estimate(value, low, high, n, "fisher_z" + suffix, "", se, remarks)


def expected_interval(table: Table, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """The score interval of `n` items in the proportions of `table`, which has a kappa; tasks likewise."""
    value, plain, clustered = kappa_value(table), kappa_se(table), kappa_se_tasks(table)
    if value is None or plain is None:
        raise ValueError("the table has no kappa")
    times = n / table.n
    shares = [(r + c) / (2 * table.n) for r, c in zip(table.rows, table.columns, strict=True)]
    missed = (table.n - table.agreed) * times
    if clustered is None:
        return score_interval(value, shares, n, table.n * plain**2, missed, quantile=two_sided(level))
    quantile = t_two_sided(level, max(1, round(len(table.tasks) * times) - 1))
    design = _design(table, plain, clustered)
    variance = table.n * plain**2
    return score_interval(value, shares, n, variance, missed, quantile=quantile, design=design)


def _design(table: Table, plain: float, clustered: float) -> float:
    """What the tasks multiply the variance by.

    Too few disagreements cannot show it: then it is at least 1 (else 1/2, for what cancels out by chance).
    Without any, items of a task count as always alike (Kish 1965), which is the worst that they can be.
    """
    if plain:
        return max(0.5 if table.n - table.agreed >= FEW else 1.0, (clustered / plain) ** 2)
    return sum(sum(task.values()) ** 2 for task in table.tasks) / table.n


def _remarks(table: Table, se: float) -> tuple[str, ...]:
    constant = sum(map(bool, table.rows)) == 1 or sum(map(bool, table.columns)) == 1
    found = {
        "too_few_items": table.n < 2,
        "constant_rater": constant,
        "few_disagreements": table.n - table.agreed < FEW or se == 0,
        "one_task": len(table.tasks) == 1,
        "clustering_ignored": len(table.tasks) == 1,
    }
    return tuple(word for word, true in found.items() if true)
