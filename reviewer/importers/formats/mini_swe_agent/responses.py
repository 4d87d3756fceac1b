"""mini-swe-agent messages in the shape of OpenAI's Responses API, turned into chat messages.

Version 2 can talk to that API; its messages then have no role: a whole response object stands for the
assistant's message, and `function_call_output` for a tool's. Anything else comes back as it is.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str, shown
from reviewer.trace import Json


def as_chat(message: dict[str, Any]) -> dict[str, Any]:
    """The message with a role and a content, where its shape says which."""
    if "role" in message:
        return message
    if message.get("type") == "function_call_output" and "output" in message:
        rest = {key: item for key, item in message.items() if key not in ("type", "output", "call_id")}
        return {**rest, "role": "tool", "content": message["output"], "tool_call_id": message.get("call_id")}
    if message.get("object") == "response" and isinstance(message.get("output"), list):
        return _assistant(message)
    return message


def _assistant(response: dict[str, Any]) -> dict[str, Any]:
    content: list[Json] = []
    thoughts: list[str] = []
    calls: list[Json] = []
    for item in response["output"]:
        kind = as_dict(item).get("type")
        if kind == "message":
            content.extend(as_list(item.get("content")))
        elif kind == "reasoning":
            parts = [*as_list(item.get("summary")), *as_list(item.get("content"))]
            thoughts.extend(shown(as_dict(part).get("text")) for part in parts)
        elif kind == "function_call":
            function = {"name": as_str(item.get("name")), "arguments": item.get("arguments")}
            calls.append({"id": item.get("call_id"), "type": "function", "function": function})
        else:
            content.append(item)
    extra = as_dict(response.get("extra"))
    told = {"model": response.get("model"), "usage": response.get("usage")}
    return {
        "role": "assistant",
        "content": content,
        "reasoning_content": "\n\n".join(filter(None, thoughts)),
        "tool_calls": calls,
        "extra": {"response": told, **extra},
    }
