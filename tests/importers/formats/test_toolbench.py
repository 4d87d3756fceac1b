"""ToolBench: the chain that was taken, the other tries of the search, errors of APIs, how it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

HERE = SAMPLES / "toolbench"
TREE, CHAINS = HERE / "31_brook-large_DFS_woFilter_w2.json", HERE / "32_lantern-mini_CoT@2.json"


def answer(**more: Any) -> dict[str, Any]:
    generated = {"query": "Which?", "train_messages": [], "valid_data": False, **more}
    return {"win": False, "answer_generation": generated}


def node(kind: str, text: str, children: Any = (), **more: Any) -> dict[str, Any]:
    return {"node_type": kind, "description": text, "children": list(children), **more}


def call(name: str, given: str, children: Any = (), observation: str = "{}") -> dict[str, Any]:
    return node("Action", name, [node("Action Input", given, children, observation=observation)])


def test_the_longest_list_of_messages_is_the_chain() -> None:
    main, other = read(TREE)
    info = main.trace.info
    assert (info.n_messages, info.n_tool_calls, info.ended, info.model) == (9, 4, "submitted", "brook-large")
    assert [call.name for step in main.trace.steps for call in step.calls][-1] == "Finish"
    assert [step.error for step in main.trace.steps] == [False, False, False, True, False, False]
    assert info.task == "Which of the harbours Lorn and Mull is deeper now, and by how much?"
    assert info.task_id == TREE.name
    assert other.trace.info.parent_id == info.trace_id


def test_the_other_leaves_are_tries_that_leave_the_chain() -> None:
    main, other = (item.trace for item in read(TREE))
    assert other.info.parent_step == main.steps[3].stable_id  # after the call that both have in common
    assert (other.info.ended, other.info.n_tool_calls, other.info.n_messages) == ("refused", 3, 7)
    assert other.steps[-1].message == "Mull does not answer, so I end here."
    assert len(json.loads(other.raw)) == 9


def test_tries_one_after_the_other() -> None:
    first, second = (item.trace for item in read(CHAINS))
    assert (first.info.ended, first.info.parent_id, second.info.parent_id) == (
        "limit",
        "",
        first.info.trace_id,
    )
    assert first.steps[1].message == "I look for the museum."
    assert second.steps[2].calls[0].arguments == "not JSON"
    assert [step.error for step in second.steps] == [False, True, True]


def test_another_try_of_the_same_calls_is_another_try(tmp_path: Path) -> None:
    chat = [
        {"role": "user", "content": "Which?"},
        {"role": "assistant", "content": None, "function_call": {"name": "a", "arguments": '{"b":  1}'}},
    ]
    value = answer(train_messages=[chat]) | {
        "tree": {
            "tree": node(
                "Action Input", "", [call("a", '{"b": 1}'), call("a", '{"b": 1}'), node("Thought", "hm")]
            )
        }
    }
    found = [item.trace for item in read(put(tmp_path, "x.json", value))]
    assert [len(trace.info.parent_id) > 0 for trace in found] == [False, True, True]
    assert found[2].steps[-1].message == "hm"
    assert len({trace.info.trace_id for trace in found}) == 3


@pytest.mark.parametrize(
    ("more", "ended"),
    [
        ({"finish_type": "give_answer"}, "submitted"),
        ({"finish_type": "give_up"}, "refused"),
        ({"query_count": 5}, "limit"),
        ({"query_count": 4}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_how_it_ended(tmp_path: Path, more: Any, ended: str) -> None:
    value = answer(**more) | {"forward_args": {"max_query_count": 5}}
    assert one(put(tmp_path, "x.json", value)).trace.info.ended == ended


def test_an_answer_without_a_chain_shows_its_best_try(tmp_path: Path) -> None:
    root = node(
        "Action Input", "", [call("a", "{}"), call("b", "{}", [node("Thought", "end", is_terminal=True)])]
    )
    main, other = read(put(tmp_path, "x.json", answer() | {"tree": {"tree": root}}))
    assert [call.name for step in main.trace.steps for call in step.calls] == ["b"]
    assert [call.name for step in other.trace.steps for call in step.calls] == ["a"]


def test_damage_costs_itself(tmp_path: Path) -> None:
    odd = answer(train_messages=[7, [5, {"role": "user"}]]) | {"tree": {"tree": {"children": [3]}}, "trys": 1}
    found, notes = read_all(put(tmp_path, "x.jsonl", [answer(), {"answer_generation": 7}, odd]))
    assert [item.trace.info.parent_id for item in found][:2] == ["", ""]
    assert "its answer_generation is a number" in reasons(notes)
    with pytest.raises(InputError):
        read(put(tmp_path, "y.json", {"a": 1}), "toolbench")
