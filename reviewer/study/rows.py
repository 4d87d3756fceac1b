"""The one row source of all exports, reports and lists: each trace with its gold, labels, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.label import Gold, LabelEvent, LabelledTrace
from reviewer.store import Store
from reviewer.study import carried
from reviewer.study.basis import own, stale
from reviewer.study.current import current
from reviewer.study.gold import by_trace, golds
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Outcome, plain


def labelled_traces(
    store: Store, taxonomy: Taxonomy, round: int, *, children: bool = False, carry: bool = False
) -> Iterator[LabelledTrace]:
    """Every trace in order of import (sub-agent runs only with `children`) as the exporters' row.

    With `carry`, labels made under earlier codebooks are read under this one where that is certain.
    """
    counted = carried.carry(store, taxonomy, round).current if carry else current(store, taxonomy, round)
    known = golds(counted.heads, counted.blind)
    events, blind = by_trace(counted.heads), by_trace(counted.blind)
    outcomes = store.outcomes.all()
    annotators = store.labels.annotators()
    suggested: dict[str, list[int]] = {}
    suggestions = store.suggestions.all(taxonomy.hash)
    for place, suggestion in enumerate(suggestions):
        suggested.setdefault(suggestion.trace_id, []).append(place)
    for info in store.traces.all(children=children):
        passed, score = verdict(outcomes.get(info.trace_id, ()))
        yield LabelledTrace(
            info=info,
            passed=passed,
            score=score,
            gold=known.get(info.trace_id, Gold("none")),
            labels=_told(events.get(info.trace_id, ())),
            blind=_told(blind.get(info.trace_id, ())),
            suggestions=tuple(suggestions[place] for place in suggested.get(info.trace_id, ())),
            annotators=annotators,
            outcomes=tuple(outcomes.get(info.trace_id, ())),
            stale=_stale(events.get(info.trace_id, ())),
            own=frozenset(event.id for event in events.get(info.trace_id, ()) if own(event)),
        )


def _stale(events: Sequence[LabelEvent]) -> frozenset[str]:
    """The adjudications among these that were made over other labels than those that stand now."""
    labels = [event for event in events if event.kind == "label"]
    return frozenset(event.id for event in events if event.kind == "adjudicate" and stale(event, labels))


def _told(events: Sequence[LabelEvent]) -> tuple[LabelEvent, ...]:
    """In one order, whichever way the events came into the store."""
    return tuple(sorted(events, key=lambda event: (event.at, event.id)))


def verdict(outcomes: Sequence[Outcome]) -> tuple[bool | None, float | None]:
    """(passed, score) by the benchmark, whatever judges and people think; where two differ, unknown."""
    graded = plain(outcomes)
    passed = {outcome.passed for outcome in graded if outcome.passed is not None}
    scores = {outcome.score for outcome in graded if outcome.score is not None}
    return (
        next(iter(passed)) if len(passed) == 1 else None,
        next(iter(scores)) if len(scores) == 1 else None,
    )
