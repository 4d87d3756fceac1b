"""The forms in which Responses are kept: one response, an exchange, a stream of events, items, a run state.

Tells which form a record has, and gathers the conversations of a file. Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reviewer.importers.base import Source
from reviewer.importers.formats.openai_responses.calls import is_call, is_output
from reviewer.importers.opening.values import as_dict, as_list, as_str, dumped, parsed
from reviewer.importers.shapes.exchanges import dialect
from reviewer.importers.shapes.records import rows
from reviewer.importers.shapes.sessions import session_content, session_raw
from reviewer.trace import Json

Form = Literal["", "response", "exchange", "request", "event", "item", "message", "state", "page"]
BLOCKS = {"input_text", "output_text", "input_image", "input_file"}
ENDS = {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}


@dataclass(slots=True)
class Talk:
    """One conversation of the file: what went in, the responses to it, the record and text it stands in."""

    record: Json
    raw: str
    line: int = 0
    index: int = 0
    request: dict[str, Any] = field(default_factory=dict)
    heard: list[Json] = field(default_factory=list)
    responses: list[dict[str, Any]] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    failed: list[dict[str, Any]] = field(default_factory=list)  # error events of a stream
    other: str = ""  # the format of a record that is of another API than its file


def form(row: Json) -> Form:
    """Which form one record has."""
    if not isinstance(row, dict):
        return ""
    kind = as_str(row.get("type"))
    state = {"generated_items", "generatedItems", "model_responses", "modelResponses"}
    if "$schemaVersion" in row and state & row.keys():
        return "state"
    if is_response(row):
        return "response"
    if is_response(body(row.get("response"))) and not kind:
        return "exchange"
    if kind.startswith("response.") or as_str(row.get("event")).startswith("response."):
        return "event"
    if row.get("object") == "list" and any(
        form(item) in ("item", "response") for item in items_in(row, "data")
    ):
        return "page"
    if not kind and _is_request(row):
        return "request"
    if not kind and _is_request(asked := body(row.get("request"))):
        return "exchange"  # of the response only a part was kept
    stub = as_dict(row.get("response"))
    if not kind and "input" in asked and as_str(stub.get("id")).startswith("resp_"):
        return "exchange"
    return _item(row, kind)


def _is_request(row: dict[str, Any]) -> bool:
    return "model" in row and any(form(item) == "item" for item in items_in(row, "input"))


def items_in(row: dict[str, Any], key: str) -> list[Json]:
    """The first of the items under `key`, which are enough to tell what they are."""
    return as_list(row.get(key))[:40]


def _item(row: dict[str, Any], kind: str) -> Form:
    """An item of a conversation; a message is one for certain only by the types of its blocks."""
    if kind in ("", "message") and isinstance(row.get("role"), str) and "content" in row:
        blocks = [as_str(as_dict(block).get("type")) for block in as_list(row["content"])]
        known = bool(BLOCKS & set(blocks)) and not {"tool_calls", "uuid", "ts", "parentId"} & row.keys()
        return "item" if known else "message"
    if kind == "reasoning":
        return "item" if isinstance(row.get("summary"), list) else ""
    if (is_call(kind) or is_output(kind)) and {"call_id", "action", "code", "server_label"} & row.keys():
        return "item"
    return "message" if kind == "item_reference" else ""


def is_response(value: Json) -> bool:
    """A response as the API gives it."""
    value = as_dict(value)
    if not isinstance(value.get("output"), list):
        return False
    return value.get("object") == "response" or as_str(value.get("id")).startswith("resp_")


def body(value: Json) -> dict[str, Any]:
    """A request or response, out of the HTTP around it, if any."""
    value = as_dict(parsed(value) if isinstance(value, str) else value)
    inner = value.get("body", value.get("json"))
    return as_dict(parsed(inner) if isinstance(inner, str) else inner) or value


def data_of(row: dict[str, Any]) -> dict[str, Any]:
    """An event, out of the pair of its name and its data."""
    if as_str(row.get("type")).startswith("response."):
        return row
    data = row.get("data")
    data = as_dict(parsed(data) if isinstance(data, str) else data)
    return {"type": row.get("event"), **data} if data else row


def events_in(text: str) -> list[dict[str, Any]]:
    """The events of a stream as it came over the line."""
    found = (parsed(line[5:].strip()) for line in text.splitlines() if line.startswith("data:"))
    return [row for row in found if isinstance(row, dict)]


def talks(source: Source) -> Iterator[Talk]:
    """The conversations of the file."""
    if source.is_text:
        yield _streamed(events_in(source.text), source.text, dumped(source.text))
        return
    if source.is_json and isinstance(source.value, dict):
        yield from _one(source.value, source.text.strip(" \t\r\n"))
        return
    kept = list(rows(source))
    forms = [form(value) for _, value, _ in kept]
    values = [value for _, value, _ in kept]
    if "event" in forms:
        yield _streamed([row for row in values if isinstance(row, dict)], _whole(source), session_raw(source))
    elif "item" in forms:
        yield Talk(_whole(source), session_raw(source), heard=values)
    else:
        yield from _joined(source, kept, forms)


def _whole(source: Source) -> Json:
    content = session_content(source)
    return content[0] if source.is_json else content


def _one(value: dict[str, Any], raw: str, line: int = 0) -> Iterator[Talk]:
    """The conversation in one record."""
    what = form(value)
    if what == "page":
        data = [item for item in value["data"] if isinstance(item, dict)]
        if any(map(is_response, data)):
            yield Talk(value, raw, responses=[item for item in data if is_response(item)])
        else:
            yield Talk(value, raw, heard=_in_order(data))
    elif what == "state":
        yield Talk(value, raw, line, state=value)
    elif what == "event":
        yield _streamed([value], value, raw)
    elif what == "item":
        yield Talk(value, raw, line, heard=[value])
    elif what:
        yield _exchange(value, raw, line)


def _in_order(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pages of the API begin with the newest item: no answer stands before its call."""
    calls = {item.get("call_id"): n for n, item in enumerate(items) if is_call(as_str(item.get("type")))}
    early = any(
        is_output(as_str(item.get("type"))) and n < calls.get(as_str(item.get("call_id")), -1)
        for n, item in enumerate(items)
    )
    return items[::-1] if early else items


