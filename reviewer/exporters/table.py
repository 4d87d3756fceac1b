"""The labelled set as a table: the columns and rows that `export csv`, `parquet` and `dataset` share.

One row a current label, adjudication or note, one a label that agreement counts although its person has
changed it since, and one for a trace that has none. `current` says what stands now, `counts` what agreement
counts. Of a row with a history (`--history`) one row an event; of a row with gold and no labels (`--gold`)
one row with the kind `gold`, whose `suggestions` are none on purpose.
The columns are the same whatever the store holds. Values only: no spelling, no file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from reviewer.exporters import WithTrace, records
from reviewer.label import Decision, LabelEvent, LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

Row: TypeAlias = dict[str, Json]

TEXT, NUMBER, TRUTH, JSON = "text", "number", "truth", "JSON"
COLUMNS = {
    **dict.fromkeys(("trace_id", "benchmark", "task_id"), TEXT),
    "attempt": NUMBER,
    **dict.fromkeys(("model", "agent", "ended"), TEXT),
    "passed": TRUTH,
    "score": NUMBER,
    "steps": NUMBER,
    **dict.fromkeys(("status", "settled_by", "gold_mode", "gold_submode"), TEXT),
    **dict.fromkeys(("stale", "own", "flagged"), TRUTH),
    "suggestions": JSON,
    **dict.fromkeys(("kind", "event_id", "annotator", "annotator_id", "mode", "submode"), TEXT),
    **dict.fromkeys(("secondary", "facets"), JSON),
    "step": NUMBER,
    **dict.fromkeys(("step_source", "note", "reason", "confidence", "condition"), TEXT),
    "guideline_must_change": TRUTH,
    "round": NUMBER,
    "seconds": NUMBER,
    "steps_opened": NUMBER,
    **dict.fromkeys(("at", "origin", "taxonomy", "taxonomy_hash"), TEXT),
    **dict.fromkeys(("format", "file", "content_hash"), TEXT),
    "supersedes": JSON,
    **dict.fromkeys(("parent_id", "split"), TEXT),
    **dict.fromkeys(("current", "counts"), TRUTH),
}
WITH_TRACE = {"task": TEXT, "trace": JSON}

_INFO = ("trace_id", "benchmark", "task_id", "attempt", "model", "agent", "ended")
_SAID = ("label", "adjudicate", "note")
_DECIDED = ("mode", "submode", "step_source", "note", "reason", "confidence")
_MADE = ("kind", "at", "origin", "round", "seconds", "steps_opened")


def columns(with_trace: WithTrace | None) -> Mapping[str, str]:
    """The columns and what they hold; with the steps two more."""
    return COLUMNS if with_trace is None else COLUMNS | WITH_TRACE


def table(rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None) -> Iterator[Row]:
    """The rows of the table as values, by column, each with every column."""
    for row in rows:
        shared = _of_trace(row, taxonomy, with_trace)
        events = said(row)
        for event in events:
            yield shared | _of_event(event, row, taxonomy)
        if not events:
            alone = row.gold.decision if not row.labels else None
            yield shared | _nothing(taxonomy) | (_of_gold(alone) if alone else {})


def said(row: LabelledTrace) -> tuple[LabelEvent, ...]:
    """The events that have a row of their own."""
    return row.history or (*(event for event in row.labels if event.kind in _SAID), *earlier(row))


def counting(row: LabelledTrace) -> tuple[LabelEvent, ...]:
    """The labels of this trace that agreement counts: blind, and the only one of their person."""
    times = Counter(event.annotator for event in row.blind)
    return tuple(event for event in row.blind if times[event.annotator] == 1)


def earlier(row: LabelledTrace) -> tuple[LabelEvent, ...]:
    """Those of them that do not stand any more: changed since, as a rule in sight of a suggestion."""
    now = {event.id for event in row.labels}
    return tuple(event for event in counting(row) if event.id not in now)


def _of_trace(row: LabelledTrace, taxonomy: Taxonomy, with_trace: WithTrace | None) -> Row:
    gold = row.gold.decision
    steps: Row = {}
    if with_trace is not None:
        trace = with_trace(row.info.trace_id)
        steps = {"task": trace.info.task, "trace": [records.step(step) for step in trace.steps]}
    return {
        **{name: getattr(row.info, name) for name in (*_INFO, "content_hash", "format", "parent_id")},
        "file": row.info.source_path,
        "steps": row.info.n_steps,
        "passed": row.passed,
        "score": row.score,
        "status": row.gold.status,
        "settled_by": row.gold.settled_by,
        "stale": row.gold.stale,
        "own": row.gold.own,
        "flagged": any(event.kind == "flag" for event in row.labels),
        "gold_mode": gold.mode if gold else "",
        "gold_submode": gold.submode if gold else "",
        "suggestions": {one.suggester: one.mode or None for one in row.suggestions},
        "split": row.split,
        **steps,
    }


def _nothing(taxonomy: Taxonomy) -> Row:
    """The columns of a label where there is none."""
    texts = (*_DECIDED, *_MADE[:3], "event_id", "annotator", "annotator_id", "condition")
    marks = ("guideline_must_change", "current", "counts")
    nothing = (*marks, "secondary", "facets", "step", *_MADE[3:], "supersedes")
    stamp = {"taxonomy": taxonomy.id, "taxonomy_hash": taxonomy.hash}
    return {**dict.fromkeys(texts, ""), **dict.fromkeys(nothing), **stamp}


def _of_gold(gold: Decision) -> Row:
    return {**_decided(gold), "kind": "gold"}


def _of_event(event: LabelEvent, row: LabelledTrace, taxonomy: Taxonomy) -> Row:
    known = row.annotators.get(event.annotator)
    return {
        **_decided(event),
        **{name: getattr(event, name) for name in _MADE},
        "event_id": event.id,
        "annotator": known.name if known else "",
        "annotator_id": event.annotator,
        "condition": event.condition or "",
        "supersedes": list(event.supersedes),
        "taxonomy": event.taxonomy or taxonomy.id,
        "taxonomy_hash": event.taxonomy_hash,
        "current": any(one.id == event.id for one in row.labels),
        "counts": any(one.id == event.id for one in counting(row)),
    }


def _decided(value: Decision | LabelEvent) -> Row:
    return {
        **{name: getattr(value, name) for name in _DECIDED},
        "secondary": _list(value.secondary),
        "facets": dict(value.facets),
        "step": value.step_n,
        "guideline_must_change": value.guideline,
    }


def _list(values: Sequence[str]) -> Json:
    return list(values)
