"""OpenHands, version 1 (its SDK): rows of its benchmarks, lists of events, and conversation folders.

A row is one attempt at one instance; which one may stand in the name of the file only. A folder is one
conversation that grows. What the data set knows of the instance is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.openhands_v1 import folder
from reviewer.importers.formats.openhands_v1.events import Event, Events, events_of
from reviewer.importers.formats.openhands_v1.ignored import IGNORED
from reviewer.importers.formats.openhands_v1.kinds import is_event
from reviewer.importers.joining import openhands
from reviewer.importers.joining.event_files import EVENTS, stands_alone
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_int, as_str, kind_of, shown, span
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.records import Record, records, values
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "openhands_v1"
ABOUT = (
    "OpenHands 1.x: benchmark rows and conversations "
    "(`output.jsonl`, `~/.openhands/conversations/<id>/base_state.json` with `events/`)"
)
VERSION = 2
GRADER_FIELDS = openhands.GRADER_FIELDS
_READ = {
    "instance_id",
    "history",
    "instruction",
    "metadata",
    "metrics",
    "test_result",
    "error",
    "instance",
    "attempt",
    *openhands.GRADES,
}


def sniff(source: Source) -> bool:
    """The state of a conversation, events, or rows with a history of them."""
    if source.is_json and (folder.is_state(source.value) or is_event(_first(_listed(source.value)))):
        return True
    return any(is_event(row) or _is_row(row) for row in values(source, 40))


def _is_row(row: Json) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("history"), list):
        return False
    if row["history"]:
        return any(map(is_event, row["history"][:8]))
    about = as_dict(row.get("metadata"))
    return isinstance(about.get("llm"), dict) and "instance_id" in row


def _listed(value: Json) -> list[Json]:
    """The events of a file that holds nothing else: a list, a page of the server's answer, or one event."""
    if isinstance(value, dict):
        return value["items"] if isinstance(value.get("items"), list) else [value]
    return value if isinstance(value, list) else []


def _first(items: list[Json]) -> Json:
    return items[0] if items else None


def read(source: Source) -> Iterator[Imported]:
    """The conversation that the file is or stands for, or each row of it."""
    if source.is_json and folder.is_state(source.value):
        yield _folder(source)
        return
    if source.is_json and is_event(source.value) and stands_alone(source.path):
        yield _stateless(source)
        return
    listed = _listed(source.value) if source.is_json else []
    if is_event(_first(listed)) or (not source.is_json and is_event(next(values(source, 1), None))):
        yield _bare(source, listed)
        return
    repeats = Repeats(source)
    found = False
    for record in records(source):
        history = record.value.get("history")
        if isinstance(history, list) or (history is None and "instruction" in record.value):
            found = True
            yield from repeats.once(_row(source, record), record.line)
        else:
            what = f"its history is {kind_of(history)}, not a list" if history else "it has no history"
            source.lose(f"a row is skipped: {what}", record.line)
    if not found:
        raise InputError(f"{source.path}: no OpenHands run in it: there is no list `history`")


def _folder(source: Source) -> Imported:
    """A conversation: its state, and the events beside it."""
    state = source.value
    pairs = list(folder.events_beside(source))
    if not pairs:
        raise InputError(
            f"{source.path}: an OpenHands conversation without events: the folder `events` is not beside it"
        )
    raw = '{"base_state": ' + source.text.strip(" \t\r\n")
    raw += ',\n"events": [' + ",\n".join(text for _, text in pairs) + "]}"
    named = as_id(state.get("id"))
    task_id, mark = task_of(named, source.path.absolute().parent.name)
    llm = as_dict(as_dict(state.get("agent")).get("llm"))
    about: dict[str, Any] = {"task_id": task_id, "model": as_str(llm.get("model"))}
    quiet = {"id", "agent", "stats"}
    meta = {key: item for key, item in state.items() if key not in quiet and item not in (None, "", [], {})}
    status = as_str(state.get("execution_status")) or as_str(state.get("agent_status"))
    events = [value for value, _ in pairs]
    return _conversation(source, events, about, meta | mark, raw, folder.spent(state), named, status)


def _stateless(source: Source) -> Imported:
    """A conversation without its state: the events in the folder."""
    here = source.path.absolute().parent
    pairs = list(folder.events_in(here, source))
    source.warn("no base_state.json beside the events: what it says of model and cost is missing")
    raw = "[" + ",\n".join(text for _, text in pairs) + "]"
    task_id, mark = task_of("", here.parent.name if here.name == EVENTS else here.name)
    events = [value for value, _ in pairs]
    return _conversation(source, events, {"task_id": task_id}, mark, raw, {}, "", "")


def _bare(source: Source, listed: list[Json]) -> Imported:
    """A file that is nothing but events."""
    source.hold()
    raw = source.text.strip(" \t\r\n")
    if not source.is_json:
        listed = [line.value for line in source.lines if not line.bad]
        raw = "[" + ",\n".join(line.text for line in source.lines if not line.bad) + "]"
    task_id, mark = task_of("", source.path.name)
    return _conversation(source, listed, {"task_id": task_id}, mark, raw, {}, "", "")


