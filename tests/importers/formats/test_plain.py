"""The plain JSON that people write by hand: what is read, what is kept, what is a grade."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read, read_all, reasons

FULL: dict[str, Any] = {
    "task": "Close ticket 9",
    "trajectory": [
        {
            "step": 1,
            "thought": "look",
            "action": {"tool": "get", "arguments": {"n": 9}},
            "observation": {"open": True},
        },
        {
            "step": 7,
            "thought": "close",
            "action": "close(9)",
            "result": "boom",
            "error": True,
            "mood": "calm",
        },
        "and that is it",
    ],
    "final_state": {"9": "open"},
    "expected_state": {"9": "closed"},
    "id": "mg-1",
    "benchmark": "desk",
    "model": "m",
    "agent": "a",
    "attempt": 2,
    "ended": "limit",
    "passed": False,
    "score": 0.25,
    "seed": 4,
}


def test_everything_that_is_known_is_read(tmp_path: Path) -> None:
    imported = one(put(tmp_path, "x.json", FULL))
    info, (first, second, third) = imported.trace.info, imported.trace.steps
    assert (info.task, info.task_id, info.benchmark, info.model, info.agent) == (
        "Close ticket 9",
        "mg-1",
        "desk",
        "m",
        "a",
    )
    assert (info.attempt, info.ended, info.meta["seed"]) == (2, "limit", 4)
    assert (info.n_messages, info.n_tool_calls, info.n_steps, info.n_errors) == (3, 2, 3, 1)
    assert (first.reasoning, first.calls[0].name, first.calls[0].arguments) == ("look", "get", {"n": 9})
    assert json.loads(first.results[0].content) == {"open": True}
    assert (first.number, second.number) == ("", "7")
    assert (second.calls[0].name, second.calls[0].arguments) == ("close", "close(9)")
    assert (second.results[0].content, second.error, dict(second.extra)) == ("boom", True, {"mood": "calm"})
    assert third.message == "and that is it"
    (outcome,) = imported.outcomes
    assert (outcome.passed, outcome.score, outcome.origin) == (False, 0.25, "file")
    assert (outcome.final_state, outcome.expected_state) == ({"9": "open"}, {"9": "closed"})


def test_a_new_grade_is_no_new_trace(tmp_path: Path) -> None:
    old = one(put(tmp_path, "x.json", FULL))
    new = one(put(tmp_path, "y.json", {**FULL, "passed": True, "score": 1, "expected_state": None}))
    assert (old.trace.info.trace_id, old.trace.info.content_hash) == (
        new.trace.info.trace_id,
        new.trace.info.content_hash,
    )
    assert new.outcomes[0].passed is True
    other = one(put(tmp_path, "z.json", {**FULL, "attempt": 3}))
    assert other.trace.info.trace_id != old.trace.info.trace_id


def test_chat_messages(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1'}}
    talk = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": [{"type": "text", "text": "the task"}]},
        {"role": "assistant", "content": None, "tool_calls": [call, {**call, "id": "c2"}]},
        {"role": "tool", "tool_call_id": "c2", "content": "two"},
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "assistant", "content": "done"},
    ]
    for key in ("messages", "trajectory"):
        trace = one(put(tmp_path, "x.json", {key: talk, "id": 1})).trace
        assert [step.source for step in trace.steps] == ["system", "user", "agent", "agent"]
        assert [(r.call_id, r.content) for r in trace.steps[2].results] == [("c2", "two"), ("c1", "one")]
        assert trace.steps[2].calls[0].arguments == '{"a": 1'
        assert (trace.info.task, trace.info.task_id) == ("the task", "1")
        assert (trace.info.n_messages, trace.info.n_tool_calls) == (6, 2)


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_several_in_one_file(tmp_path: Path, name: str) -> None:
    rows = [{"messages": [{"role": "user", "content": f"k{n}"}], "id": f"k{n}"} for n in range(3)]
    found = read(put(tmp_path, name, rows))
    assert [item.trace.info.task_id for item in found] == ["k0", "k1", "k2"]
    assert [item.trace.info.source_index for item in found] == [0, 1, 2]
    assert [json.loads(item.trace.raw) for item in found] == rows


def test_ids_of_other_types_are_other_traces(tmp_path: Path) -> None:
    ids = [1, "1", 1.0, "01", " 1", True, "caf\u00e9", "cafe\u0301", "", None]
    rows = [{"id": item, "messages": [{"role": "user", "content": "x"}]} for item in ids]
    found = read(put(tmp_path, "x.jsonl", rows))
    assert len({item.trace.info.trace_id for item in found}) == len(ids)


def test_the_same_record_twice_is_one_trace_and_told(tmp_path: Path) -> None:
    row = {"task": "t", "trajectory": ["a"]}
    found, notes = read_all(put(tmp_path, "x.jsonl", [row, row, {**row, "passed": True}]))
    assert [len(item.outcomes) for item in found] == [0, 1]
    assert len({item.trace.info.trace_id for item in found}) == 1
    assert "duplicate" in reasons(notes)


def test_a_bad_row_costs_that_row(tmp_path: Path) -> None:
    rows = [
        {"task": "t", "trajectory": ["a"]},
        {"task": "u", "trajectory": "no list"},
        7,
        {"task": "v", "steps": ["b"]},
    ]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.task for item in found] == ["t", "v"]
    assert {note.line for note in notes} == {2, 3}
    assert "trajectory is a text" in reasons(notes)


@pytest.mark.parametrize(
    ("entry", "calls"),
    [
        ({"action": "ls -la"}, [("action", "ls -la")]),
        ({"action": "  "}, []),
        ({"action": {"name": "f", "args": [1]}}, [("f", [1])]),
        ({"action": {"tool": "f", "path": "x"}}, [("f", {"path": "x"})]),
        ({"action": {"verb": "go"}}, [("action", {"verb": "go"})]),
        ({"action": ["a(1)", {"tool": "b"}]}, [("a", "a(1)"), ("b", {})]),
        ({"action": 5}, [("action", 5)]),
        ({"action": False}, [("action", False)]),
    ],
)
def test_actions(tmp_path: Path, entry: Any, calls: list[Any]) -> None:
    (step,) = one(put(tmp_path, "x.json", {"task": "t", "trajectory": [entry]})).trace.steps
    assert [(call.name, call.arguments) for call in step.calls] == calls


def test_nothing_that_is_written_is_lost(tmp_path: Path) -> None:
    odd = {
        "step": {"deep": 1},
        "thought": ["a", 5],
        "observation": 0,
        "result": "also",
        "tool_calls": "none",
        "role": 9,
        "error": {"code": 7},
        "exit_code": "often",
        "timestamp": "yesterday",
        "cost": "cheap",
        "new": None,
    }
    value = {
        "task": 5,
        "trajectory": [odd, None, 3],
        "ended": "badly",
        "attempt": "x",
        "passed": "yes",
        "score": "A",
    }
    imported = one(put(tmp_path, "x.json", value))
    shown = repr((imported.trace.steps, imported.trace.info, imported.outcomes))
    for words in (
        "deep",
        "also",
        "none",
        "often",
        "yesterday",
        "cheap",
        "badly",
        "'attempt': 'x'",
        "'yes'",
        "'A'",
    ):
        assert words in shown
    assert imported.outcomes[0].passed is None
    assert imported.trace.info.task == "5"
    assert imported.trace.steps[0].results[0].content == "0"


def test_infinite_numbers_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(
        '{"task": "t", "trajectory": [{"action": "f(1e400)"}], "final_state": {"n": 1e400}, "score": NaN}'
    )
    imported = one(path)
    assert imported.outcomes[0].final_state == {"n": float("inf")}
    assert str(imported.outcomes[0].score) == "nan"
    assert "1e400" in imported.trace.raw


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"role": "user", "content": "x"}], "info": {"id": 1}},
        {"messages": [{"type": "UserMessage", "content": "x", "source": "user"}]},
        {"traj": [], "task_id": 1, "task": "x", "messages": [{"role": "user", "content": "x"}]},
    ],
)
def test_what_is_not_ours_is_left_alone(tmp_path: Path, value: Any) -> None:
    try:
        importer, _ = open_source(put(tmp_path, "x.json", value))
    except InputError as error:
        assert "unknown format" in str(error)
    else:
        assert importer.FORMAT != "plain"


@pytest.mark.parametrize(
    ("value", "format"),
    [
        ({"trajectory": [{"action": "x"}], "history": [], "info": {}}, "swe_agent"),
        ({"schema_version": "ATIF-v1.5", "steps": [{"step_id": 1}], "task": "t"}, "atif"),
        ([{"role": "user", "content": "x"}], "openai_chat"),
        ({"messages": [{"role": "user", "content": "x"}], "id": 1}, "openai_chat"),
        ({"messages": [{"role": "user", "content": "x"}], "passed": True}, "plain"),
        ({"messages": [{"role": "user", "content": "x"}], "task": "t"}, "plain"),
    ],
)
def test_other_formats_are_left_alone(tmp_path: Path, value: Any, format: str) -> None:
    importer, _ = open_source(put(tmp_path, "x.json", value))
    assert format == importer.FORMAT


def test_keys_that_people_add_do_not_hide_a_trace(tmp_path: Path) -> None:
    value = {"task": "t", "trajectory": [{"action": "x"}], "info": {"a": 1}, "history": [], "log": "l"}
    meta = one(put(tmp_path, "x.json", {k: v for k, v in value.items() if k != "history"})).trace.info.meta
    assert dict(meta) == {"info": {"a": 1}, "log": "l"}
