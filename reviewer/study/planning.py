"""How many traces two people have to label for an interval of kappa that is narrow enough.

Cantor's and Flack's large-sample formula at the table that the shares of the modes and the expected kappa
imply (`stats.sample_size`). Several traces of one task tell less than as many tasks: the design effect,
1 + (m - 1) ICC, multiplies. What is planned for is expected, never measured: a round tells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.stats.distributions import two_sided
from reviewer.stats.sample_size import NARROWEST, size_for_interval, unit_variance
from reviewer.store import Store
from reviewer.study.current import current
from reviewer.taxonomy import Taxonomy
from reviewer.values import dataclass

KAPPA, WIDTH = 0.6, 0.1
ICC = 0.1  # how alike the traces of a task are, where nobody says otherwise
FEWEST = 30  # below this many traces the formula promises too much
LEFT_OVER = "(other)"


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of each mode, summing to 1, and where they come from, in words."""

    modes: tuple[tuple[str, float], ...]
    source: str

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(share for _, share in self.modes)


@dataclass(frozen=True, slots=True)
class ModeSize:
    """One mode against all others: how many traces; None where the formula has no answer."""

    mode: str
    share: float
    n: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What an interval of `kappa` ± `width` takes. `design`: the design effect that is in the sizes."""

    kappa: float
    width: float
    shares: Shares
    per_task: float
    icc: float
    design: float
    n: int
    modes: tuple[ModeSize, ...]


def plan(shares: Shares, kappa: float, width: float, per_task: float = 1.0, icc: float = ICC) -> Plan:
    """InputError: a number out of its range."""
    if not 0 <= kappa < 1:
        raise InputError(f"--kappa {kappa:g}: expect a kappa from 0 to below 1")
    if not NARROWEST <= width < 1:
        raise InputError(f"--width {width:g}: the half width of the interval is {NARROWEST:f} to below 1")
    design = design_effect(per_task, icc)
    modes = tuple(
        ModeSize(mode, share, size_for_interval((share, 1 - share), kappa, width, design=design))
        for mode, share in shares.modes
    )
    n = size_for_interval(shares.values, kappa, width, design=design)
    return Plan(kappa, width, shares, per_task, icc, design, n, modes)


def design_effect(per_task: float, icc: float = ICC) -> float:
    """InputError: less than one trace a task, or an ICC that is none."""
    if not 1 <= per_task <= 1e6:
        raise InputError(f"--per-task {per_task:g}: a task has one trace at least, and a million at most")
    if not 0 <= icc <= 1:
        raise InputError(f"--icc {icc:g}: how alike traces of a task are goes from 0 to 1")
    return 1 + (per_task - 1) * icc


def half_width(shares: Sequence[float], kappa: float, n: int, design: float = 1.0) -> float | None:
    """What n traces give: kappa ± this at 95 %; None where that is no interval worth the name."""
    if n < 2 or len(shares) < 2:
        return None
    table = [
        [kappa * p * (i == j) + (1 - kappa) * p * other for j, other in enumerate(shares)]
        for i, p in enumerate(shares)
    ]
    width = two_sided(0.95) * math.sqrt(unit_variance(table) * design / n)
    return width if width < 1 else None


def tasks_of(store: Store, traces: Collection[str] | None = None) -> float:
    """How many traces a task has on average, over all traces or these; 1 where there are none."""
    keys = [info.task_key for info in store.traces.all() if traces is None or info.trace_id in traces]
    return len(keys) / len(set(keys)) if keys else 1.0


# -- shares ------------------------------------------------------------------------------------


def published(taxonomy: Taxonomy) -> Shares:
    """The shares that the taxonomy's source published. InputError: it has none."""
    modes = [(mode.id, mode.share) for mode in taxonomy.modes if mode.share]
    rest = 1 - math.fsum(share for _, share in modes)
    if rest > 0.0005:
        modes.append((LEFT_OVER, rest))
    if len(modes) < 2:
        raise InputError(
            f"{taxonomy.id} has no published shares: say --shares store (of the labels here), or numbers"
        )
    return _normal(modes, f"as published with {taxonomy.id}")


def observed(store: Store, taxonomy: Taxonomy, round: int) -> Shares:
    """The shares among the blind labels of a round. InputError: there are none of two modes."""
    counts = Counter(event.mode for event in current(store, taxonomy, round).blind)
    if len(counts) < 2:
        raise InputError(f"round {round} has no blind labels of two modes to take shares from")
    order = [mode.id for mode in taxonomy.modes if counts[mode.id]]
    total = counts.total()
    return _normal(
        [(mode, counts[mode] / total) for mode in order],
        f"as in the {count(total, 'blind label')} of round {round}",
    )


def given(text: str) -> Shares:
    """`0.5,0.3,0.2`. InputError: they are no shares, or do not sum to 1."""
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--shares {text!r}: say published, store, or numbers such as 0.5,0.3,0.2") from None
    if len(values) < 2 or not all(0 < value < 1 for value in values) or abs(math.fsum(values) - 1) > 0.011:
        raise InputError(f"--shares {text!r}: at least two shares above 0 that sum to 1")
    return _normal([(f"{n}", value) for n, value in enumerate(values, 1)], "as given")


def _normal(modes: Iterable[tuple[str, float]], source: str) -> Shares:
    known = list(modes)
    total = math.fsum(share for _, share in known)
    return Shares(tuple((mode, share / total) for mode, share in known), source)
