"""OpenHands V1: parallel calls, who answers what, attempts, empty rows, grades, conversation folders."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import find, open_source
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

HERE = SAMPLES / "openhands_v1"
AT = "2025-01-01T00:00:00"


def message(id: str, source: str, text: str, **more: Any) -> dict[str, Any]:
    said = {"role": "user" if source == "user" else "assistant", "content": [{"type": "text", "text": text}]}
    return {"kind": "MessageEvent", "id": id, "timestamp": AT, "source": source, "llm_message": said, **more}


def act(id: str, reply: str, call: str, tool: str = "terminal", **args: Any) -> dict[str, Any]:
    return {
        "kind": "ActionEvent",
        "id": id,
        "timestamp": AT,
        "source": "agent",
        "thought": [{"type": "text", "text": f"I do {id}."}],
        "action": {"kind": "FinishAction" if tool == "finish" else "TerminalAction", **args},
        "tool_name": tool,
        "tool_call_id": call,
        "tool_call": {"id": call, "name": tool, "arguments": json.dumps(args)},
        "llm_response_id": reply,
    }


def obs(id: str, action: str, call: str = "", **seen: Any) -> dict[str, Any]:
    event = {"kind": "ObservationEvent", "id": id, "timestamp": AT, "source": "environment"}
    return {**event, "action_id": action, "tool_call_id": call, "observation": {"kind": "X", **seen}}


def row(history: Any, **more: Any) -> dict[str, Any]:
    about = {"llm": {"model": "brook"}, "dataset": "reed-bench"}
    return {"instance_id": "reed-1", "instruction": "Do it.", "metadata": about, "history": history, **more}


TASK = message("m1", "user", "Do it.")
FINISH = act("f", "rf", "cf", "finish", message="Done.")


def test_parallel_calls_are_one_step(tmp_path: Path) -> None:
    history = [TASK, act("a", "r", "c1", command="x"), act("b", "r", "c2", command="y")]
    history += [
        obs("o2", "b", "c2", output="Y"),
        obs("o1", "a", "c1", content=[{"type": "text", "text": "X"}]),
    ]
    trace = one(put(tmp_path, "x.jsonl", [row(history)])).trace
    _, step = trace.steps
    assert step.message == "I do a.\n\nI do b."
    assert [(call.id, call.arguments) for call in step.calls] == [
        ("c1", {"command": "x"}),
        ("c2", {"command": "y"}),
    ]
    assert {result.call_id: result.content for result in step.results} == {"c1": "X", "c2": "Y"}
    assert (trace.info.n_messages, trace.info.n_tool_calls) == (5, 2)


def test_by_the_id_of_the_action_where_tool_calls_repeat(tmp_path: Path) -> None:
    history = [TASK]
    for n in "12":
        history += [act(f"a{n}", f"r{n}", "toolu_01", command=n), obs(f"o{n}", f"a{n}", "toolu_01", output=n)]
    steps = one(put(tmp_path, "x.jsonl", [row(history)])).trace.steps[1:]
    assert [step.results[0].content for step in steps] == ["1", "2"]
    assert all(step.results[0].call_id == step.calls[0].id for step in steps)


@pytest.mark.parametrize(
    ("seen", "text", "error", "code"),
    [
        ({"output": "ok", "error": False, "metadata": {"exit_code": 0}}, "ok", False, 0),
        ({"output": "no", "exit_code": 2}, "no", True, 2),
        ({"output": "", "error": "no such file"}, "no such file", True, None),
        ({"output": "half", "error": "cut", "exit_code": None}, "half\ncut", True, None),
        ({"content": "plain", "is_error": True}, "plain", True, None),
        ({"message": "finished"}, "finished", False, None),
        (
            {"output": "..", "exit_code": -1, "metadata": {"suffix": "\n[still runs]"}},
            "..\n[still runs]",
            True,
            -1,
        ),
        ({"output": "seen", "screenshot_data": "aGk="}, "seen\n[image/png 96e3186a, 2 B]", False, None),
        ({"task_list": [{"title": "t"}]}, '"title": "t"', False, None),
    ],
)
def test_results(tmp_path: Path, seen: Any, text: str, error: bool, code: int | None) -> None:
    history = [TASK, act("a", "r", "c", command="x"), obs("o", "a", **seen)]
    (result,) = one(put(tmp_path, "x.jsonl", [row(history)])).trace.steps[1].results
    assert text in result.content
    assert (result.error, result.exit_code) == (error, code)


def test_errors_of_the_harness_and_refusals_answer_their_calls() -> None:
    first, second = read(HERE / "output.critic_attempt_2.jsonl")
    wrong = first.trace.steps[6]
    assert (wrong.calls[0].name, wrong.results[0].error, wrong.results[0].call_id) == (
        "terminl",
        True,
        "call_d",
    )
    denied = second.trace.steps[2]
    assert (denied.results[0].denied, denied.results[0].error) == (True, False)
    assert [s.kind for s in first.trace.steps if s.kind] == ["injected", "injected", "compaction", "notice"]
    assert [s.kind for s in second.trace.steps if s.source == "user"] == ["", "injected"]


def test_a_lost_error_is_a_notice(tmp_path: Path) -> None:
    lost = {"kind": "AgentErrorEvent", "id": "e", "timestamp": AT, "source": "agent", "error": "no such tool"}
    step = one(put(tmp_path, "x.jsonl", [row([TASK, lost])])).trace.steps[1]
    assert (step.message, step.kind, step.fault) == ("no such tool", "notice", True)


@pytest.mark.parametrize(
    ("last", "error", "ended"),
    [
        ([FINISH], None, "submitted"),
        ([FINISH], "evaluator crashed", "submitted"),
        ([message("m2", "agent", "Ready.")], None, "submitted"),
        (
            [message("m2", "agent", "Ready.")],
            "MaxIterationsReached: Agent reached maximum iterations",
            "limit",
        ),
        ([act("a", "r", "c", command="x")], None, "unknown"),
        ([act("a", "r", "c", command="x")], "Remote conversation timed out", "timeout"),
        ([{"kind": "PauseEvent", "id": "p", "timestamp": AT, "source": "user"}], None, "user_stop"),
        (
            [
                {
                    "kind": "ConversationErrorEvent",
                    "id": "p",
                    "timestamp": AT,
                    "code": "Max",
                    "detail": "max iterations",
                }
            ],
            None,
            "limit",
        ),
    ],
)
def test_how_it_ended(tmp_path: Path, last: list[Any], error: str | None, ended: str) -> None:
    path = put(tmp_path, "x.jsonl", [row([TASK, *last], error=error)])
    assert one(path).trace.info.ended == ended


def test_attempts(tmp_path: Path) -> None:
    attempt = one(put(tmp_path, "output.critic_attempt_3.jsonl", [row([TASK])])).trace.info.attempt
    assert attempt == 3
    assert one(put(tmp_path, "output.jsonl", [row([TASK], attempt=2)])).trace.info.attempt == 2
    assert one(put(tmp_path, "output.jsonl", [row([TASK])])).trace.info.attempt is None


@pytest.mark.parametrize(
    ("final", "passed", "score"),
    [
        ((1, 1), True, 1.0),
        ((0, 1), False, 0.0),
        ((0, 0), None, None),
        ((1, 4), None, 0.25),
        ((None, None), None, None),
    ],
)
def test_points(tmp_path: Path, final: Any, passed: bool | None, score: float | None) -> None:
    points = {"final_score": {"result": final[0], "total": final[1]}}
    graded = one(put(tmp_path, "x.jsonl", [row([TASK], test_result=points)]))
    (outcome,) = graded.outcomes
    assert (outcome.passed, outcome.score) == (passed, score)
    bare = one(put(tmp_path, "y.jsonl", [row([TASK])]))
    assert bare.trace.info.trace_id == graded.trace.info.trace_id


def test_a_report_belongs_to_its_own_file(tmp_path: Path) -> None:
    first = put(tmp_path, "output.critic_attempt_1.jsonl", [row([TASK])])
    whole = put(tmp_path, "output.jsonl", [row([TASK])])
    put(tmp_path, "output.report.json", {"resolved_ids": ["reed-1"], "unresolved_ids": []})
    assert [outcome.passed for outcome in one(whole).outcomes] == [True]
    assert not one(first).outcomes
    put(tmp_path, "output.critic_attempt_1.report.json", {"resolved_ids": [], "unresolved_ids": ["reed-1"]})
    assert [outcome.passed for outcome in one(first).outcomes] == [False]


def test_an_empty_history_and_an_evaluator_that_crashed(tmp_path: Path) -> None:
    crashed = row([TASK, FINISH], error="no grader", test_result={"error": "no grader"})
    path = put(tmp_path, "x.jsonl", [row([], metrics=None), crashed])
    empty, other = read(path)
    assert [(step.message, step.source_ids) for step in empty.trace.steps] == [("Do it.", ("instruction",))]
    assert (empty.trace.info.n_messages, empty.trace.info.task) == (0, "Do it.")
    assert other.trace.info.ended == "submitted"
    assert (other.trace.steps[-1].message, other.trace.steps[-1].fault) == ("no grader", False)
    assert other.outcomes[0].passed is None


def test_a_folder_is_one_trace() -> None:
    found = find([HERE / "conversation-tide"])
    kinds = []
    for file in found.files:
        try:
            kinds.append(open_source(file.path)[0].FORMAT)
        except NotATrace as error:
            assert "one event of an OpenHands conversation" in str(error)
    assert (kinds, len(found.files)) == (["openhands_v1"], 10)
    trace = one(HERE / "conversation-tide" / "base_state.json").trace
    assert (trace.info.ended, trace.info.tokens_in, trace.info.cost) == ("user_stop", 5200, 0.02)
    assert trace.info.n_messages == len(json.loads(trace.raw)["events"]) == 9


def test_a_folder_that_grows_keeps_its_id(tmp_path: Path) -> None:
    copy = tmp_path / "c"
    shutil.copytree(HERE / "conversation-tide", copy)
    (last,) = copy.glob("events/event-00008-*")
    text = last.read_text()
    last.unlink()
    short = one(copy / "base_state.json").trace
    last.write_text(text)
    long = one(copy / "base_state.json").trace
    assert short.info.trace_id == long.info.trace_id
    assert short.info.content_hash != long.info.content_hash
    assert long.records.startswith(short.records)
    (copy / "events" / "event-00009-x.json").write_text("{")
    found, notes = read_all(copy / "base_state.json")
    assert found[0].trace.info.n_messages == 9
    assert "event-00009-x.json is skipped" in reasons(notes)
    assert str(tmp_path) not in reasons(notes)


def test_a_state_without_events_says_so(tmp_path: Path) -> None:
    path = Path(shutil.copy(HERE / "conversation-tide" / "base_state.json", tmp_path / "base_state.json"))
    with pytest.raises(InputError, match="conversation without events"):
        read(path)


def test_events_alone(tmp_path: Path) -> None:
    events = [TASK, FINISH]
    for name, value in (("a.json", events), ("b.jsonl", events), ("c.json", {"items": events})):
        trace = one(put(tmp_path, name, value)).trace
        assert (trace.info.n_messages, trace.info.task, trace.info.ended) == (2, "Do it.", "submitted")


def test_what_is_not_known_is_shown_and_damage_costs_itself(tmp_path: Path) -> None:
    odd = {"kind": "WeatherEvent", "id": "w", "timestamp": AT, "source": "environment", "wind": 7}
    found, notes = read_all(put(tmp_path, "x.jsonl", [row([TASK, odd, 5]), row(7), row([FINISH, TASK])]))
    assert len(found) == 2
    assert '"wind": 7' in found[0].trace.steps[1].message
    assert "unknown event kind 'WeatherEvent'" in reasons(notes)
    assert "its history is a number" in reasons(notes)


def test_calls_of_another_agent_are_told_once(tmp_path: Path) -> None:
    told = {
        "kind": "ACPToolCallEvent",
        "timestamp": AT,
        "source": "agent",
        "tool_call_id": "t",
        "title": "Edit a",
    }
    history = [TASK, {**told, "id": "1", "raw_input": {"a": 1}}, {**told, "id": "2", "raw_output": "done"}]
    trace = one(put(tmp_path, "x.jsonl", [row(history)])).trace
    _, step = trace.steps
    assert (step.calls[0].arguments, step.results[0].content, trace.info.n_tool_calls) == (
        {"a": 1},
        "done",
        1,
    )


def test_events_whose_time_was_left_out(tmp_path: Path) -> None:
    history = [TASK, act("a", "r", "c1", command="x"), obs("o", "a", "c1", output="X", is_error=True)]
    bare = [{key: item for key, item in event.items() if key not in ("id", "timestamp")} for event in history]
    for value, name in ((bare, "x.json"), (bare, "x.jsonl"), ([row(bare)], "r.jsonl"), (row(bare), "r.json")):
        found = one(put(tmp_path, name, value)).trace
        assert (found.info.format, found.info.task, found.info.n_tool_calls) == ("openhands_v1", "Do it.", 1)
        assert [result.error for result in found.steps[-1].results] == [True]
    with pytest.raises(InputError):
        open_source(put(tmp_path, "k.json", {"kind": "ActionEvent", "name": "x"}))


def test_events_without_their_state_are_a_conversation(tmp_path: Path) -> None:
    copy = tmp_path / "c"
    shutil.copytree(HERE / "conversation-tide", copy)
    whole = one(copy / "base_state.json").trace
    (copy / "base_state.json").unlink()

    def found(folder: Path) -> tuple[Path, ...]:
        importers = {}
        for file in find([folder]).files:
            with contextlib.suppress(NotATrace):
                importers[file.path] = open_source(file.path)
        return tuple(importers)

    (first,) = found(copy)
    assert found(copy / "events") == (first,) and first.name.startswith("event-00000-")
    (item,), notes = read_all(first)
    info = item.trace.info
    assert (info.n_messages, info.n_tool_calls) == (whole.info.n_messages, whole.info.n_tool_calls)
    assert (info.task, info.task_id, len(json.loads(item.trace.raw))) == (whole.info.task, "c", 9)
    assert "no base_state.json" in reasons(notes)
    (last,) = copy.glob("events/event-00008-*")
    last.unlink()
    short = one(first).trace
    assert short.info.trace_id == info.trace_id and short.info.content_hash != info.content_hash
    assert item.trace.records.startswith(short.records)


def test_a_folder_of_events_stands_for_its_conversation() -> None:
    folder = HERE / "conversation-tide"
    for given in ([folder / "events"], [folder / "events", folder], [folder, folder / "events"]):
        files = [file.path for file in find(given).files]
        assert files.count(folder / "base_state.json") == 1
    assert find([folder / "events"]).files[0].path == folder / "base_state.json"
