"""Chats of the AI SDK: lists of UI messages, alone, under `messages`, one chat or one message a line.

A message of the assistant may hold several turns, cut at `step-start`. Knows no span.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import (
    as_dict,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    kind_of,
    span,
)
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import objects, rows, sample
from reviewer.importers.shapes.spans.messages import Warner, arguments_of, data, words
from reviewer.importers.shapes.spans.run import Form
from reviewer.importers.shapes.spans.span import first
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Metrics, Result, ToolCall, Trace, TraceInfo, digest, record_hashes, trace_id
from reviewer.trace import Source as Speaker

SPEAKERS: dict[str, Speaker] = {"user": "user", "system": "system", "assistant": "agent"}
KINDS = {
    "text",
    "reasoning",
    "dynamic-tool",
    "file",
    "step-start",
    "source-url",
    "source-document",
    "tool-invocation",
}
READ = {"type", "toolCallId", "toolName", "state", "input", "args", "rawInput", "output", "result"}
ENDS = ("output-available", "output-error", "output-denied", "result")
READ |= {"errorText", "approval", "toolInvocation"}


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat: the record it stands in, its messages, its text as it stands in the file."""

    line: int
    record: Json
    messages: list[Json]
    raw: str


def is_message(value: Json) -> bool:
    """Whether this is a UI message: a role and parts of the kinds that only the AI SDK has."""
    row = as_dict(value)
    parts = row.get("parts")
    if as_str(row.get("role")) not in SPEAKERS or not isinstance(parts, list) or not parts:
        return False
    return all(_is_part(as_dict(part)) for part in parts)


def _is_part(part: dict[str, Any]) -> bool:
    kind = as_str(part.get("type"))
    if kind in ("text", "reasoning"):
        return "text" in part
    return kind in KINDS or kind.startswith(("data-", "tool-"))


def sniff(source: Source) -> bool:
    for row in sample(source, 10):
        inner = row.get("messages")
        if is_message(row) or (isinstance(inner, list) and any(is_message(item) for item in inner[:5])):
            return True
    return any(
        isinstance(line.value, list) and any(map(is_message, line.value[:5])) for line in _first(source)
    )


def _first(source: Source) -> list[Any]:
    if source.is_json:
        return []
    found = []
    for line in source.lines:
        found.append(line)
        if len(found) == 10:
            break
    return found


def read(source: Source, form: Form) -> Iterator[Imported]:
    """Each chat of the file."""
    chats = list(_chats(source))
    if not chats:
        raise InputError(f"{source.path}: no chat in it: there is no list of messages")
    for index, chat in enumerate(chats):
        yield _imported(source, form, chat, index, len(chats) == 1)


def _chats(source: Source) -> Iterator[Chat]:
    text = source.text.strip(" \t\r\n")
    if source.is_json and isinstance(source.value, dict):
        yield Chat(0, source.value, _messages(source.value), text)
        return
    if any(map(is_message, objects(source, 10))):  # each element or line is a message: the file is a chat
        found = list(rows(source))
        raw = text if source.is_json else "[" + ",\n".join(part for _, _, part in found) + "]"
        values = [value for _, value, _ in found]
        yield Chat(0, values, values, raw)
        return
    for line, value, raw in rows(source):
        messages = value if isinstance(value, list) else _messages(as_dict(value))
        if messages:
            yield Chat(line, value, messages, raw)
        else:
            source.lose(f"a row that is {kind_of(value)} without messages is skipped", line)


def _messages(value: dict[str, Any]) -> list[Json]:
    return as_list(value.get("messages")) or ([value] if is_message(value) else [])


def _imported(source: Source, form: Form, chat: Chat, index: int, alone: bool) -> Imported:
    record = as_dict(chat.record)
    named = "" if is_message(record) else first(as_id(record.get(key)) for key in ("id", "chatId"))
    steps = Steps(lambda reason: source.warn(reason, chat.line))
    for place, message in enumerate(chat.messages):
        steps.take(message, f"#{place}")
    made = steps.drafts.steps()
    begin = as_dict(chat.messages[0]) if chat.messages else {}
    identity: dict[str, Any]
    if named or as_id(begin.get("id")):
        identity = {"trace_id": trace_id([form.name, named, begin]), "content_hash": digest(chat.record)}
    else:
        identity = ids(chat.record)
    task_id, mark = task_of(named, source.path.name, index, alone)
    started, seconds = span(steps.times)
    meta = (
        {key: item for key, item in record.items() if key not in ("id", "chatId", "messages")}
        if named
        else {}
    )
    info = TraceInfo(
        **identity,
        format=form.name,
        importer=form.version,
        source_path=str(source.path),
        source_index=index,
        task_id=task_id,
        task=next((step.message for step in made if step.source == "user" and step.message), ""),
        model=first((as_str(record.get("model")), steps.model)),
        n_messages=len(chat.messages),
        n_tool_calls=sum(len(step.calls) for step in made),
        **totals(made),
        started=started,
        seconds=seconds,
        meta=meta | mark,
    )
    records = record_hashes(chat.messages) if named or begin.get("id") else b""
    return Imported(Trace(info, made, chat.raw or dumped(chat.record), records), ignored=form.ignored)


