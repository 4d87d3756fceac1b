"""What a source record says of a trace beyond the benchmark's own verdict: people's labels, judges' opinions.

A published set brings labels, a tracing tool brings the scores of judges and the remarks of people. Whoever
has not decided yet must not read them; where they are shown, that is recorded like any look at a suggestion
or at what others said. Knows nothing of who may look: the sessions and commands decide that.
"""

from __future__ import annotations

from collections.abc import Iterable

from reviewer.label import FROM_SET, ExposureKind
from reviewer.session.desk import Desk
from reviewer.store import Store
from reviewer.trace import Json, Outcome, digest


def in_record(store: Store, trace_id: str, outcomes: Iterable[Outcome]) -> list[tuple[ExposureKind, str]]:
    """What of others stands in the record of a trace, as exposures: labels of its set, opinions."""
    events = store.labels.events(trace_id)
    found: list[tuple[ExposureKind, str]] = [
        ("peers", event.id) for event in events if event.origin.startswith(FROM_SET)
    ]
    return [*found, *opinions(outcomes)]


def read_record(desk: Desk, trace_id: str) -> None:
    """Commit that this annotator is about to see the whole source record, and what others said in it."""
    store = desk.store
    desk.expose(trace_id, in_record(store, trace_id, store.outcomes.of(trace_id)))


def opinions_said(store: Store, trace_id: str) -> list[Json]:
    """What judges and people said of a trace, as it stands in its source, with the notes of its set."""
    said: list[Json] = [one.detail for one in store.outcomes.of(trace_id) if one.said_by]
    events = store.labels.events(trace_id)
    return said + [one.note for one in events if one.note and one.origin.startswith(FROM_SET)]


def opinions(outcomes: Iterable[Outcome]) -> list[tuple[ExposureKind, str]]:
    """Opinions as exposures: a judge's is as good as a suggestion, a person's as good as a label."""
    kinds: dict[str, ExposureKind] = {"judge": "suggestion", "person": "peers"}
    return [
        (kinds[one.said_by], f"{one.origin} {digest([one.passed, one.score, one.detail])[:16]}")
        for one in outcomes
        if one.said_by
    ]
