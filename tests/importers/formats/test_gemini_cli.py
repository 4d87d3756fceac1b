"""Gemini CLI chats: one JSON object or a log of updates, doubled ids, rewinds, what nobody typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read_all, reasons

HEADER = {"sessionId": "s-1", "projectHash": "p", "startTime": "2026-02-03T10:00:00Z", "kind": "main"}


def message(id: str, kind: str, content: Any = "", **more: Any) -> dict[str, Any]:
    return {"id": id, "type": kind, "content": content, "timestamp": "2026-02-03T10:00:01Z", **more}


def call(id: str, output: Any = "ok", status: str = "success", **more: Any) -> dict[str, Any]:
    response = {"output": output} if status == "success" else {"error": output}
    result = [{"functionResponse": {"id": id, "name": "run_shell_command", "response": response}}]
    return {
        "id": id, "name": "run_shell_command", "args": {"command": "ls"},
        "status": status, "result": result, **more,
    }  # fmt: skip


def trace(folder: Path, *rows: Any, name: str = "s.jsonl") -> Any:
    return one(put(folder, name, [HEADER, *rows])).trace


def texts(found: Any) -> list[str]:
    return [step.message for step in found.steps]


def test_of_a_message_written_twice_the_last_wins_at_the_first_place(tmp_path: Path) -> None:
    tokens = {"input": 90, "cached": 50, "output": 5, "thoughts": 7, "tool": 3, "total": 105}
    first = message("g1", "gemini", "", model="m-1", tokens=tokens)
    found = trace(
        tmp_path,
        message("u1", "user", [{"text": "do it"}]),
        first,
        {"$set": {"lastUpdated": "x"}},
        message("i1", "info", "hm"),
        {**first, "toolCalls": [call("c1"), call("c2", "Output: no\nExit Code: 2")]},
    )
    assert [step.source for step in found.steps] == ["user", "agent", "system"]
    agent = found.steps[1]
    assert [(r.call_id, r.error, r.exit_code) for r in agent.results] == [
        ("c1", False, None),
        ("c2", True, 2),
    ]
    info = found.info
    assert (info.n_messages, info.n_tool_calls, info.n_errors, info.model) == (3, 2, 1, "m-1")
    assert (info.tokens_in, info.tokens_out) == (93, 12)
    assert (info.task, info.task_id) == ("do it", "s-1")


def test_one_object_and_its_log_are_the_same_trace(tmp_path: Path) -> None:
    rows = [message("u1", "user", "do it"), message("g1", "gemini", "done")]
    old = one(put(tmp_path, "s.json", {**HEADER, "messages": rows})).trace
    new = trace(tmp_path, *rows, message("u2", "user", "more"))
    assert old.info.trace_id == new.info.trace_id
    assert new.records.startswith(old.records)
    assert texts(new) == ["do it", "done", "more"]


def test_a_rewind_takes_back_the_message_and_what_follows(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "s.jsonl",
        [
            HEADER,
            message("u1", "user", "one"),
            message("g1", "gemini", "two"),
            message("u2", "user", "wrong"),
            message("g2", "gemini", "turn", toolCalls=[call("c1")]),
            {"$rewindTo": "u2"},
            message("u3", "user", "right"),
            {"$rewindTo": "nowhere"},
        ],
    )
    (imported,), notes = read_all(path)
    assert texts(imported.trace) == ["one", "two", "right"]
    assert imported.trace.info.n_messages == 5
    assert imported.trace.info.n_tool_calls == 1
    assert "taken back by a rewind" in reasons(notes)
    assert "rewind to a message that is not in the file" in reasons(notes)


def test_a_compression_adds_its_summary_and_takes_nothing_away(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        message("u1", "user", [{"text": "one"}]),
        message("g1", "gemini", "two", toolCalls=[call("c1")]),
        {
            "$set": {
                "messages": [
                    message("x1", "user", [{"text": "<state_snapshot>so far</state_snapshot>"}]),
                    message("x2", "gemini", [{"text": "two"}], toolCalls=[call("c1")]),
                ]
            }
        },
        message("u2", "user", "three"),
    )
    assert texts(found) == ["one", "two", "<state_snapshot>so far</state_snapshot>", "three"]
    assert [step.kind for step in found.steps] == ["", "", "compaction", ""]


def test_a_session_that_only_patches_its_messages_is_read(tmp_path: Path) -> None:
    first = [message("u1", "user", "go on"), message("g1", "gemini", "yes")]
    more = [*first, message("u2", "user", "go on"), message("g2", "gemini", "done")]
    found = trace(tmp_path, {"$set": {"messages": first}}, {"$set": {"messages": more}})
    assert texts(found) == ["go on", "yes", "go on", "done"]


@pytest.mark.parametrize(
    "text",
    ["<session_context>\nThis is", "<hook_context>x</hook_context>", "System: Please continue.", " "],
)
def test_what_nobody_typed_is_marked(tmp_path: Path, text: str) -> None:
    found = trace(tmp_path, message("u0", "user", [{"text": text}]), message("u1", "user", "the task"))
    assert [step.kind for step in found.steps] == ["injected", ""]
    assert found.info.task == "the task"


def test_the_task_is_what_was_typed_and_the_step_what_was_sent(tmp_path: Path) -> None:
    found = trace(
        tmp_path, message("u1", "user", [{"text": "a long prompt"}], displayContent=[{"text": "/init"}])
    )
    assert found.info.task == "/init"
    assert found.steps[0].message == "a long prompt"
    assert found.steps[0].extra["typed"] == "/init"


@pytest.mark.parametrize(
    ("status", "error", "denied"),
    [("error", True, False), ("cancelled", False, True), ("success", False, False)],
)
def test_the_status_of_a_call(tmp_path: Path, status: str, error: bool, denied: bool) -> None:
    found = trace(tmp_path, message("g1", "gemini", "", toolCalls=[call("c1", "words", status)]))
    (result,) = found.steps[0].results
    assert (result.content, result.error, result.denied) == ("words", error, denied)


@pytest.mark.parametrize(
    ("display", "shown"),
    [
        ("plain", "plain"),
        ({"fileDiff": "-a\n+b", "fileName": "x"}, "-a\n+b"),
        ([[{"text": "red ", "fg": "#f00"}, {"text": "one"}], [{"text": "two"}]], "red one\ntwo"),
    ],
)
def test_without_a_result_the_display_is_shown(tmp_path: Path, display: Any, shown: str) -> None:
    used = {"id": "c1", "name": "x", "args": {}, "status": "success", "resultDisplay": display}
    found = trace(tmp_path, message("g1", "gemini", "", toolCalls=[used]))
    assert found.steps[0].results[0].content == shown


def test_a_pending_call_has_no_result(tmp_path: Path) -> None:
    used = {"id": "c1", "name": "x", "args": {}, "status": "executing"}
    found = trace(tmp_path, message("g1", "gemini", "", toolCalls=[used]))
    assert found.steps[0].results == ()
    assert found.steps[0].extra == {"status of c1": "executing"}


def test_calls_and_results_inside_the_content_are_paired(tmp_path: Path) -> None:
    asked = {"functionCall": {"id": "f1", "name": "read", "args": {"path": "x"}}}
    got = {"functionResponse": {"id": "f1", "name": "read", "response": {"output": "words"}}}
    found = trace(tmp_path, message("g1", "gemini", [{"text": "hm"}, asked]), message("u1", "user", [got]))
    (step,) = found.steps
    assert (step.calls[0].name, step.results[0].content, step.source_ids) == ("read", "words", ("g1", "u1"))
    assert found.info.n_messages == 2


@pytest.mark.parametrize(
    ("kind", "text", "ended"),
    [
        ("error", "[API Error: x]", "error"),
        ("info", "Request cancelled.", "user_stop"),
        ("info", "x", "unknown"),
    ],
)
def test_how_a_chat_ends(tmp_path: Path, kind: str, text: str, ended: str) -> None:
    found = trace(tmp_path, message("u1", "user", "x"), message("n1", kind, text))
    assert found.info.ended == ended
    assert found.steps[1].fault == (kind == "error")


def test_a_sub_agent_names_the_session_that_started_it(tmp_path: Path) -> None:
    rows = [{**HEADER, "kind": "subagent"}, message("u1", "user", "look")]
    found = one(put(tmp_path, "s-parent/sub.jsonl", rows)).trace
    assert found.info.meta["parent_session"] == "s-parent"


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    odd = message("g1", "gemini", 7, thoughts="t", tokens=[], toolCalls=["x", None, {"args": 1}])
    rows = [HEADER, 3, message("u1", "user", {"a": 1}), odd, message("z", "mystery", "y"), {"odd": 1}]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert imported.trace.info.n_messages == 3
    assert imported.trace.steps[1].reasoning == "t"
    assert "unknown message type 'mystery'" in reasons(notes)
    assert "no message and no update" in reasons(notes)


def test_a_chat_without_a_message_is_no_trace(tmp_path: Path) -> None:
    importer, source = open_source(put(tmp_path, "s.jsonl", [HEADER, {"$set": {"a": 1}}]))
    with pytest.raises(NotATrace):
        list(importer.read(source))


def test_a_claude_code_session_is_not_taken(tmp_path: Path) -> None:
    rows = [{"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "x"}}]
    assert open_source(put(tmp_path, "s.jsonl", rows))[0].FORMAT == "claude_code"
