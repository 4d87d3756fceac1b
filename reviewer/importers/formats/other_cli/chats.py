"""Dialects whose rows have a role: gptme, Mistral Vibe, Hermes, Cursor transcripts, Goose.

A row is taken by its dialect's function and goes into the session. Knows no file.
"""

from __future__ import annotations

import re
from typing import Any

from reviewer.importers.formats.other_cli.session import Session, written_calls
from reviewer.importers.opening.values import as_code, as_dict, as_id, as_list, as_str, parsed, shown
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.entries import ROLES
from reviewer.trace import Json, Result, ToolCall

Row = dict[str, Any]
WRITTEN = re.compile(r"^@(?P<name>[\w.\-]+)(?:\((?P<id>[\w.:\-]*)\))?: (?=\{)", re.MULTILINE)
QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
COMMON = {"role", "content", "timestamp", "tool_calls", "tool_call_id"}


def gptme(session: Session, row: Row, index: int) -> None:
    """gptme: calls stand in the text, and what the tools say comes as `system` (or `tool`) afterwards."""
    session.place(None, index)
    session.messages += 1
    role, text = row.get("role"), session.text(row.get("content"))
    last = session.drafts.last
    if role == "tool" or (role == "system" and last is not None and last.source == "agent"):
        draft = session.answer(Result(text, as_id(row.get("call_id"))), loose=True)
        session.keep(draft, row, {*COMMON, "call_id", "pinned", "hide"})
        return
    about = as_dict(row.get("metadata"))
    draft = _said(session, row, text)
    session.by(draft, about.get("model"))
    usage = as_dict(about.get("usage")) or about
    session.spent(draft, usage, about.get("cost"))
    for call in written_calls(text, WRITTEN) if draft.source == "agent" else ():
        session.call(draft, call)
    read = {*COMMON, "metadata", "pinned", "hide", "call_id"}
    session.keep(draft, row, read)
    odd = {key: item for key, item in about.items() if key not in ("model", "usage", "cost")}
    if about is not usage and odd:
        draft.extra["metadata"] = odd


def vibe(session: Session, row: Row, index: int) -> None:
    """Mistral Vibe: chat messages with ids of their own."""
    session.place(row.get("message_id"), index)
    session.messages += 1
    text = session.text(row.get("content"))
    if row.get("role") == "tool":
        error, denied = text.startswith(FAILED), text.startswith(CANCELLED)
        error = (error or row.get("is_error") is True) and not denied
        result = Result(text, as_id(row.get("tool_call_id")), error=error, denied=denied)
        session.keep(session.answer(result), row, {*COMMON, "message_id", "name", "is_error"})
        return
    draft = _said(session, row, text, typed=row.get("injected") is not True)
    _calls(session, draft, row)
    session.keep(draft, row, {*COMMON, "message_id", "injected", *REASONING})


REASONING = ("reasoning", "reasoning_content")
# How Vibe marks what a tool that failed says, and what a person did not let it do.
FAILED, CANCELLED = "<tool_error>", "<user_cancellation>"


def hermes(session: Session, row: Row, index: int) -> None:
    """Hermes: chat messages with reasoning, and a row about the session at the end."""
    session.place(row.get("id"), index)
    session.messages += 1
    text = session.text(row.get("content"))
    if row.get("role") == "tool":
        told = as_dict(parsed(text)) if text.startswith("{") else {}  # how Hermes' own tools answer
        code = as_code(told.get("exit_code"))
        error = row.get("error") is True or row.get("is_error") is True
        error = error or bool(code) or told.get("success") is False
        draft = session.answer(Result(text, as_id(row.get("tool_call_id")), error=error, exit_code=code))
        read = {*COMMON, "tool_name", "name", "finish_reason", "id"}
        session.keep(draft, row, read | {key for key in ("error", "is_error") if type(row.get(key)) is bool})
        return
    if row.get("role") == "session_meta":
        about = {key: item for key, item in row.items() if key not in ("role", "timestamp", "tools")}
        session.meta |= {f"session_meta.{key}": item for key, item in about.items()}
        return
    draft = _said(session, row, text)
    session.by(draft, row.get("model"))
    _calls(session, draft, row)
    read = {*COMMON, "finish_reason", "id", "model", "codex_reasoning_items", "reasoning_details", *REASONING}
    session.keep(draft, row, read)


def exported(session: Session, row: Row, index: int) -> None:
    """An export of Antigravity: chat messages with the time under a name of its own."""
    rest = {key: item for key, item in row.items() if key != "created_at"}
    hermes(session, {"timestamp": row.get("created_at"), **rest}, index)


def devin(session: Session, row: Row, index: int) -> None:
    """Devin: chat messages as the nodes of a chain; what a person typed is marked."""
    about = as_dict(row.get("metadata"))
    rest = {key: item for key, item in row.items() if key not in ("message_id", "metadata", "created_at")}
    at = row.get("created_at") or about.get("created_at")
    hermes(session, {"id": row.get("message_id"), "timestamp": at, **rest}, index)
    last = session.drafts.last
    if last is None or last.ids[0] != session.here:
        return
    if last.source == "user" and about.get("is_user_input") is False:
        last.kind = "injected"
        session.task = "" if session.task == last.message else session.task
    session.keep(last, about, {"is_user_input", "created_at"})


