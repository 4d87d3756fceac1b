"""smolagents: chat memories, Python reprs that are read and never run, memories as JSON, odd rows."""

from __future__ import annotations

import json
import math
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import Imported
from reviewer.importers.finding.files import open_source
from reviewer.importers.formats.smolagents import pyrepr
from reviewer.importers.formats.smolagents.pyrepr import Made
from tests.importers.reading import one, put, read, read_all, reasons


def says(role: str, text: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}], **more}


def calls(*names: str) -> dict[str, Any]:
    made = [
        {"id": f"c{n}", "function": {"name": name, "arguments": {"q": "it's"}}}
        for n, name in enumerate(names)
    ]
    return says("tool-call", f"Calling tools:\n{made!r}")


def row(*steps: Any, **more: Any) -> dict[str, Any]:
    value: dict[str, Any] = {
        "model_id": "brook-large",
        "agent_action_type": "code",
        "question": "How many? " + "x" * 90,
    }
    value |= {"answer": "3", "true_answer": "4", "source": "GAIA", "start_time": 1770000000.0}
    value |= {"end_time": "2026-02-01 00:00:00", "token_counts": {"input": 7, "output": 2}}
    return {**value, "intermediate_steps": list(steps), **more}


def only(tmp_path: Path, *steps: Any, **more: Any) -> Imported:
    return one(put(tmp_path, "x.jsonl", [row(*steps, **more)]))


START = (says("system", "s"), says("user", "New task:\nHow many?"))


def test_chat_memory_is_folded(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        *START,
        says("assistant", "I look."),
        calls("search"),
        says("tool-response", "Observation:\n3"),
        says("MessageRole.ASSISTANT", "no code"),
        says("MessageRole.TOOL_RESPONSE", "Error:\nno code was found"),
    )
    info, steps = imported.trace.info, imported.trace.steps
    assert [step.source for step in steps] == ["system", "user", "agent", "agent"]
    assert [(call.id, call.name, call.arguments) for call in steps[2].calls] == [
        ("c0", "search", {"q": "it's"})
    ]
    assert [(result.call_id, result.error) for result in steps[2].results] == [("c0", False)]
    assert [(result.call_id, result.error) for result in steps[3].results] == [("", True)]
    assert steps[2].source_ids == ("#2", "#3", "#4")
    assert (info.n_messages, info.n_tool_calls, info.n_errors) == (7, 1, 1)
    assert (info.tokens_in, info.tokens_out, info.model) == (7, 2, "brook-large")
    assert (info.task, info.task_id) == ("How many? " + "x" * 90, "How many? " + "x" * 50)
    assert (info.started, info.seconds, info.ended) == ("2026-02-02T02:40:00.000Z", None, "submitted")


def test_answers_stand_side_by_side_and_nobody_graded(tmp_path: Path) -> None:
    (outcome,) = only(tmp_path, *START, source="MATH").outcomes
    assert outcome.detail is None
    assert (outcome.passed, outcome.expected_state, outcome.final_state) == (
        None,
        {"answer": "4"},
        {"answer": "3"},
    )
    assert only(tmp_path, *START, is_correct=False).outcomes[0].passed is False
    assert only(tmp_path, *START, score=1).outcomes[0].passed is True


@pytest.mark.parametrize(
    ("answer", "truth", "passed"),
    [
        ("3", "4", False),
        ("$1,250", "1250", True),
        (17, "17.0", True),
        ("about 17", "17", False),
        ("Sea Gull!", "seagull", True),
        ("gull", "seagull", False),
        ("oats, Rye", "oats; rye", True),
        ("oats", "oats, rye", False),
        ("oats, 2", "oats, 2.0", True),
        ("oats, rye!", "oats, rye", False),
        (None, "oats", False),
        ("nan", "inf", False),
        ("x", "?", None),
        ("x", None, None),
    ],
)
def test_answers_to_gaia_are_compared_as_gaia_does(
    tmp_path: Path, answer: Any, truth: Any, passed: bool | None
) -> None:
    (outcome,) = only(tmp_path, *START, answer=answer, true_answer=truth).outcomes
    assert outcome.passed is passed
    assert (outcome.detail is not None) is (passed is not None)
    if passed is not None:
        assert "by reviewer" in outcome.detail["compared"]
    (graded,) = only(tmp_path, *START, answer=answer, true_answer=truth, is_correct=not passed).outcomes
    assert (graded.passed, graded.detail) == (not passed, None)


