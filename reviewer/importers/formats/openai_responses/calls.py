"""Calls and results among the items of OpenAI's Responses API: what was called, with what, what came back.

The provider's own tools (search, code interpreter, MCP) hold their result in the item of the call.
Knows nothing of steps, files and Codex.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_code, as_dict, as_id, as_list, as_str, dumped, parsed, shown
from reviewer.importers.shapes.content import placeholder, readable, text_of
from reviewer.trace import Json, Result, ToolCall

Warn = Callable[[str], None]

# The part of a call's item that says what was asked for.
ASKED: dict[str, tuple[str, ...]] = {
    "local_shell_call": ("action",),
    "shell_call": ("action",),
    "computer_call": ("action", "actions", "pending_safety_checks"),
    "web_search_call": ("action", "query"),
    "file_search_call": ("queries",),
    "code_interpreter_call": ("code",),
    "apply_patch_call": ("operation", "input"),
    "image_generation_call": ("revised_prompt", "action", "size", "quality"),
    "program": ("code",),
}
# A result whose text begins so was stopped by a person (Codex writes it where no flag says it).
DENIED = (
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
    "aborted by user",
    "user rejected",
    "user cancelled",
)
FAILED = {"failed", "incomplete", "errored", "error"}
_CODE = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d{1,9})$", re.MULTILINE)
_OUTPUT = re.compile(r"^(?:Total output lines:.*\n)?Output:", re.MULTILINE)


def is_call(kind: str) -> bool:
    """Whether an item of this type calls a tool."""
    return kind.endswith("_call") or kind in ("program", "mcp_approval_request")


def is_output(kind: str) -> bool:
    """Whether an item of this type answers a call."""
    return kind.endswith("_output") or kind == "mcp_approval_response"


def call_of(item: dict[str, Any]) -> ToolCall:
    """The call in an item."""
    kind = as_str(item.get("type"))
    call_id = as_id(item.get("call_id")) or as_id(item.get("id"))
    if kind in ASKED:
        found = {key: item[key] for key in ASKED[kind] if item.get(key) is not None}
        only = ASKED[kind][0]
        action = found.get(only)
        arguments = action if len(found) == 1 and isinstance(action, dict) else found
        return ToolCall(kind.removesuffix("_call"), arguments, call_id)
    name = as_str(item.get("name")) or kind.removesuffix("_call") or "unknown"
    if kind in ("mcp_call", "mcp_approval_request"):
        call_id = as_id(item.get("id")) or call_id
        server = as_str(item.get("server_label"))
        name = f"{server}.{name}" if server else name
    given = next((item[key] for key in ("arguments", "input") if item.get(key) is not None), None)
    return ToolCall(f"{as_str(item.get('namespace'))}{name}", arguments_of(given), call_id)


def arguments_of(given: Json) -> Json:
    """Arguments as an object where they are one, also when written as a JSON text; else as they stand."""
    value = parsed(given)
    return value if isinstance(value, dict) else given


def inner_result(item: dict[str, Any], warn: Warn) -> Result | None:
    """The result that stands in the item of its own call."""
    kind = as_str(item.get("type"))
    call_id = call_of(item).id
    failed = as_str(item.get("status")) in FAILED
    parts: list[str] = []
    if kind == "mcp_call" or (kind == "function_call" and "output" in item):
        if item.get("output") is None and item.get("error") is None:
            return Result("", call_id, error=True) if failed else None
        parts = [_text(item.get("output"), warn), readable_error(item.get("error"))]
        failed = failed or item.get("error") is not None
    elif kind == "code_interpreter_call":
        parts = [_output_part(part, warn) for part in as_list(item.get("outputs"))]
    elif kind == "file_search_call":
        parts = [_found(part) for part in as_list(item.get("results"))]
    elif kind == "web_search_call":
        parts = [as_str(as_dict(part).get("url")) for part in as_list(item.get("results"))]
    elif kind == "image_generation_call" and isinstance(item.get("result"), str):
        parts = [placeholder({"type": "image", "source": {"media_type": "image", "data": item["result"]}})]
    text = "\n".join(filter(None, parts))
    return Result(text, call_id, error=failed) if text or failed else None


def result_of(item: dict[str, Any], warn: Warn) -> Result:
    """The result in an item that answers a call."""
    kind = as_str(item.get("type"))
    if kind == "mcp_approval_response":
        allowed = item.get("approve") is not False
        text = "\n".join(filter(None, ("approved" if allowed else "denied", shown(item.get("reason")))))
        return Result(text, as_id(item.get("approval_request_id")), denied=not allowed)
    call_id = as_id(item.get("call_id")) or as_id(item.get("id"))
    output = item.get("output", item.get("result"))
    failed = (
        as_str(item.get("status")) in FAILED or item.get("success") is False or item.get("is_error") is True
    )
    if kind == "tool_search_output":
        output = output if output is not None else item.get("tools")
        return Result(shown(output), call_id, error=failed)
    if kind == "shell_call_output" and isinstance(output, list):
        return _shell(output, call_id, failed)
    if isinstance(output, dict) and "content" in output:
        failed = failed or output.get("success") is False or output.get("is_error") is True
        output = output["content"]
    text, code = _coded(output, warn)
    denied = text.lstrip().lower().startswith(DENIED)
    return Result(text, call_id, error=(failed or bool(code)) and not denied, denied=denied, exit_code=code)


def _coded(output: Json, warn: Warn) -> tuple[str, int | None]:
    """Text and exit code: of a JSON text with both, or of a text whose head names the code."""
    value = output if isinstance(output, dict) else parsed(output) if isinstance(output, str) else None
    if isinstance(value, dict) and "output" in value and isinstance(value.get("metadata"), dict):
        return shown(value["output"]), as_code(value["metadata"].get("exit_code"))
    text = _text(output, warn)
    end = _OUTPUT.search(text[:2000])
    found = _CODE.search(text, 0, end.start()) if end else None
    return text, int(found[1]) if found else None


def _text(output: Json, warn: Warn) -> str:
    if isinstance(output, dict):
        shot = output.get("type") == "computer_screenshot"
        return placeholder({**output, "type": "image_url"}) if shot else readable(output)
    return text_of(output, warn) if isinstance(output, list) else shown(output)


def _shell(output: list[Json], call_id: str, failed: bool) -> Result:
    """What the commands of one shell call gave back, one after the other."""
    texts: list[str] = []
    code: int | None = None
    for part in map(as_dict, output):
        outcome = as_dict(part.get("outcome"))
        texts += [shown(part.get("stdout")), shown(part.get("stderr"))]
        code = code or as_code(outcome.get("exit_code"))
        if outcome.get("type") == "timeout":
            failed, texts = True, [*texts, "[timeout]"]
    return Result("\n".join(filter(None, texts)), call_id, error=failed or bool(code), exit_code=code)


def _output_part(part: Json, warn: Warn) -> str:
    """One output of the code interpreter: what it printed, or a picture."""
    part = as_dict(part)
    if part.get("type") == "logs":
        return shown(part.get("logs"))
    return f"[image, {shown(part.get('url'))[:200]}]" if part.get("type") == "image" else dumped(part)


def _found(part: Json) -> str:
    part = as_dict(part)
    return "\n".join(filter(None, (as_str(part.get("filename")), shown(part.get("text")))))


def readable_error(error: Json) -> str:
    """The words of an error: its message, else all of it."""
    message = as_dict(error).get("message")
    return message if isinstance(message, str) else shown(error)
