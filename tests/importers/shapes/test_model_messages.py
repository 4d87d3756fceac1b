"""What was said to and by a model, in the dialects of those who log it."""

from __future__ import annotations

from typing import Any

import pytest

from reviewer.importers.shapes.model_messages import recognised, said
from reviewer.importers.shapes.model_parts import Said, unwrapped

ARGS = {"city": "Ulm"}
CALLS: dict[str, Any] = {
    "openai": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "find", "arguments": ARGS}}],
    },
    "completion": {
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "tool_calls": [{"id": "c1", "function": {"name": "find", "arguments": ARGS}}],
                }
            }
        ]
    },
    "responses": {
        "object": "response",
        "instructions": "",
        "output": [
            {"type": "function_call", "id": "fc_9", "call_id": "c1", "name": "find", "arguments": ARGS}
        ],
    },
    "anthropic": {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c1", "name": "find", "input": ARGS}],
    },
    "genai": [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c1", "name": "find", "arguments": ARGS}],
            "finish_reason": "tool_call",
        }
    ],
    "gemini": {
        "content": {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "find", "args": ARGS}}]}
    },
    "vercel": [{"toolCallId": "c1", "toolName": "find", "input": ARGS}],
    "vercel message": {
        "role": "assistant",
        "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "find", "args": ARGS}],
    },
    "langchain": {
        "generations": [
            [
                {
                    "message": {
                        "lc": 1,
                        "type": "constructor",
                        "id": ["x", "AIMessage"],
                        "kwargs": {
                            "content": "",
                            "tool_calls": [{"name": "find", "args": ARGS, "id": "c1", "type": "tool_call"}],
                        },
                    }
                }
            ]
        ]
    },
    "langchain old": {
        "type": "ai",
        "content": "",
        "additional_kwargs": {"tool_calls": [{"id": "c1", "function": {"name": "find", "arguments": ARGS}}]},
    },
}
RESULTS: dict[str, Any] = {
    "openai": {"role": "tool", "tool_call_id": "c1", "content": "12"},
    "responses": [{"type": "function_call_output", "call_id": "c1", "output": "12"}],
    "anthropic": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "12"}]},
    "genai": {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "12"}]},
    "gemini": {
        "role": "user",
        "parts": [{"function_response": {"id": "c1", "name": "find", "response": "12"}}],
    },
    "vercel": {
        "role": "tool",
        "content": [
            {
                "type": "tool-result",
                "toolCallId": "c1",
                "toolName": "find",
                "output": {"type": "text", "value": "12"},
            }
        ],
    },
    "langchain": {"type": "tool", "content": "12", "tool_call_id": "c1", "name": "find", "status": "success"},
}


def heard(value: Any, source: Any = "user") -> list[Said]:
    strange: list[str] = []
    found = said(value, source, strange.append)
    assert not strange
    return found


@pytest.mark.parametrize("dialect", CALLS)
def test_a_call_in_any_dialect(dialect: str) -> None:
    (message,) = heard(CALLS[dialect], "agent")
    assert message.source == "agent"
    assert [(call.name, call.arguments, call.id) for call in message.calls] == [("find", ARGS, "c1")]


@pytest.mark.parametrize("dialect", RESULTS)
def test_a_result_in_any_dialect(dialect: str) -> None:
    (message,) = heard(RESULTS[dialect])
    assert [(result.content, result.call_id, result.error) for result in message.results] == [
        ("12", "c1", False)
    ]


@pytest.mark.parametrize(
    "failed",
    [
        {"type": "tool", "content": "no", "tool_call_id": "c1", "status": "error"},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}],
        },
    ],
)
def test_a_failed_result(failed: Any) -> None:
    assert [result.error for result in heard(failed)[0].results] == [True]


@pytest.mark.parametrize(
    "thinking",
    [
        {"role": "assistant", "content": "Hi", "reasoning_content": "hm"},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hi"}],
        },
        {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "Hi"}]},
        [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]},
        ],
    ],
)
def test_thoughts_are_no_words(thinking: Any) -> None:
    found = heard(thinking, "agent")
    assert "".join(item.reasoning for item in found) == "hm"
    assert "".join(item.text for item in found) == "Hi"


def test_requests_with_their_instructions() -> None:
    asked = {
        "config": {"system_instruction": "Be kind."},
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
    }
    assert [(item.source, item.text) for item in heard(asked)] == [("system", "Be kind."), ("user", "Hi")]
    asked = {"system": "Be kind.", "prompt": "Hi"}
    assert [(item.source, item.text) for item in heard(asked)] == [("system", "Be kind."), ("user", "Hi")]
    asked = {"messages": [[{"type": "system", "content": "Be kind."}, {"type": "human", "content": "Hi"}]]}
    assert [(item.source, item.text) for item in heard(asked)] == [("system", "Be kind."), ("user", "Hi")]


def test_a_call_stands_before_its_result_in_a_bare_list() -> None:
    items = [
        {"role": "user", "content": "Hi"},
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "12"},
    ]
    found = heard(items)
    assert [bool(item.calls) for item in found] == [False, True, False]
    assert [bool(item.results) for item in found] == [False, False, True]


def test_definitions_of_tools_are_not_said_by_a_tool() -> None:
    assert heard([{"role": "tool", "content": {"type": "function", "function": {"name": "find"}}}]) == []


def test_json_of_no_known_shape_is_shown_and_not_recognised() -> None:
    assert heard({"a": 1})[0].text == '{\n "a": 1\n}'
    assert recognised({"a": 1}) == []
    assert recognised("Hi")[0].text == "Hi"


def test_what_is_no_json_stays_a_text() -> None:
    assert unwrapped('"quoted" words') == '"quoted" words'
    assert unwrapped("42") == "42"
    assert unwrapped('"\\"twice\\""') == "twice"
