"""What an interval of agreement can tell, in words: the bands it reaches into, never one word for the value.

Bands: Cicchetti 1994, Psychol Assess 6:284-290, for kappa and its relatives: below .40 poor, to .59 fair, to
.74 good, from .75 excellent. Which band is good enough depends on what the labels are for.
"""

from __future__ import annotations

from typing import Final

from reviewer.stats.estimate import Estimate, explain

SOURCE: Final = "Cicchetti 1994"
BANDS: Final[tuple[tuple[float, str], ...]] = (
    (0.75, "excellent"),
    (0.60, "good"),
    (0.40, "fair"),
    (-1.0, "poor"),
)


def band(value: float) -> str:
    """The band that a value of at most 1 lies in."""
    return next((name for floor, name in BANDS if value >= floor), BANDS[-1][1])


_SILENT = {"few_items", "few_tasks", "too_few_items"}  # fewer than five items are of fewer than five tasks


def in_words(found: Estimate) -> str:
    """`n = 20: 0.37 to 0.87, cannot tell poor from excellent`; or why there is nothing to tell."""
    if found.value is None:
        return f"n = {found.n}: undefined. {explain(found.undefined)}"
    if found.low is None or found.high is None:
        return f"n = {found.n}: {found.value:.2f}, cannot tell ({no_interval(found)})"
    if found.of_one_task:
        return f"n = {found.n}: {found.low:.2f} to {found.high:.2f}, all of one task: cannot tell"
    low, high = band(found.low), band(found.high)
    told = f"cannot tell {low} from {high}" if low != high else f"{low} from end to end ({SOURCE})"
    return f"n = {found.n}: {found.low:.2f} to {found.high:.2f}, {told}"


def no_interval(found: Estimate) -> str:
    """Why a value has no interval, in words that may stand in brackets; empty where it has one."""
    if found.value is None or found.low is not None:
        return ""
    few = not _SILENT.isdisjoint(found.remarks)
    return f"no interval: {'fewer than five tasks' if few else 'no spread seen'}"
