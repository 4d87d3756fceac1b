"""ATIF (Agent Trajectory Interchange Format) 1.0 to 1.8, with the outcome of a Harbor trial beside it.

Its steps are ours. Sub-agents that stand in the same file are child traces; those in other files are
named where they were called. A run that goes on in further files is one trace; steps copied from an earlier
segment are marked as such.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.atif.segments import (
    NEXT,
    Segment,
    begun_in,
    following,
    is_trajectory,
    joined,
)
from reviewer.importers.formats.atif.steps import Steps
from reviewer.importers.joining.harbor import Trial, trial_of
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_int, as_list, as_str, kind_of, span
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes

FORMAT = "atif"
ABOUT = "ATIF v1.x trajectories of Harbor (`jobs/<job>/<trial>/agent/trajectory.json`)"
VERSION = 2
GRADER_FIELDS: tuple[str, ...] = ()  # the reward is Harbor's, in a file of its own
WRAP = "atif"  # under which a row of a data set holds its trajectory
_STEP = {
    "metrics.prompt_token_ids": "numbers of the tokenizer",
    "metrics.completion_token_ids": "numbers of the tokenizer",
    "metrics.logprobs": "numbers of the model",
}
_ROOT = {
    "agent.tool_definitions": "which tools there were, not what was done with them",
    "final_metrics.total_cached_tokens": "counted among the prompt tokens",
    "final_metrics.total_steps": "counted from the steps",
}
IGNORED = {
    f"{prefix}{key}": why
    for prefix in ("", "subagent_trajectories[].")
    for key, why in (_ROOT | {f"steps[].{key}": why for key, why in _STEP.items()}).items()
}


def sniff(source: Source) -> bool:
    """Objects whose `schema_version` is one of ATIF's."""
    return any(is_trajectory(row) or is_trajectory(as_dict(row.get(WRAP))) for row in sample(source))


def read(source: Source) -> Iterator[Imported]:
    """Each trajectory of the file, its sub-agents after it."""
    repeats = Repeats(source)
    found = False
    trial = trial_of(source.path)
    for row in records(source):
        record, beside = _unwrapped(row)
        if not isinstance(record.value.get("steps"), list):
            source.lose(
                f"a trajectory is skipped: its steps are {kind_of(record.value.get('steps'))}, no list",
                record.line,
            )
            continue
        found = True
        alone = _alone(source)
        if alone and (begun := begun_in(source.path, record.value)):
            raise NotATrace(f"{source.path}: a later segment of the run in {begun}: import that")
        first = Segment(source.path.name, record.value, record.raw)
        segments = following(source.path, first) if alone else [first]
        if len(segments) > 1:
            raw = ",\n".join(one.raw for one in segments)
            record = replace(record, value=joined(segments), raw=f"[{raw}]")
        parent = _imported(source, record, trial, alone, beside=beside, whole=segments)
        again = False
        for imported in repeats.once(parent, record.line):
            again = True
            yield imported
        if again:
            yield from _children(source, record, parent)
    if not found:
        raise InputError(f"{source.path}: no ATIF trajectory in it: there is no list `steps`")


def _unwrapped(record: Record) -> tuple[Record, dict[str, Json]]:
    """A trajectory that a row of a data set wraps, and what stands beside it."""
    inner = record.value.get(WRAP)
    if "steps" in record.value or not isinstance(inner, dict):
        return record, {}
    beside = {key: item for key, item in record.value.items() if key != WRAP}
    return replace(record, value=inner), beside


def _alone(source: Source) -> bool:
    return source.is_json and isinstance(source.value, dict)


def _children(source: Source, record: Record, parent: Imported) -> Iterator[Imported]:
    """Sub-agents in the same file (since 1.7), each tied to the step that names it."""
    starts = _references(record.value, parent)
    for index, child in enumerate(as_list(record.value.get("subagent_trajectories")), 1):
        if not isinstance(child, dict) or not isinstance(child.get("steps"), list):
            source.warn("a sub-agent's run without steps is skipped", record.line)
            continue
        names = {as_id(child.get(key)) for key in ("trajectory_id", "session_id")} - {""}
        link = {
            "parent_id": parent.trace.info.trace_id,
            "parent_step": next((step for name, step in starts.items() if name in names), ""),
        }
        part = Record(record.index * 1000 + index, record.line, child, json.dumps(child))
        yield _imported(source, part, None, alone=False, link=link)


