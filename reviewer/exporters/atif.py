"""`export atif`: each trace as an ATIF trajectory (1.7) of its own, with its labels and gold in `extra`.

What ATIF has no place for goes into `extra` of the step, the call or the result; nothing is left out. Texts
that UTF-8 cannot hold are written out as in the CSV export. A run without a step, which ATIF does not know,
gets one that says so. A sub-agent's run is a trajectory by itself that names its parent. Knows no store.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from reviewer.exporters import WithTrace, jsonl, records, strict
from reviewer.exporters.csv import held
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Result, Step, ToolCall, Trace

VERSION = "ATIF-v1.7"


def files(
    rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace
) -> Iterator[tuple[str, str]]:
    """(name of the file, its text) of every trajectory."""
    for row in rows:
        record = trajectory(row, with_trace(row.info.trace_id), taxonomy)
        yield f"{row.info.trace_id}.json", strict.dumps(record, indent=1) + "\n"


def trajectory(row: LabelledTrace, trace: Trace, taxonomy: Taxonomy) -> dict[str, Json]:
    """One trajectory as a JSON object."""
    info = trace.info
    agent = {"name": info.agent or "unknown", "version": str(info.meta.get("agent.version") or "unknown")}
    totals = {
        "total_prompt_tokens": info.tokens_in,
        "total_completion_tokens": info.tokens_out,
        "total_cost_usd": _finite(info.cost),
        "total_steps": len(trace.steps),
    }
    said = jsonl.record(row, taxonomy, None) | {"outcomes": [records.outcome(one) for one in row.outcomes]}
    found = {
        "schema_version": VERSION,
        "session_id": info.parent_id or info.trace_id,
        "trajectory_id": info.trace_id,
        "agent": agent | _given({"model_name": info.model}),
        "steps": [_step(step, n) for n, step in enumerate(trace.steps, 1)] or [_NOTHING],
        "final_metrics": _given(totals),
        "extra": {"reviewer": said | _given({"parent_id": info.parent_id, "parent_step": info.parent_step})},
    }
    whole: dict[str, Json] = _held(found)
    return whole


_NOTHING = {"step_id": 1, "source": "system", "message": "", "extra": {"reviewer": "this run has no step"}}


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """Those that say something."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _step(step: Step, n: int) -> dict[str, Json]:
    acts = step.source == "agent"  # only an agent's step may call, reason and be measured
    names = [call.id or f"call_{n}_{k}" for k, call in enumerate(step.calls, 1)]
    mine = _given(
        {
            "model_name": step.model,
            "reasoning_content": step.reasoning,
            "tool_calls": [_call(call, name) for call, name in zip(step.calls, names, strict=True)],
            "metrics": _metrics(step),
        }
    )
    results = [_result(one, names if acts else []) for one in step.results]
    timed = _is_time(step.at)
    extra = {
        "kind": step.kind,
        "error": step.fault or None,
        "name": step.name,
        "number": step.number,
        "source_ids": list(step.source_ids),
        "seconds": _finite(step.seconds),
        "timestamp": "" if timed else step.at,
        "source_extra": dict(step.extra),
        **({} if acts else mine),
    }
    return {
        "step_id": n,
        "source": step.source,
        "message": step.message,
        **_given({"timestamp": step.at if timed else ""}),
        **(mine if acts else {}),
        **_given({"observation": {"results": results} if results else None, "extra": _given(extra)}),
    }


def _call(call: ToolCall, name: str) -> dict[str, Json]:
    whole = isinstance(call.arguments, dict)
    arguments = call.arguments if whole else {} if call.arguments is None else {"arguments": call.arguments}
    extra = {} if whole or call.arguments is None else {"extra": {"arguments_are_no_object": True}}
    return {"tool_call_id": name, "function_name": call.name, "arguments": arguments, **extra}


def _result(result: Result, names: list[str]) -> dict[str, Json]:
    known = result.call_id in names
    extra = {
        "source_call_id": "" if known else result.call_id,
        "is_error": result.error or None,
        "denied": result.denied or None,
        "exit_code": result.exit_code,
    }
    called = {"source_call_id": result.call_id} if known else {}
    return {**called, "content": result.content, **_given({"extra": _given(extra)})}


def _metrics(step: Step) -> dict[str, Json]:
    if step.metrics is None:
        return {}
    return _given(
        {
            "prompt_tokens": step.metrics.tokens_in,
            "completion_tokens": step.metrics.tokens_out,
            "cost_usd": _finite(step.metrics.cost),
        }
    )


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def _held(value: Json) -> Json:
    if isinstance(value, str):
        return held(value)
    if isinstance(value, dict):
        return {held(str(key)): _held(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_held(inner) for inner in value]
    return value
