"""What programs that run agents keep beside their logs: settings, lists of tasks, costs, typed prompts.

Says what a file is, in words. Files of Inspect, OpenHands, Claude Code, Codex. Knows no trace format.
"""

from __future__ import annotations

from pathlib import Path

from reviewer.importers.opening.values import as_dict, as_list
from reviewer.trace import Json

# Files that are empty when there was nothing to say, by folder and by name.
_EMPTY = {
    "todos": "a to-do list",
    "preds.json": "a file of patches (predictions)",
    "all_preds.jsonl": "a file of patches (predictions)",
}
_COSTS = {"only_main_output_cost", "sum_critic_files", "total_cost", "total_cost_usd"}
_COST_ROW = {"instance_id", "cost", "attempt", "model", "duration"}
_TALK = {"messages", "history", "samples", "steps", "instance_id"}


def beside_a_run(value: Json) -> str:
    """What the value of a whole file is when a runner keeps it beside its logs, else ""."""
    if not isinstance(value, dict) or _TALK & value.keys():
        return row_beside(value)
    return row_beside(value) or _inspect(value) or _openhands(value)


def row_beside(row: Json) -> str:
    """What a row of JSON Lines is when a runner keeps such rows beside its logs, else ""."""
    if not isinstance(row, dict):
        return ""
    if {"instance_id", "cost"} <= row.keys() <= _COST_ROW:
        return "what each instance cost"
    if {"display", "timestamp", "project"} <= row.keys() and "message" not in row:
        return "the prompts typed into Claude Code"
    return "the prompts typed into Codex" if row.keys() == {"session_id", "ts", "text"} else ""


def empty(path: Path) -> str:
    """What a file without anything in it is, as it is named or where it lies."""
    return _EMPTY.get(path.absolute().parent.name, "") or _EMPTY.get(path.name, "")


def _inspect(value: dict[str, Json]) -> str:
    """What Inspect writes into a folder of logs."""
    tasks = value.get("tasks")
    if "eval_set_id" in value and isinstance(tasks, list) and all(isinstance(task, dict) for task in tasks):
        return "the tasks of an Inspect eval set"
    rows = [as_dict(row) for row in value.values()]
    if rows and all({"status", "eval"} <= row.keys() and not row.get("samples") for row in rows):
        return "the heads of Inspect logs"
    if rows and all({"eval_id", "run_id", "task"} <= row.keys() and not row.get("samples") for row in rows):
        return "an index of Inspect logs"
    return ""


def _openhands(value: dict[str, Json]) -> str:
    """What OpenHands writes around the output of a benchmark."""
    model = value.get("llm_config") or value.get("llm")
    if "max_iterations" in value and isinstance(model, dict):
        return "the settings of an OpenHands run"
    if _COSTS & as_dict(value.get("summary")).keys() and not as_list(value.get("results")):
        return "what an OpenHands run cost"
    return ""
