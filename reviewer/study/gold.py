"""What a trace is taken to be: from the labels of people to gold, with the reason for it.

Pure: works on label events, knows no store. Gold is adjudicated, or at least two independent blind
labels that agree while nobody's current label says otherwise; one label alone is never gold. What is
unanimous is settled by this rule and by no person: no event is made for it. An adjudication stays gold when
the labels change after it; it is marked as stale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reviewer.label import Decision, Gold, GoldStatus, LabelEvent
from reviewer.study.basis import own, stale


def decision_of(event: LabelEvent) -> Decision:
    """What a label or adjudication event decides."""
    return Decision(
        mode=event.mode,
        submode=event.submode,
        secondary=event.secondary,
        facets=event.facets,
        step_source=event.step_source,
        step_n=event.step_n,
        note=event.note,
        reason=event.reason,
        confidence=event.confidence,
        guideline=event.guideline,
    )


def gold(heads: Sequence[LabelEvent], blind: Sequence[LabelEvent]) -> Gold:
    """The gold of one trace, from its current events and its blind labels (one taxonomy, one round)."""
    adjudications = [event for event in heads if event.kind == "adjudicate"]
    labels = [event for event in heads if event.kind == "label"]
    ids = tuple(event.id for event in (*labels, *adjudications))
    if adjudications:
        modes, people = ({getattr(e, name) for e in adjudications} for name in ("mode", "annotator"))
        if len(modes) > 1 or len(people) < len(adjudications):
            return Gold("conflict", events=ids)
        decision = _shared(adjudications) if len(adjudications) > 1 else decision_of(adjudications[0])
        reasons = sorted({event.reason for event in adjudications if event.reason})
        decision = replace(
            decision, reason=" / ".join(reasons), guideline=any(e.guideline for e in adjudications)
        )
        old = all(stale(event, labels) for event in adjudications)  # one that was made anew is enough
        mine = all(own(event) for event in adjudications)  # beside a third person's it does not stand alone
        return Gold("adjudicated", decision, tuple(event.id for event in adjudications), old, mine)
    status = _status(labels, blind)
    if status == "unanimous":
        return Gold(status, _shared(blind), tuple(event.id for event in blind))
    return Gold(status, events=ids)


def _status(labels: Sequence[LabelEvent], blind: Sequence[LabelEvent]) -> GoldStatus:
    if not labels:
        return "none"
    people = {event.annotator for event in labels}
    if len(people) < len(labels):
        return "conflict"
    if len(people) == 1:
        return "single"
    if len({event.mode for event in labels}) > 1:
        return "disagreed"
    independent = {event.annotator for event in blind}
    if len(independent) < 2:
        return "assisted"
    if len(independent) < len(blind) or len({event.mode for event in (*labels, *blind)}) > 1:
        return "disagreed"
    return "unanimous"


def _shared(blind: Sequence[LabelEvent]) -> Decision:
    """The mode that all gave; of the details only those that all gave alike, and the one step marked."""
    first = decision_of(blind[0])
    rest = [decision_of(event) for event in blind[1:]]
    steps = marked(blind)
    step = steps[0] if len(steps) == 1 else None
    return Decision(
        mode=first.mode,
        submode=first.submode if all(other.submode == first.submode for other in rest) else "",
        secondary=first.secondary if all(other.secondary == first.secondary for other in rest) else (),
        facets={
            key: value for key, value in first.facets.items() if all(o.facets.get(key) == value for o in rest)
        },
        step_source=step.step_source if step else "",
        step_n=step.step_n if step else None,
    )


def marked(said: Iterable[LabelEvent]) -> list[LabelEvent]:
    """The decisive steps that were marked, in the order of the trace: of each step one who marked it."""
    steps = {event.step_source or event.step_n: event for event in said if event.step_n is not None}
    return sorted(steps.values(), key=lambda event: event.step_n or 0)


def by_trace(events: Iterable[LabelEvent]) -> dict[str, list[LabelEvent]]:
    """The events of each trace, in their order."""
    found: dict[str, list[LabelEvent]] = defaultdict(list)
    for event in events:
        found[event.trace_id].append(event)
    return dict(found)


def golds(heads: Iterable[LabelEvent], blind: Iterable[LabelEvent]) -> dict[str, Gold]:
    """The gold of every trace that has a current event."""
    independent = by_trace(blind)
    return {trace: gold(events, independent.get(trace, ())) for trace, events in by_trace(heads).items()}
