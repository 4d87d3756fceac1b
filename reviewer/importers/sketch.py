"""Drafts a map for a file that no importer knows, from the shape of its first records.

A guess to start from, made by names and shapes; what was not found stands there as a comment. Knows the
usual names of things, no format.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.mapped import GUESSED
from reviewer.importers.maps import INFO, OUTCOME, STEP, Map, every, first
from reviewer.importers.shapes.records import values
from reviewer.trace import Json

LOOKED_AT = 40  # records
DEPTH = 4
# What the fields of a step and of a trace are usually called, the likeliest first.
STEP_NAMES: dict[str, tuple[str, ...]] = {
    "role": ("role", "speaker", "sender", "author", "from", "source", "who", "type", "kind", "actor"),
    "text": ("content", "text", "message", "body", "value", "utterance", "response", "msg", "output_text"),
    "reasoning": ("reasoning", "thought", "thinking", "rationale", "reasoning_content"),
    "tool": ("tool", "tool_name", "function", "name", "action_name", "command_name", "action"),
    "arguments": (
        "arguments",
        "args",
        "input",
        "parameters",
        "params",
        "kwargs",
        "tool_input",
        "action_input",
    ),
    "call_id": ("call_id", "tool_call_id", "tool_use_id"),
    "result": ("result", "observation", "output", "out", "tool_output", "stdout", "response"),
    "error": ("error", "is_error", "failed", "exception", "stderr"),
    "exit_code": ("exit_code", "returncode", "return_code", "status_code"),
    "at": ("timestamp", "time", "ts", "created_at", "at", "date"),
}
INFO_NAMES: dict[str, tuple[str, ...]] = {
    "task": (
        "task",
        "instruction",
        "prompt",
        "question",
        "goal",
        "query",
        "problem_statement",
        "input",
        "request",
    ),
    "task_id": ("task_id", "instance_id", "sample_id", "case_id", "problem_id", "id", "case", "uid"),
    "benchmark": ("benchmark", "dataset", "suite", "env", "split"),
    "model": ("model", "model_name", "llm", "model_id", "engine"),
    "agent": ("agent", "agent_name", "scaffold", "harness"),
    "attempt": ("attempt", "trial", "epoch", "run", "seed"),
    "started": ("started", "started_at", "start_time", "created_at", "timestamp"),
}
OUTCOME_NAMES: dict[str, tuple[str, ...]] = {
    "passed": ("passed", "resolved", "success", "is_correct", "correct", "ok", "solved"),
    "score": ("score", "reward", "grade", "points"),
    "final_state": ("final_state",),
    "expected_state": ("expected_state", "expected", "ground_truth", "gold", "answer"),
}
# What may be an object or a list; of anything else only a single value is meant.
OPEN = {"text", "arguments", "result", "error", "final_state", "expected_state"}
STEP_LISTS = (
    "steps",
    "trajectory",
    "messages",
    "events",
    "history",
    "turns",
    "log",
    "conversation",
    "actions",
)


def sketch(source: Source) -> Map | None:
    """A map that finds steps in the file, or None where nothing looks like a list of steps."""
    records = [value for value in values(source, LOOKED_AT) if isinstance(value, dict)]
    if not records or source.is_text:
        return None
    trace, steps = _lists(records, source)
    if not steps and trace is None:
        return None
    traces = [item for record in records for item in every(record, trace or "") if isinstance(item, dict)]
    if steps:
        inner = [item for record in traces for item in every(record, steps)]
        lines = "each"
    else:
        inner, lines = list(records), "one"
        traces = records[:1]
    rows = [item for item in inner if isinstance(item, dict)][:200]
    step = _named(rows, STEP_NAMES)
    if not {"text", "result", "tool"} & step.keys():
        return None
    info = _named(traces, INFO_NAMES) if steps else {}
    outcome = _named(traces, OUTCOME_NAMES) if steps else {}
    group = "" if steps else _group(records)
    return Map("my_format", trace or "", steps, lines, group, info, step, outcome, _roles(rows, step))


def _lists(records: Sequence[dict[str, Any]], source: Source) -> tuple[str | None, str]:
    """The paths to the traces and, from there, to their steps: the list that looks most like steps."""
    best: tuple[int, str] = (0, "")
    for path, items in _object_lists(records[0]):
        keys = Counter(key for item in items for key in item)
        known = {name for names in STEP_NAMES.values() for name in names}
        last = path.replace("[]", "").rpartition(".")[2]
        points = sum(1 for key in keys if key in known) + 3 * (last in STEP_LISTS)
        if points > best[0]:
            best = points, path
    path = best[1]
    if not path:
        return (None, "") if source.is_json else ("", "")
    outer, _, inner = path.rpartition("[].")
    return (f"{outer}[]", f"{inner}[]") if outer else ("", f"{path}[]")


def _object_lists(
    value: Json, path: str = "", depth: int = DEPTH
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every list of objects in a value, with the path to it."""
    if depth and isinstance(value, dict):
        for key, item in value.items():
            if not re.search(r"[.\[\]]", key):
                yield from _object_lists(item, f"{path}.{key}" if path else key, depth - 1)
    elif depth and isinstance(value, list):
        items = [item for item in value if isinstance(item, dict)]
        if items:
            yield path, items
            yield from _object_lists(items[0], f"{path}[]", depth - 1)


