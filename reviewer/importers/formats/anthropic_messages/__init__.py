"""Conversations in the shape of Anthropic's Messages API, and the events of its managed agents.

A response alone or as it was streamed, a request with its messages, a bare list of messages, or recorded
HTTP: there each request repeats the talk so far, so of a talk the last one and its response are read.
Exports of claude.ai hold the same blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reviewer.errors import InputError
from reviewer.importers import importer
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.anthropic_messages.continued import continued
from reviewer.importers.formats.anthropic_messages.events import is_event
from reviewer.importers.formats.anthropic_messages.exported import is_export, request
from reviewer.importers.formats.anthropic_messages.ignored import IGNORED, IGNORED_EXPORT, IGNORED_HTTP
from reviewer.importers.formats.anthropic_messages.managed import session
from reviewer.importers.formats.anthropic_messages.steps import CALLS, Talk
from reviewer.importers.formats.anthropic_messages.streamed import apart, begins, is_piece, message_of
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, kind_of
from reviewer.importers.shapes.exchanges import body, dialect
from reviewer.importers.shapes.records import mostly, peeked, rows, values
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.importers.shapes.wrappings import stranger
from reviewer.trace import Ended, Json, Trace, TraceInfo

FORMAT = "anthropic_messages"
ABOUT = "Anthropic Messages: requests, responses, recorded exchanges (wherever you logged them)"
VERSION = 3
GRADER_FIELDS: tuple[str, ...] = ()  # neither requests nor responses hold a grade
BLOCKS = CALLS | {"thinking", "redacted_thinking", "tool_result", "document", "compaction"}
REQUEST = {"system", "max_tokens", "anthropic_version", "anthropic_beta", "betas"}
FOREIGN = {
    "sessionId",
    "uuid",
    "ts",
    "agent",
    "trajectory",
    "history",
    "steps",
    "task",
    "traj",
    "system_prompt",
}
STOPS: dict[str, Ended] = {
    "max_tokens": "limit",
    "model_context_window_exceeded": "limit",
    "refusal": "refused",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One conversation: the request's messages and the reply to it, and the record it stands in."""

    record: Json
    raw: str
    request: dict[str, Any]
    response: dict[str, Any]
    line: int = 0
    index: int = 0
    http: bool = False
    streamed: bool = False
    other: str = ""  # the format of a row that is of another API than its file


def sniff(source: Source) -> bool:
    """Responses of type message, requests with `system` or blocks of this API, events of managed agents."""
    value = source.value
    if source.is_json and isinstance(value, list):
        if _http(value):
            return True
        return _bare(value) or (bool(value) and all(map(_known, value[:40])))
    return _are_events(source) or _are_pieces(source) or mostly(_known, values(source, 200))


def _are_pieces(source: Source) -> bool:
    if source.is_json or not all(map(is_piece, values(source, 200))):
        return False
    return any(map(begins, values(source, 200)))


def _are_events(source: Source) -> bool:
    return not source.is_json and mostly(is_event, values(source, 200))


def _known(row: Json) -> bool:
    if is_export(row):
        return True
    if not isinstance(row, dict) or FOREIGN & row.keys():
        return False
    return _is_response(row) or _is_request(row) or _pair(row) is not None or _is_listing(row)


def _is_response(row: dict[str, Any]) -> bool:
    return (
        row.get("type") == "message"
        and row.get("role") == "assistant"
        and isinstance(row.get("content"), list)
    )


def _is_request(row: dict[str, Any]) -> bool:
    messages = row.get("messages")
    if not isinstance(messages, list) or "response" in row:
        return False
    plain = any(as_dict(message).get("role") in ("tool", "function", "developer") for message in messages)
    calls = any("tool_calls" in as_dict(message) for message in messages)
    return not plain and not calls and (_bare(messages) or ("system" in row and bool(messages)))


def _is_listing(row: dict[str, Any]) -> bool:
    rows = as_list(row.get("data"))
    return bool(rows) and all(map(is_event, rows))


def _bare(messages: list[Json]) -> bool:
    """Messages of which at least one holds a block that only this API has."""
    if not all(as_dict(message).get("role") in ("user", "assistant", "system") for message in messages):
        return False
    if any({"ts", "uuid", "sessionId", "tool_calls"} & as_dict(message).keys() for message in messages):
        return False
    return any(
        as_str(as_dict(block).get("type")) in BLOCKS
        for message in messages
        for block in as_list(message.get("content"))
    )


