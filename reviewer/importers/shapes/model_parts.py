"""The parts of one message of a model, in whichever dialect: words, thoughts, calls, results.

Knows no roles, no file format, and nothing of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, parsed
from reviewer.importers.shapes.content import DATA_TYPES, readable, text_of
from reviewer.trace import Json, Result, Source, ToolCall

Unknown = Callable[[str], None]
CALLS = {"tool_use", "tool_call", "tool-call", "function_call", "functioncall", "custom_tool_call"}
CALLS |= {"server_tool_use", "mcp_call"}
RESULTS = {"tool_result", "tool_call_response", "tool-result", "function_call_output", "functionresponse"}
RESULTS |= {"custom_tool_call_output", "function_response"}
THOUGHTS = {"thinking", "reasoning", "redacted_thinking"}
# Blocks without a type, known by the key that holds them: Gemini's, and those of Bedrock's Converse.
_CALLING = ("function_call", "functionCall", "toolUse")
_ANSWERING = ("function_response", "functionResponse", "toolResult")


@dataclass(frozen=True, slots=True)
class Said:
    """One message: who, what, which calls, which results; a result without an id may name its tool."""

    source: Source
    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[Result, ...] = ()
    tool: str = ""

    @property
    def empty(self) -> bool:
        return not (self.text.strip() or self.reasoning or self.calls or self.results)


def unwrapped(value: Json) -> Json:
    """`value` decoded until it is no JSON text any more: some services encode twice."""
    for _ in range(4):
        if not isinstance(value, str) or (value[:1] not in ('"', "{", "[") and value != "null"):
            break
        inner = parsed(value)
        if inner is None and value != "null":
            break
        value = inner
    return value


def kind_in(block: Json) -> str:
    block = as_dict(block)
    for keys, kind in (
        (_CALLING, "tool_call"),
        (_ANSWERING, "tool_result"),
        (("reasoningContent",), "reasoning"),
    ):
        if any(isinstance(block.get(key), dict) for key in keys):
            return kind
    kind = as_str(block.get("type")).lower()
    return kind or ("tool_call" if "toolName" in block else "")


def from_blocks(blocks: list[Json], source: Source, unknown: Unknown) -> Iterator[Said]:
    """One message of the words and calls, and one for each result among the blocks."""
    words: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Said] = []
    for block in blocks:
        kind = kind_in(block)
        if kind in CALLS:
            calls.append(call_of(block))
        elif kind in RESULTS:
            results.append(result_of(block, unknown))
        elif kind in THOUGHTS or _thinks(block, kind):
            thoughts.append(_thought(block))
        elif isinstance(block, dict) and kind in ("blob", "uri"):
            words.append(f"[{as_str(block.get('mime_type')) or kind}, {as_str(block.get('uri')) or 'data'}]")
        elif isinstance(block, dict) and kind in ("", "text") and isinstance(block.get("content"), str):
            words.append(block["content"])
        elif isinstance(block, dict) and not kind and not DATA_TYPES & block.keys() and "text" not in block:
            words.append(readable(block))
        elif block is not None:
            words.append(text_of([block], unknown))
    said = Said(source, "\n".join(words), "\n\n".join(filter(None, thoughts)), tuple(calls))
    yield from [said, *results] if calls else [*results, said]  # a call comes before what answers it


def _thinks(block: Json, kind: str) -> bool:
    """Gemini marks a text as a thought, .NET writes the name of its class."""
    return isinstance(block, dict) and (
        block.get("thought") is True or kind.endswith(".textreasoningcontent")
    )


def _thought(block: dict[str, Any]) -> str:
    block = {**block, **as_dict(block.get("content")), **as_dict(block.get("reasoningContent"))}
    block |= as_dict(block.get("reasoningText"))
    for key in ("thinking", "reasoning", "text", "content"):
        if isinstance(block.get(key), str):
            return str(block[key])
    texts = [as_str(as_dict(part).get("text")) for part in as_list(block.get("summary"))]
    return "\n\n".join(filter(None, texts))


def call_of(block: Json) -> ToolCall:
    """A call as any of them writes it; arguments as given."""
    block = as_dict(unwrapped(block))
    inner = next(
        (block[key] for key in ("function", *_CALLING) if isinstance(block.get(key), dict)),
        block,
    )
    name = next((inner[key] for key in ("name", "toolName", "tool") if isinstance(inner.get(key), str)), "")
    given = next((inner[key] for key in ("arguments", "args", "input") if key in inner), None)
    keys = ("id", "toolCallId", "call_id") if "call_id" not in block else ("call_id",)
    call_id = next((as_id(block[key]) for key in keys if block.get(key)), "") or as_id(
        inner.get("id") or inner.get("toolUseId")
    )
    return ToolCall(name or "unknown", given, call_id)


def result_of(block: dict[str, Any], unknown: Unknown) -> Said:
    inner = next(
        (block[key] for key in _ANSWERING if isinstance(block.get(key), dict)),
        block,
    )
    content = next(
        (inner[key] for key in ("content", "output", "result", "response") if inner.get(key) is not None),
        None,
    )
    plain = as_dict(content)
    if isinstance(plain.get("value"), str) and "type" in plain:  # Vercel: {"type": "text", "value": …}
        content = plain["value"]
    if isinstance(content, list):  # Bedrock: {"json": …} for what is no text
        content = [readable(part["json"]) if as_dict(part).keys() == {"json"} else part for part in content]
    text = text_of(content, unknown) if isinstance(content, str | list) else readable(content)
    keys = ("tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "call_id", "id")
    call_id = next((as_id(inner[key]) for key in keys if inner.get(key)), "")
    failed = inner.get("is_error") is True or inner.get("isError") is True or inner.get("status") == "error"
    tool = as_str(inner.get("name")) or as_str(inner.get("toolName"))
    return Said("user", results=(Result("" if content is None else text, call_id, error=failed),), tool=tool)
