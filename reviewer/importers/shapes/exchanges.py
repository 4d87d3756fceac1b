"""A request to a model and its response, out of what logs, recorders and batches put around them, and whose
API a record follows where it says so for certain.

Knows three APIs by what only they write: OpenAI's chats and Responses, and Anthropic's messages.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str, parsed
from reviewer.trace import Json

_BODIES = ("body", "json", "data")
_AROUND = {"request", "response", "body", "method", "url"}
_TOOL_ROLES = {"tool", "function"}
# Blocks that stand in no chat of OpenAI's kind.
_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"}


def body(part: Json) -> dict[str, Any]:
    """A request or a response: itself, or its `body`, which may be a text of JSON."""
    whole = as_dict(parsed(part) if isinstance(part, str) else part)
    for key in _BODIES:
        if key in whole and not {"messages", "content", "choices", "output"} & whole.keys():
            inner = whole[key]
            return as_dict(inner if isinstance(inner, dict) else parsed(inner))
    return whole


def opened(row: dict[str, Any]) -> dict[str, Any]:
    """A record of a chat as one object, with its messages and the response beside them."""
    response = body(row.get("response"))
    if isinstance(row.get("messages"), list):
        return {**row, "response": response} if "choices" in response else row
    request = next((part for part in map(body, (row.get("request"), row)) if "messages" in part), {})
    rest = {key: item for key, item in row.items() if key not in _AROUND}
    if isinstance(request.get("messages"), list):
        return {**rest, **request, **({"response": response} if response else {})}
    if "choices" in response:  # the output of a batch, which repeats no request
        return {**rest, "response": response}
    return row


def dialect(row: Json) -> str:
    """The format of a record that can be of one API only; "" where it may be of several, or of none."""
    value = as_dict(row)
    answers = (value, body(value.get("response")))
    if any(isinstance(as_dict(_first(part.get("choices"))).get("message"), dict) for part in answers):
        return "openai_chat"
    if any(part.get("object") == "response" and isinstance(part.get("output"), list) for part in answers):
        return "openai_responses"
    if any(part.get("type") == "message" and part.get("role") == "assistant" for part in answers):
        return "anthropic_messages"
    messages = row if isinstance(row, list) else as_list(opened(value).get("messages"))
    every = [as_dict(message) for message in messages]
    if any(
        as_str(message.get("role")) in _TOOL_ROLES or {"tool_calls", "function_call"} & message.keys()
        for message in every
    ):
        return "openai_chat"
    blocks = (as_dict(block) for message in every for block in as_list(message.get("content")))
    return "anthropic_messages" if any(as_str(block.get("type")) in _BLOCKS for block in blocks) else ""


def _first(value: Json) -> Json:
    return next(iter(as_list(value)), None)
