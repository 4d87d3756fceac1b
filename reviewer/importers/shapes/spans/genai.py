"""GenAI semantic conventions: attributes of every version, old span events, OpenLLMetry's flat attributes.

Messages are in attributes (`gen_ai.input.messages`, earlier `gen_ai.prompt`), in events of the span, or
under numbered keys (`gen_ai.prompt.0.content`), and often nowhere: recording them is a choice.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.importers.shapes.spans.messages import (
    Message,
    Warner,
    arguments_of,
    first_of,
    message_of,
    messages_of,
    words,
)
from reviewer.importers.shapes.spans.reading import Reading, Role, answer_text, task_text
from reviewer.importers.shapes.spans.span import Attributes, Event, Span, first, unpacked
from reviewer.trace import Json, ToolCall

ROLES: dict[str, Role] = {
    "chat": "llm",
    "text_completion": "llm",
    "generate_content": "llm",
    "completion": "llm",
    "llm": "llm",
    "response": "llm",
    "execute_tool": "tool",
    "tool": "tool",
    "invoke_agent": "agent",
    "create_agent": "agent",
    "invoke_workflow": "agent",
    "agent": "agent",
    "workflow": "agent",
    "task": "agent",
}
EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.developer.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
DETAILS = "gen_ai.client.inference.operation.details"
PARTS = ("gen_ai.prompt", "gen_ai.completion")
QUIET = (
    "gen_ai.operation.name",
    "gen_ai.tool.definitions",
    "gen_ai.usage.total_tokens",
    "llm.usage.total_tokens",
    "llm.request.type",
    "traceloop.span.kind",
)


def known(attributes: dict[str, Json]) -> bool:
    """Whether a span is of this dialect."""
    return any(key.startswith(("gen_ai.", "traceloop.", "llm.request.type")) for key in attributes)


def role_of(span: Span) -> Role | None:
    """What a span of this dialect is, by its operation, else by what else it says."""
    values = span.attributes
    if not known(values):
        return None
    for key in ("gen_ai.operation.name", "traceloop.span.kind", "llm.request.type"):
        name = values.get(key)
        if isinstance(name, str) and name.lower() in ROLES:
            return ROLES[name.lower()]
    if any(key in values for key in ("gen_ai.operation.name", "traceloop.span.kind", "llm.request.type")):
        return "rest"
    if "gen_ai.tool.name" in values:
        return "tool"
    if "gen_ai.request.model" in values or "gen_ai.response.model" in values:
        return "llm"
    return "agent" if "gen_ai.agent.name" in values else "rest"


def read(span: Span, attributes: Attributes, warn: Warner) -> Reading | None:
    role = role_of(span)
    if role is None:
        return None
    reading = Reading(role)
    details = [event for event in span.events if event.name == DETAILS]
    for event in details:
        attributes.values = {**event.attributes, **attributes.values}
    attributes.skip(*QUIET)
    attributes.skip_under("llm.request.functions", "gen_ai.request.functions")
    reading.asked = attributes.text("gen_ai.request.model")
    reading.model = attributes.text("gen_ai.response.model")
    reading.tokens_in = attributes.count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
    reading.tokens_out = attributes.count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
    reading.cost = attributes.number("gen_ai.usage.cost", "gen_ai.usage.total_cost", "operation.cost")
    reading.session = attributes.text(
        "gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id",
        "gcp.vertex.agent.session_id",
    )  # fmt: skip
    reading.agent = attributes.text("gen_ai.agent.name")
    if role == "agent" and not reading.agent:
        reading.agent = attributes.text("traceloop.entity.name", "gen_ai.workflow.name")
    if role == "tool":
        _tool(span, reading, attributes, warn)
        return reading
    reading.heard, reading.said = _content(span, attributes, warn)
    reasons = as_list(unpacked(attributes.get("gen_ai.response.finish_reasons")))
    reading.finish = first((*(message.finish for message in reading.said), *map(as_str, reasons)))
    if reasons and reading.finish != reasons[0]:
        attributes.read.discard("gen_ai.response.finish_reasons")  # two that differ: both are shown
    if role == "rest":
        reading.text = answer_text(reading.said)
    reading.task, reading.answer = task_text(reading.heard), answer_text(reading.said)
    return reading


def _tool(span: Span, reading: Reading, attributes: Attributes, warn: Warner) -> None:
    name = attributes.text("gen_ai.tool.name", "traceloop.entity.name", "tool.name")
    arguments = first_of(
        attributes.tree("gen_ai.tool.call.arguments"), attributes.get("gcp.vertex.agent.tool_call_args"),
        attributes.get("tool_arguments"), attributes.get("traceloop.entity.input"), attributes.get("input"),
    )  # fmt: skip
    result = first_of(
        attributes.tree("gen_ai.tool.call.result"), attributes.get("gcp.vertex.agent.tool_response"),
        attributes.get("tool_response"), attributes.get("traceloop.entity.output"), attributes.get("output"),
    )  # fmt: skip
    for event in span.events:  # a tool's run as messages
        if event.name == "gen_ai.tool.message":
            result = first_of(result, event.attributes.get("content"))
    name = name or span.name.removeprefix("execute_tool ").removeprefix("running tool: ") or "unknown"
    call_id = as_id(attributes.get("gen_ai.tool.call.id"))
    reading.call = ToolCall(name, arguments_of(arguments), call_id)
    reading.result = None if result is None else words(result, warn)
    error = attributes.text("error.type")
    reading.failed = bool(error) or span.failed
    if error:
        attributes.read.discard("error.type")


def _content(span: Span, attributes: Attributes, warn: Warner) -> tuple[list[Message], list[Message]]:
    """What the model heard and said."""
    system = messages_of(attributes.tree("gen_ai.system_instructions"), warn, "system")
    heard = messages_of(attributes.tree("gen_ai.input.messages"), warn)
    said = messages_of(attributes.tree("gen_ai.output.messages"), warn, "assistant")
    from_events = _events(span.events, attributes, warn)
    heard = heard or from_events[0]
    said = said or from_events[1]
    numbered = [attributes.tree(prefix) for prefix in PARTS]
    heard = heard or _numbered(numbered[0], warn, "user")
    said = said or _numbered(numbered[1], warn, "assistant")
    for keys, role in (
        (("gcp.vertex.agent.llm_request", "traceloop.entity.input", "input"), "user"),
        (("gcp.vertex.agent.llm_response", "traceloop.entity.output", "output"), "assistant"),
    ):
        spare = [message for key in keys for message in messages_of(_inner(attributes.get(key)), warn, role)]
        if role == "user":
            heard = heard or spare
        else:
            said = said or spare
    return [*system, *heard], [message for message in said if not message.empty or message.finish]


def _inner(value: Json) -> Json:
    """What an entity took in or gave out, out of the objects that frameworks put around it."""
    value = unpacked(value)
    for _ in range(3):
        inner = as_dict(value)
        key = next(
            (k for k in ("inputs", "outputs", "input", "output", "messages", "content") if k in inner), ""
        )
        if not key or (key in ("messages", "content") and ("role" in inner or key == "messages")):
            return value
        value = unpacked(inner[key])
    return value


def _numbered(value: Json, warn: Warner, role: str) -> list[Message]:
    """OpenLLMetry's messages: `0.role`, `0.content`, `0.tool_calls.0.name`; earlier one JSON text of all."""
    rows = value if isinstance(value, list) else [value] if value is not None else []
    found: list[Message] = []
    for row in rows:
        if isinstance(row, dict) and ("role" in row or "tool_calls" in row or "content" in row):
            found.append(message_of({"role": role, **row, "content": _decoded(row.get("content"))}, warn))
        else:
            found += messages_of(row, warn, role)
    return found


