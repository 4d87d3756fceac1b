"""Messages as the dialects write them, into one plain shape: who speaks, words, thoughts, calls, results.

GenAI parts, OpenAI chat messages, blocks of Anthropic and of the AI SDK, LangChain dumps and Gemini contents
all end here. Knows no span.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.importers.shapes.content import DATA_TYPES, TEXT_TYPES, placeholder, readable
from reviewer.importers.shapes.shorthand import paired
from reviewer.importers.shapes.spans.span import first, unpacked
from reviewer.trace import Json, Result, Source, ToolCall

Warner = Callable[[str], None]
ROLES: dict[str, Source] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "agent",
    "ai": "agent",
    "model": "agent",
    "agent": "agent",
    "chatbot": "agent",
}
THOUGHTS = {"reasoning", "thinking", "thought", "redacted_thinking", "redacted-reasoning", "think"}
CALLS = {
    "tool_call",
    "tool-call",
    "tool_use",
    "function_call",
    "server_tool_call",
    "server_tool_use",
    "toolCall",
}
RESULTS = {
    "tool_call_response",
    "tool-result",
    "tool_result",
    "function_call_output",
    "server_tool_call_response",
}
QUIET = {"step-start", "step-finish", "cache_point"}
DATA = DATA_TYPES | {"blob", "uri", "file_data", "media"}
# Keys that say that an object is a message, not an argument.
KEYS = ("role", "parts", "content", "tool_calls", "kwargs", "message", "text")


@dataclass(slots=True)
class Message:
    """One message; `result` messages hold results only."""

    source: Source = "user"
    text: str = ""
    thoughts: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    finish: str = ""

    @property
    def empty(self) -> bool:
        return not (self.text or self.thoughts or self.calls or self.results)

    def say(self, text: str) -> None:
        self.text = f"{self.text}\n\n{text}" if self.text and text else self.text or text

    def think(self, text: str) -> None:
        self.thoughts = f"{self.thoughts}\n\n{text}" if self.thoughts and text else self.thoughts or text


def messages_of(value: Json, warn: Warner, role: str = "user") -> list[Message]:
    """The messages in a value: a list of them, one, an object that holds them, or plain words of `role`."""
    value = unpacked(value)
    if isinstance(value, dict):
        for key in ("messages", "contents", "input_messages"):
            if isinstance(value.get(key), list):
                return _with_system(value, messages_of(value[key], warn, role), warn)
        if not any(key in value for key in KEYS):
            return [Message(_role(role), readable(value))] if value else []
        return [message_of(value, warn, role)]
    if isinstance(value, list):
        if (pair := paired(value)) is not None:
            return [message_of(pair, warn)]
        if value and all(isinstance(item, list) for item in value):  # LangChain's batches
            return [message for item in value for message in messages_of(item, warn, role)]
        if value and all(isinstance(x, dict) and "type" in x and not _speaks(x) for x in value):
            return [message_of({"role": role, "content": value}, warn)]
        return [message_of(item, warn, role) for item in value if item is not None]
    if value is None or value == "":
        return []
    return [Message(_role(role), value if isinstance(value, str) else readable(value))]


def _speaks(value: dict[str, Any]) -> bool:
    return "role" in value or "kwargs" in value or value.get("type") in ("human", "ai", "system", "tool")


def _with_system(value: dict[str, Any], found: list[Message], warn: Warner) -> list[Message]:
    config = as_dict(value.get("config"))
    system = first_of(value.get("system"), value.get("instructions"), config.get("system_instruction"))
    return [*messages_of(system, warn, "system"), *found] if system else found


def first_of(*values: Json) -> Json:
    return next((value for value in values if value not in (None, "", [], {})), None)


def _role(role: str) -> Source:
    return ROLES.get(role.lower(), "user")


def message_of(value: Json, warn: Warner, role: str = "user") -> Message:
    """One message."""
    if not isinstance(value, dict):
        return Message(_role(role), value if isinstance(value, str) else readable(value))
    if isinstance(value.get("message"), dict) and "content" not in value:
        value = {**value, **value["message"]}  # OpenInference, and the choices of a response
    if isinstance(value.get("kwargs"), dict) and "id" in value:  # LangChain's dump of an object
        name = (
            as_str(next(iter(reversed(as_list(value["id"]))), ""))
            .removesuffix("Message")
            .removesuffix("Chunk")
        )
        value = {"type": name.removesuffix("Message").lower(), **value["kwargs"]}
    spoken = first((as_str(value.get("role")), as_str(value.get("type")), role)).lower()
    message = Message(_role(spoken))
    if spoken not in ROLES and spoken not in ("tool", "function", "message", "text"):
        warn(f"unknown role {spoken[:80]!r} is shown as the user's")
        message.say(f"[{spoken}]")
    content = first_of(value.get("parts"), value.get("content"), value.get("contents"), value.get("text"))
    if spoken in ("tool", "function") and not _holds_results(content):
        call_id = first(as_id(value.get(key)) for key in ("tool_call_id", "toolCallId", "id"))
        text = words(content, warn)
        message.results.append(Result(text, call_id, error=value.get("status") == "error"))
        return message
    for part in content if isinstance(content, list) else [content]:
        _part(message, part, warn)
    for key in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(value.get(key), str):
            message.think(value[key])
    if isinstance(value.get("refusal"), str) and not message.text:
        message.say(value["refusal"])
    for call in as_list(unpacked(value.get("tool_calls"))):
        message.calls.append(call_of(call))
    if not message.calls and isinstance(value.get("function_call"), dict):
        message.calls.append(call_of(value["function_call"]))
    elif not message.calls and value.get("function_call_name"):
        message.calls.append(call_of({"name": value["function_call_name"],
                                      "arguments": value.get("function_call_arguments_json")}))  # fmt: skip
    message.finish = first((as_str(value.get("finish_reason")), as_str(value.get("finishReason"))))
    return message


def _holds_results(content: Json) -> bool:
    return any(
        as_str(as_dict(part).get("type")) in RESULTS or "function_response" in as_dict(part)
        for part in as_list(content)
    )


def _part(message: Message, part: Json, warn: Warner) -> None:
    if isinstance(part, dict) and isinstance(part.get("message_content"), dict):
        part = part["message_content"]  # OpenInference
    if part is None:
        return
    if not isinstance(part, dict):
        message.say(part if isinstance(part, str) else readable(part))
        return
    kind = as_str(part.get("type"))
    if kind in THOUGHTS:
        text = first(as_str(part.get(k)) for k in ("content", "text", "thinking", "reasoning", "summary"))
        message.think(text or "[thinking that the provider hides]")
    elif kind in CALLS or "function_call" in part or "functionCall" in part:
        message.calls.append(call_of(part.get("function_call") or part.get("functionCall") or part))
    elif kind in RESULTS or "function_response" in part or "functionResponse" in part:
        message.results.append(result_of(part, warn))
    elif kind in DATA or "inline_data" in part or "file_data" in part:
        message.say(data(part))
    elif kind in TEXT_TYPES or (not kind and "text" in part):
        value = first_of(part.get("text"), part.get("content"), part.get("refusal"))
        text = value if isinstance(value, str) else "" if value is None else readable(value)
        if part.get("thought") is True:  # Gemini
            message.think(text)
        else:
            message.say(text)
    elif kind not in QUIET:
        warn(f"unknown part type {kind[:80]!r} is shown as JSON")
        message.say(readable(part))


def data(part: dict[str, Any]) -> str:
    """A placeholder for a picture, a sound or a file."""
    inner = as_dict(part.get("inline_data") or part.get("file_data") or part.get("image"))
    part = {**part, **inner} if inner else part
    if isinstance(part.get("image"), dict | str) and as_str(part.get("type")) == "image":
        return placeholder({"type": "image", "source": part["image"]})
    media = first(
        as_str(part.get(k)) for k in ("mime_type", "mimeType", "mediaType", "media_type", "modality")
    )
    where = first(as_str(part.get(k)) for k in ("uri", "file_uri", "url", "file_id", "filename"))
    body = first(as_str(part.get(k)) for k in ("data", "content"))
    if media or where or body:
        url = body if body.startswith("data:") else where
        source = {
            "media_type": media or as_str(part.get("type")),
            "data": "" if url == body else body,
            "url": url,
        }
        return placeholder({"type": media or "file", "source": source})
    return placeholder(part)


def call_of(value: Json) -> ToolCall:
    """A call in any dialect; arguments that are JSON in a text are decoded, others stay the text they are."""
    value = as_dict(value)
    value = as_dict(value.get("tool_call")) or value
    function = as_dict(value.get("function") or value.get("server_tool_call")) or value
    name = first(as_str(function.get(k)) for k in ("name", "toolName", "tool_name", "function_name"))
    name = name or as_str(value.get("name"))
    if function is not value and "server_tool_call" in value:
        arguments: Json = {key: item for key, item in function.items() if key != "type"}
    else:
        keys = ("arguments", "input", "args", "parameters")
        arguments = next((function[key] for key in keys if function.get(key) is not None), None)
    call_id = first(
        as_id(value.get(key)) for key in ("id", "toolCallId", "call_id", "tool_call_id", "tool_use_id")
    )
    return ToolCall(name or "unknown", arguments_of(arguments), call_id)


def arguments_of(value: Json) -> Json:
    inner = unpacked(value)
    return inner if isinstance(inner, dict | list) else value


def result_of(part: dict[str, Any], warn: Warner) -> Result:
    """A result inside a message."""
    inner = as_dict(part.get("function_response") or part.get("functionResponse"))
    part = {**part, **inner} if inner else part
    call_id = first(
        as_id(part.get(key)) for key in ("id", "toolCallId", "tool_use_id", "call_id", "tool_call_id")
    )
    keys = ("response", "result", "output", "content", "server_tool_call_response")
    value = next((part[key] for key in keys if part.get(key) is not None), None)
    kind = as_str(as_dict(value).get("type"))
    failed = part.get("is_error") is True or part.get("isError") is True or kind.startswith("error")
    denied = kind == "execution-denied"
    return Result(words(value, warn), call_id, error=failed and not denied, denied=denied)


def words(value: Json, warn: Warner) -> str:
    """What a tool gave back, for reading: a text as it is, blocks of text joined, the rest as JSON."""
    if isinstance(value, str):
        inner = unpacked(value)
        if isinstance(inner, str):
            return inner
        return value if _blocks(inner) is None else words(inner, warn)
    if value is None:
        return ""
    kind = as_str(as_dict(value).get("type"))
    if kind in ("text", "json", "error-text", "error-json", "content") and "value" in value:
        return words(value["value"], warn)
    if kind == "execution-denied":
        return as_str(value.get("reason")) or "denied"
    blocks = _blocks(value)
    if blocks is None:
        return readable(value)
    return "\n".join(
        data(block)
        if as_str(block.get("type")) in DATA
        else as_str(first_of(block.get("text"), block.get("content")))
        for block in blocks
    )


def _blocks(value: Json) -> list[dict[str, Any]] | None:
    """The elements of a list of texts and pictures, None for any other value."""
    known = TEXT_TYPES | DATA
    if isinstance(value, list) and value and all(as_str(as_dict(b).get("type")) in known for b in value):
        return value
    return None
