"""The AI SDK: spans inside and outside, chats of UI messages, events of its harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.importers.otel import otlp, span
from tests.importers.reading import one, put, read, read_all, reasons

PROMPT = [{"role": "user", "content": [{"type": "text", "text": "Book it"}]}]


def dump(number: int, trace: str, name: str, **values: Any) -> dict[str, Any]:
    return {
        "name": name,
        "spanContext": {"traceId": trace, "spanId": f"s{number}"},
        "attributes": {
            "ai.operationId": name,
            **{key.replace("_", "."): item for key, item in values.items()},
        },
        "status": {"code": 0},
        "startTime": [1770000000 + number, 0],
        "endTime": [1770000001 + number, 0],
    }


def test_the_outer_span_repeats_the_inner_ones(tmp_path: Path) -> None:
    calls = json.dumps([{"toolCallId": "c", "toolName": "book", "args": '{"day": 1}'}])
    inner = {
        "ai.operationId": "ai.streamText.doStream",
        "ai.model.id": "m",
        "ai.prompt.messages": json.dumps(PROMPT),
        "ai.response.toolCalls": calls,
        "ai.usage.promptTokens": 5,
        "ai.usage.completionTokens": 2,
    }
    tool = {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "book",
        "ai.toolCall.id": "c",
        "ai.toolCall.args": '{"day": 1}',
        "ai.toolCall.result": '{"ok": true}',
    }
    outer = {
        "ai.operationId": "ai.streamText",
        "ai.prompt": json.dumps({"prompt": "Book it"}),
        "ai.usage.promptTokens": 5,
        "ai.usage.completionTokens": 2,
    }
    trace = one(
        put(
            tmp_path,
            "t.json",
            otlp(span(1, outer, name="ai.streamText"), span(2, inner, parent=1), span(3, tool, parent=1)),
        )
    ).trace
    assert trace.info.format == "vercel_ai"
    assert [step.source for step in trace.steps] == ["user", "agent"]
    assert trace.steps[1].calls[0].arguments == {"day": 1}
    assert trace.steps[1].results[0].content == '{"ok": true}'
    assert (trace.info.tokens_in, trace.info.n_tool_calls, trace.info.n_messages) == (5, 1, 3)


def test_an_outer_span_alone_is_a_turn(tmp_path: Path) -> None:
    row = dump(
        1, "a", "ai.generateText", ai_prompt=json.dumps({"system": "s", "prompt": "p"}), ai_response_text="r"
    )
    trace = one(put(tmp_path, "t.json", [row])).trace
    assert [step.message for step in trace.steps] == ["s", "p", "r"]
    assert trace.info.task_id == "t.json"


def test_a_dump_whose_spans_share_nothing_is_one_trace(tmp_path: Path) -> None:
    prompt = json.dumps(PROMPT)
    rows = [
        dump(2, "a", "ai.generateText.doGenerate", ai_prompt_messages=prompt, ai_response_text="done"),
        dump(1, "b", "ai.generateText", ai_prompt=json.dumps({"prompt": "Book it"}), ai_response_text="done"),
    ]
    grouped = {"ai.generateText.doGenerate": rows[:1], "ai.generateText": rows[1:]}
    for value in (rows, grouped, [*rows, rows[0]], [rows[0], *rows]):
        trace = one(put(tmp_path, "t.json", value)).trace
        assert [step.message for step in trace.steps] == ["Book it", "done"]
        assert trace.info.n_messages == 2


def test_a_dump_with_a_trace_in_it_is_a_trace_an_id(tmp_path: Path) -> None:
    rows = [
        dump(1, "a", "ai.generateText.doGenerate", ai_response_text="x"),
        dump(2, "a", "ai.generateText.doGenerate", ai_response_text="y"),
        dump(3, "b", "ai.generateText.doGenerate", ai_response_text="z"),
    ]
    assert [item.trace.info.task_id for item in read(put(tmp_path, "t.json", rows))] == ["a", "b"]


def chat(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    user = {"id": "u", "role": "user", "parts": [{"type": "text", "text": "Set it"}]}
    return [user, {"id": "a", "role": "assistant", "parts": list(parts)}]


def test_states_of_tools_in_a_chat(tmp_path: Path) -> None:
    parts = [
        {
            "type": "tool-set",
            "toolCallId": "1",
            "state": "output-available",
            "input": {"t": 1},
            "output": "ok",
        },
        {
            "type": "dynamic-tool",
            "toolName": "mail",
            "toolCallId": "2",
            "state": "output-error",
            "errorText": "no",
        },
        {"type": "tool-set", "toolCallId": "3", "state": "output-denied", "input": {}},
        {"type": "tool-set", "toolCallId": "4", "state": "input-available", "input": {}},
        {
            "type": "tool-invocation",
            "toolInvocation": {
                "state": "result",
                "toolCallId": "5",
                "toolName": "old",
                "args": {"x": 1},
                "result": "fine",
            },
        },
    ]
    for value in (chat(*parts), {"id": "c1", "messages": chat(*parts)}):
        trace = one(put(tmp_path, "t.json", value)).trace
        step = trace.steps[1]
        assert [call.name for call in step.calls] == ["set", "mail", "set", "set", "old"]
        assert [(r.call_id, r.error, r.denied) for r in step.results] == [
            ("1", False, False),
            ("2", True, False),
            ("3", False, True),
            ("5", False, False),
        ]
        assert step.extra["state 4"] == "input-available"
        assert (trace.info.n_messages, trace.info.n_tool_calls) == (2, 5)


def test_a_step_start_begins_a_step(tmp_path: Path) -> None:
    turns: list[dict[str, Any]] = [
        {"type": "step-start"},
        {"type": "text", "text": "one"},
        {"type": "step-start"},
        {"type": "text", "text": "two"},
    ]
    trace = one(put(tmp_path, "t.json", chat(*turns))).trace
    assert [(step.message, step.stable_id) for step in trace.steps] == [
        ("Set it", "u"),
        ("one", "a"),
        ("two", "a/1"),
    ]


def test_chats_and_messages_one_a_line(tmp_path: Path) -> None:
    messages = chat({"type": "text", "text": "done"})
    assert len(read(put(tmp_path, "a.jsonl", messages))) == 1
    chats = [{"id": "1", "messages": messages}, {"id": "2", "messages": messages}, {"id": "3"}]
    imported, notes = read_all(put(tmp_path, "b.jsonl", chats))
    assert [item.trace.info.task_id for item in imported] == ["1", "2"]
    assert "skipped" in reasons(notes)


def test_a_chat_that_grows_keeps_its_id(tmp_path: Path) -> None:
    messages = chat({"type": "text", "text": "done"})
    old = one(put(tmp_path, "t.json", {"id": "c", "messages": messages[:1]})).trace
    new = one(put(tmp_path, "t.json", {"id": "c", "messages": messages})).trace
    assert new.info.trace_id == old.info.trace_id
    assert new.records.startswith(old.records)


def row(kind: str, **more: Any) -> dict[str, Any]:
    return {"ts": 1770000000000, "kind": kind, "callId": "k", **more}


def test_a_harness_notes_tools_before_the_turn_they_belong_to(tmp_path: Path) -> None:
    begin = row(
        "turn-start", modelId="m", provider="p", input={"messages": [{"role": "user", "content": "go"}]}
    )
    rows = [
        begin,
        row("step-start", step=0),
        row("tool-start", toolName="sh", toolCallId="1", input={"c": "ls"}),
        row("tool-end", toolCallId="1", isError=True, output={"name": "E", "message": "no"}),
        row(
            "step-finish",
            output=[{"type": "text", "text": "hm"}],
            usage={"inputTokens": 4, "outputTokens": 1},
        ),
        row("turn-finish", finishReason="content-filter"),
        begin,
        row("error", error={"name": "Lost", "message": "bridge"}),
        row("spark"),
    ]
    (imported,), notes = read_all(put(tmp_path, "t.jsonl", rows))
    trace = imported.trace
    assert [step.message for step in trace.steps] == ["go", "hm", "go", "Lost: bridge"]
    assert trace.steps[1].results[0].error
    assert trace.info.ended == "error"
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.tokens_in) == (9, 1, 4)
    assert "unknown event 'spark'" in reasons(notes)
    assert one(put(tmp_path, "u.jsonl", rows[:6])).trace.info.ended == "refused"
    old = one(put(tmp_path, "v.jsonl", rows[:3])).trace
    assert old.info.trace_id == trace.info.trace_id
    assert trace.records.startswith(old.records)
