"""From the rows of one stream (or one sub-agent in it) to steps: messages as in a session, and what is
said around them.

Knows nothing of files and identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from reviewer.importers.formats.claude_code.rows import Row
from reviewer.importers.formats.claude_code.steps import Steps
from reviewer.importers.formats.claude_code_stream.ignored import QUIET_ROWS, QUIET_SYSTEM
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, shown
from reviewer.importers.shapes.drafts import Draft
from reviewer.trace import Ended, Step

COMPACTED = "[The conversation was compacted here.]"
LIMITS = ("error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries")


class Stream:
    """Takes rows in order; `talk` holds the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.talk = Steps(warn)
        self.init: dict[str, Any] = {}
        self.results: list[dict[str, Any]] = []
        self._denied: set[str] = set()

    def take(self, rows: Iterable[Row]) -> None:
        for row in rows:
            if row.talk:
                self.talk.take([row])
            elif row.kind == "system":
                self._system(row)
            elif row.kind == "result":
                self._result(row)
            elif row.kind not in QUIET_ROWS:
                kind = row.kind[:80]
                self.warn(f"unknown row type {kind!r} is not shown (it stays in the raw record)", row.line)

    def _system(self, row: Row) -> None:
        value, subtype = row.value, as_str(row.value.get("subtype"))
        if subtype == "init":
            self.init = self.init or value
        elif subtype == "compact_boundary":
            self._add(row, COMPACTED).kind = "compaction"
        elif subtype == "permission_denied":
            self._denied.add(as_id(value.get("tool_use_id")))
        elif subtype not in QUIET_SYSTEM:
            text = shown(value.get("content")) or shown(value.get("error")) or shown(value.get("message"))
            if text:
                self._add(row, text).extra = {"subtype": subtype}
            else:
                self.warn(
                    f"unknown system row {subtype[:80]!r} is not shown (it stays in the raw record)", row.line
                )

    def _add(self, row: Row, text: str, fault: bool = False) -> Draft:
        draft = Draft(
            "system", [row.id], text, kind="notice", fault=fault, at=iso(row.value.get("timestamp"))
        )
        return self.talk.drafts.add(draft)

    def _result(self, row: Row) -> None:
        """The end of a turn: its words where they stand nowhere else, its errors, the calls it was denied."""
        value = row.value
        self.results.append(value)
        self._denied |= {
            as_id(as_dict(item).get("tool_use_id")) for item in as_list(value.get("permission_denials"))
        }
        text = shown(value.get("result"))
        failed = value.get("is_error") is True or as_str(value.get("subtype")).startswith("error")
        words = [text, *(shown(error) for error in as_list(value.get("errors")))]
        said = {draft.message.strip() for draft in self.talk.drafts.all}
        new = "\n".join(word for word in words if word.strip() and word.strip() not in said)
        if failed:
            self._add(
                row, new or f"[{as_str(value.get('subtype')) or 'error'}]", fault=self.ended(value) == "error"
            )
        elif new and not any(draft.source == "agent" for draft in self.talk.drafts.all):
            self.talk.drafts.add(Draft("agent", [row.id], new))
        elif new:
            self._add(row, new)

    @staticmethod
    def ended(result: dict[str, Any]) -> Ended:
        """How a session ended, by its result; one that is a success and an error has failed."""
        subtype = as_str(result.get("subtype"))
        if subtype in LIMITS:
            return "limit"
        if as_str(result.get("terminal_reason")).startswith("abort"):
            return "user_stop"
        if result.get("is_error") is True or subtype.startswith("error"):
            return "error"
        if result.get("stop_reason") == "refusal":
            return "refused"
        return "submitted" if subtype == "success" else "unknown"

    def step_of(self, call_id: str) -> str:
        """The stable id of the step that made a call, or ""."""
        for draft in self.talk.drafts.all:
            if any(call.id == call_id for call in draft.calls):
                return draft.ids[0]
        return ""

    def steps(self) -> tuple[Step, ...]:
        """The steps; a call that nobody allowed is denied and no error."""
        for draft in self.talk.drafts.all:
            for n, result in enumerate(draft.results):
                if result.call_id and result.call_id in self._denied:
                    draft.results[n] = replace(result, error=False, denied=True)
        return self.talk.drafts.steps()
