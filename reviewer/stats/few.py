"""Too few items or tasks: a value without an interval, for every coefficient alike.

Below five units no spread between them can be judged: a standard error from two of them means nothing, and
intervals that need none (Wilson's, the score interval) would tell of one coefficient what is kept back of
another. The functions of the coefficients themselves give what their sources give; this is for what is told.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from reviewer.stats.estimate import Estimate, undefined

FEW: Final = 5
_SAME = ("too_few_items", "few_items", "few_tasks")


def judged(found: Estimate, tasks: Collection[object] = ()) -> Estimate:
    """The estimate, without an interval where it rests on fewer than FEW items, or on two to four `tasks`.

    `tasks` as in `Table` and `ItemCounts`: empty where each item is a task. All of one task is a remark of
    its own already.
    """
    if found.value is None or (found.n >= FEW and not 1 < len(tasks) < FEW):
        return found
    word = "few_items" if found.n < FEW else "few_tasks"
    kept = tuple(one for one in found.remarks if one not in _SAME and one != "cut_below")
    return replace(found, low=None, high=None, interval="", remarks=(*kept, word))


def alpha_judged(found: Estimate, tasks: Collection[object] = ()) -> Estimate:
    """The same of an alpha, which of one item has no value: what chance gives is read off that very item."""
    if found.value is not None and found.n < 2:
        return undefined("one_item", found.n)
    return judged(found, tasks)
