"""Codex sessions: rollout files of all versions, and what `codex exec --json` prints.

A rollout is one trace. A sub-agent's rollout is a file of its own; it becomes a child of the thread that
spawned it when that one's file lies beside it. Rollouts grow: the identity is where they began.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.codex.exec_stream import Events, is_exec
from reviewer.importers.formats.codex.ignored import IGNORED
from reviewer.importers.formats.codex.parents import parent_source, parent_thread
from reviewer.importers.formats.codex.rollout import BARE, Rollout, is_header, items_of
from reviewer.importers.opening.values import as_dict, as_int, as_str, span
from reviewer.importers.shapes.records import Record, sample
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import MARK, SESSION, task_of
from reviewer.trace import Json, Step, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "codex"
ABOUT = "Codex sessions, sub-agents as children (`~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`)"
VERSION = 2
GRADER_FIELDS: tuple[str, ...] = ()  # a session holds nothing that a grader wrote
ROWS = {
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "world_state",
    "inter_agent_communication_metadata",
    "history_mutation",
}


def sniff(source: Source) -> bool:
    """Rows of a type that only rollouts have, each with its payload; before mid-2025 a header and items."""
    rows = sample(source)
    if not rows:
        return False
    if sum(as_str(row.get("type")) in ROWS and isinstance(row.get("payload"), dict) for row in rows):
        return True
    if is_exec(rows):
        return True
    head, *rest = rows
    if not is_header(head):
        return False
    items = sum(as_str(row.get("type")) in BARE for row in rest)
    own = {"instructions", "git"} & head.keys() or (items and head.keys() == {"id", "timestamp"})
    return bool(own) and all(
        as_str(row.get("type")) in BARE or "record_type" in row or "role" in row for row in rest
    )


def read(source: Source) -> Iterator[Imported]:
    """The one trace of the file."""
    source.hold()  # a session is a whole
    rows = session_rows(source)
    if not rows:
        raise InputError(f"{source.path}: a Codex session without a record")
    if is_exec([row.value for row in rows[:40]]):
        yield _exec(source, rows)
        return
    rollout = Rollout(source.warn)
    rollout.take(rows)
    meta = meta_of(rows)
    steps = rollout.items.drafts.steps()
    items = [item for row in rows for item in items_of(row)]
    started, seconds = span([meta.get("timestamp"), *(row.value.get("timestamp") for row in rows)])
    models = [step.model for step in steps if step.model] or [rollout.items.model]
    told = {
        "n_messages": sum(as_str(item.get("type")) in ("message", "") for item in items),
        "n_tool_calls": sum(as_str(item.get("type")).endswith("_call") for item in items),
        "task": rollout.task,
        "model": models[0],
        "ended": rollout.ended,
        "started": started,
        "seconds": seconds,
        "meta": _meta(rows, meta) | rollout.settings,
    }
    if rollout.usage:
        told["tokens_in"] = as_int(rollout.usage.get("input_tokens"))
        told["tokens_out"] = as_int(rollout.usage.get("output_tokens"))
    yield _imported(source, rows, steps, as_str(meta.get("id")), told | _link(source, meta))


def _exec(source: Source, rows: list[Record]) -> Imported:
    events = Events(source.warn)
    events.take(rows)
    told = {
        "n_messages": events.messages,
        "n_tool_calls": events.calls,
        "ended": events.ended,
        "tokens_in": as_int(events.usage.get("input_tokens")),
        "tokens_out": as_int(events.usage.get("output_tokens")),
        "meta": {"entry": "codex exec --json"},
    }
    return _imported(source, rows, events.drafts.steps(), events.thread, told)


def _imported(
    source: Source, rows: list[Record], steps: tuple[Step, ...], thread: str, told: dict[str, Any]
) -> Imported:
    task_id, mark = task_of(thread, source.path.name)
    sums: dict[str, Any] = totals(steps)
    info = TraceInfo(
        trace_id=identity(thread, rows[0]),
        content_hash=digest(session_content(source)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=task_id,
        agent="codex",
        **sums | told | {"meta": told["meta"] | mark},
    )
    trace = Trace(info, steps, session_raw(source), record_hashes([row.value for row in rows]))
    return Imported(trace, ignored=IGNORED)


def identity(thread: str, first: Record) -> str:
    """The id of a session that began with the record `first`; all that follows can only be added."""
    return trace_id([FORMAT, thread, first.value])


def meta_of(rows: list[Record]) -> dict[str, Any]:
    """What the session says of itself first: later ones are those of threads it was forked from."""
    for row in rows:
        if row.value.get("type") == "session_meta":
            return as_dict(row.value.get("payload"))
    return rows[0].value if is_header(rows[0].value) else {}


def _meta(rows: list[Record], meta: dict[str, Any]) -> dict[str, Json]:
    """Where and with what the session ran; a sub-agent shares its session and has a task of its own."""
    read = {"id", "timestamp", "instructions", "base_instructions", "dynamic_tools", "model"}
    found = {key: item for key, item in meta.items() if key not in read and item not in (None, "", {}, [])}
    threads = [
        as_str(as_dict(row.value.get("payload")).get("id"))
        for row in rows
        if row.value.get("type") == "session_meta"
    ]
    others = [thread for thread in dict.fromkeys(threads) if thread and thread != meta.get("id")]
    if others:
        found["threads"] = others
    if parent_thread(meta):
        found[MARK] = SESSION
    return found


def _link(source: Source, meta: dict[str, Any]) -> dict[str, str]:
    """The parent's trace and the step that spawned this thread, where the parent's file is at hand."""
    thread = parent_thread(meta)
    parent = parent_source(source.path, thread) if thread else None
    if parent is None:
        return {}
    parent.hold()
    rows = session_rows(parent)
    if not rows or meta_of(rows).get("id") != thread:
        return {}
    rollout = Rollout(lambda _reason, _line: None)
    rollout.take(rows)
    child = as_str(meta.get("id"))
    starts = (
        draft.ids[0]
        for draft in rollout.items.drafts.all
        if child and any(child in result.content for result in draft.results)
    )
    return {"parent_id": identity(thread, rows[0]), "parent_step": next(starts, "")}