class Steps:
    """Takes messages in order."""

    def __init__(self, warn: Warner) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.model = ""
        self.times: list[Json] = []

    def take(self, value: Json, place: str) -> None:
        message = as_dict(value)
        role = as_str(message.get("role"))
        if not message or role not in SPEAKERS:
            self.warn(f"a message of an unknown role {role[:80]!r} is shown as a notice")
        source_id = as_id(message.get("id")) or place
        if any(source_id in draft.ids for draft in self.drafts.all):
            source_id = f"{source_id} {place}"
        draft = Draft(SPEAKERS.get(role, "system"), [source_id], kind="" if role in SPEAKERS else "notice")
        self._about(draft, message)
        parts = message.get("parts")
        if not isinstance(parts, list) or not parts:
            draft.say(words(message.get("content"), self.warn) if message else readable(value))
            parts = []
        turns = 0
        for part in parts:
            if as_dict(part).get("type") == "step-start":
                if turns:
                    self.drafts.add(draft)
                    draft = Draft(draft.source, [f"{source_id}/{turns}"], model=draft.model)
                turns += 1
            else:
                self._part(draft, part)
        self.drafts.add(draft)

    def _about(self, draft: Draft, message: dict[str, Any]) -> None:
        known = as_dict(message.get("metadata"))
        draft.model = as_str(known.get("model"))
        self.model = self.model or draft.model
        stamp = next((v for v in (message.get("createdAt"), known.get("createdAt")) if iso(v)), None)
        if stamp is not None:
            draft.at = iso(stamp)
            self.times.append(stamp)
        usage = as_dict(known.get("usage") or known.get("totalUsage"))
        sent, got = as_int(usage.get("inputTokens")), as_int(usage.get("outputTokens"))
        if sent is not None or got is not None:
            draft.metrics = Metrics(sent, got)
        rest = {k: v for k, v in known.items() if k not in ("model", "createdAt", "usage", "totalUsage")}
        more = {
            k: v
            for k, v in message.items()
            if k not in ("id", "role", "parts", "content", "metadata", "createdAt")
        }
        other = {
            f"usage.{k}": v
            for k, v in usage.items()
            if k not in ("inputTokens", "outputTokens", "totalTokens")
        }
        draft.extra |= rest | more | other

    def _part(self, draft: Draft, value: Json) -> None:
        part = as_dict(value)
        kind = as_str(part.get("type"))
        if kind in ("text", "reasoning") and part.get("state") not in (None, "done"):
            draft.extra[f"{kind} state"] = part["state"]
        if kind == "text":
            draft.say(as_str(part.get("text")))
        elif kind == "reasoning":
            draft.think(first((as_str(part.get("text")), as_str(part.get("reasoning")))))
        elif kind == "file":
            draft.say(data(part))
            about = {k: v for k, v in part.items() if k not in ("type", "url", "data")}
            draft.extra.setdefault("files", []).append(about)
        elif kind in ("source-url", "source-document", "source"):
            draft.extra.setdefault("sources", []).append({k: v for k, v in part.items() if k != "type"})
        elif kind.startswith("data-"):
            draft.extra.setdefault(kind, []).append({k: v for k, v in part.items() if k != "type"})
        elif kind.startswith("tool-") or kind == "dynamic-tool":
            self._tool(draft, part, kind)
        else:
            self.warn(f"unknown part type {kind[:80]!r} is shown as JSON")
            draft.say(readable(value))

    def _tool(self, draft: Draft, part: dict[str, Any], kind: str) -> None:
        """A call with what became of it: `state` says how far it came."""
        inner = part.get("toolInvocation")  # version 4
        part = {**part, **inner} if isinstance(inner, dict) else part
        name = as_str(part.get("toolName")) or kind.removeprefix("tool-")
        call_id = as_id(part.get("toolCallId")) or f"{draft.ids[0]}:{len(draft.calls) + 1}"
        given = next((part[key] for key in ("input", "args", "rawInput") if part.get(key) is not None), None)
        draft.call(ToolCall(name, arguments_of(given), call_id))
        self.drafts.note(draft)
        state, approval = as_str(part.get("state")), as_dict(part.get("approval"))
        output = next((part[key] for key in ("output", "result") if part.get(key) is not None), None)
        denied = state == "output-denied" or approval.get("approved") is False
        failed = state == "output-error" or "errorText" in part
        text = as_str(part.get("errorText")) if failed else words(output, self.warn)
        if denied or failed or output is not None or state in ("output-available", "result"):
            text = text or (as_str(approval.get("reason")) if denied else "")
            self.drafts.answer(
                Result(text, call_id, error=failed and not denied, denied=denied), draft.ids[0]
            )
        if state not in ENDS:
            draft.extra[f"state {call_id}"] = state
        if more := {key: item for key, item in part.items() if key not in READ}:
            draft.extra[f"tool {call_id}"] = more
        if approval:
            draft.extra[f"approval {call_id}"] = approval
