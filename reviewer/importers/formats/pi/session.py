"""One session file of pi or OpenClaw as a trace: identity, totals, what the header says.

The two differ in name only. A session is one trace, and grows at its end; a session that was forked off
another one copies what was said before and has an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.pi.ignored import IGNORED
from reviewer.importers.formats.pi.steps import Steps, name_unknown
from reviewer.importers.formats.pi.tree import HEADERS, calls_in, kind, own_id, path, unique
from reviewer.importers.opening.values import as_dict, as_id, as_str, span
from reviewer.importers.shapes.records import Record, objects
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

ROLES = {"user", "assistant", "toolResult", "bashExecution"}
# What OpenClaw (and what it was called before) writes where pi writes nothing like it.
_MARKS = ("openclaw", "clawdbot", "moltbot")


def is_session(source: Source) -> bool:
    """A header and messages with a role; without the header, marks that only these messages have."""
    header = talk = sure = False
    for row in objects(source, 200):
        if "uuid" in row or "sessionId" in row:
            return False
        header = header or _header(row)
        message = as_dict(row.get("message"))
        if row.get("type") == "message" and as_str(message.get("role")) in ROLES:
            talk = True
            sure = sure or "parentId" in row or message.get("role") in ("toolResult", "bashExecution")
        if talk and (header or sure):
            return True
    return header


def _header(row: dict[str, Any]) -> bool:
    if row.get("type") == "session":
        return "id" in row and bool({"cwd", "timestamp", "version"} & row.keys()) and "messages" not in row
    return row.get("type") == "session_start" and "id" in row


def is_openclaw(source: Source) -> bool:
    """Whether an entry bears a mark of OpenClaw: its folder, its own entries, its provider, its contexts."""
    return any(_marked(row) for row in objects(source, 200))


def _marked(row: dict[str, Any]) -> bool:
    message = as_dict(row.get("message"))
    names = [row.get("cwd"), row.get("customType"), row.get("provider"), message.get("provider")]
    if any(mark in as_str(name).lower() for name in names for mark in _MARKS):
        return True
    if row.get("customType") == "model-snapshot" or "idempotencyKey" in message or "provenance" in message:
        return True
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    texts = (block if isinstance(block, str) else as_str(as_dict(block).get("text")) for block in blocks)
    return message.get("role") == "user" and any("_OPENCLAW_INTERNAL_CONTEXT>>>" in text for text in texts)


def read_session(source: Source, format: str, version: int) -> Iterator[Imported]:
    """The one session of the file."""
    source.hold()  # a session is a whole
    rows = session_rows(source)
    once = unique(source, rows)
    talk = _talk(rows)
    if not talk:
        raise NotATrace(f"{source.path}: a session without a message")
    name_unknown(rows, source.warn)
    kept = path(once)
    lost = sum(kind(row) == "message" for row in once) - sum(kind(row) == "message" for row in kept)
    for _ in range(lost):
        source.warn("a message of a branch that was left is not shown (it stays in the raw record)")
    steps = Steps(source.warn)
    steps.take(kept)
    yield _trace(source, rows, talk, steps, format, version)


def _trace(
    source: Source, rows: list[Record], talk: list[Record], steps: Steps, format: str, version: int
) -> Imported:
    made = steps.drafts.steps()
    header = next((row.value for row in rows if kind(row) in HEADERS), {})
    session = as_id(header.get("id"))
    task_id, mark = task_of(session, source.path.name)
    started, seconds = span([header.get("timestamp"), *(_time(row) for row in rows)])
    changed = next((row.value for row in rows if kind(row) == "model_change"), {})
    model = steps.model or as_str(header.get("modelId")) or as_str(changed.get("modelId"))
    info = TraceInfo(
        trace_id=trace_id([format, session, talk[0].value]),
        content_hash=digest(session_content(source)),
        format=format,
        importer=version,
        source_path=str(source.path),
        task_id=task_id,
        task=steps.task or next((step.message for step in made if step.source == "user"), ""),
        model=model,
        agent="droid" if header.get("type") == "session_start" else format,
        ended=steps.ended,
        n_messages=len(talk),
        n_tool_calls=sum(len(calls_in(row)) for row in talk),
        **totals(made),
        started=started,
        seconds=seconds,
        meta=_meta(header) | mark,
    )
    records = record_hashes([row.value for row in talk])
    return Imported(Trace(info, made, session_raw(source), records), ignored=IGNORED)


def _talk(rows: list[Record]) -> list[Record]:
    """The messages of the file; a line that stands in it twice is one, another one under its id is not."""
    first: dict[tuple[str, str], Record] = {}
    for row in rows:
        if kind(row) == "message":
            first.setdefault((own_id(row), digest(row.value)), row)
    return list(first.values())


def _time(row: Record) -> Json:
    return row.value.get("timestamp")


def _meta(header: dict[str, Any]) -> dict[str, Json]:
    known = {"type", "id", "timestamp"}
    return {key: value for key, value in header.items() if key not in known and value is not None}