def _exchange(value: dict[str, Any], raw: str, line: int) -> Talk:
    """A request, a response, or both."""
    response = value if is_response(value) else body(value.get("response"))
    request = body(value.get("request")) or ({} if is_response(value) else value)
    heard = request.get("input", value.get("input"))
    items = heard if isinstance(heard, list) else [] if heard is None else [_said(heard)]
    return Talk(value, raw, line, 0, request, items, [response] if is_response(response) else [])


def _said(text: Json) -> Json:
    return {"role": "user", "content": text}


def _joined(source: Source, kept: Sequence[tuple[int, Json, str]], forms: Sequence[Form]) -> Iterator[Talk]:
    """A conversation for each record; a record that names the last as previous, or repeats it, goes on."""
    talk: Talk | None = None
    count = 0
    for (line, value, raw), what in zip(kept, forms, strict=True):
        other = dialect(value)
        if other not in ("", "openai_responses"):
            more = [Talk(value, raw, line, other=other)]
        else:
            more = list(_one(value, raw, line)) if isinstance(value, dict) and what else []
        if not more:
            source.lose("a row that is no response is skipped", line)
        for new in more:
            if talk is not None and _goes_on(talk, new):
                talk = _appended(talk, new)
                continue
            if talk is not None:
                yield talk
            new.index, count, talk = count, count + 1, new
    if talk is not None:
        yield talk


def _goes_on(talk: Talk, new: Talk) -> bool:
    if not talk.responses or talk.state or new.state:
        return False
    names = {as_str(one.get("previous_response_id")) for one in (new.request, *new.responses)}
    if names & {as_str(talk.responses[-1].get("id"))} - {""}:
        return True
    return (
        bool(talk.heard) and len(new.heard) > len(talk.heard) and new.heard[: len(talk.heard)] == talk.heard
    )


def _appended(talk: Talk, new: Talk) -> Talk:
    """The longer conversation. A request that repeats all before it stands for all before it."""
    record = [*(talk.record if isinstance(talk.record, list) else [talk.record]), new.record]
    raw = f"{talk.raw[:-1]},\n{new.raw}]" if isinstance(talk.record, list) else f"[{talk.raw},\n{new.raw}]"
    if talk.heard and new.heard[: len(talk.heard)] == talk.heard:
        return Talk(record, raw, talk.line, talk.index, new.request, new.heard, new.responses)
    last = talk.responses[-1]
    between = {**last, "output": [*last["output"], *new.heard]} if new.heard else last
    responses = [*talk.responses[:-1], between, *new.responses]
    return Talk(record, raw, talk.line, talk.index, talk.request or new.request, talk.heard, responses)


def _streamed(events: Sequence[dict[str, Any]], record: Json, raw: str) -> Talk:
    """What a stream of events came to: the response in its last event, else the items that were finished."""
    talk = Talk(record, raw)
    open_: dict[str, Any] = {}
    done: list[Json] = []
    for event in map(data_of, events):
        kind, response = as_str(event.get("type")), as_dict(event.get("response"))
        if kind == "response.output_item.done":
            done.append(event.get("item"))
        elif kind in ENDS:
            talk.responses.append(_filled(response, done))
            open_, done = {}, []
        elif kind in ("error", "response.error"):
            talk.failed.append(event)
        elif response:
            open_ = response
    if open_ or done:
        talk.responses.append(_filled(open_, done))
    return talk


def _filled(response: dict[str, Any], done: list[Json]) -> dict[str, Any]:
    output = as_list(response.get("output")) or done
    return {**response, "output": output}
