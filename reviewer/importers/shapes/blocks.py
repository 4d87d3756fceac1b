"""A chat message whose calls and results are blocks of its content, as messages that hold them beside it.

Anthropic's API, Bedrock's Converse and Gemini write them so; logs mix them with chats of OpenAI's kind, and
some gateways change only the half of what they pass on. Knows no file format, and nothing of steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str
from reviewer.importers.shapes.model_parts import CALLS, RESULTS, THOUGHTS, from_blocks, kind_in
from reviewer.trace import Json

_DONE = CALLS | RESULTS | THOUGHTS
Message = dict[str, Any]


def calls_in(message: Json) -> int:
    """How many of the blocks of a message are calls."""
    return sum(kind_in(block) in CALLS for block in as_list(as_dict(message).get("content")))


def spread(message: Message, unknown: Any) -> Iterator[Message]:
    """The message itself, or one that says and calls and one for each result, in their order."""
    content = message.get("content")
    if not isinstance(content, list) or not any(kind_in(block) in _DONE for block in content):
        yield message
        return
    found = list(from_blocks(content, "user", unknown))
    answers = any(said.results for said in found)
    for said in found:
        for result in said.results:
            answer = {"role": "tool", "tool_call_id": result.call_id, "content": result.content}
            yield answer | ({"error": True} if result.error else {})
        if said.results or (said.empty and answers and not message.get("tool_calls")):
            continue
        calls = [
            {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
            for call in said.calls
        ]
        own = {**message, "content": said.text}
        if calls:
            own["tool_calls"] = [*as_list(message.get("tool_calls")), *calls]
        if said.reasoning:
            before = as_str(message.get("reasoning"))
            own["reasoning"] = f"{before}\n\n{said.reasoning}" if before else said.reasoning
        yield own
