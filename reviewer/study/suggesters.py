"""How good each suggester is, by version: against the blind labels of people only.

A version is one question: prompt, model as it was asked for (a server may answer under another name), and
every setting that changes what is asked; where it was asked is none.

Traces of a task that a version was taught with are left out of its figures: what it was told is no proof of
what it knows. Several people on one trace are several items; the task is the unit of the interval of kappa.
Looking often and keeping the best look is a choice too, so whoever prints this counts the looks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

from reviewer.label import Suggestion
from reviewer.stats.agreement import PairAgreement, pair_agreement
from reviewer.stats.intervals import wilson
from reviewer.store import Store
from reviewer.study.current import current
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, digest
from reviewer.values import dataclass

# suggester, model, prompt (or the version of the rules), the settings as JSON
Version: TypeAlias = tuple[str, str, str, str]
_ELSEWHERE = ("model", "endpoint")  # settings that are told otherwise, or change no question
LEARNED = "learned"  # in the `usage` of a suggestion: the traces that its prompt held as examples


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `n`, with Wilson's interval; without any there is no value."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def bounds(self) -> tuple[float, float]:
        return wilson(self.hits, self.n)


@dataclass(frozen=True, slots=True)
class ModeFigures:
    """One mode. Precision: of what was suggested as it; recall: of what people labelled as it."""

    mode: str
    precision: Share
    recall: Share


@dataclass(frozen=True, slots=True)
class VersionFigures:
    """One version of one suggester.

    `suggested` counts traces with a mode, `answers` all its answers by status; `held_back` are items that
    were left out because the version was taught with a trace of the same task.
    """

    suggester: str
    model: str
    prompt: str
    settings: dict[str, Json]
    suggested: int
    answers: dict[str, int]
    held_back: int
    traces: int
    found: PairAgreement
    modes: tuple[ModeFigures, ...]

    @property
    def key(self) -> str:
        settings = [digest(self.settings)[:12]] if self.settings else []
        return "/".join((self.suggester, self.model, self.prompt, *settings))


def version_of(one: Suggestion) -> Version:
    """Which question a suggestion answers."""
    asked = {name: value for name, value in one.settings.items() if name not in _ELSEWHERE}
    model = one.settings.get("model")
    prompt = one.prompt_hash or f"version {one.settings.get('version', '?')}"
    return (
        one.suggester,
        model if isinstance(model, str) and model else one.model,
        prompt,
        json.dumps(asked, sort_keys=True),
    )


def differing(one: VersionFigures, every: Sequence[VersionFigures]) -> dict[str, Json]:
    """The settings in which a version differs from others of the same suggester."""
    others = [other.settings for other in every if other.suggester == one.suggester]
    names = sorted({name for settings in others for name in settings})
    return {
        name: one.settings.get(name)
        for name in names
        if any(settings.get(name) != one.settings.get(name) for settings in others)
    }


def suggesters(store: Store, taxonomy: Taxonomy, round: int) -> list[VersionFigures]:
    """The figures of every version of every suggester, in the order in which they first suggested."""
    counted = current(store, taxonomy, round)
    labels = [(event.trace_id, event.mode) for event in counted.blind]
    tasks = {info.trace_id: "\0".join(info.task_key) for info in store.traces.all()}
    versions: dict[Version, list[Suggestion]] = {}
    for one in store.suggestions.every(taxonomy.hash):
        versions.setdefault(version_of(one), []).append(one)
    return [_figures(name, made, labels, tasks, taxonomy) for name, made in versions.items()]


def _figures(
    version: Version,
    made: Sequence[Suggestion],
    labels: Sequence[tuple[str, str]],
    tasks: dict[str, str],
    taxonomy: Taxonomy,
) -> VersionFigures:
    proposed = {one.trace_id: one.mode for one in made if one.status == "ok"}  # the newest of this version
    taught = {tasks.get(id, id) for one in made for id in one.usage.get(LEARNED) or ()}
    both = [(trace, proposed[trace], mode) for trace, mode in labels if trace in proposed]
    items = [item for item in both if tasks.get(item[0], item[0]) not in taught]
    newest = {one.trace_id: one.status for one in made}
    modes = [mode.id for mode in taxonomy.modes]
    suggester, model, prompt, settings = version
    return VersionFigures(
        suggester,
        model,
        prompt,
        settings=json.loads(settings),
        suggested=len(proposed),
        answers={status: list(newest.values()).count(status) for status in sorted(set(newest.values()))},
        held_back=len(both) - len(items),
        traces=len({item[0] for item in items}),
        found=pair_agreement(
            [item[1] for item in items],
            [item[2] for item in items],
            categories=modes,
            tasks=[tasks.get(item[0], item[0]) for item in items],
        ),
        modes=tuple(one for mode in modes if (one := _mode(mode, items)).precision.n or one.recall.n),
    )


def _mode(mode: str, items: Sequence[tuple[str, str, str]]) -> ModeFigures:
    hits = sum(a == b == mode for _, a, b in items)
    suggested = sum(a == mode for _, a, _ in items)
    labelled = sum(b == mode for _, _, b in items)
    return ModeFigures(mode, Share(hits, suggested), Share(hits, labelled))
