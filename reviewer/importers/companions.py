"""Files that lie beside traces and hold none: reports, patches, indexes. Recognised by content.

Says what a file is, in words; reads no outcome out of it. Knows no trace format.
"""

from __future__ import annotations

from reviewer.importers.base import Source
from reviewer.importers.values import as_dict, as_list, as_str
from reviewer.trace import Json

# Rows that Claude Code writes into session files of their own when nothing was said yet.
_SESSION_NOISE = {
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "last-prompt",
    "ai-title",
}


def companion(source: Source) -> str:
    """What the file is when it is known to hold no trace, else ""."""
    if source.is_json:
        return _object(source.value) if isinstance(source.value, dict) else _list(source.value)
    values = [line.value for line in source.lines if not line.bad]
    kinds = {kind for value in values if isinstance(kind := as_dict(value).get("type"), str)}
    if kinds & _SESSION_NOISE and not kinds & {"user", "assistant", "message", "session"}:
        return "a Claude Code session file without a message"
    return _list(values)


def _object(value: dict[str, Json]) -> str:
    if "resolved_ids" in value or ("resolved" in value and "no_generation" in value):
        return "a report of resolved instances"
    if "agentType" in value and "messages" not in value and "message" not in value:
        return "a description of a sub-agent"
    if as_str(value.get("type")) in _SESSION_NOISE and "message" not in value:
        return "a Claude Code session file without a message"
    if "entries" in value and value.get("version") == 1 and _all(as_list(value["entries"]), "sessionId"):
        return "an index of sessions"
    if {"version", "status", "eval"} <= value.keys() and not value.get("samples"):
        return "an Inspect log without samples"
    if what := _harbor(value):
        return what
    if _all(list(value.values()), "model_patch"):
        return "a file of patches (predictions)"
    if _all(list(value.values()), "resolved"):
        return "a report of resolved instances"
    return ""


def _harbor(value: dict[str, Json]) -> str:
    """What Harbor writes around a trajectory."""
    if "trial_name" in value and ("verifier_result" in value or "agent_info" in value):
        return "the result of a trial"
    if {"trial_name", "trials_dir"} <= value.keys() or {"job_name", "jobs_dir"} <= value.keys():
        return "the settings of a trial"
    if "n_total_trials" in value and "stats" in value:
        return "the result of a job"
    if value.get("reportFormat") == "CTRF" or "tests" in as_dict(value.get("results")):
        return "a report of tests"
    if "reward" in value and all(isinstance(item, int | float) for item in value.values()):
        return "a reward"
    return ""


def _list(value: Json) -> str:
    rows = as_list(value)
    if _all(rows, "model_patch") and not any("messages" in row or "trajectory" in row for row in rows):
        return "a file of patches (predictions)"
    return ""


def _all(rows: list[Json], key: str) -> bool:
    return bool(rows) and all(isinstance(row, dict) and key in row for row in rows)
