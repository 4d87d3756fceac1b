"""What went into a model call and what came out of it, in whichever dialect it was logged.

Tracing services (Langfuse, LangSmith) keep the input and output of a call as the framework had them:
OpenAI chats and responses, Anthropic blocks, Gemini contents, GenAI parts, LangChain dumps, Vercel's.
All become a list of `Said`. Knows no file format, and nothing of steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, shown
from reviewer.importers.shapes.content import TEXT_TYPES, readable, text_of
from reviewer.importers.shapes.model_parts import (
    CALLS,
    RESULTS,
    THOUGHTS,
    Said,
    Unknown,
    call_of,
    from_blocks,
    kind_in,
    unwrapped,
)
from reviewer.importers.shapes.shorthand import asked_in, paired
from reviewer.trace import Json, Result, Source

_ROLES: dict[str, Source] = {
    **dict.fromkeys(("system", "developer", "systemmessage", "systemmessagechunk"), "system"),
    **dict.fromkeys(("user", "human", "humanmessage", "humanmessagechunk"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "agent", "aimessage", "aimessagechunk"), "agent"),
}
_TOOL_ROLES = {"tool", "function", "toolmessage", "toolmessagechunk", "functionmessage"}
_AS_JSON = "an object of no known shape is shown as JSON"
# Where a request keeps what it says besides its messages.
_INSTRUCTIONS = ("system", "system_instruction", "systemInstruction", "instructions")
# Keys that hold all there is to read, outermost first.
_MESSAGES = ("messages", "contents", "input_messages", "output_messages", "new_message", "chat_history")
_REPLIES = ("generations", "choices", "candidates", "output", "message")
_PROMPTS = ("prompt", "input", "query", "question", "text", "completion", "result", "value")


def said(value: Json, source: Source, unknown: Unknown) -> list[Said]:
    """The messages in `value`; `source` is who speaks where it does not say."""

    def tell(why: str) -> None:
        if why != _AS_JSON:  # which is what a model that answers in JSON gives
            unknown(why)

    return [item for item in _all(unwrapped(value), source, tell) if not item.empty]


def recognised(value: Json, source: Source = "user") -> list[Said]:
    """The messages in `value`, or of an object at least its request; none where all would be JSON."""
    strange: list[str] = []
    value = unwrapped(value)
    found = [item for item in _all(value, source, strange.append) if not item.empty]
    if not strange:
        return found
    asked = asked_in(value)
    return [Said(source, asked)] if asked else []


def _all(value: Json, source: Source, unknown: Unknown) -> Iterator[Said]:
    if value is None:
        return
    if isinstance(value, str):
        yield Said(source, value)
    elif isinstance(value, list):
        yield from _list(value, source, unknown)
    elif isinstance(value, dict):
        yield from _object(value, source, unknown)
    else:
        yield Said(source, shown(value))


def _list(value: list[Json], source: Source, unknown: Unknown) -> Iterator[Said]:
    if (message := paired(value)) is not None:
        yield from _message(message, source, unknown)
        return
    if all(isinstance(item, str) for item in value):
        yield Said(source, "\n".join(value))
        return
    loose: list[Json] = []  # calls and blocks that stand in no message belong together
    for item in value:
        if _loose(item):
            loose.append(item)
            continue
        if loose:
            yield from from_blocks(loose, source, unknown)
            loose = []
        yield from _all(item, source, unknown)
    if loose:
        yield from from_blocks(loose, source, unknown)


def _loose(item: Json) -> bool:
    item = as_dict(item)
    kind = as_str(item.get("type")).lower()
    bare = "toolName" in item or "functionCall" in item or "function_call" in item
    return "role" not in item and (bare or kind in TEXT_TYPES | CALLS | RESULTS | THOUGHTS)


def _object(value: dict[str, Any], source: Source, unknown: Unknown) -> Iterator[Said]:
    if value.get("lc") == 1 and isinstance(value.get("kwargs"), dict):
        yield from _message({"type": _last(value.get("id")), **value["kwargs"]}, source, unknown)
        return
    if _role(value):
        yield from _message(value, source, unknown)
        return
    if key := next((key for key in _MESSAGES if isinstance(value.get(key), list | dict)), ""):
        yield from _instructions(value, unknown)
        yield from _all(value[key], source, unknown)
        return
    if key := next((key for key in _REPLIES if isinstance(value.get(key), list | dict)), ""):
        replies = value[key]
        first = key in ("choices", "candidates") and isinstance(replies, list)
        yield from _all(replies[:1] if first else replies, "agent", unknown)
        return
    if _loose(value):
        yield from from_blocks([value], source, unknown)
    elif isinstance(value.get("content"), str | list | dict) or isinstance(value.get("parts"), list):
        yield from _message(value, source, unknown)
    elif isinstance(value.get("toolCalls"), list) or isinstance(value.get("tool_calls"), list):
        yield from _message(value, "agent", unknown)
    elif key := next((key for key in _PROMPTS if isinstance(value.get(key), str | list)), ""):
        yield from _instructions(value, unknown)
        yield from _all(value[key], source, unknown)
    else:
        unknown(_AS_JSON)
        yield Said(source, readable(value))


def _instructions(value: dict[str, Any], unknown: Unknown) -> Iterator[Said]:
    config = as_dict(value.get("config"))
    for key in _INSTRUCTIONS:
        for holder in (value, config):
            if holder.get(key):
                yield from _all(holder[key], "system", unknown)


def _last(names: Json) -> str:
    return as_str(names[-1]) if isinstance(names, list) and names else ""


def _role(value: dict[str, Any]) -> str:
    """The role of a message in lower case, "" for what is none."""
    for key in ("role", "type", "_type"):
        name = as_str(value.get(key)).lower()
        if name in _ROLES or name in _TOOL_ROLES:
            known = key == "role" or "content" in value or "data" in value or "kwargs" in value
            if known:
                return name
    return ""


def _message(value: dict[str, Any], source: Source, unknown: Unknown) -> Iterator[Said]:
    role = _role(value)
    value = {**value, **as_dict(value.get("data"))} if "content" not in value else value
    content = next((value[key] for key in ("content", "parts", "text") if value.get(key) is not None), None)
    if isinstance(content, dict) and isinstance(content.get("parts"), list):
        content = content["parts"]
    if role in _TOOL_ROLES and not _parts(content):
        yield from _tool(value, content, unknown)
        return
    who = _ROLES.get(role, "user" if role in _TOOL_ROLES else source)
    more = as_dict(value.get("additional_kwargs"))
    thoughts = [value.get(key) or more.get(key) for key in ("reasoning_content", "reasoning", "thinking")]
    thought = next((text for text in thoughts if isinstance(text, str)), "")
    calls = [call_of(call) for call in _called(value, more)]
    found = list(from_blocks(content if isinstance(content, list) else [content], who, unknown))
    known = {call.id for call in calls if call.id}
    for place, item in enumerate(found or [Said(who)]):
        own = tuple(call for call in item.calls if call.id not in known)
        yield Said(
            item.source,
            item.text,
            "\n\n".join(filter(None, (thought if place == 0 else "", item.reasoning))),
            (*own, *(calls if place == 0 else ())),
            item.results,
            item.tool,
        )


def _called(value: dict[str, Any], more: dict[str, Any]) -> list[Json]:
    for holder in (value, more):
        for key in ("tool_calls", "toolCalls"):
            if as_list(holder.get(key)):
                return [*holder[key], *as_list(value.get("invalid_tool_calls"))]
        if isinstance(holder.get("function_call"), dict):
            return [{"function": holder["function_call"]}]
    return as_list(value.get("invalid_tool_calls"))


def _tool(value: dict[str, Any], content: Json, unknown: Unknown) -> Iterator[Said]:
    """What a tool said; LangChain's tracer logs the definitions of tools in the same place."""
    call_id = next(
        (as_id(value[key]) for key in ("tool_call_id", "toolCallId", "call_id") if value.get(key)), ""
    )
    if not call_id and isinstance(content, dict) and "function" in content:
        return
    text = text_of(content, unknown) if isinstance(content, str | list) else readable(content)
    failed = value.get("status") == "error" or value.get("is_error") is True or value.get("isError") is True
    yield Said("user", results=(Result(text, call_id, error=failed),), tool=as_str(value.get("name")))


def _parts(content: Json) -> bool:
    """Whether there are blocks of results in it, each of which names its call."""
    return any(kind_in(block) in RESULTS for block in as_list(content))
