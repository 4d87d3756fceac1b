"""AgentBench: calls written as text, demonstrations, how runs end, grades, runs that crashed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from reviewer.importers.formats.agentbench.actions import action_of
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

HERE = SAMPLES / "agentbench" / "outputs" / "2025-06-01"


def row(history: Any, status: str = "completed", result: Any = None, **more: Any) -> dict[str, Any]:
    output = {"index": 3, "status": status, "result": result, "history": history}
    return {"index": 3, "error": None, "info": None, "output": output, "time": {"str": "now"}, **more}


def talk(*texts: str) -> list[dict[str, str]]:
    return [{"role": ("user", "agent")[n % 2], "content": text} for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("GET http://a/b?c=d", "GET", {"url": "http://a/b?c=d"}),
        ('```tool_code\nPOST http://a\n{"b": 1}\n```\n', "POST", {"url": "http://a", "data": {"b": 1}}),
        ("POST http://a\n{broken", "POST", {"url": "http://a", "data": "{broken"}),
        ('FINISH(["x", 2])', "FINISH", '["x", 2]'),
        ("Think: hm\n\nAct: bash\n\n```bash\nls\n```", "bash", {"command": "ls"}),
        ("Think: hm\n\nAct: finish", "finish", ""),
        ("Think: hm\n\nAct: answer(42)", "answer", "42"),
        ("I look.\nAction: Operation\n```sql\nSELECT 1;\n```", "sql", {"query": "SELECT 1;"}),
        ('Action: Answer\nFinal Answer: ["a"]', "answer", '["a"]'),
        ("Thought: hm\nAction: get_relations(Bach)", "get_relations", "Bach"),
        ("Final Answer: #3", "answer", "#3"),
        ("Thought:\nhm\n\nAction:\nsearch[red shoes]", "search", "red shoes"),
        ("THOUGHT: hm\nACTION: go to shelf 1", "action", "go to shelf 1"),
    ],
)
def test_calls_are_texts(text: str, name: str, arguments: Any) -> None:
    call = action_of(text, "#1")
    assert call is not None
    assert (call.name, call.arguments) == (name, arguments)


@pytest.mark.parametrize("text", ["", "Ok.", "I wait.", '```json\n{"name": "GET"}\n```', "GET"])
def test_other_texts_call_nothing(text: str) -> None:
    assert action_of(text, "") is None


def test_structured_calls_are_counted_and_text_calls_are_not(tmp_path: Path) -> None:
    spoken = one(put(tmp_path, "x.jsonl", [row(talk("Do it.", "GET http://a", "ok", "FINISH([])"))])).trace
    assert (spoken.info.n_messages, spoken.info.n_tool_calls) == (4, 0)
    assert [len(step.calls) for step in spoken.steps] == [0, 1, 1]
    assert spoken.steps[1].results[0].content == "ok"
    call = {"id": "c", "function": {"name": "sql", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "Do it."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "1"},
    ]
    made = one(put(tmp_path, "y.jsonl", [row(history)])).trace
    assert (made.info.n_tool_calls, made.steps[1].results[0].content) == (1, "1")


def test_a_demonstration_is_injected_and_calls_nothing() -> None:
    trace = read(HERE / "brook-large" / "os-std" / "runs.jsonl")[0].trace
    assert [step.kind for step in trace.steps] == ["injected"] * 4 + [""] * 3
    assert not any(step.calls for step in trace.steps[:4])
    assert trace.info.task == "How many users have the shell /bin/zsh?"
    assert (trace.info.benchmark, trace.info.model) == ("os-std", "brook-large")


def test_instructions_that_were_acknowledged_are_injected(tmp_path: Path) -> None:
    trace = one(
        put(tmp_path, "x.jsonl", [row(talk("I ask, you answer.", "Ok.", "How many?", "Final Answer: 3"))])
    ).trace
    assert [step.kind for step in trace.steps] == ["injected", "injected", "", ""]
    assert trace.info.task == "How many?"


def test_only_folders_of_agentbench_name_model_and_task(tmp_path: Path) -> None:
    def named(path: str, *others: str) -> tuple[str, str]:
        for other in others:
            put(tmp_path, other, {})
        info = one(put(tmp_path, path, [row(talk("Do it.", "Act: bash\n```bash\nls\n```"))])).trace.info
        return info.benchmark, info.model

    assert named("a/my downloads/may/runs.jsonl") == ("", "")
    assert named("b/brook-large/os-std/runs.jsonl", "b/brook-large/os-std/overall.json")[1] == "brook-large"
    assert named("c/brook-large/os-std/error.jsonl", "c/config.yaml") == ("os-std", "brook-large")
    assert named("outputs/d/brook-large/os-std/runs.jsonl") == ("os-std", "brook-large")


def test_what_the_environment_says_without_a_call_is_injected() -> None:
    steps = read(HERE / "brook-large" / "os-std" / "runs.jsonl")[1].trace.steps
    assert (steps[7].kind, steps[7].message) == ("injected", "No executable action was found.")


def test_a_request_that_failed_is_an_error_and_a_reply_that_was_not_understood_a_fault() -> None:
    first, second = (item.trace for item in read(HERE / "lantern-mini" / "clinic-std" / "runs.jsonl"))
    assert [step.error for step in first.steps] == [False, True, False, False, False]
    assert first.info.task.startswith("Context: It is 2025-06-01 now.\nQuestion: What is")
    assert (second.steps[-1].fault, second.info.ended) == (True, "error")
    with pytest.raises(NotATrace):
        open_source(HERE / "lantern-mini" / "clinic-std" / "overall.json")


@pytest.mark.parametrize(
    ("status", "ended"),
    [
        ("completed", "submitted"),
        ("task limit reached", "limit"),
        ("agent context limit", "limit"),
        ("agent validation failed", "error"),
        ("agent invalid action", "error"),
        ("task error", "error"),
        ("unknown", "error"),
        ("cancelled", "user_stop"),
        ("running", "unknown"),
    ],
)
def test_how_it_ended(tmp_path: Path, status: str, ended: str) -> None:
    assert one(put(tmp_path, "x.jsonl", [row(talk("Do it."), status)])).trace.info.ended == ended


@pytest.mark.parametrize(
    ("result", "passed", "score"),
    [
        ({"result": True}, True, None),
        ({"result": 0}, False, 0.0),
        ({"reward": 0.4}, None, 0.4),
        ({"success": False}, False, None),
    ],
)
def test_grades(tmp_path: Path, result: Any, passed: bool | None, score: float | None) -> None:
    graded = one(put(tmp_path, "x.jsonl", [row(talk("Do it."), result={"file": "a", **result})]))
    (outcome,) = graded.outcomes
    assert (outcome.passed, outcome.score) == (passed, score)
    bare = one(put(tmp_path, "y.jsonl", [row(talk("Do it."), result={"file": "a"})]))
    assert (bare.outcomes, bare.trace.info.trace_id) == ((), graded.trace.info.trace_id)


def test_runs_that_crashed(tmp_path: Path) -> None:
    rows = [
        {"index": 1, "error": "AGENT_FAILED", "info": "no answer", "output": None, "time": {"str": "now"}},
        {**row(None, "task error"), "error": "INTERACT_FAILED"},
    ]
    first, second = (item.trace for item in read(put(tmp_path, "error.jsonl", rows)))
    assert [(s.message, s.fault) for s in first.steps] == [("AGENT_FAILED: no answer", True)]
    assert (first.info.ended, first.info.n_messages, first.info.task_id) == ("error", 0, "1")
    assert (second.info.ended, second.steps[0].message) == ("error", "INTERACT_FAILED")


def test_damage_costs_itself(tmp_path: Path) -> None:
    path = put(tmp_path, "x.jsonl", [row(talk("a", "b")), {"index": 2}, row([5, "text", {"role": 7}])])
    found, notes = read_all(path)
    assert len(found) == 2
    assert "a row without an output" in reasons(notes)
    with pytest.raises(InputError):
        read(put(tmp_path, "y.json", {"a": 1}), "agentbench")
