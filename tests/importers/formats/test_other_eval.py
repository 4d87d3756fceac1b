"""Result files of smaller evaluations: runs with samples as children, newer rows, puppeteer's paths, logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read, read_all, reasons

CALL = {"name": "look", "arguments": '{"n": 1}', "tool_call_id": "c1"}
TALK: list[dict[str, Any]] = [
    {"id": "m1", "message_type": "user_message", "content": "How many?", "date": "2026-01-01T00:00:00Z"},
    {"id": "m2", "message_type": "reasoning_message", "reasoning": "hm", "step_id": "s1"},
    {
        "id": "m2",
        "message_type": "tool_call_message",
        "tool_call": CALL,
        "tool_calls": [CALL],
        "step_id": "s1",
    },
    {
        "id": "m3",
        "message_type": "tool_return_message",
        "tool_return": "no",
        "tool_call_id": "c1",
        "status": "error",
    },
    {"id": "m4", "message_type": "assistant_message", "content": "3", "step_id": "s2"},
]


def result(number: int = 0, score: Any = 1.0, talk: Any = TALK, **more: Any) -> dict[str, Any]:
    sample = {"id": number, "input": f"How many? {number}", "ground_truth": "3"}
    grade = {"score": score, "rationale": "because"}
    value = {"sample": sample, "trajectory": [talk], "submission": "3", "grade": grade, "model_name": "brook"}
    return {"type": "result", "result": {**value, **more}}


def test_samples_are_children_of_the_run(tmp_path: Path) -> None:
    rows = [
        {"type": "header", "suite": "count", "config": {}},
        result(0),
        result(1, 0.5),
        {"type": "summary"},
    ]
    run, first, second = read(put(tmp_path, "x.jsonl", rows))
    assert (run.trace.info.task_id, run.trace.info.n_messages, run.trace.info.n_tool_calls) == (
        "x.jsonl",
        4,
        2,
    )
    assert not run.outcomes
    assert first.trace.info.parent_id == second.trace.info.parent_id == run.trace.info.trace_id
    assert [item.outcomes[0].passed for item in (first, second)] == [True, None]
    assert [item.trace.info.task_id for item in (first, second)] == ["0", "1"]
    assert second.trace.info.parent_step == run.trace.steps[3].stable_id
    assert (first.trace.info.benchmark, first.trace.info.model) == ("count", "brook")


def test_a_lone_sample_is_the_run(tmp_path: Path) -> None:
    imported = one(put(tmp_path, "x.jsonl", [result()]))
    user, calling, answer = imported.trace.steps
    assert (user.message, calling.reasoning, answer.message) == ("How many?", "hm", "3")
    assert [(item.content, item.error) for item in calling.results] == [("no", True)]
    assert calling.source_ids == ("m2#1", "m2#2", "m3#3")
    (outcome,) = imported.outcomes
    assert (outcome.score, outcome.final_state, outcome.expected_state) == (
        1.0,
        {"ground_truth": "3"},
        {"ground_truth": "3"},
    )
    assert (imported.trace.info.ended, imported.trace.info.n_messages) == ("submitted", 1)


def test_the_grade_is_no_part_of_the_trace(tmp_path: Path) -> None:
    first = read(put(tmp_path, "x.jsonl", [result(), result(1)]))
    second = read(put(tmp_path, "y.jsonl", [result(score=0.0), result(1, 0.0, grades={"a": {}})]))
    assert [item.trace.info.content_hash for item in first] == [
        item.trace.info.content_hash for item in second
    ]


def test_rows_that_are_the_result(tmp_path: Path) -> None:
    row = {"sample_id": 4, "agent_id": "a", "trajectory": [TALK], "grades": {}, "model_handle": "lantern"}
    row |= {"reward": {"score": 0.0}, "usage": {"prompt_tokens": 5, "completion_tokens": 1, "cost": 0.5}}
    row |= {"timing": {"total": 2.5}, "error": {"category": "x", "exception_type": "E", "message": "boom"}}
    _, imported = read(put(tmp_path, "x.jsonl", [row, {**row, "sample_id": 5}]))[:2]
    info = imported.trace.info
    assert (info.task_id, info.model, info.ended, info.cost, info.seconds) == (
        "4",
        "lantern",
        "error",
        0.5,
        2.5,
    )
    assert (info.tokens_in, info.task) == (5, "How many?")
    assert imported.trace.steps[-1].message == "E: boom"
    assert imported.outcomes[0].passed is False


def test_what_is_not_known_is_shown(tmp_path: Path) -> None:
    talk = [
        *TALK,
        {"message_type": "odd", "content": "x"},
        {"message_type": "tool_return_message", "tool_return": 1},
        7,
    ]
    (imported,), notes = read_all(put(tmp_path, "x.jsonl", [result(talk=talk)]))
    assert [step.kind for step in imported.trace.steps[3:]] == ["notice"] * 3
    assert "unknown message type 'odd'" in reasons(notes)


def step(**more: Any) -> dict[str, Any]:
    value = {
        "agent": "Critic_brook",
        "action": {"action": "critique", "parameter": ""},
        "cost": 1,
        "tokens": 2,
    }
    return {**value, "result": {"step_data": "weak", "answer": "A"}, "success": "Success", **more}


def test_a_path_of_the_puppeteer(tmp_path: Path) -> None:
    used = step(action={"action": "search", "parameter": "tide"}, success="Failure")
    rows = [step(), used, step(action={"action": "conclude", "parameter": ""})]
    trace = one(put(tmp_path, "path_1.json", rows)).trace
    assert [(item.message, len(item.calls), item.error) for item in trace.steps] == [
        ("weak", 0, False),
        ("", 1, True),
        ("weak", 0, False),
    ]
    assert (trace.info.model, trace.info.ended, trace.info.n_messages) == ("brook", "submitted", 0)
    assert trace.steps[0].extra["answer"] == "A"
    assert one(put(tmp_path, "path_1.jsonl", rows)).trace.info.n_messages == 3


def test_logs_as_plain_text_are_no_traces(tmp_path: Path) -> None:
    path = tmp_path / "trials.txt"
    path.write_text("###\nBEGIN TRIAL 1\nTrial summary: Correct: 1\n" + "Question: x\n" * 9)
    with pytest.raises(NotATrace, match="plain text"):
        open_source(path)
    with pytest.raises(InputError, match="no results"):
        read(put(tmp_path, "x.json", [{"a": 1}]), "other_eval")
