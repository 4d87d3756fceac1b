"""Terminal-Bench 1.x: a trial is a folder; its `results.json` is the trace file, the rest is read with it.

What the agent did stands in the terminal recording, else in the list of keys that were sent. The run's own
files, one or two folders up, give the model and a second opinion on the verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.terminal_bench.cast import Cast, Turn, agents_own, read_cast
from reviewer.importers.formats.terminal_bench.episodes import Episode, add_episodes, episodes
from reviewer.importers.formats.terminal_bench.siblings import keys_sent, pane, text_of_file
from reviewer.importers.joining.reports import load
from reviewer.importers.opening.beside import regular
from reviewer.importers.opening.values import (
    as_dict,
    as_id,
    as_int,
    as_list,
    as_score,
    as_str,
    dumped,
    iso,
    moment,
)
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.sums import totals
from reviewer.trace import (
    Ended,
    Json,
    Outcome,
    Result,
    ToolCall,
    Trace,
    TraceInfo,
    digest,
    record_hashes,
    trace_id,
)

FORMAT = "terminal_bench"
ABOUT = "Terminal-Bench 1.x trials (`runs/<run>/<task>/<trial>/results.json` with `sessions/agent.cast`)"
VERSION = 1
# Written after the agent had ended, by the tests and those who read them.
GRADER_FIELDS = (
    "is_resolved",
    "parser_results",
    "failure_mode",
    "pass_rate",
    "test_started_at",
    "test_ended_at",
)
IGNORED = {
    "recording_path": "where the recording lay when it was made",
    "trial_ended_at": "the agent's own times are read",
    "trial_started_at": "read where the agent's own times are missing",
    "test_started_at": "of the tests",
    "test_ended_at": "of the tests",
}
ENDS: dict[str, Ended] = {
    "unset": "submitted",
    "none": "submitted",
    "test_timeout": "submitted",
    "parse_error": "submitted",
    "agent_timeout": "timeout",
    "context_length_exceeded": "limit",
    "output_length_exceeded": "limit",
    "agent_installation_failed": "error",
    "fatal_llm_parse_error": "error",
    "unknown_agent_error": "error",
    "unknown": "unknown",
}
ATTEMPT = re.compile(r"\.(\d+)-of-(\d+)\.")
TOOL = "terminal"
READ = {
    "id",
    "uuid",
    "task_id",
    "instruction",
    "trial_name",
    "recording_path",
    "total_input_tokens",
    "total_output_tokens",
    "trial_started_at",
    "trial_ended_at",
    "agent_started_at",
    "agent_ended_at",
    *GRADER_FIELDS,
}


def sniff(source: Source) -> bool:
    """The results of a trial, or a terminal recording that lies in no trial."""
    if source.is_json:
        value = as_dict(source.value)
        told = {"trial_name", "failure_mode", "parser_results", "recording_path"} & value.keys()
        return {"is_resolved", "task_id"} <= value.keys() and bool(told)
    if source.is_text or source.is_zip or source.is_database or not _is_cast(source):
        return False
    if source.path.parent.name == "sessions" and regular(source.path.parent.parent / "results.json"):
        raise NotATrace(
            f"{source.path}: this is a recording of a trial; import the results.json of its folder"
        )
    return True


def _is_cast(source: Source) -> bool:
    first = next((line.value for line in source.lines if not line.bad), None)
    return (
        isinstance(first, dict) and first.get("version") in (2, 3) and bool({"width", "term"} & first.keys())
    )


def read(source: Source) -> Iterator[Imported]:
    """The one trial of the file."""
    if source.is_json and isinstance(source.value, dict):
        yield _trial(source, source.value)
    elif not source.is_json and not source.is_text and _is_cast(source):
        source.hold()
        cast = read_cast("\n".join(line.text for line in source.lines), source.warn)
        yield _imported(source, {}, cast, "")
    else:
        raise InputError(f"{source.path}: no results of a Terminal-Bench trial in it")


def _trial(source: Source, value: dict[str, Any]) -> Imported:
    folder = source.path.absolute().parent
    recording = text_of_file(folder / "sessions" / "agent.cast")
    cast = read_cast(recording, source.warn)
    return _imported(source, value, cast, text_of_file(folder / "commands.txt"))


def _imported(source: Source, value: dict[str, Any], cast: Cast, commands: str) -> Imported:
    folder = source.path.absolute().parent
    logged = episodes(folder / "agent-logs") if value else []
    drafts = _drafts(value, cast, commands, logged, folder if value else None)
    steps = drafts.steps()
    own = {key: item for key, item in value.items() if key not in GRADER_FIELDS}
    said = [[episode.number, episode.prompt, episode.response] for episode in logged]
    records = [own, *cast.values, *said, *([commands] if commands else [])]
    run = as_dict(load(folder.parent.parent / "run_metadata.json")) if value else {}
    started, seconds = _time(value, cast)
    attempt = ATTEMPT.search(as_str(value.get("trial_name")))
    sums = totals(steps)
    info = TraceInfo(
        trace_id=trace_id([FORMAT, own] if value else [FORMAT, cast.values]),
        content_hash=digest(records),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        benchmark="terminal-bench" if value else "",
        task_id=as_id(value.get("task_id")) or source.path.name,
        task=as_str(value.get("instruction")),
        model=as_str(run.get("model_name")),
        agent=as_str(run.get("agent_name")),
        attempt=as_int(int(attempt[1][:9])) if attempt else None,
        ended=_ended(value),
        n_messages=2 * len(logged) or cast.n_events or len(steps),
        n_tool_calls=sum(len(step.calls) for step in steps),
        **sums
        | {
            "tokens_in": as_int(value.get("total_input_tokens")),
            "tokens_out": as_int(value.get("total_output_tokens")),
        },
        started=started,
        seconds=seconds,
        meta=_meta(value, run),
    )
    raw = _raw(source, cast, commands, said) if value else "[" + ",\n".join(_lines(cast)) + "]"
    trace = Trace(info, steps, raw, record_hashes(records))
    return Imported(trace, outcomes=_outcomes(source.path, value, folder), ignored=IGNORED)


def _lines(cast: Cast) -> list[str]:
    """The lines of the recording as JSON: one that is none as a text."""
    return [
        dumped(line) if isinstance(value, str) else line
        for line, value in zip(cast.lines, cast.values, strict=True)
    ]


def _raw(source: Source, cast: Cast, commands: str, said: list[Json]) -> str:
    """The files that were read, as one object by their names."""
    parts = [f'"results.json": {source.text.strip()}']
    if cast.lines:
        parts.append('"sessions/agent.cast": [' + ",\n".join(_lines(cast)) + "]")
    if said:
        parts.append(f'"agent-logs": {json.dumps(said)}')
    if commands:
        parts.append(f'"commands.txt": {dumped(commands)}')
    return "{" + ",\n".join(parts) + "}"


def _drafts(
    value: dict[str, Any], cast: Cast, commands: str, logged: list[Episode], folder: Path | None
) -> Drafts:
    """The task, and what was done by the best record there is: episodes, the recording, the keys sent."""
    drafts = Drafts()
    if isinstance(value.get("instruction"), str) and value["instruction"]:
        drafts.add(Draft("user", ["instruction"], value["instruction"]))
    turns = agents_own(cast)
    if logged:
        add_episodes(drafts, logged, TOOL)
        return drafts
    for turn in turns:
        _turn(drafts, cast, turn)
    if not any(turn.keys for turn in turns):
        for number, keys in enumerate(keys_sent(commands), 1):
            call = ToolCall(TOOL, {"command": keys})
            drafts.add(Draft("agent", [f"command {number}"], calls=[call]))
        end = pane(folder / "panes" / "post-agent.txt") if folder else ""
        if end:
            text = f"What the terminal showed when the agent had ended:\n\n{end}"
            drafts.add(Draft("system", ["post-agent"], text, kind="notice"))
    return drafts


def _turn(drafts: Drafts, cast: Cast, turn: Turn) -> None:
    """A step for a turn: the words of a mark, the keys, what the terminal showed."""
    draft = drafts.add(Draft("agent", [f"event {turn.number}"], turn.mark, at=cast.when(turn.at)))
    if turn.keys:
        draft.calls.append(ToolCall(TOOL, {"command": turn.command}))
        draft.seconds = round(max(turn.last - turn.at, 0.0), 3)
    if turn.keys or turn.output:
        draft.results.append(Result(cast.shown(turn)))


def _time(value: dict[str, Any], cast: Cast) -> tuple[str, float | None]:
    for start, end in (("agent_started_at", "agent_ended_at"), ("trial_started_at", "trial_ended_at")):
        first, last = moment(value.get(start)), moment(value.get(end))
        if first is not None:
            return iso(value[start]), round((last - first).total_seconds(), 3) if last else None
    times = [turn.last for turn in cast.turns]
    return cast.when(0.0), round(max(times), 3) if times else None


def _ended(value: dict[str, Any]) -> Ended:
    """How the agent stopped; whether the tests passed is another question."""
    mode = as_str(value.get("failure_mode")).rpartition(".")[2].lower()
    ended = ENDS.get(mode, "unknown")
    over = value.get("is_resolved") is not None or value.get("agent_ended_at")
    return ended if ended != "submitted" or over else "unknown"


def _outcomes(path: Path, value: dict[str, Any], folder: Path) -> tuple[Outcome, ...]:
    """The trial's verdict, and the run's where it is another one."""
    found = []
    resolved, tests = value.get("is_resolved"), value.get("parser_results")
    detail: dict[str, Json] = {}
    if tests is not None:
        detail["parser_results"] = tests
    if value.get("failure_mode") not in (None, "unset", "none"):
        detail["failure_mode"] = value["failure_mode"]
    if isinstance(tests, dict):
        failed = [name for name, result in tests.items() if str(result).lower() not in ("passed", "skipped")]
        detail |= {"failed_tests": failed} if failed else {}
    shown = pane(folder / "panes" / "post-test.txt") if value else ""
    detail |= {"terminal_after_tests": shown} if shown else {}
    if resolved is not None and not isinstance(resolved, bool):
        detail["is_resolved"] = resolved
    passed = resolved if isinstance(resolved, bool) else None
    score = as_score(value.get("pass_rate"))
    if passed is not None or detail or score is not None:
        found.append(Outcome(passed, score, detail or None))
    for other in as_list(load(folder.parent.parent / "results.json").get("results")) if value else []:
        verdict = as_dict(other).get("is_resolved")
        if not isinstance(other, dict) or other.get("trial_name") != value.get("trial_name"):
            continue
        if isinstance(verdict, bool) and verdict is not passed and value.get("trial_name"):
            found.append(Outcome(verdict, origin="results.json of the run"))
    return tuple(found)


def _meta(value: dict[str, Any], run: dict[str, Any]) -> dict[str, Json]:
    meta = {key: item for key, item in value.items() if key not in READ and item not in (None, {}, [])}
    for key in ("id", "uuid", "trial_name"):
        if value.get(key) is not None:
            meta[key] = value[key]
    for key in ("run_id", "dataset_name", "dataset_version", "dataset_path", "commit_hash"):
        if run.get(key) is not None:
            meta[f"run.{key}"] = run[key]
    return meta
