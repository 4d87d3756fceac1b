"""Rows of several APIs in one file, and requests with their responses in whatever is around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.shapes.exchanges import body, dialect, opened
from tests.importers.reading import one, put, read, read_all

ASK = {"role": "user", "content": "Where is the ladder?"}
SAID = {"role": "assistant", "content": "In the shed."}
WORDS: dict[str, Any] = {"model": "brook-large", "messages": [ASK, SAID]}
CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"what": "ladder"}'}}
CHAT: dict[str, Any] = {
    "model": "brook-large",
    "messages": [
        ASK,
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "shed"},
    ],
}
BLOCKS: dict[str, Any] = {
    "model": "lantern-mini",
    "messages": [
        ASK,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "find", "input": {}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}],
        },
    ],
}
REPLY = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": "Hm."}]}
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "model": "brook-large",
    "output": [{"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"}],
}
CHOICES = {
    "id": "chatcmpl-1",
    "model": "brook-large-0601",
    "choices": [
        {"finish_reason": "length", "message": {"role": "assistant", "content": "In", "tool_calls": [CALL]}}
    ],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3},
}
OF: dict[str, Any] = {"openai_chat": CHAT, "anthropic_messages": BLOCKS, "openai_responses": RESPONSE}


@pytest.mark.parametrize(("name", "row"), [*OF.items(), ("", WORDS), ("anthropic_messages", REPLY)])
def test_whose_a_record_is(name: str, row: Any) -> None:
    assert dialect(row) == name
    assert dialect({"request": {"body": json.dumps(row)}}) == (name if "messages" in row else "")
    assert dialect({"request": {"messages": [ASK]}, "response": {"json": CHOICES}}) == "openai_chat"


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "x",
        [],
        [3],
        {},
        {"messages": 3},
        {"response": [3]},
        {"messages": [{"role": []}, {"content": [[]]}]},
    ],
)
def test_what_is_of_no_api(value: Any) -> None:
    assert dialect(value) == ""
    assert body(value) == (value if isinstance(value, dict) else {})


@pytest.mark.parametrize("most", OF)
@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_each_row_is_read_by_what_it_is(tmp_path: Path, most: str, name: str) -> None:
    rows = [{**OF[most], "id": f"resp_{n}"} for n in range(4)]
    rows[1:1] = [WORDS, *(row for format, row in OF.items() if format != most)]
    found, notes = read_all(put(tmp_path, name, rows))
    others = [format for format in OF if format != most]
    known = {item.trace.info.format: item.trace for item in found}
    assert set(known) == {most, *others}
    places = [item.trace.info.source_index for item in found]
    assert places == sorted(set(places))
    calls = {format: trace.info.n_tool_calls for format, trace in known.items() if trace.steps[-1].calls}
    assert calls == dict.fromkeys(OF, 1)
    assert known["anthropic_messages"].steps[-1].results[0].error
    assert sum(item.trace.info.format == most for item in found) >= 4
    assert not [note for note in notes if "JSON" in note.reason or "role" in note.reason]


def test_a_row_of_another_api_far_down_in_a_large_file(tmp_path: Path) -> None:
    rows = [{**WORDS, "id": n} for n in range(300)]
    found = read(put(tmp_path, "x.jsonl", [*rows, BLOCKS]))
    assert [item.trace.info.format for item in found[-2:]] == ["openai_chat", "anthropic_messages"]
    assert (found[-1].trace.info.task_id, found[-1].trace.info.n_errors) == ("300", 1)


@pytest.mark.parametrize(
    "record",
    [
        {"request": CHAT, "response": CHOICES},
        {"request": {"body": CHAT}, "response": {"status_code": 200, "body": CHOICES}},
        {"request": {"method": "POST", "body": json.dumps(CHAT)}, "response": {"body": json.dumps(CHOICES)}},
        {"custom_id": "q", "method": "POST", "url": "/v1", "body": CHAT, "response": CHOICES},
    ],
)
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "list.json"])
def test_a_request_and_its_response(tmp_path: Path, record: Any, name: str) -> None:
    value = record if name == "x.json" else [record]
    info = (trace := one(put(tmp_path, name, value)).trace).info
    assert (info.format, info.task, info.model) == ("openai_chat", "Where is the ladder?", "brook-large")
    assert (info.n_messages, info.n_tool_calls, info.ended) == (4, 2, "limit")
    assert (info.tokens_in, info.tokens_out) == (7, 3)
    assert [step.message for step in trace.steps] == ["Where is the ladder?", "", "In"]
    assert json.loads(trace.raw) == record


def test_the_output_of_a_batch(tmp_path: Path) -> None:
    rows: list[Any] = [
        {
            "id": f"b{n}",
            "custom_id": f"q{n}",
            "response": {"status_code": 200, "body": CHOICES},
            "error": None,
        }
        for n in (1, 2)
    ]
    rows.append({"id": "b3", "custom_id": "q3", "response": None, "error": {"message": "expired"}})
    found, notes = read_all(put(tmp_path, "out.jsonl", rows))
    assert [item.trace.info.task_id for item in found] == ["q1", "q2"]
    assert [item.trace.info.n_messages for item in found] == [1, 1]
    assert len(notes) == 1
    for row in rows[:2]:
        row["response"] = {"status_code": 200, "body": RESPONSE}
    found = read(put(tmp_path, "responses.jsonl", rows[:2]))
    assert [item.trace.info.format for item in found] == ["openai_responses"] * 2


@pytest.mark.parametrize(
    "given", ["Where?", [{"role": "user", "content": [{"type": "input_text", "text": "Where?"}]}]]
)
def test_a_request_whose_response_was_kept_in_part(tmp_path: Path, given: Any) -> None:
    record = {
        "recorded": "2026-01-01",
        "request": {"model": "brook-large", "input": given},
        "response": {"id": "resp_1", "status": "completed", "model": "brook-large-0601"},
    }
    info = one(put(tmp_path, "x.json", record)).trace.info
    assert (info.format, info.model, info.task, info.n_messages) == (
        "openai_responses",
        "brook-large",
        "Where?",
        1,
    )


def test_a_completion_alone(tmp_path: Path) -> None:
    info = one(put(tmp_path, "x.json", CHOICES)).trace.info
    assert (info.n_messages, info.n_tool_calls, info.n_steps) == (1, 1, 1)


def test_blocks_in_a_chat_that_a_gateway_passed_on(tmp_path: Path) -> None:
    """The request in Anthropic's words, the response in OpenAI's."""
    trace = one(put(tmp_path, "x.json", {"request": BLOCKS, "response": CHOICES})).trace
    assert (trace.info.format, trace.info.n_tool_calls) == ("openai_chat", 2)
    assert [(len(step.calls), len(step.results)) for step in trace.steps] == [(0, 0), (1, 1), (1, 0)]
    assert trace.steps[1].results[0].error


def test_blocks_of_bedrock(tmp_path: Path) -> None:
    talk = [
        {"role": "user", "content": [{"text": "Where is the ladder?"}]},
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "I look.", "signature": "s"}}},
                {"text": "Looking."},
                {"toolUse": {"toolUseId": "a", "name": "find", "input": {"what": "ladder"}}},
                {"toolUse": {"toolUseId": "b", "name": "ask", "input": {}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "b", "content": [{"json": {"n": 1}}], "status": "error"}},
                {"toolResult": {"toolUseId": "a", "content": [{"text": "shed"}], "status": "success"}},
                {"text": "Go on."},
            ],
        },
    ]
    found, notes = read_all(put(tmp_path, "x.json", {"modelId": "brook-large", "messages": talk}))
    (trace,) = (item.trace for item in found)
    assert (trace.info.format, trace.info.n_messages, trace.info.n_tool_calls) == ("openai_chat", 3, 2)
    assert trace.info.model == "brook-large"
    agent = trace.steps[1]
    assert (agent.message, agent.reasoning) == ("Looking.", "I look.")
    assert [(call.name, call.arguments) for call in agent.calls] == [
        ("find", {"what": "ladder"}),
        ("ask", {}),
    ]
    assert [(r.call_id, r.content, r.error) for r in agent.results] == [
        ("b", '{\n "n": 1\n}', True),
        ("a", "shed", False),
    ]
    assert trace.steps[2].message == "Go on."
    assert not notes


def test_what_is_around_a_chat_stays_with_it() -> None:
    row = {"request": {"messages": [ASK], "temperature": 0}, "response": CHOICES, "cost": 0.5, "user": "u"}
    assert opened(row) == {"messages": [ASK], "temperature": 0, "response": CHOICES, "cost": 0.5, "user": "u"}
    assert opened({"messages": [ASK], "n": 1}) == {"messages": [ASK], "n": 1}
