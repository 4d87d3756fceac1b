"""Which command-line agent wrote a session: known by what only it writes. Reads no session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str, iso
from reviewer.importers.shapes.records import mostly

Row = dict[str, Any]
TOOLS = {"toolRequest", "toolResponse"}
GROK = {"system", "user", "reasoning", "assistant", "tool_result", "backend_tool_call"}
SOURCES = {"USER_EXPLICIT", "USER_IMPLICIT", "MODEL", "SYSTEM"}
NAMES = {
    "antigravity": "Antigravity",
    "qwen": "Qwen Code",
    "iflow": "iFlow",
    "grok": "Grok Build",
    "goose": "Goose",
    "cursor": "Cursor",
    "vibe": "Mistral Vibe",
    "gptme": "gptme",
    "hermes": "Hermes",
    "antigravity_export": "Antigravity",
    "droid": "Droid",
    "codebuddy": "CodeBuddy",
    "devin": "Devin",
}


def dialect(rows: list[Row]) -> str:
    """Which program wrote these rows; "" for none of them."""
    return next((name for name, wrote in _MARKS.items() if rows and wrote(rows)), "")


def kept_whole(value: Row) -> str:
    """Which program keeps a session as one object."""
    talk = [as_dict(row) for row in as_list(value.get("messages", value.get("conversation")))]
    if ("conversation" in value and "working_dir" in value) or any(map(_has_tools, talk)):
        return "goose"
    hermes = {"platform", "session_start"} <= value.keys() or (
        "session_start" in value and "system_prompt" in value
    )
    if hermes and isinstance(value.get("messages"), list):
        return "hermes"
    nodes = [as_dict(node) for node in as_list(value.get("nodes"))]
    if isinstance(value.get("session"), dict) and any(
        {"message_id", "role"} <= node.keys() for node in nodes
    ):
        return "devin"
    about = as_dict(value.get("metadata"))
    if {"session_id", "start_time"} <= about.keys() and {"agent_config", "stats"} & about.keys():
        return "vibe" if isinstance(value.get("messages"), list) else ""
    exported = isinstance(as_dict(value.get("conversation")).get("messages"), list)
    return "antigravity_export" if exported and value.get("app") == "Antigravity" else ""


def _grok(rows: list[Row]) -> bool:
    bare = not any({"message", "uuid", "payload", "role"} & row.keys() for row in rows)
    own = {"synthetic_reason", "prompt_index", "model_id", "model_fingerprint"}
    marked = any(own & row.keys() or row.get("type") == "backend_tool_call" for row in rows)
    return bare and marked and mostly(lambda row: as_str(row.get("type")) in GROK, rows)


def _qwen(rows: list[Row]) -> bool:
    threaded = all("uuid" in row and "sessionId" in row for row in rows)
    return threaded and any("systemPayload" in row or "parts" in as_dict(row.get("message")) for row in rows)


def _iflow(rows: list[Row]) -> bool:
    if not all("uuid" in row and "sessionId" in row for row in rows):
        return False
    if all(as_str(row["sessionId"]).startswith("session-") and "message" in row for row in rows):
        return True
    blocks = [block for row in rows for block in as_list(as_dict(row.get("message")).get("content"))]
    own = any("responseParts" in as_dict(as_dict(block).get("content")) for block in blocks)
    answers = any(as_str(as_dict(row.get("message")).get("id")).startswith("response-") for row in rows)
    return own or answers


def _droid(rows: list[Row]) -> bool:
    """What `droid exec --output-format stream-json` prints."""
    calls = any(row.get("type") == "tool_call" and {"toolName", "parameters"} <= row.keys() for row in rows)
    ends = any(row.get("type") == "completion" and "finalText" in row for row in rows)
    return calls or ends


def _codebuddy(rows: list[Row]) -> bool:
    if not all("sessionId" in row and not {"uuid", "payload", "data"} & row.keys() for row in rows):
        return False
    return any(
        row.get("type") in ("function_call", "function_call_result")
        or (row.get("type") == "message" and {"role", "content"} <= row.keys())
        for row in rows
    )


def _antigravity(rows: list[Row]) -> bool:
    return mostly(lambda row: "step_index" in row and as_str(row.get("source")) in SOURCES, rows)


def _goose(rows: list[Row]) -> bool:
    head = rows[0]
    messages = [as_dict(row.get("message")) if row.get("type") == "message" else row for row in rows]
    if any(map(_has_tools, messages)):
        return True
    talk = any("created" in row and isinstance(row.get("content"), list) for row in messages)
    return talk and ("working_dir" in head or head.get("type") == "message")


def _has_tools(message: Row) -> bool:
    """Whether a message holds the blocks that Goose has for calls and their results."""
    blocks = [as_dict(block) for block in as_list(message.get("content"))]
    return any(
        as_str(block.get("type")) in TOOLS and ("toolCall" in block or "toolResult" in block)
        for block in blocks
    )


def _cursor(rows: list[Row]) -> bool:
    def own(row: Row) -> bool:
        return {"role", "message"} <= row.keys() and not {"uuid", "type", "id", "sessionId"} & row.keys()

    return all(map(own, rows)) and any(
        isinstance(as_dict(row["message"]).get("content"), list) for row in rows
    )


def _vibe(rows: list[Row]) -> bool:
    return all("role" in row and "message_id" in row for row in rows) and not any(
        "type" in row for row in rows
    )


def _gptme(rows: list[Row]) -> bool:
    dated = all(
        isinstance(row.get("content"), str) and "role" in row and iso(row.get("timestamp")) for row in rows
    )
    return dated and any({"metadata", "pinned", "hide", "files", "call_id"} & row.keys() for row in rows)


_MARKS: dict[str, Callable[[list[Row]], bool]] = {
    "antigravity": _antigravity,
    "qwen": _qwen,
    "iflow": _iflow,
    "grok": _grok,
    "goose": _goose,
    "cursor": _cursor,
    "vibe": _vibe,
    "gptme": _gptme,
    "droid": _droid,
    "codebuddy": _codebuddy,
}
