"""The memory of a benchmark run as chat messages: roles `tool-call` and `tool-response` beside the usual.

The text of a call is `Calling tools:` and the Python repr of a list of calls; the text of a response is an
observation or an error. A response without a call tells of a reply that could not be read as one.
"""

from __future__ import annotations

import re
from typing import Any

from reviewer.importers.formats.smolagents.pyrepr import read
from reviewer.importers.formats.smolagents.steps import Memory, call_of, plain
from reviewer.importers.opening.values import as_dict, as_int, as_list, as_str, iso, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.entries import ROLES
from reviewer.trace import Metrics, Result, ToolCall

CALLING = re.compile(r"\A\s*Calling tools:\s*")
CALL_ID = re.compile(r"\ACall id: (\S+)\n")
FAILED = re.compile(r"\A(?:Call id: \S+\n)?\s*Error:")
NEW_TASK = "New task:\n"
READ = {"role", "content", "tool_calls", "token_usage", "raw", "timestamp"}


def add_message(memory: Memory, message: dict[str, Any], source_id: str) -> None:
    """One message of the memory, into the step that it belongs to."""
    role = as_str(message.get("role")).rpartition(".")[2].lower().replace("_", "-")
    text = text_of(message.get("content"), memory.warn)
    if role in ("tool-call", "tool"):
        _called(memory, message, text, source_id)
    elif role in ("tool-response", "observation"):
        _answered(memory, text, source_id)
    else:
        _said(memory, message, role, text, source_id)


def _said(memory: Memory, message: dict[str, Any], role: str, text: str, source_id: str) -> None:
    draft = Draft(ROLES.get(role, "system"), [source_id])
    draft.say(text)
    if role not in ROLES:
        memory.warn(f"unknown role {role[:80]!r} is shown as a notice")
        draft.kind, draft.extra["role"] = "notice", message.get("role")
    for call in as_list(message.get("tool_calls")):
        draft.call(call_of(call))
    usage = as_dict(message.get("token_usage"))
    counts = as_int(usage.get("input_tokens")), as_int(usage.get("output_tokens"))
    if any(count is not None for count in counts):
        draft.metrics = Metrics(*counts)
    draft.at = iso(message.get("timestamp"))
    draft.model = as_str(as_dict(message.get("raw")).get("model"))
    memory.model = memory.model or draft.model
    _keep(draft, message)
    if draft.source == "user" and not memory.task:
        memory.task = text.removeprefix(NEW_TASK)
    memory.drafts.add(draft)


def _keep(draft: Draft, message: dict[str, Any]) -> None:
    """What is not known of a message, and what is not what it should be."""
    rest = {key: item for key, item in message.items() if key not in READ}
    for key, kind in (("tool_calls", list), ("token_usage", dict), ("raw", dict)):
        if message.get(key) and not isinstance(message[key], kind):
            rest[key] = message[key]
    draft.extra |= {key: item for key, item in rest.items() if item not in (None, [], {}, "")}


def _called(memory: Memory, message: dict[str, Any], text: str, source_id: str) -> None:
    """The calls made of the message before; each joins that step."""
    last = memory.drafts.last
    if last is None or last.source != "agent" or last.calls:
        last = memory.drafts.add(Draft("agent", [source_id]))
    elif source_id not in last.ids:
        last.ids.append(source_id)
    given = as_list(message.get("tool_calls"))
    body = CALLING.sub("", text, count=1)
    value, rest = read(body)
    found = given or ([] if rest else as_list(plain(value)))
    for call in found:
        last.call(call_of(call))
    if not found:
        last.call(ToolCall("unknown", text))
        memory.warn("a tool call that cannot be read is shown as it stands")
    _keep(last, message)
    memory.drafts.note(last)


def _answered(memory: Memory, text: str, source_id: str) -> None:
    named = CALL_ID.match(text)
    failed = bool(FAILED.match(text))
    memory.limit = memory.limit or (failed and "Reached max steps" in text[:200])
    result = Result(text, named[1] if named else "", error=failed)
    last = memory.drafts.last
    if last is not None and last.source == "agent":
        only = last.calls[last.waiting[0]].id if len(last.waiting) == 1 else ""
        last.waiting.clear()  # one response for all calls of a message
        last.results.append(Result(text, result.call_id or only, error=failed))
        last.ids.append(source_id)
        return
    memory.drafts.add(Draft("system", [source_id], text, kind="notice", fault=failed))


def text_step(memory: Memory, value: object, source_id: str) -> None:
    """What is no step at all, shown as it stands."""
    memory.warn("an intermediate step that is none of smolagents is shown as it stands")
    memory.drafts.add(Draft("agent", [source_id], shown(value) or "null"))
