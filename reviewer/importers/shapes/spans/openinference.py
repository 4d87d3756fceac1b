"""OpenInference: the kind of a span, its messages under numbered keys, `input.value` and `output.value`."""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.shorthand import asked_in
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
from reviewer.importers.shapes.spans.span import Attributes, Span, first, grown, unpacked
from reviewer.trace import Json, ToolCall

ROLES: dict[str, Role] = {"LLM": "llm", "TOOL": "tool", "AGENT": "agent", "CHAIN": "agent"}
KINDS = {*ROLES, "RETRIEVER", "RERANKER", "EMBEDDING", "GUARDRAIL", "EVALUATOR", "PROMPT"}
KIND = "openinference.span.kind"
SPEECH = ("llm.input_messages", "llm.output_messages")
# Objects that frameworks put around the words that went in or came out.
WRAPS = ("input", "question", "query", "task", "prompt", "output", "answer", "result", "response", "content",
         "kwargs", "inputs", "outputs")  # fmt: skip


def kind_of_span(span: Span) -> str:
    kind = as_str(span.attributes.get(KIND)) or (span.kind if span.kind.upper() in KINDS else "")
    return kind.upper()


def known(span: Span) -> bool:
    """Whether a span is of this dialect."""
    return bool(kind_of_span(span)) or any(key.startswith(SPEECH) for key in span.attributes)


def read(span: Span, attributes: Attributes, warn: Warner) -> Reading | None:
    if not known(span):
        return None
    kind = kind_of_span(span)
    reading = Reading(ROLES.get(kind, "rest") if kind else "llm")
    attributes.skip(KIND, "input.mime_type", "output.mime_type", "llm.token_count.total")
    attributes.skip_under("llm.tools.", "llm.token_count.total")
    reading.model = reading.asked = attributes.text("llm.model_name", "embedding.model_name")
    reading.tokens_in = attributes.count("llm.token_count.prompt")
    reading.tokens_out = attributes.count("llm.token_count.completion")
    reading.cost = attributes.number("llm.cost.total")
    reading.session = attributes.text("session.id")
    reading.agent = attributes.text("agent.name") or (span.name if kind == "AGENT" else "")
    if reading.role == "tool":
        _tool(span, reading, attributes, warn)
    elif reading.role == "llm":
        _turn(reading, attributes, warn)
    elif reading.role == "agent":
        reading.task = _words(attributes.get("input.value"), warn, "user")
        reading.answer = _words(attributes.get("output.value"), warn, "assistant")
    else:
        reading.text = _other(kind, span, attributes, warn)
    return reading


def _turn(reading: Reading, attributes: Attributes, warn: Warner) -> None:
    reading.heard = _messages(attributes.tree("llm.input_messages"), warn, "user")
    reading.said = _messages(attributes.tree("llm.output_messages"), warn, "assistant")
    prompts = [first_of(as_dict(p).get("prompt"), p) for p in as_list(attributes.tree("llm.prompts"))]
    value, output = attributes.get("input.value"), attributes.get("output.value")
    if not reading.heard:
        reading.heard = [m for prompt in prompts for m in messages_of(_inner(prompt), warn)]
    reading.heard = reading.heard or messages_of(_asked(value), warn)
    if not reading.said:
        reading.said = _replies(output, warn)
    reading.finish = first(message.finish for message in reading.said) or _finish(output)
    reading.task, reading.answer = task_text(reading.heard), answer_text(reading.said)


def _messages(value: Json, warn: Warner, role: str) -> list[Message]:
    whole = [grown(row) if isinstance(row, dict) else row for row in as_list(value)]  # dotted keys in rows
    rows = [first_of(as_dict(row).get("message"), row) for row in whole]
    return [message_of({"role": role, **row}, warn) for row in rows if isinstance(row, dict)]


def _asked(value: Json) -> Json:
    """The messages in the request of a model."""
    inner = unpacked(value)
    return inner if isinstance(inner, dict | list) else value