def _decoded(content: Json) -> Json:
    """Blocks that were written as a text; a text that only looks like JSON stays one."""
    inner = unpacked(content)
    return inner if isinstance(inner, list) and all("type" in as_dict(part) for part in inner) else content


def _events(
    events: tuple[Event, ...], attributes: Attributes, warn: Warner
) -> tuple[list[Message], list[Message]]:
    """Messages that were noted as events of the span, or in one attribute with all events."""
    heard: list[Message] = []
    said: list[Message] = []
    bodies = [(event.name, _body(event.attributes)) for event in events]
    listed = as_list(unpacked(attributes.get("events"))) or as_list(
        unpacked(attributes.get("all_messages_events"))
    )
    bodies += [(as_str(as_dict(item).get("event.name")), as_dict(item)) for item in listed]
    for name, body in bodies:
        if name in EVENTS:
            heard.append(message_of({"role": EVENTS[name], **body}, warn))
        elif name == "gen_ai.choice":
            said.append(_choice(body, warn))
        elif name == "gen_ai.content.prompt":
            heard += messages_of(body.get("gen_ai.prompt"), warn)
        elif name == "gen_ai.content.completion":
            said += messages_of(body.get("gen_ai.completion"), warn, "assistant")
    return heard, said


def _choice(body: dict[str, Any], warn: Warner) -> Message:
    """The model's reply, whose message may be an object, a JSON text, or the event itself."""
    inner = unpacked(body.get("message"))
    rest = {key: item for key, item in body.items() if key != "message"}
    words_of = {} if isinstance(inner, dict) else {"content": first_of(inner, body.get("content"))}
    message = message_of({"role": "assistant", **as_dict(inner), **rest, **words_of}, warn)
    if body.get("index") not in (None, 0):  # one of several replies to choose from
        message.text = f"[choice {as_id(body['index'])}] {message.text}"
    return message


def _body(values: dict[str, Json]) -> dict[str, Any]:
    """What an event says, also where its body is one JSON text."""
    body = as_dict(unpacked(values.get("gen_ai.event.content")))
    return {**values, **as_dict(unpacked(values.get("body"))), **body}
