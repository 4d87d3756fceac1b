"""Whatever stands in spans, events and chats: traces come out, or an `InputError` of one line."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.importers.test_any_bytes import KEYS, LEAVES, SMALL, TEXTS, _consume, _fuzz

NAMES = """
    gen_ai.operation.name gen_ai.input.messages gen_ai.output.messages gen_ai.prompt.0.role gen_ai.tool.name
    gen_ai.completion.0.tool_calls.0 gen_ai.response.finish_reasons gen_ai.system_instructions
    openinference.span.kind input.value output.value llm.input_messages.0.message.role llm.output_messages
    retrieval.documents ai.operationId ai.prompt.messages ai.response.toolCalls ai.toolCall.result ai.prompt
    events traceId spanId parts toolCallId tool_call message messages toolRequests sessionId success kind
    callId output usage inputTokens kwargs function_response choices generations
"""
KINDS = """
    chat execute_tool invoke_agent LLM TOOL CHAIN RETRIEVER gen_ai.choice gen_ai.user.message exception
    ai.toolCall ai.generateText ai.generateText.doGenerate tool_call tool_call_response reasoning blob tool
"""
KEY = st.sampled_from(NAMES.split()) | KEYS
KIND = TEXTS | st.sampled_from(KINDS.split())
NESTED = st.recursive(
    LEAVES | KIND,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=8,
)
TOLD = st.dictionaries(KEY, NESTED | NESTED.map(json.dumps), max_size=6)
EVENT = st.fixed_dictionaries({"name": KIND, "attributes": TOLD})
SPAN = st.fixed_dictionaries(
    {
        "traceId": st.sampled_from(["t", "u"]) | SMALL,
        "spanId": st.sampled_from(["1", "2"]) | SMALL,
        "attributes": TOLD | SMALL,
    },
    optional={
        "parentSpanId": st.sampled_from(["1", "2"]) | SMALL,
        "events": st.lists(EVENT, max_size=2) | NESTED,
        "status": SMALL | st.just({"code": 2, "message": "no"}),
        "name": KIND | SMALL,
        "startTime": SMALL,
        "startTimeUnixNano": SMALL | st.just("1770000000000000000"),
        "duration": SMALL,
        "annotations": NESTED,
        "span_kind": KIND | SMALL,
        "spanContext": st.just({"traceId": "t", "spanId": "1"}) | SMALL,
    },
)
SESSION = """
    session.start user.message assistant.message tool.execution_start tool.execution_complete
    subagent.started session.shutdown session.snapshot_rewind assistant.usage skill.invoked abort odd
"""
ROW = st.fixed_dictionaries(
    {"type": st.sampled_from(SESSION.split()), "data": TOLD | SMALL},
    optional={"id": TEXTS | SMALL, "agentId": SMALL | TEXTS, "timestamp": SMALL},
)
HARNESS = """
    turn-start step-start step-finish tool-start tool-end turn-finish error diagnostic odd
"""
TURN = st.fixed_dictionaries(
    {"kind": st.sampled_from(HARNESS.split()), "ts": SMALL, "callId": SMALL},
    optional={"input": NESTED, "output": NESTED, "usage": NESTED, "toolCallId": SMALL, "diagnostic": NESTED},
)
PART = st.tuples(
    st.dictionaries(
        st.sampled_from(["text", "state", "output", "toolCallId", "approval", "url", "input"]), NESTED
    ),
    st.sampled_from(["text", "tool-x", "file", "step-start", "data-x", "source-url", "tool-invocation"]),
).map(lambda pair: {"text": "", **pair[0], "type": pair[1]})
CHAT = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]) | SMALL, "id": SMALL},
    optional={"parts": st.lists(PART, min_size=1, max_size=3), "metadata": NESTED},
)


@_fuzz(300)
@given(
    st.lists(SPAN | TOLD, max_size=4)
    | st.lists(ROW, max_size=5)
    | st.lists(TURN, max_size=5)
    | st.lists(CHAT, max_size=3)
)
def test_spans_and_events(rows: list[Any]) -> None:
    _consume(json.dumps(rows).encode())
    _consume("\n".join(map(json.dumps, rows)).encode())
