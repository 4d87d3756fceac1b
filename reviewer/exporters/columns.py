"""Columns with fixed types, for Parquet files and dataset folders: what stands in a column, never a guess.

A type is `string`, `int64`, `float64` or `bool`; a list of one type is `[type]`, a list of objects
`[{name: type}]`. The types are written down here, so that an empty store, one trace and all of them give
the same schema. What no 64 bits hold is left out of its column and kept in the step's `extra`; what UTF-8
cannot hold (half a surrogate pair, NUL) is written out as in the CSV export. Lists and objects whose shape
the traces decide (arguments, facets, suggestions) are JSON as text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from reviewer.exporters import WithTrace, records, strict, table
from reviewer.exporters.csv import held
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Trace

Type: TypeAlias = Any  # "string" …, [Type], [{name: Type}]
Schema: TypeAlias = dict[str, Type]

STEP: Schema = {
    "n": "int64",
    **dict.fromkeys(("source", "kind", "message", "reasoning"), "string"),
    "tool_calls": [{"id": "string", "name": "string", "arguments": "string"}],
    "results": [
        {"call_id": "string", "content": "string", "error": "bool", "denied": "bool", "exit_code": "int64"}
    ],
    "error": "bool",
    "source_ids": ["string"],
    **dict.fromkeys(("number", "name", "timestamp", "model"), "string"),
    **dict.fromkeys(("tokens_in", "tokens_out"), "int64"),
    "cost": "float64",
    "extra": "string",
}
_FLOATS = ("score", "seconds")
_LISTS = ("secondary", "supersedes")
LABELS: Schema = {
    name: {table.TEXT: "string", table.TRUTH: "bool", table.NUMBER: "int64", table.JSON: "string"}[kind]
    for name, kind in table.COLUMNS.items()
} | {**dict.fromkeys(_FLOATS, "float64"), **{name: ["string"] for name in _LISTS}}
WITH_TRACE: Schema = LABELS | {"task": "string", "trace": [STEP]}
TRACES: Schema = {
    **dict.fromkeys(("trace_id", "split", "benchmark", "task_id"), "string"),
    "attempt": "int64",
    **dict.fromkeys(("model", "agent", "ended"), "string"),
    "passed": "bool",
    "score": "float64",
    **dict.fromkeys(("status", "settled_by", "gold_mode", "gold_submode"), "string"),
    **dict.fromkeys(("stale", "own"), "bool"),
    "gold_secondary": ["string"],
    "gold_facets": "string",
    "gold_step": "int64",
    **dict.fromkeys(("gold_reason", "gold_note"), "string"),
    **dict.fromkeys(("n_labels", "n_blind"), "int64"),
    "flagged": "bool",
    "suggestions": "string",
    **dict.fromkeys(("taxonomy", "taxonomy_hash", "parent_id", "format", "file", "content_hash"), "string"),
    "task": "string",
    "n_steps": "int64",
}
STEPS: Schema = TRACES | {"outcomes": "string", "steps": [STEP]}
SMALL, LARGE = -(1 << 63), (1 << 63) - 1


def labels(
    rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None
) -> Iterator[dict[str, Json]]:
    """The rows of the table, as `LABELS` (with the steps: `WITH_TRACE`) types them."""
    schema = LABELS if with_trace is None else WITH_TRACE
    for row in table.table(rows, taxonomy, None):
        if with_trace is not None:
            trace = with_trace(row["trace_id"])
            row |= {"task": trace.info.task, "trace": steps(trace)}
        yield fitted(row, schema)


def traces(
    rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None
) -> Iterator[dict[str, Json]]:
    """A row a trace, as `TRACES` (with the steps: `STEPS`) types them."""
    for row in rows:
        gold, info = row.gold.decision, row.info
        value: dict[str, Json] = {
            **{name: getattr(info, name) for name in TRACES if hasattr(info, name)},
            "file": info.source_path,
            "passed": row.passed,
            "score": row.score,
            "split": row.split,
            "status": row.gold.status,
            "settled_by": row.gold.settled_by,
            "stale": row.gold.stale,
            "own": row.gold.own,
            "gold_mode": gold.mode if gold else "",
            "gold_submode": gold.submode if gold else "",
            "gold_secondary": list(gold.secondary) if gold else [],
            "gold_facets": dict(gold.facets) if gold else {},
            "gold_step": gold.step_n if gold else None,
            "gold_reason": gold.reason if gold else "",
            "gold_note": gold.note if gold else "",
            "n_labels": sum(event.kind == "label" for event in row.labels),
            "n_blind": len(row.blind),
            "flagged": any(event.kind == "flag" for event in row.labels),
            "suggestions": {one.suggester: one.mode or None for one in row.suggestions},
            "taxonomy": taxonomy.id,
            "taxonomy_hash": taxonomy.hash,
        }
        if with_trace is not None:
            value["steps"] = steps(with_trace(info.trace_id))
            value["outcomes"] = [records.outcome(one) for one in row.outcomes]
        yield fitted(value, TRACES if with_trace is None else STEPS)


def steps(trace: Trace) -> list[dict[str, Json]]:
    """The steps as `STEP` types them."""
    found = []
    for step in trace.steps:
        value = records.step(step)
        metrics, extra = value.pop("metrics") or {}, dict(value["extra"])
        numbers = {f"exit_code of result {n}": one.exit_code for n, one in enumerate(step.results, 1)}
        numbers |= {name: metrics.get(name) for name in ("tokens_in", "tokens_out")}
        huge = {name: number for name, number in numbers.items() if number is not None and not _fits(number)}
        found.append(value | metrics | {"extra": extra | ({"beyond 64 bits": huge} if huge else {})})
    return found


def fitted(value: Json, type: Type) -> Json:
    """`value` as its type wants it; whatever has no place in it is None, an object in a text is JSON."""
    if isinstance(type, dict):
        return {name: fitted(value.get(name), inner) for name, inner in type.items()}
    if isinstance(type, list):
        return [fitted(item, type[0]) for item in value or ()]
    if value is None:
        return None
    if type == "string":
        return held(value) if isinstance(value, str) else strict.dumps(value)
    if type == "int64":
        return value if _fits(value) else None
    if type == "float64":
        return float(value) if isinstance(value, float) or _fits(value) else math.copysign(math.inf, value)
    return bool(value)


def _fits(value: Json) -> bool:
    return isinstance(value, int) and SMALL <= value <= LARGE
