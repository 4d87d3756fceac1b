"""From the rows of a Kimi Code `wire.jsonl` to steps: messages, and the events of the agent's loop.

Knows nothing of files and identity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.counting import count
from reviewer.importers.formats.kimi_cli.context import answer, put, result, said
from reviewer.importers.formats.kimi_cli.ignored import QUIET_ROWS
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, iso, shown, total
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record
from reviewer.trace import Ended, Metrics, ToolCall

REASONS: dict[str, Ended] = {
    "completed": "submitted",
    "cancelled": "user_stop",
    "failed": "error",
    "error": "error",
    "max_steps": "limit",
}
FINISHES: dict[str, Ended] = {"max_tokens": "limit", "length": "limit", "filtered": "refused"}
INPUTS = ("inputOther", "inputCacheRead", "inputCacheCreation")


class Wire:
    """Takes rows in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.line = 0
        self.drafts = Drafts()
        self.task = self.model = self.alias = ""
        self.ended: Ended = "unknown"
        self.messages = self.calls = 0
        self.settings: dict[str, Any] = {}
        self._steps: dict[str, Draft] = {}
        self._denied: set[str] = set()

    def take(self, rows: list[Record]) -> None:
        for row in rows:
            approval = as_dict(row.value.get("result"))
            if as_str(approval.get("decision")) in ("rejected", "denied"):
                self._denied.add(as_str(row.value.get("toolCallId")))
        for row in rows:
            self.line = row.line
            self._row(row.value, f"#{row.index}")

    def unknown(self, reason: str) -> None:
        self.warn(reason, self.line)

    def _row(self, value: dict[str, Any], source_id: str) -> None:
        kind, at = as_str(value.get("type")), iso(value.get("time"))
        if kind == "context.append_message":
            self.messages += 1
            self._message(as_dict(value.get("message")), source_id, at)
        elif kind == "context.append_loop_event":
            self._event(as_dict(value.get("event")), source_id, at)
        elif kind == "context.apply_compaction":
            text = shown(value.get("summary")) or text_of(value.get("contextSummary"), self.unknown)
            self.drafts.add(Draft("system", [source_id], text, kind="compaction", at=at))
        elif kind in ("context.undo", "context.clear"):
            self._undo(as_int(value.get("count")) if kind == "context.undo" else None, source_id, at)
        elif kind == "turn.cancel":
            reason = as_str(value.get("reason"))
            self._notice(f"[turn cancelled{': ' if reason else ''}{reason}]", source_id, at)
            self.ended = "user_stop"
        elif kind == "turn.ended":
            self._end(value, source_id, at)
        elif kind in QUIET_ROWS:
            self._setting(kind, value)
        else:
            self.unknown(f"unknown record type {kind[:80]!r} is not shown (it stays in the raw record)")

    def _setting(self, kind: str, value: dict[str, Any]) -> None:
        if kind == "llm.request":
            self.model = as_str(value.get("model")) or self.model
        elif kind in ("config.update", "profile.bind", "usage.record"):
            self.alias = as_str(value.get("modelAlias", value.get("model"))) or self.alias
            for key in ("cwd", "profileName", "thinkingEffort"):
                if value.get(key):
                    self.settings.setdefault(key, value[key])

    def _notice(self, text: str, source_id: str, at: str, fault: bool = False) -> None:
        self.drafts.add(Draft("system", [source_id], text, kind="notice", fault=fault, at=at))

    def _end(self, value: dict[str, Any], source_id: str, at: str) -> None:
        """How a turn ended; an error is said, a cancel was said already."""
        self.ended = REASONS.get(as_str(value.get("reason")), "unknown")
        error = value.get("error")
        if self.ended == "error" or error:
            text = shown(as_dict(error).get("message")) or shown(error) or "the turn failed"
            self._notice(text, source_id, at, fault=True)

    def _message(self, message: dict[str, Any], source_id: str, at: str) -> None:
        role, origin = as_str(message.get("role")), as_dict(message.get("origin"))
        text = text_of(message.get("content"), self.unknown)
        if role == "assistant":
            draft = self.drafts.add(Draft("agent", [source_id], at=at, model=self.model or self.alias))
            for part in as_list(message.get("content")) or [message.get("content")]:
                put(draft, part, self.unknown)
            return
        if role == "tool":
            found = result(text, as_id(message.get("toolCallId")), message.get("isError") is True)
            answer(self.drafts, found, source_id, self.unknown, at)
            return
        self.ended = "unknown"
        draft = self.drafts.add(Draft("system" if role == "system" else "user", [source_id], text, at=at))
        kind = as_str(origin.get("kind"))
        if role not in ("user", "system", "developer"):
            self.unknown(f"unknown role {role[:80]!r} is shown as a notice")
            draft.source, draft.kind, draft.extra = "system", "notice", {"role": message.get("role")}
        elif kind == "compaction_summary":
            draft.kind = "compaction"
        elif kind not in ("", "user"):
            draft.kind = "injected"
            draft.extra = {"origin": origin}
        else:
            self.task = self.task or said(draft)

    def _step(self, event: dict[str, Any], source_id: str, at: str) -> Draft:
        """The step an event belongs to; it is made by the first that shows something."""
        key = as_str(event.get("stepUuid")) or as_str(event.get("uuid"))
        draft = self._steps.get(key)
        if draft is None or not any(draft is other for other in self.drafts.all):
            draft = Draft("agent", [source_id], at=at, model=self.model or self.alias)
            self._steps[key] = self.drafts.add(draft)
        elif source_id not in draft.ids:
            draft.ids.append(source_id)
        return draft

    def _event(self, event: dict[str, Any], source_id: str, at: str) -> None:
        kind = as_str(event.get("type"))
        if kind == "content.part":
            put(self._step(event, source_id, at), event.get("part"), self.unknown)
        elif kind == "tool.call":
            self.calls += 1
            draft = self._step(event, source_id, at)
            call_id = as_id(event.get("toolCallId")) or as_id(event.get("uuid"))
            draft.call(ToolCall(as_str(event.get("name")) or "unknown", event.get("args"), call_id))
            self.drafts.note(draft)
        elif kind == "tool.result":
            self._result(event, source_id, at)
        elif kind == "step.end":
            self._finish(event)
        elif kind != "step.begin":
            self.unknown(f"unknown event {kind[:80]!r} is not shown (it stays in the raw record)")

    def _result(self, event: dict[str, Any], source_id: str, at: str) -> None:
        inner = as_dict(event.get("result"))
        output = inner.get("output", event.get("result") if not inner else None)
        text = text_of(output, self.unknown) if isinstance(output, list) else shown(output)
        text = text or shown(inner.get("message"))
        call_id = as_id(event.get("toolCallId")) or as_id(event.get("parentUuid"))
        failed = inner.get("isError") is True or inner.get("is_error") is True
        answer(
            self.drafts, result(text, call_id, failed, call_id in self._denied), source_id, self.unknown, at
        )

    def _finish(self, event: dict[str, Any]) -> None:
        """The tokens of a step, and why the model stopped."""
        draft = self._steps.get(as_str(event.get("uuid")))
        usage = as_dict(event.get("usage"))
        if draft is not None and usage:
            tokens = total(as_int(usage.get(key)) for key in INPUTS)
            draft.metrics = Metrics(tokens, as_int(usage.get("output")))
        self.ended = FINISHES.get(as_str(event.get("finishReason")), "unknown")

    def _undo(self, prompts: int | None, source_id: str, at: str) -> None:
        """Take back the last prompts with all that followed, or everything; raw keeps it."""
        drafts = self.drafts.all
        starts = [n for n, draft in enumerate(drafts) if draft.source == "user" and not draft.kind]
        if prompts is None or prompts >= len(starts):
            start = 0 if prompts is None else starts[0] if starts else len(drafts)
        else:
            start = starts[-prompts] if prompts else len(drafts)
        gone = len(drafts) - start
        del drafts[start:]
        if not any(draft.source == "user" and not draft.kind for draft in drafts):
            self.task = ""
        self._notice(f"[taken back: {count(gone, 'step')} in the raw record only]", source_id, at)
        self.ended = "unknown"