def _said(session: Session, row: Row, text: str, typed: bool = True) -> Draft:
    """A step for what somebody said; `typed` when a person did, where it is in the user's name."""
    role = row.get("role")
    source = ROLES.get(role) if isinstance(role, str) else None
    draft = session.add(source or "system", text, row.get("timestamp"))
    if source is None:
        draft.kind = "notice"
        draft.extra["role"] = role
        session.warn(f"unknown role {shown(role)[:80]!r} is shown as a notice")
    if draft.source == "user":
        draft.kind = "" if typed else "injected"
        session.asked(draft)
    return draft


def _calls(session: Session, draft: Draft, row: Row) -> None:
    for thought in dict.fromkeys(session.text(row.get(key)) for key in REASONING):
        draft.think(thought)
    session.functions(draft, row.get("tool_calls"))


def cursor(session: Session, row: Row, index: int) -> None:
    """Cursor: messages of blocks; calls have no id and are answered in order, or not at all."""
    session.place(None, index)
    session.messages += 1
    content = as_dict(row.get("message")).get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": shown(content)}]
    results = [as_dict(block) for block in blocks if as_dict(block).get("type") == "tool_result"]
    for block in results:
        text, error = session.text(block.get("content")), block.get("is_error") is True
        session.answer(Result(text, as_id(block.get("tool_use_id")), error=error))
    rest = [block for block in blocks if as_dict(block).get("type") != "tool_result"]
    if results and not rest:
        return
    texts = [block for block in rest if as_dict(block).get("type") not in ("tool_use", "thinking")]
    draft = _said(session, row, session.text(texts))
    if draft.source == "user" and (asked := QUERY.search(draft.message)):
        session.task = asked[1] if session.task == draft.message else session.task
    for block in map(as_dict, rest):
        if block.get("type") == "tool_use":
            name = as_str(block.get("name")) or "unknown"
            session.call(draft, ToolCall(name, block.get("input"), as_id(block.get("id"))))
        elif block.get("type") == "thinking":
            draft.think(as_str(block.get("thinking")))
    session.keep(draft, row, {*COMMON, "message"})


def goose(session: Session, row: Row, index: int) -> None:
    """Goose: requests and responses of tools as blocks; responses come in the user's name."""
    if row.get("type") in ("complete", "error", "notification") and "content" not in row:
        _goose_event(session, row, index)
        return
    message = as_dict(row.get("message")) or row
    blocks = [as_dict(block) for block in as_list(message.get("content"))]
    last = session.drafts.last
    if row.get("type") == "message" and last is not None and as_id(message.get("id")) == last.ids[0] != "":
        draft: Draft | None = last  # the next piece of a message that is streamed
    else:
        session.place(message.get("id"), index)
        session.messages += 1
        draft = None
    for block in blocks:
        if block.get("type") == "toolResponse":
            _goose_response(session, block)
            continue
        if draft is None:
            draft = _said(session, {"role": message.get("role"), "timestamp": message.get("created")}, "")
        _goose_block(session, draft, block, "content" not in row)
    if draft is not None and draft.source == "user":
        session.asked(draft)


def _goose_block(session: Session, draft: Draft, block: Row, streamed: bool) -> None:
    kind = block.get("type")
    if kind == "text" and streamed:
        draft.message += as_str(block.get("text"))
    elif kind == "thinking":
        draft.think(as_str(block.get("thinking")))
    elif kind in ("toolRequest", "frontendToolRequest"):
        made = as_dict(block.get("toolCall"))
        call = as_dict(made.get("value"))
        name = as_str(call.get("name")) or "unknown"
        session.call(draft, ToolCall(name, call.get("arguments"), as_id(block.get("id"))))
        if made.get("status") == "error":
            session.answer(Result(shown(made.get("error")), as_id(block.get("id")), error=True))
    elif kind == "redactedThinking":
        draft.think("[reasoning that the provider withholds]")
    elif kind in (
        "systemNotification",
        "contextLengthExceeded",
        "conversationCompacted",
        "summarizationRequested",
    ):
        draft.say(as_str(block.get("msg")))
        draft.kind = "compaction" if kind != "systemNotification" else "notice"
    elif kind == "image" and "data" in block:
        draft.say(
            session.text(
                [{"type": "image", "source": {"media_type": block.get("mimeType"), "data": block["data"]}}]
            )
        )
    else:
        draft.say(session.text([block]))


def _goose_response(session: Session, block: Row) -> None:
    result = as_dict(block.get("toolResult"))
    value = result.get("value")
    content = value.get("content") if isinstance(value, dict) else value
    failed = result.get("status") == "error" or as_dict(value).get("isError") is True
    text = session.text(content) if isinstance(content, list) else shown(content or result.get("error"))
    session.answer(Result(text, as_id(block.get("id")), error=failed))


def _goose_event(session: Session, row: Row, index: int) -> None:
    """How a stream ended."""
    if row.get("type") == "complete":
        session.meta |= {key: item for key, item in row.items() if key != "type"}
        return
    session.place(None, index)
    said: Json = row.get("error") or row.get("message") or {k: v for k, v in row.items() if k != "type"}
    draft = session.add("system", said if isinstance(said, str) else readable(said))
    draft.kind, draft.fault = "notice", row.get("type") == "error"
