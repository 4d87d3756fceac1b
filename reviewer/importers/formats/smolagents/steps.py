"""The steps of an agent's memory: as objects of `get_full_steps`, or as the Python reprs of older runs.

A step of the agent is its output, the calls made of it, what was observed and what went wrong. The
messages that went into the model repeat the memory at every step and are not read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.formats.smolagents.pyrepr import Made, read
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    kind_of,
    shown,
)
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

KINDS = {
    "SystemPromptStep": "system_prompt",
    "TaskStep": "task",
    "PlanningStep": "plan",
    "ActionStep": "action",
    "FinalAnswerStep": "output",
}
READ = {
    "system_prompt",
    "task",
    "plan",
    "facts",
    "output",
    "step_number",
    "timing",
    "start_time",
    "end_time",
    "duration",
    "model_input_messages",
    "agent_memory",
    "tool_calls",
    "tool_call",
    "error",
    "model_output_message",
    "model_output",
    "llm_output",
    "code_action",
    "observations",
    "observations_images",
    "task_images",
    "action_output",
    "token_usage",
    "input_token_count",
    "output_token_count",
    "is_final_answer",
    "model_output_message_facts",
    "model_output_message_plan",
}


def plain(value: Any) -> Json:
    """A value out of a repr as JSON: an object as its fields, with the name of its class."""
    if isinstance(value, Made):
        fields = {key: plain(item) for key, item in value.fields.items()}
        if value.args:
            fields["args"] = [plain(item) for item in value.args]
        return {"type": value.name, **fields}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def from_repr(text: str) -> tuple[str, dict[str, Any]]:
    """The kind of a step and its fields; ("", {}) for a text that shows none."""
    made, rest = read(text) if text.lstrip()[:1].isalpha() else (None, "")
    if not isinstance(made, Made) or made.name not in KINDS:
        return "", {}
    fields = {key: plain(item) for key, item in made.fields.items()}
    return KINDS[made.name], fields | ({"after the repr": rest} if rest else {})


def kind_of_step(value: dict[str, Any]) -> str:
    """Which step an object is, by its fields; "" for none."""
    if "step_number" in value and {"model_output", "llm_output", "observations", "tool_calls"} & value.keys():
        return "action"
    return next((key for key in ("system_prompt", "task", "plan") if key in value), "") or (
        "output" if value.keys() == {"output"} else ""
    )


class Memory:
    """The steps of one run in the making."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.limit = False

    def step(self, kind: str, value: dict[str, Any], source_id: str) -> None:
        draft = Draft("agent", [source_id])
        if kind == "system_prompt":
            draft.source = "system"
            draft.say(text_of(value.get("system_prompt"), self.warn))
        elif kind == "task":
            draft.source = "user"
            draft.say(text_of(value.get("task"), self.warn))
            draft.say(_images(value.get("task_images")))
            self.task = self.task or draft.message
        elif kind == "plan":
            draft.say(text_of(value.get("facts"), self.warn))
            draft.say(text_of(value.get("plan"), self.warn))
        elif kind == "output":
            draft.say(shown(value.get("output")))
        else:
            self._action(draft, value, source_id)
        self._common(draft, value)
        self.drafts.add(draft)

    def _common(self, draft: Draft, value: dict[str, Any]) -> None:
        timing = as_dict(value.get("timing")) or value
        draft.at = iso(timing.get("start_time"))
        draft.seconds = as_float(timing.get("duration"))
        usage = as_dict(value.get("token_usage"))
        tokens_in = as_int(usage.get("input_tokens", value.get("input_token_count")))
        tokens_out = as_int(usage.get("output_tokens", value.get("output_token_count")))
        if tokens_in is not None or tokens_out is not None:
            draft.metrics = Metrics(tokens_in, tokens_out)
        rest = {key: item for key, item in value.items() if key not in READ}
        draft.extra |= {key: item for key, item in rest.items() if item not in (None, [], {}, "")}

    def _action(self, draft: Draft, value: dict[str, Any], source_id: str) -> None:
        said = next((value[key] for key in ("model_output", "llm_output") if value.get(key)), None)
        reply = as_dict(value.get("model_output_message"))
        draft.say(text_of(reply.get("content") if said is None else said, self.warn))
        draft.think(shown(reply.get("reasoning_content")))
        draft.model = as_str(as_dict(reply.get("raw")).get("model"))
        self.model = self.model or draft.model
        single = value.get("tool_call")
        for call in as_list(value.get("tool_calls")) or ([single] if single else []):
            draft.call(call_of(call))
        number = as_int(value.get("step_number"))
        draft.number = "" if number is None else str(number)
        self._observed(draft, value)

    def _observed(self, draft: Draft, value: dict[str, Any]) -> None:
        """What came back: the observation and the error, each a result; an answer that stands in neither."""
        error = value.get("error")
        observed = text_of(value.get("observations"), self.warn)
        pictures = _images(value.get("observations_images"))
        text = f"{observed}\n\n{pictures}" if observed and pictures else observed or pictures
        why = _error(error)
        self.limit = self.limit or "AgentMaxStepsError" in why or "max steps" in why.lower()
        call_id = draft.calls[0].id if len(draft.calls) == 1 else ""  # of several: the file does not say
        if text or (draft.calls and not why):
            draft.results.append(Result(text, call_id))
        if why:
            draft.results.append(Result(why, call_id, error=True))
        output = value.get("action_output")
        if output is not None and shown(output) not in observed:
            draft.extra["action_output"] = output


def call_of(call: Json) -> ToolCall:
    """A call as the memory keeps it, or as chat APIs write it."""
    function = as_dict(as_dict(call).get("function")) or as_dict(call)
    name = as_str(function.get("name"))
    if not name:
        return ToolCall("unknown", call, as_id(as_dict(call).get("id")))
    return ToolCall(name, function.get("arguments"), as_id(as_dict(call).get("id")))


def _images(images: Json) -> str:
    """A line for each picture: it is no part of the file."""
    if not images:
        return ""
    if not isinstance(images, list):
        return f"[image: {kind_of(images)}]"
    return "\n".join(
        f"[image {shown(item)[:200]}]" if isinstance(item, str) else "[image]" for item in images
    )


def _error(error: Json) -> str:
    """The kind and the words of an error."""
    if error in (None, "", {}, False):
        return ""
    if not isinstance(error, dict):
        return shown(error)
    words = shown(error.get("message")) or "\n".join(shown(item) for item in as_list(error.get("args")))
    kind = as_str(error.get("type"))
    return f"{kind}: {words}" if kind and words else kind or words or shown(error)
