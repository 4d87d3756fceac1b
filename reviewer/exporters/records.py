"""The values of our types as JSON objects, in the words of DESIGN; used by exports and `--json` alike."""

from __future__ import annotations

from collections.abc import Mapping

from reviewer.label import Annotator, Decision, LabelEvent, Suggestion
from reviewer.trace import Json, Outcome, Step, TraceInfo


def person(id: str, known: Mapping[str, Annotator]) -> Json:
    """`{"id", "name"}` of an annotator, with `also`: the ids that are linked to it, where there are any.

    The name is empty where the store never met them.
    """
    if id not in known:
        return {"id": id, "name": ""}
    also: list[Json] = list(known[id].also)
    return {"id": id, "name": known[id].name, **({"also": also} if also else {})}


def decision(value: Decision | LabelEvent) -> dict[str, Json]:
    """What was decided, without who and when."""
    return {
        "mode": value.mode,
        "submode": value.submode or None,
        "secondary": list(value.secondary),
        "facets": dict(value.facets),
        "decisive_step": None
        if value.step_n is None
        else {"n": value.step_n, "source_id": value.step_source or None},
        "note": value.note or None,
        "reason": value.reason or None,
        "confidence": value.confidence or None,
    }


def label(event: LabelEvent, known: Mapping[str, Annotator]) -> dict[str, Json]:
    """One label, note or other event of a person."""
    return {
        "id": event.id,
        "kind": event.kind,
        "annotator": person(event.annotator, known),
        **decision(event),
        "guideline_must_change": event.guideline,
        "condition": event.condition,
        "shown": list(event.shown),
        "round": event.round,
        "content_hash": event.content_hash or None,
        "taxonomy": {"id": event.taxonomy, "hash": event.taxonomy_hash},
        "seconds": event.seconds,
        "steps_opened": event.steps_opened,
        "supersedes": list(event.supersedes),
        "at": event.at,
        "origin": event.origin,
    }


def suggestion(value: Suggestion) -> dict[str, Json]:
    """What a machine proposed, or why it proposed nothing."""
    return {
        "id": value.id,
        "suggester": value.suggester,
        "model": value.model or None,
        "status": value.status,
        "reason": value.reason or None,
        "mode": value.mode or None,
        "runner_up": value.runner_up or None,
        "facets": dict(value.facets),
        "rationale": value.rationale or None,
        "confidence": value.confidence,
        "decisive_step": None
        if value.step_n is None
        else {"n": value.step_n, "source_id": value.step_source or None},
        "evidence": [
            {"step": e.step_n, "quote": e.quote, "verified": e.verified, "shows": e.shows}
            for e in value.evidence
        ],
        "omitted": value.omitted or None,
        "at": value.at,
    }


def outcome(value: Outcome) -> dict[str, Json]:
    return {
        "passed": value.passed,
        "score": value.score,
        "detail": value.detail,
        "final_state": value.final_state,
        "expected_state": value.expected_state,
        "origin": value.origin,
    }


def info(value: TraceInfo) -> dict[str, Json]:
    """A trace without its steps."""
    return {
        "id": value.trace_id,
        "file": value.source_path,
        "index": value.source_index,
        "format": value.format,
        "benchmark": value.benchmark or None,
        "task_id": value.task_id or None,
        "model": value.model or None,
        "agent": value.agent or None,
        "attempt": value.attempt,
        "ended": value.ended,
        "steps": value.n_steps,
        "messages": value.n_messages,
        "tool_calls": value.n_tool_calls,
        "errors": value.n_errors,
    }


def step(value: Step) -> dict[str, Json]:
    """One step in ATIF's words."""
    return {
        "n": value.n,
        "source": value.source,
        "kind": value.kind or None,
        "message": value.message,
        "reasoning": value.reasoning or None,
        "tool_calls": [{"id": c.id or None, "name": c.name, "arguments": c.arguments} for c in value.calls],
        "results": [
            {
                "call_id": r.call_id or None,
                "content": r.content,
                "error": r.error,
                "denied": r.denied,
                "exit_code": r.exit_code,
            }
            for r in value.results
        ],
        "error": value.error,
        "source_ids": list(value.source_ids),
        "number": value.number or None,
        "name": value.name or None,
        "timestamp": value.at or None,
        "model": value.model or None,
        "metrics": None
        if value.metrics is None
        else {
            "tokens_in": value.metrics.tokens_in,
            "tokens_out": value.metrics.tokens_out,
            "cost": value.metrics.cost,
        },
        "extra": dict(value.extra),
    }
