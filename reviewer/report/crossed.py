"""The rows of a report in the modes of another taxonomy, by a crosswalk; what it leaves open stays as it was.

Pure. Only the gold is read otherwise: the labels of people are what they said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reviewer.crosswalk import Crosswalk
from reviewer.label import LabelledTrace


def crossed(rows: Iterable[LabelledTrace], walk: Crosswalk) -> list[LabelledTrace]:
    """The rows with the gold mode of the other taxonomy where one is certain, else `ID:mode` of this one.

    A mode of the same name on both sides is not taken for the same: only what the crosswalk says counts.
    """
    return [_crossed(row, walk) for row in rows]


def _crossed(row: LabelledTrace, walk: Crosswalk) -> LabelledTrace:
    decision = row.gold.decision
    if decision is None:
        return row
    reading = walk.readings.get(decision.mode)
    mode = reading.certain if reading is not None else ""
    read = replace(decision, mode=mode or f"{walk.start}:{decision.mode}", submode="", facets={})
    return replace(row, gold=replace(row.gold, decision=read))
