"""Dialects whose rows have a type: Grok Build, Qwen Code, iFlow, Antigravity.

A row is taken by its dialect's function and goes into the session. Knows no file.
"""

from __future__ import annotations

import re
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.formats.other_cli.session import Session, decoded, joined
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, shown
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.records import Record
from reviewer.trace import Json, Result, ToolCall

Row = dict[str, Any]
REQUEST = re.compile(r"<(USER_REQUEST|user_query)>\s*(.*?)\s*</\1>", re.DOTALL)
ROW = {"type", "uuid", "parentUuid", "sessionId", "timestamp", "cwd", "version", "gitBranch", "message"}


def grok(session: Session, row: Row, index: int) -> None:
    """Grok Build: reasoning before its answer, calls of the server between rows."""
    session.messages += 1
    session.place(row.get("id") if row.get("type") == "reasoning" else None, index)
    kind, read = row.get("type"), {"type", "content"}
    if kind == "reasoning":
        session.thoughts.append((session.here, joined(row.get("summary")) or as_str(row.get("summary"))))
    elif kind == "tool_result":
        text = session.text(row.get("content"))
        draft = session.answer(
            Result(text, as_id(row.get("tool_call_id")), error=row.get("is_error") is True)
        )
        session.keep(draft, row, {*read, "tool_call_id", "is_error"})
    elif kind == "assistant":
        draft = session.add("agent", session.text(row.get("content")), row.get("timestamp"))
        session.by(draft, row.get("model_id"))
        session.functions(draft, row.get("tool_calls"))
        read |= {"tool_calls", "model_id", "model_fingerprint", "reasoning_effort", "timestamp"}
        session.keep(draft, row, read)
    elif kind == "backend_tool_call":
        call = as_dict(row.get("kind"))
        last = session.drafts.last
        draft = (
            last
            if last is not None and last.source == "agent" and not session.thoughts
            else session.add("agent")
        )
        if session.here not in draft.ids:
            draft.ids.append(session.here)
        name = as_str(call.get("tool_type")) or "unknown"
        session.call(draft, ToolCall(name, call.get("action"), as_id(call.get("id"))))
        session.keep(draft, call, {"tool_type", "action", "id"})
    else:
        _grok_said(session, row)


def _grok_said(session: Session, row: Row) -> None:
    text = session.text(row.get("content"))
    draft = session.typed(row.get("type"), text, row.get("timestamp"))
    if row.get("synthetic_reason"):
        draft.kind = "compaction" if "compaction" in shown(row["synthetic_reason"]).lower() else "injected"
    elif draft.source == "user":
        asked = REQUEST.search(text)
        session.asked(draft, asked[2] if asked else "")
    session.keep(draft, row, {"type", "content", "prompt_index", "timestamp"})


def kept(source: Source, rows: list[Record]) -> list[Record]:
    """The rows of a Qwen session on the path to its last one, where it was rewound; else all."""
    if not any(row.value.get("subtype") == "rewind" for row in rows):
        return rows
    ids = [as_id(row.value.get("uuid")) for row in rows]
    known, above = set(ids), dict[str, str]()
    for row, own, before in zip(rows, ids, ["", *ids], strict=False):
        parent = as_id(row.value.get("parentUuid"))
        above.setdefault(own, before if parent and parent not in known else parent)  # a parent that is lost
    path: set[str] = set()
    at = next((own for own in reversed(ids) if own), "")
    while at and at not in path:
        path.add(at)
        at = above[at]
    found = [row for row, own in zip(rows, ids, strict=True) if not own or own in path]
    for _ in range(len(rows) - len(found)):
        source.warn("a row of a branch that was left by a rewind is not shown (it stays in the raw record)")
    return found


def qwen(session: Session, row: Row, index: int) -> None:
    """Qwen Code: rows as Claude Code has them, messages as Gemini has them."""
    session.messages += 1
    session.place(row.get("uuid"), index)
    session.id = session.id or as_str(row.get("sessionId"))
    kind = row.get("type")
    parts = [as_dict(part) for part in as_list(as_dict(row.get("message")).get("parts"))]
    if kind == "tool_result":
        for part in parts:
            _function_response(
                session, as_dict(part.get("functionResponse")), as_dict(row.get("toolCallResult"))
            )
        return
    if kind == "system":
        _qwen_system(session, row)
        return
    text = "\n".join(
        as_str(part.get("text")) for part in parts if part.get("thought") is not True and "text" in part
    )
    draft = session.typed(kind, text, row.get("timestamp"))
    session.by(draft, row.get("model"))
    session.spent(draft, as_dict(row.get("usageMetadata")))
    for part in parts:
        call = as_dict(part.get("functionCall"))
        if part.get("thought") is True:
            draft.think(as_str(part.get("text")))
        elif call:
            name = as_str(call.get("name")) or "unknown"
            session.call(draft, ToolCall(name, call.get("args"), as_id(call.get("id"))))
        elif "text" not in part:
            draft.say(readable(part))
    if draft.source == "user":
        session.asked(draft)
    session.keep(draft, row, {*ROW, "model", "usageMetadata", "contextWindowSize"})


def _function_response(session: Session, response: Row, about: Row) -> None:
    body = as_dict(response.get("response"))
    status = as_str(about.get("status")).lower()
    said: Json = body.get("output", body.get("error", body or about.get("resultDisplay")))
    text = said if isinstance(said, str) else readable(said) if said else ""
    failed = status == "error" or ("error" in body and "output" not in body)
    denied = status in ("cancelled", "canceled", "rejected")
    session.answer(Result(text, as_id(response.get("id")), error=failed and not denied, denied=denied))


