"""Finds the spans of a file in whatever shape an exporter wrote them, and decodes their attributes.

OTLP JSON (camelCase and snake_case, one object, a list, one a line), Tempo's batches, what the SDKs of
JavaScript and Python print, Phoenix exports (objects, rows with dotted columns, pages of its API), trees of
`child_spans`, and single maps of attributes. Knows no dialect.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, kind_of
from reviewer.importers.shapes.spans.span import Event, Span, duration_of, first, flat, seconds_of
from reviewer.trace import Json

RESOURCES = ("resourceSpans", "resource_spans", "batches")
SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
STREAMS = (*RESOURCES, "spans", "data")  # which of them are read one by one, in this order
# What OpenTelemetry writes beside spans.
OTHERS = ("resourceMetrics", "resource_metrics", "resourceLogs", "resource_logs")
CONTEXT = ("context", "spanContext", "span_context")
# Keys of a lone map of attributes, by which it is told from any other object.
MARKS = ("gen_ai.", "openinference.", "llm.", "ai.operationId", "traceloop.")
TRACE = ("traceId", "trace_id", "context.trace_id")
ID = ("spanId", "span_id", "context.span_id")
SAYS = ("message", "description")
PARENT = ("parentSpanId", "parent_span_id", "parent_id", "parentId")
START = ("startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time", "timestamp")
END = ("endTimeUnixNano", "end_time_unix_nano", "endTime", "end_time")
READ = {
    *TRACE, *ID, *PARENT, *START, *END, *CONTEXT, "name", "span_name", "kind", "span_kind", "attributes",
    "span_attributes", "events", "status", "status_code", "status_message", "resource", "scope",
    "instrumentationScope", "instrumentation_scope", "resource_attributes", "child_spans", "duration",
    "ended", "flags", "traceState", "trace_state", "droppedAttributesCount", "droppedEventsCount",
    "droppedLinksCount", "dropped_attributes_count", "dropped_events_count", "dropped_links_count",
    "annotations", "parentSpanContext", "service_name",
}  # fmt: skip


def spans(source: Source) -> list[Span]:
    """All spans of the file in order; what holds none is named."""
    found: list[Span] = []
    for line, value in _values(source):
        before = len(found)
        for span, home in found_in(value):
            found.append(decoded(span, home, len(found), line))
        if len(found) == before:
            what = (
                "holds no span" if isinstance(value, dict | list) else f"is {kind_of(value)}, not an object"
            )
            source.warn(f"a record that {what} is not shown", line)
    return found


def peek(source: Source, most: int = 40) -> list[Span]:
    """The first spans of the file, for sniffing."""
    found: list[Span] = []
    for line, value in islice(_values(source), most):
        for span, home in islice(found_in(value), 4 * most):
            found.append(decoded(span, home, len(found), line))
    return found


def walk(source: Source) -> Iterator[tuple[int, Json, str]]:
    """Line, value and text of what holds the spans of a file that is too large to be held."""
    if not source.is_json:
        yield from ((line.number, line.value, line.text) for line in source.lines if not line.bad)
        return
    key = next(key for key in STREAMS if isinstance(source.value.get(key), list))
    for item in source.each(key):
        yield 0, {key: [item]} if key in RESOURCES else item, ""


def trace_of(span: dict[str, Any]) -> str:
    """The id of the trace that a span belongs to."""
    context = next((as_dict(span[key]) for key in CONTEXT if key in span), {})
    return _plain_id(_of(span, TRACE) or _of(context, TRACE))


def is_loose(span: dict[str, Any]) -> bool:
    """Whether a span is of a dump that says of no span whose child it is."""
    parent = _of(span, PARENT) or _of(as_dict(span.get("parentSpanContext")), ID)
    return "spanContext" in span and not _plain_id(parent)


def _values(source: Source) -> Iterator[tuple[int, Json]]:
    if source.is_json:
        yield 0, source.value
        return
    for line in source.lines:
        if not line.bad:
            yield line.number, line.value


def found_in(value: Json, home: Json = None) -> Iterator[tuple[dict[str, Any], Json]]:
    """The spans in one value, each with the resource and the scope it stands under."""
    if isinstance(value, list):
        for item in value:
            yield from found_in(item, home)
        return
    if not isinstance(value, dict):
        return
    if resources := next((key for key in RESOURCES if isinstance(value.get(key), list)), ""):
        for group in value[resources]:
            yield from _grouped(as_dict(group))
    elif is_span(value):
        yield value, home
        for child in as_list(value.get("child_spans")):
            yield from found_in(child, home)
    elif inner := next((key for key in ("spans", "data") if isinstance(value.get(key), list)), ""):
        yield from found_in(value[inner], home)
    elif value and all(_list_of_spans(item) for item in value.values()):
        for item in value.values():
            yield from found_in(item, home)


def _list_of_spans(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(x, dict) and is_span(x) for x in value)


def _grouped(group: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Json]]:
    for key in SCOPES:
        for part in as_list(group.get(key)):
            scope = as_dict(part).get("scope", as_dict(part).get("instrumentationLibrary"))
            for span in as_list(as_dict(part).get("spans")):
                if isinstance(span, dict):
                    yield span, {"resource": group.get("resource"), "scope": scope}


def is_span(value: dict[str, Any]) -> bool:
    """Whether an object is a span: it has an id and attributes or times, or is a map of known attributes."""
    context = next((as_dict(value[key]) for key in CONTEXT if key in value), {})
    if _of(value, ID) or _of(context, ID):
        return any(key in value for key in (*START, "attributes", "span_attributes")) or _dotted(value)
    if "attributes" in value and "traceId" in value:
        return True
    return is_attributes(value)


def is_attributes(value: dict[str, Any]) -> bool:
    return any(isinstance(key, str) and key.startswith(MARKS) for key in value)


def _dotted(value: dict[str, Any]) -> bool:
    return any(key.startswith("attributes.") for key in value)


def _of(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    return first(as_id(value.get(key)) for key in keys)


def decoded(span: dict[str, Any], home: Json, place: int, line: int) -> Span:
    """A `Span` of any shape."""
    bare = not (_of(span, ID) or "traceId" in span or any(key in span for key in CONTEXT))
    if bare and is_attributes(span):
        return Span(
            place, line, "", "", "", "", "", None, None, False, "", flat(span), record=span, home=home
        )
    context = next((as_dict(span[key]) for key in CONTEXT if key in span), {})
    attributes = attributes_of(span.get("attributes", span.get("span_attributes")))
    if _dotted(span):
        attributes |= flat({k[11:]: v for k, v in span.items() if k.startswith("attributes.")})
    parent = _of(span, PARENT) or _of(as_dict(span.get("parentSpanContext")), ID)
    start = next((t for key in START if (t := seconds_of(span.get(key))) is not None), None)
    end = next((t for key in END if (t := seconds_of(span.get(key))) is not None), None)
    if start is not None and end is None and (lasted := duration_of(span.get("duration"))) is not None:
        end = start + lasted
    status = as_dict(span.get("status"))
    code = status.get("code", status.get("status_code", span.get("status_code")))
    around = as_dict(home)
    resource = span.get("resource", around.get("resource", span.get("resource_attributes")))
    scope = span.get("instrumentationScope", span.get("instrumentation_scope", around.get("scope")))
    events = span.get("events")
    extra = {k: v for k, v in span.items() if not (k in READ or k.startswith("attributes.")) and _said(v)}
    if not isinstance(events, list) and _said(events):
        extra["events"] = events
    record = {key: item for key, item in span.items() if key not in ("annotations", "child_spans")}
    identity = _plain_id(
        _of(span, ID) or _of(context, ID) or (as_id(span.get("id")) if span.get("traceId") else "")
    )
    return Span(
        place,
        line,
        trace=_plain_id(_of(span, TRACE) or _of(context, TRACE)),
        id=identity,
        parent=_plain_id(parent),
        name=first((as_str(span.get("name")), as_str(span.get("span_name")))),
        kind=first((as_str(span.get("span_kind")), as_str(span.get("kind")))),
        start=start,
        end=end,
        failed=code == 2 or (isinstance(code, str) and "ERROR" in code.upper()),
        status=first(as_str(part) for part in (*map(status.get, SAYS), span.get("status_message"))),
        attributes=attributes,
        events=tuple(map(_event, as_list(events))),
        resource=attributes_of(as_dict(resource).get("attributes", resource)),
        scope=as_str(as_dict(scope).get("name")),
        extra=extra,
        annotations=tuple(as_list(span.get("annotations"))),
        record=record,
        home=home,
        loose="spanContext" in span and not parent,
    )  # fmt: skip


def _said(value: Json) -> bool:
    return value not in (None, "", [], {})


def _plain_id(text: str) -> str:
    """An id without the `0x` that Python's SDK prints before it."""
    return text[2:] if text.startswith("0x") else text


