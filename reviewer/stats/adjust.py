"""p values adjusted for many tests: Holm and Benjamini-Hochberg. Knows no test."""

from __future__ import annotations

from collections.abc import Sequence


def _checked(p_values: Sequence[float]) -> list[int]:
    """The positions in ascending order of p; ValueError for anything that is no probability."""
    for p in p_values:
        if not (isinstance(p, int | float) and 0 <= p <= 1):
            raise ValueError(f"not a probability: {p}")
    return sorted(range(len(p_values)), key=p_values.__getitem__)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Step-down adjusted p values in the order given; family-wise error. Holm 1979, Scand J Stat 6:65-70."""
    m = len(p_values)
    adjusted = [0.0] * m
    largest = 0.0
    for rank, at in enumerate(_checked(p_values)):
        largest = max(largest, min(1.0, (m - rank) * p_values[at]))
        adjusted[at] = largest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Step-up adjusted p values in the order given; false discovery rate. JRSS B 1995, 57:289-300."""
    m = len(p_values)
    adjusted = [0.0] * m
    smallest = 1.0
    for rank, at in reversed(list(enumerate(_checked(p_values), start=1))):
        smallest = min(smallest, p_values[at] * m / rank)
        adjusted[at] = smallest
    return tuple(adjusted)
