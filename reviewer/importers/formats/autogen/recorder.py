"""Sessions of AutoGen's model recorder: one record a call of the model, with all that it was told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reviewer.importers.formats.autogen.v04 import calls_in
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, kind_of, shown
from reviewer.importers.shapes.conversation import Conversation
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.model_parts import Said
from reviewer.trace import Json, Metrics, Result, Source, ToolCall

_SOURCES: dict[str, Source] = {"SystemMessage": "system", "UserMessage": "user", "AssistantMessage": "agent"}


def is_record(row: Json) -> bool:
    row = as_dict(row)
    return {"mode", "messages", "response"} <= row.keys() and isinstance(row["messages"], list)


def calls_of(record: Json) -> int:
    """How many calls a model made in one record."""
    return calls_in({"type": "AssistantMessage", "content": as_dict(_reply(as_dict(record))).get("content")})


def _reply(record: dict[str, Any]) -> Json:
    """The answer, which a streamed call has as the last of its pieces."""
    if record.get("response") is not None:
        return record["response"]
    return next((item for item in reversed(as_list(record.get("stream"))) if isinstance(item, dict)), None)


def _result(row: dict[str, Any]) -> Said:
    result = Result(shown(row.get("content")), as_id(row.get("call_id")), row.get("is_error") is True)
    return Said("user", results=(result,), tool=as_str(row.get("name")))


def drafts_of(records: Sequence[Json], warn: Callable[[str], None]) -> Drafts:
    """All calls as one conversation: what is new in each, and what came back."""
    talk = Conversation()
    for index, record in enumerate(records):
        if not is_record(record):
            what = kind_of(record)
            warn(f"a record that is no model call ({what}) is not shown (it stays in the raw record)")
            continue
        told = [said for message in record["messages"] for said in _said(message)]
        if not talk.hear(told, f"#{index}") and told and not told[-1].results:
            # Asked the same again: calls of a recorder need not be of one conversation.
            talk.note(Draft(told[-1].source, [f"#{index} again"], told[-1].text))
        reply = as_dict(_reply(record))
        usage = as_dict(reply.get("usage"))
        tokens = as_int(usage.get("prompt_tokens")), as_int(usage.get("completion_tokens"))
        draft = Draft("agent", [f"#{index}"], metrics=Metrics(*tokens) if usage else None)
        if reply.get("finish_reason") not in (None, "stop", "function_calls"):
            draft.extra["finish_reason"] = reply["finish_reason"]
        if reply.get("cached") is True:
            draft.extra["cached"] = True
        if record["mode"] != "create":
            draft.extra["mode"] = record["mode"]
        draft.think(as_str(reply.get("thought")))
        talk.reply(_said({**reply, "thought": None, "type": "AssistantMessage"}), draft)
    return talk.drafts


def _said(message: Json) -> list[Said]:
    message = as_dict(message)
    kind, content = as_str(message.get("type")), message.get("content")
    if kind == "FunctionExecutionResultMessage":
        return [_result(as_dict(row)) for row in as_list(content)]
    items = content if isinstance(content, list) else [content]
    calls = [item for item in items if {"name", "arguments"} <= as_dict(item).keys()]
    words = [shown(item) for item in items if item not in calls]
    made = tuple(ToolCall(as_str(c["name"]) or "unknown", c["arguments"], as_id(c.get("id"))) for c in calls)
    return [Said(_SOURCES.get(kind, "user"), "\n".join(words), as_str(message.get("thought")), made)]