def _event(value: Json) -> Event:
    event = as_dict(value)
    when = next(
        (event[key] for key in ("timeUnixNano", "time_unix_nano", "time", "timestamp") if key in event), None
    )
    attributes = attributes_of(event.get("attributes", event.get("event_attributes")))
    return Event(
        first((as_str(event.get("name")), as_str(event.get("event_name")))), iso(seconds_of(when)), attributes
    )


def attributes_of(value: Json) -> dict[str, Json]:
    """Attributes as a flat map, from OTLP's list of keys and values or from objects."""
    if isinstance(value, list):
        return flat(
            {as_str(item.get("key")): _value(item.get("value")) for item in value if isinstance(item, dict)}
        )
    if isinstance(value, str):
        from reviewer.importers.shapes.spans.span import unpacked

        value = unpacked(value)
    return flat(value)


def _value(value: Json) -> Json:
    """The value of an OTLP attribute, out of the object that names its type."""
    if not isinstance(value, dict):
        return value
    for key, item in value.items():
        kind = key.replace("_", "").lower()
        if kind == "intvalue" and isinstance(item, str) and item.lstrip("-").isdecimal() and len(item) < 25:
            return int(item)
        if kind == "arrayvalue":
            return [_value(inner) for inner in as_list(as_dict(item).get("values"))]
        if kind == "kvlistvalue":
            pairs = as_list(as_dict(item).get("values"))
            return {
                as_str(pair.get("key")): _value(pair.get("value")) for pair in pairs if isinstance(pair, dict)
            }
        if kind in ("stringvalue", "intvalue", "doublevalue", "boolvalue", "bytesvalue"):
            return item
    return value or None
