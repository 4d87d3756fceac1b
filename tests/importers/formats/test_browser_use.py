"""browser-use: old and new turns, results by order, claims and verdicts; what lies beside browser agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read_all, reasons


def turn(*actions: Any, result: Any = (), brain: Any = None, **more: Any) -> dict[str, Any]:
    output = {**(brain or {}), "action": list(actions)}
    return {"model_output": output, "result": list(result), "state": {"url": "u", "title": "t"}, **more}


CLICK = turn({"click": {"index": 3}}, result=[{"extracted_content": "clicked", "is_done": False}])
DONE = turn({"done": {"text": "14", "success": True}}, result=[{"extracted_content": "14", "is_done": True}])


@pytest.mark.parametrize("nested", [True, False])
def test_old_and_new_turns(tmp_path: Path, nested: bool) -> None:
    brain: dict[str, Any] = {"evaluation_previous_goal": "ok", "memory": "m", "next_goal": "go"}
    brain = {"current_state": brain} if nested else {**brain, "thinking": "hm"}
    found = one(put(tmp_path, "x.json", {"history": [turn({"click": {}}, brain=brain)]})).trace
    assert found.steps[0].message == "Evaluation: ok\n\nMemory: m\n\nNext goal: go"
    assert found.steps[0].reasoning == ("" if nested else "hm")


def test_results_stand_in_the_order_of_the_actions(tmp_path: Path) -> None:
    results = [{"error": "gone"}, {"extracted_content": "typed", "error": None}]
    both = turn({"click": {"index": 3}, "input": None}, {"input": {"text": "x"}}, result=results)
    found = one(put(tmp_path, "x.json", {"history": [both, DONE]})).trace
    assert [call.name for call in found.steps[0].calls] == ["click", "input"]
    assert [(item.content, item.error) for item in found.steps[0].results] == [
        ("gone", True),
        ("typed", False),
    ]
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.n_errors) == (2, 3, 1)


def test_the_request_in_what_the_agent_was_told_is_the_task(tmp_path: Path) -> None:
    told = "<agent_state>\n<user_request>\nFind it.\n</user_request>\n</agent_state>"
    found = one(put(tmp_path, "x.json", {"history": [{**CLICK, "state_message": told}]})).trace
    assert (found.info.task, found.steps[0].source, found.steps[0].message) == (
        "Find it.",
        "user",
        "Find it.",
    )


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        (DONE, "submitted"),
        (CLICK, "unknown"),
        ({"model_output": None, "result": [{"error": "Failed to complete task in maximum steps"}]}, "limit"),
        ({"model_output": None, "result": [{"error": "no reply"}]}, "error"),
    ],
)
def test_how_it_ended(tmp_path: Path, last: Any, ended: str) -> None:
    found = one(put(tmp_path, "x.json", {"history": [CLICK, last]})).trace
    assert found.info.ended == ended
    assert found.steps[-1].fault == (last["model_output"] is None)


def test_a_claim_is_no_verdict_but_a_judgement_is(tmp_path: Path) -> None:
    claimed = [{"is_done": True, "success": True, "extracted_content": "14"}]
    judged = [{**claimed[0], "judgement": {"verdict": False}}]
    plain = one(put(tmp_path, "x.json", {"history": [{**DONE, "result": claimed}]}))
    graded = one(put(tmp_path, "y.json", {"history": [{**DONE, "result": judged}]}))
    assert plain.outcomes == ()
    assert plain.trace.steps[0].extra["claims success"] is True
    assert [outcome.passed for outcome in graded.outcomes] == [False]
    assert graded.trace.info.trace_id == plain.trace.info.trace_id


def test_pictures_are_named_by_their_size(tmp_path: Path) -> None:
    seen = {**CLICK, "state": {"url": "u", "screenshot": "A" * 4000}}
    assert (
        one(put(tmp_path, "x.json", {"history": [seen]})).trace.steps[0].extra["screenshot"]
        == "[image, 3.0 kB]"
    )


def test_a_damaged_turn_costs_that_turn(tmp_path: Path) -> None:
    found, notes = read_all(put(tmp_path, "x.json", {"history": [CLICK, "odd", DONE]}))
    assert len(found[0].trace.steps) == 2
    assert found[0].trace.info.n_messages == 3
    assert "a turn that is a text" in reasons(notes)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"n_steps": 3, "cum_reward": 1.0, "err_msg": None}, "BrowserGym"),
        ({"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": []}, "answer of an agent"),
        ({"task_id": 3, "status": "success", "evaluators_results": []}, "grading"),
        ({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": []}}, "network requests"),
        ({"site": "a", "question": "q", "start_url": "u", "num_steps": 3}, "browser-use run"),
    ],
)
def test_what_lies_beside_browser_agents(tmp_path: Path, value: Any, words: str) -> None:
    with pytest.raises(NotATrace, match=words):
        open_source(put(tmp_path, "x.json", value))


def test_a_dumped_model_call_is_named(tmp_path: Path) -> None:
    path = tmp_path / "conversation_1.txt"
    path.write_text('system: \n  You browse.\nuser: Go.\n\nModel output:\n{"action": "click"}')
    with pytest.raises(NotATrace, match="text dump"):
        open_source(path)


def test_a_pickle_is_named_and_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "step_1.pkl"
    path.write_bytes(b"\x80\x04\x95\x00cos\nsystem\n")
    with pytest.raises(InputError, match="never opened"):
        open_source(path)