def _conversation(
    source: Source,
    listed: Sequence[Json],
    about: dict[str, Any],
    meta: dict[str, Json],
    raw: str,
    metrics: dict[str, Any],
    named: str,
    status: str,
) -> Imported:
    """One trace of events that may grow: told apart by its id and where it began."""
    events = events_of(listed, source.warn)
    whole = [event.value for event in events]
    steps = Events(events, source.warn, metrics)
    steps.status = status or steps.status
    whole_file = source.is_json and not named and not stands_alone(source.path)
    known = {
        "trace_id": trace_id([FORMAT, named, whole[0] if whole else None]),
        "content_hash": digest(source.value if whole_file else [source.value, whole]),
    }
    info = _info(source, events, steps, {**about, **known}, metrics, meta, ended=steps.stopped(alone=False))
    return Imported(Trace(info, steps.drafts.steps(), raw, record_hashes(whole)), ignored=IGNORED)


def _row(source: Source, record: Record) -> Imported:
    value = record.value
    run, metrics = as_dict(value.get("metadata")), as_dict(value.get("metrics"))
    events = events_of(value.get("history") or [], lambda why: source.warn(why, record.line))
    steps = Events(events, lambda why: source.warn(why, record.line), metrics)
    error = openhands.words_of(value.get("error"))
    ended = steps.stopped(alone=True)
    if steps.ended != "submitted" and error and not _graders(value, error):
        ended = openhands.ended_by(error)
    _frame(steps, value, error)
    named = as_id(value.get("instance_id"))
    task_id, mark = task_of(named, source.path.name, record.index, source.is_json)
    about: dict[str, Any] = {
        **ids(openhands.ungraded(value)),
        "source_index": record.index,
        "benchmark": as_str(run.get("dataset")),
        "task_id": task_id,
        "model": as_str(as_dict(run.get("llm")).get("model")),
        "attempt": openhands.attempt_of(value, source.path),
    }
    info = _info(source, events, steps, about, metrics, _meta(value, run) | mark, ended=ended)
    trace = Trace(info, steps.drafts.steps(), record.raw)
    return Imported(trace, outcomes=openhands.outcomes(value, source.path, named), ignored=IGNORED)


def _info(
    source: Source,
    events: Sequence[Event],
    steps: Events,
    about: dict[str, Any],
    metrics: dict[str, Any],
    meta: dict[str, Json],
    **more: Any,
) -> TraceInfo:
    made = steps.drafts.steps()
    sums = totals(made)
    tokens = as_dict(metrics.get("accumulated_token_usage"))
    cost = as_float(metrics.get("accumulated_cost"))
    counted = {
        "tokens_in": as_int(tokens.get("prompt_tokens")),
        "tokens_out": as_int(tokens.get("completion_tokens")),
    }
    sums |= {key: count for key, count in counted.items() if count is not None}
    sums |= {} if cost is None else {"cost": cost}
    started, seconds = span(event.value.get("timestamp") for event in events)
    return TraceInfo(
        **{**sums, **about, **more},
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task=steps.task,
        agent="openhands",
        n_messages=len(events),
        n_tool_calls=steps.n_calls,
        started=started,
        seconds=seconds,
        meta=meta,
    )


def _frame(steps: Events, row: dict[str, Any], error: str) -> None:
    """What stands around the history: the instruction where no event has it, the patch, the error."""
    instruction = shown(row.get("instruction"))
    if instruction and not steps.task:
        steps.task = instruction
        steps.drafts.all.insert(0, Draft("user", ["instruction"], instruction))
    if patch := as_dict(row.get("test_result")).get("git_patch"):
        steps.drafts.add(Draft("system", ["git_patch"], shown(patch), kind="notice"))
    if error:
        fault = not _graders(row, error)
        steps.drafts.add(Draft("system", ["error"], error, kind="notice", fault=fault))


def _graders(row: dict[str, Any], error: str) -> bool:
    """Whether the error is one of the evaluator, which says the same in the result of its test."""
    return error == shown(as_dict(row.get("test_result")).get("error"))


def _meta(row: dict[str, Any], run: dict[str, Any]) -> dict[str, Json]:
    """What else the row says of the run."""
    empty: tuple[Json, ...] = (None, "", [], {})
    meta = {key: item for key, item in row.items() if key not in _READ and item not in empty}
    meta |= {"metrics": row["metrics"]} if isinstance(row.get("metrics"), str | list) else {}
    meta |= {key: item for key, item in run.items() if key not in ("llm", "dataset") and item not in empty}
    temperature = as_dict(run.get("llm")).get("temperature")
    meta |= {} if temperature is None else {"temperature": temperature}
    return meta if row.get("history") else meta | {"history": "empty"}