def _named(rows: Sequence[dict[str, Any]], names: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """For each field where it seems to stand: by the usual names of it, also one level down."""
    found: dict[str, tuple[str, ...]] = {}
    leaves = dict.fromkeys(path for row in rows for path, leaf in _paths(row) if leaf)
    others = dict.fromkeys(path for row in rows for path, leaf in _paths(row) if not leaf)
    for field, usual in names.items():
        candidates = {**leaves, **others} if field in OPEN else leaves
        taken = {path for paths in found.values() for path in paths}
        paths = [path for name in usual for path in candidates if path.rpartition(".")[2] == name]
        if paths := [path for path in paths if path not in taken]:
            found[field] = tuple(paths[: 3 if field == "text" else 1])
    return found


def _paths(row: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The paths in a row, and whether a single value stands there."""
    for key, item in row.items():
        if re.search(r"[.\[\]]", key) or item is None:
            continue
        if isinstance(item, dict):
            inner = {name: value for name, value in item.items() if not re.search(r"[.\[\]]", name)}
            yield from (
                (f"{key}.{name}", not isinstance(value, dict | list)) for name, value in inner.items()
            )
        yield key, not isinstance(item, dict | list)


def _roles(rows: Sequence[dict[str, Any]], step: dict[str, tuple[str, ...]]) -> dict[str, str]:
    words = Counter(word for row in rows if isinstance(word := first(row, step.get("role", ())), str))
    return {word: GUESSED.get(word.lower(), "agent") for word, _ in words.most_common(12) if len(word) < 40}


def _group(records: Sequence[dict[str, Any]]) -> str:
    """The key that tells the traces apart whose steps stand in lines of their own."""
    for name in (
        "trace_id",
        "run_id",
        "session_id",
        "sessionId",
        "conversation_id",
        "thread_id",
        "episode_id",
    ):
        if all(name in record for record in records):
            return name
    return ""


def _toml(paths: tuple[str, ...]) -> str:
    return json.dumps(paths[0] if len(paths) == 1 else list(paths))


def written(map: Map, name: str) -> str:
    """The map as TOML, with what was not found as comments."""
    lines = [f"# How to read {json.dumps(name)}, a draft: check it, then reviewer import --map THIS FILE"]
    lines += [f"format = {json.dumps(map.format)}"]
    for key in ("trace", "steps", "group"):
        if getattr(map, key):
            lines.append(f"{key} = {json.dumps(getattr(map, key))}")
    if map.lines != "each":
        lines.append(f"lines = {json.dumps(map.lines)}")
    for table, known in (("info", INFO), ("step", STEP), ("outcome", OUTCOME)):
        lines += ["", f"[{table}]"]
        paths = getattr(map, table)
        lines += [f"{key} = {_toml(paths[key])}" if key in paths else f'# {key} = ""' for key in known]
    lines += ["", "[roles]  # user, agent, system, result (of the call before), skip"]
    lines += [f"{json.dumps(word)} = {json.dumps(meant)}" for word, meant in map.roles.items()]
    return "\n".join(lines) + "\n"
