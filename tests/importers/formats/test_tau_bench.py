"""tau-bench results: rewards that are no verdict, trials, expected against made, crashes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from reviewer.facts.states import diff_states
from tests.importers.reading import one, put, read, read_all, reasons

CALL = {"id": "c1", "type": "function", "function": {"name": "cancel", "arguments": '{"id": 1}'}}
TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "# Retail agent policy"},
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "cancel", "content": "done"},
    {"role": "user", "content": "###STOP###"},
]


def run(reward: Any = 1.0, trial: int = 0, traj: Any = TALK, **more: Any) -> dict[str, Any]:
    actions = [{"name": "cancel", "kwargs": {"id": 1}}]
    task = {"user_id": "u", "instruction": "Cancel 1.", "actions": actions, "outputs": []}
    info = {"task": task, "reward_info": {"reward": reward}, **more}
    return {"task_id": 4, "reward": reward, "info": info, "traj": traj, "trial": trial}


@pytest.mark.parametrize(
    ("reward", "passed"),
    [(1.0, True), (1, True), (0.0, False), (0.93, None), (math.nan, None), (math.inf, None), (-1, None)],
)
def test_only_one_and_nought_are_verdicts(tmp_path: Path, reward: Any, passed: Any) -> None:
    (outcome,) = one(put(tmp_path, "x.json", [run(reward)])).outcomes
    assert outcome.passed is passed
    assert str(outcome.score) == str(float(reward))


def test_the_grade_is_no_part_of_the_trace(tmp_path: Path) -> None:
    first = one(put(tmp_path, "x.json", run(1.0)))
    other = run(0.0)
    other["info"]["task"]["actions"] = []
    other["info"]["task"]["outputs"] = ["7"]
    second = one(put(tmp_path, "y.json", other))
    assert first.trace.info.trace_id == second.trace.info.trace_id
    assert first.trace.info.content_hash == second.trace.info.content_hash
    assert one(put(tmp_path, "z.json", run(trial=1))).trace.info.trace_id != first.trace.info.trace_id


def test_trials_and_repeats(tmp_path: Path) -> None:
    rows = [run(trial=0), run(trial=1), run(0.0, trial=1), run(trial=1)]
    found, notes = read_all(put(tmp_path, "x.json", rows))
    assert [item.trace.info.attempt for item in found] == [0, 1, 1]
    assert [item.outcomes[0].origin for item in found] == ["file", "file", "file #2"]
    assert len({item.trace.info.trace_id for item in found}) == 2
    assert "another grade" in reasons(notes)
    assert "same task and trial" in reasons(notes)
    assert len(read(put(tmp_path, "y.json", [run(), run()]))) == 1


def test_expected_stands_against_made(tmp_path: Path) -> None:
    info = one(put(tmp_path, "x.json", run())).trace.info
    assert (info.benchmark, info.task, info.task_id) == ("tau-bench retail", "Cancel 1.", "4")
    assert (info.n_messages, info.n_tool_calls, info.ended) == (5, 1, "user_stop")
    (outcome,) = one(put(tmp_path, "x.json", run())).outcomes
    assert diff_states(outcome.expected_state, outcome.final_state).same
    value = run(0.0)
    value["info"]["task"]["actions"] = [{"name": "cancel", "kwargs": {"id": 2}}]
    value["info"]["task"]["outputs"] = ["7", "8"]
    value["info"]["reward_info"]["info"] = {"outputs": {"7": True, "8": False}}
    (outcome,) = one(put(tmp_path, "y.json", value)).outcomes
    assert outcome.final_state == {
        "actions": [None, {"name": "cancel", "kwargs": {"id": 1}}],
        "outputs": ["7"],
    }
    kinds = [item.kind for item in diff_states(outcome.expected_state, outcome.final_state).differences]
    assert sorted(kinds) == ["changed", "extra", "missing"]


def test_a_crash_is_an_end_of_its_own(tmp_path: Path) -> None:
    value = {
        "task_id": 0,
        "reward": 0.0,
        "info": {"error": "boom", "traceback": "at 1"},
        "traj": [],
        "trial": 2,
    }
    imported = one(put(tmp_path, "x.json", [value]))
    (step,) = imported.trace.steps
    assert (imported.trace.info.ended, imported.trace.info.attempt) == ("error", 2)
    assert (step.message, step.fault) == ("boom\n\nat 1", True)


def test_numbers_of_the_source_and_the_name_of_the_file(tmp_path: Path) -> None:
    numbered = [{**message, "index": index} for index, message in enumerate(TALK, 1)]
    name = "tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0620.json"
    trace = one(put(tmp_path, name, [run(traj=numbered)])).trace
    assert [step.number for step in trace.steps] == ["", "", "3–4", "5"]
    assert not any(step.extra for step in trace.steps)
    assert (trace.info.model, trace.info.agent) == ("gpt-4o", "tool-calling")


def test_a_run_without_a_talk_costs_that_run(tmp_path: Path) -> None:
    rows = [run(), {**run(trial=3), "traj": "gone"}, run(trial=5)]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.attempt for item in found] == [0, 5]
    assert "traj is a text" in reasons(notes)


@pytest.mark.parametrize("nothing", [None, []])
def test_a_run_that_ended_before_a_word_was_said_counts(tmp_path: Path, nothing: Any) -> None:
    rows = [{**run(reward=0.0, trial=trial), "traj": nothing} for trial in (0, 1)]
    found, notes = read_all(put(tmp_path, "x.json", rows))
    assert [item.outcomes[0].passed for item in found] == [False, False]
    assert [item.trace.info.n_messages for item in found] == [0, 0]
    assert not notes


@pytest.mark.parametrize(("text", "error"), [("Error: user not found", True), ("No Error: all well", False)])
def test_a_result_that_begins_with_error_is_one(tmp_path: Path, text: str, error: bool) -> None:
    talk = [{**row, "content": text} if row["role"] == "tool" else row for row in TALK]
    step = one(put(tmp_path, "a.json", [run(traj=talk)])).trace.steps[2]
    assert (step.results[0].content, step.results[0].error) == (text, error)
