"""From the rows of one Codex rollout to steps.

The items make the conversation; events add what only they say: tokens, exit codes, errors, aborted and
rolled back turns. Knows nothing of files, parents and identity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reviewer.counting import count
from reviewer.importers.formats.codex.ignored import QUIET_EVENTS, QUIET_ROWS
from reviewer.importers.formats.codex.injected import injected, request, summary
from reviewer.importers.formats.openai_responses.calls import readable_error
from reviewer.importers.formats.openai_responses.items import HIDDEN, Items
from reviewer.importers.opening.values import as_code, as_dict, as_float, as_int, as_list, as_str, iso, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.records import Record
from reviewer.trace import Ended, Json, Metrics

# Ends of a turn, and what they say of the run when nothing follows.
ENDS: dict[str, Ended] = {"task_complete": "submitted", "turn_complete": "submitted"}
ABORTED: dict[str, Ended] = {"interrupted": "user_stop", "budget_limited": "limit"}
DONE = {"exec_command_end", "patch_apply_end", "mcp_tool_call_end", "collab_agent_spawn_end"}


class Rollout:
    """Takes rows in order; `items.drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.line = 0
        self.items = Items(lambda reason: self.warn(reason, self.line))
        self.task = ""
        self.ended: Ended = "unknown"
        self.usage: dict[str, Any] = {}  # the last sum of all tokens
        self.settings: dict[str, Json] = {}  # of the first turn
        self._said: set[str] = set()
        self._told: dict[str, dict[str, Any]] = {}  # what events say of calls, by call id

    def take(self, rows: list[Record]) -> None:
        told = {_event_of(item) for row in rows for item in items_of(row)}
        for row in rows:
            self.line = row.line
            self._row(row, told)
        self._tell()

    def _row(self, row: Record, told: set[str]) -> None:
        kind, payload = as_str(row.value.get("type")), as_dict(row.value.get("payload"))
        at = iso(row.value.get("timestamp"))
        source_id = f"#{row.index}"
        items = items_of(row)
        if items:
            for n, item in enumerate(items):
                self._item(item, f"{source_id}.{n}" if n else source_id, at)
        elif kind == "event_msg":
            self._event(payload, source_id, at, told)
        elif kind == "compacted":
            self._compacted(payload, source_id, at)
        elif kind == "turn_context":
            self.items.model = as_str(payload.get("model")) or self.items.model
            self.settings = self.settings or settings_of(payload)
        elif kind == "session_meta" or (not kind and not self.line) or is_header(row.value):
            self.items.model = self.items.model or as_str(payload.get("model"))
        elif kind == "history_mutation":
            operation = shown(payload.get("operation"))[:80]
            if operation not in ("append", ""):
                self.warn(f"a change of the history ({operation!r}) is not shown", row.line)
        elif kind not in QUIET_ROWS and "record_type" not in row.value:
            self.warn(
                f"unknown record type {kind[:80]!r} is not shown (it stays in the raw record)", row.line
            )

    def _item(self, item: dict[str, Any], source_id: str, at: str) -> None:
        draft = self.items.take(item, source_id, at)
        if draft is None:
            return
        self.ended = "refused" if self.items.refused and draft.source == "agent" else "unknown"
        if draft.message:
            self._said.add(draft.message)
        if draft.source == "user" and not draft.kind:
            if summary(draft.message):
                draft.kind = "compaction"
            elif injected(draft.message):
                draft.kind = "injected"
            else:
                self.task = self.task or request(draft.message)

    def _event(self, event: dict[str, Any], source_id: str, at: str, told: set[str]) -> None:
        kind = as_str(event.get("type"))
        if kind in ("token_count", "turn.completed"):
            self._tokens(event)
        elif kind in ("error", "stream_error", "warning", "turn.failed"):
            self._error(event, kind, source_id, at)
        elif kind == "turn_aborted":
            reason = as_str(event.get("reason")) or "interrupted"
            self._notice(f"[turn aborted: {reason}]", source_id, at)
            self.ended = ABORTED.get(reason, "unknown")
        elif kind == "thread_rolled_back":
            self._roll_back(as_int(event.get("num_turns")) or 0, source_id, at)
        elif kind in ENDS:
            if self.ended == "unknown":
                self.ended = ENDS[kind]
            self.items.close()
        elif kind in DONE:
            self._told.setdefault(as_str(event.get("call_id")), {}).update(event)
        elif kind in ("thread_settings_applied", "session_configured"):
            model = as_dict(event.get("thread_settings")).get("model", event.get("model"))
            self.items.model = as_str(model) or self.items.model
        elif kind in ("user_message", "agent_message", "agent_reasoning") and kind not in told:
            text = shown(event.get("message", event.get("text")))
            if not (injected(text) and text in self._said):
                self._item(_as_item(kind, text), source_id, at)
        elif kind not in QUIET_EVENTS and not kind.startswith("collab_"):
            self.warn(f"unknown event {kind[:80]!r} is not shown (it stays in the raw record)", self.line)

    def _notice(self, text: str, source_id: str, at: str, fault: bool = False) -> Draft:
        self.items.close()
        return self.items.drafts.add(Draft("system", [source_id], text, kind="notice", fault=fault, at=at))

    def _error(self, event: dict[str, Any], kind: str, source_id: str, at: str) -> None:
        """The provider failed, or the program warns; only the first ends the run when nothing follows."""
        text = shown(event.get("message")) or readable_error(event.get("error"))
        draft = self._notice(text, source_id, at, fault=kind in ("error", "turn.failed"))
        info = event.get("codex_error_info")
        if info is not None:
            draft.extra["codex_error_info"] = info
        if draft.fault:
            limits = ("usage_limit_exceeded", "context_window_exceeded", "session_budget_exceeded")
            self.ended = "limit" if any(word in shown(info) for word in limits) else "error"

    def _tokens(self, event: dict[str, Any]) -> None:
        """The tokens of the model's last turn; the same sum written again says nothing new."""
        info = as_dict(event.get("info"))
        sums = as_dict(info.get("total_token_usage")) or as_dict(event.get("usage"))
        if not sums or sums == self.usage:
            return
        self.usage = sums
        last, draft = as_dict(info.get("last_token_usage")), self.items.speaking
        if last and draft is not None:
            before = draft.metrics or Metrics()
            draft.metrics = Metrics(
                _sum(before.tokens_in, as_int(last.get("input_tokens"))),
                _sum(before.tokens_out, as_int(last.get("output_tokens"))),
            )
        self.items.close()

    def _compacted(self, payload: dict[str, Any], source_id: str, at: str) -> None:
        """The summary that stands for all before it; its own words, else what is new in the new history."""
        text = shown(payload.get("message"))
        if not text:
            history = [as_dict(item) for item in as_list(payload.get("replacement_history"))]
            texts = [text_of(item.get("content"), lambda _: None) for item in history]
            text = "\n\n".join(text for text in texts if summary(text) and text not in self._said)
        self.items.close()
        draft = Draft("system", [source_id], text or HIDDEN, kind="compaction", at=at)
        self.items.drafts.add(draft)

    def _roll_back(self, turns: int, source_id: str, at: str) -> None:
        """Take the last turns out: they are no part of the conversation any more, and raw keeps them."""
        drafts = self.items.drafts.all
        starts = [n for n, draft in enumerate(drafts) if draft.source == "user" and not draft.kind]
        start = starts[-turns] if 0 < turns <= len(starts) else 0 if turns and starts else len(drafts)
        gone = len(drafts) - start
        del drafts[start:]
        if not any(draft.source == "user" and not draft.kind for draft in drafts):
            self.task = ""
        self._notice(
            f"[{count(turns, 'turn')} rolled back: {count(gone, 'step')} in the raw record only]",
            source_id,
            at,
        )
        self.ended = "unknown"

    def _tell(self) -> None:
        """Add to the results what events say of them: exit codes, failures, a person's no."""
        for draft in self.items.drafts.all:
            for n, result in enumerate(draft.results):
                event = self._told.get(result.call_id)
                if not event or not result.call_id:
                    continue
                code = result.exit_code if result.exit_code is not None else as_code(event.get("exit_code"))
                denied = result.denied or event.get("status") == "declined"
                failed = event.get("success") is False or event.get("status") == "failed"
                failed = failed or "Err" in as_dict(event.get("result")) or bool(code)
                draft.results[n] = replace(
                    result, error=(result.error or failed) and not denied, denied=denied, exit_code=code
                )
                draft.seconds = _sum_seconds(draft.seconds, event.get("duration"))


def items_of(row: Record) -> list[dict[str, Any]]:
    """The items in a row: one, wrapped or bare as before mid-2025; of TraeX all that are added at once."""
    value, payload = row.value, as_dict(row.value.get("payload"))
    if value.get("type") == "response_item":
        return [payload] if payload else []
    if value.get("type") == "history_mutation":
        added = payload.get("operation", "append") == "append"
        items = [item for item in as_list(payload.get("items")) if isinstance(item, dict)]
        return [item for item in items if item.get("type") != "trae_extra_info"] if added else []
    bare = "payload" not in value and ("role" in value or as_str(value.get("type")) in BARE)
    return [value] if bare else []


BARE = {
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "web_search_call",
}


def is_header(value: dict[str, Any]) -> bool:
    """The first line of a rollout before mid-2025."""
    return {"id", "timestamp"} <= value.keys() and not {"type", "role", "payload", "parentId"} & value.keys()


def settings_of(payload: dict[str, Any]) -> dict[str, Json]:
    """What a turn may do, for the details of the trace."""
    return {key: payload[key] for key in ("effort", "approval_policy", "sandbox_policy") if payload.get(key)}


def _event_of(item: dict[str, Any]) -> str:
    """The kind of event that repeats an item; what nobody typed is repeated by none."""
    kind, role = as_str(item.get("type")), item.get("role")
    if kind == "reasoning":
        return "agent_reasoning"
    if kind not in ("message", "") or role not in ("user", "assistant"):
        return ""
    if role == "assistant":
        return "agent_message"
    text = text_of(item.get("content"), lambda _: None)
    return "" if injected(text) or summary(text) else "user_message"


def _as_item(kind: str, text: str) -> dict[str, Any]:
    """An event as the item it stands for, in files that hold no items of its kind."""
    if kind == "agent_reasoning":
        return {"type": "reasoning", "summary": [{"text": text}]}
    return {"type": "message", "role": "user" if kind == "user_message" else "assistant", "content": text}


def _sum(before: int | None, more: int | None) -> int | None:
    return more if before is None else before + (more or 0)


def _sum_seconds(before: float | None, duration: Json) -> float | None:
    """Rust's durations: whole seconds and nanoseconds."""
    value = as_dict(duration)
    seconds, nanos = as_float(value.get("secs")), as_float(value.get("nanos"))
    if seconds is None:
        return before
    return round((before or 0.0) + seconds + (nanos or 0.0) / 1e9, 3)
