"""From the entries of one pi session to steps: results join their calls, summaries and context are marked.

Reads Droid's blocks too, which are Anthropic's. Knows nothing of files, trees and identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from reviewer.importers.formats.pi.ignored import ENDS_CONTEXT, INJECTED, NO_MODEL, QUIET, SUBTASK
from reviewer.importers.formats.pi.tree import kind, own_id, role
from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_float,
    as_id,
    as_int,
    as_str,
    iso,
    moment,
    shown,
    total,
)
from reviewer.importers.shapes.content import placeholder, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

STOPS: dict[str, Ended] = {"error": "error", "aborted": "user_stop", "length": "limit"}
SUMMARIES = {"compaction", "branch_summary", "compaction_state"}
_EXIT = re.compile(r"(?:Command|Process|\(Command) exited with code (-?\d{1,6})\b[.)]?\s*\Z")
# How a result says that a person stopped the call.
_STOPPED = re.compile(
    r"\A(?:Command|Operation|Request) aborted\b|(?:\A|\n)Command aborted\s*\Z"
    r"|\b(?:rejected|denied|declined|cancelled) by (?:the )?user\b",
    re.IGNORECASE,
)
_SUMMARY = {"type", "id", "parentId", "timestamp", "summary", "summaryText", "content", "text"}
REMINDER = "</system-reminder>"
LONG = 86_400  # seconds; no reply takes a day


class Steps:
    """Takes entries in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.ended: Ended = "unknown"

    def take(self, rows: Iterable[Record]) -> None:
        for row in rows:
            if kind(row) == "message":
                self._message(row)
            elif kind(row) in SUMMARIES:
                self._summary(row, row.value)
            elif kind(row) == "custom_message":
                self._custom(row, row.value)

    def _unknown(self, row: Record) -> Callable[[str], None]:
        return lambda reason: self.warn(reason, row.line)

    def _draft(self, source: Any, row: Record, **more: Any) -> Draft:
        return Draft(source, [own_id(row)], at=_at(row), **more)

    def _message(self, row: Record) -> None:
        message = as_dict(row.value.get("message"))
        takes: dict[str, Callable[[Record, dict[str, Any]], None]] = {
            "user": self._user,
            "assistant": self._assistant,
            "toolResult": self._result,
            "bashExecution": self._bash,
            "custom": self._custom,
            "hookMessage": self._custom,
            "compactionSummary": self._summary,
            "branchSummary": self._summary,
        }
        take = takes.get(role(row))
        if take is not None:
            take(row, message)
            return
        self.warn(f"unknown role {shown(message.get('role'))[:80]!r} is shown as a notice", row.line)
        content = message.get("content", row.value.get("message") if not message else None)
        text = self._text(content, row)
        rest = {key: item for key, item in message.items() if key not in ("content", "timestamp")}
        self.drafts.add(self._draft("system", row, message=text, kind="notice", extra=rest))

    def _text(self, content: Json, row: Record) -> str:
        blocks = content if isinstance(content, list) else [content]
        return "\n".join(_block(block, self._unknown(row)) for block in blocks)

    def _summary(self, row: Record, value: dict[str, Any]) -> None:
        texts = (value.get(key) for key in ("summary", "summaryText", "content", "text"))
        text = next((shown(item) for item in texts if item), "")
        draft = self._draft("system", row, message=text, kind="compaction")
        draft.extra["entry"] = role(row) or kind(row)
        kept = value.keys() - _SUMMARY if kind(row) == "compaction_state" else {"tokensBefore"}
        draft.extra |= {key: value[key] for key in sorted(kept) if value.get(key) is not None}
        self.drafts.add(draft)

    def _custom(self, row: Record, value: dict[str, Any]) -> None:
        """Context that an extension adds."""
        text = self._text(value.get("content"), row)
        extra = {"customType": value["customType"]} if value.get("customType") is not None else {}
        self.drafts.add(self._draft("user", row, message=text, kind="injected", extra=extra))

    def _user(self, row: Record, message: dict[str, Any]) -> None:
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        answers = [as_dict(block) for block in blocks if as_dict(block).get("type") == "tool_result"]
        for answer in answers:
            failed = answer.get("is_error") is True
            self._answer(row, answer.get("tool_use_id"), answer.get("content"), failed)
        said: list[str] = []
        context: list[str] = []
        for block in blocks:
            if as_dict(block).get("type") != "tool_result":
                reminder, text = _reminded(_block(block, self._unknown(row)))
                context += [reminder] if reminder else []
                nobodys = text.lstrip().startswith(INJECTED) and not _after(text)
                (context if nobodys else said).append(text)
        words = "\n".join(said)
        if as_dict(message.get("provenance")).get("kind") == "inter_session":
            context, words = [*context, words], ""
        if context:
            self._injected(row, "\n".join(context), message, alone=not words.strip())
        if words.strip():
            self._said(row, words)
        elif not context and not answers:
            self.drafts.add(self._draft("user", row, message=words, kind="injected"))

    def _injected(self, row: Record, text: str, message: dict[str, Any], alone: bool) -> None:
        draft = self._draft("user", row, message=text, kind="injected")
        if not alone:  # the words beside it have the id of the entry
            draft.ids = [f"{own_id(row)}#context"]
        if isinstance(message.get("provenance"), dict):
            draft.extra["provenance"] = message["provenance"]
        self.drafts.add(draft)

    def _said(self, row: Record, text: str) -> None:
        if not self.task:
            told = _after(text) or text
            self.task = told.partition(SUBTASK)[2].strip() or told
        self.ended = "unknown"
        self.drafts.add(self._draft("user", row, message=text))

    def _assistant(self, row: Record, message: dict[str, Any]) -> None:
        model, stop = as_str(message.get("model")), as_str(message.get("stopReason"))
        draft = self._draft("agent", row, model=model, seconds=_seconds(row, message))
        content = message.get("content")
        for block in content if isinstance(content, list) else [content]:
            self._part(draft, block, row)
        draft.metrics = _metrics(as_dict(message.get("usage")))
        self.ended = STOPS.get(stop, "unknown")
        draft.fault = stop == "error"
        why = shown(message.get("errorMessage"))
        if model in NO_MODEL or (draft.fault and not (draft.message or draft.calls or draft.reasoning)):
            draft.source, draft.kind = "system", "notice"
            draft.say(why if draft.fault else "")
        elif why:
            draft.extra["errorMessage"] = why
        if stop in STOPS:
            draft.extra["stopReason"] = stop
        if model not in NO_MODEL:
            self.model = self.model or model
        self.drafts.add(draft)

    def _part(self, draft: Draft, block: Json, row: Record) -> None:
        value = as_dict(block)
        sort = value.get("type")
        if sort == "thinking":
            draft.think(shown(value.get("thinking")) or "[thinking that the provider hides]")
        elif sort == "redacted_thinking":
            draft.think("[thinking that the provider hides]")
        elif sort in ("toolCall", "tool_use"):
            given = value.get("arguments" if sort == "toolCall" else "input")
            draft.call(ToolCall(as_str(value.get("name")) or "unknown", given, as_id(value.get("id"))))
        else:
            draft.say(_block(block, self._unknown(row)))

    def _result(self, row: Record, message: dict[str, Any]) -> None:
        code = as_code(as_dict(message.get("details")).get("exitCode"))
        failed = message.get("isError") is True
        self._answer(row, message.get("toolCallId"), message.get("content"), failed, code)

    def _answer(self, row: Record, call: Json, content: Json, failed: bool, code: int | None = None) -> None:
        text = self._text(content, row)
        found = _EXIT.search(text[-200:])
        code = as_code(found[1]) if code is None and found else code
        denied = failed and bool(_STOPPED.search(text[:200]) or _STOPPED.search(text[-200:]))
        result = Result(
            text,
            as_id(call),
            error=(failed or bool(code)) and not denied,
            denied=denied,
            exit_code=code,
        )
        if self.drafts.answer(result, own_id(row)) is None:
            self.warn("a tool result whose call is not on the path is shown as a step of its own", row.line)
            draft = self._draft("user", row, kind="notice")
            draft.results.append(result)
            if any(own_id(row) in other.ids for other in self.drafts.all):
                draft.ids = [f"{own_id(row)}#{len(self.drafts.all)}"]
            self.drafts.add(draft)

    def _bash(self, row: Record, message: dict[str, Any]) -> None:
        """A command that the user ran; the model sees it."""
        code = as_code(message.get("exitCode"))
        stopped = message.get("cancelled") is True
        draft = self._draft("user", row)
        draft.calls.append(ToolCall("bash", {"command": message.get("command")}))
        draft.results.append(
            Result(
                shown(message.get("output")), error=bool(code) and not stopped, denied=stopped, exit_code=code
            )
        )
        self.drafts.all.append(draft)  # no result of the agent's can belong to it


