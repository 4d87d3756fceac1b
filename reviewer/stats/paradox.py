"""The warning that high agreement stands beside a low kappa, and why.

It says that kappa, p_o, AC1 and PABAK must be read together, not that one of them is wrong.
Sources: Feinstein & Cicchetti 1990, J Clin Epidemiol 43:543-549; Byrt, Bishop & Carlin 1993; the
thresholds are ours.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from reviewer.stats.cohen import kappa_value
from reviewer.stats.margins import bias_index, kappa_max, largest_share, pabak
from reviewer.stats.table import Table

HIGH_AGREEMENT = 0.8
GAP = 0.2
ONE_CATEGORY = 0.8
NEAR_MAXIMUM = 0.1

Cause = Literal["prevalence", "bias"]


@dataclass(frozen=True, slots=True)
class Paradox:
    """`causes` in order of weight; the figures they rest on; `category` is the most used one."""

    causes: tuple[Cause, ...]
    category: Hashable
    share: float
    bias: float
    kappa_max: float
    sentence: str


def paradox(table: Table, ac1: float | None = None) -> Paradox | None:
    """The warning, or None: p_o >= .80 while PABAK - kappa, or AC1 - kappa, is >= .20.

    prevalence: the most used category has a mean share >= .80 (or no other cause is found: the gap is there
    because chance agreement is far above 1/q). bias: kappa is within .1 of the greatest that the raters'
    unequal margins allow.
    """
    kappa, top = kappa_value(table), kappa_max(table)
    share, bias, flat = largest_share(table), bias_index(table), pabak(table).value
    if kappa is None or top is None or share is None or bias is None or flat is None:
        return None
    if table.agreed < HIGH_AGREEMENT * table.n:
        return None
    if max(flat, -1.0 if ac1 is None else ac1) - kappa < GAP:
        return None
    causes: list[Cause] = []
    if share >= ONE_CATEGORY:
        causes.append("prevalence")
    if bias and top - kappa <= NEAR_MAXIMUM:
        causes.append("bias")
    used = [r + c for r, c in zip(table.rows, table.columns, strict=True)]
    category = table.categories[used.index(max(used))]
    found = tuple(causes) or ("prevalence",)
    return Paradox(found, category, share, bias, top, _sentence(found, share, top))


def _sentence(causes: tuple[Cause, ...], share: float, top: float) -> str:
    parts = []
    if "prevalence" in causes:
        parts.append(f"one category takes {share:.0%} of the ratings, so chance agreement is high")
    if "bias" in causes:
        parts.append(f"the raters use the categories unequally, so kappa can be {top:.2f} at most")
    return "Agreement is high but kappa is low: " + "; ".join(parts) + ". Read the figures together."
