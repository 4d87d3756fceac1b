"""Files that lie beside spans and hold none: metrics, logs, schemas, annotations. Recognised by content."""

from __future__ import annotations

from reviewer.importers.opening.values import as_dict, as_list
from reviewer.trace import Json

METRICS = ("resourceMetrics", "resource_metrics")
LOGS = ("resourceLogs", "resource_logs")
NOTES = {"annotator_kind", "span_id"}


def beside_spans(value: Json) -> str:
    """What a file of JSON is when it is known to lie beside spans, else ""."""
    held = as_dict(value)
    if "resourceSpans" in held or "resource_spans" in held:
        return ""
    if any(key in held for key in METRICS):
        return "a file of OpenTelemetry metrics"
    if any(key in held for key in LOGS):
        return "a file of OpenTelemetry logs"
    if isinstance(held.get("$defs"), dict) and ("type" in held or "properties" in held):
        return "a JSON Schema"
    if "attributeSummary" in held and "results" in held:
        return "a summary of captured spans"
    rows = as_list(held.get("data")) or as_list(value)
    if rows and all(_note(row) for row in rows):
        return "a file of annotations of spans"
    return ""


def _note(row: Json) -> bool:
    """A row of an annotation export of Phoenix: who judged which span, and how."""
    return isinstance(row, dict) and row.keys() >= NOTES and "attributes" not in row
