"""What is not read of spans, in every shape they are written in, with the reason."""

from __future__ import annotations

_KIND = "client or internal: of the network, not of the agent"
_TREE = "makes the tree of spans"
_FLAGS = "of the exporter"
_PER_SPAN = {
    "kind": _KIND,
    "flags": _FLAGS,
    "traceState": _FLAGS,
    "parentSpanId": _TREE,
    "parent_span_id": _TREE,
    "parent_id": _TREE,
    "status.code": "an error is read; unset and ok are the same",
    "status.status_code": "an error is read; unset and ok are the same",
    "status_code": "an error is read; unset and ok are the same",
    "droppedAttributesCount": _FLAGS,
    "droppedEventsCount": _FLAGS,
    "droppedLinksCount": _FLAGS,
    "context.trace_state": _FLAGS,
    "ended": "always true",
    "parentSpanContext": _TREE,
    "spanContext.traceFlags": _FLAGS,
    "events[].timeUnixNano": "of a message, which is a step at the time of its span",
    "events[].time_unix_nano": "of a message, which is a step at the time of its span",
    "attributes.input.mime_type": "words and JSON are told apart by what they are",
    "attributes.output.mime_type": "words and JSON are told apart by what they are",
    "attributes.llm.token_count.total": "the sum of the tokens that are read",
    "attributes.llm.output_messages[].message.role": "always the model's",
    "attributes.llm.input_messages[].message.tool_calls[].tool_call.id": "of a call of an earlier turn",
    "duration": "the time between start and end",
}
_HOMES = ("", "spans[].", "data[].", "resourceSpans[].scopeSpans[].spans[].",
          "resource_spans[].scope_spans[].spans[].")  # fmt: skip
IGNORED = {f"{home}{key}": reason for home in _HOMES for key, reason in _PER_SPAN.items()} | {
    "resourceSpans[].schemaUrl": _FLAGS,
    "resourceSpans[].scopeSpans[].schemaUrl": _FLAGS,
    "resourceSpans[].scopeSpans[].scope.version": "of the instrumentation",
    "resource_spans[].scope_spans[].scope.version": "of the instrumentation",
    "instrumentationScope.version": "of the instrumentation",
    "resource.schema_url": _FLAGS,
    "next_cursor": "of the page",
}
