"""Kimi: the contexts of Kimi CLI and the wires of Kimi Code, sub-agents included.

A file is one agent's session and one trace. A sub-agent's file is a child where the session that started
it lies beside. Neither file names its session: the identity is what it began with, up to the model's
first words, so that two runs of one prompt are two traces. Of a context and a wire that tell one session, the
one that tells more is read, the wire where both tell the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.kimi_cli.context import MARKS, TALK, Context
from reviewer.importers.formats.kimi_cli.ignored import IGNORED
from reviewer.importers.formats.kimi_cli.parents import context_parent, twin, wire_parent
from reviewer.importers.formats.kimi_cli.wire import Wire
from reviewer.importers.opening.values import as_dict, as_str, span
from reviewer.importers.shapes.records import Record, sample
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "kimi_cli"
ABOUT = "Kimi sessions (`~/.kimi/sessions/…/context.jsonl`, `~/.kimi-code/sessions/…/wire.jsonl`)"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()  # a session holds nothing that a grader wrote
WIRE = {"context.append_message", "context.append_loop_event", "context.apply_compaction"}


def sniff(source: Source) -> bool:
    """Messages with Kimi's marks between them, rows that change a context, or events of the screen alone."""
    rows = sample(source)
    if rows and all(_of_screen(row) and {"timestamp", "message"} == row.keys() for row in rows):
        return True
    if any(as_str(row.get("type")) in WIRE or _begins(row) for row in rows):
        return True
    return any(as_str(row.get("role")) in MARKS and "type" not in row for row in rows)


def read(source: Source) -> Iterator[Imported]:
    """The one trace of the file."""
    source.hold()  # a session is a whole
    rows = session_rows(source)
    wired = _wired(rows)
    told = _told(source, _once(source, rows) if wired else rows, wired)
    if not told.drafts.all:
        raise NotATrace(
            f"{source.path}: a Kimi file without a message, not a trace; import the traces it lies beside"
        )
    _only_once(source, told, wired)
    steps = told.drafts.steps()
    started, seconds = span(_times(rows))
    task_id, mark = task_of("", source.path.name)
    meta: dict[str, Json] = dict(told.settings) if isinstance(told, Wire) else {}
    info = TraceInfo(
        trace_id=_identity(rows, wired),
        content_hash=digest(session_content(source)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=task_id,
        task=told.task or next((step.message for step in steps if step.source == "user"), ""),
        model=(told.model or told.alias) if isinstance(told, Wire) else "",
        agent="kimi-code" if wired else "kimi-cli",
        ended=told.ended,
        n_messages=told.messages,
        n_tool_calls=told.calls,
        **totals(steps),
        started=started,
        seconds=seconds,
        meta=meta | mark,
        **_link(source, wired),
    )
    trace = Trace(info, steps, session_raw(source), record_hashes([row.value for row in rows]))
    yield Imported(trace, ignored=IGNORED)


def _once(source: Source, rows: Sequence[Record]) -> Iterator[Record]:
    """The rows of a wire, each once: what was said in the same millisecond in the same words is one row."""
    seen: set[str] = set()
    for row in rows:
        if as_str(row.value.get("type")).startswith("context.append_") and "time" in row.value:
            key = digest(row.value)
            if key in seen:
                source.warn("duplicate row: the same stood in the file already", row.line)
                continue
            seen.add(key)
        yield row


def _wired(rows: Sequence[Record]) -> bool:
    return any(as_str(row.value.get("type")) in WIRE or _begins(row.value) for row in rows)


def _begins(row: dict[str, Any]) -> bool:
    """The first row of a wire; those of Kimi CLI hold nothing but events of the screen."""
    return row.get("type") == "metadata" and "protocol_version" in row


def _told(source: Source, rows: Iterable[Record], wired: bool) -> Wire | Context:
    told = Wire(source.warn) if wired else Context(source.warn)
    told.take([row for row in rows if not _of_screen(row.value)] if wired else list(rows))
    return told


def _of_screen(row: dict[str, Any]) -> bool:
    """An event of Kimi CLI's own wire, which lies beside the context that holds the conversation."""
    return "type" not in row and isinstance(as_dict(row.get("message")).get("type"), str)


def _only_once(source: Source, told: Wire | Context, wired: bool) -> None:
    """Refuse a file whose session stands in its twin too; NotATrace: all of it stands there."""
    other = twin(source.path)
    rows = session_rows(other) if other and sniff(other) else ()
    if other is None or not rows or _wired(rows) == wired:
        return
    ours, theirs = _content(told), _content(_told(Source(other.path, "", False), rows, not wired))
    both = len(ours & theirs)
    if not both:
        return
    name = other.path.name
    if ours < theirs or (ours == theirs and not wired):
        raise NotATrace(f"{source.path}: its session stands in {name} beside it too: import that")
    if theirs <= ours:
        source.warn(f"{name} beside it tells the same session and is not read")
    else:
        source.warn(
            f"{name} beside it is a trace of its own and shares {both} messages and calls with this one"
        )


def _content(told: Wire | Context) -> set[str]:
    """What users said and which calls were made."""
    said = {draft.message for draft in told.drafts.all if draft.source == "user" and not draft.kind}
    return {text for text in said if text} | {
        call.id for draft in told.drafts.all for call in draft.calls if call.id
    }


def _times(rows: Sequence[Record]) -> Iterator[Json]:
    for row in rows:
        yield row.value.get("time", row.value.get("created_at"))


def _identity(rows: Sequence[Record], wired: bool) -> str:
    """The id over how the session began: its first record and message, and the model's first words."""
    began: list[Json] = []
    for row in rows:
        kind, role = as_str(row.value.get("type")), as_str(row.value.get("role"))
        event = as_str(as_dict(row.value.get("event")).get("type"))
        if (wired and kind == "metadata") or (not wired and role in TALK):
            began.append(row.value)
        elif wired and kind == "context.append_message":
            began.append(row.value)
            break
        if role == "assistant" or event == "content.part":
            break
    return trace_id([FORMAT, began])


def _link(source: Source, wired: bool) -> dict[str, Any]:
    """The trace of the session that started this one, and the step that did, where its file is at hand."""
    parent = wire_parent(source.path) if wired else context_parent(source.path)
    if parent is None or not sniff(parent):
        return {}
    parent.hold()
    rows = session_rows(parent)
    if _wired(rows) != wired:
        return {}
    told = _told(Source(parent.path, "", False), rows, wired)
    name = source.path.parent.name if wired else source.path.name
    starts = (
        draft.ids[0] for draft in told.drafts.all if any(name in found.content for found in draft.results)
    )
    return {"parent_id": _identity(rows, wired), "parent_step": next(starts, "")}