def _references(value: dict[str, Any], parent: Imported) -> dict[str, str]:
    """The stable id of the step that refers to each sub-agent's run."""
    found: dict[str, str] = {}
    for raw, step in zip(as_list(value.get("steps")), parent.trace.steps, strict=False):
        for result in as_list(as_dict(as_dict(raw).get("observation")).get("results")):
            for reference in as_list(as_dict(result).get("subagent_trajectory_ref")):
                for key in ("trajectory_id", "session_id"):
                    if as_dict(reference).get(key):
                        found.setdefault(as_id(reference[key]), step.stable_id)
    return found


def _imported(
    source: Source,
    record: Record,
    trial: Trial | None,
    alone: bool,
    link: Mapping[str, Any] | None = None,
    beside: Mapping[str, Json] | None = None,
    whole: Sequence[Segment] = (),
) -> Imported:
    value, agent = record.value, as_dict(record.value.get("agent"))
    read_ = Steps(value["steps"], lambda reason: source.warn(reason, record.line))
    read_.goes_on(value.get("continued_trajectory_ref"))
    steps = read_.drafts.steps()
    final = as_dict(value.get("final_metrics"))
    started, seconds = span(read_.times)
    sums = totals(steps)
    own_id = as_id(value.get("session_id")) or as_id(value.get("trajectory_id"))
    harbor = {key: item for key, item in (trial.totals if trial else {}).items() if sums[key] is None}
    stated = {
        "tokens_in": as_int(final.get("total_prompt_tokens")),
        "tokens_out": as_int(final.get("total_completion_tokens")),
        "cost": as_float(final.get("total_cost_usd")),
    }
    named = (trial.task if trial else "") or own_id
    task_id, mark = task_of(named, source.path.name, record.index, alone)
    info = TraceInfo(
        **(_ids([one.value for one in whole]) if len(whole) > 1 else ids(value)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=trial.benchmark if trial else "",
        task_id=task_id,
        task=read_.task,
        model=as_str(agent.get("model_name")) or (trial.model if trial else "") or read_.model,
        agent=as_str(agent.get("name")) or (trial.agent if trial else ""),
        attempt=trial.attempt if trial else None,
        ended=trial.ended if trial else "unknown",
        n_messages=len(value["steps"]),
        n_tool_calls=sum(len(step.calls) for step in steps),
        **sums | harbor | {key: item for key, item in stated.items() if item is not None},
        started=started or (trial.started if trial else ""),
        seconds=seconds if seconds or not trial else trial.seconds,
        meta=_meta(value, agent, final) | (trial.meta if trial else {}) | dict(beside or {}) | mark,
        **(link or {}),
    )
    outcomes = trial.outcomes if trial else ()
    grows = whole if len(whole) > 1 or value.get(NEXT) else ()  # what goes on elsewhere may come later
    hashes = record_hashes([one.value for one in grows])
    return Imported(Trace(info, steps, record.raw, hashes), outcomes=outcomes, ignored=IGNORED)


def _ids(values: list[dict[str, Any]]) -> dict[str, Any]:
    """A run of several segments keeps the id of its first one."""
    return ids(values[0]) | {"content_hash": digest(values)}


def _meta(value: dict[str, Any], agent: dict[str, Any], final: dict[str, Any]) -> dict[str, Json]:
    known = {"steps", "agent", "final_metrics", "subagent_trajectories"}
    meta = {key: item for key, item in value.items() if key not in known and item not in (None, {}, "")}
    about = {
        key: item for key, item in agent.items() if key not in ("name", "model_name", "tool_definitions")
    }
    meta |= {f"agent.{key}": item for key, item in about.items() if item not in (None, {}, "")}
    if as_dict(final.get("extra")):
        meta["final_metrics.extra"] = final["extra"]
    return meta
