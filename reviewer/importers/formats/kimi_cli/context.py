"""From the rows of a Kimi `context.jsonl` to steps: chat messages, and marks between them.

Results say in their first words whether they failed. Knows nothing of files and identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, parsed, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record
from reviewer.trace import Ended, Json, Result, ToolCall

MARKS = {"_checkpoint", "_usage", "_system_prompt"}
TALK = {"user", "assistant", "tool", "system"}
INJECTED = ("<system>", "<system-reminder>", "<git-context>", "<notification")
COMPACTED = ("<system>Previous context has been compacted", "The conversation so far was compacted")
# How a result says that the call failed, and that a person stopped it.
FAILED = "<system>ERROR"
DENIED = re.compile(
    r"\A(?:<system>ERROR: )?(?:The tool call (?:is|was) rejected|Rejected by|The user rejected)"
)
_CODE = re.compile(r"\A(?:<system>)?(?:ERROR: )?[^<\n]{0,80}\bexit code:? (-?\d{1,9})\b")
_FAILED_CODE = re.compile(r"\bfailed with exit code:? (-?\d{1,9})\b")


class Context:
    """Takes rows in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.line = 0
        self.drafts = Drafts()
        self.task = ""
        self.ended: Ended = "unknown"
        self.messages = self.calls = 0

    def take(self, rows: list[Record]) -> None:
        for row in rows:
            self.line = row.line
            self._row(row)

    def unknown(self, reason: str) -> None:
        self.warn(reason, self.line)

    def _row(self, row: Record) -> None:
        role, source_id = as_str(row.value.get("role")), f"#{row.index}"
        if role == "_system_prompt":
            text = text_of(row.value.get("content"), self.unknown)
            self.drafts.add(Draft("system", [source_id], text))
        elif role in TALK:
            self.messages += 1
            self._message(role, row.value, source_id)
        elif role not in MARKS:
            self.unknown(f"unknown role {role[:80]!r} is not shown (it stays in the raw record)")

    def _message(self, role: str, value: dict[str, Any], source_id: str) -> None:
        if role == "assistant":
            self._assistant(value, source_id)
        elif role == "tool":
            text = text_of(value.get("content"), self.unknown)
            answer(self.drafts, result(text, as_id(value.get("tool_call_id"))), source_id, self.unknown)
        else:
            text = text_of(value.get("content"), self.unknown)
            draft = self.drafts.add(Draft("system" if role == "system" else "user", [source_id], text))
            self.task = said(draft) or self.task if not self.task else self.task

    def _assistant(self, value: dict[str, Any], source_id: str) -> None:
        draft = Draft("agent", [source_id])
        content = value.get("content")
        for part in content if isinstance(content, list) else [content]:
            put(draft, part, self.unknown)
        for key in ("reasoning_content", "thinking"):
            draft.think(shown(value.get(key)))
        for call in map(as_dict, as_list(value.get("tool_calls"))):
            self.calls += 1
            function = as_dict(call.get("function"))
            given = function.get("arguments")
            whole = parsed(given)
            arguments = whole if isinstance(whole, dict) else given
            draft.call(ToolCall(as_str(function.get("name")) or "unknown", arguments, as_id(call.get("id"))))
        self.drafts.add(draft)


def put(draft: Draft, part: Json, unknown: Callable[[str], None]) -> None:
    """Add one part of what the model gave to its step."""
    kind = as_str(as_dict(part).get("type"))
    if kind == "think":
        draft.think(
            shown(part.get("think"))
            or ("[thinking that the provider hides]" if part.get("encrypted") else "")
        )
    elif part is not None:
        draft.say(text_of([part], unknown))


def said(draft: Draft) -> str:
    """The words of a user, marked where no user typed them; "" for those."""
    text = draft.message.lstrip()
    if draft.source != "user":
        return ""
    if text.startswith(COMPACTED):
        draft.kind = "compaction"
    elif text.startswith(INJECTED) or not text:
        draft.kind = "injected"
    return "" if draft.kind else draft.message


def result(text: str, call_id: str, failed: bool = False, denied: bool = False) -> Result:
    """A result by its words: Kimi puts what came of a call before what it printed."""
    denied = denied or bool(DENIED.match(text))
    failed = failed or text.startswith(FAILED)
    found = _CODE.match(text) or (_FAILED_CODE.search(text) if failed else None)
    code = int(found[1]) if found else None
    return Result(text, call_id, error=(failed or bool(code)) and not denied, denied=denied, exit_code=code)


def answer(
    drafts: Drafts, found: Result, source_id: str, unknown: Callable[[str], None], at: str = ""
) -> None:
    """Put a result to its call, or show it alone."""
    if drafts.answer(found, source_id) is None:
        unknown("a tool result whose call is not in the file is shown as a step of its own")
        draft = drafts.add(Draft("user", [source_id], kind="notice", at=at))
        draft.results.append(found)
