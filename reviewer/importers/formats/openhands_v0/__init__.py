"""OpenHands (OpenDevin), version 0: rows of its benchmarks and of its resolver, and bare lists of events.

A row is one attempt at one instance. An agent that another one delegated to is a trace of its own that
follows; its events count in the row too. What the data set knows of the instance is not shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.openhands_v0.events import (
    Event,
    Events,
    delegations,
    events_of,
    is_call,
    is_event,
    tokens,
)
from reviewer.importers.formats.openhands_v0.ignored import IGNORED
from reviewer.importers.joining import openhands
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_list, as_str, kind_of, shown, span
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.records import Record, records, values
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "openhands_v0"
ABOUT = (
    "OpenHands 0.x: benchmark and resolver rows, saved trajectories "
    "(`evaluation_outputs/**/output.jsonl`, `trajectory.json`)"
)
VERSION = 1
GRADER_FIELDS = openhands.GRADER_FIELDS
# Read elsewhere than in `meta`, or not worth a place there.
_READ = {
    "instance_id",
    "id",
    "question_id",
    "history",
    "trajectory",
    "instruction",
    "metadata",
    "metrics",
    "test_result",
    "error",
    "instance",
    "swe_instance",
    "messages",
    "git_patch",
    "issue",
    "attempt",
    *openhands.GRADES,
}


def sniff(source: Source) -> bool:
    """Events, pairs of events, or rows with a history of them."""
    for row in values(source, 40):
        first = row[0] if isinstance(row, list) and row else row
        if is_event(first) or _is_row(row):
            return True
    return False


def _is_row(row: Json) -> bool:
    if not isinstance(row, dict):
        return False
    history = _history(row)
    if history:
        flat = (event for item in history[:8] for event in (item if isinstance(item, list) else [item]))
        return any(map(is_event, flat))
    about = as_dict(row.get("metadata"))
    return history == [] and "agent_class" in about and "instruction" in row


def _history(row: dict[str, Any]) -> list[Json] | None:
    found = row.get("history", row.get("trajectory"))
    return found if isinstance(found, list) else None


def read(source: Source) -> Iterator[Imported]:
    """Each row of the file with the agents it delegated to, or the one list of events that the file is."""
    first = next(values(source, 1), None)
    head = first[0] if isinstance(first, list) and first else first
    if is_event(head):
        yield from _bare(source)
        return
    repeats = Repeats(source)
    found = False
    for record in records(source):
        if _history(record.value) is None and record.value.get("history") is not None:
            what = kind_of(record.value.get("history"))
            source.lose(f"a row is skipped: its history is {what}, not a list", record.line)
        elif _history(record.value) is None and "instruction" not in record.value:
            source.lose("a row without a history is skipped", record.line)
        else:
            found = True
            made = _row(source, record)
            kept = list(repeats.once(made[0], record.line))
            yield from [*kept, *made[1:]] if kept else []
    if not found:
        raise InputError(f"{source.path}: no OpenHands run in it: there is no list `history`")


def _bare(source: Source) -> Iterator[Imported]:
    """A file that is one list of events. It may grow: where events have times, the first tells it apart."""
    source.hold()
    if source.is_json:
        history = source.value if isinstance(source.value, list) else [source.value]
        raw = source.text.strip(" \t\r\n")
    else:
        history = [line.value for line in source.lines if not line.bad]
        raw = "[" + ",\n".join(line.text for line in source.lines if not line.bad) + "]"
    events = events_of(history, source.warn)
    first = events[0].value if events else {}
    known = ids(history)
    if first.get("timestamp"):
        known = {"trace_id": trace_id([FORMAT, first]), "content_hash": digest(history)}
    task_id, mark = task_of("", source.path.name)
    about: dict[str, Any] = {"source_path": str(source.path), "task_id": task_id, **known}
    records_of = record_hashes([event.value for event in events])
    yield from _traces(source, events, {}, about, mark, raw, 0, records_of)


def _row(source: Source, record: Record) -> list[Imported]:
    value = record.value
    about_run = as_dict(value.get("metadata"))
    named, issue = _named(value)
    task_id, mark = task_of(named, source.path.name, record.index, source.is_json and record.line == 0)
    about: dict[str, Any] = {
        **ids(openhands.ungraded(value)),
        "source_path": str(source.path),
        "source_index": record.index,
        "benchmark": as_str(about_run.get("dataset")) or ("OpenHands resolver" if issue else ""),
        "task_id": task_id,
        "model": as_str(as_dict(about_run.get("llm_config")).get("model"))
        or as_str(about_run.get("model_name")),
        "agent": as_str(about_run.get("agent_class")),
        "attempt": openhands.attempt_of(value, source.path),
    }
    history = _history(value) or []
    meta = _meta(value, about_run) | mark
    events = events_of(history, lambda why: source.warn(why, record.line))
    made = list(_traces(source, events, value, about, meta, record.raw, record.line))
    judged = openhands.outcomes(value, source.path, named)
    return [Imported(made[0].trace, outcomes=judged, ignored=IGNORED), *made[1:]]


def _traces(
    source: Source,
    events: Sequence[Event],
    row: dict[str, Any],
    about: dict[str, Any],
    meta: dict[str, Json],
    raw: str,
    line: int,
    hashes: bytes = b"",
) -> Iterator[Imported]:
    """The trace of these events, then those of the agents that it delegated to."""
    own, others = delegations(events)
    metrics = as_dict(row.get("metrics"))
    steps = Events(own, lambda why: source.warn(why, line), metrics)
    error = openhands.words_of(row.get("error"))
    _frame(steps, row, error)
    made = steps.steps()
    sums = totals(made)
    spent = metrics or steps.spent
    counted = {key: count for key, count in tokens(spent).items() if count is not None}
    cost = as_float(spent.get("accumulated_cost"))
    started, seconds = span(event.value.get("timestamp") for event in events)
    info = TraceInfo(
        **{
            **sums,
            **counted,
            **about,
            "cost": sums["cost"] if cost is None else cost,
            "model": about.get("model") or steps.model,
            "agent": about.get("agent") or steps.agent or "openhands",
        },
        format=FORMAT,
        importer=VERSION,
        task=steps.task,
        ended=_ended(steps.ended, error),
        n_messages=len(events),
        n_tool_calls=sum(is_call(event.value) for event in events),
        started=started,
        seconds=seconds,
        meta=({"openhands_version": steps.version} if steps.version else {}) | meta,
    )
    yield Imported(Trace(info, made, raw, hashes), ignored=IGNORED)
    for index, (start, group) in enumerate(others):
        inner = [event.value for event in group]
        child = {
            **about,
            **ids([info.trace_id, inner]),
            "parent_id": info.trace_id,
            "parent_step": next((step.stable_id for step in made if start.id in step.source_ids), ""),
            "agent": as_str(as_dict(start.value.get("args")).get("agent")),
            "source_index": about.get("source_index", 0) + index + 1,
        }
        yield from _traces(source, group, {}, child, {}, json.dumps(inner), line)


def _frame(steps: Events, row: dict[str, Any], error: str) -> None:
    """What stands around the history: the instruction where no event has it, the patch, the error."""
    drafts = steps.drafts
    instruction = shown(row.get("instruction"))
    if instruction and not steps.task:
        steps.task = instruction
        drafts.all.insert(0, Draft("user", ["instruction"], instruction))
    patch = as_dict(row.get("test_result")).get("git_patch") or row.get("git_patch")
    if patch:
        drafts.add(Draft("system", ["git_patch"], shown(patch), kind="notice"))
    if error:
        drafts.add(Draft("system", ["error"], error, kind="notice", fault=True))


def _ended(ended: Ended, error: str) -> Ended:
    """A run that finished and whose row has an error all the same failed in what came after it."""
    return ended if ended == "submitted" or not error else openhands.ended_by(error)


def _named(row: dict[str, Any]) -> tuple[str, bool]:
    """The name of the instance, and whether it is an issue of the resolver."""
    own = as_id(row.get("instance_id")) or as_id(row.get("id")) or as_id(row.get("question_id"))
    issue = as_dict(row.get("issue"))
    if own or not issue:
        return own, bool(issue)
    place = "/".join(filter(None, (as_str(issue.get("owner")), as_str(issue.get("repo")))))
    return f"{place}#{as_id(issue.get('number'))}" if issue.get("number") is not None else place, True


def _meta(row: dict[str, Any], about: dict[str, Any]) -> dict[str, Json]:
    """What else the row says of the run."""
    meta = {key: item for key, item in row.items() if key not in _READ and item not in (None, "", [], {})}
    kept = ("max_iterations", "start_time", "git_commit", "data_split", "eval_note", "eval_output_dir")
    meta |= {key: about[key] for key in (*kept, "details") if about.get(key) not in (None, "", {})}
    temperature = as_dict(about.get("llm_config")).get("temperature")
    if temperature is not None:
        meta["temperature"] = temperature
    issue = as_dict(row.get("issue"))
    if issue:
        meta["issue"] = {key: item for key, item in issue.items() if key != "body" and item is not None}
    if as_list(row.get("history")) == []:
        meta["history"] = "empty"
    return meta
