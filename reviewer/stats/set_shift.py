"""Do two groups of traces fail in the same ways, where a trace can have several modes at once?

Sets are not multinomial, so there is no pooled chi square: each mode is a yes or no of its own, and the
largest |z| over the modes is held against what shuffled groups give (Westfall & Young 1993, max T). Whole
tasks are shuffled where tasks are given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class SetShift:
    """One mode: its share in the first group minus that in the second, z, and p for the family of modes."""

    mode: Hashable
    difference: float
    z: float
    p: float


def set_shifts(
    sets: Sequence[Collection[Hashable]],
    in_first: Sequence[bool],
    *,
    seed: int,
    tasks: Sequence[Hashable] | None = None,
    replicates: int = 2000,
) -> tuple[SetShift, ...]:
    """Every mode that some trace has, in order of appearance; nothing where a group is empty.

    One set and one group per trace, ValueError when lengths differ or a task lies in both groups.
    """
    units = list(range(len(sets))) if tasks is None else list(tasks)
    if len({len(sets), len(in_first), len(units)}) > 1:
        raise ValueError("sets, groups and tasks need one value per trace")
    modes = tuple(dict.fromkeys(mode for one in sets for mode in one))
    place = {mode: k for k, mode in enumerate(modes)}
    sizes: dict[Hashable, int] = {}
    counts: dict[Hashable, list[int]] = {}
    home: dict[Hashable, bool] = {}
    for unit, one, first in zip(units, sets, in_first, strict=True):
        if home.setdefault(unit, bool(first)) != bool(first):
            raise ValueError("a task lies in two groups")
        sizes[unit] = sizes.get(unit, 0) + 1
        vector = counts.setdefault(unit, [0] * len(modes))
        for mode in set(one):
            vector[place[mode]] += 1
    if len(set(home.values())) < 2:
        return ()
    found = _differences(sizes, counts, list(home.values()))
    labels, rng, larger = list(home.values()), Random(seed), [0] * len(modes)
    for _ in range(replicates):
        rng.shuffle(labels)
        top = max((abs(z) for _, z in _differences(sizes, counts, labels)), default=0.0)
        for k, (_, z) in enumerate(found):
            larger[k] += top >= abs(z) * (1 - 1e-12)
    return tuple(
        SetShift(mode, difference, z, (1 + larger[k]) / (1 + replicates))
        for k, (mode, (difference, z)) in enumerate(zip(modes, found, strict=True))
    )


def _differences(
    sizes: Mapping[Hashable, int], counts: Mapping[Hashable, Sequence[int]], labels: Sequence[bool]
) -> list[tuple[float, float]]:
    """(difference of shares, z with the pooled variance) of each mode."""
    n1 = sum(size for size, first in zip(sizes.values(), labels, strict=True) if first)
    n2 = sum(sizes.values()) - n1
    whole = [sum(column) for column in zip(*counts.values(), strict=True)]
    part = [vector for vector, first in zip(counts.values(), labels, strict=True) if first]
    mine = [sum(column) for column in zip(*part, strict=True)]
    found = []
    for a, all_ in zip(mine, whole, strict=True):
        p = all_ / (n1 + n2)
        difference = a / n1 - (all_ - a) / n2
        spread = math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))
        found.append((difference, difference / spread if spread else 0.0))
    return found
