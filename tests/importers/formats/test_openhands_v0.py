"""OpenHands V0: layouts of rows, pairing, delegates, what is injected, how runs end, grades and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

HERE = SAMPLES / "openhands_v0"
TASK = {"action": "message", "source": "user", "args": {"content": "Mend it."}, "message": ""}


def act(id: int, action: str = "run", reply: str = "", tool: str = "", **args: Any) -> dict[str, Any]:
    event: dict[str, Any] = {"id": id, "source": "agent", "action": action, "args": args}
    event["timestamp"] = f"2025-01-01T00:00:{id:02d}"
    if tool:
        event["tool_call_metadata"] = {
            "function_name": "execute_bash",
            "tool_call_id": tool,
            "model_response": {
                "id": reply,
                "model": "brook",
                "choices": [{"message": {"content": "I run."}}],
            },
        }
    return event


def obs(id: int, cause: int | None, content: str = "", kind: str = "run", tool: str = "", **more: Any) -> Any:
    event = {"id": id, "source": "agent", "observation": kind, "content": content, "extras": {}, **more}
    if cause is not None:
        event["cause"] = cause
    if tool:
        event["tool_call_metadata"] = {"tool_call_id": tool}
    return event


def row(history: Any, **more: Any) -> dict[str, Any]:
    return {"instance_id": "kelp__kelp-1", "instruction": "Mend it.", "history": history, **more}


def test_calls_of_one_reply_are_one_step_and_results_find_them(tmp_path: Path) -> None:
    history = [
        TASK,
        act(1, reply="r1", tool="toolu_01", command="a"),
        act(2, reply="r1", tool="toolu_02", command="b"),
        obs(3, 2, "of b"),
        obs(4, 1, "of a"),
        act(5, reply="r2", tool="toolu_01", command="c"),
        obs(6, 5, "of c", tool="toolu_01"),
        obs(7, 5, "of c again", tool="toolu_01"),
    ]
    trace = one(put(tmp_path, "x.jsonl", [row(history)])).trace
    _, first, second = trace.steps
    assert (first.message, first.number, first.source_ids) == ("I run.", "1–4", ("1", "2", "3", "4"))
    by_id = {result.call_id: result.content for result in first.results}
    assert [by_id[call.id] for call in first.calls] == ["of a", "of b"]
    assert [result.content for result in second.results] == ["of c", "of c again"]
    assert {result.call_id for result in second.results} == {second.calls[0].id} != {"toolu_01"}
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.model) == (8, 3, "brook")


def test_by_tool_call_id_and_by_order_where_there_is_no_cause(tmp_path: Path) -> None:
    history = [TASK, act(1, reply="r", tool="t1", command="a"), obs(2, None, "A", tool="t1")]
    assert one(put(tmp_path, "x.jsonl", [row(history)])).trace.steps[1].results[0].content == "A"
    old = [{"action": "message", "args": {"content": "Mend it."}}]
    for name in "ab":
        old += [{"action": "run", "args": {"command": name, "thought": f"I {name}"}}]
        old += [{"observation": "run", "content": name.upper(), "extras": {"exit_code": 2}}]
    steps = one(put(tmp_path, "y.jsonl", [row(old)])).trace.steps
    assert [(s.source, s.message) for s in steps] == [
        ("user", "Mend it."),
        ("agent", "I a"),
        ("agent", "I b"),
    ]
    assert [(r.content, r.exit_code, r.error) for s in steps for r in s.results] == [
        ("A", 2, True),
        ("B", 2, True),
    ]


@pytest.mark.parametrize(
    ("kind", "content", "more", "flags"),
    [
        ("error", "no", {}, (True, False)),
        ("user_rejected", "no", {}, (False, True)),
        ("run", "", {"success": False}, (True, False)),
        ("edit", "ERROR:\nno match", {}, (True, False)),
        ("run", "ERROR: printed", {}, (False, False)),
        ("browse", "", {"extras": {"error": True}}, (True, False)),
        ("mcp", '{"isError": true}', {}, (True, False)),
        ("run", "", {"extras": {"metadata": {"exit_code": 0}}}, (False, False)),
    ],
)
def test_errors_and_refusals(tmp_path: Path, kind: str, content: str, more: Any, flags: Any) -> None:
    history = [TASK, act(1, command="a"), obs(2, 1, content, kind, **more)]
    (result,) = one(put(tmp_path, "x.jsonl", [row(history)])).trace.steps[1].results
    assert (result.error, result.denied) == flags


def test_a_command_that_still_runs_says_so(tmp_path: Path) -> None:
    about = {"exit_code": -1, "prefix": "", "suffix": "\n[No new output after 30 seconds.]"}
    history = [TASK, act(1, command="a"), obs(2, 1, "..", extras={"metadata": about})]
    (result,) = one(put(tmp_path, "x.jsonl", [row(history)])).trace.steps[1].results
    assert (result.content, result.exit_code) == ("..\n[No new output after 30 seconds.]", -1)


def test_a_result_is_kept_to_the_last_blank_line(tmp_path: Path) -> None:
    history = [TASK, act(1, command="a"), obs(2, 1, "\n  x\n\n")]
    (result,) = one(put(tmp_path, "x.jsonl", [row(history)])).trace.steps[1].results
    assert result.content == "\n  x\n\n"


def test_a_delegate_is_a_trace_of_its_own_that_counts_in_its_parent() -> None:
    parent, child = read(HERE / "saved-trajectory.json")
    info = child.trace.info
    assert (parent.trace.info.n_messages, parent.trace.info.n_tool_calls) == (17, 5)
    assert (info.n_messages, info.n_tool_calls, info.ended, info.agent) == (
        5,
        2,
        "submitted",
        "BrowsingAgent",
    )
    assert (info.parent_id, info.parent_step) == (parent.trace.info.trace_id, "3")
    assert info.task == "TASK: Find out which day the ferry timetable changes."
    assert not any(call.name == "browser" for step in parent.trace.steps for call in step.calls)
    assert len(json.loads(child.trace.raw)) == 5


def test_a_delegate_that_never_came_back_hides_nothing(tmp_path: Path) -> None:
    history = [TASK, act(1, "delegate", agent="A"), obs(2, 1, "crash", "error"), act(3, command="a")]
    (imported,) = read(put(tmp_path, "x.jsonl", [row(history)]))
    assert len(imported.trace.steps) == 3


def test_nested_delegates(tmp_path: Path) -> None:
    inner = [act(2, "delegate", agent="B"), act(3, command="b"), obs(4, None, "", "delegate")]
    history = [TASK, act(1, "delegate", agent="A"), *inner, obs(5, None, "", "delegate")]
    found = [item.trace.info for item in read(put(tmp_path, "x.jsonl", [row(history)]))]
    assert [(info.agent, info.n_messages) for info in found] == [("openhands", 6), ("A", 3), ("B", 1)]
    assert [info.parent_id for info in found] == ["", found[0].trace_id, found[1].trace_id]


def test_what_no_user_typed_is_injected() -> None:
    steps = one(HERE / "kelp-queue-57.jsonl").trace.steps
    assert [(s.n, s.kind) for s in steps if s.kind] == [(3, "injected"), (8, "compaction"), (11, "notice")]
    assert "Run the tests with" in steps[2].message
    logic = read(HERE / "logic-pairs-2024.jsonl")[0].trace
    assert [s.kind for s in logic.steps if s.source == "user"] == ["", "injected"]


@pytest.mark.parametrize(
    ("last", "error", "ended"),
    [
        (act(9, "finish"), None, "submitted"),
        (act(9, "finish"), "evaluation failed", "submitted"),
        (act(9, "reject"), None, "refused"),
        (act(9, command="a"), None, "unknown"),
        (act(9, command="a"), "RuntimeError: Agent reached maximum iteration", "limit"),
        (act(9, command="a"), "RuntimeError: Agent reached maximum budget", "limit"),
        (act(9, command="a"), "AgentStuckInLoopError", "error"),
        (act(9, command="a"), "TimeoutError: 1800 s", "timeout"),
    ],
)
def test_how_it_ended(tmp_path: Path, last: Any, error: str | None, ended: str) -> None:
    assert one(put(tmp_path, "x.jsonl", [row([TASK, last], error=error)])).trace.info.ended == ended


@pytest.mark.parametrize(
    ("state", "reason", "ended"),
    [("error", "", "error"), ("error", "maximum iterations", "limit"), ("stopped", "", "user_stop")],
)
def test_states_tell_why_it_stopped(tmp_path: Path, state: str, reason: str, ended: str) -> None:
    changed = obs(9, None, kind="agent_state_changed", extras={"agent_state": state, "reason": reason})
    info = one(put(tmp_path, "x.jsonl", [row([TASK, act(1, command="a"), changed])])).trace.info
    assert info.ended == ended


@pytest.mark.parametrize(
    ("more", "passed", "score"),
    [
        ({"test_result": {"git_patch": "+", "report": {"resolved": True}}}, True, None),
        ({"report": {"resolved": False}}, False, None),
        ({"test_result": {"result": False}}, False, None),
        ({"test_result": {"result": {"passed": 1, "success": True}}}, True, None),
        ({"test_result": {"score": 0.4}}, None, 0.4),
        ({"test_result": True}, True, None),
        ({"correct": False, "hallucination": True}, False, None),
        ({"success": True, "result_explanation": "fine"}, True, None),
    ],
)
def test_grades(tmp_path: Path, more: Any, passed: bool | None, score: float | None) -> None:
    graded = one(put(tmp_path, "x.jsonl", [row([TASK], **more)]))
    (outcome,) = graded.outcomes
    assert (outcome.passed, outcome.score) == (passed, score)
    plain = {"git_patch": "+"} if "git_patch" in str(more) else None
    bare = row([TASK], **({"test_result": plain} if plain else {}))
    ungraded = one(put(tmp_path, "y.jsonl", [bare]))
    assert not ungraded.outcomes
    assert ungraded.trace.info.trace_id == graded.trace.info.trace_id


def test_a_report_beside_the_rows(tmp_path: Path) -> None:
    path = put(tmp_path, "output.jsonl", [row([TASK]), {**row([TASK]), "instance_id": "kelp__kelp-2"}])
    put(tmp_path, "report.json", {"resolved_ids": ["kelp__kelp-2"], "unresolved_ids": ["kelp__kelp-1"]})
    assert [item.outcomes[0].passed for item in read(path)] == [False, True]


def test_a_saved_trajectory_grows_and_keeps_its_id(tmp_path: Path) -> None:
    events = [{**TASK, "timestamp": "2025-01-01T00:00:00", "id": 0}, act(1, command="a"), obs(2, 1, "A")]
    short = one(put(tmp_path, "x.json", events[:2])).trace
    long = one(put(tmp_path, "x.json", events)).trace
    assert short.info.trace_id == long.info.trace_id
    assert long.records.startswith(short.records)
    assert short.info.content_hash != long.info.content_hash
    lines = one(put(tmp_path, "x.jsonl", events)).trace
    assert (lines.info.trace_id, json.loads(lines.raw)) == (long.info.trace_id, events)
    assert one(put(tmp_path, "y.json", {"trajectory": events})).trace.info.n_messages == 3


def test_rows_that_are_damaged_cost_themselves(tmp_path: Path) -> None:
    rows = [row([TASK]), row(7), "x", {"instance_id": "b"}, row([], instance_id="empty"), row([TASK, 5, {}])]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.task_id for item in found] == ["kelp__kelp-1", "empty", "kelp__kelp-1"]
    assert [step.message for step in found[1].trace.steps] == ["Mend it."]
    assert "its history is a number" in reasons(notes)
    assert "a row without a history" in reasons(notes)
    assert "no object is skipped" in reasons(notes)


def test_other_formats_are_left_alone(tmp_path: Path) -> None:
    both = [{"action": "ls", "observation": "a.py", "thought": "I look"}]
    importer, _ = open_source(put(tmp_path, "x.json", {"task": "t", "trajectory": both}))
    assert importer.FORMAT == "plain"
    with pytest.raises(InputError):
        read(put(tmp_path, "y.json", [{"a": 1}]), "openhands_v0")
