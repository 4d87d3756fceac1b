"""Whether an annotator labels the second half of a round otherwise than the first.

The halves are other traces, so a difference may be theirs; agreement with people and machines on the same
traces is less open to that. Criteria drift while people grade, which is no fault. Labels are taken as
independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from reviewer.label import LabelEvent
from reviewer.stats.intervals import newcombe
from reviewer.stats.shift import ModeShift, mode_shifts, permutation_p, total_variation
from reviewer.values import dataclass

FEW = 10  # labels in a half; below it nothing is said
TOO_FEW = f"fewer than {FEW} labels in a half"
_SEED = 20260101


@dataclass(frozen=True, slots=True)
class Change:
    """A share in the first half and in the second, as (hits, of); the difference is second less first."""

    first: tuple[int, int]
    second: tuple[int, int]
    undefined: str

    @property
    def difference(self) -> float | None:
        (a, n), (b, m) = self.first, self.second
        return None if self.undefined else b / m - a / n

    @property
    def bounds(self) -> tuple[float, float] | None:
        return None if self.undefined else newcombe(*self.second, *self.first)


@dataclass(frozen=True, slots=True)
class Drift:
    """Modes: how much would have to move (`moved`, 0 to 1), its p by permutation, the mode that moved most.

    `suggester` and `others`: agreement on the blind labels of each half with what was suggested, and with
    other people's blind labels on the same traces (a trace counts once for each of them).
    """

    n: int
    moved: float | None
    p: float | None
    mode: str
    shift: ModeShift | None
    suggester: Change
    others: Change
    undefined: str


def drift(
    labels: Sequence[LabelEvent],
    blind: Mapping[str, str],
    suggested: Mapping[str, frozenset[str]],
    peers: Mapping[str, Sequence[str]],
) -> Drift:
    """`labels` are one person's in the order they were made; `blind`, `suggested` and `peers` go by trace."""
    half = len(labels) // 2
    halves = labels[:half], labels[half:]
    modes = list(dict.fromkeys(event.mode for event in labels))
    moved = p = shift = None
    mode = ""
    if half >= FEW:
        counts = [[Counter(event.mode for event in part)[one] for one in modes] for part in halves]
        moved = total_variation(*counts)
        groups = [place for place, part in enumerate(halves) for _ in part]
        p = permutation_p(groups, [event.mode for event in labels], seed=_SEED)
        shifts = mode_shifts(counts[1], counts[0])
        mode, shift = max(zip(modes, shifts, strict=True), key=lambda one: abs(one[1].difference))
    machine = [[(t, t in suggested and blind[t] in suggested[t]) for t in _of(part, blind) if t in suggested]
               for part in halves]  # fmt: skip
    people = [
        [(t, other == blind[t]) for t in _of(part, blind) for other in peers.get(t, ())] for part in halves
    ]
    return Drift(
        n=len(labels),
        moved=moved,
        p=p,
        mode=mode,
        shift=shift,
        suggester=_change(machine),
        others=_change(people),
        undefined="" if half >= FEW else TOO_FEW,
    )


def _of(part: Sequence[LabelEvent], blind: Mapping[str, str]) -> list[str]:
    return [event.trace_id for event in part if event.trace_id in blind]


def _change(halves: Sequence[Sequence[tuple[str, bool]]]) -> Change:
    first, second = ((sum(hit for _, hit in part), len(part)) for part in halves)
    return Change(first, second, "" if min(first[1], second[1]) >= FEW else TOO_FEW)
