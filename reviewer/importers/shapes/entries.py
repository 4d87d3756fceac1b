"""The entries of a plain trajectory, folded into steps: hand-written ones and chat messages, also mixed.

A hand-written entry is one step of the agent. Chat messages are folded as they are anywhere: a message,
its calls, and the tool messages that answer them. What is not understood is kept in `extra`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    kind_of,
    shown,
)
from reviewer.importers.shapes.blocks import spread
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.shorthand import paired
from reviewer.trace import Json, Metrics, Result, Source, ToolCall

ROLES: dict[str, Source] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "agent",
    "agent": "agent",
    "ai": "agent",
    "model": "agent",
}
TOOL_ROLES = {"tool", "function", "environment", "observation"}
# `close(9)` names its tool; `ls -la` does not.
_NAMED = re.compile(r"\A\s*([A-Za-z_][\w.\-]{0,80})\(")
READ = {
    "step",
    "thought",
    "action",
    "observation",
    "result",
    "role",
    "content",
    "message",
    "reasoning",
    "tool_calls",
    "tool_call_id",
    "error",
    "exit_code",
    "timestamp",
    "seconds",
    "model",
    "tokens_in",
    "tokens_out",
    "cost",
    "function_call",
    "reasoning_content",
}


class Entries:
    """Reads the entries once, in order, and keeps what the trace needs to know of them."""

    def __init__(self, entries: list[Json], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.times: list[Json] = []
        for index, given in enumerate(entries):
            entry = paired(given) or given
            if isinstance(entry, dict):
                for n, part in enumerate(spread(entry, self.warn)):
                    self._entry(part, f"#{index}.{n}" if n else f"#{index}", index)
            else:
                if not isinstance(entry, str):
                    self.warn(f"an entry that is {kind_of(entry)} is shown as it stands")
                text = entry if isinstance(entry, str) else shown(entry) or "null"
                self.drafts.add(Draft("agent", [f"#{index}"], text))

    def _entry(self, entry: dict[str, Any], source_id: str, index: int) -> None:
        role = entry.get("role")
        if isinstance(role, str) and role in TOOL_ROLES and self._answer(entry, source_id):
            return
        draft = Draft("agent", [source_id])
        if isinstance(role, str) and role in ROLES:
            draft.source = ROLES[role]
        elif role is not None:
            draft.extra["role"] = role
            draft.source, draft.kind = "system", "notice"
            if not (isinstance(role, str) and role in TOOL_ROLES):
                self.warn(f"unknown role {shown(role)[:80]!r} is shown as a notice")
        self._common(draft, entry)
        self._texts(draft, entry)
        self._calls(draft, entry)
        self._observation(draft, entry)
        number = entry.get("step")
        if number is not None and as_int(number) != len(self.drafts.all) + 1:
            draft.number = shown(number)
        if draft.source == "user" and not self.task:
            self.task = draft.message
        self.drafts.add(draft)

    def _common(self, draft: Draft, entry: dict[str, Any]) -> None:
        draft.extra |= {key: item for key, item in entry.items() if key not in READ}
        draft.at = iso(entry.get("timestamp"))
        draft.seconds = as_float(entry.get("seconds"))
        draft.model = shown(entry.get("model"))
        self.model = self.model or draft.model
        if draft.at:
            self.times.append(entry["timestamp"])
        tokens_in, tokens_out = as_int(entry.get("tokens_in")), as_int(entry.get("tokens_out"))
        cost = as_float(entry.get("cost"))
        if tokens_in is not None or tokens_out is not None or cost is not None:
            draft.metrics = Metrics(tokens_in, tokens_out, cost)
        unread = {
            "timestamp": draft.at,
            "seconds": draft.seconds,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "cost": cost,
        }
        draft.extra |= {
            key: entry[key]
            for key, read in unread.items()
            if entry.get(key) is not None and read in (None, "")
        }

    def _texts(self, draft: Draft, entry: dict[str, Any]) -> None:
        for key in ("message", "content"):
            draft.say(text_of(entry.get(key), self.warn))
        for key in ("thought", "reasoning", "reasoning_content"):
            draft.think(text_of(entry.get(key), self.warn))

    def _calls(self, draft: Draft, entry: dict[str, Any]) -> None:
        calls = entry.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            self.warn(f"tool_calls that are {kind_of(calls)} are shown as they stand")
            draft.extra["tool_calls"] = calls
        for call in as_list(calls):
            draft.call(self._call(call))
        if entry.get("function_call") is not None:
            draft.call(self._call({"function": entry["function_call"]}))
        action = entry.get("action")
        for one in action if isinstance(action, list) else [action]:
            if one not in (None, "") and not (isinstance(one, str) and not one.strip()):
                draft.call(self._action(one))

    def _call(self, call: Json) -> ToolCall:
        """A call as chat APIs write it."""
        function = as_dict(as_dict(call).get("function"))
        if function:
            return ToolCall(
                as_str(function.get("name")) or "unknown", function.get("arguments"), as_id(call.get("id"))
            )
        if isinstance(call, dict) and isinstance(call.get("name") or call.get("tool"), str):
            return self._action(call)
        self.warn(f"a tool call that names no function ({kind_of(call)}) is shown as it stands")
        return ToolCall("unknown", call)

    @staticmethod
    def _action(action: Json) -> ToolCall:
        """An action as people write it: a text, or an object that names its tool."""
        if isinstance(action, str):
            named = _NAMED.match(action)
            return ToolCall(named[1] if named else "action", action)
        name = next((key for key in ("tool", "name") if isinstance(as_dict(action).get(key), str)), "")
        given = next((key for key in ("arguments", "args") if key in as_dict(action)), "")
        if not name:
            return ToolCall("action", action)
        rest = {key: item for key, item in action.items() if key not in (name, given, "id")}
        arguments = (
            action[given] if given and not rest else {**rest, **({given: action[given]} if given else {})}
        )
        return ToolCall(action[name], arguments, as_id(action.get("id")))

    def _observation(self, draft: Draft, entry: dict[str, Any]) -> None:
        """What came back, in the same entry as what was done."""
        content = entry.get("observation")
        if content is None:
            content = entry.get("result")
        elif entry.get("result") is not None:
            draft.extra["result"] = entry["result"]
        code, error = as_code(entry.get("exit_code")), entry.get("error")
        failed = bool(code) or bool(error)
        if content is None and error is None and entry.get("exit_code") is None:
            return
        if error not in (None, True, False):
            draft.extra["error"] = error
        if entry.get("exit_code") is not None and code is None:
            draft.extra["exit_code"] = entry["exit_code"]
        text = text_of(content, self.warn) if isinstance(content, str | list) else shown(content)
        if not text and isinstance(error, str):
            text = error
        call_id = draft.calls[draft.waiting.pop(0)].id if draft.waiting else ""
        draft.results.append(Result(text, call_id, error=failed, exit_code=code))

    def _answer(self, entry: dict[str, Any], source_id: str) -> bool:
        """A tool message joins the step whose call it answers."""
        text = text_of(entry.get("content", entry.get("observation")), self.warn)
        code = as_code(entry.get("exit_code"))
        failed = bool(entry.get("error")) or bool(code)
        result = Result(text, as_id(entry.get("tool_call_id")), error=failed, exit_code=code)
        draft = self.drafts.answer(result, source_id)
        if draft is None:
            self.warn("a tool message without a call is shown as a step of its own")
            return False
        if iso(entry.get("timestamp")):
            self.times.append(entry["timestamp"])
        kept = {key: item for key, item in entry.items() if key not in READ and key != "name"}
        if isinstance(entry.get("error"), str):
            kept["error"] = entry["error"]
        if kept:
            draft.extra[f"result {source_id}"] = kept
        return True
