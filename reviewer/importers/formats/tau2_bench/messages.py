"""The messages of a simulation, folded into steps. Customer and agent call tools alike.

A call stands on the step of whoever made it; the tool message that answers joins it by the call's id.
The policy, which is kept once for a run, is the first step: it is what the agent was told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from reviewer.importers.shapes.content import size, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.entries import ROLES
from reviewer.trace import Json, Metrics, Result, ToolCall

READ = {
    "role",
    "content",
    "tool_calls",
    "tool_messages",
    "id",
    "tool_call_id",
    "requestor",
    "error",
    "turn_idx",
    "timestamp",
    "cost",
    "usage",
    "raw_data",
    "generation_time_seconds",
    "reasoning",
    "reasoning_content",
    "is_audio",
    "is_final_chunk",
    "chunk_id",
    "contains_speech",
    "utterance_ids",
    "source",
    "audio_format",
    "audio_path",
    "audio_content",
    "speech_effects",
    "source_effects",
    "channel_effects",
    "name",
    "ids",
    "wordless",
}
POLICY = "policy"


class Talk:
    """Reads the messages once, in order."""

    def __init__(self, policy: str, warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.has_user = False
        if policy:
            self.drafts.add(Draft("system", [POLICY], policy, kind="injected"))

    def add(self, messages: list[Json]) -> None:
        for index, message in enumerate(messages):
            if not isinstance(message, dict):
                self.warn(f"a message that is {kind_of(message)} is shown as it stands")
                text = shown(message) or "null"
                self.drafts.add(Draft("system", [f"#{index}"], text, kind="notice"))
                continue
            ids = [as_str(item) for item in as_list(message.get("ids"))] or [f"#{index}"]
            if message.get("role") == "tool":
                inner = message.get("tool_messages")
                parts = as_list(inner) if isinstance(inner, list) else [message]
                for part in parts:
                    self._result(as_dict(part), ids[0], message)
            else:
                self._said(message, ids)

    def _said(self, message: dict[str, Any], ids: list[str]) -> None:
        role = message.get("role")
        draft = Draft(ROLES.get(role, "system") if isinstance(role, str) else "system", ids)
        if not isinstance(role, str) or role not in ROLES:
            draft.kind, draft.extra["role"] = "notice", role
            self.warn(f"unknown role {shown(role)[:80]!r} is shown as a notice")
        draft.say(self._text(message))
        draft.think(_reasoning(message))
        for call in as_list(message.get("tool_calls")):
            draft.call(self._call(call))
        if message.get("tool_calls") and not isinstance(message["tool_calls"], list):
            draft.extra["tool_calls"] = message["tool_calls"]
        draft.at = iso(message.get("timestamp"))
        draft.seconds = as_float(message.get("generation_time_seconds"))
        draft.metrics = _metrics(message)
        draft.extra |= _rest(message)
        if draft.source == "user":
            self.has_user = True
            self.task = self.task or ("" if message.get("wordless") else draft.message)
        self._number(self.drafts.add(draft), message)

    def _text(self, message: dict[str, Any]) -> str:
        content = message.get("content")
        if message.get("is_audio") is True and isinstance(content, str) and content:
            return f"[audio, {size(len(content) * 3 // 4)}]"
        return text_of(content, self.warn)

    def _call(self, call: Json) -> ToolCall:
        """A call as tau2-bench writes it, or as chat APIs do."""
        whole = as_dict(call)
        function = as_dict(whole.get("function")) or whole
        name = as_str(function.get("name"))
        if not name:
            self.warn(f"a tool call that names no function ({kind_of(call)}) is shown as it stands")
            return ToolCall("unknown", call, as_id(whole.get("id")))
        return ToolCall(name, function.get("arguments"), as_id(whole.get("id")))

    def _result(self, part: dict[str, Any], source_id: str, message: dict[str, Any]) -> None:
        text = text_of(part.get("content"), self.warn)
        result = Result(
            text, as_id(part.get("id") or part.get("tool_call_id")), error=bool(part.get("error"))
        )
        draft = self.drafts.answer(result, source_id)
        if draft is None:
            self.warn("a tool message without a call is shown as a step of its own")
            draft = self.drafts.add(Draft("system", [source_id], kind="notice", results=[result]))
            draft.at = iso(part.get("timestamp"))
        elif rest := _rest(part):
            draft.extra[f"result {source_id}"] = rest
        if isinstance(part.get("error"), str):
            draft.extra[f"error {source_id}"] = part["error"]
        self._number(draft, message)

    def _number(self, draft: Draft, message: dict[str, Any]) -> None:
        """The source's own numbers as the number of the step, where they are not just our own."""
        turn = as_int(message.get("turn_idx"))
        if turn is None:
            return
        first = draft.number.partition("–")[0] or str(turn)
        draft.number = first if first == str(turn) else f"{first}–{turn}"


def _metrics(message: dict[str, Any]) -> Metrics | None:
    usage, cost = as_dict(message.get("usage")), as_float(message.get("cost"))
    tokens_in, tokens_out = as_int(usage.get("prompt_tokens")), as_int(usage.get("completion_tokens"))
    if tokens_in is None and tokens_out is None and not cost:
        return None
    return Metrics(tokens_in, tokens_out, cost)


def _reasoning(message: dict[str, Any]) -> str:
    """The thoughts beside the message, else those in the provider's own reply."""
    for holder in (message, as_dict(message.get("raw_data")), _reply(message)):
        for key in ("reasoning_content", "reasoning"):
            if isinstance(holder.get(key), str) and holder[key].strip():
                return str(holder[key])
    return ""


def _reply(message: dict[str, Any]) -> dict[str, Any]:
    return as_dict(as_dict(message.get("raw_data")).get("message"))


def _rest(message: dict[str, Any]) -> dict[str, Json]:
    """What is not known, empty fields aside; a `reasoning` that is no text is one of these."""
    rest = {key: item for key, item in message.items() if key not in READ}
    rest |= {
        key: message[key]
        for key in ("reasoning", "reasoning_content")
        if key in message and not isinstance(message[key], str)
    }
    return {key: item for key, item in rest.items() if item not in (None, [], {}, False, "")}
