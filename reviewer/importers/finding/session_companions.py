"""What coding agents keep beside their sessions: single messages and parts, lists, settings. No traces.

Says what a file is, in words. Files of opencode, Gemini CLI, OpenClaw, Droid, Cline, Roo, Grok,
Vibe and ADK, and what a provider answers instead of a message.
"""

from __future__ import annotations

from reviewer.importers.opening.values import as_dict, as_list, as_str
from reviewer.trace import Json

ERROR = "an error that a provider sent back"
_TO_DO = {"content", "status", "priority", "activeForm", "id"}
ALONE = {ERROR}  # which lies beside nothing


def beside_a_session(value: Json) -> str:
    """What the value of a whole file is when an agent keeps it beside its sessions, else ""."""
    if isinstance(value, list):
        return _list(value)
    if not isinstance(value, dict):
        return ""
    return _opencode(value) or _cline(value) or _others(value)


def _opencode(value: dict[str, Json]) -> str:
    """What lies in opencode's storage folders around the file of a session."""
    if {"id", "messageID", "sessionID", "type"} <= value.keys():
        return "one part of a message of opencode, read with the file of its session"
    if {"id", "sessionID", "role"} <= value.keys() and "content" not in value:
        return "one message of opencode, read with the file of its session"
    if {"id", "worktree", "time"} <= value.keys():
        return "a project of opencode"
    return ""


def _cline(value: dict[str, Json]) -> str:
    """What lies in the folder of a task of Cline or Roo around its messages."""
    if {"files_in_context", "model_usage"} & value.keys() and "messages" not in value:
        return "what a task of Cline had in its context"
    if {"ts", "task", "tokensIn"} <= value.keys() and "messages" not in value:
        return "an entry of Cline's list of tasks"
    if {"session_id", "messages_path"} <= value.keys():
        return "what Cline knows of a session"
    if "sessionId" in value and _compacted(as_list(value.get("messages"))):
        return "what is left of a session of Cline after a compaction"
    if "checkpoints" in value and "baseHash" in value:
        return "the checkpoints of a task"
    return ""


def _compacted(messages: list[Json]) -> bool:
    about = [as_dict(as_dict(message).get("metadata")) for message in messages]
    kept = any(row.get("compaction") == "preserved" for row in about)
    return kept or any(as_str(row.get("kind")).startswith("compaction") for row in about[:1])


def _others(value: dict[str, Json]) -> str:
    if "tokenUsage" in value and {"model", "providerLock", "assistantActiveTimeMs"} & value.keys():
        return "the settings of a Droid session"
    if {"info", "session_summary"} <= value.keys() and "messages" not in value:
        return "what Grok knows of a session"
    if {"session_id", "start_time"} <= value.keys() and {"config", "agent_config", "stats"} & value.keys():
        return "" if "messages" in value else "what Vibe knows of a session"
    if "message" in as_dict(value.get("error")) and value.keys() <= {"error", "type", "request_id"}:
        return ERROR
    if "eval_set_id" in value and isinstance(value.get("eval_cases"), list):
        return "an eval set of Google's ADK: what an agent is expected to do"
    rows = [as_dict(row) for row in value.values()]
    if rows and all("sessionId" in row and "updatedAt" in row for row in rows):
        return "an index of sessions"
    return ""


def _list(rows: list[Json]) -> str:
    if _all(rows, {"sessionId", "messageId", "type", "message"}):
        return "the prompts typed into Gemini CLI"
    if _all(rows, {"content", "status"}) and all(as_dict(row).keys() <= _TO_DO for row in rows):
        return "a to-do list"
    if _all(rows, {"file", "additions", "deletions"}):
        return "the changes that a session made"
    if _all(rows, {"query", "expected_tool_use"}):
        return "an eval set of Google's ADK: what an agent is expected to do"
    if _all(rows, {"ts", "task", "tokensIn"}):
        return "Cline's list of tasks"
    return ""


def _all(rows: list[Json], keys: set[str]) -> bool:
    return bool(rows) and all(isinstance(row, dict) and keys <= row.keys() for row in as_list(rows))
