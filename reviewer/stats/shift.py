"""Do two or more groups of traces fail in the same ways? Chi square, by permutation too, and effect sizes.

For one mode per trace. Traces with several modes are not multinomial: see `set_shift.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random

from reviewer.stats.adjust import holm
from reviewer.stats.distributions import chi2_tail, normal_two_sided_p
from reviewer.stats.intervals import newcombe


@dataclass(frozen=True, slots=True)
class HomogeneityTest:
    """Chi square of a groups x modes table; modes that nobody has, and empty groups, are dropped.

    `small_expected`: an expected count is below 5, so `p` is not to be trusted: use `permutation_p`.
    `statistic` and `p` are None when fewer than two modes or groups remain. `cramer_v` is in [0, 1].
    """

    statistic: float | None
    df: int
    p: float | None
    dropped_modes: tuple[int, ...]
    dropped_groups: tuple[int, ...]
    small_expected: bool
    cramer_v: float | None


@dataclass(frozen=True, slots=True)
class ModeShift:
    """One mode: its share in the first group minus that in the second, Newcombe's interval, p adjusted."""

    difference: float
    low: float
    high: float
    p: float


def _reduced(table: Sequence[Sequence[int]]) -> tuple[list[list[int]], tuple[int, ...], tuple[int, ...]]:
    if len({len(row) for row in table}) > 1 or any(count < 0 for row in table for count in row):
        raise ValueError("every group needs one count >= 0 per mode")
    groups = tuple(k for k, row in enumerate(table) if not any(row))
    width = len(table[0]) if table else 0
    modes = tuple(k for k in range(width) if not any(row[k] for row in table))
    kept = [
        [count for k, count in enumerate(row) if k not in modes]
        for g, row in enumerate(table)
        if g not in groups
    ]
    return kept, modes, groups


def _statistic(table: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Chi square and the smallest expected count of a table without empty rows or columns."""
    n = sum(map(sum, table))
    columns = [sum(column) for column in zip(*table, strict=True)]
    expected = [[sum(row) * column / n for column in columns] for row in table]
    terms = (
        (count - e) ** 2 / e
        for row, line in zip(table, expected, strict=True)
        for count, e in zip(row, line, strict=True)
    )
    return math.fsum(terms), min(map(min, expected))


def chi2_homogeneity(table: Sequence[Sequence[int]]) -> HomogeneityTest:
    """`table[group][mode]` counts traces; ValueError when rows differ in length or a count is negative.

    Source: Pearson 1900; Cramer 1946.
    """
    kept, modes, groups = _reduced(table)
    width = len(kept[0]) if kept else 0
    if len(kept) < 2 or width < 2:
        return HomogeneityTest(None, 0, None, modes, groups, True, None)
    statistic, smallest = _statistic(kept)
    df = (len(kept) - 1) * (width - 1)
    n = sum(map(sum, kept))
    effect = math.sqrt(statistic / (n * (min(len(kept), width) - 1)))
    return HomogeneityTest(
        statistic, df, chi2_tail(statistic, df), modes, groups, smallest < 5, min(1.0, effect)
    )


def permutation_p(
    groups: Sequence[Hashable],
    modes: Sequence[Hashable],
    *,
    seed: int,
    tasks: Sequence[Hashable] | None = None,
    replicates: int = 2000,
) -> float | None:
    """p of the same statistic when group labels are shuffled; (1 + as large)/(1 + replicates).

    One group and mode per trace, ValueError when lengths differ. `tasks`: all traces of a task move
    together, so each task must lie in one group, else ValueError. None with fewer than two groups or modes.
    """
    units = list(range(len(groups))) if tasks is None else list(tasks)
    if len({len(groups), len(modes), len(units)}) > 1:
        raise ValueError("groups, modes and tasks need one value per trace")
    place = {mode: k for k, mode in enumerate(dict.fromkeys(modes))}
    rows = {group: k for k, group in enumerate(dict.fromkeys(groups))}
    counts: dict[Hashable, list[int]] = {}
    home: dict[Hashable, int] = {}
    for unit, group, mode in zip(units, groups, modes, strict=True):
        if home.setdefault(unit, rows[group]) != rows[group]:
            raise ValueError("a task lies in two groups")
        counts.setdefault(unit, [0] * len(place))[place[mode]] += 1
    if len(rows) < 2 or len(place) < 2:
        return None
    vectors, labels = list(counts.values()), list(home.values())

    def chi2() -> float:
        table = [[0] * len(place) for _ in rows]
        for label, vector in zip(labels, vectors, strict=True):
            row = table[label]
            for k, count in enumerate(vector):
                row[k] += count
        return _statistic(table)[0]

    observed, rng, as_large = chi2(), Random(seed), 0
    for _ in range(replicates):
        rng.shuffle(labels)
        as_large += chi2() >= observed * (1 - 1e-12)
    return (1 + as_large) / (1 + replicates)


def total_variation(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Half the sum of |difference of shares|, in [0, 1]: the share of traces that would have to change.

    None when a group is empty; ValueError when lengths differ.
    """
    n1, n2 = sum(first), sum(second)
    if len(first) != len(second):
        raise ValueError("both groups need one count per mode")
    if not n1 or not n2:
        return None
    return math.fsum(abs(a / n1 - b / n2) for a, b in zip(first, second, strict=True)) / 2


def mode_shifts(
    first: Sequence[int],
    second: Sequence[int],
    *,
    level: float = 0.95,
    adjust: Callable[[Sequence[float]], tuple[float, ...]] = holm,
) -> tuple[ModeShift, ...]:
    """Each mode's share in two groups; groups not empty.

    Intervals are not adjusted, p values are (`adjust`: Holm, or `benjamini_hochberg`).

    The p value is of the two-proportion z test with pooled variance, 1 for a mode nobody has.
    """
    n1, n2 = sum(first), sum(second)
    if len(first) != len(second) or not n1 or not n2:
        raise ValueError("two groups with at least one trace and one count per mode are needed")
    raw: dict[int, float] = {}
    for k, (a, b) in enumerate(zip(first, second, strict=True)):
        pooled = (a + b) / (n1 + n2)
        variance = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
        if a + b:  # a mode nobody has is no test, and must not cost the others
            raw[k] = normal_two_sided_p((a / n1 - b / n2) / math.sqrt(variance)) if variance > 0 else 1.0
    adjusted = dict(zip(raw, adjust(list(raw.values())), strict=True))
    return tuple(
        ModeShift(a / n1 - b / n2, *newcombe(a, n1, b, n2, level), adjusted.get(k, 1.0))
        for k, (a, b) in enumerate(zip(first, second, strict=True))
    )
