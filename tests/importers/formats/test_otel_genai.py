"""GenAI spans: every version's messages, results from both sides, what is new only, ids, growth, damage."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.otel import TRACE, otlp, span
from tests.importers.reading import one, put, read, read_all, reasons

CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "brook-large"}
TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "lookup"}
USER = {"role": "user", "parts": [{"type": "text", "content": "Where is it?"}]}
CALL = {"type": "tool_call", "id": "c1", "name": "lookup", "arguments": {"id": 7}}
ASKS = {"role": "assistant", "parts": [CALL], "finish_reason": "tool_call"}
TOLD = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "shelf 3"}]}
SAYS = {"role": "assistant", "parts": [{"type": "text", "content": "On shelf 3."}], "finish_reason": "stop"}


def chat(place: int, heard: Any, said: Any, **more: Any) -> dict[str, Any]:
    values = {**CHAT, "gen_ai.input.messages": json.dumps(heard), "gen_ai.output.messages": json.dumps(said)}
    return span(place, values, parent=1, **more)


def run(folder: Path, *spans: dict[str, Any]) -> Any:
    return one(put(folder, "t.json", otlp(*spans))).trace


def test_a_resent_history_makes_no_steps(tmp_path: Path) -> None:
    spans = [chat(2, [USER], [ASKS]), chat(4, [USER, ASKS, TOLD], [SAYS])]
    trace = run(tmp_path, *spans)
    assert [step.source for step in trace.steps] == ["user", "agent", "agent"]
    assert trace.steps[1].results[0].content == "shelf 3"
    assert trace.steps[2].message == "On shelf 3."
    assert trace.info.n_messages == 2
    assert trace.info.task == "Where is it?"


def test_what_is_said_twice_is_shown_twice(tmp_path: Path) -> None:
    again = {"role": "user", "parts": [{"type": "text", "content": "go on"}]}
    heard = [USER, SAYS, again, SAYS, again]
    trace = run(tmp_path, chat(2, [USER], [SAYS]), chat(3, heard[:3], [SAYS]), chat(4, heard, [SAYS]))
    assert [step.message for step in trace.steps if step.source == "user"] == [
        "Where is it?",
        "go on",
        "go on",
    ]
    assert sum(step.source == "agent" for step in trace.steps) == 3


def test_spans_come_in_the_order_of_time(tmp_path: Path) -> None:
    trace = run(tmp_path, chat(4, [USER, ASKS, TOLD], [SAYS]), chat(2, [USER], [ASKS]))
    assert [step.message for step in trace.steps] == ["Where is it?", "", "On shelf 3."]


def test_the_tool_span_answers_the_call_and_says_that_it_failed(tmp_path: Path) -> None:
    tool = span(
        3,
        {**TOOL, "gen_ai.tool.call.id": "c1", "error.type": "Timeout"},
        parent=1,
        status={"code": 2, "message": "no answer in 5 s"},
    )
    trace = run(tmp_path, chat(2, [USER], [ASKS]), tool)
    (result,) = trace.steps[1].results
    assert result.error
    assert result.content == "no answer in 5 s"
    assert trace.info.n_tool_calls == 1
    assert trace.steps[1].source_ids == (f"{2:016x}", f"{3:016x}")


def test_what_the_model_was_told_may_differ_from_what_the_tool_gave(tmp_path: Path) -> None:
    tool = span(3, {**TOOL, "gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "shelf 4"}, parent=1)
    trace = run(tmp_path, chat(2, [USER], [ASKS]), tool, chat(4, [USER, ASKS, TOLD], [SAYS]))
    assert trace.steps[1].results[0].content == "shelf 4"
    assert trace.steps[1].extra["result as the model read it c1"] == "shelf 3"


def test_parallel_calls_without_ids_are_told_apart(tmp_path: Path) -> None:
    calls = [{"type": "tool_call", "name": "lookup", "arguments": {"id": n}} for n in (1, 2)]
    tools = [
        span(
            n,
            {**TOOL, "gen_ai.tool.call.arguments": json.dumps({"id": i}), "gen_ai.tool.call.result": f"r{i}"},
        )
        for n, i in ((3, 2), (4, 1))
    ]
    step = run(tmp_path, chat(2, [USER], [{"role": "assistant", "parts": calls}]), *tools).steps[1]
    by_id = {result.call_id: result.content for result in step.results}
    assert [by_id[call.id] for call in step.calls] == ["r1", "r2"]


def test_without_content_the_tools_stand_at_the_turn_before(tmp_path: Path) -> None:
    tool = span(3, {**TOOL, "gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": "ok"}, parent=1)
    trace = run(tmp_path, span(2, CHAT, parent=1), tool, span(4, CHAT, parent=1))
    assert [len(step.calls) for step in trace.steps] == [1, 0]
    assert trace.steps[0].model == "brook-large"
    assert trace.info.model == "brook-large"


@pytest.mark.parametrize("form", ["structured", "prompt", "numbered", "events", "content events", "details"])
def test_messages_of_every_version(tmp_path: Path, form: str) -> None:
    plain = [{"role": "user", "content": "Where is it?"}]
    reply = {"role": "assistant", "content": "On shelf 3."}
    values: dict[str, Any] = dict(CHAT)
    events: list[dict[str, Any]] = []

    def event(name: str, **body: Any) -> None:
        pairs = [{"key": k, "value": {"stringValue": v}} for k, v in body.items()]
        events.append({"name": name, "timeUnixNano": "1770000000000000000", "attributes": pairs})

    if form == "structured":
        values |= {"gen_ai.input.messages": [USER], "gen_ai.output.messages": [SAYS]}
    elif form == "prompt":
        values |= {"gen_ai.prompt": json.dumps(plain), "gen_ai.completion": json.dumps([reply])}
    elif form == "numbered":
        values |= {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Where is it?"}
        values |= {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "On shelf 3."}
    elif form == "events":
        event("gen_ai.user.message", content="Where is it?")
        event("gen_ai.choice", message=json.dumps(reply), finish_reason="stop")
    elif form == "content events":
        event("gen_ai.content.prompt", **{"gen_ai.prompt": json.dumps(plain)})
        event("gen_ai.content.completion", **{"gen_ai.completion": json.dumps([reply])})
    else:
        event(
            "gen_ai.client.inference.operation.details",
            **{"gen_ai.input.messages": json.dumps([USER]), "gen_ai.output.messages": json.dumps([SAYS])},
        )
    trace = run(tmp_path, span(2, values, events=events))
    assert [(step.source, step.message) for step in trace.steps] == [
        ("user", "Where is it?"),
        ("agent", "On shelf 3."),
    ]


def test_parts_of_every_type(tmp_path: Path) -> None:
    parts = [
        {"type": "reasoning", "content": "hm"},
        {"type": "blob", "mime_type": "image/png", "content": "AAAA"},
        {"type": "uri", "modality": "image", "uri": "s3://b/x.png"},
        {"type": "text", "content": "see"},
    ]
    trace = run(tmp_path, chat(2, [USER], [{"role": "assistant", "parts": parts, "finish_reason": "length"}]))
    assert trace.steps[1].reasoning == "hm"
    assert trace.steps[1].message == "[image/png 63c1dd95, 3 B]\n\n[image, s3://b/x.png]\n\nsee"
    assert trace.info.ended == "limit"


def test_a_trace_id_is_a_trace_and_the_talk_before_is_not_its_task(tmp_path: Path) -> None:
    more = {"role": "user", "parts": [{"type": "text", "content": "And the key?"}]}
    talk = {"gen_ai.conversation.id": "v"}
    first = span(2, {**CHAT, **talk, "gen_ai.input.messages": [USER], "gen_ai.output.messages": [SAYS]})
    second = span(9, {**CHAT, **talk, "gen_ai.input.messages": [USER, SAYS, more]}, trace="a" * 32)
    traces = [item.trace for item in read(put(tmp_path, "t.jsonl", [otlp(first), otlp(second)]))]
    assert [trace.info.task_id for trace in traces] == [TRACE, "a" * 32]
    assert [trace.info.task for trace in traces] == ["Where is it?", "And the key?"]
    assert {trace.info.meta["session"] for trace in traces} == {"v"}
    assert [json.loads(trace.raw) for trace in traces] == [[otlp(first)], [otlp(second)]]


def test_snake_case_and_base64_ids(tmp_path: Path) -> None:
    ids = {n: base64.b64encode(n.to_bytes(8, "big")).decode() for n in (1, 2)}
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk"}
    rows = [
        {
            "trace_id": "S/kvNXezTaajzpKdDg5HNg==",
            "span_id": ids[n],
            "parent_span_id": ids.get(n - 1, ""),
            "name": "x",
            "start_time_unix_nano": str(n),
            "attributes": [{"key": key, "value": {"string_value": value}} for key, value in values.items()],
        }
        for n, values in ((1, agent), (2, {**CHAT, "gen_ai.output.messages": json.dumps([SAYS])}))
    ]
    value = {"resource_spans": [{"resource": {}, "scope_spans": [{"spans": rows}]}]}
    trace = one(put(tmp_path, "t.json", value)).trace
    assert trace.info.n_messages == 2
    assert trace.info.agent == "desk"
    assert [step.message for step in trace.steps] == ["On shelf 3."]


def test_a_file_that_grows_keeps_its_id(tmp_path: Path) -> None:
    spans = [otlp(chat(2, [USER], [ASKS])), otlp(chat(4, [USER, ASKS, TOLD], [SAYS]))]
    old = one(put(tmp_path, "t.jsonl", spans[:1])).trace
    new = one(put(tmp_path, "t.jsonl", spans)).trace
    assert new.info.trace_id == old.info.trace_id
    assert new.records.startswith(old.records)
    assert new.steps[0].stable_id == old.steps[0].stable_id


def test_a_doubled_span_and_a_bad_line_are_named(tmp_path: Path) -> None:
    line = json.dumps(otlp(chat(2, [USER], [SAYS])))
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join([line, line, "{oops", '{"resourceMetrics": []}']))
    (imported,), notes = read_all(path)
    assert imported.trace.info.n_messages == 1
    assert "stands twice" in reasons(notes)
    assert "line 3 is skipped" in reasons(notes)
    assert "holds no span" in reasons(notes)


def test_a_failed_turn_is_a_fault_and_ends_the_run(tmp_path: Path) -> None:
    event = {
        "name": "exception",
        "attributes": [
            {"key": "exception.type", "value": {"stringValue": "RateLimit"}},
            {"key": "exception.message", "value": {"stringValue": "slow down"}},
        ],
    }
    trace = run(tmp_path, span(2, CHAT, status={"code": 2}, events=[event]))
    assert trace.steps[0].fault
    assert trace.steps[0].message == "RateLimit: slow down"
    assert trace.info.ended == "error"


def test_an_agent_that_only_asks_and_answers(tmp_path: Path) -> None:
    values = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.input.messages": [USER],
        "gen_ai.output.messages": [SAYS],
    }
    trace = run(tmp_path, span(2, values), span(3, TOOL, parent=2))
    assert [step.message for step in trace.steps] == ["Where is it?", "", "On shelf 3."]


def test_turns_inside_a_turn_are_counted_once(tmp_path: Path) -> None:
    outer = chat(2, [USER], [SAYS])
    inner = {**chat(3, [USER], [SAYS]), "parentSpanId": outer["spanId"]}
    trace = run(tmp_path, outer, inner)
    assert [step.source for step in trace.steps] == ["user", "agent"]


@pytest.mark.parametrize(
    "value",
    [{"resourceMetrics": [1]}, {"resourceLogs": [1]}, {"$defs": {"A": {}}, "type": "array", "title": "x"}],
)
def test_what_lies_beside_spans_is_no_trace(tmp_path: Path, value: Any) -> None:
    with pytest.raises(NotATrace):
        open_source(put(tmp_path, "x.json", value))


def test_spans_of_a_network_only_are_no_trace(tmp_path: Path) -> None:
    path = put(tmp_path, "t.json", otlp(span(2, {"http.request.method": "GET"})))
    with pytest.raises(InputError, match="unknown format"):
        read(path)
    with pytest.raises(InputError, match="no span tells"):
        read(path, "otel_genai")


def test_the_python_sdk_prints_spans_of_its_own_shape(tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "name": "chat",
        "context": {"trace_id": "0x" + TRACE, "span_id": "0x1", "trace_state": "[]"},
        "kind": "SpanKind.CLIENT",
        "parent_id": None,
        "start_time": "2026-01-01T00:00:00.000000Z",
        "end_time": "2026-01-01T00:00:02.000000Z",
        "status": {"status_code": "ERROR", "description": "boom"},
        "attributes": CHAT,
        "events": [],
        "links": [],
        "resource": {"attributes": {"service.name": "d"}},
    }
    trace = one(put(tmp_path, "t.json", [row])).trace
    assert trace.info.task_id == TRACE
    assert trace.info.seconds == 2
    assert trace.steps[0].fault
    assert trace.info.meta["resource"] == {"service.name": "d"}
