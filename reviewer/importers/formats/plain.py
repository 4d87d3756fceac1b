"""The plain JSON of our own that people write by hand: one object a trace, a list of them, or JSON Lines.

`task`, `trajectory` (entries of `step`, `thought`, `action`, `observation`, all optional; or chat
messages) or `messages`, `final_state`, `expected_state`, and what else is known of the run. Unknown keys
are kept. Knows which other formats look alike, and leaves those alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import (
    as_float,
    as_id,
    as_int,
    as_score,
    as_str,
    kind_of,
    shown,
    span,
    total,
)
from reviewer.importers.shapes.entries import Entries
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.shorthand import paired
from reviewer.trace import ENDED, Ended, Json, Outcome, Trace, TraceInfo, digest, trace_id

FORMAT = "plain"
ABOUT = "our own plain JSON: a task and a list of what was said and done (see below)"
VERSION = 3
# What a grader writes into the record: a new grade is a new outcome, not a new trace.
GRADER_FIELDS = ("passed", "score", "final_state", "expected_state")
CONVERSATIONS = ("trajectory", "messages", "steps")
OWN = {"task", "trajectory", "final_state", "expected_state"}
READ = {
    *GRADER_FIELDS,
    *CONVERSATIONS,
    "task",
    "id",
    "task_id",
    "benchmark",
    "model",
    "agent",
    "attempt",
    "ended",
    "cost",
    "started",
    "seconds",
    "tokens_in",
    "tokens_out",
}
# Keys of other formats. With one of the first an object is never ours; the others may also be keys that a
# person added, so they count only where the object does not say `task`.
FOREIGN = {
    "traj",
    "simulations",
    "trajectory_format",
    "resourceSpans",
    "projectHash",
    "replay_config",
    "loglines",
    "transitions",
    "intermediate_steps",
    "answer_generation",
}
SUSPECT = {
    "schema_version",
    "history",
    "eval",
    "sessionId",
    "session_id",
    "info",
    "response",
    "kwargs",
    "observations",
    "conversations",
    "log",
    "ticks",
    "events",
    "message",
    "output",
    "choices",
    "object",
    "payload",
    "transcript",
    "test_result",
    "instruction",
    "nodes",
    "root",
}
ENTRY_KEYS = {"step", "thought", "action", "observation", "result", "role", "content", "message"}
ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
IGNORED = {
    "messages[].name": "the tool is named in the call that the message answers",
    "trajectory[].name": "the tool is named in the call that the message answers",
    "messages[].tool_calls[].type": "always a function",
    "trajectory[].tool_calls[].type": "always a function",
}


def sniff(source: Source) -> bool:
    """Objects with a conversation of ours, and no key of another format."""
    rows = sample(source)
    return any(map(_ours, rows)) and not any(map(_foreign, rows))


def _foreign(row: dict[str, Any]) -> bool:
    swe_agent = {"history", "info"} <= row.keys()
    atif = as_str(row.get("schema_version")).startswith("ATIF")
    return (
        swe_agent or atif or bool(FOREIGN & row.keys()) or ("task" not in row and bool(SUSPECT & row.keys()))
    )


def _ours(row: dict[str, Any]) -> bool:
    if isinstance(row.get("trajectory"), list):
        entries = row["trajectory"]
        return (
            "task" in row
            or not entries
            or any(isinstance(e, dict) and ENTRY_KEYS & e.keys() for e in entries)
        )
    if isinstance(row.get("messages"), list):
        return chat(row["messages"]) or bool(OWN & row.keys())
    return isinstance(row.get("steps"), list) and "task" in row


def chat(messages: list[Json]) -> bool:
    """Whether most of these are messages as chat APIs write them."""
    rows = [row for row in (paired(row) or row for row in messages) if isinstance(row, dict)]
    good = [
        row for row in rows if as_str(row.get("role")) in ROLES and ("content" in row or "tool_calls" in row)
    ]
    return 2 * len(good) > len(messages)


def read(source: Source) -> Iterator[Imported]:
    """Each object of the file that holds a conversation."""
    repeats = Repeats(source)
    found = False
    for record in records(source):
        key = next((key for key in CONVERSATIONS if isinstance(record.value.get(key), list)), "")
        if not key:
            source.lose(_reason(record), record.line)
            continue
        found = True
        yield from repeats.once(imported(source, record, key), record.line)
    if not found:
        raise InputError(f"{source.path}: no trace in it: no object with a list `trajectory` or `messages`")


def _reason(record: Record) -> str:
    for key in CONVERSATIONS:
        if key in record.value:
            return f"a record is skipped: its {key} is {kind_of(record.value[key])}, not a list"
    return "a record without `trajectory` or `messages` is skipped"


def imported(source: Source, record: Record, key: str) -> Imported:
    """The trace of one record whose conversation stands under `key`."""
    value = record.value
    entries = Entries(value[key], lambda reason: source.warn(reason, record.line))
    steps = entries.drafts.steps()
    own = {name: item for name, item in value.items() if name not in GRADER_FIELDS}
    began, lasted = span(entries.times)
    started, _ = span([value.get("started")])
    seconds = as_float(value.get("seconds"))
    cost = as_float(value.get("cost"))
    costs = [step.metrics.cost for step in steps if step.metrics and step.metrics.cost is not None]
    meta = {
        name: item
        for name, item in value.items()
        if name not in READ or (name in CONVERSATIONS and name != key)
    }
    info = TraceInfo(
        trace_id=trace_id(own),
        content_hash=digest(own),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=shown(value.get("benchmark")),
        task_id=as_id(value.get("task_id")) or as_id(value.get("id")),
        task=shown(value.get("task")) or entries.task,
        model=shown(value.get("model")) or entries.model,
        agent=shown(value.get("agent")),
        attempt=as_int(value.get("attempt")),
        ended=_ended(value, meta),
        n_steps=len(steps),
        n_messages=len(value[key]),
        n_tool_calls=sum(len(step.calls) for step in steps),
        n_errors=sum(step.error for step in steps),
        tokens_in=_count(value, "tokens_in", [step.metrics.tokens_in for step in steps if step.metrics]),
        tokens_out=_count(value, "tokens_out", [step.metrics.tokens_out for step in steps if step.metrics]),
        cost=cost if cost is not None else sum(costs) if costs else None,
        started=started or began,
        seconds=seconds if seconds is not None else lasted,
        meta=_kept(value, meta),
    )
    return Imported(Trace(info, steps, record.raw), outcomes=outcomes(value), ignored=IGNORED)


def _count(value: dict[str, Any], key: str, counted: list[int | None]) -> int | None:
    stated = as_int(value.get(key))
    return stated if stated is not None else total(counted)


def _ended(value: dict[str, Any], meta: dict[str, Json]) -> Ended:
    """How the run stopped, in our words; another word is kept with the unknown keys."""
    for word in ENDED:
        if value.get("ended") == word:
            return word
    if value.get("ended") is not None:
        meta["ended"] = value["ended"]
    return "unknown"


def _kept(value: dict[str, Any], meta: dict[str, Json]) -> dict[str, Json]:
    """Keep beside the unknown keys what could not be read as what its key promises, and the record's id."""
    for key in ("attempt", "tokens_in", "tokens_out"):
        if value.get(key) is not None and as_int(value[key]) is None:
            meta[key] = value[key]
    for key in ("cost", "seconds"):
        if value.get(key) is not None and as_float(value[key]) is None:
            meta[key] = value[key]
    if value.get("started") is not None and not span([value["started"]])[0]:
        meta["started"] = value["started"]
    if value.get("id") is not None:
        meta["id"] = value["id"]
    return meta


def outcomes(value: dict[str, Any]) -> tuple[Outcome, ...]:
    """What the grader's fields of a record say; none when there are none."""
    if not any(value.get(key) is not None for key in GRADER_FIELDS):
        return ()
    passed = value.get("passed")
    if isinstance(passed, int | float) and passed in (0, 1):
        passed = bool(passed)
    detail = {
        key: value[key]
        for key, read in (
            ("passed", isinstance(passed, bool)),
            ("score", as_score(value.get("score")) is not None),
        )
        if value.get(key) is not None and not read
    }
    return (
        Outcome(
            passed=passed if isinstance(passed, bool) else None,
            score=as_score(value.get("score")),
            detail=detail or None,
            final_state=value.get("final_state"),
            expected_state=value.get("expected_state"),
            origin="file",
        ),
    )
