"""Cline and Roo tasks: XML and native calls, results in texts, what was shown, the SDK's messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from reviewer.importers.formats.cline_roo.xml import reply
from tests.importers.reading import one, put, read_all, reasons

ENV = "<environment_details>\n# Current Mode\n<model>m-1</model>\n</environment_details>"
NAME = "tasks/t-1/api_conversation_history.json"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def user(*words: str, ts: int = 1757000000000, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": [text(one) for one in words], "ts": ts, **more}


def agent(*blocks: Any, ts: int = 1757000009000, **more: Any) -> dict[str, Any]:
    content = [text(block) if isinstance(block, str) else block for block in blocks]
    return {"role": "assistant", "content": content, "ts": ts, **more}


TASK = user("<task>\ndo it\n</task>", ENV)
READ = "Look.\n\n<read_file>\n<path>a.py</path>\n</read_file>"


def trace(folder: Path, *rows: Any) -> Any:
    return one(put(folder, NAME, list(rows))).trace


def test_calls_in_xml_and_results_in_texts_are_one_step(tmp_path: Path) -> None:
    back = user("[read_file for 'a.py'] Result:", "1 | x", ENV)
    found = trace(tmp_path, TASK, agent("<thinking>\nhm\n</thinking>\n\n" + READ), back)
    step = found.steps[1]
    assert (step.reasoning, step.message, step.source_ids) == ("hm", "Look.", ("#1", "#2"))
    assert (step.calls[0].name, step.calls[0].arguments) == ("read_file", {"path": "a.py"})
    assert step.results[0].content == "1 | x"
    assert step.extra["environment #2"].startswith("# Current Mode")
    info = found.info
    assert (info.n_messages, info.n_tool_calls, info.model) == (3, 0, "m-1")
    assert (info.task, info.task_id, info.seconds) == ("do it", "t-1", 9.0)
    assert info.meta["task_id_from"] == "folder name"


def test_a_result_may_stand_in_one_text_with_its_name(tmp_path: Path) -> None:
    back = user("[execute_command for 'x'] Result:\n\nExit code: 3\nOutput:\nno")
    found = trace(tmp_path, TASK, agent("<execute_command>\n<command>x</command>\n</execute_command>"), back)
    result = found.steps[1].results[0]
    assert (result.content, result.exit_code, result.error) == ("Exit code: 3\nOutput:\nno", 3, True)


@pytest.mark.parametrize(
    ("words", "error", "denied"),
    [
        ("The user denied this operation.", False, True),
        ("The tool execution failed with the following error:\n<error>\nno\n</error>", True, False),
        ("<error>no</error>", True, False),
        ("fine", False, False),
    ],
)
def test_errors_and_denials_of_calls(tmp_path: Path, words: str, error: bool, denied: bool) -> None:
    found = trace(tmp_path, TASK, agent(READ), user("[read_file for 'a.py'] Result:", words))
    result = found.steps[1].results[0]
    assert (result.error, result.denied) == (error, denied)


def test_native_calls_are_counted(tmp_path: Path) -> None:
    used = {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a"}}
    got = {"type": "tool_result", "tool_use_id": "c1", "content": [text("words")], "is_error": True}
    back = {"role": "user", "content": [got, text(ENV)], "ts": 1}
    metrics = {"tokens": {"prompt": 10, "completion": 5, "cached": 2}, "cost": 0.5}
    asked = agent("Look.", used, modelInfo={"modelId": "m-2"}, metrics=metrics)
    found = trace(tmp_path, TASK, asked, back, user("more"))
    step = found.steps[1]
    assert (step.results[0].content, step.results[0].error, step.model) == ("words", True, "m-2")
    assert (found.info.n_tool_calls, found.info.tokens_in, found.info.cost) == (1, 12, 0.5)
    assert len(found.steps) == 3


def test_the_parts_of_a_reply() -> None:
    found = reply(
        "Now.\n<write_to_file>\n<path>a.md</path>\n<content>\nuse <content>x</content>\n</content>\n"
        "</write_to_file>\nand\n<read_file><args>\n<file><path>b</path></file>\n</args></read_file>"
    )
    assert found.said == "Now.\n\nand"
    assert found.calls[0] == ("write_to_file", {"path": "a.md", "content": "use <content>x</content>"})
    assert found.calls[1] == ("read_file", {"args": "<file><path>b</path></file>"})
    assert reply("<execute_command>\n<command>ls").calls == (("execute_command", {"command": "ls"}),)
    assert reply("a <b> c").said == "a <b> c"


def test_a_completion_is_a_submission(tmp_path: Path) -> None:
    done = agent("<attempt_completion>\n<result>\nfine\n</result>\n</attempt_completion>")
    assert trace(tmp_path, TASK, done).info.ended == "submitted"
    assert trace(tmp_path, TASK, done, user("<feedback>no</feedback>")).info.ended == "unknown"


def test_what_nobody_typed_is_marked(tmp_path: Path) -> None:
    rows = [
        user(ENV),
        user("[ERROR] You did not use a tool in your previous response!", ENV),
        user("[TASK RESUMPTION] This task was interrupted", ENV),
        user("<task>the task</task>"),
    ]
    found = trace(tmp_path, *rows)
    assert [step.kind for step in found.steps] == ["injected", "injected", "injected", ""]
    assert found.info.task == "the task"


def test_a_summary_is_a_compaction(tmp_path: Path) -> None:
    found = trace(tmp_path, TASK, agent("so far", isSummary=True, condenseId="k"))
    assert (found.steps[1].kind, found.steps[1].extra) == ("compaction", {"condenseId": "k"})


def test_messages_without_a_time_are_known_by_their_marks(tmp_path: Path) -> None:
    rows = [{"role": row["role"], "content": row["content"]} for row in (TASK, agent(READ))]
    assert one(put(tmp_path, NAME, rows)).trace.info.format == "cline_roo"
    plain = [{"role": "user", "content": "do it"}, {"role": "assistant", "content": "done"}]
    assert open_source(put(tmp_path, "a.json", plain))[0].FORMAT != "cline_roo"


def say(kind: str, words: str = "", **more: Any) -> dict[str, Any]:
    return {"ts": 1757000000000, "type": "say", "say": kind, "text": words, **more}


def ask(kind: str, words: str = "", **more: Any) -> dict[str, Any]:
    return {"ts": 1757000004000, "type": "ask", "ask": kind, "text": words, **more}


def request(words: str = "", **more: Any) -> dict[str, Any]:
    about = {"request": words, "tokensIn": 1, "tokensOut": 2, "cacheReads": 3, "cacheWrites": 4, "cost": 0.5}
    return say("api_req_started", json.dumps({**about, **more}))


def shown(folder: Path, *rows: Any) -> Any:
    return one(put(folder, "tasks/t-1/ui_messages.json", list(rows))).trace


def test_what_was_shown_is_a_step_a_request(tmp_path: Path) -> None:
    tool = json.dumps({"tool": "readFile", "path": "a.py"})
    found = shown(
        tmp_path,
        say("text", "do it"),
        request("<task>do it</task>"),
        say("reasoning", "hm"),
        say("text", "Look."),
        ask("tool", tool),
        request("[read_file for 'a.py'] Result:\n\n1 | x\n\n" + ENV),
        ask("command", "ls"),
        say("command_output", "a"),
        say("command_output", "b"),
        say("user_feedback", "no, stop"),
        request(),
        say("completion_result", "Done."),
        ask("completion_result"),
    )
    assert [step.source for step in found.steps] == ["user", "agent", "agent", "user", "agent"]
    first, second = found.steps[1:3]
    assert (first.reasoning, first.message, first.results[0].content) == ("hm", "Look.", "1 | x")
    assert (first.calls[0].name, first.calls[0].arguments) == ("readFile", {"path": "a.py"})
    assert (second.calls[0].name, second.results[0].content) == ("execute_command", "a\nb")
    info = found.info
    assert (info.n_messages, info.n_tool_calls, info.ended) == (13, 1, "submitted")
    assert (info.tokens_in, info.tokens_out, info.cost, info.seconds) == (24, 6, 1.5, 4.0)
    assert (info.task, info.task_id, info.model) == ("do it", "t-1", "m-1")


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        (request(cancelReason="user_cancelled"), "user_stop"),
        (request(cancelReason="streaming_failed", streamingFailedMessage="x"), "error"),
        (ask("api_req_failed", "529"), "error"),
        (ask("resume_task"), "unknown"),
    ],
)
def test_how_what_was_shown_ends(tmp_path: Path, last: Any, ended: str) -> None:
    assert shown(tmp_path, say("text", "do it"), request(), last).info.ended == ended


def test_errors_and_summaries_that_were_shown(tmp_path: Path) -> None:
    condensed = say("condense_context", "", contextCondense={"summary": "so far", "cost": 0.1})
    path = put(
        tmp_path, "ui.json", [say("task", "do it"), say("diff_error", "no"), condensed, say("later", "x")]
    )
    (imported,), notes = read_all(path)
    steps = imported.trace.steps
    assert [(step.kind, step.fault, step.message) for step in steps[1:]] == [
        ("notice", True, "no"),
        ("compaction", False, "so far"),
        ("notice", False, "x"),
    ]
    assert "unknown entry type 'later'" in reasons(notes)


def test_replies_get_their_price_from_what_was_shown(tmp_path: Path) -> None:
    shown(tmp_path, say("text", "do it"), request(), say("text", "Look."))
    assert trace(tmp_path, TASK, agent("Look.")).info.cost == 0.5
    assert trace(tmp_path, TASK, agent("Look."), agent("And on.")).info.cost is None


def test_the_model_from_the_file_beside(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "tasks/t-1/task_metadata.json",
        {"model_usage": [{"model_id": "m-3"}], "files_in_context": []},
    )
    assert trace(tmp_path, user("<task>x</task>"), agent("y")).info.model == "m-3"
    with pytest.raises(NotATrace):
        open_source(path)


def test_the_messages_of_the_sdk(tmp_path: Path) -> None:
    used = {"type": "tool_use", "id": "c1", "name": "read", "input": {}}
    got = {"type": "tool_result", "tool_use_id": "c1", "content": "words"}
    metrics = {"inputTokens": 10, "outputTokens": 5, "cacheReadTokens": 2, "cost": 0.5}
    rows = [
        {"id": "m1", "role": "user", "content": [text("do it")]},
        {"id": "m2", "role": "assistant", "content": [used], "modelInfo": {"id": "m-4"}, "metrics": metrics},
        {"id": "m3", "role": "user", "content": [got]},
    ]
    whole = {"version": 1, "agent": "lead", "sessionId": "s-9", "system_prompt": "You are.", "messages": rows}
    found = one(put(tmp_path, "s-9.messages.json", whole)).trace
    assert [step.stable_id for step in found.steps] == ["system_prompt", "m1", "m2"]
    info = found.info
    assert (info.task_id, info.model, info.n_messages, info.n_tool_calls) == ("s-9", "m-4", 3, 1)
    assert (info.tokens_in, info.meta.get("task_id_from")) == (10, None)


def test_a_task_that_grows_keeps_its_id(tmp_path: Path) -> None:
    before, after = trace(tmp_path, TASK, agent(READ)), trace(tmp_path, TASK, agent(READ), user("more"))
    assert before.info.trace_id == after.info.trace_id
    assert after.records.startswith(before.records)
    rows = [say("text", "do it"), request()]
    first, second = shown(tmp_path, *rows), shown(tmp_path, *rows, say("text", "x"))
    assert first.info.trace_id == second.info.trace_id != before.info.trace_id
    assert second.records.startswith(first.records)


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    rows = [TASK, 7, {"role": "robot", "content": {"a": 1}}, agent({"type": "odd"}, None, 3)]
    (imported,), notes = read_all(put(tmp_path, NAME, rows))
    assert imported.trace.info.n_messages == 4
    assert len({step.stable_id for step in imported.trace.steps}) == len(imported.trace.steps) == 4
    assert "unknown role 'robot'" in reasons(notes)
    (imported,), _ = read_all(
        put(tmp_path, "ui.json", [say("text", "x"), None, say("tool"), ask("tool", "{")])
    )
    assert imported.trace.info.n_messages == 4


def sdk(*messages: Any) -> dict[str, Any]:
    return {"version": 1, "agent": "lead", "sessionId": "s-9", "messages": list(messages)}


def test_the_sdk_s_tools_say_whether_they_succeeded(tmp_path: Path) -> None:
    calls = [{"type": "tool_use", "id": f"c{n}", "name": "read", "input": {}} for n in range(2)]
    rows = [
        {"query": "a", "result": "1 | x", "success": True},
        {"query": "b", "result": "", "success": False},
    ]
    got = [
        {"type": "tool_result", "tool_use_id": "c0", "content": rows},
        {"type": "tool_result", "tool_use_id": "c1", "content": json.dumps(rows[0])},
    ]
    messages = [agent(*calls), {"role": "user", "content": got}]
    (imported,), notes = read_all(put(tmp_path, "m.json", sdk(user("do it"), *messages)))
    found = [(one.content, one.error) for one in imported.trace.steps[1].results]
    assert found == [("1 | x", True), ("1 | x", False)]
    assert not notes


def test_files_and_notices_in_a_prompt_are_marked(tmp_path: Path) -> None:
    file = {"type": "file", "path": "/x/a.py", "content": "print()"}
    asked = {"role": "user", "content": [text("see @a.py"), file, text("<SYSTEM_NOTICE>x</SYSTEM_NOTICE>")]}
    found = one(put(tmp_path, "m.json", sdk(asked, agent("ok")))).trace
    assert [(step.kind, step.message) for step in found.steps[:2]] == [
        ("", "see @a.py"),
        ("injected", "/x/a.py\nprint()\n\n<SYSTEM_NOTICE>x</SYSTEM_NOTICE>"),
    ]
    assert found.info.task == "see @a.py"


def test_what_the_sdk_keeps_beside_its_messages_is_no_trace(tmp_path: Path) -> None:
    left = sdk(user("x"), agent("y", metadata={"compaction": "preserved"}))
    for value in (left, {"session_id": "s-9", "messages_path": "/x", "status": "completed"}):
        with pytest.raises(NotATrace):
            open_source(put(tmp_path, "beside.json", value))
