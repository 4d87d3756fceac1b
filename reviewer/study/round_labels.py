"""The labels of one round in the shapes that are compared: by person and trace, those that count and all.

Knows no statistic: `agreement.py` says who is compared with whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from reviewer.label import Annotator, LabelEvent
from reviewer.store import Store
from reviewer.study import again, carried
from reviewer.study.columns import Frame, Row, Said
from reviewer.study.current import Current, current
from reviewer.study.rows import verdict
from reviewer.taxonomy import Taxonomy

Labels: TypeAlias = Mapping[str, Mapping[str, Said]]  # annotator -> trace -> label


class RoundLabels:
    """The labels of one round in the shapes that the statistics take."""

    def __init__(
        self,
        store: Store,
        taxonomy: Taxonomy,
        round: int,
        across: bool,
        bootstrap: tuple[int, int] | None,
        *,
        carry: bool = False,
        only: Collection[str] | None = None,
    ) -> None:
        self.taxonomy = taxonomy
        self.people = store.labels.annotators()
        counted = among(_counted(store, taxonomy, round, across=across, carry=carry), only)
        self.heads, self.counted = counted.labels, counted.counted
        self.conflicts, self.other_versions = len(counted.conflicts), counted.other_versions
        self.blind = settled(counted.blind)
        # what people say now, the assisted labels among it
        self.current = settled([event for event in self.counted if event.condition != "peers"])
        self.conditions = {(event.annotator, event.trace_id): event.condition for event in self.heads}
        infos = store.traces.all()
        tasks = {info.trace_id: "\0".join(info.task_key) for info in infos}
        self.frame = Frame(taxonomy, tasks, {info.trace_id: info.n_steps for info in infos}, bootstrap)
        # labels of another version may have modes that this one lacks
        said = sorted({event.mode for event in self.heads})
        self.modes = list(dict.fromkeys([*(mode.id for mode in taxonomy.modes), *(said if across else ())]))
        self.passed = {trace: verdict(said)[0] is True for trace, said in store.outcomes.all().items()}
        self.suggestions = [one for one in store.suggestions.all(taxonomy.hash) if one.status == "ok"]
        pairs = again.pairs(store, taxonomy, round)
        self.again = [pair for pair in pairs if only is None or pair[0].trace_id in only]

    def person(self, id: str) -> Annotator:
        return self.people.get(id, Annotator(id, id))

    def shared_by(self, labels: Labels, a: str, b: str) -> list[Row]:
        mine, theirs = labels.get(a, {}), labels.get(b, {})
        return [(trace, mine[trace], theirs[trace]) for trace in mine if trace in theirs]


def among(counted: Current, only: Collection[str] | None) -> Current:
    """Of what counts only what is about these traces (None: all)."""
    if only is None:
        return counted
    return replace(
        counted,
        heads=tuple(event for event in counted.heads if event.trace_id in only),
        blind=tuple(event for event in counted.blind if event.trace_id in only),
        conflicts=tuple(pair for pair in counted.conflicts if pair[0] in only),
    )


def _counted(store: Store, taxonomy: Taxonomy, round: int, *, across: bool, carry: bool) -> Current:
    """What counts; with `carry` earlier labels too, as they read under this codebook, else left out."""
    if not carry:
        return current(store, taxonomy, round, across=across)
    found = carried.carry(store, taxonomy, round)
    return replace(found.current, other_versions=found.left)


def settled(events: Iterable[LabelEvent]) -> dict[str, dict[str, Said]]:
    """annotator -> trace -> label; who has more than one label on a trace has none that counts.

    In the order of their ids, so that a seed draws the same in whatever order stores were merged.
    """
    events = sorted(events, key=lambda event: (event.annotator, event.trace_id))
    times = Counter((event.annotator, event.trace_id) for event in events)
    labels: dict[str, dict[str, Said]] = {}
    for event in events:
        if times[event.annotator, event.trace_id] == 1:
            labels.setdefault(event.annotator, {})[event.trace_id] = Said.of(event)
    return labels
