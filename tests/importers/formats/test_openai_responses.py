"""Responses API: items of all kinds, chains, exchanges, streams, lists of items, run states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.formats import openai_responses
from reviewer.importers.opening.decode import decode
from tests.importers.reading import one, put, read, read_all, reasons


def response(*output: Any, id: str = "resp_1", **more: Any) -> dict[str, Any]:
    return {"id": id, "object": "response", "model": "model-1", "output": list(output), **more}


def say(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "id": f"msg_{text}", "role": "assistant", "content": content}


def think(text: str = "", id: str = "rs") -> dict[str, Any]:
    return {
        "type": "reasoning",
        "id": id,
        "summary": [{"type": "summary_text", "text": text}] if text else [],
    }


def call(id: str, name: str = "f", arguments: Any = "{}") -> dict[str, Any]:
    return {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name, "arguments": arguments}


def back(id: str, output: Any = "ok") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": output}


def steps(folder: Path, *output: Any) -> Any:
    return one(put(folder, "r.json", response(*output))).trace.steps


def test_reasoning_words_and_calls_are_one_step(tmp_path: Path) -> None:
    items = [think("hm"), say("I ask."), call("a", arguments='{"q": 1}'), call("b", arguments="{broken")]
    usage = {"input_tokens": 7, "output_tokens": 3}
    info = one(put(tmp_path, "r.json", response(*items, usage=usage, status="completed"))).trace.info
    (step,) = steps(tmp_path, *items)
    assert (step.reasoning, step.message, step.model) == ("hm", "I ask.", "model-1")
    assert [c.arguments for c in step.calls] == [{"q": 1}, "{broken"]
    assert (info.n_messages, info.n_tool_calls, info.tokens_in, info.tokens_out) == (4, 2, 7, 3)
    assert (info.task_id, info.model, info.ended) == ("resp_1", "model-1", "unknown")


def test_hidden_reasoning_opens_no_step_of_its_own(tmp_path: Path) -> None:
    ci = {
        "type": "code_interpreter_call",
        "id": "ci",
        "code": "1",
        "outputs": [{"type": "logs", "logs": "1"}],
    }
    first, second = steps(tmp_path, think(id="r1"), ci, think(id="r2"), say("one"))
    assert (first.source_ids, second.source_ids) == (("r1", "ci"), ("r2", "msg_one"))
    assert first.results[0].content == "1"


@pytest.mark.parametrize(
    ("item", "name", "content", "error"),
    [
        (
            {"type": "mcp_call", "name": "t", "server_label": "s", "output": "o", "error": None},
            "s.t",
            "o",
            False,
        ),
        ({"type": "mcp_call", "name": "t", "error": {"message": "no"}, "output": None}, "t", "no", True),
        (
            {"type": "file_search_call", "queries": ["q"], "results": [{"filename": "f", "text": "t"}]},
            "file_search",
            "f\nt",
            False,
        ),
        (
            {"type": "image_generation_call", "result": "QUJD" * 400},
            "image_generation",
            "image 1.2 kB",
            False,
        ),
        ({"type": "web_search_call", "action": {"query": "q"}, "status": "failed"}, "web_search", "", True),
    ],
)
def test_the_providers_tools_hold_their_results(
    tmp_path: Path, item: Any, name: str, content: str, error: bool
) -> None:
    (step,) = steps(tmp_path, {"id": "x1", **item})
    assert step.calls[0].name == name
    (found,) = step.results
    assert (found.error, found.call_id) == (error, "x1")
    assert found.content == content or all(word in found.content for word in content.split())


@pytest.mark.parametrize(
    ("kind", "output", "content", "code"),
    [
        (
            "shell_call_output",
            [{"stdout": "a", "stderr": "b", "outcome": {"type": "exit", "exit_code": 2}}],
            "a\nb",
            2,
        ),
        ("shell_call_output", [{"stdout": "a", "outcome": {"type": "timeout"}}], "a\n[timeout]", None),
        ("apply_patch_call_output", "no such file", "no such file", None),
        ("local_shell_call_output", '{"output": "x", "metadata": {"exit_code": 1}}', "x", 1),
    ],
)
def test_results_that_failed(tmp_path: Path, kind: str, output: Any, content: str, code: int | None) -> None:
    asked = {"type": kind.removesuffix("_output"), "call_id": "c", "action": {"commands": ["a"]}}
    answer = {
        "type": kind,
        "call_id": "c",
        "output": output,
        "status": "failed" if code is None else "completed",
    }
    (step,) = steps(tmp_path, asked, answer)
    (result,) = step.results
    assert (result.content, result.error, result.exit_code) == (content, True, code)


def test_a_picture_as_result(tmp_path: Path) -> None:
    shot = {"type": "computer_screenshot", "image_url": "data:image/png;base64," + "QUJD" * 250}
    asked = {"type": "computer_call", "call_id": "c", "action": {"type": "screenshot"}}
    (step,) = steps(tmp_path, asked, {"type": "computer_call_output", "call_id": "c", "output": shot})
    assert (step.calls[0].name, step.calls[0].arguments) == ("computer", {"type": "screenshot"})
    assert step.results[0].content == "[image/png ccd4c9f6, 750 B]"


def test_a_denied_approval_is_no_error(tmp_path: Path) -> None:
    asked = {"type": "mcp_approval_request", "id": "ap", "name": "rm", "arguments": "{}", "server_label": "s"}
    no = {"type": "mcp_approval_response", "approval_request_id": "ap", "approve": False}
    record = {"model": "m", "input": [{"role": "user", "content": "x"}, asked, no]}
    step = one(put(tmp_path, "r.json", record)).trace.steps[1]
    assert [(r.denied, r.error) for r in step.results] == [(True, False)]


@pytest.mark.parametrize(
    ("more", "ended"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "limit"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "refused"),
        ({"status": "failed", "error": {"code": "server_error", "message": "boom"}}, "error"),
        ({"status": "cancelled"}, "user_stop"),
    ],
)
def test_how_it_ended(tmp_path: Path, more: Any, ended: str) -> None:
    found = one(put(tmp_path, "r.json", response(say("x"), **more))).trace
    assert found.info.ended == ended
    assert found.info.n_errors == (ended == "error")


def test_a_refusal(tmp_path: Path) -> None:
    refusal = {**say("x"), "content": [{"type": "refusal", "refusal": "I will not."}]}
    found = one(put(tmp_path, "r.json", response(refusal))).trace
    assert (found.steps[0].message, found.info.ended) == ("I will not.", "refused")


def test_responses_that_name_one_another_are_one_conversation(tmp_path: Path) -> None:
    rows = [
        {"request": {"input": "do it", "model": "m"}, "response": response(call("a"))},
        {
            "request": {"input": [back("a", "yes")], "previous_response_id": "resp_1"},
            "response": response(say("done"), id="resp_2", previous_response_id="resp_1"),
        },
        {"request": {"input": "else"}, "response": response(say("other"), id="resp_9")},
    ]
    first, second = (item.trace for item in read(put(tmp_path, "r.jsonl", rows)))
    assert (first.info.task, first.info.task_id, first.info.n_messages) == ("do it", "resp_1", 4)
    assert [step.message for step in first.steps] == ["do it", "", "done"]
    assert first.steps[1].results[0].content == "yes"
    assert json.loads(first.raw) == rows[:2]
    assert (second.info.task, second.info.source_index) == ("else", 1)


def test_a_request_that_repeats_the_talk_replaces_it(tmp_path: Path) -> None:
    start = [{"role": "user", "content": "do it"}]
    more = [*start, call("a"), back("a")]
    rows = [
        {"request": {"body": {"input": start}}, "response": {"body": response(call("a"))}},
        {"request": {"body": {"input": more}}, "response": {"body": response(say("done"), id="resp_2")}},
    ]
    found = one(put(tmp_path, "r.json", rows)).trace
    assert [step.message for step in found.steps] == ["do it", "", "done"]
    assert (found.info.n_messages, found.info.n_tool_calls) == (4, 1)


def test_a_list_of_responses_is_a_trace_each(tmp_path: Path) -> None:
    both = [response(say("x")), response(say("y"), id="resp_2")]
    assert [item.trace.info.task_id for item in read(put(tmp_path, "r.json", both))] == ["resp_1", "resp_2"]
    lines = read_all(put(tmp_path, "r.jsonl", [*both, {"odd": 1}, both[0]]))
    assert len(lines[0]) == 2
    assert "no response" in reasons(lines[1])
    assert "duplicate" in reasons(lines[1])


EVENTS: list[dict[str, Any]] = [
    {"type": "response.created", "response": response(status="in_progress")},
    {"type": "response.output_text.delta", "delta": "he"},
    {"type": "response.output_item.done", "item": say("hello")},
    {"type": "response.completed", "response": response(say("hello"), status="completed")},
]


def test_a_stream_gives_what_it_came_to(tmp_path: Path) -> None:
    text = "".join(f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in EVENTS) + "data: [DONE]\n"
    (tmp_path / "s.txt").write_text(text, encoding="utf-8")
    named = [{"event": row["type"], "data": json.dumps(row)} for row in EVENTS]
    for path in (
        tmp_path / "s.txt",
        put(tmp_path, "s.jsonl", EVENTS),
        put(tmp_path, "s.json", EVENTS),
        put(tmp_path, "n.jsonl", named),
    ):
        found = one(path).trace
        assert [step.message for step in found.steps] == ["hello"]
        assert (found.info.format, found.info.n_messages, found.info.task_id) == (
            "openai_responses",
            1,
            "resp_1",
        )
    assert json.loads(one(tmp_path / "s.txt").trace.raw) == text


def test_a_stream_that_broke_off(tmp_path: Path) -> None:
    found = one(put(tmp_path, "s.jsonl", EVENTS[:3])).trace
    assert (found.steps[0].message, found.info.task_id, found.info.model) == ("hello", "resp_1", "model-1")
    broken = [*EVENTS[:3], {"type": "error", "message": "overloaded"}]
    assert one(put(tmp_path, "s.jsonl", broken)).trace.info.ended == "error"


def test_items_alone_and_a_page_of_them(tmp_path: Path) -> None:
    items = [{"role": "user", "content": "do it"}, call("a"), back("a"), say("done")]
    pages: list[Any] = [items, {"object": "list", "data": items[::-1], "has_more": False}]
    for value in pages:
        info = one(put(tmp_path, "i.json", value)).trace.info
        assert (info.task, info.n_messages, info.n_tool_calls, info.n_steps) == ("do it", 4, 1, 3)
    assert one(put(tmp_path, "i.jsonl", items)).trace.info.n_messages == 4


def _state(kind: str, raw: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "agent": {"name": "desk"}, "raw_item": raw, **more}


def test_a_run_state(tmp_path: Path) -> None:
    state = {
        "$schemaVersion": "1.13",
        "current_agent": {"name": "desk"},
        "original_input": "do it",
        "generated_items": [
            _state("tool_call_item", {"type": "program", "call_id": "p", "code": "f()"}),
            _state("tool_call_item", call("a")),
            _state("tool_call_output_item", {"type": "program_output", "call_id": "p", "result": "done"}),
            _state("tool_call_output_item", {"type": "function_call_output", "call_id": "a"}, output="late"),
            {**_state("message_output_item", say("bye")), "agent": {"name": "other"}},
        ],
        "current_step": {"type": "next_step_final_output"},
        "context": {"usage": {"input_tokens": 9, "output_tokens": 2}},
    }
    found = one(put(tmp_path, "s.json", state)).trace
    info = found.info
    assert (info.task, info.agent, info.ended) == ("do it", "desk", "submitted")
    assert (info.n_messages, info.n_tool_calls, info.tokens_in, info.tokens_out) == (5, 2, 9, 2)
    assert [c.name for c in found.steps[1].calls] == ["program", "f"]
    assert [r.content for r in found.steps[1].results] == ["done", "late"]
    assert found.steps[2].extra == {"agent": "other"}


def test_a_run_state_of_javascript(tmp_path: Path) -> None:
    raw = {"type": "function_call", "callId": "a", "name": "f", "arguments": "{}"}
    result = {"type": "function_call_result", "callId": "a", "output": {"type": "text", "text": "yes"}}
    state = {
        "$schemaVersion": "1.0",
        "currentAgent": {"name": "desk"},
        "originalInput": [{"role": "user", "content": "do it"}],
        "modelResponses": [{"providerData": {"model": "model-1"}}],
        "generatedItems": [
            {"type": "tool_call_item", "rawItem": raw},
            {"type": "tool_call_output_item", "rawItem": result},
        ],
        "currentStep": {"type": "next_step_interruption"},
    }
    trace = one(put(tmp_path, "s.json", state)).trace
    info, found = trace.info, trace.steps
    assert (info.task, info.model, info.ended, info.n_tool_calls) == ("do it", "model-1", "user_stop", 1)
    assert found[1].results[0].content == "yes"


def test_unknown_items_are_named(tmp_path: Path) -> None:
    _, notes = read_all(put(tmp_path, "r.json", response(say("x"), {"type": "dream"}, 5)))
    assert "dream" in reasons(notes)
    assert "a number" in reasons(notes)


def test_relatives_are_left_alone() -> None:
    chat: Any = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
    tools = [{"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}]
    others: list[Any] = [chat, tools, {"messages": chat}, {"response": {"choices": []}}, {"output": []}]
    for value in others:
        assert not openai_responses.sniff(decode(Path("s.json"), json.dumps(value).encode()))
