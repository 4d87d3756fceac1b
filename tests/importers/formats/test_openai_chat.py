"""Chats in OpenAI's shape: which files they are, raw arguments, replies of logs, one identity with plain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read, read_all, reasons

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1'}}
TALK: list[Any] = [
    {"role": "developer", "content": "be kind"},
    {"role": "user", "content": [{"type": "text", "text": "the task"}]},
    {"role": "assistant", "content": None, "tool_calls": [CALL], "refusal": None, "annotations": []},
    {"role": "tool", "tool_call_id": "c1", "content": "one"},
    {"role": "assistant", "content": "done"},
]


def test_a_chat(tmp_path: Path) -> None:
    for value in (TALK, {"messages": TALK}, {"messages": TALK, "tools": [{"type": "function"}]}):
        trace = one(put(tmp_path, "x.json", value)).trace
        assert trace.info.format == "openai_chat"
        assert [step.source for step in trace.steps] == ["system", "user", "agent", "agent"]
        assert trace.steps[2].calls[0].arguments == '{"a": 1'
        assert trace.steps[2].results[0].content == "one"
        assert dict(trace.steps[2].extra) == {}
        assert (trace.info.task, trace.info.task_id) == ("the task", "x.json")
        assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.ended) == (5, 1, "unknown")
        assert json.loads(trace.raw) == value


def test_the_old_way_to_call(tmp_path: Path) -> None:
    talk = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": None, "function_call": {"name": "g", "arguments": "{}"}},
        {"role": "function", "name": "g", "content": "two"},
    ]
    trace = one(put(tmp_path, "x.json", {"messages": talk})).trace
    assert (trace.info.n_tool_calls, len(trace.steps)) == (1, 2)
    assert (trace.steps[1].calls[0].name, trace.steps[1].results[0].content) == ("g", "two")


@pytest.mark.parametrize(
    ("reason", "ended"), [("stop", "unknown"), ("length", "limit"), ("content_filter", "refused")]
)
def test_a_log_keeps_the_reply_beside_the_messages(tmp_path: Path, reason: str, ended: str) -> None:
    choice = {
        "finish_reason": reason,
        "message": {"role": "assistant", "content": "bye", "tool_calls": [CALL]},
    }
    response = {"model": "m", "choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    value = {"messages": TALK, "response": response, "cost": 0.5, "timestamp": 1757015046.5, "latency_sec": 2}
    info = one(put(tmp_path, "x.json", value)).trace.info
    assert (info.n_messages, info.n_tool_calls, info.n_steps) == (5, 1, 5)
    assert (info.model, info.tokens_in, info.tokens_out, info.cost) == ("m", 7, 3, 0.5)
    assert (info.ended, info.seconds, info.started) == (ended, 2.0, "2025-09-04T19:44:06.500Z")


def test_a_refusal_is_what_was_said(tmp_path: Path) -> None:
    talk = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": None, "refusal": "I will not."},
    ]
    trace = one(put(tmp_path, "x.json", talk)).trace
    assert (trace.steps[1].message, trace.info.ended) == ("I will not.", "refused")


def test_a_grade_that_is_added_later_keeps_the_trace(tmp_path: Path) -> None:
    value = {"id": "k", "messages": TALK}
    chat = one(put(tmp_path, "x.json", value))
    graded = one(put(tmp_path, "y.json", {**value, "passed": False}))
    assert (chat.trace.info.format, graded.trace.info.format) == ("openai_chat", "plain")
    assert chat.trace.info.trace_id == graded.trace.info.trace_id
    assert chat.trace.info.content_hash == graded.trace.info.content_hash
    mixed = [{"id": n, "messages": TALK} for n in range(50)] + [{"id": "k", "messages": TALK, "passed": True}]
    found = read(put(tmp_path, "z.jsonl", mixed))
    assert found[-1].outcomes[0].passed is True
    assert found[-1].trace.info.trace_id == chat.trace.info.trace_id


def test_lines_of_bare_lists_and_bad_lines(tmp_path: Path) -> None:
    path = put(tmp_path, "x.jsonl", [TALK, {"messages": TALK}, {"messages": "none"}, 7])
    with path.open("a") as file:
        file.write('{"messages": [')
    importer, source = open_source(path)
    found = list(importer.read(source))
    assert [item.trace.info.task_id for item in found] == ["0", "1"]
    assert source.lost == 3
    assert "is a text" in reasons(source.notes())


def test_a_chat_that_is_one_text(tmp_path: Path) -> None:
    rows = [{"messages_display": "user: hi\nthere\nassistant: None\ntool: found\nassistant: ok"}] * 2
    rows[1] = {"messages_display": "user: other"}
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [step.source for step in found[0].trace.steps] == ["user", "agent", "system", "agent"]
    assert found[0].trace.steps[0].message == "hi\nthere"
    assert (found[0].trace.info.n_messages, found[0].trace.info.n_tool_calls) == (0, 0)
    assert "cut where a line names a speaker" in reasons(notes)


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "user", "content": "x", "ts": 1}],
        [
            {"role": "assistant", "content": "x", "name": "planner"},
            {"role": "user", "content": "y", "name": "b"},
        ],
        [{"role": "WebSurfer", "content": "x"}, {"role": "human", "content": "y"}],
        {"messages": TALK, "sessionId": "s", "projectHash": "p"},
    ],
)
def test_relatives_are_left_alone(tmp_path: Path, value: Any) -> None:
    path = put(tmp_path, "x.json", value)
    try:
        importer, _ = open_source(path)
    except InputError as error:
        assert "unknown format" in str(error)
    else:
        assert importer.FORMAT != "openai_chat"
