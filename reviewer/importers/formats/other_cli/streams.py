"""Dialects in which each call and each result is a row of its own: Droid's stream-json, CodeBuddy.

A row is taken by its dialect's function and goes into the session. Knows no file.
"""

from __future__ import annotations

import re
from typing import Any

from reviewer.importers.formats.other_cli.session import Session
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, parsed, shown
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft
from reviewer.trace import Json, Result, ToolCall

Row = dict[str, Any]
_REMINDER = re.compile(r"\A\s*(?:<system-reminder>.*?</system-reminder>\s*)+", re.DOTALL)
_ABOUT = {"type", "id", "sessionId", "session_id", "timestamp", "cwd"}
_ROLES = {"user": "user", "assistant": "assistant"}
# Rows of CodeBuddy that hold nothing that was said or done.
_QUIET = {"session_start", "summary", "topic", "file-history-snapshot", "ai-title", "custom-title"}


def droid(session: Session, row: Row, index: int) -> None:
    """Droid: a call and its result share an id, the last row sums up."""
    kind = row.get("type")
    session.id = session.id or as_str(row.get("sessionId")) or as_str(row.get("session_id"))
    if kind == "tool_result":
        session.place(None, index)
        text = row.get("value", row.get("error"))
        result = Result(_text(session, text), as_id(row.get("id")), error=row.get("isError") is True)
        session.keep(session.answer(result), row, {*_ABOUT, "messageId", "toolId", "isError", "value"})
        return
    again = kind in ("reasoning", "message") and as_id(row.get("id")) in session.ids - {""}
    session.place(row.get("id"), index)
    if kind == "tool_call":
        name = as_str(row.get("toolName")) or as_str(row.get("toolId")) or "unknown"
        call = ToolCall(name, row.get("parameters"), as_id(row.get("id")))
        draft = _speaking(session, row)
        session.call(draft, call)
        session.keep(draft, row, {*_ABOUT, "toolId", "toolName", "parameters", "messageId"})
    elif again:
        session.warn("a row that stands twice is shown once")
    elif kind == "reasoning":
        _speaking(session, row).think(_text(session, row.get("text")))
    elif kind == "message":
        session.messages += 1
        draft = session.typed(
            _ROLES.get(as_str(row.get("role")), row.get("role")), _said(row), row.get("timestamp")
        )
        _spoken(session, draft, row)
    elif kind == "system" and row.get("subtype") == "init":
        session.model = as_str(row.get("model"))
        session.meta |= {key: row[key] for key in ("cwd", "reasoning_effort") if row.get(key)}
    elif kind == "completion":
        _droid_end(session, row)
    else:
        _strange(session, row)


def _said(row: Row) -> str:
    return as_str(row.get("text")) or shown(row.get("content"))


def _droid_end(session: Session, row: Row) -> None:
    """The last words, where they stand nowhere else, and the tokens of the whole."""
    words, last = as_str(row.get("finalText")), session.drafts.last
    if words and not any(words.strip() == draft.message.strip() for draft in session.drafts.all):
        last = session.add("agent", words, row.get("timestamp"))
        last.model = session.model
    if last is not None and row.get("usage"):
        session.spent(last, as_dict(row["usage"]))
    session.meta |= {key: row[key] for key in ("numTurns", "durationMs") if row.get(key) is not None}


def codebuddy(session: Session, row: Row, index: int) -> None:
    """CodeBuddy: messages with a role; calls and results pair by their id, or by their order."""
    kind = row.get("type")
    session.id = session.id or as_str(row.get("sessionId"))
    session.model = session.model or as_str(row.get("model"))
    session.place(row.get("id"), index)
    call_id = as_id(row.get("callId")) or as_id(row.get("call_id"))
    if kind == "message":
        session.messages += 1
        text = session.text(row.get("content"))
        draft = session.typed(
            _ROLES.get(as_str(row.get("role")), row.get("role")), text, row.get("timestamp")
        )
        _spoken(session, draft, row)
    elif kind == "function_call":
        given = row.get("arguments")
        value = parsed(given)
        name = as_str(row.get("name")) or "unknown"
        draft = _speaking(session, row)
        session.call(draft, ToolCall(name, given if value is None else value, call_id))
        session.keep(draft, row, {*_ABOUT, "name", "arguments", "callId", "call_id"})
    elif kind == "function_call_result":
        failed = row.get("isError") is True or as_str(row.get("status")) in ("error", "failed", "incomplete")
        draft = session.answer(Result(_text(session, row.get("output")), call_id, error=failed))
        session.keep(draft, row, {*_ABOUT, "name", "output", "callId", "call_id", "isError", "status"})
    elif kind == "reasoning":
        parts = row.get("rawContent") or row.get("content") or row.get("summary")
        texts = [as_str(as_dict(part).get("text")) for part in as_list(parts)] or [shown(parts)]
        _speaking(session, row).think("\n".join(filter(None, texts)))
    elif kind not in _QUIET:
        _strange(session, row)


def _speaking(session: Session, row: Row) -> Draft:
    """The agent's step that goes on: none that has its results already."""
    last = session.drafts.last
    if last is not None and last.source == "agent" and not last.results:
        last.ids += [session.here] if session.here not in last.ids else []
        return last
    draft = session.add("agent", "", row.get("timestamp"))
    draft.model = session.model
    return draft


def _spoken(session: Session, draft: Draft, row: Row) -> None:
    """What a person typed stands behind the reminders that the program puts before it."""
    session.keep(draft, row, {*_ABOUT, "role", "text", "content", "model"})
    if draft.source == "agent":
        draft.model = session.model
    elif draft.source == "user":
        request = _REMINDER.sub("", draft.message)
        draft.kind = "" if request.strip() else "injected"
        session.asked(draft, request)


def _strange(session: Session, row: Row) -> None:
    text = as_str(row.get("message")) or as_str(as_dict(row.get("error")).get("message"))
    draft = session.typed(row.get("type"), text, row.get("timestamp"))
    draft.fault = row.get("type") == "error"
    session.keep(draft, row, {*_ABOUT, "message"})


def _text(session: Session, value: Json) -> str:
    block = as_dict(value)
    if "text" in block:
        return as_str(block["text"])
    return session.text(value) if isinstance(value, str | list) else readable(value) if value else ""