def _qwen_system(session: Session, row: Row) -> None:
    """What the program itself writes: telemetry (left raw), commands, a compression of the context."""
    subtype, payload = as_str(row.get("subtype")), as_dict(row.get("systemPayload"))
    if subtype == "ui_telemetry":
        session.model = session.model or as_str(as_dict(payload.get("uiEvent")).get("model"))
        return
    draft = session.add("system", as_str(payload.get("rawCommand")), row.get("timestamp"))
    draft.kind = "compaction" if "compress" in subtype else "notice"
    rest = {key: item for key, item in payload.items() if key != "rawCommand"}
    draft.say(f"[{subtype or 'system'}] {readable(rest)}" if rest else "")
    session.keep(draft, row, {*ROW, "subtype", "systemPayload"})


def iflow(session: Session, row: Row, index: int) -> None:
    """iFlow: rows as Claude Code has them; an answer repeats the calls that still wait for a result."""
    session.messages += 1
    session.place(row.get("uuid"), index)
    session.id = session.id or as_str(row.get("sessionId"))
    message = as_dict(row.get("message"))
    content = message.get("content")
    blocks = [as_dict(block) for block in as_list(content)]
    results = [block for block in blocks if block.get("type") == "tool_result"]
    for block in results:
        _iflow_result(session, block, as_dict(row.get("toolUseResult")))
    if results and len(results) == len(blocks):
        return
    if row.get("type") == "assistant":
        _iflow_answer(session, row, message, blocks)
        return
    text = content if isinstance(content, str) else session.text([b for b in blocks if b not in results])
    draft = session.typed(row.get("type"), text, row.get("timestamp"))
    if row.get("isMeta") is True:
        draft.kind = "injected"
    if draft.source == "user":
        session.asked(draft)
    session.keep(draft, row, {*ROW, "isSidechain", "userType", "isMeta", "toolUseResult"})


def _iflow_answer(session: Session, row: Row, message: Row, blocks: list[Row]) -> None:
    """Rows with one parent and nothing between them are the pieces of one answer."""
    last, parent = session.drafts.last, as_id(row.get("parentUuid"))
    if last is not None and last.source == "agent" and not last.results and session.parent == parent:
        draft = last
        draft.ids.append(session.here)
    else:
        draft = session.add("agent", "", row.get("timestamp"))
        session.parent = parent
    session.by(draft, message.get("model"))
    known = {call.id for step in session.drafts.all for call in step.calls}
    for block in blocks:
        id = as_id(block.get("id"))
        if block.get("type") != "tool_use":
            draft.say(session.text([block]))
        elif id and id in known:
            session.calls += 1  # the same call, written once more
        else:
            session.call(draft, ToolCall(as_str(block.get("name")) or "unknown", block.get("input"), id))
    usage = as_dict(message.get("usage"))
    if any(usage.values()):  # zeros stand where nobody counted
        session.spent(draft, usage)
    if as_str(message.get("content")):
        draft.say(message["content"])
    session.keep(draft, row, {*ROW, "isSidechain", "userType"})


def _iflow_result(session: Session, block: Row, about: Row) -> None:
    content = block.get("content")
    inner = as_dict(as_dict(as_dict(content).get("responseParts")).get("functionResponse"))
    if inner:
        _function_response(session, {**inner, "id": block.get("tool_use_id")}, about)
        return
    text = session.text(content) if isinstance(content, str | list) else readable(content)
    failed = block.get("is_error") is True or about.get("status") == "error"
    session.answer(Result(text, as_id(block.get("tool_use_id")), error=failed))


def antigravity(session: Session, row: Row, index: int) -> None:
    """Antigravity: a row a step; what a tool did is a row of the model's with a type of its own."""
    session.messages += 1
    session.place(None, index)
    source, kind = as_str(row.get("source")), as_str(row.get("type"))
    text = session.text(row.get("content"))
    failed = as_str(row.get("status")).upper() in ("ERROR", "FAILED")
    calls, read = as_list(row.get("tool_calls")), {"step_index", "source", "type", "status", "content"}
    if source == "MODEL" and kind != "PLANNER_RESPONSE" and not calls and session.drafts.waiting():
        draft = session.answer(Result(text, error=failed))
        session.keep(draft, row, {*read, "created_at", "thinking"})
        return
    draft = session.add(_SOURCES.get(source, "system"), text, row.get("created_at"))
    draft.fault = failed
    draft.think(as_str(row.get("thinking")))
    draft.number = shown(row.get("step_index"))
    for call in map(as_dict, calls):
        name = as_str(call.get("name")) or "unknown"
        session.call(draft, ToolCall(name, decoded(call.get("args")), as_id(call.get("id"))))
    if draft.source == "user":
        draft.kind = "" if source == "USER_EXPLICIT" else "injected"
        asked = REQUEST.search(text)
        session.asked(draft, asked[2] if asked else "")
    elif draft.source == "system":
        draft.kind = "notice"
        draft.extra["type"] = kind
    session.keep(draft, row, {*read, "created_at", "thinking", "tool_calls"})


_SOURCES: dict[str, Any] = {"MODEL": "agent", "USER_EXPLICIT": "user", "USER_IMPLICIT": "user"}