def _replies(value: Json, warn: Warner) -> list[Message]:
    """The model's reply in its response: choices, generations, a message, an object with a text, words."""
    inner = unpacked(value)
    if isinstance(inner, dict):
        choices = as_list(inner.get("choices")) or as_list(inner.get("messages"))
        if choices:
            return [message_of({"role": "assistant", **as_dict(choice)}, warn) for choice in choices[-1:]]
        generations = as_list(inner.get("generations"))
        while generations and isinstance(generations[0], list):
            generations = generations[0]
        if generations:
            row = as_dict(generations[0])
            return [message_of({"role": "assistant", **as_dict(first_of(row.get("message"), row))}, warn)]
    return messages_of(value, warn, "assistant")


def _finish(value: Json) -> str:
    inner = as_dict(unpacked(value))
    choice = as_dict(next(iter(as_list(inner.get("choices"))), None))
    return first(as_str(part.get(k)) for part in (inner, choice) for k in ("finish_reason", "stop_reason"))


def _tool(span: Span, reading: Reading, attributes: Attributes, warn: Warner) -> None:
    called = first((attributes.text("tool.name"), attributes.text("tool_call.function.name"), span.name))
    attributes.skip("tool.description", "tool.json_schema")
    value = attributes.get("input.value")
    given = first_of(attributes.tree("tool_call.function.arguments"), attributes.tree("tool.parameters"))
    arguments = first_of(unpacked(value) if isinstance(unpacked(value), dict | list) else None, given, value)
    call_id = first(as_id(attributes.get(key)) for key in ("tool_call.id", "tool.id", "tool.call_id"))
    inner = unpacked(attributes.get("output.value"))
    reading.failed = span.failed
    if isinstance(inner, dict) and "tool_call_id" in {*inner, *as_dict(inner.get("kwargs"))}:  # LangChain
        body = {**inner, **as_dict(inner.get("kwargs"))}
        call_id = call_id or as_id(body.get("tool_call_id"))
        reading.failed = reading.failed or body.get("status") == "error"
        reading.result = words(body.get("content"), warn)
    elif inner is not None:
        reading.result = words(attributes.get("output.value"), warn)
    reading.call = ToolCall(called or "unknown", arguments_of(arguments), call_id)


def _other(kind: str, span: Span, attributes: Attributes, warn: Warner) -> str:
    """A span that is neither a turn nor a tool: what it found or judged."""
    parts = []
    if asked := _words(attributes.get("input.value"), warn, "user"):
        parts.append(asked)
    rows = as_list(
        first_of(attributes.tree("retrieval.documents"), attributes.tree("reranker.output_documents"))
    )
    for row in rows:
        document = as_dict(first_of(as_dict(row).get("document"), row))
        score = document.get("score")
        head = " ".join(
            filter(None, (as_id(document.get("id")), "" if score is None else f"({as_id(score)})"))
        )
        parts.append(f"{head}\n{as_str(document.get('content'))}".strip())
        more = {k: v for k, v in document.items() if k not in ("id", "score", "content")}
        if more:
            parts.append(readable(more))
    answer = _words(attributes.get("output.value"), warn, "assistant")
    if answer and not rows:
        parts.append(answer)
    return "\n\n".join(parts)


def _words(value: Json, warn: Warner, role: str) -> str:
    """What went into an agent or came out of it, as words."""
    inner = _inner(value)
    if isinstance(inner, str):
        return inner
    if isinstance(inner, list) or (isinstance(inner, dict) and ("messages" in inner or "role" in inner)):
        found = messages_of(inner, warn, role)
        text = task_text(found) if role == "user" else answer_text(found)
        if text:
            return text
    asked = asked_in(inner) if role == "user" else ""
    return asked or ("" if inner is None else readable(inner))


def _inner(value: Json) -> Json:
    """The words inside the objects around them, where there is exactly one thing inside."""
    value = unpacked(value)
    for _ in range(4):
        inner: dict[str, Any] = as_dict(value)
        if "messages" in inner or "role" in inner:
            return value
        key = next((k for k in WRAPS if inner.get(k) not in (None, "", {}, [])), "")
        others = [k for k in inner if k != key and inner[k] not in (None, "", {}, [])]
        if not key or others:
            return value
        value = unpacked(inner[key])
    return value