def test_the_grade_is_no_part_of_the_trace(tmp_path: Path) -> None:
    ids = {only(tmp_path, *START, true_answer=text).trace.info.content_hash for text in ("4", "5")}
    assert len(ids) == 1


def test_several_calls_share_one_response(tmp_path: Path) -> None:
    step = only(
        tmp_path, *START, says("assistant", "x"), calls("a", "b"), says("tool-response", "both")
    ).trace
    assert [call.name for call in step.steps[2].calls] == ["a", "b"]
    assert [result.call_id for result in step.steps[2].results] == [""]
    assert step.info.n_tool_calls == 1  # as the benchmark counts: messages of calls
    named = says("tool-response", "Call id: c1\nError:\nno")
    step = only(tmp_path, *START, says("assistant", "x"), calls("a", "b"), named).trace
    assert [(result.call_id, result.error) for result in step.steps[2].results] == [("c1", True)]


def test_a_call_that_is_no_repr_is_kept(tmp_path: Path) -> None:
    path = put(
        tmp_path, "x.jsonl", [row(*START, says("assistant", "x"), says("tool-call", "Calling tools:\n!!"))]
    )
    (imported,), notes = read_all(path)
    assert imported.trace.steps[2].calls[0].arguments == "Calling tools:\n!!"
    assert "cannot be read" in reasons(notes)


@pytest.mark.parametrize(
    ("more", "ended"),
    [
        ({"agent_error": math.nan}, "submitted"),
        ({"agent_error": "None"}, "submitted"),
        ({"agent_error": "boom"}, "error"),
        ({"iteration_limit_exceeded": True}, "limit"),
        ({"answer": None}, "unknown"),
    ],
)
def test_ends(tmp_path: Path, more: dict[str, Any], ended: str) -> None:
    assert only(tmp_path, *START, **more).trace.info.ended == ended
    limit = says("tool-response", "Error:\nReached max steps.")
    assert only(tmp_path, *START, says("assistant", "x"), limit).trace.info.ended == "limit"


def test_reprs_are_read(tmp_path: Path) -> None:
    step = (
        "ActionStep(step_number=2, timing=Timing(start_time=1.5, duration=2.0),"
        " tool_calls=[ToolCall("
        "name='py', arguments='a = \"b\"\\n\\x41', id='c')],"
        " error=AgentError('it\\'s', code=nan), model_output='hm',"
        " observations_images=[<PIL.Image mode=RGB size=1x1>], observations=None,"
        " action_output=<x.Y object at 0x1>,"
        " token_usage=TokenUsage(input_tokens=5, output_tokens=None), is_final_answer=False)"
    )
    gaia: dict[str, Any] = {
        "agent_name": "lantern",
        "question": "q?",
        "augmented_question": "now: q?",
        "prediction": "p",
    }
    gaia |= {"intermediate_steps": ["SystemPromptStep(system_prompt='s')", "TaskStep(task='now: q?')", step]}
    trace = one(put(tmp_path, "x.jsonl", [gaia])).trace
    action = trace.steps[2]
    assert action.calls[0].arguments == 'a = "b"\nA'
    assert [(result.content, result.error) for result in action.results] == [
        ("[image <PIL.Image mode=RGB size=1x1>]", False),
        ("AgentError: it's", True),
    ]
    assert (action.number, action.seconds, action.message) == ("2", 2.0, "hm")
    assert action.metrics is not None
    assert action.metrics.tokens_in == 5
    assert action.extra == {"action_output": "<x.Y object at 0x1>"}
    assert (trace.info.model, trace.info.n_messages, trace.info.n_tool_calls) == ("lantern", 3, 1)
    assert (trace.info.task, trace.info.benchmark) == ("q?", "GAIA")


def test_a_repr_that_breaks_off_gives_what_is_there(tmp_path: Path) -> None:
    broken = "ActionStep(step_number=1, llm_output='whole', observations='cut o"
    trace = only(tmp_path, *START, broken).trace
    assert trace.steps[2].message == "whole"
    assert trace.steps[2].results[0].content == "cut o"


