"""The AI SDK's own spans: `ai.generateText`, `ai.streamText.doStream`, `ai.toolCall`, with `ai.*` attributes.

An outer span (`ai.generateText`) wraps the model's turns (`ai.generateText.doGenerate`) and the tools.
"""

from __future__ import annotations

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.importers.shapes.spans.messages import (
    Message,
    Warner,
    arguments_of,
    call_of,
    first_of,
    messages_of,
    words,
)
from reviewer.importers.shapes.spans.reading import Reading, answer_text, task_text
from reviewer.importers.shapes.spans.span import Attributes, Span, unpacked
from reviewer.trace import ToolCall

INNER = (".doGenerate", ".doStream")
OTHER = ("ai.embed", "ai.rerank", "ai.transcribe", "ai.generateImage", "ai.generateSpeech")
# Said once more by the attributes that are read.
QUIET_UNDER = (
    "gen_ai.usage.",
    "gen_ai.response.",
    "gen_ai.request.model",
    "gen_ai.system",
    "ai.prompt.tools",
    "ai.prompt.toolChoice",
)
QUIET = ("ai.operationId", "operation.name", "ai.usage.totalTokens", "ai.usage.tokens", "ai.model.id")


def operation(span: Span) -> str:
    """The operation, as the SDK calls it; earlier versions have it in the span's name only."""
    named = as_str(span.attributes.get("ai.operationId")) or span.name
    return named.split(" ", 1)[0] if named.startswith("ai.") else ""


def known(span: Span) -> bool:
    """Whether a span is of this dialect."""
    return bool(operation(span)) and any(key.startswith("ai.") for key in span.attributes)


def read(span: Span, attributes: Attributes, warn: Warner) -> Reading | None:
    name = operation(span)
    if not known(span):
        return None
    reading = Reading("llm")
    reading.asked = attributes.text("ai.model.id", "gen_ai.request.model")
    reading.model = attributes.text("ai.response.model", "gen_ai.response.model")
    attributes.skip(*QUIET)
    reading.session = attributes.text("ai.telemetry.metadata.sessionId", "session.id")
    reading.agent = attributes.text("ai.telemetry.functionId", "resource.name")
    reading.tokens_in = attributes.count("ai.usage.inputTokens", "ai.usage.promptTokens")
    reading.tokens_out = attributes.count("ai.usage.outputTokens", "ai.usage.completionTokens")
    if reading.tokens_in is None:
        reading.tokens_in = attributes.count("gen_ai.usage.input_tokens")
        reading.tokens_out = attributes.count("gen_ai.usage.output_tokens")
    attributes.skip_under(*QUIET_UNDER)
    if name == "ai.toolCall":
        reading.role = "tool"
        reading.call = ToolCall(
            attributes.text("ai.toolCall.name") or "unknown",
            arguments_of(first_of(attributes.tree("ai.toolCall.args"), attributes.tree("ai.toolCall.input"))),
            as_id(attributes.get("ai.toolCall.id")),
        )
        result = first_of(attributes.get("ai.toolCall.result"), attributes.get("ai.toolCall.output"))
        reading.result = None if result is None else words(result, warn)
        reading.failed = span.failed
        return reading
    if name.startswith(OTHER):
        reading.role = "rest"
        value = first_of(attributes.get("ai.value"), attributes.get("ai.values"))
        attributes.skip("ai.embedding", "ai.embeddings")
        reading.text = "\n".join(
            words(part, warn) for part in (value if isinstance(value, list) else [value])
        )
        reading.outer = "" if name.endswith((".doEmbed", ".doRerank")) else name
        return reading
    if not name.endswith(INNER):
        reading.outer = name
    _turn(reading, attributes, warn)
    return reading


def _turn(reading: Reading, attributes: Attributes, warn: Warner) -> None:
    whole = unpacked(attributes.get("ai.prompt"))
    listed = attributes.get("ai.prompt.messages")
    if isinstance(whole, dict) and listed is None:
        system = messages_of(whole.get("system"), warn, "system")
        rest = first_of(whole.get("messages"), whole.get("prompt"))
        reading.heard = [*system, *messages_of(rest, warn)]
    elif listed is not None:
        reading.heard = messages_of(listed, warn)
    elif whole is not None:
        reading.heard = messages_of(whole, warn)
    message = Message("agent")
    message.say(as_str(first_of(attributes.get("ai.response.text"), attributes.get("ai.result.text"))))
    made = first_of(attributes.get("ai.response.object"), attributes.get("ai.result.object"))
    message.say("" if made is None else made if isinstance(made, str) else words(made, warn))
    thought = unpacked(attributes.get("ai.response.reasoning"))
    for part in thought if isinstance(thought, list) else [thought]:
        message.think(as_str(first_of(as_dict(part).get("text"), part)))
    for key in ("ai.response.toolCalls", "ai.result.toolCalls"):
        message.calls += [call_of(call) for call in as_list(unpacked(attributes.get(key)))]
    reading.finish = attributes.text("ai.response.finishReason", "ai.finishReason")
    if not message.empty:
        reading.said = [message]
    reading.task, reading.answer = task_text(reading.heard), answer_text(reading.said)
