"""Which trace comes next for an annotator: one without a label of theirs, as imported, skipped ones last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.study.gold import by_trace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import TraceInfo
from reviewer.values import dataclass

Done: TypeAlias = Literal["", "labelled", "skipped", "conflict"]


@dataclass(frozen=True, slots=True)
class Item:
    """One trace of an annotator's queue and what they have done with it; `mode` is their own label."""

    info: TraceInfo
    done: Done = ""
    mode: str = ""
    noted: bool = False
    flagged: bool = False


def queue(store: Store, annotator: str, taxonomy: Taxonomy, round: int) -> list[Item]:
    """All traces in order of import, with what this annotator, and nobody else, did in this round."""
    me = store.labels.links.people().person(annotator)
    events = by_trace(event for event in store.labels.heads(taxonomy.id, round) if event.annotator == me)
    return [item(info, events.get(info.trace_id, ())) for info in store.traces.all()]


def in_order_of(items: Sequence[Item], traces: Sequence[str]) -> list[Item]:
    """The items of these traces, in this order; traces that are not in the store are passed over."""
    known = {one.info.trace_id: one for one in items}
    return [known[trace] for trace in traces if trace in known]


def item(info: TraceInfo, mine: Sequence[LabelEvent]) -> Item:
    """What the current events of one annotator on one trace amount to."""
    kinds: dict[str, list[str]] = {}
    for event in mine:
        kinds.setdefault(event.kind, []).append(event.mode)
    labels = kinds.get("label", [])
    done: Done = "skipped" if "skip" in kinds else ""
    if labels:
        done = "labelled" if len(labels) == 1 else "conflict"
    return Item(info, done, labels[0] if len(labels) == 1 else "", "note" in kinds, "flag" in kinds)


def next_open(items: list[Item], after: int) -> int | None:
    """The place of the next trace without a label, from `after` on and round again; skipped ones last."""
    order = [*range(after + 1, len(items)), *range(min(after + 1, len(items)))]
    untouched = [place for place in order if items[place].done == ""]
    skipped = [place for place in order if items[place].done == "skipped" and place != after]
    return next(iter(untouched + skipped), None)
