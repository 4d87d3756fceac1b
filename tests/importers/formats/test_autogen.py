"""AutoGen: inverted roles, code that a proxy ran, typed messages and events, recorded calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read

CODE = "Run this.\n```python\nprint(1)\n```"
RAN = "exitcode: 1 (execution failed)\nCode output: \nNameError"
TALK = [
    {"content": "Count the jars.", "role": "user"},
    {"content": CODE, "role": "assistant"},
    {"content": RAN, "role": "user"},
    {"content": "There are 3. TERMINATE", "role": "assistant"},
]
CALL = {"id": "c1", "name": "count", "arguments": "{}"}
DONE = {"content": "3", "name": "count", "call_id": "c1", "is_error": True}


def other(role: str) -> str:
    return "assistant" if role == "user" else "user"


@pytest.mark.parametrize("inverted", [False, True])
def test_the_first_to_speak_is_the_user(tmp_path: Path, inverted: bool) -> None:
    talk = [{**row, "role": other(row["role"]) if inverted else row["role"]} for row in TALK]
    found = one(put(tmp_path, "x.json", {"user_proxy": talk})).trace
    assert [step.source for step in found.steps] == ["user", "agent", "agent"]
    assert (found.info.task, found.info.task_id) == ("Count the jars.", "user_proxy")
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.ended) == (4, 0, "submitted")


def test_what_a_proxy_ran_belongs_to_the_step_that_wrote_it(tmp_path: Path) -> None:
    step = one(put(tmp_path, "x.json", TALK)).trace.steps[1]
    assert [(call.name, call.arguments) for call in step.calls] == [("python", "print(1)\n")]
    assert [(result.error, result.exit_code) for result in step.results] == [(True, 1)]
    assert step.source_ids == ("#1", "#2")


def test_a_trace_for_each_agents_list(tmp_path: Path) -> None:
    found = read(put(tmp_path, "x.json", {"critic": TALK[:2], "coder": TALK}))
    assert [(item.trace.info.task_id, item.trace.info.n_messages) for item in found] == [
        ("critic", 2),
        ("coder", 4),
    ]


def test_a_group_chat_is_told_by_its_names(tmp_path: Path) -> None:
    talk = [
        {"content": "Count the jars.", "role": "user", "name": "Admin"},
        {"content": None, "role": "user", "name": "Counter", "tool_calls": [{"id": "c1", "function": CALL}]},
        {"content": "3", "role": "tool", "tool_responses": [{"tool_call_id": "c1", "content": "Error: 3"}]},
        {"content": "Three.", "role": "user", "name": "Writer"},
    ]
    found = one(put(tmp_path, "x.json", talk)).trace
    assert [step.source for step in found.steps] == ["user", "agent", "agent"]
    assert found.steps[1].results[0].error
    assert found.steps[2].name == "Writer"
    assert found.info.n_tool_calls == 1


def test_a_chat_with_a_model_is_none_of_autogen(tmp_path: Path) -> None:
    importer, _ = open_source(
        put(tmp_path, "x.json", [*TALK[:1], {"role": "assistant", "content": "Three."}])
    )
    assert importer.FORMAT == "openai_chat"


def typed(kind: str, content: Any, source: str = "counter", **more: Any) -> dict[str, Any]:
    return {"type": kind, "content": content, "source": source, **more}


@pytest.mark.parametrize("wrapped", ["list", "messages", "state", "team", "lines"])
def test_typed_messages(tmp_path: Path, wrapped: str) -> None:
    talk = [
        typed("UserMessage", "Count the jars.", "User"),
        typed("AssistantMessage", [CALL], thought="jars first"),
        {"type": "FunctionExecutionResultMessage", "content": [DONE]},
        typed("AssistantMessage", "Three."),
    ]
    value: Any = {
        "list": talk,
        "messages": {"messages": talk},
        "state": {"type": "AssistantAgentState", "llm_context": {"messages": talk}},
        "team": {"type": "TeamState", "agent_states": {"manager": {"message_thread": talk}}},
        "lines": talk,
    }[wrapped]
    found = one(put(tmp_path, "x.jsonl" if wrapped == "lines" else "x.json", value)).trace
    assert [step.source for step in found.steps] == ["user", "agent", "agent"]
    assert found.steps[1].reasoning == "jars first"
    assert found.steps[1].results[0].error
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.task) == (4, 1, "Count the jars.")


def test_events_of_a_team(tmp_path: Path) -> None:
    talk = [
        typed("TextMessage", "Count.", "user"),
        typed("ThoughtEvent", "jars first"),
        typed("ToolCallRequestEvent", [CALL], models_usage={"prompt_tokens": 5, "completion_tokens": 2}),
        typed("ToolCallExecutionEvent", [{**DONE, "is_error": False}]),
        typed("ToolCallSummaryMessage", "3"),
        typed("ModelClientStreamingChunkEvent", "Thr"),
        typed("ModelClientStreamingChunkEvent", "ee."),
        typed("TextMessage", "Three."),
        typed("UserInputRequestedEvent", "", "user"),
    ]
    value = {"messages": talk, "stop_reason": "Maximum number of turns 3 reached."}
    found = one(put(tmp_path, "x.json", value)).trace
    assert [(step.source, step.message) for step in found.steps] == [
        ("user", "Count."),
        ("agent", ""),
        ("agent", "Three."),
        ("system", "UserInputRequestedEvent"),
    ]
    assert found.steps[1].reasoning == "jars first"
    assert (found.info.tokens_in, found.info.ended, found.info.n_messages) == (5, "limit", 9)


def test_recorded_calls(tmp_path: Path) -> None:
    def record(messages: list[Any], content: Any) -> dict[str, Any]:
        reply = {"content": content, "finish_reason": "stop", "usage": {"prompt_tokens": 4}}
        return {"mode": "create", "messages": messages, "response": reply, "stream": []}

    ask = typed("UserMessage", "Count.", "User")
    made = typed("AssistantMessage", [CALL])
    told = {"type": "FunctionExecutionResultMessage", "content": [DONE]}
    rows = [record([ask], [CALL]), record([ask, made, told], "Three."), record([ask], "3")]
    found = one(put(tmp_path, "x.json", rows)).trace
    assert [(step.source, step.message) for step in found.steps] == [
        ("user", "Count."),
        ("agent", ""),
        ("agent", "Three."),
        ("user", "Count."),
        ("agent", "3"),
    ]
    assert [result.content for result in found.steps[1].results] == ["3"]
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.tokens_in) == (3, 1, 12)
