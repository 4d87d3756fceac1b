"""The steps of an ATIF trajectory as ours: one for one, with its own numbers kept.

Knows nothing of files, sub-agents and outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    kind_of,
    shown,
)
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, Source, ToolCall

SOURCES: dict[str, Source] = {"system": "system", "user": "user", "agent": "agent"}
READ = {
    "step_id",
    "timestamp",
    "source",
    "message",
    "reasoning_content",
    "model_name",
    "tool_calls",
    "observation",
    "metrics",
}
QUIET_METRICS = {
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "prompt_token_ids",
    "completion_token_ids",
    "logprobs",
}


class Steps:
    """Reads the steps once, in order, and keeps what the trace needs to know of them."""

    def __init__(self, steps: list[Json], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.times: list[Json] = []
        for index, step in enumerate(steps):
            self._step(step, index)

    def goes_on(self, reference: Json) -> None:
        """Say where the run goes on, when this is only a part of it."""
        if reference:
            text = f"The run goes on in {shown(reference)}, which is a trace of its own."
            self.drafts.add(Draft("system", ["continued_trajectory_ref"], text, kind="notice"))

    def _step(self, step: Json, index: int) -> None:
        if not isinstance(step, dict):
            self.warn(f"a step that is {kind_of(step)} is shown as it stands")
            self.drafts.add(Draft("system", [f"#{index}"], shown(step) or "null", kind="notice"))
            return
        number = shown(step.get("step_id"))
        draft = Draft("system", [f"#{index}"], number="" if number in ("", str(index + 1)) else number)
        draft.extra |= {
            key: item for key, item in step.items() if key not in READ and item not in (None, {}, [], False)
        }
        draft.message = text_of(_parts(step.get("message")), self.warn)
        draft.reasoning = text_of(step.get("reasoning_content"), self.warn)
        draft.model = as_str(step.get("model_name"))
        self._source(draft, step)
        self._calls(draft, step)
        self._results(draft, as_dict(step.get("observation")))
        self._numbers(draft, step)
        self.drafts.add(draft)

    def _source(self, draft: Draft, step: dict[str, Any]) -> None:
        source = step.get("source")
        if isinstance(source, str) and source in SOURCES:
            draft.source = SOURCES[source]
        else:
            # Redacted exports: what makes calls or names a model is the agent.
            acts = any(step.get(key) for key in ("tool_calls", "reasoning_content", "metrics", "model_name"))
            draft.source, draft.kind = ("agent", "") if acts else ("system", "notice")
            draft.extra["source"] = source
            self.warn(f"unknown source {shown(source)[:80]!r} of a step")
        unsaid = draft.source == "user" and not draft.message  # some writers put results in the user's name
        if step.get("is_copied_context") is True or unsaid:
            draft.kind = "injected"
        if draft.source == "user" and draft.message:
            self.task = self.task or draft.message
        self.model = self.model or (draft.model if draft.source == "agent" else "")

    def _calls(self, draft: Draft, step: dict[str, Any]) -> None:
        calls = step.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            self.warn(f"tool_calls that are {kind_of(calls)} are shown as they stand")
            draft.extra["tool_calls"] = calls
        for call in as_list(calls):
            if not isinstance(call, dict):
                self.warn(f"a tool call that is {kind_of(call)} is shown as it stands")
                draft.call(ToolCall("unknown", call))
                continue
            name = as_str(call.get("function_name")) or "unknown"
            draft.call(ToolCall(name, call.get("arguments"), as_id(call.get("tool_call_id"))))
            rest = {key: item for key, item in call.items() if key not in CALL and item not in (None, {})}
            if rest:
                draft.extra[f"call {as_id(call.get('tool_call_id'))}".strip()] = rest

    def _results(self, draft: Draft, observation: dict[str, Any]) -> None:
        for result in as_list(observation.get("results")):
            if not isinstance(result, dict):
                draft.results.append(Result(shown(result)))
                continue
            text = text_of(_parts(result.get("content")), self.warn)
            for reference in as_list(result.get("subagent_trajectory_ref")):
                text = f"{text}\n{_reference(reference)}" if text else _reference(reference)
            more = as_dict(result.get("extra"))
            code = as_code(more.get("exit_code", more.get("returncode", more.get("return_code"))))
            flagged = (
                result.get("is_error") is True or more.get("is_error") is True or more.get("error") is True
            )
            call_id = as_id(result.get("source_call_id"))
            if not call_id and len(draft.calls) == 1 and len(observation["results"]) == 1:
                call_id = draft.calls[0].id
            draft.results.append(Result(text, call_id, error=flagged or bool(code), exit_code=code))
            rest = {key: item for key, item in result.items() if key not in RESULT and item not in (None, {})}
            if rest:
                draft.extra[f"result {len(draft.results)}"] = rest
        rest = {key: item for key, item in observation.items() if key != "results" and item is not None}
        if rest:
            draft.extra["observation"] = rest

    def _numbers(self, draft: Draft, step: dict[str, Any]) -> None:
        draft.at = iso(step.get("timestamp"))
        if draft.at:
            self.times.append(step["timestamp"])
        elif step.get("timestamp"):
            draft.extra["timestamp"] = step["timestamp"]
        given = as_dict(step.get("metrics"))
        if given:
            draft.metrics = Metrics(
                as_int(given.get("prompt_tokens")),
                as_int(given.get("completion_tokens")),
                as_float(given.get("cost_usd")),
            )
            rest = {key: item for key, item in given.items() if key not in QUIET_METRICS and item is not None}
            if rest:
                draft.extra["metrics"] = rest


CALL = {"tool_call_id", "function_name", "arguments"}
RESULT = {"source_call_id", "content", "subagent_trajectory_ref"}


def _parts(content: Json) -> Json:
    """Content with each picture's path as its address, where it has no data of its own."""
    if not isinstance(content, list):
        return content if isinstance(content, str) or content is None else dumped(content)
    return [_part(part) for part in content]


def _part(part: Json) -> Json:
    source = as_dict(as_dict(part).get("source"))
    path = source.get("path")
    if not isinstance(path, str):
        return part
    return {**part, "source": {"media_type": source.get("media_type"), "file_id": path}}


def _reference(reference: Json) -> str:
    """Where a sub-agent's run is kept."""
    reference = as_dict(reference)
    named = (shown(reference.get(key)) for key in ("trajectory_path", "trajectory_id", "session_id"))
    return f"[a sub-agent's run: {' · '.join(name for name in named if name) or dumped(reference)}]"
