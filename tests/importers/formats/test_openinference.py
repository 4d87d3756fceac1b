"""OpenInference spans: flat and nested attributes, Phoenix exports, trees, tools, documents, notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.otel import otlp, span
from tests.importers.reading import one, put, read_all, reasons

KIND = "openinference.span.kind"
HEARD = {
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": "Where is it?",
}
CALL = "llm.output_messages.0.message.tool_calls.0.tool_call"
ASKS = {
    "llm.output_messages.0.message.role": "assistant",
    f"{CALL}.id": "c1",
    f"{CALL}.function.name": "lookup",
    f"{CALL}.function.arguments": '{"id": 7}',
}
LLM = {KIND: "LLM", "llm.model_name": "brook-large", **HEARD}


def phoenix(number: str, kind: str, values: dict[str, Any], parent: str | None = None, **more: Any) -> Any:
    row: dict[str, Any] = {
        "name": f"s{number}",
        "context": {"trace_id": "t" * 32, "span_id": number},
        "span_kind": kind,
        "parent_id": parent,
        "start_time": f"2026-01-01T00:00:0{number}Z",
        "attributes": values,
        "end_time": f"2026-01-01T00:00:0{number}Z",
        "status_code": "OK",
        "status_message": "",
        "events": [],
    }
    return row | more


def test_a_tool_span_without_a_call_id_answers_by_name(tmp_path: Path) -> None:
    tool = {KIND: "TOOL", "tool.name": "lookup", "input.value": '{"id": 7}', "output.value": "shelf 3"}
    step = one(put(tmp_path, "t.json", otlp(span(2, {**LLM, **ASKS}), span(3, tool)))).trace.steps[1]
    assert step.calls[0].arguments == {"id": 7}
    assert (step.results[0].content, step.results[0].call_id) == ("shelf 3", "c1")


def test_more_than_ten_messages_stand_in_order(tmp_path: Path) -> None:
    values: dict[str, Any] = {KIND: "LLM"}
    for n in range(12):
        values[f"llm.input_messages.{n}.message.role"] = "user"
        values[f"llm.input_messages.{n}.message.content"] = f"m{n}"
    trace = one(put(tmp_path, "t.json", otlp(span(2, values)))).trace
    assert [step.message for step in trace.steps[:12]] == [f"m{n}" for n in range(12)]


def test_langchain_wraps_what_goes_in_and_out_of_its_tools(tmp_path: Path) -> None:
    output = json.dumps({"content": "no such id", "tool_call_id": "c1", "status": "error", "type": "tool"})
    tool = {KIND: "TOOL", "tool.name": "lookup", "output.value": output}
    (result,) = (
        one(put(tmp_path, "t.json", otlp(span(2, {**LLM, **ASKS}), span(3, tool)))).trace.steps[1].results
    )
    assert (result.content, result.call_id, result.error) == ("no such id", "c1", True)


def test_the_root_is_the_task_and_the_answer(tmp_path: Path) -> None:
    root = {KIND: "CHAIN", "input.value": json.dumps({"input": "Find it"}), "output.value": "Found it"}
    trace = one(put(tmp_path, "t.json", otlp(span(1, root), span(2, {**LLM, **ASKS}, parent=1)))).trace
    assert trace.info.task == "Find it"
    assert trace.steps[-1].message == "Found it"


@pytest.mark.parametrize(
    "given", [{"messages": [["user", "Find it"]]}, {"message": "Find it", "state": {"n": 1}}, "Find it"]
)
def test_the_request_however_it_is_wrapped(tmp_path: Path, given: Any) -> None:
    root = {KIND: "AGENT", "input.value": json.dumps(given), "output.value": "Found it"}
    trace = one(put(tmp_path, "t.json", otlp(span(1, root), span(2, {**LLM, **ASKS}, parent=1)))).trace
    assert trace.info.task == "Find it"


def test_a_request_in_one_text(tmp_path: Path) -> None:
    asked = {"messages": [{"role": "user", "content": "Where is it?"}], "model": "brook-large"}
    reply = {"choices": [{"finish_reason": "length", "message": {"role": "assistant", "content": "On"}}]}
    values = {KIND: "LLM", "input.value": json.dumps(asked), "output.value": json.dumps(reply)}
    trace = one(put(tmp_path, "t.json", otlp(span(2, values)))).trace
    assert [step.message for step in trace.steps] == ["Where is it?", "On"]
    assert trace.info.ended == "limit"


def test_phoenix_nested_and_notes(tmp_path: Path) -> None:
    llm = {
        "llm": {
            "model_name": "m",
            "input_messages": [{"message": {"role": "user", "content": "hi"}}],
            "output_messages": [{"message": {"role": "assistant", "content": "yo"}}],
        }
    }
    notes = [
        {"name": "tone", "annotator_kind": "CODE", "result": {"score": 0.5}},
        {"name": "ok", "annotator_kind": "HUMAN", "result": {"label": "bad"}},
    ]
    path = put(tmp_path, "t.json", [phoenix("1", "LLM", llm, annotations=notes)])
    (imported,), warned = read_all(path)
    assert [step.message for step in imported.trace.steps] == ["hi", "yo"]
    outcome, by_people = imported.outcomes
    assert (outcome.passed, outcome.score, len(outcome.detail)) == (None, 0.5, 1)
    assert (by_people.passed, by_people.score, by_people.said_by) == (None, None, "person")
    assert "by a person" in reasons(warned)
    bare = one(put(tmp_path, "u.json", [phoenix("1", "LLM", llm)]))
    assert bare.trace.info.trace_id == imported.trace.info.trace_id


def test_rows_of_a_data_frame(tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "context.trace_id": "t1",
        "context.span_id": "s1",
        "parent_id": None,
        "name": "x",
        "span_kind": "LLM",
        "start_time": 1770000000000,
        "status_code": "OK",
        "attributes.llm.model_name": "m",
        "attributes.llm.input_messages": [{"message.role": "user", "message.content": "hi"}],
        "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": "yo"}],
    }
    trace = one(put(tmp_path, "t.jsonl", [row, {**row, "context.span_id": "s2", "span_kind": "CHAIN"}])).trace
    assert trace.info.task_id == "t1"
    assert trace.info.model == "m"
    assert [step.message for step in trace.steps] == ["hi", "yo"]


def test_a_tree_of_child_spans(tmp_path: Path) -> None:
    child = {
        "span_id": "b",
        "parent_span_id": "a",
        "trace_id": "tt",
        "span_name": "turn",
        "timestamp": "2026-01-01T00:00:01Z",
        "duration": "PT2.5S",
        "status_code": "Error",
        "status_message": "quota",
        "span_attributes": LLM,
    }
    root = {
        "span_id": "a",
        "trace_id": "tt",
        "span_name": "main",
        "timestamp": "2026-01-01T00:00:00Z",
        "span_attributes": {KIND: "AGENT", "input.value": "go"},
        "child_spans": [child],
    }
    trace = one(put(tmp_path, "t.json", {"trace_id": "tt", "spans": [root]})).trace
    assert trace.info.n_messages == 2
    assert trace.steps[-1].fault
    assert trace.steps[-1].seconds == 2.5
    assert trace.info.task == "go"


def test_documents_and_guards_are_notices(tmp_path: Path) -> None:
    found = {KIND: "RETRIEVER", "retrieval.documents.0.document.content": "§ 1", "input.value": "rule"}
    guard = {KIND: "GUARDRAIL", "output.value": "blocked"}
    trace = one(put(tmp_path, "t.json", otlp(span(1, found), span(2, guard), span(3, {**LLM, **ASKS})))).trace
    assert [(step.kind, step.message) for step in trace.steps[:2]] == [
        ("notice", "rule\n\n§ 1"),
        ("notice", "blocked"),
    ]


def test_an_export_of_annotations_is_no_trace(tmp_path: Path) -> None:
    row = {"id": "1", "span_id": "s", "name": "ok", "annotator_kind": "HUMAN", "result": {"label": "good"}}
    for value in ([row], {"data": [row], "next_cursor": None}):
        with pytest.raises(NotATrace, match="annotations"):
            open_source(put(tmp_path, "a.json", value))
