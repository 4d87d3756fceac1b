"""Two columns of labels on the same traces: everything that is said of how far they agree.

The one way to compare, whoever the columns belong to: two people, a person and the same person later, a
person and a suggester. Knows no round and no store: who is compared with whom, and on what, is decided
by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from reviewer.label import LabelEvent, Suggestion
from reviewer.stats.agreement import PairAgreement, pair_agreement
from reviewer.stats.clustered import clustered_share
from reviewer.stats.estimate import Estimate
from reviewer.stats.few import alpha_judged, judged
from reviewer.stats.krippendorff import alpha_sets
from reviewer.stats.resampled import kappa_bootstrap
from reviewer.stats.sets import masi_distance
from reviewer.taxonomy import Taxonomy
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """What one rater said of one trace."""

    mode: str
    submode: str = ""
    secondary: tuple[str, ...] = ()
    facets: Mapping[str, str] = field(default_factory=dict)
    step: int | None = None

    @classmethod
    def of(cls, one: LabelEvent | Suggestion) -> Said:
        if isinstance(one, Suggestion):
            return cls(one.mode, facets=one.facets, step=one.step_n)
        return cls(one.mode, one.submode, one.secondary, one.facets, one.step_n)

    @property
    def modes(self) -> frozenset[str]:
        """The primary mode and the secondary ones."""
        return frozenset((self.mode, *self.secondary))


Row: TypeAlias = tuple[str, Said, Said]  # trace, one's label, the other's


@dataclass(frozen=True, slots=True)
class Frame:
    """What all comparisons of a round rest on.

    `tasks` and `steps` are known by trace; `bootstrap` is (resamples, seed), None for none.
    """

    taxonomy: Taxonomy
    tasks: Mapping[str, str]
    steps: Mapping[str, int]
    bootstrap: tuple[int, int] | None = None

    def task(self, trace: str) -> str:
        return self.tasks.get(trace, trace)


@dataclass(frozen=True, slots=True)
class StepAgreement:
    """The decisive step, where both named one: the same step, or at most one apart.

    The chances are those of two people who each pick any step of the trace: 1/N, and (3N - 2)/N^2 within
    one. Traces whose number of steps is not known here are left out of all four; `n` counts the others.
    """

    n: int
    exact: Estimate
    near: Estimate
    exact_chance: float | None
    near_chance: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two columns. `found` is about the primary mode (strict); a facet or submode counts where both said one.

    `lenient`: the primary mode of one is among all modes of the other. `masi`: Krippendorff's alpha of the
    sets of all modes. `submode`: among traces with the same mode. `drawn`: kappa with a bootstrap interval.
    """

    rows: tuple[Row, ...]
    found: PairAgreement
    lenient: Estimate
    masi: Estimate
    steps: StepAgreement
    submode: PairAgreement
    facets: Mapping[str, PairAgreement]
    drawn: Estimate | None = None


def compare(rows: Sequence[Row], frame: Frame, categories: Sequence[str] | None = None) -> Compared:
    """Everything about two columns; `categories` are all the modes unless given."""
    book = frame.taxonomy
    tasks = [frame.task(trace) for trace, _, _ in rows]
    names = [mode.id for mode in book.modes] if categories is None else categories
    found = _pair([(trace, a.mode, b.mode) for trace, a, b in rows], frame, names)
    drawn = None
    if frame.bootstrap is not None:
        replicates, seed = frame.bootstrap
        drawn = judged(kappa_bootstrap(found.table, replicates=replicates, seed=seed), found.table.tasks)
    sets = [[said.modes for said in column] for column in ([a for _, a, _ in rows], [b for _, _, b in rows])]
    return Compared(
        rows=tuple(rows),
        found=found,
        lenient=_share([(trace, a.mode in b.modes or b.mode in a.modes) for trace, a, b in rows], frame),
        masi=alpha_judged(alpha_sets(sets, masi_distance, tasks=tasks), found.table.tasks),
        steps=step_agreement(rows, frame),
        submode=_submode(rows, frame),
        facets={facet.id: _facet(rows, frame, facet.id) for facet in book.facets},
        drawn=drawn,
    )


def step_agreement(rows: Sequence[Row], frame: Frame) -> StepAgreement:
    """How far the decisive steps agree; see `StepAgreement`."""
    placed = [
        (trace, abs(a.step - b.step), frame.steps[trace])
        for trace, a, b in rows
        if a.step is not None and b.step is not None and frame.steps.get(trace)
    ]
    n = len(placed)
    return StepAgreement(
        n,
        _share([(trace, apart == 0) for trace, apart, _ in placed], frame),
        _share([(trace, apart <= 1) for trace, apart, _ in placed], frame),
        sum(1 / steps for _, _, steps in placed) / n if n else None,
        sum((3 * steps - 2) / steps**2 for _, _, steps in placed) / n if n else None,
    )


def _share(items: Sequence[tuple[str, bool]], frame: Frame) -> Estimate:
    tasks: dict[str, list[bool]] = {}
    for trace, agreed in items:
        tasks.setdefault(frame.task(trace), []).append(agreed)
    return clustered_share([(sum(one), len(one)) for one in tasks.values()])


def _pair(items: Sequence[tuple[str, str, str]], frame: Frame, categories: Sequence[str]) -> PairAgreement:
    return pair_agreement(
        [a for _, a, _ in items],
        [b for _, _, b in items],
        categories=categories,
        tasks=[frame.task(trace) for trace, _, _ in items],
    )


def _facet(rows: Sequence[Row], frame: Frame, facet: str) -> PairAgreement:
    choices = next([one.id for one in known.choices] for known in frame.taxonomy.facets if known.id == facet)
    items = [(trace, a.facets[facet], b.facets[facet]) for trace, a, b in rows if _both(a, b, facet)]
    return _pair(items, frame, choices)


def _both(a: Said, b: Said, facet: str) -> bool:
    return bool(a.facets.get(facet) and b.facets.get(facet))


def _submode(rows: Sequence[Row], frame: Frame) -> PairAgreement:
    book = frame.taxonomy
    names = [f"{mode.id}/{submode.id}" for mode in book.modes for submode in mode.submodes]
    items = [
        (trace, f"{a.mode}/{a.submode}", f"{b.mode}/{b.submode}")
        for trace, a, b in rows
        if a.mode == b.mode and a.submode and b.submode
    ]
    return _pair(items, frame, names)
