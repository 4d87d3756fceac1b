"""tau2-bench: results, folders and wrappers; calls by both sides; grades and what they weigh; voice runs."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read, read_all, reasons

LOOK = {"id": "u1", "name": "look", "arguments": {}, "requestor": "user"}
MOVE = {"id": "a1", "name": "move", "arguments": {"to": "16:00"}, "requestor": "assistant"}
TALK: list[dict[str, Any]] = [
    {"role": "assistant", "content": "Hello!", "tool_calls": None, "turn_idx": 0},
    {
        "role": "user",
        "content": "Move me.",
        "turn_idx": 1,
        "usage": {"prompt_tokens": 5, "completion_tokens": 2},
    },
    {"role": "assistant", "content": None, "tool_calls": [MOVE], "turn_idx": 2},
    {"role": "tool", "id": "a1", "content": "no", "requestor": "assistant", "error": True, "turn_idx": 3},
    {"role": "user", "content": None, "tool_calls": [LOOK], "turn_idx": 4},
    {"role": "tool", "id": "u1", "content": "grey", "requestor": "user", "error": False, "turn_idx": 5},
    {"role": "user", "content": "Bye ###STOP###", "turn_idx": 6},
]
ACTION = {"action_id": "0", "requestor": "user", "name": "look", "arguments": {"x": 1}, "compare_args": []}
TASK = {
    "id": "7",
    "user_scenario": {
        "instructions": {"domain": "ferry", "reason_for_call": "Move me.", "known_info": "Ida"}
    },
    "ticket": "Ida wants to move.",
    "evaluation_criteria": {"actions": [ACTION], "nl_assertions": ["Is kind."], "reward_basis": ["DB"]},
}
INFO = {
    "agent_info": {"implementation": "llm_agent", "llm": "brook-large"},
    "user_info": {"implementation": "user_simulator"},
    "environment_info": {"domain_name": "ferry", "policy": "Be kind."},
}
GRADE = {
    "reward": 0.0,
    "db_check": {"db_match": False},
    "action_checks": [{"action": ACTION, "action_match": True}],
    "nl_assertions": [{"nl_assertion": "Is kind.", "met": False, "justification": "rude"}],
    "reward_basis": ["DB"],
}


def simulation(**more: Any) -> dict[str, Any]:
    value = {"id": "s1", "task_id": "7", "trial": 2, "seed": 1, "termination_reason": "user_stop"}
    return copy.deepcopy({**value, "reward_info": GRADE, "messages": TALK, **more})


def results(*simulations: Any, **more: Any) -> dict[str, Any]:
    return copy.deepcopy({"info": INFO, "tasks": [TASK], "simulations": list(simulations), **more})


def test_both_sides_call_tools(tmp_path: Path) -> None:
    trace = one(put(tmp_path, "x.json", results(simulation()))).trace
    info = trace.info
    assert [(step.source, step.number) for step in trace.steps] == [
        ("system", ""),
        ("agent", "0"),
        ("user", "1"),
        ("agent", "2–3"),
        ("user", "4–5"),
        ("user", "6"),
    ]
    assert trace.steps[0].message == "Be kind."
    assert trace.steps[3].results[0].error
    assert [call.name for call in trace.steps[4].calls] == ["look"]
    assert trace.steps[4].results[0].content == "grey"
    assert (info.n_messages, info.n_tool_calls, info.n_errors) == (7, 2, 1)
    assert (info.model, info.agent, info.benchmark) == ("brook-large", "llm_agent", "tau2-bench ferry")
    assert (info.task_id, info.attempt, info.ended) == ("7", 2, "user_stop")
    assert info.task == "Move me.\n\nIda"
    assert (info.tokens_in, info.tokens_out) == (None, None)  # the customer's are not the agent's


def test_a_folder_of_simulations_is_joined_with_its_results(tmp_path: Path) -> None:
    whole = one(put(tmp_path, "x.json", results(simulation())))
    put(tmp_path, "run/results.json", results(simulation_index=[]))
    path = put(tmp_path, "run/simulations/s1.json", simulation())
    apart, notes = read_all(path)
    assert not notes
    assert apart[0].trace.steps == whole.trace.steps
    assert apart[0].outcomes == whole.outcomes
    assert apart[0].trace.info.trace_id == whole.trace.info.trace_id
    assert apart[0].trace.info.model == "brook-large"
    with pytest.raises(NotATrace, match="settings and tasks"):
        open_source(tmp_path / "run" / "results.json")
    (tmp_path / "run" / "results.json").unlink()
    (alone,), notes = read_all(path)
    assert alone.trace.info.trace_id == whole.trace.info.trace_id
    assert "no results.json" in reasons(notes)


def test_expected_against_made_and_what_counts(tmp_path: Path) -> None:
    (outcome,) = one(put(tmp_path, "x.json", results(simulation()))).outcomes
    look = {"requestor": "user", "name": "look", "arguments": {}}
    move = {"requestor": "assistant", "name": "move", "arguments": {"to": "16:00"}}
    assert outcome.passed is False
    assert outcome.expected_state == {
        "actions": [look],
        "nl_assertions": ["Is kind."],
        "database": "as expected",
    }
    assert outcome.final_state == {"actions": [look, move], "nl_assertions": [None], "database": "different"}
    assert outcome.detail["failed_checks"] == [
        "the database is not as expected",
        "assertion not met: Is kind. (rude) (not part of the reward)",
    ]


def test_a_call_of_the_user_that_the_agent_makes_is_counted_once(tmp_path: Path) -> None:
    own = [{**LOOK, "requestor": "assistant"}, {**LOOK, "id": "u2", "requestor": "assistant"}]
    for match, counted in ((True, ["look", "look"]), (False, [None, "look", "look"])):
        talk = [{"role": "assistant", "content": None, "tool_calls": own, "turn_idx": 0}]
        checks = [{"action": ACTION, "action_match": match}]
        (outcome,) = one(
            put(tmp_path, "x.json", results(simulation(messages=talk, reward_info={"action_checks": checks})))
        ).outcomes
        assert list(map(as_name, outcome.final_state["actions"])) == counted
        assert outcome.final_state["actions"][-1]["requestor"] == "assistant", "the second is one too many"
    both = [{"role": "user", "content": None, "tool_calls": [LOOK], "turn_idx": 1}]
    record = {"action_checks": [{"action": ACTION, "action_match": True}]}
    mixed = results(simulation(messages=[*talk, *both], reward_info=record))
    (outcome,) = one(put(tmp_path, "x.json", mixed)).outcomes
    assert [item["requestor"] for item in outcome.final_state["actions"]] == ["user"] + ["assistant"] * 2


def test_without_checks_the_calls_are_compared(tmp_path: Path) -> None:
    value = results(simulation(reward_info=None, termination_reason="infrastructure_error"))
    value["tasks"][0]["evaluation_criteria"]["actions"].append({**ACTION, "name": "other"})
    imported = one(put(tmp_path, "x.json", value))
    (outcome,) = imported.outcomes
    assert (outcome.passed, outcome.score, imported.trace.info.ended) == (None, None, "error")
    assert [as_name(item) for item in outcome.final_state["actions"]] == ["look", None, "move"]
    assert outcome.detail == {"expected_nl_assertions": ["Is kind."]}


def as_name(item: Any) -> Any:
    return item and item["name"]


def test_the_grade_is_no_part_of_the_trace(tmp_path: Path) -> None:
    first = one(put(tmp_path, "x.json", results(simulation())))
    review = {"summary": "rude", "agent_error": True}
    other = results(simulation(reward_info={"reward": 1.0}, review=review))
    other["tasks"][0]["evaluation_criteria"]["actions"] = []
    second = one(put(tmp_path, "y.json", other))
    assert first.trace.info.content_hash == second.trace.info.content_hash
    assert [outcome.passed for outcome in second.outcomes] == [True, None]
    assert second.outcomes[1].detail == review


@pytest.mark.parametrize(
    ("reason", "ended"),
    [
        ("agent_stop", "submitted"),
        ("TerminationReason.MAX_STEPS", "limit"),
        ("too_many_errors", "error"),
        ("timeout", "timeout"),
        ("what", "unknown"),
        (None, "user_stop"),
    ],
)
def test_ends(tmp_path: Path, reason: Any, ended: str) -> None:
    path = put(tmp_path, "x.json", results(simulation(termination_reason=reason)))
    assert one(path).trace.info.ended == ended


def test_without_a_customer_the_ticket_is_the_task(tmp_path: Path) -> None:
    value = results(simulation(messages=[TALK[0], TALK[2], TALK[3]]))
    value["info"]["user_info"]["implementation"] = "dummy_user"
    assert one(put(tmp_path, "x.json", value)).trace.info.task == "Ida wants to move."


def test_wrappers_without_info_and_rows_without_names(tmp_path: Path) -> None:
    bare = {"messages": TALK, "reward": 1, "id": "r1"}
    wrapper = {"domain": "airline", "agent": "a", "model": "m", "pass_rate": 1, "simulations": [bare]}
    imported = one(put(tmp_path, "x.json", wrapper))
    info = imported.trace.info
    assert (info.benchmark, info.agent, info.model, info.attempt) == ("tau2-bench airline", "a", "m", None)
    assert (info.task_id, info.meta["task_id_from"], info.ended) == ("0", "row number", "user_stop")
    assert imported.outcomes[0].passed is True
    assert len(read(put(tmp_path, "y.jsonl", [simulation(), simulation(id="s2", trial=3)]))) == 2


def test_runs_that_never_began_are_runs(tmp_path: Path) -> None:
    value = results(simulation(messages=None, ticks=None, termination_reason="infrastructure_error"))
    path = put(tmp_path, "x.json", value)
    assert open_source(path)[0].FORMAT == "tau2_bench"
    info = one(path).trace.info
    assert (info.n_messages, info.ended, info.task) == (0, "error", "Move me.\n\nIda")


def test_damaged_and_doubled_simulations_cost_themselves(tmp_path: Path) -> None:
    rows = [simulation(), simulation(), simulation(reward_info={"reward": 1.0}), 7, {"id": "x"}]
    found, notes = read_all(put(tmp_path, "x.json", results(*rows)))
    assert [item.outcomes[0].origin for item in found] == ["file", "file #2"]
    assert "neither messages nor ticks" in reasons(notes)
    assert "no object" in reasons(notes)
    with pytest.raises(InputError, match="no tau2-bench simulation"):
        read(put(tmp_path, "y.json", {"simulations": [{}]}), "tau2_bench")


def test_several_results_in_one_message_and_calls_of_chat_apis(tmp_path: Path) -> None:
    calls = [
        {"id": "c1", "function": {"name": "a", "arguments": "{}"}},
        {"id": "c2", "function": {"name": "b", "arguments": "{}"}},
    ]
    both = {"role": "tool", "tool_messages": [{"id": "c2", "content": "B"}, {"id": "c1", "content": "A"}]}
    raw = {"message": {"reasoning_content": "hm"}}
    messages = [{"role": "assistant", "content": "x", "tool_calls": calls, "raw_data": raw}, both]
    trace = one(put(tmp_path, "x.json", results(simulation(messages=messages)))).trace
    step = trace.steps[1]
    assert [(result.call_id, result.content) for result in step.results] == [("c2", "B"), ("c1", "A")]
    assert (step.reasoning, trace.info.n_messages, trace.info.n_tool_calls) == ("hm", 2, 2)


def tick(**more: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00", "agent_chunk": None, "user_chunk": None, **more}


def words(text: str | None, speech: bool = True, **more: Any) -> dict[str, Any]:
    return {"content": text, "contains_speech": speech, **more}


def test_ticks_become_utterances(tmp_path: Path) -> None:
    silent = [tick() for _ in range(7)]
    ticks = [
        tick(agent_chunk=words("Good", utterance_ids=["1"])),
        tick(agent_chunk=words(" day.", utterance_ids=["1"])),
        tick(
            agent_chunk=words("Yes?", utterance_ids=["2"]),
            user_chunk=words("Hi", turn_taking_action={"action": "interrupt"}),
        ),
        tick(
            agent_tool_calls=[MOVE],
            agent_tool_results=[{"id": "a1", "content": "no", "error": True, "requestor": "assistant"}],
        ),
        tick(agent_chunk=words("Sorry.")),
        *silent,
        tick(agent_chunk=words(None)),
    ]
    value = simulation(ticks=ticks, mode="full_duplex")
    del value["messages"]
    trace = one(put(tmp_path, "x.json", results(value))).trace
    assert [(step.source, step.message) for step in trace.steps[1:]] == [
        ("agent", "Good day. Yes?"),
        ("user", "Hi"),
        ("agent", "Sorry."),
        ("agent", "[speech, ticks 12–12: the file keeps no words]"),
    ]
    assert [call.id for call in trace.steps[1].calls] == ["a1"]
    assert trace.steps[1].error
    assert trace.steps[2].extra == {"turn_taking": [{"tick": 2, "action": "interrupt"}]}
    assert (trace.info.n_messages, trace.info.n_tool_calls) == (13, 1)
    assert trace.steps[1].source_ids[0] == "tick 0 agent"
