"""`export jsonl`: one line a trace with its gold, every current label, every suggestion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewer.exporters import WithTrace, records, strict
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json


def lines(rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None) -> Iterator[str]:
    """The lines of the export; `with_trace` reads the steps of a trace where they are wanted."""
    stamp = {"id": taxonomy.id, "version": taxonomy.version, "hash": taxonomy.hash}
    for row in rows:
        record: dict[str, Json] = {
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
            "gold": row.gold.decision and records.decision(row.gold.decision),
            "labels": [records.label(e, row.annotators) for e in row.labels if e.kind == "label"],
            "blind_labels": [records.label(event, row.annotators) for event in row.blind],
            "adjudications": [records.label(e, row.annotators) for e in row.labels if e.kind == "adjudicate"],
            "notes": [records.label(e, row.annotators) for e in row.labels if e.kind == "note"],
            "flagged": any(event.kind == "flag" for event in row.labels),
            "suggestions": [records.suggestion(suggestion) for suggestion in row.suggestions],
            "taxonomy": stamp,
            "file": row.info.source_path,
            "format": row.info.format,
        }
        if with_trace is not None:
            trace = with_trace(row.info.trace_id)
            record["trace"] = {
                "task": trace.info.task,
                "meta": dict(trace.info.meta),
                "steps": [records.step(step) for step in trace.steps],
            }
        yield strict.dumps(record) + "\n"
