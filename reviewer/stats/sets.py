"""Distances between sets of labels, for traces that can have several modes. Knows no raters.

The empty set is a value ("no failure mode"): at distance 0 from itself, at 1 from every other set.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable


def jaccard_distance(a: Collection[Hashable], b: Collection[Hashable]) -> float:
    """1 - |a & b| / |a | b|, in [0, 1]; 0 for two empty sets; a string is no set: TypeError. Jaccard 1901."""
    one, two = _sets(a, b)
    union = one | two
    return 1 - len(one & two) / len(union) if union else 0.0


def masi_distance(a: Collection[Hashable], b: Collection[Hashable]) -> float:
    """1 - J M: J the Jaccard index, M = 1 equal, 2/3 one within the other, 1/3 overlapping, 0 disjoint.

    In [0, 1]. Source: Passonneau 2006, LREC.
    """
    one, two = _sets(a, b)
    if one == two:
        return 0.0
    shared = len(one & two)
    if not shared:
        return 1.0
    thirds = 2 if one < two or two < one else 1
    return 1 - shared * thirds / (3 * len(one | two))


def _sets(
    a: Collection[Hashable], b: Collection[Hashable]
) -> tuple[frozenset[Hashable], frozenset[Hashable]]:
    if isinstance(a, str | bytes) or isinstance(b, str | bytes):
        raise TypeError("a set of labels is wanted; a string would be taken for a set of letters")
    return frozenset(a), frozenset(b)


def nominal_distance(a: Hashable, b: Hashable) -> float:
    """0 when equal, else 1."""
    return float(a != b)
