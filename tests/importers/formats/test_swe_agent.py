"""SWE-agent trajectories: what is a step and what is a prompt, calls, how it ended, reports beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from tests.importers.reading import one, put, read, read_all, reasons

TEXT = "Here's the issue text:\nISSUE:\nIt breaks\n\nwhen wet\n\nINSTRUCTIONS:\nNow solve it."


def move(action: str | None, observation: str | None = "ok", **more: Any) -> dict[str, Any]:
    return {
        "action": action,
        "observation": observation,
        "response": "",
        "state": '{"open_file": "n/a"}',
        "thought": "hm",
        **more,
    }


def run(*moves: Any, history: Any = (), **info: Any) -> dict[str, Any]:
    prompts = [
        {"role": "system", "content": "be good", "agent": "primary"},
        {"role": "user", "content": "like this", "agent": "primary", "is_demo": True},
        {"role": "user", "content": TEXT, "agent": "primary"},
    ]
    return {"trajectory": list(moves), "history": [*prompts, *history], "info": info}


def test_the_demonstration_is_not_the_task_and_the_prompts_are_no_steps(tmp_path: Path) -> None:
    query = [{"role": "user", "content": "all of it again"}] * 50
    value = run(move("ls\n", query=query), move("", None, thought="bye", messages=query))
    trace = one(put(tmp_path, "a.traj", value)).trace
    assert [step.source for step in trace.steps] == ["system", "user", "user", "agent", "agent"]
    assert [step.kind for step in trace.steps[:3]] == ["", "injected", ""]
    assert trace.info.task == "It breaks\n\nwhen wet"
    assert (trace.info.n_messages, trace.info.n_tool_calls) == (3, 1)
    assert "again" not in repr(trace.steps)
    assert [step.number for step in trace.steps[3:]] == ["1", "2"]
    assert trace.steps[3].calls[0].arguments == {"command": "ls\n"}
    assert trace.steps[4].results == ()


@pytest.mark.parametrize(
    ("status", "ended"),
    [
        ("submitted", "submitted"),
        ("submitted (exit_cost)", "limit"),
        ("exit_cost", "limit"),
        ("exit_context", "limit"),
        ("exit_format", "error"),
        ("exit_command_timeout", "timeout"),
        ("early_exit", "error"),
        (None, "unknown"),
    ],
)
def test_how_it_ended_says_nothing_about_passed(tmp_path: Path, status: Any, ended: str) -> None:
    imported = one(put(tmp_path, "a.traj", run(move("ls"), exit_status=status)))
    assert imported.trace.info.ended == ended
    assert imported.outcomes == ()


def test_the_submission_is_the_last_notice_unless_it_was_seen(tmp_path: Path) -> None:
    value = run(move("submit"), submission="diff --git a b")
    assert one(put(tmp_path, "a.traj", value)).trace.steps[-1].message == "diff --git a b"
    value = run(move("submit", "diff --git a b"), submission="diff --git a b")
    assert one(put(tmp_path, "a.traj", value)).trace.steps[-1].source == "agent"


def test_calls_as_the_model_wrote_them(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "open", "arguments": '{"path": "x'}}
    said = {"role": "assistant", "content": "", "agent": "main", "action": "open x", "tool_calls": [call]}
    value = run(move("ls"), move("open x"), move("open x"), history=[said])
    config = {"problem_statement": {"id": "a__b-1", "text": "T"}, "agent": {"model": {"name": "m"}}}
    for given in (config, json.dumps(config)):
        trace = one(put(tmp_path, "a.traj", {**value, "replay_config": given})).trace
        assert (trace.info.task_id, trace.info.task, trace.info.model) == ("a__b-1", "T", "m")
        assert [(c.name, c.arguments) for step in trace.steps for c in step.calls] == [
            ("bash", {"command": "ls"}),
            ("open", '{"path": "x'),
            ("bash", {"command": "open x"}),
        ]
        assert trace.steps[4].results[0].call_id == "c1"


def test_a_history_alone_is_a_demonstration_with_steps(tmp_path: Path) -> None:
    history = [
        {"role": "user", "content": TEXT, "agent": "main"},
        {"role": "assistant", "content": "look", "agent": "main", "action": "ls"},
        {"role": "user", "content": "a.py", "agent": "main"},
    ]
    trace = one(put(tmp_path, "demo.traj", {"history": history})).trace
    assert (trace.info.n_messages, trace.info.n_tool_calls, len(trace.steps)) == (3, 1, 2)
    assert trace.steps[1].results[0].content == "a.py"


def test_names_of_file_and_folder_fill_in(tmp_path: Path) -> None:
    folder = "gpt4__SWE-bench_Lite__default__t-0.00__p-0.95__c-2.00__install-1"
    info = one(put(tmp_path, f"{folder}/a__b-7.traj", run(move("ls")))).trace.info
    assert (info.task_id, info.model, info.benchmark) == ("a__b-7", "gpt4", "SWE-bench_Lite")
    info = one(put(tmp_path, "other/notes.traj", run(move("ls")))).trace.info
    assert (info.task_id, info.model, info.benchmark) == ("notes.traj", "", "")


@pytest.mark.parametrize(
    ("name", "report", "passed"),
    [
        ("report.json", {"a__b-7": {"resolved": True, "tests_status": {}}}, True),
        ("report.json", {"a__b-7": {"resolved": False}}, False),
        ("results.json", {"resolved": ["a__b-7"], "generated": ["a__b-7"]}, True),
        ("results.json", {"resolved": [], "applied": ["a__b-7"]}, False),
        ("results.json", {"resolved": [], "no_generation": ["a__b-7"]}, None),
        ("run.json", {"resolved_ids": ["a__b-7"], "unresolved_ids": []}, True),
    ],
)
@pytest.mark.parametrize("above", ["", "../"])
def test_reports_beside_and_above(tmp_path: Path, name: str, report: Any, passed: Any, above: str) -> None:
    path = put(tmp_path, "all/run/a__b-7.traj", run(move("ls"), exit_status="submitted"))
    put(tmp_path, f"all/run/{above}{name}", report)
    (outcome,) = one(path).outcomes
    assert (outcome.passed, outcome.origin) == (passed, f"{'all' if above else 'run'}/{name}")
    assert one(put(tmp_path, "all/run/a__b-8.traj", run(move("ls")))).outcomes == ()


def test_messages_beside_a_trajectory_are_named(tmp_path: Path) -> None:
    both = {**run(move("ls")), "messages": [{"role": "user", "content": "hi"}]}
    (imported,), notes = read_all(put(tmp_path, "both.json", both))
    assert imported.trace.info.format == "swe_agent"
    assert "`messages` beside the trajectory" in reasons(notes)


def test_a_bad_row_costs_that_row(tmp_path: Path) -> None:
    rows = [run(move("ls")), {"trajectory": 5, "history": None, "info": {}}, run(move("pwd"))]
    assert len(read(put(tmp_path, "x.jsonl", rows))) == 2
    with pytest.raises(InputError, match="no SWE-agent run"):
        read(put(tmp_path, "y.json", rows[1]), "swe-agent")
