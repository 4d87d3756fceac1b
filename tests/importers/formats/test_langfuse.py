"""Langfuse: what is encoded twice, nested calls, tools logged as spans, scores, exports of observations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.importers.reading import one, put, read, read_all, reasons

ASK = {"role": "user", "content": "How deep is the well?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "measure", "arguments": '{"well": 3}'}}
SAID = {"role": "assistant", "content": None, "tool_calls": [CALL]}
TOLD = {"role": "tool", "tool_call_id": "c1", "content": "12 m"}
DONE = {"role": "assistant", "content": "12 metres."}


def ob(key: str, second: int, **more: Any) -> dict[str, Any]:
    start, end = (f"2026-01-01T00:00:{at:02}.000Z" for at in (second, second + 1))
    return {"id": key, "traceId": "t1", "type": "GENERATION", "startTime": start, "endTime": end, **more}


def trace(*rows: Any, **more: Any) -> dict[str, Any]:
    return {"trace": {"id": "t1", "timestamp": "2026-01-01T00:00:00Z", **more}, "observations": list(rows)}


def calls(**first: Any) -> list[dict[str, Any]]:
    return [
        ob("a", 1, input=[ASK], output=SAID, model="brook-large", **first),
        ob("b", 2, type="TOOL", name="measure", input={"well": 3}, output="12 m"),
        ob("c", 4, input=[ASK, SAID, TOLD], output=DONE, model="brook-large"),
    ]


def test_only_what_is_new_in_a_call_makes_steps(tmp_path: Path) -> None:
    found = one(put(tmp_path, "x.json", trace(*calls()))).trace
    assert [step.source for step in found.steps] == ["user", "agent", "agent"]
    assert [result.content for result in found.steps[1].results] == ["12 m"]
    assert found.steps[1].results[0].call_id == "c1"
    assert found.steps[1].source_ids == ("a", "b")
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.task) == (3, 1, ASK["content"])
    assert found.info.task_id == "t1"


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_however_often_it_is_encoded(tmp_path: Path, times: int) -> None:
    rows = calls()
    for row in rows:
        for key in ("input", "output"):
            for _ in range(times):
                row[key] = json.dumps(row[key])
    steps = one(put(tmp_path, "x.json", trace(*rows))).trace.steps
    assert [step.message for step in steps] == [ASK["content"], "", DONE["content"]]


def test_the_list_without_words_is_filled_from_the_other(tmp_path: Path) -> None:
    bare = [{**row, "input": None, "output": None, "metadata": "{}"} for row in calls()]
    both = trace(*calls(), observations=bare)
    assert one(put(tmp_path, "x.json", both)).trace.info.n_messages == 3
    api = {**both["trace"], "observations": calls()}
    assert len(one(put(tmp_path, "y.json", api)).trace.steps) == 3


def test_a_generation_around_another_is_no_step_and_no_tokens(tmp_path: Path) -> None:
    outer = ob("o", 0, input={"prompt": ASK["content"]}, output=DONE["content"], usageDetails={"input": 5})
    inner = ob(
        "i", 0, parentObservationId="o", input=[ASK], output=DONE, usageDetails={"input": 7, "output": 2}
    )
    agent = ob("g", 0, type="AGENT", model="brook-small", usageDetails={"input": 7, "output": 2})
    found = one(put(tmp_path, "x.json", trace(agent, outer, {**inner, "model": "brook-large"}))).trace
    assert [step.source for step in found.steps] == ["user", "agent"]
    assert (found.info.tokens_in, found.info.tokens_out, found.info.model) == (7, 2, "brook-large")


@pytest.mark.parametrize(
    "span",
    [
        {"metadata": json.dumps({"attributes": {"openinference.span.kind": "TOOL"}}), "output": "12 m"},
        {"metadata": json.dumps({"attributes": {"gen_ai.operation.name": "execute_tool"}}), "output": "12 m"},
        {"output": {"type": "tool", "content": "12 m", "tool_call_id": "c1", "name": "measure"}},
    ],
)
def test_a_tool_that_is_logged_as_a_span(tmp_path: Path, span: dict[str, Any]) -> None:
    first, _, last = calls()
    tool = ob("b", 2, type="SPAN", name="measure", input={"well": 3}, **span)
    found = one(put(tmp_path, "x.json", trace(first, tool, last))).trace
    assert [result.content for result in found.steps[1].results] == ["12 m"]
    assert "b" in found.steps[1].source_ids
    assert found.info.n_tool_calls == 0  # FORMATS counts what is typed as a tool


def test_errors_of_tools_and_of_calls(tmp_path: Path) -> None:
    first, _, last = calls()
    tool = ob("b", 2, type="TOOL", name="measure", level="ERROR", statusMessage="no rope")
    found = one(put(tmp_path, "x.json", trace(first, tool, {**last, "level": "ERROR"}))).trace
    assert found.steps[1].results[0].error
    assert found.steps[1].results[0].content == "no rope"
    assert found.steps[2].fault
    assert found.info.ended == "error"


def test_a_run_that_no_model_asked_for_stands_for_itself(tmp_path: Path) -> None:
    tool = ob("b", 2, type="TOOL", name="measure", input={"well": 3}, output="12 m")
    found = one(put(tmp_path, "x.json", trace(tool, ob("c", 3, input=[ASK], output=DONE)))).trace
    assert [call.name for call in found.steps[0].calls] == ["measure"]


def test_a_call_id_that_is_used_twice(tmp_path: Path) -> None:
    again = {"role": "tool", "tool_call_id": "c1", "content": "13 m"}
    rows = [
        ob("a", 1, input=[ASK], output=SAID),
        ob("b", 2, input=[ASK, SAID, TOLD], output=SAID),
        ob("c", 3, input=[ASK, SAID, TOLD, SAID, again], output=DONE),
    ]
    steps = one(put(tmp_path, "x.json", trace(*rows))).trace.steps
    assert [[result.content for result in step.results] for step in steps] == [[], ["12 m"], ["13 m"], []]


def test_prompts_that_the_program_wrote_are_injected(tmp_path: Path) -> None:
    judge = ob("d", 6, input=[{"role": "user", "content": "Rate: 12 metres."}], output="good")
    found = one(put(tmp_path, "x.json", trace(*calls(), judge, input=json.dumps(ASK["content"])))).trace
    kinds = {step.message: step.kind for step in found.steps if step.source == "user"}
    assert kinds == {ASK["content"]: "", "Rate: 12 metres.": "injected"}


@pytest.mark.parametrize(
    ("score", "passed"),
    [
        ({"name": "correctness", "value": 1, "source": "EVAL"}, True),
        ({"name": "task success", "value": 0, "source": "API"}, False),
        ({"name": "correctness", "value": 0.5, "source": "EVAL"}, None),
        ({"name": "toxicity", "value": 0, "source": "EVAL"}, None),
        ({"name": "correctness", "value": 1, "observationId": "a", "source": "EVAL"}, None),
        ({"name": "passed", "stringValue": "fail", "dataType": "CATEGORICAL", "source": "ANNOTATION"}, False),
    ],
)
def test_a_score_is_an_outcome_and_seldom_a_verdict(tmp_path: Path, score: Any, passed: Any) -> None:
    plain = one(put(tmp_path, "x.json", trace(*calls(), scores=[])))
    graded = one(put(tmp_path, "y.json", trace(*calls(), scores=[score, score])))
    assert [outcome.passed for outcome in graded.outcomes] == [passed, passed]
    assert graded.outcomes[0].detail == score
    assert len({outcome.origin for outcome in graded.outcomes}) == 2
    assert graded.trace.info.trace_id == plain.trace.info.trace_id


def test_a_request_beside_what_is_carried_along_is_the_task(tmp_path: Path) -> None:
    given = {"run_state": "State(step=1)", "session": "s1", "message": "How deep is the well?"}
    found = one(put(tmp_path, "x.json", trace(*calls(), input=json.dumps(given)))).trace
    assert found.info.task == "How deep is the well?"
    strange = trace(ob("a", 1, output=DONE), input={"run_state": "State(step=1)"})
    assert one(put(tmp_path, "y.json", strange)).trace.info.task.startswith("{")


def test_observations_are_gathered_by_trace(tmp_path: Path) -> None:
    other = ob("z", 1, input=[ASK], output="7 m") | {"traceId": "t2"}
    first, *rest = calls()
    found = read(put(tmp_path, "x.jsonl", [first, other, *rest]))
    assert [(item.trace.info.task_id, item.trace.info.n_messages) for item in found] == [("t1", 3), ("t2", 1)]
    assert len(json.loads(found[0].trace.raw)) == 3


def test_snake_case_of_blob_exports(tmp_path: Path) -> None:
    row = {"id": "a", "trace_id": "t1", "type": "GENERATION", "start_time": "2026-01-01T00:00:00Z"}
    row |= {
        "input": json.dumps([ASK]),
        "output": json.dumps(DONE),
        "usage_details": {"input": 4, "output": 2},
    }
    found = one(put(tmp_path, "x.jsonl", [row])).trace
    assert (found.info.tokens_in, found.info.task) == (4, ASK["content"])


def test_a_list_without_what_was_said_shows_request_and_answer(tmp_path: Path) -> None:
    bare = [{**row, "input": None, "output": None} for row in calls()]
    given = {"input": '"How deep?"', "output": '"12 m"'}
    steps = one(put(tmp_path, "x.json", trace(*bare, **given))).trace.steps
    assert steps[0].message == "How deep?"
    assert steps[-1].message == "12 m"


def test_a_bad_row_costs_that_row(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = [json.dumps(row) for row in calls()]
    path.write_text("\n".join([lines[0], "{broken", "7", *lines[1:]]))
    found, notes = read_all(path)
    assert found[0].trace.info.n_messages == 3
    assert "a number" in reasons(notes)