def test_code_in_a_repr_is_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    evil = f"ActionStep(step_number=1, llm_output=__import__('pathlib').Path({str(mark)!r}).touch())"
    assert only(tmp_path, *START, evil).trace.steps[2].source == "agent"
    assert not mark.exists()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, -2.5, 1e3, None, True, nan]", [1, -2.5, 1000.0, None, True, None]),
        ("{'a': (1, 2), 'b': {3}}", {"a": [1, 2], "b": [3]}),
        ("'a' \"b\\u00e9\"", "abé"),
        ("a.B(1, x='\\\\')", Made("B", (1,), {"x": "\\"})),
        ("<E.A: 'a<b>'>", "<E.A: 'a<b>'>"),
        ("", None),
        ("]", None),
    ],
)
def test_values_of_reprs(text: str, value: Any) -> None:
    assert pyrepr.read(text)[0] == value


def test_hostile_reprs_end_soon() -> None:
    began = time.process_time()
    for text in (
        "[" * 100_000,
        "(<" * 50_000,
        "A(" * 50_000,
        "'" * 99_999,
        "\\" * 99_999,
        "{,:" * 30_000,
        "[<" + "a" * 10**6,
        "['\\" * 50_000,
        "[<a'" * 30_000,
    ):
        pyrepr.read(text)
    assert time.process_time() - began < 20


def test_a_long_text_takes_room_for_itself_only() -> None:
    text = "ActionStep(m='" + "a\\'" * 10 + "a" * 2_000_000 + "')"
    tracemalloc.start()
    value, rest = pyrepr.read(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(value.fields["m"]), rest) == (2_000_020, "")
    assert peak < 12_000_000


def test_nul_characters_and_degenerate_steps(tmp_path: Path) -> None:
    rows = [
        row(*START, says("assistant", "\x00" * 5000)),
        row("3"),
        row(intermediate_steps="3"),
        {"question": "q"},
    ]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.n_messages for item in found] == [3, 1, 0]
    assert [step.message for step in found[2].trace.steps] == ["How many? " + "x" * 90, "3"]
    assert "the steps of a row are a text" in reasons(notes)
    assert "is none of smolagents" in reasons(notes)
    assert "has no intermediate steps" in reasons(notes)


MEMORY: list[dict[str, Any]] = [
    {"system_prompt": "be good"},
    {"task": "Count.", "task_images": None},
    {"plan": "count", "timing": {"start_time": 1.0, "end_time": 2.0, "duration": 1.0}, "token_usage": None},
    {
        "step_number": 1,
        "timing": {"start_time": 1770000000.0, "end_time": 1770000002.0, "duration": 2.0},
        "model_input_messages": [says("user", "again")],
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "count", "arguments": {"n": 3}}}
        ],
        "error": {"type": "AgentExecutionError", "message": "bad"},
        "model_output": "I count",
        "model_output_message": {"role": "assistant", "content": "I count", "raw": {"model": "lantern-mini"}},
        "observations": "1 2 3",
        "action_output": 3,
        "token_usage": {"input_tokens": 4, "output_tokens": 2, "total_tokens": 6},
    },
    {"output": "3"},
]


@pytest.mark.parametrize("shape", ["list", "lines", "run"])
def test_a_memory_as_json_is_one_trace(tmp_path: Path, shape: str) -> None:
    if shape == "lines":
        path = put(tmp_path, "x.jsonl", MEMORY)
    else:
        path = put(tmp_path, "x.json", MEMORY if shape == "list" else {"output": "3", "steps": MEMORY})
    assert open_source(path)[0].FORMAT == "smolagents"
    trace = one(path).trace
    assert [step.source for step in trace.steps] == ["system", "user", "agent", "agent", "agent"]
    assert (trace.info.task, trace.info.model, trace.info.n_messages) == ("Count.", "lantern-mini", 5)
    action = trace.steps[3]
    assert [(result.content, result.error) for result in action.results] == [
        ("1 2 3", False),
        ("AgentExecutionError: bad", True),
    ]
    assert (action.number, action.seconds, trace.info.tokens_in) == ("1", 2.0, 4)
    assert json.loads(trace.raw) == (MEMORY if shape != "run" else {"output": "3", "steps": MEMORY})


def test_the_same_row_twice_is_one_trace(tmp_path: Path) -> None:
    assert len(read(put(tmp_path, "x.jsonl", [row(*START), row(*START)]))) == 1
