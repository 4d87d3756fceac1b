"""Sessions of Google's Agent Development Kit: one trace a session, old files in snake_case, new in camelCase.

Sessions grow: the identity is the session and where it began. The state they leave is kept with the trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.google_adk.events import Reader, calls_in, is_event, snake
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, kind_of, span
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.records import records, rows, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, renumbered, trace_id

FORMAT = "google_adk"
ABOUT = (
    "Sessions of Google's Agent Development Kit (`<name>.session.json`, saved from `adk web` or `adk run`)"
)
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()
_LOG = {
    "avg_logprobs": "of the model, not of what was said",
    "event_logs": "repeats the session for each model call; model, tokens and instruction are read",
    "past_events": "of the program's memory of other sessions",
    "pending_events": "not yet part of the session",
    "last_update_time": "when it was last written",
    "lastUpdateTime": "when it was last written",
}
_EVENT = {
    "invocation_id": "tells which request an event belongs to; seen where a stream is put together",
    "invocationId": "tells which request an event belongs to; seen where a stream is put together",
    "partial": "a piece of a stream is left out where the whole follows",
    "turn_complete": "of the stream",
    "turnComplete": "of the stream",
    "content.role": "the author says who it is",
    "content.parts[].function_response.name": "the tool is named in the call that is answered",
    "content.parts[].functionResponse.name": "the tool is named in the call that is answered",
    "content.parts[].thought_signature": "proves a thought to the provider",
    "content.parts[].thoughtSignature": "proves a thought to the provider",
    "usage_metadata": "the tokens in and out are read",
    "usageMetadata": "the tokens in and out are read",
}
IGNORED = {**_LOG, **{f"{place}{key}": why for place in ("events[].", "") for key, why in _EVENT.items()}}


def sniff(source: Source) -> bool:
    """Events with an author and an invocation, alone or in sessions."""
    return any(
        is_event(row) or any(map(is_event, as_list(row.get("events"))[:5])) for row in sample(source, 5)
    )


def read(source: Source) -> Iterator[Imported]:
    """Each session of the file; events without one are one session."""
    repeats = Repeats(source)
    if any(map(is_event, sample(source, 5))):
        source.hold()
        every = list(rows(source)) if not isinstance(source.value, dict) else [(0, source.value, source.text)]
        raw = (
            source.text.strip(" \t\r\n") if source.is_json else "[" + ",\n".join(t for _, _, t in every) + "]"
        )
        yield _imported(source, {"events": [row for _, row, _ in every]}, raw, 0, True)
        return
    found = False
    for record in records(source):
        if isinstance(record.value.get("events"), list):
            found = True
            alone = source.is_json and isinstance(source.value, dict)
            yield from repeats.once(
                _imported(source, record.value, record.raw, record.index, alone), record.line
            )
        else:
            what = kind_of(record.value.get("events"))
            source.lose(f"a session is skipped: its events are {what}, not a list", record.line)
    if not found:
        raise InputError(f"{source.path}: no session in it: no list of events")


def _imported(source: Source, value: dict[str, Any], raw: str, index: int, alone: bool) -> Imported:
    session, events = snake(value), value["events"]
    logs = [as_dict(log) for log in as_list(session.get("event_logs"))]
    reader = Reader(events, {as_id(log.get("event_id")): log for log in logs}, source.warn)
    steps = reader.drafts.steps()
    if told := _told(logs):
        steps = renumbered((Draft("system", ["system_instruction"], told).step(1), *steps))
    named = as_id(session.get("id"))
    task_id, mark = task_of(named, source.path.name, index, alone)
    started, seconds = span(as_dict(event).get("timestamp") for event in events)
    first = next((event for event in events if isinstance(event, dict)), None)
    info = TraceInfo(
        trace_id=trace_id([FORMAT, named, first]),
        content_hash=digest(value),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=index,
        task_id=task_id,
        task=next((step.message for step in steps if step.source == "user" and step.message), ""),
        model=reader.model or next(filter(None, map(_asked, logs)), ""),
        agent=reader.agent,
        ended=reader.ended,
        n_messages=len(events),
        n_tool_calls=sum(map(calls_in, events)),
        **totals(steps),
        started=started,
        seconds=seconds,
        meta=_meta(session) | mark,
    )
    return Imported(Trace(info, steps, raw, record_hashes(events)), ignored=IGNORED)


def _asked(log: dict[str, Any]) -> str:
    return as_str(as_dict(log.get("model_request")).get("model"))


def _told(logs: Sequence[dict[str, Any]]) -> str:
    """The instruction of the model, which only the logs of old sessions have."""
    for log in logs:
        config = snake(as_dict(log.get("model_request")).get("config"))
        given = config.get("system_instruction")
        if isinstance(given, dict):
            given = given.get("parts")
        if text := text_of(given, lambda _: None) if given else "":
            return text
    return ""


def _meta(session: dict[str, Any]) -> dict[str, Json]:
    unread = {"id", "events", "event_logs", "past_events", "pending_events", "last_update_time"}
    return {
        key: item for key, item in session.items() if key not in unread and item not in (None, {}, [], "")
    }