def _reminded(text: str) -> tuple[str, str]:
    """A reminder that stands before words in the same text, and the words."""
    head, end, rest = text.rpartition(REMINDER)
    told = text.lstrip().startswith("<system-reminder>") and bool(rest.strip())
    return (head + end, rest.lstrip()) if told and end else ("", text)


def _after(text: str) -> str:
    """What stands behind an internal context in the same text, or ""."""
    return text.rpartition(ENDS_CONTEXT)[2].strip() if ENDS_CONTEXT in text else ""


def _at(row: Record) -> str:
    return iso(row.value.get("timestamp")) or iso(as_dict(row.value.get("message")).get("timestamp"))


def _seconds(row: Record, message: dict[str, Any]) -> float | None:
    """From when the reply was asked for to when it was written down."""
    begun, done = moment(message.get("timestamp")), moment(row.value.get("timestamp"))
    if begun is None or done is None:
        return None
    took = (done - begun).total_seconds()
    return round(took, 3) if 0 < took < LONG else None


def _block(block: Json, unknown: Callable[[str], None]) -> str:
    """The text of one block; pictures as placeholders."""
    value = as_dict(block)
    if value.get("type") == "image" and "mimeType" in value:
        return placeholder(
            {"type": "image", "source": {"media_type": value["mimeType"], "data": value.get("data")}}
        )
    return text_of(block if isinstance(block, str) or block is None else [block], unknown)


def _metrics(usage: dict[str, Any]) -> Metrics | None:
    """`input` leaves out what came from the cache or went into it."""
    if not usage:
        return None
    cost = usage.get("cost")
    return Metrics(
        total(as_int(usage.get(key)) for key in ("input", "cacheRead", "cacheWrite")),
        as_int(usage.get("output")),
        as_float(as_dict(cost).get("total") if isinstance(cost, dict) else cost),
    )


def name_unknown(rows: Iterable[Record], warn: Callable[[str, int], None]) -> None:
    """Name the types of entries that are not known."""
    known = {"message", "custom_message", "session", "session_start", *SUMMARIES, *QUIET}
    for row in rows:
        if kind(row) not in known:
            warn(f"unknown entry type {kind(row)[:80]!r} is not shown (it stays in the raw record)", row.line)
