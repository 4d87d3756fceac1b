"""From the rows of one Claude Code session (or one sub-agent) to steps.

The lines of one API message become one step, its tool results join it, and what stands in a user's name
without a person having said it is marked. Knows nothing of files, trees and identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from reviewer.importers.formats.claude_code.commands import spoken
from reviewer.importers.formats.claude_code.ignored import QUIET_SYSTEM
from reviewer.importers.formats.claude_code.rows import Row
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_int, as_str, iso, shown
from reviewer.importers.shapes.content import readable, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

# What commands leave that the program runs itself.
LOCAL = ("<local-command-", "Caveat: The messages below")
# Beginnings of texts in a user's name that the program put there.
INJECTED = (
    *LOCAL,
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<system-reminder>",
    "<task-notification>",
    "<user-memory-input>",
    "<user-prompt-submit-hook>",
    "<ide_",
    "<teammate-message",
)
INTERRUPTED = "[Request interrupted by user"
# How a tool result says that a person or a permission rule stopped the call.
DENIED = (
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "User rejected",
    "Claude requested permissions to",
    "Permission to use",
    "The agent proposed a plan that was rejected",
    "[Request interrupted by user",
)
_EXIT = re.compile(r"\A(?:Error: )?Exit code (-?\d{1,6})\b")
SYNTHETIC = "<synthetic>"


class Steps:
    """Takes rows in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.interrupted = False
        self.failed = False
        self.refused = False
        self._messages: dict[str, Draft] = {}

    def take(self, rows: Iterable[Row]) -> None:
        for row in rows:
            if row.kind == "assistant":
                self._assistant(row)
            elif row.kind == "user":
                self._user(row)
            elif row.kind == "system":
                self._system(row)
            elif row.kind == "attachment":
                self._attachment(row)

    def _unknown(self, row: Row) -> Callable[[str], None]:
        return lambda reason: self.warn(reason, row.line)

    def _assistant(self, row: Row) -> None:
        message = row.message
        model = as_str(message.get("model"))
        self.interrupted = False
        self.failed = row.value.get("isApiErrorMessage") is True or (
            model == SYNTHETIC and bool(row.value.get("error"))
        )
        self.refused = message.get("stop_reason") == "refusal"
        if self.failed or model == SYNTHETIC:
            text = text_of(message.get("content"), self._unknown(row))
            self.drafts.add(
                Draft("system", [row.id], text, kind="notice", fault=self.failed, at=self._at(row))
            )
            return
        key = as_str(message.get("id"))
        draft = self._messages.get(key) if key else None
        if draft is None:
            draft = self.drafts.add(Draft("agent", [row.id], at=self._at(row), model=model))
            if key:
                self._messages[key] = draft
        else:
            draft.ids.append(row.id)
        content = message.get("content")
        for block in content if isinstance(content, list) else [content]:
            self._block(draft, block, row)
        self.drafts.note(draft)
        usage = as_dict(message.get("usage"))
        if usage:
            draft.metrics = Metrics(
                tokens_in(usage), as_int(usage.get("output_tokens")), draft_cost(row, draft)
            )

    def _block(self, draft: Draft, block: Json, row: Row) -> None:
        kind = as_dict(block).get("type")
        if kind == "thinking":
            draft.think(shown(block.get("thinking")))
        elif kind == "redacted_thinking":
            draft.think("[thinking that the provider hides]")
        elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            call = ToolCall(
                as_str(block.get("name")) or "unknown", block.get("input"), as_id(block.get("id"))
            )
            if not call.id or all(call.id != other.id for other in draft.calls):
                draft.call(call)
        elif isinstance(kind, str) and kind.endswith("_tool_result"):
            self.drafts.note(draft)
            self._result(as_dict(block), row)
        elif kind == "fallback":
            draft.extra["fallback"] = block
        else:
            draft.say(text_of([block], self._unknown(row)) if block is not None else "")

    def _user(self, row: Row) -> None:
        content = row.message.get("content")
        blocks = content if isinstance(content, list) else [content]
        rest: list[Json] = []
        for block in blocks:
            if as_dict(block).get("type") == "tool_result":
                self._result(as_dict(block), row)
            else:
                rest.append(block)
        if not rest:
            return
        text = text_of(rest, self._unknown(row)) if rest != [None] else ""
        made_up = bool(row.value.get("isMeta") or row.value.get("isSynthetic"))
        command = None if made_up else spoken(text)
        text = command.words if command else text
        draft = Draft("user", [row.id], text, at=self._at(row))
        if command:
            draft.extra["command"] = command.name
        self.failed = self.refused = False
        self.interrupted = text.startswith(INTERRUPTED)
        if row.value.get("isCompactSummary"):
            draft.kind = "compaction"
        elif self.interrupted:
            draft.kind = "notice"
        elif not command and (made_up or text.lstrip().startswith(INJECTED) or not text.strip()):
            draft.kind = "injected"
        elif not self.task:
            self.task = text
        self.drafts.add(draft)

    def _result(self, block: dict[str, Any], row: Row) -> None:
        unknown = self._unknown(row)
        content = block.get("content")
        text = readable(content) if isinstance(content, dict) else text_of(content, unknown)
        denied = text.startswith(DENIED) and block.get("is_error") is True
        found = _EXIT.match(text)
        result = Result(
            text,
            as_id(block.get("tool_use_id")),
            error=block.get("is_error") is True and not denied,
            denied=denied,
            exit_code=int(found[1]) if found else None,
        )
        if not self.drafts.answer(result, row.id):
            self.warn("a tool result whose call is not in the file is shown as a step of its own", row.line)
            draft = Draft("user", [row.id], kind="notice", at=self._at(row))
            draft.results.append(result)
            self.drafts.add(draft)

    def _system(self, row: Row) -> None:
        subtype = as_str(row.value.get("subtype"))
        if subtype in QUIET_SYSTEM:
            return
        error = row.value.get("error")
        text = shown(row.value.get("content")) or (readable(error) if error else "")
        if text:
            failed = subtype == "api_error"
            self.failed = failed
            self.drafts.add(
                Draft(
                    "system",
                    [row.id],
                    text,
                    kind="notice",
                    fault=failed,
                    at=self._at(row),
                    extra={"subtype": subtype},
                )
            )

    def _attachment(self, row: Row) -> None:
        attachment = as_dict(row.value.get("attachment"))
        if attachment.get("type") == "queued_command":
            text = text_of(attachment.get("prompt"), self._unknown(row))
            self.drafts.add(Draft("user", [row.id], text, kind="injected", at=self._at(row)))

    @staticmethod
    def _at(row: Row) -> str:
        return iso(row.value.get("timestamp"))


def tokens_in(usage: dict[str, Any]) -> int | None:
    """All tokens that went in, from the cache or not."""
    parts = [
        as_int(usage.get(key))
        for key in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    ]
    known = [part for part in parts if part is not None]
    return as_int(sum(known)) if known else None


def draft_cost(row: Row, draft: Draft) -> float | None:
    """Early versions wrote `costUSD` beside each row."""
    cost = as_float(row.value.get("costUSD"))
    before = draft.metrics.cost if draft.metrics else None
    return before if cost is None else cost + (before or 0.0)


def calls_of(drafts: Iterable[Draft], names: Iterable[str]) -> list[tuple[Draft, ToolCall]]:
    """The calls of the tools `names`, each with its step."""
    wanted = set(names)
    return [(draft, call) for draft in drafts for call in draft.calls if call.name in wanted]
