"""Histories for tests: people label, take back, undo and are shown things, in one store or in several."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from reviewer import taxonomy
from reviewer.label import Annotator, EventKind, Exposure, LabelEvent, Link, Suggestion
from reviewer.store import Store
from reviewer.trace import Outcome, Step, Trace, TraceInfo, digest, record_hashes, renumbered, trace_id

SIX = taxonomy.load("six-modes")
OTHER = taxonomy.parse('id = "two"\nversion = "1"\n[[mode]]\nid = "x"\n[[mode]]\nid = "other"\n')
NUMBERS = count()
PEOPLE = {"ana": Annotator("a1-ana", "ana"), "ben": Annotator("a1-ben", "ben")}


def now() -> str:
    """A clock that never stands still."""
    return f"2026-01-01T00:00:00.{next(NUMBERS):06}Z"


def session(records: list[str], first: str = "one", **more: Any) -> Trace:
    """A trace of a session that may grow: its id rests on `first`, its content on all records."""
    steps = renumbered([Step(0, "user", text, source_ids=(text,)) for text in records])
    info = TraceInfo(trace_id(first), digest([first, records]), "plain", n_steps=len(records), task=first)
    return Trace(replace(info, **more), steps, f"{records}".replace("'", '"'), record_hashes(records))


def put(store: Store, trace: Trace, *outcomes: Outcome) -> str:
    with store.write():
        id = store.traces.put(trace, now=now()).trace_id
        for outcome in outcomes:
            store.outcomes.put(id, outcome, now=now())
    return id


def event(
    trace: str, kind: EventKind = "label", mode: str = "other", who: str = "ana", **more: Any
) -> LabelEvent:
    decided = {"taxonomy": SIX.id, "taxonomy_hash": SIX.hash, "mode": mode if kind in _DECIDED else ""}
    made = LabelEvent(f"e{next(NUMBERS)}", kind, trace, PEOPLE[who].id, now(), "test", "test", **decided)
    return replace(made, **more)


_DECIDED = ("label", "adjudicate")


def say(
    store: Store, trace: str, kind: EventKind = "label", mode: str = "other", who: str = "ana", **more: Any
) -> LabelEvent:
    """One event, as the app makes it."""
    store.labels.meet(PEOPLE[who], now=now())
    store.settings.keep_taxonomy(SIX)
    return store.labels.record(event(trace, kind, mode, who, **more))


def take_back(store: Store, who: str = "ana") -> LabelEvent | None:
    def again(old: LabelEvent) -> LabelEvent:
        return replace(old, id=f"u{next(NUMBERS)}", at=now(), origin="undo", content_hash="")

    return store.labels.undo((PEOPLE[who].id, SIX.id, 1), again)


def show(store: Store, trace: str, kind: str = "suggestion", who: str = "ana", ref: str = "s1") -> None:
    exposure = Exposure(f"x{next(NUMBERS)}", PEOPLE[who].id, trace, kind, ref, now())  # type: ignore[arg-type]
    store.labels.expose([exposure])


def link(store: Store, a: str, b: str, *, same: bool = True, by: str = "ana") -> bool:
    """Somebody says that two of `PEOPLE` are one person, or are not."""
    ids = PEOPLE[a].id, PEOPLE[b].id
    return store.labels.links.say(Link(f"l{next(NUMBERS)}", *ids, same, PEOPLE[by].id, now()))


def suggest(store: Store, trace: str, mode: str = "other", **more: Any) -> Suggestion:
    made = Suggestion(f"s{next(NUMBERS)}", "r", trace, "c", SIX.hash, "rules", "ok", now(), mode=mode)
    store.suggestions.save(replace(made, **more))
    return replace(made, **more)
