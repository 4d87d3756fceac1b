"""SWE-agent trajectories (`.traj`): versions 0.x, 1.0 and 1.1, and demonstrations.

Builds the trace around the steps of `swe_history`. How the run stopped stands in the file; whether the
issue is resolved only in a report beside it, which is joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.swe_agent.history import Moves
from reviewer.importers.joining.predictions import predicted
from reviewer.importers.joining.reports import beside
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_int, as_list, as_str, parsed, shown
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import instance, task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo

FORMAT = "swe_agent"
ABOUT = "SWE-agent `.traj`, 0.x to 1.1 (`trajectories/<user>/<run>/<instance>/`)"
VERSION = 2
GRADER_FIELDS: tuple[str, ...] = ()  # the outcome comes in a report of its own
IGNORED = {
    "trajectory[].messages": "the whole prompt again at each step",
    "trajectory[].query": "the whole prompt again at each step",
    "trajectory[].response": "thought and action as one text; shown where both are missing",
    "history[]": "after the first move it repeats the trajectory; of it the calls' arguments are read",
    "info.edited_files30": "excerpts of files that the submission shows",
    "info.edited_files50": "excerpts of files that the submission shows",
    "info.edited_files70": "excerpts of files that the submission shows",
    "info.submission": "shown as the last step, unless the last observation already holds it",
    "replay_config": "settings of the run; the problem, the model and the image are read",
    "messages": "beside a trajectory of its own a copy by some converter",
}
# `gpt4__SWE-bench_Lite__default__t-0.00__p-0.95…`: how 0.x names the folder of a run.
FOLDER = re.compile(r"\A(?P<model>.+?)__(?P<data>.+?)__.*?t-\d")
FOLDER_1 = re.compile(r"__(?P<model>[^_].*?)___t-\d")
STATUS: tuple[tuple[str, Ended], ...] = (
    ("timeout", "timeout"),
    ("execution_time", "timeout"),
    ("exit_cost", "limit"),
    ("exit_context", "limit"),
    ("limit", "limit"),
    ("forfeit", "refused"),
    ("interrupt", "user_stop"),
    ("exit", "error"),
    ("error", "error"),
    ("skip", "error"),
    ("submitted", "submitted"),
)


def sniff(source: Source) -> bool:
    """Objects with a trajectory, a history and an info, or a history whose items name an agent."""
    return any(map(_is_run, sample(source)))


def _is_run(row: dict[str, Any]) -> bool:
    moves, info = row.get("trajectory"), row.get("info")
    if isinstance(moves, list) and isinstance(row.get("history"), list):
        return isinstance(info, dict) or "replay_config" in row or _named_agents(row["history"])
    if isinstance(moves, list) and isinstance(info, dict):
        return any({"action", "observation", "response"} <= as_dict(move).keys() for move in moves)
    return "trajectory" not in row and _named_agents(row.get("history"))


def _named_agents(history: Json) -> bool:
    turns = [turn for turn in as_list(history) if isinstance(turn, dict)]
    return bool(turns) and all("role" in turn and "agent" in turn for turn in turns)


def read(source: Source) -> Iterator[Imported]:
    """Each run of the file."""
    repeats = Repeats(source)
    found = False
    for record in records(source):
        if isinstance(record.value.get("trajectory"), list) or isinstance(record.value.get("history"), list):
            found = True
            yield from repeats.once(_imported(source, record), record.line)
        else:
            source.lose("a row without a trajectory and a history is skipped", record.line)
    if not found:
        raise InputError(f"{source.path}: no SWE-agent run in it: there is no list `trajectory` or `history`")


def _imported(source: Source, record: Record) -> Imported:
    value, info = record.value, as_dict(record.value.get("info"))
    history, trajectory = as_list(value.get("history")), as_list(value.get("trajectory"))
    if isinstance(value.get("messages"), list) and trajectory:
        source.warn("the list `messages` beside the trajectory is not read", record.line)
    moves = Moves(history, trajectory, lambda reason: source.warn(reason, record.line))
    moves.submission(as_str(info.get("submission")))
    steps = moves.drafts.steps()
    config = _config(value)
    problem, stats = as_dict(config.get("problem_statement")), as_dict(info.get("model_stats"))
    # 0.x names its instance by the file only; the ending is no part of a SWE-bench id.
    named = as_id(problem.get("id")) or as_id(value.get("instance_id")) or instance(source.path.name)
    task_id, mark = task_of(named, source.path.name)
    model, benchmark = _folder(source)
    model = as_str(as_dict(as_dict(config.get("agent")).get("model")).get("name")) or model
    predictor, handed_in = predicted(source.path, task_id, info.get("submission"), model)
    sums = totals(steps)
    about = TraceInfo(
        **ids(value),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=_benchmark(config) or benchmark,
        task_id=task_id,
        task=as_str(problem.get("text")) or moves.task,
        model=model or predictor,
        agent="swe-agent",
        ended=ended(shown(info.get("exit_status"))),
        n_messages=len(history),
        n_tool_calls=moves.n_calls,
        **sums
        | {
            "tokens_in": as_int(stats.get("tokens_sent")) or None,
            "tokens_out": as_int(stats.get("tokens_received")) or None,
            "cost": as_float(stats.get("instance_cost")),
        },
        seconds=_seconds([step.seconds for step in steps]),
        meta=_meta(value, info, config) | mark,
    )
    outcomes = (*beside(source.path, task_id), *handed_in)
    return Imported(Trace(about, steps, record.raw), outcomes=outcomes, ignored=IGNORED)


def _seconds(spent: list[float | None]) -> float | None:
    """The time that the commands took; the model's own is not written down."""
    known = [seconds for seconds in spent if seconds is not None]
    return round(sum(known), 3) if known else None


def _config(value: dict[str, Any]) -> dict[str, Any]:
    """The settings: an object in 1.0, a text of JSON in 1.1."""
    config = value.get("replay_config")
    return as_dict(config if isinstance(config, dict) else parsed(config))


def _folder(source: Source) -> tuple[str, str]:
    """Model and data set from the folder of the run, where it is named as SWE-agent names it."""
    for folder in list(source.path.absolute().parents)[:2]:
        if found := FOLDER_1.search(folder.name):
            return found["model"], ""
        if found := FOLDER.match(folder.name):
            return found["model"], found["data"]
    return "", ""


def _benchmark(config: dict[str, Any]) -> str:
    """SWE-bench is known by the image its instances run in; nothing else in the file names it."""
    image = as_str(as_dict(as_dict(config.get("env")).get("deployment")).get("image"))
    return "SWE-bench" if "sweb.eval" in image or "swebench" in image else ""


def ended(status: str) -> Ended:
    """How the run stopped; `submitted (exit_cost)` was cut off and what there was then handed in."""
    return next((word for part, word in STATUS if part in status.lower()), "unknown")


def _meta(value: dict[str, Any], info: dict[str, Any], config: dict[str, Any]) -> dict[str, Json]:
    left_out = {"submission", "edited_files30", "edited_files50", "edited_files70"}
    meta = {key: item for key, item in info.items() if key not in left_out}
    known = {"info", "history", "trajectory", "replay_config", "messages"}
    rest = {key: item for key, item in value.items() if key not in known}
    model = as_dict(as_dict(config.get("agent")).get("model"))
    kept = {key: model[key] for key in ("temperature", "per_instance_cost_limit") if key in model}
    return {**rest, **meta, **({"model": kept} if kept else {})}
