"""moatless: state machines with retries and branches, search trees and their candidates, graded leaves."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

HERE = SAMPLES / "moatless"
TREE = HERE / "fern-works__fernlist-23" / "trajectory.json"


def node(id: int, name: str = "ViewCode", children: Any = (), **more: Any) -> dict[str, Any]:
    action = {
        "thoughts": f"I think {id}.",
        "path": "a.py",
        "action_args_class": f"moatless.actions.x.{name}Args",
    }
    step = {"action": action, "observation": {"message": f"seen {id}", "terminal": name == "Finish"}}
    return {"node_id": id, "action_steps": [step], "children": list(children), **more}


def root(*children: Any) -> dict[str, Any]:
    return {"root": {"node_id": 0, "user_message": "Mend it.", "completions": {}, "children": list(children)}}


def test_a_retry_is_a_failed_try_in_the_same_state() -> None:
    steps = one(HERE / "shelf-works__shelf-12.json").trace.steps
    tries = [step for step in steps if step.calls and step.calls[0].name == "EditCode"]
    assert [step.results[0].error for step in tries] == [True, False]
    assert steps[1].message == "The method must stand in shelf/core.py."
    assert "scratch_pad" not in steps[1].calls[0].arguments
    assert "shelf/core.py" in steps[1].results[0].content


def test_requests_and_responses_of_later_state_machines() -> None:
    imported = one(HERE / "span-works__spans-7.json")
    info, steps = imported.trace.info, imported.trace.steps
    assert (info.n_messages, info.n_tool_calls, info.ended, info.tokens_out) == (5, 4, "limit", 374)
    assert [step.number for step in steps] == ["", "1", "2", "3", "3", "4"]
    assert steps[3].extra == {"previous_state_id": 1, "trigger": "retry"}
    assert steps[3].results[0].error


@pytest.mark.parametrize(
    ("info", "last", "ended"),
    [
        ({"status": "finished"}, "Finished", "submitted"),
        ({"status": "rejected"}, "Rejected", "refused"),
        ({"status": "rejected", "error": "Max retries reached."}, "Rejected", "limit"),
        ({"status": "error", "error": "boom"}, "EditCode", "error"),
        ({}, "Finished", "submitted"),
        ({}, "EditCode", "unknown"),
    ],
)
def test_how_it_ended(tmp_path: Path, info: Any, last: str, ended: str) -> None:
    value = {"initial_message": "t", "transitions": [{"id": 0, "name": last, "properties": {}}], "info": info}
    assert one(put(tmp_path, "x.json", value)).trace.info.ended == ended


def test_the_grade_is_no_part_of_the_trace(tmp_path: Path) -> None:
    value = json.loads((HERE / "shelf-works__shelf-12.json").read_text())
    first = one(put(tmp_path, "x.json", value))
    del value["info"]["resolved"]
    second = one(put(tmp_path, "x.json", value))
    assert first.trace.info.trace_id == second.trace.info.trace_id
    assert ([o.passed for o in first.outcomes], second.outcomes) == ([True], ())


def test_a_tree_is_one_trace_and_its_other_candidates_follow() -> None:
    main, other = read(TREE)
    assert (main.trace.info.n_messages, main.trace.info.n_tool_calls) == (7, 6)
    assert (other.trace.info.n_messages, other.trace.info.n_tool_calls) == (5, 4)
    assert (other.trace.info.parent_id, other.trace.info.parent_step) == (main.trace.info.trace_id, "node 2")
    assert [step.number for step in main.trace.steps] == ["0", "1", "2", "3", "4"]
    assert [outcome.passed for item in (main, other) for outcome in item.outcomes] == [True, False]
    failed = [step for step in other.trace.steps if step.error]
    assert [step.results[0].content for step in failed] == ["The text was not found.\n[string_not_found]"]
    assert [step.kind for step in other.trace.steps if step.source == "user"] == ["", "injected"]
    assert main.trace.info.cost == pytest.approx(0.024)
    with pytest.raises(NotATrace):
        open_source(TREE.with_name("eval_result.json"))


def test_the_finished_leaf_with_the_highest_reward_counts(tmp_path: Path) -> None:
    leaves = [
        node(1, reward={"value": 100}),
        node(2, "Finish", reward={"value": 10}),
        node(3, "Finish", reward=50),
        node(4, "Finish"),
    ]
    found = read(put(tmp_path, "x.json", root(*leaves)))
    assert [item.trace.info.meta["leaf"] for item in found] == ["3", "1", "2", "4"]
    assert [item.trace.info.ended for item in found] == ["submitted", "unknown", "submitted", "submitted"]


def test_flat_nodes_bare_nodes_and_old_nodes(tmp_path: Path) -> None:
    flat = [
        {"node_id": 0, "parent_id": None, "message": "Mend it.", "completions": {}},
        {
            "node_id": 1,
            "parent_id": 0,
            "action": {"scratch_pad": "hm", "name": "Finish"},
            "output": {"message": "ok"},
        },
        {
            "node_id": 2,
            "parent_id": 9,
            "action": {"name": "X"},
            "observation": {"message": "lost", "terminal": False},
        },
    ]
    for value in ({"nodes": flat}, flat):
        main, lost = read(put(tmp_path, "x.json", value))
        assert [(s.message, [c.name for c in s.calls]) for s in main.trace.steps] == [
            ("Mend it.", []),
            ("hm", ["Finish"]),
        ]
        assert main.trace.steps[1].results[0].content == "ok"
        assert (main.trace.info.n_messages, lost.trace.info.n_messages) == (3, 1)
    bare = one(put(tmp_path, "y.json", root(node(1, "Finish"))["root"]))
    assert bare.trace.info.task == "Mend it."


def test_several_actions_of_one_node(tmp_path: Path) -> None:
    both = node(1)
    both["action_steps"] *= 2
    both["assistant_message"] = "I think 1. And more."
    step = one(put(tmp_path, "x.json", root(both))).trace.steps[1]
    assert step.message == "I think 1. And more."
    assert (
        [call.id for call in step.calls]
        == [result.call_id for result in step.results]
        == ["node 1.0", "node 1.1"]
    )


def test_the_instance_is_named_by_the_folder_where_nothing_else_does(tmp_path: Path) -> None:
    path = put(tmp_path, "reed__reed-4/trajectory.json", root(node(1)))
    assert one(path).trace.info.task_id == "reed__reed-4"


def test_the_raw_record_of_a_candidate_is_what_it_has_alone() -> None:
    _, other = read(TREE)
    assert [node["node_id"] for node in json.loads(other.trace.raw)] == [5, 6]


def test_nodes_of_one_id_stay_apart(tmp_path: Path) -> None:
    trace = one(put(tmp_path, "x.json", root(node(1, children=[node(1)])))).trace
    assert [step.stable_id for step in trace.steps] == ["node 0", "node 1", "node 1 #2"]


def test_damage_costs_itself(tmp_path: Path) -> None:
    good: dict[str, Any] = {
        "transitions": [{"name": "A", "actions": [{"action": "x"}, 5]}, 7],
        "initial_message": "t",
    }
    good["info"] = {"duration": math.nan}
    found, notes = read_all(put(tmp_path, "x.jsonl", [good, {"a": 1}]))
    assert (len(found), found[0].trace.info.n_messages) == (1, 2)
    assert "a transition that is a number" in reasons(notes)
    assert "without transitions and without nodes" in reasons(notes)
    with pytest.raises(InputError):
        read(put(tmp_path, "y.json", {"a": 1}), "moatless")
