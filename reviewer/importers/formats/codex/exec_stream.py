"""What `codex exec --json` prints: events of a thread, its turns and its items.

The prompt is not among them. An item that was started, updated and completed is one: its last state
counts. Knows nothing of rollouts and files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reviewer.importers.formats.openai_responses.calls import arguments_of, readable_error
from reviewer.importers.opening.values import as_code, as_dict, as_id, as_list, as_str, iso, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record
from reviewer.trace import Ended, Json, Result, ToolCall

ITEMS = {"item.started", "item.updated", "item.completed"}
EVENTS = ITEMS | {"thread.started", "turn.started", "turn.completed", "turn.failed"}
CALLS = {"command_execution", "file_change", "mcp_tool_call", "web_search", "collab_tool_call"}


def is_exec(rows: Sequence[dict[str, Any]]) -> bool:
    """Whether these are such events: a thread begins or items are completed, and nothing has a payload."""
    kinds = [as_str(row.get("type")) for row in rows]
    telling = {"thread.started", "item.completed", "item.started"} & set(kinds)
    return bool(telling) and sum(kind in EVENTS for kind in kinds) * 2 > len(kinds)


class Events:
    """Takes rows in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.thread = ""
        self.messages = self.calls = 0
        self.usage: dict[str, Any] = {}
        self.ended: Ended = "unknown"
        self._open: Draft | None = None

    def take(self, rows: Sequence[Record]) -> None:
        last: dict[str, int] = {}
        for place, row in enumerate(rows):
            if as_str(row.value.get("type")) in ITEMS:
                last[self._key(row)] = place
        begun: dict[str, Record] = {}
        for place, row in enumerate(rows):
            if as_str(row.value.get("type")) in ITEMS:
                first = begun.setdefault(self._key(row), row)
                if last[self._key(row)] == place:
                    self._item(as_dict(row.value.get("item")), row, f"#{first.index}")
            else:
                self._event(row)

    @staticmethod
    def _key(row: Record) -> str:
        return as_id(as_dict(row.value.get("item")).get("id")) or f"#{row.index}"

    def _event(self, row: Record) -> None:
        value, kind = row.value, as_str(row.value.get("type"))
        if kind == "thread.started":
            self.thread = self.thread or as_str(value.get("thread_id"))
        elif kind == "turn.completed":
            self.usage = as_dict(value.get("usage")) or self.usage  # the sum of the thread so far
            self.ended = "submitted"
            self._open = None
        elif kind in ("turn.failed", "error"):
            text = shown(value.get("message")) or readable_error(value.get("error"))
            self._notice(text, f"#{row.index}", fault=True)
            self.ended = "error"
        elif kind == "turn.started":
            self.ended, self._open = "unknown", None
        else:
            self.warn(
                f"unknown record type {kind[:80]!r} is not shown (it stays in the raw record)", row.line
            )

    def _notice(self, text: str, source_id: str, fault: bool = False) -> None:
        self._open = None
        self.drafts.add(Draft("system", [source_id], text, kind="notice", fault=fault))

    def _turn(self, source_id: str, fresh: Callable[[Draft], bool], at: str) -> Draft:
        draft = self._open
        if draft is None or fresh(draft):
            draft = self._open = self.drafts.add(Draft("agent", [source_id], at=at))
        else:
            draft.ids.append(source_id)
        return draft

    def _item(self, item: dict[str, Any], row: Record, source_id: str) -> None:
        kind = as_str(item.get("type")) or as_str(item.get("item_type"))  # so named in the first versions
        at = iso(row.value.get("timestamp"))
        text = text_of(item.get("text"), lambda _: None)
        if kind in ("agent_message", "assistant_message", "plan"):
            self.messages += kind != "plan"
            self._turn(source_id, lambda draft: bool(draft.message or draft.calls), at).say(text)
        elif kind == "reasoning":
            self._turn(source_id, lambda draft: bool(draft.message or draft.calls), at).think(text)
        elif kind in CALLS:
            self.calls += 1
            draft = self._turn(source_id, lambda draft: bool(draft.results), at)
            call = _call(kind, item)
            draft.call(call)
            self.drafts.note(draft)
            if row.value.get("type") == "item.completed":
                self.drafts.answer(
                    _result(kind, item, call.id, lambda why: self.warn(why, row.line)), source_id
                )
        elif kind == "todo_list":
            self._notice("\n".join(map(_todo, as_list(item.get("items")))), source_id)
        elif kind == "error":
            self._notice(shown(item.get("message")), source_id)
        else:
            self.warn(f"unknown item type {kind[:80]!r} is not shown (it stays in the raw record)", row.line)


def _todo(part: Json) -> str:
    part = as_dict(part)
    return f"[{'x' if part.get('completed') is True else ' '}] {shown(part.get('text'))}"


def _call(kind: str, item: dict[str, Any]) -> ToolCall:
    call_id = as_id(item.get("id"))
    if kind == "mcp_tool_call":
        server, tool = as_str(item.get("server")), as_str(item.get("tool")) or "unknown"
        return ToolCall(f"{server}.{tool}" if server else tool, arguments_of(item.get("arguments")), call_id)
    name, keys = {
        "command_execution": ("shell", ("command",)),
        "file_change": ("apply_patch", ("changes",)),
        "web_search": ("web_search", ("query", "action")),
        "collab_tool_call": (as_str(item.get("tool")) or "collab", ("prompt", "receiver_thread_ids")),
    }[kind]
    return ToolCall(name, {key: item[key] for key in keys if item.get(key) is not None}, call_id)


def _result(kind: str, item: dict[str, Any], call_id: str, warn: Callable[[str], None]) -> Result:
    code = as_code(item.get("exit_code"))
    status = as_str(item.get("status"))
    text = shown(item.get("aggregated_output")) or readable_error(item.get("error"))
    result = as_dict(item.get("result"))
    if not text and result:
        text = text_of(result.get("content"), warn) or shown(result.get("structured_content"))
    if not text and kind in ("file_change", "collab_tool_call"):
        text = "\n".join(filter(None, (status, shown(item.get("agents_states")))))
    denied = status == "declined"
    failed = bool(code) or status == "failed" or bool(item.get("error"))
    return Result(text, call_id, error=failed and not denied, denied=denied, exit_code=code)
