"""Chats of AutoGen 0.2 (and AG2): messages with roles as the owner of the list saw them.

Every agent calls itself assistant and all others user, so a role says little: names do where there are
any, else the first to speak is the user. Code is run by a proxy, whose answer begins with `exitcode:`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, kind_of
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Result, ToolCall

_RAN = re.compile(r"\A\s*exitcode: (-?\d+) \(execution (?:failed|succeeded)\)")
_CODE = re.compile(r"```[ \t]*([\w+-]*)[^\n]*\n(.*?)```", re.DOTALL)
_USER = re.compile(r"(?:\A|[^a-z])(?:user|human|admin)(?:[^a-z]|\Z)|userproxy", re.IGNORECASE)
_READ = {"content", "role", "name", "tool_calls", "function_call", "tool_responses", "tool_call_id"}
TERMINATE = "TERMINATE"


def is_chat(rows: Json) -> bool:
    """Messages of several speakers by name, or of code that was run; a chat with a model has neither."""
    messages = [row for row in as_list(rows)[:40] if isinstance(row, dict)]
    if not messages or not all("content" in row and isinstance(row.get("role"), str) for row in messages):
        return False
    if any({"mistake_step", "instance_id", "extra", "ts"} & row.keys() for row in messages):
        return False
    if not all(row["role"] in ("user", "assistant", "system", "tool", "function") for row in messages):
        return False
    talk = [row for row in messages if row["role"] in ("user", "assistant")]
    named = [row for row in talk if as_str(row.get("name"))]
    several = len({row["name"] for row in named}) > 1 and len(named) * 5 >= len(talk) * 4
    ran = any(_RAN.match(as_str(row.get("content"))) for row in talk)
    return several or ran or any(isinstance(row.get("tool_responses"), list) for row in messages)


def calls_in(message: Json) -> int:
    message = as_dict(message)
    return len(as_list(message.get("tool_calls"))) + isinstance(message.get("function_call"), dict)


def drafts_of(messages: Sequence[Json], warn: Callable[[str], None]) -> Drafts:
    """The messages, folded into steps."""
    drafts = Drafts()
    first = next((row for row in map(as_dict, messages) if row.get("role") in ("user", "assistant")), {})
    for index, message in enumerate(messages):
        if isinstance(message, dict):
            _message(drafts, message, f"#{index}", first, warn)
        else:
            warn(f"a message that is {kind_of(message)} is shown as it stands")
            drafts.add(Draft("system", [f"#{index}"], as_str(message) or str(message), kind="notice"))
    return drafts


def _message(
    drafts: Drafts, message: dict[str, Any], key: str, first: dict[str, Any], warn: Callable[[str], None]
) -> None:
    text = text_of(message.get("content"), warn)
    if _results(drafts, message, text, key):
        return
    draft = Draft(_speaker(message, first), [key], text)
    draft.extra = {name: item for name, item in message.items() if name not in _READ and item is not None}
    draft.name = as_str(message.get("name"))
    ran = _RAN.match(text)
    if ran and draft.source != "system" and drafts.last is not None:
        _ran(drafts, drafts.last, text, int(ran[1][:9]), key)
        return
    for call in as_list(message.get("tool_calls")):
        function = as_dict(as_dict(call).get("function"))
        name = as_str(function.get("name")) or "unknown"
        draft.call(ToolCall(name, function.get("arguments"), as_id(as_dict(call).get("id"))))
    if isinstance(message.get("function_call"), dict):
        function = message["function_call"]
        draft.call(ToolCall(as_str(function.get("name")) or "unknown", function.get("arguments")))
    drafts.add(draft)


def _speaker(message: dict[str, Any], first: dict[str, Any]) -> Any:
    role, name = message.get("role"), as_str(message.get("name"))
    if role == "system":
        return "system"
    if calls_in(message):
        return "agent"
    if name:
        return "user" if _USER.search(name) or name == first.get("name") else "agent"
    return "user" if role == first.get("role") and not first.get("name") else "agent"


def _ran(drafts: Drafts, last: Draft, text: str, code: int, key: str) -> None:
    """What a proxy ran is a call of the step that wrote the code."""
    found = _CODE.findall(last.message)
    if found and not last.calls:
        last.call(ToolCall(found[0][0] or "code", "\n".join(block for _, block in found)))
        last.waiting.clear()
    last.results.append(Result(text, error=code != 0, exit_code=code))
    last.ids.append(key)


def _results(drafts: Drafts, message: dict[str, Any], text: str, key: str) -> bool:
    """Whether it is an answer of tools, and each result put to its call."""
    given = [row for row in as_list(message.get("tool_responses")) if isinstance(row, dict)]
    if not given and message.get("role") in ("tool", "function"):
        given = [{"content": text, "tool_call_id": message.get("tool_call_id")}]
    for row in given:
        content = row.get("content")
        said = content if isinstance(content, str) else text_of(content, lambda _: None)
        failed = said.startswith("Error:") or as_int(row.get("exitcode")) not in (None, 0)
        result = Result(said, as_id(row.get("tool_call_id")), error=failed)
        if drafts.answer(result, key) is None:
            drafts.add(Draft("system", [f"{key} result {len(drafts.all)}"], kind="notice", results=[result]))
    return bool(given)