def _pair(row: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The request and the response of a recorded call of this API."""
    request, response = body(row.get("request")), body(row.get("response"))
    ours = _is_response(response) or ((not response or "error" in response) and dialect(row) in ("", FORMAT))
    if isinstance(request.get("messages"), list) and ours:
        return request, response
    return None


def _http(rows: list[Json]) -> bool:
    return bool(rows) and all(map(_is_pair, rows))


def _is_pair(row: Json) -> bool:
    return isinstance(row, dict) and _pair(row) is not None


def read(source: Source) -> Iterator[Imported]:
    """Each conversation of the file."""
    if source.is_json and _is_listing(as_dict(source.value)):
        yield session(source, as_list(source.value["data"]), VERSION)
        return
    if _are_events(source):
        source.hold()
        yield session(source, [line.value for line in source.lines if not line.bad], VERSION)
        return
    repeats = Repeats(source)
    found = False
    alone, calls = peeked(_calls(source))
    for call in calls:
        found = True
        if call.other:
            row = (call.line, call.record, call.raw)
            every = stranger(source, importer(call.other), row, call.index, alone)
        else:
            every = iter([_imported(source, call, alone)])
        for imported in every:
            yield from repeats.once(imported, call.line)
    if not found:
        raise InputError(f"{source.path}: no conversation in it: no message and no list of messages")


def _calls(source: Source) -> Iterator[Call]:
    """The conversations of the file; recorded calls that continue each other are one."""
    value = source.value
    if source.is_json and isinstance(value, dict):
        yield from _call(source, value, source.text.strip(" \t\r\n"))
        return
    if _are_pieces(source):
        source.hold()
        yield from _streams(list(rows(source)))
        return
    if source.is_json and not _http(value) and not any(map(_known, value)):
        yield Call(value, source.text.strip(" \t\r\n"), {"messages": value}, {})
        return
    if all(_is_pair(row) for row in values(source, 200)):  # else no need to hold a file of many conversations
        every = list(rows(source))
        if _http([row for _, row, _ in every]):
            yield from _recorded(every)
            return
        each = iter(every)
    else:
        each = rows(source)
    for index, (line, row, text) in enumerate(each):
        if dialect(row) in ("", FORMAT):
            yield from _call(source, row, text, line, index)
        else:
            yield Call(row, text, {}, {}, line, index, other=dialect(row))


def _streams(every: list[tuple[int, Json, str]]) -> Iterator[Call]:
    """The messages of a stream: each its own pieces."""
    for index, places in enumerate(apart([row for _, row, _ in every])):
        pieces = [every[place][1] for place in places]
        raw = "[" + ",\n".join(every[place][2] for place in places) + "]"
        line = every[places[0]][0]
        yield Call(pieces, raw, {}, message_of(pieces), line, index, streamed=True)


def _recorded(every: list[tuple[int, Json, str]]) -> Iterator[Call]:
    """Recorded calls: those that continue each other are one conversation, in the place of its first."""
    for index, places in enumerate(continued([as_dict(row) for _, row, _ in every], _pair)):
        talk = [every[place][1] for place in places]
        pair = _pair(as_dict(talk[-1]))
        if pair is not None:
            raw = "[" + ",\n".join(every[place][2] for place in places) + "]"
            yield Call(talk, raw, *pair, every[places[0]][0], index, http=True)


def _call(source: Source, row: Json, raw: str, line: int = 0, index: int = 0) -> Iterator[Call]:
    if isinstance(row, list) and row:
        yield Call(row, raw, {"messages": row}, {}, line, index)
        return
    record = as_dict(row)
    pair = _pair(record)
    if pair is not None:
        yield Call(record, raw, *pair, line, index, http=True)
    elif isinstance(record.get("messages"), list):
        yield Call(record, raw, record, {}, line, index)
    elif _is_response(record):
        yield Call(record, raw, {}, record, line, index)
    elif is_export(record):
        asked = request(record, lambda why: source.warn(why, line))
        yield Call(record, raw, asked, {}, line, index)
    else:
        source.lose(f"a record is skipped: it is {kind_of(row)} without a message", line)


def _imported(source: Source, call: Call, alone: bool) -> Imported:
    talk = Talk(lambda reason: source.warn(reason, call.line))
    talk.system(call.request.get("system"))
    messages = as_list(call.request.get("messages"))
    for index, message in enumerate(messages):
        talk.message(message, f"#{index}")
    if call.response:
        if "content" in call.response:
            talk.message({"role": "assistant", **call.response}, f"#{len(messages)}")
        else:
            talk.message(call.response, f"#{len(messages)}")
    steps = talk.drafts.steps()
    record = as_dict(call.record)
    exported = is_export(record)
    own = as_id(call.response.get("id") if call.streamed else record.get("uuid" if exported else "id"))
    task_id, mark = task_of(own, source.path.name, call.index, alone)
    info = TraceInfo(
        **ids(call.record),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=call.index,
        task_id=task_id,
        task=talk.task,
        model=talk.model or as_str(call.request.get("model")),
        ended=STOPS.get(talk.stop_reason, "error" if "error" in call.response else "unknown"),
        n_messages=len(messages) + bool(call.response),
        n_tool_calls=talk.n_calls,
        **totals(steps),
        started=iso(record.get("created_at")) if exported else "",
        meta=_meta(call, talk) | mark,
    )
    ignored = IGNORED_HTTP if call.http else IGNORED_EXPORT if exported else IGNORED
    return Imported(Trace(info, steps, call.raw), ignored=ignored)


def _meta(call: Call, talk: Talk) -> dict[str, Json]:
    known = {"messages", "system", "tools", "id", "type", "role", "content", "usage", "stop_reason", "model"}
    known |= {"container", "context_management", "stop_sequence", "stop_details", "request", "response"}
    known |= {"chat_messages", "uuid"}
    record = call.record if isinstance(call.record, dict) else {}
    meta = {key: item for key, item in {**record, **call.request}.items() if key not in known}
    asked = call.request.get("model")
    if asked and asked != talk.model and talk.model:
        meta["model asked for"] = asked
    return {**meta, **({"stop_reason": talk.stop_reason} if talk.stop_reason else {})}
