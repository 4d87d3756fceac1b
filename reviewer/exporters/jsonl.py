"""`export jsonl`: one line a trace with its gold, every current label, every suggestion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from reviewer.exporters import WithTrace, records, strict, table
from reviewer.label import LabelEvent, LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json


def lines(rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None) -> Iterator[str]:
    """The lines of the export; `with_trace` reads the steps of a trace where they are wanted."""
    for row in rows:
        yield strict.dumps(record(row, taxonomy, with_trace)) + "\n"


def record(row: LabelledTrace, taxonomy: Taxonomy, with_trace: WithTrace | None) -> dict[str, Json]:
    """One trace with all that was said of it."""
    value: dict[str, Json] = {
        "trace_id": row.info.trace_id,
        "content_hash": row.info.content_hash,
        "task_id": row.info.task_id or None,
        "benchmark": row.info.benchmark or None,
        "model": row.info.model or None,
        "attempt": row.info.attempt,
        "ended": row.info.ended,
        "passed": row.passed,
        "score": row.score,
        "status": row.gold.status,
        "settled_by": row.gold.settled_by or None,
        "stale": row.gold.stale,
        "own": row.gold.own,
        "gold": row.gold.decision and records.decision(row.gold.decision),
        "labels": [_label(e, row) for e in row.labels if e.kind == "label"],
        "blind_labels": [_label(event, row) for event in row.blind],
        "adjudications": [_settled(e, row) for e in row.labels if e.kind == "adjudicate"],
        "notes": [records.label(e, row.annotators) for e in row.labels if e.kind == "note"],
        "flagged": any(event.kind == "flag" for event in row.labels),
        "suggestions": [records.suggestion(suggestion) for suggestion in row.suggestions],
        "taxonomy": {"id": taxonomy.id, "version": taxonomy.version, "hash": taxonomy.hash},
        "file": row.info.source_path,
        "format": row.info.format,
        "parent_id": row.info.parent_id or None,
        "split": row.split or None,
    }
    if row.history:
        value["history"] = [records.label(event, row.annotators) for event in row.history]
    if row.score is not None and not math.isfinite(row.score):  # a number in JSON never is
        value |= {"score": None, "score_text": strict.finite(row.score)}
    if with_trace is not None:
        trace = with_trace(row.info.trace_id)
        value["trace"] = {
            "task": trace.info.task,
            "meta": dict(trace.info.meta),
            "outcomes": [records.outcome(one) for one in row.outcomes],
            "steps": [records.step(step) for step in trace.steps],
        }
    return value


def _label(event: LabelEvent, row: LabelledTrace) -> dict[str, Json]:
    counts = any(one.id == event.id for one in table.counting(row))
    return {**records.label(event, row.annotators), "counts": counts}


def _settled(event: LabelEvent, row: LabelledTrace) -> dict[str, Json]:
    """An adjudication, and whether it is stale, or by somebody who had labelled the trace."""
    stands = {"stale": event.id in row.stale, "own": event.id in row.own}
    return {**records.label(event, row.annotators), **stands}
