"""The messages of a Letta agent, folded into steps: one step of the agent is one step here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Result, ToolCall

READ = {
    "id",
    "date",
    "message_type",
    "content",
    "reasoning",
    "tool_call",
    "tool_calls",
    "tool_return",
    "tool_returns",
    "tool_call_id",
    "status",
    "stdout",
    "stderr",
    "name",
    "otid",
    "sender_id",
    "step_id",
    "seq_id",
    "run_id",
    "is_err",
}
_SAID = {"assistant_message", "reasoning_message", "hidden_reasoning_message"}
_CALLS = {"tool_call_message", "approval_request_message"}
_INJECTED = ('{"type": "heartbeat"', '{"type": "login"', '{\n  "type": "heartbeat"')


def add_message(drafts: Drafts, message: dict[str, Any], index: int, warn: Callable[[str], None]) -> None:
    """One message, into the step that it belongs to."""
    kind = as_str(message.get("message_type"))
    own = as_id(message.get("id"))
    source_id = f"{own or 'message'}#{index}"
    if kind in ("user_message", "system_message"):
        draft = drafts.add(Draft("user" if kind == "user_message" else "system", [source_id]))
        draft.say(text_of(message.get("content"), warn))
        draft.kind = "injected" if draft.message.startswith(_INJECTED) else ""
        draft.at = iso(message.get("date"))
    elif kind in _SAID or kind in _CALLS:
        draft = _agents(drafts, message, source_id)
        draft.say(text_of(message.get("content"), warn))
        draft.think(shown(message.get("reasoning")))
        single = message.get("tool_call")
        for call in [single] if single else as_list(message.get("tool_calls")):
            draft.call(_call(call))
        drafts.note(draft)
    elif kind == "tool_return_message":
        _returned(drafts, message, source_id, warn)
        return
    else:
        warn(f"unknown message type {kind[:80]!r} is shown as a notice")
        draft = drafts.add(Draft("system", [source_id], shown(message.get("content")), kind="notice"))
        draft.extra["message_type"] = message.get("message_type")
        draft.at = iso(message.get("date"))
    _keep(draft, message, source_id)


def _keep(draft: Draft, message: dict[str, Any], source_id: str) -> None:
    rest = {key: item for key, item in message.items() if key not in READ and item not in (None, [], {}, "")}
    if rest:
        draft.extra[source_id] = rest


def _agents(drafts: Drafts, message: dict[str, Any], source_id: str) -> Draft:
    """The agent's step that the message belongs to: the last one, as long as nothing came back yet."""
    last, step_id = drafts.last, message.get("step_id")
    if last is not None and last.source == "agent" and not last.results:
        known = last.extra.get("step_id")
        if known == step_id or known is None or step_id is None:
            last.ids.append(source_id)
            return last
    draft = drafts.add(Draft("agent", [source_id], at=iso(message.get("date"))))
    if step_id:
        draft.extra["step_id"] = step_id
    return draft


def _call(call: Json) -> ToolCall:
    value = as_dict(call)
    name = as_str(value.get("name"))
    return ToolCall(
        name or "unknown", value.get("arguments") if name else call, as_id(value.get("tool_call_id"))
    )


def _returned(drafts: Drafts, message: dict[str, Any], source_id: str, warn: Callable[[str], None]) -> None:
    parts = [message] if "tool_return" in message else as_list(message.get("tool_returns"))
    for part in map(as_dict, parts):
        text = text_of(part.get("tool_return"), warn)
        for key in ("stdout", "stderr"):
            given = part.get(key)
            lines = [shown(item) for item in (given if isinstance(given, list) else [given])]
            text += "".join(f"\n\n{key}:\n{line}" for line in lines if line and line not in text)
        failed = part.get("status") not in (None, "", "success")
        result = Result(text, as_id(part.get("tool_call_id")), error=failed)
        draft = drafts.answer(result, source_id)
        if draft is None:
            warn("a tool's return without a call is shown as a step of its own")
            draft = drafts.add(Draft("system", [source_id], kind="notice", results=[result]))
        _keep(draft, part, source_id)
