"""Conversations of the Messages API: blocks, tools on the provider's side, recorded HTTP, managed agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.importers.reading import one, put, read, read_all, reasons


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(id: str, kind: str = "tool_use", **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "name": "t", "input": {"n": id}, **more}


def back(id: str, content: Any, kind: str = "tool_result", **more: Any) -> dict[str, Any]:
    return {"type": kind, "tool_use_id": id, "content": content, **more}


TALK: list[Any] = [
    {"role": "user", "content": "the task"},
    {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, use("a"), use("b")],
    },
    {"role": "user", "content": [back("b", "two", is_error=True), back("a", [text("one")]), text("go on")]},
]
REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [text("done")],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 3},
}


def test_a_request_and_a_bare_list(tmp_path: Path) -> None:
    request = {"model": "m", "system": "be kind", "max_tokens": 9, "messages": TALK}
    trace = one(put(tmp_path, "x.json", request)).trace
    assert [step.source for step in trace.steps] == ["system", "user", "agent", "user"]
    assert (trace.info.model, trace.info.task, trace.info.n_messages, trace.info.n_tool_calls) == (
        "m",
        "the task",
        3,
        2,
    )
    agent = trace.steps[2]
    assert agent.reasoning == "hm"
    assert [(r.call_id, r.content, r.error) for r in agent.results] == [
        ("b", "two", True),
        ("a", "one", False),
    ]
    assert len(one(put(tmp_path, "y.json", TALK)).trace.steps) == 3


def test_tools_that_run_at_the_provider_cut_a_message_into_steps(tmp_path: Path) -> None:
    bash = {"type": "bash_code_execution_result", "stdout": "out", "stderr": "err", "return_code": 2}
    hits = [{"type": "web_search_result", "title": "T", "url": "U", "encrypted_content": "x" * 9999}]
    failed = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    content = [
        text("one"),
        use("a", "server_tool_use"),
        back("a", bash, "bash_code_execution_tool_result"),
        text("two"),
        use("b", "server_tool_use"),
        use("c", "server_tool_use"),
        back("b", hits, "web_search_tool_result"),
        back("c", failed, "web_search_tool_result"),
        text("three"),
    ]
    trace = one(put(tmp_path, "x.json", {**REPLY, "content": content})).trace
    assert [(step.message, len(step.calls), len(step.results)) for step in trace.steps] == [
        ("one", 1, 1),
        ("two", 2, 2),
        ("three", 0, 0),
    ]
    first, hit, miss = (result for step in trace.steps for result in step.results)
    assert (first.content, first.exit_code, first.error) == ("out\nerr", 2, True)
    assert (hit.content, hit.error) == ("T · U", False)
    assert miss.error
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.task_id) == (1, 3, "msg_1")
    assert (trace.info.tokens_in, trace.info.tokens_out) == (7, 3)
    assert len({step.stable_id for step in trace.steps}) == 3


@pytest.mark.parametrize(
    ("reason", "ended"), [("end_turn", "unknown"), ("max_tokens", "limit"), ("refusal", "refused")]
)
def test_how_it_ended(tmp_path: Path, reason: str, ended: str) -> None:
    assert one(put(tmp_path, "x.json", {**REPLY, "stop_reason": reason})).trace.info.ended == ended


def test_a_compaction_is_marked(tmp_path: Path) -> None:
    content = [{"type": "compaction", "content": "so far"}, text("go on")]
    steps = one(put(tmp_path, "x.json", {**REPLY, "content": content})).trace.steps
    assert [(step.kind, step.message) for step in steps] == [("compaction", "so far"), ("", "go on")]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_of_recorded_calls_the_last_is_read(tmp_path: Path, name: str) -> None:
    calls = [
        {
            "request": {"model": "m", "messages": TALK[:1]},
            "response": {**REPLY, "content": TALK[1]["content"]},
        },
        {"request": {"body": {"model": "m", "messages": TALK}}, "response": {"body": REPLY}},
    ]
    (imported,) = read(put(tmp_path, name, calls))
    assert (imported.trace.info.n_messages, imported.trace.info.n_tool_calls) == (4, 2)
    assert [step.message for step in imported.trace.steps] == ["the task", "", "go on", "done"]


def test_recorded_calls_that_do_not_continue_each_other_are_several_conversations(tmp_path: Path) -> None:
    def call(messages: list[Any], reply: str, marked: int = 0) -> Any:
        marked_ones = [{**m, "cache_control": {}} if n == marked else m for n, m in enumerate(messages)]
        return {
            "request": {"model": "m", "messages": marked_ones},
            "response": {**REPLY, "content": [text(reply)]},
        }

    other: list[Any] = [{"role": "user", "content": "a title for it"}]
    calls = [
        *(call(TALK[:1], "first"), call(other, "Title"), call(TALK, "last", 2)),
        *(call(other, "another title"), call(TALK[:1], "sampled anew")),
    ]
    found = read(put(tmp_path, "x.jsonl", calls))
    last = [imported.trace.steps[-1].message for imported in found]
    assert last == ["last", "Title", "another title", "sampled anew"]


def test_several_replies_are_several_traces(tmp_path: Path) -> None:
    rows = [REPLY, {**REPLY, "id": "msg_2"}, {"type": "other"}]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.task_id for item in found] == ["msg_1", "msg_2"]
    assert "without a message" in reasons(notes)


def test_an_export_of_claude_ai(tmp_path: Path) -> None:
    def said(id: str, parent: str, sender: str, *blocks: Any, **more: Any) -> dict[str, Any]:
        row = {"uuid": id, "parent_message_uuid": parent, "sender": sender, "content": list(blocks)}
        return {**row, "text": "", **more}

    thought = {"type": "thinking", "thinking": "", "summaries": [{"summary": "I think."}]}
    talk = [
        said("1", "0", "human", text("Draw a page")),
        said("2", "1", "assistant", text("left")),
        said("3", "1", "assistant", thought, use("a"), back("a", [text("no")], is_error=True), text("Done.")),
        said(
            "4",
            "3",
            "human",
            text=("And now?"),
            attachments=[{"file_name": "a.txt", "extracted_content": "words"}],
        ),
    ]
    record: dict[str, Any] = {
        "uuid": "c1",
        "name": "Page",
        "model": "m",
        "created_at": "2026-01-02T03:04:05Z",
    }
    record |= {"current_leaf_message_uuid": "4", "chat_messages": talk}
    (found,), notes = read_all(put(tmp_path, "x.json", record))
    info, steps = found.trace.info, found.trace.steps
    assert (info.format, info.task, info.model, info.task_id) == (
        "anthropic_messages",
        "Draw a page",
        "m",
        "c1",
    )
    assert (info.n_messages, info.n_tool_calls, info.started) == (3, 1, "2026-01-02T03:04:05.000Z")
    assert [step.message for step in steps] == ["Draw a page", "", "Done.", "And now?\na.txt\nwords"]
    assert (steps[1].reasoning, steps[1].results[0].error) == ("I think.", True)
    assert reasons(notes) == "messages of branches that were left are not shown (they stay in the raw record)"
    del record["current_leaf_message_uuid"]
    both = read(put(tmp_path, "conversations.json", [record, {**record, "uuid": "c2"}]))
    assert [item.trace.info.task_id for item in both] == ["c1", "c2"]
    assert both[0].trace.info.n_messages == 4


def test_a_managed_agent_as_its_client_saw_it(tmp_path: Path) -> None:
    def stream(kind: str, **more: Any) -> list[Any]:
        return ["client.beta.sessions.events.stream", {"type": kind, "id": f"e{len(rows)}", **more}]

    asked = {"type": "user.message", "content": [text("weather?")]}
    rows: list[Any] = [["client.beta.sessions.events.send", ["s", {"events": [asked]}]]]
    rows.append(stream("user.message", content=[text("weather?")]))
    rows.append(stream("agent.thinking", content=[text("look")]))
    rows.append(stream("agent.mcp_tool_use", name="get", mcp_server_name="w", input={}))
    rows.append(
        stream("agent.mcp_tool_result", mcp_tool_use_id="e3", content=[text("sunny")], is_error=False)
    )
    rows.append(stream("agent.message", content=[text("Sunny.")]))
    rows.append(stream("session.error", error={"message": "overloaded"}))
    trace = one(put(tmp_path, "x.jsonl", rows)).trace
    assert [(step.source, step.message) for step in trace.steps[:3]] == [
        ("user", "weather?"),
        ("agent", ""),
        ("agent", "Sunny."),
    ]
    assert (trace.steps[1].calls[0].name, trace.steps[1].results[0].content) == ("w.get", "sunny")
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.ended) == (7, 1, "error")
    unseen = one(put(tmp_path, "y.jsonl", [rows[0], *rows[2:]])).trace
    assert unseen.steps[0].message == "weather?"


def test_a_reply_as_it_was_streamed(tmp_path: Path) -> None:
    head = {key: item for key, item in REPLY.items() if key != "stop_reason"} | {"content": []}

    def piece(kind: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, **more}

    def delta(index: int, kind: str, **more: Any) -> dict[str, Any]:
        return piece("content_block_delta", index=index, delta={"type": kind, **more})

    rows = [
        piece("message_start", message=head),
        piece("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}),
        delta(0, "thinking_delta", thinking="h"),
        delta(0, "thinking_delta", thinking="m"),
        piece("ping"),
        piece("content_block_start", index=1, content_block=text("")),
        delta(1, "text_delta", text="I look."),
        piece("content_block_start", index=2, content_block={**use("a"), "input": {}}),
        delta(2, "input_json_delta", partial_json='{"n":'),
        delta(2, "input_json_delta", partial_json=' "a"}'),
        piece("message_delta", delta={"stop_reason": "max_tokens"}, usage={"output_tokens": 9}),
        piece("message_stop"),
    ]
    lines = one(put(tmp_path, "x.jsonl", rows)).trace
    (step,) = lines.steps
    assert (step.reasoning, step.message, step.calls[0].arguments) == ("hm", "I look.", {"n": "a"})
    assert (lines.info.task_id, lines.info.model, lines.info.ended) == ("msg_1", "m", "limit")
    assert (lines.info.n_messages, lines.info.n_tool_calls, lines.info.tokens_out) == (1, 1, 9)
    sent = "".join(f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in rows)
    (tmp_path / "x.txt").write_text(sent, encoding="utf-8")
    assert one(tmp_path / "x.txt").trace.steps == lines.steps
    assert one(put(tmp_path, "x.json", rows)).trace.steps == lines.steps
    two = [
        *rows[:9],
        piece("message_start", message={**head, "id": "msg_2"}),
        piece("error", error={"type": "busy"}),
    ]
    assert one(put(tmp_path, "x.json", rows[0])).trace.info.task_id == "msg_1"
    cut, failed = read(put(tmp_path, "x.jsonl", two))
    assert cut.trace.steps[0].calls[0].arguments == '{"n":'
    assert (failed.trace.info.task_id, failed.trace.info.ended) == ("msg_2", "error")
