"""pi and OpenClaw sessions: lists and trees, branches that were left, results, context that nobody typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read_all, reasons

HEADER = {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-02-03T10:00:00Z", "cwd": "/x"}
AT = "2026-02-03T10:00:09.500Z"


def row(id: str, parent: Any, role: str, content: Any = "", **more: Any) -> dict[str, Any]:
    entry = more.pop("entry", {})
    message = {"role": role, "content": content, "timestamp": 1770112800000, **more}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": AT, "message": message, **entry}


def user(id: str, parent: Any, text: Any, **more: Any) -> dict[str, Any]:
    return row(id, parent, "user", text, **more)


def agent(id: str, parent: Any, *blocks: Any, **more: Any) -> dict[str, Any]:
    usage = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 1, "cost": {"total": 0.5}}
    return row(id, parent, "assistant", list(blocks), **{"model": "m-1", "usage": usage, **more})


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(id: str, name: str = "bash") -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": name, "arguments": {"command": "ls"}}


def back(id: str, parent: Any, call_id: str, words: str = "ok", **more: Any) -> dict[str, Any]:
    return row(id, parent, "toolResult", [text(words)], toolCallId=call_id, toolName="bash", **more)


def trace(folder: Path, *rows: Any, header: Any = HEADER) -> Any:
    return one(put(folder, "s.jsonl", [header, *rows])).trace


def texts(found: Any) -> list[str]:
    return [step.message for step in found.steps]


def test_calls_and_their_results_are_one_step(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        user("u1", None, [text("do it")]),
        agent("a1", "u1", {"type": "thinking", "thinking": "hm"}, text("Two."), call("c1"), call("c2")),
        back("r1", "a1", "c1"),
        back("r2", "r1", "c2", "boom\n\nCommand exited with code 3", isError=True),
        agent("a2", "r2", text("Done."), stopReason="stop"),
    )
    step = found.steps[1]
    assert (step.reasoning, step.message, step.source_ids) == ("hm", "Two.", ("a1", "r1", "r2"))
    assert [(r.call_id, r.error, r.exit_code) for r in step.results] == [("c1", False, None), ("c2", True, 3)]
    assert step.seconds == 9.5
    info = found.info
    assert (info.n_messages, info.n_tool_calls, info.n_errors, info.model) == (5, 2, 1, "m-1")
    assert (info.tokens_in, info.tokens_out, info.cost) == (222, 10, 1.0)
    assert (info.task, info.task_id, info.agent, info.ended) == ("do it", "s-1", "pi", "unknown")


def test_a_session_of_version_1_is_a_list(tmp_path: Path) -> None:
    rows = [user("", None, "one"), agent("", None, text("two")), user("", None, "three")]
    for entry in rows:
        del entry["id"], entry["parentId"]
    compaction = {"type": "compaction", "timestamp": AT, "summary": "so far", "firstKeptEntryIndex": 1}
    found = trace(tmp_path, *rows[:2], compaction, rows[2])
    assert texts(found) == ["one", "two", "so far", "three"]
    assert [step.kind for step in found.steps] == ["", "", "compaction", ""]
    assert [step.stable_id for step in found.steps] == ["#1", "#2", "#3", "#4"]


def test_a_branch_that_was_left_is_counted_and_not_shown(tmp_path: Path) -> None:
    rows = [
        HEADER,
        {"type": "model_change", "id": "m", "parentId": None, "modelId": "m-1"},
        user("u1", "m", "one"),
        agent("a1", "u1", text("wrong"), call("c1")),
        {"type": "custom_message", "id": "x1", "parentId": "a1", "customType": "k", "content": "left too"},
        {"type": "custom_message", "id": "x2", "parentId": "u1", "customType": "k", "content": "stays"},
        {"type": "branch_summary", "id": "b", "parentId": "u1", "fromId": "a1", "summary": "tried"},
        agent("a2", "b", text("right")),
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert texts(imported.trace) == ["one", "stays", "tried", "right"]
    assert (imported.trace.info.n_messages, imported.trace.info.n_tool_calls) == (3, 1)
    assert "branch that was left" in reasons(notes)


def test_a_rewind_to_the_start_leaves_all_before(tmp_path: Path) -> None:
    rows = [user("u1", None, "one"), agent("a1", "u1", text("x")), user("u2", None, "two")]
    assert texts(trace(tmp_path, *rows)) == ["two"]


def test_a_lost_parent_goes_on_with_the_entry_before(tmp_path: Path) -> None:
    rows = [user("u1", "s-1", "one"), agent("a1", "u1", text("x"), call("c1")), back("r1", "c1", "c1")]
    found = trace(tmp_path, *rows, agent("a2", "nowhere", text("y")))
    assert texts(found) == ["one", "x", "y"]
    assert found.steps[1].results[0].call_id == "c1"


@pytest.mark.parametrize(
    ("stop", "ended", "fault"),
    [
        ("error", "error", True),
        ("aborted", "user_stop", False),
        ("length", "limit", False),
        ("stop", "unknown", False),
    ],
)
def test_how_a_session_ends(tmp_path: Path, stop: str, ended: str, fault: bool) -> None:
    found = trace(
        tmp_path, user("u1", None, "x"), agent("a1", "u1", text("y"), stopReason=stop, errorMessage="why")
    )
    assert (found.info.ended, found.steps[1].fault) == (ended, fault)
    assert found.steps[1].extra["errorMessage"] == "why"


def test_a_failed_request_without_words_is_a_notice(tmp_path: Path) -> None:
    found = trace(tmp_path, user("u1", None, "x"), agent("a1", "u1", stopReason="error", errorMessage="529"))
    step = found.steps[1]
    assert (step.source, step.kind, step.message, step.fault) == ("system", "notice", "529", True)


def test_a_stopped_command_is_no_error(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        user("u1", None, "x"),
        agent("a1", "u1", call("c1")),
        back("r1", "a1", "c1", "Command aborted", isError=True),
    )
    assert found.steps[1].results[0].denied
    assert found.info.n_errors == 0


def test_a_command_of_the_user_is_a_call_of_the_user(tmp_path: Path) -> None:
    ran = row("b1", "a1", "bashExecution", command="false", output="no", exitCode=1, cancelled=False)
    found = trace(
        tmp_path, user("u1", None, "x"), agent("a1", "u1", call("c1")), ran, back("r1", "b1", "c1", "late")
    )
    step = found.steps[2]
    assert (step.source, step.calls[0].name, step.calls[0].arguments) == (
        "user",
        "bash",
        {"command": "false"},
    )
    assert (step.results[0].content, step.results[0].exit_code, step.results[0].error) == ("no", 1, True)
    assert found.steps[1].results[0].content == "late"
    assert found.info.n_tool_calls == 1


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ("[OpenClaw heartbeat poll]", {}),
        ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>", {}),
        ("a helper is done", {"provenance": {"kind": "inter_session"}}),
        ("", {}),
    ],
)
def test_what_nobody_typed_is_marked(tmp_path: Path, words: str, more: Any) -> None:
    found = trace(tmp_path, user("u1", None, [text(words)], **more), user("u2", "u1", "the task"))
    assert [step.kind for step in found.steps] == ["injected", ""]
    assert found.steps[0].message == words
    assert found.info.task == "the task"


def test_words_behind_an_internal_context_are_the_task(tmp_path: Path) -> None:
    words = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nGo on."
    found = trace(tmp_path, user("u1", None, words))
    assert (found.info.format, found.info.task, found.steps[0].kind) == ("openclaw", "Go on.", "")


def test_the_task_of_a_sub_agent_stands_behind_its_mark(tmp_path: Path) -> None:
    found = trace(tmp_path, user("u1", None, "[Subagent Context] x\n\n[Subagent Task]\n\nCount."))
    assert found.info.task == "Count."


def test_what_the_gateway_says_is_no_turn_of_the_model(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        user("u1", None, "/list"),
        agent("a1", "u1", text("none"), model="gateway-injected", provider="openclaw"),
        agent("a2", "a1", text("hi")),
    )
    assert (found.steps[1].source, found.steps[1].kind) == ("system", "notice")
    assert (found.info.model, found.info.format) == ("m-1", "openclaw")


MARKED = {"id": "k", "parentId": None, "content": "x"}


@pytest.mark.parametrize(
    ("kind", "name"), [("custom", "model-snapshot"), ("custom_message", "openclaw.sessions_yield")]
)
def test_openclaw_is_known_by_its_marks(tmp_path: Path, kind: str, name: str) -> None:
    said, home = user("u1", None, "x"), {**HEADER, "cwd": "/h/.openclaw/workspace"}
    marked = {**MARKED, "type": kind, "customType": name}
    found = [
        open_source(put(tmp_path, "a.jsonl", rows))[0].FORMAT
        for rows in ([HEADER, marked, said], [home, said])
    ]
    assert found == ["openclaw", "openclaw"]
    assert open_source(put(tmp_path, "b.jsonl", [HEADER, said]))[0].FORMAT == "pi"


def test_droids_blocks_are_read(tmp_path: Path) -> None:
    header = {"type": "session_start", "id": "d-1", "title": "t", "version": 2, "cwd": "/x"}
    used = {"type": "tool_use", "id": "x1", "name": "Execute", "input": {"command": "ls"}}
    got = {"type": "tool_result", "tool_use_id": "x1", "content": "no", "is_error": True}
    rows = [
        user("u1", None, [text("<system-reminder>x</system-reminder>"), text("do it")]),
        row("a1", "u1", "assistant", [text("hm"), used]),
        user("u2", "a1", [got]),
        {"type": "compaction_state", "id": "k", "timestamp": AT, "summaryText": "so far", "n": 1},
        {"type": "todo_state", "id": "t", "todos": {}},
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", [header, *rows]))
    found = imported.trace
    assert [step.kind for step in found.steps] == ["injected", "", "", "compaction"]
    assert found.steps[0].source_ids == ("u1#context",)
    assert found.steps[1].source_ids == ("u1",)
    assert found.steps[2].results[0].error
    assert found.steps[3].extra["n"] == 1
    info = found.info
    assert (info.agent, info.format, info.task, info.n_tool_calls) == ("droid", "pi", "do it", 1)
    assert not notes


def test_a_session_that_grows_keeps_its_id(tmp_path: Path) -> None:
    rows = [user("u1", None, "x"), agent("a1", "u1", text("y"))]
    before, after = trace(tmp_path, *rows), trace(tmp_path, *rows, user("u2", "a1", "z"))
    assert before.info.trace_id == after.info.trace_id
    assert before.info.content_hash != after.info.content_hash
    assert after.records.startswith(before.records)


def test_a_fork_is_a_trace_of_its_own(tmp_path: Path) -> None:
    row, fork = user("u1", None, "x"), {**HEADER, "id": "s-2", "parentSession": "/h/s-1.jsonl"}
    first, second = trace(tmp_path, row), trace(tmp_path, row, header=fork)
    assert first.info.trace_id != second.info.trace_id
    assert second.info.meta["parentSession"] == "/h/s-1.jsonl"


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    rows = [
        HEADER,
        7,
        user("u1", None, {"a": 1}),
        user("u1", None, "again"),
        agent("a1", "u1", 5, {"type": "odd"}, usage=[], model=3),
        row("z", "a1", "robot", "beep"),
        {"type": "message", "id": "n", "parentId": "z", "message": "bare"},
        {"type": "later", "id": "l", "parentId": "n"},
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert imported.trace.info.n_messages == 5
    assert texts(imported.trace)[-2:] == ["beep", "bare"]
    for reason in ("duplicate entry", "unknown role 'robot'", "unknown entry type 'later'", "a number"):
        assert reason in reasons(notes)


def test_a_picture_is_named(tmp_path: Path) -> None:
    picture = {"type": "image", "data": "aaaa", "mimeType": "image/png"}
    assert texts(trace(tmp_path, user("u1", None, [text("see"), picture]))) == [
        "see\n[image/png 61be55a8, 3 B]"
    ]


def test_a_session_without_a_message_is_no_trace(tmp_path: Path) -> None:
    importer, source = open_source(put(tmp_path, "s.jsonl", [HEADER, {"type": "model_change", "id": "m"}]))
    with pytest.raises(NotATrace):
        list(importer.read(source))


def test_a_reminder_before_words_is_taken_apart(tmp_path: Path) -> None:
    found = trace(
        tmp_path, user("u1", None, [text("<system-reminder>\nx\n</system-reminder>\n\nDo the thing")])
    )
    assert [(step.kind, step.message) for step in found.steps] == [
        ("injected", "<system-reminder>\nx\n</system-reminder>"),
        ("", "Do the thing"),
    ]
    assert found.info.task == "Do the thing"


def test_an_entry_that_stands_twice_counts_once(tmp_path: Path) -> None:
    rows = [user("u1", None, "go"), agent("a1", "u1", call("c1")), back("r1", "a1", "c1")]
    once = trace(tmp_path, *rows).info
    for twice in ([row for row in rows for _ in range(2)], [*rows, *rows]):
        found = trace(tmp_path, *twice)
        assert (found.info.n_messages, found.info.n_tool_calls, len(found.steps)) == (3, 1, 2)
        assert found.info.trace_id == once.trace_id
