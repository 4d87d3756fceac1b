"""The items of OpenAI's Responses API, folded into steps: for responses, run states and Codex rollouts.

What the model gives between two answers of tools is one step: its reasoning, its words, its calls. An
item with encrypted reasoning only opens no step; its id goes with the step after it. Knows no file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.formats.openai_responses.calls import (
    call_of,
    inner_result,
    is_call,
    is_output,
    readable_error,
    result_of,
)
from reviewer.importers.opening.values import as_dict, as_list, as_str, kind_of, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.entries import ROLES
from reviewer.trace import Json, Result

COMPACTED = {"compaction", "compaction_summary", "context_compaction"}
# Bookkeeping that stands among the items: snapshots for undo, pointers to items of another response.
SILENT = {"ghost_snapshot", "item_reference", "compaction_trigger"}
HIDDEN = "[The conversation was compacted; the summary is encrypted.]"


class Items:
    """Takes items in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.refused = False
        self.model = ""
        self._open: Draft | None = None
        self._before: list[str] = []  # ids of items that show nothing, for the next step

    def close(self) -> None:
        """The model's turn is over: what it gives next is a step of its own."""
        self._open = None

    @property
    def speaking(self) -> Draft | None:
        """The last step of the agent."""
        return next((draft for draft in reversed(self.drafts.all) if draft.source == "agent"), None)

    def take(self, item: Json, source_id: str, at: str = "") -> Draft | None:
        """Fold one item in; the step it went into, if any."""
        if not isinstance(item, dict):
            self.warn(f"an item that is {kind_of(item)}, not an object, is skipped")
            return None
        kind = as_str(item.get("type")) or ("message" if "role" in item else "")
        if kind == "message":
            return self._message(item, source_id, at)
        if kind == "reasoning":
            return self._reasoning(item, source_id, at)
        if is_call(kind):
            return self._call(item, source_id, at)
        if is_output(kind):
            return self._answer(result_of(item, self.warn), source_id, at)
        if kind in SILENT:
            return None
        return self._other(item, kind, source_id, at)

    def _other(self, item: dict[str, Any], kind: str, source_id: str, at: str) -> Draft | None:
        """What is neither said nor called: tool lists, compactions, messages between agents."""
        if kind in COMPACTED:
            text = text_of(item.get("content", item.get("summary")), self.warn) or HIDDEN
            return self._add(Draft("system", [source_id], text, kind="compaction", at=at))
        if kind == "mcp_list_tools":
            names = [as_str(as_dict(tool).get("name")) for tool in as_list(item.get("tools"))]
            error = readable_error(item.get("error"))
            text = f"{shown(item.get('server_label'))}: {', '.join(names) or error or 'no tools'}"
            return self._add(Draft("system", [source_id], text, kind="notice", fault=bool(error), at=at))
        if kind == "agent_message":  # what another agent says to this one
            text = text_of(item.get("content", item.get("message")), self.warn)
            draft = Draft("user", [source_id], text, kind="injected", at=at)
            draft.extra = {key: item[key] for key in ("author", "recipient") if item.get(key)}
            return self._add(draft)
        self.warn(f"unknown item type {kind[:80]!r} is not shown (it stays in the raw record)")
        return None

    def _add(self, draft: Draft) -> Draft:
        self._open = None
        return self.drafts.add(draft)

    def _turn(self, source_id: str, at: str, ready: Callable[[Draft], bool]) -> Draft:
        """The step that the model is at, or a new one when that one is not `ready` for more."""
        draft = self._open
        if draft is None or draft.results or not ready(draft):
            draft = self.drafts.add(Draft("agent", [*self._before, source_id], at=at, model=self.model))
            self._open = draft
        else:
            draft.ids += [*self._before, source_id]
        self._before = []
        return draft

    def _message(self, item: dict[str, Any], source_id: str, at: str) -> Draft:
        role = as_str(item.get("role")) or "assistant"
        content = item.get("content")
        text = text_of(content, self.warn)
        source = ROLES.get(role)
        if source == "agent":
            kinds = {as_str(as_dict(block).get("type")) for block in as_list(content)}
            self.refused = "refusal" in kinds
            draft = self._turn(source_id, at, lambda draft: not draft.message)
            draft.say(text)
            return draft
        if source is None:
            self.warn(f"unknown role {role[:80]!r} is shown as a notice")
            draft = Draft("system", [source_id], text, kind="notice", at=at)
            draft.extra["role"] = role
            return self._add(draft)
        return self._add(Draft(source, [source_id], text, at=at))

    def _reasoning(self, item: dict[str, Any], source_id: str, at: str) -> Draft | None:
        texts = [
            text
            for key in ("summary", "content")
            for block in (item[key] if isinstance(item.get(key), list) else [item.get(key)])
            if (text := shown(as_dict(block).get("text") if isinstance(block, dict) else block))
        ]
        if not texts:
            if self._open is not None and (self._open.message or self._open.calls):
                self._open = None
            self._before.append(source_id)
            return None
        draft = self._turn(source_id, at, lambda draft: not draft.message and not draft.calls)
        draft.think("\n\n".join(texts))
        return draft

    def _call(self, item: dict[str, Any], source_id: str, at: str) -> Draft:
        draft = self._turn(source_id, at, lambda draft: True)
        draft.call(call_of(item))
        self.drafts.note(draft)
        result = inner_result(item, self.warn)
        if result is not None:
            self.drafts.answer(result, source_id)
        return draft

    def _answer(self, result: Result, source_id: str, at: str) -> Draft:
        draft = self.drafts.answer(result, source_id)
        if draft is None:
            self.warn("a tool result whose call is not in the file is shown as a step of its own")
            draft = self._add(Draft("user", [source_id], kind="notice", at=at))
            draft.results.append(result)
        return draft
