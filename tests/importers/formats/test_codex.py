"""Codex: items against events, old and new rollouts, rollbacks, aborts, sub-agents, `codex exec --json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.formats import codex
from reviewer.importers.opening.decode import decode
from tests.importers.reading import one, put, read_all, reasons

META = {"id": "thread-1", "timestamp": "2026-03-01T10:00:00Z", "cwd": "/w", "source": "cli"}


def row(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:05Z", "type": kind, "payload": payload}


def said(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return row("response_item", type="message", role=role, content=content)


def call(id: str, name: str = "exec_command", **arguments: Any) -> dict[str, Any]:
    return row("response_item", type="function_call", name=name, call_id=id, arguments=json.dumps(arguments))


def back(id: str, output: Any = "ok") -> dict[str, Any]:
    return row("response_item", type="function_call_output", call_id=id, output=output)


def event(kind: str, **more: Any) -> dict[str, Any]:
    return row("event_msg", type=kind, **more)


def trace(folder: Path, *rows: Any, meta: dict[str, Any] = META) -> Any:
    return one(put(folder, "rollout-1.jsonl", [row("session_meta", **meta), *rows])).trace


def test_items_that_were_added_together(tmp_path: Path) -> None:
    talk = [said("user", "Find the parser."), said("assistant", "I look."), call("c1", cmd="ls")]
    more = [back("c1", "a.go"), said("assistant", "It is a.go.")]
    one_by_one = trace(tmp_path, row("turn_context", model="model-1"), *talk, *more)
    items = [[item["payload"] for item in part] for part in (talk, more)]
    items[0].append({"type": "trae_extra_info", "extra_info": {"kind": "ui"}})
    rows = [row("history_mutation", operation="append", items=part) for part in items]
    undone = row("history_mutation", operation="replace", items=items[0])
    path = put(
        tmp_path, "t.jsonl", [row("session_meta", **META), row("turn_context", model="m"), *rows, undone]
    )
    (found,), notes = read_all(path)
    steps = found.trace.steps
    assert [(s.source, s.message, len(s.calls), len(s.results)) for s in steps] == [
        (s.source, s.message, len(s.calls), len(s.results)) for s in one_by_one.steps
    ]
    info = found.trace.info
    assert (info.n_messages, info.n_tool_calls, info.task) == (3, 1, "Find the parser.")
    assert len({id for step in steps for id in step.source_ids}) == sum(len(s.source_ids) for s in steps)
    assert reasons(notes) == "a change of the history ('replace') is not shown"


def test_events_repeat_what_the_items_say(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        row("turn_context", model="model-1"),
        said("user", "do it"),
        event("user_message", message="do it"),
        row("response_item", type="reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
        event("agent_reasoning", text="hm"),
        said("assistant", "I look."),
        event("agent_message", message="I look."),
        call("c1", cmd="ls"),
        call("c2", cmd="pwd"),
        back("c2", "two"),
        back("c1", "one"),
        said("assistant", "Done."),
        event("task_complete", last_agent_message="Done."),
    )
    assert [step.message for step in found.steps] == ["do it", "I look.", "Done."]
    step = found.steps[1]
    assert (step.reasoning, step.model) == ("hm", "model-1")
    assert [c.arguments for c in step.calls] == [{"cmd": "ls"}, {"cmd": "pwd"}]
    assert [(r.call_id, r.content) for r in step.results] == [("c2", "two"), ("c1", "one")]
    info = found.info
    assert (info.n_messages, info.n_tool_calls, info.ended) == (3, 2, "submitted")
    assert (info.task, info.task_id, info.model) == ("do it", "thread-1", "model-1")


@pytest.mark.parametrize(
    ("output", "content", "code"),
    [
        ('{"output": "boom", "metadata": {"exit_code": 3}}', "boom", 3),
        ({"content": "boom", "success": False}, "boom", None),
        ("Exit code: 1\nWall time: 1 seconds\nOutput:\nboom", None, 1),
        ("Chunk ID: a\nProcess exited with code 2\nOutput:\nx", None, 2),
    ],
)
def test_a_failed_call_is_an_error(
    tmp_path: Path, output: Any, content: str | None, code: int | None
) -> None:
    found = trace(tmp_path, said("user", "x"), call("c1"), back("c1", output))
    (result,) = found.steps[1].results
    assert (result.error, result.exit_code) == (True, code)
    assert result.content == (content or output)


def test_what_a_program_prints_is_no_exit_code(tmp_path: Path) -> None:
    text = "Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 9\n"
    found = trace(
        tmp_path, said("user", "x"), call("c1"), back("c1", text), call("c2"), back("c2", text[-13:])
    )
    assert [r.exit_code for step in found.steps for r in step.results] == [0, None]


def test_events_tell_exit_codes_failures_and_a_persons_no(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        said("user", "x"),
        *(call(f"c{n}") for n in range(1, 5)),
        event("exec_command_end", call_id="c1", exit_code=1, duration={"secs": 2, "nanos": 500_000_000}),
        event("patch_apply_end", call_id="c2", success=False),
        event("exec_command_end", call_id="c3", exit_code=-1, status="declined"),
        *(back(f"c{n}") for n in range(1, 4)),
        back("c4", "exec command rejected by user"),
    )
    step = found.steps[1]
    assert [(r.error, r.denied) for r in step.results] == [
        (True, False),
        (True, False),
        (False, True),
        (False, True),
    ]
    assert (step.results[0].exit_code, step.seconds) == (1, 2.5)


@pytest.mark.parametrize(
    "text",
    [
        "<user_instructions>be nice</user_instructions>",
        "<environment_context>x</environment_context>",
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<turn_aborted>\nx</turn_aborted>",
    ],
)
def test_what_nobody_typed_is_injected(tmp_path: Path, text: str) -> None:
    found = trace(tmp_path, said("user", text, "more"), said("user", "the task"))
    assert [step.kind for step in found.steps] == ["injected", ""]
    assert (found.info.task, found.info.n_messages) == ("the task", 2)


def test_an_editors_context_is_not_the_task(tmp_path: Path) -> None:
    text = "# Context from my IDE setup:\n## Open tabs:\n- a\n\n## My request for Codex:\nmend it\n"
    assert trace(tmp_path, said("user", text)).info.task == "mend it"


def test_tokens_are_counted_once(tmp_path: Path) -> None:
    def tokens(total: int, last: int) -> dict[str, Any]:
        info = {"total_token_usage": {"input_tokens": total, "output_tokens": 5}}
        return event("token_count", info={**info, "last_token_usage": {"input_tokens": last}})

    found = trace(
        tmp_path,
        said("user", "x"),
        call("c1"),
        tokens(10, 10),
        tokens(10, 10),
        event("token_count", info=None),
        back("c1"),
        said("assistant", "y"),
        tokens(25, 15),
    )
    assert [step.metrics.tokens_in for step in found.steps if step.metrics] == [10, 15]
    assert (found.info.tokens_in, found.info.tokens_out) == (25, 5)


def test_rolled_back_turns_are_taken_out(tmp_path: Path) -> None:
    turns = [said(role, f"{role} {n}") for n in (1, 2) for role in ("user", "assistant")]
    found = trace(tmp_path, *turns, event("thread_rolled_back", num_turns=1), said("user", "user 3"))
    words = [step.message for step in found.steps]
    assert words[:2] == ["user 1", "assistant 1"]
    assert "1 turn rolled back" in words[2]
    assert words[3:] == ["user 3"]
    assert (found.info.n_messages, found.steps[2].kind) == (5, "notice")
    gone = trace(tmp_path, *turns, event("thread_rolled_back", num_turns=9), said("user", "new"))
    assert gone.info.task == "new"


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        (event("turn_aborted", reason="interrupted"), "user_stop"),
        (event("error", message="no quota"), "error"),
        (event("error", message="full", codex_error_info="context_window_exceeded"), "limit"),
        (event("error", error={"message": "limit"}), "error"),
        (event("task_complete"), "submitted"),
        (said("assistant", "bye"), "unknown"),
    ],
)
def test_how_it_ended(tmp_path: Path, last: dict[str, Any], ended: str) -> None:
    found = trace(tmp_path, said("user", "x"), said("assistant", "y"), last)
    assert found.info.ended == ended
    assert found.info.n_errors == (last["payload"]["type"] == "error")
    assert trace(tmp_path, said("user", "x"), last, said("user", "go on")).info.ended == "unknown"


def test_a_compaction_is_a_step_and_its_history_is_not_read_again(tmp_path: Path) -> None:
    old = [said("user", "x"), said("assistant", "y")]
    history = [item["payload"] for item in old]
    found = trace(tmp_path, *old, row("compacted", message="so far", replacement_history=history))
    assert [(s.message, s.kind) for s in found.steps] == [("x", ""), ("y", ""), ("so far", "compaction")]
    summary = "Another language model started to solve this problem and wrote: z"
    history.append(said("user", summary)["payload"])
    found = trace(tmp_path, *old, row("compacted", message="", replacement_history=history))
    assert found.steps[-1].message == summary
    hidden = trace(tmp_path, *old, row("response_item", type="compaction", encrypted_content="gA"))
    assert (hidden.steps[-1].kind, "encrypted" in hidden.steps[-1].message) == ("compaction", True)


def test_rollouts_before_mid_2025_are_bare_items(tmp_path: Path) -> None:
    rows = [
        {"id": "old-1", "timestamp": "2025-05-01T10:00:00Z", "instructions": None, "git": {"branch": "b"}},
        {"record_type": "state"},
        said("user", "do it")["payload"],
        call("c1", "shell", command=["ls"])["payload"],
        back("c1", '{"output":"a","metadata":{"exit_code":0}}')["payload"],
        said("assistant", "done")["payload"],
    ]
    (imported,), notes = read_all(put(tmp_path, "r.jsonl", rows))
    info = imported.trace.info
    assert (info.format, info.task_id, info.task, info.n_messages) == ("codex", "old-1", "do it", 2)
    assert (info.n_tool_calls, info.started) == (1, "2025-05-01T10:00:00.000Z")
    assert imported.trace.steps[1].results[0].exit_code == 0
    assert not notes


def test_some_writers_leave_out_the_type_or_give_arguments_as_an_object(tmp_path: Path) -> None:
    patch = row(
        "response_item", type="function_call", name="apply_patch", call_id="c", arguments={"patch": "p"}
    )
    found = trace(tmp_path, row("response_item", role="user", content=[{"text": "x"}]), patch)
    assert (found.info.task, found.info.n_messages) == ("x", 1)
    assert found.steps[1].calls[0].arguments == {"patch": "p"}


def test_a_file_of_events_alone_still_shows_the_talk(tmp_path: Path) -> None:
    found = trace(tmp_path, event("user_message", message="x"), event("agent_message", message="y"))
    assert [(s.source, s.message) for s in found.steps] == [("user", "x"), ("agent", "y")]
    assert (found.info.n_messages, found.info.task) == (0, "x")


def test_the_first_meta_is_the_thread(tmp_path: Path) -> None:
    fork = {**META, "id": "fork", "forked_from_id": "thread-1"}
    info = trace(tmp_path, row("session_meta", **META), said("user", "x"), meta=fork).info
    assert (info.task_id, info.meta["threads"]) == ("fork", ["thread-1"])


def test_a_rollout_that_grew_is_the_same_trace(tmp_path: Path) -> None:
    rows = [said("user", "x"), call("c1"), back("c1")]
    none, old, new = (trace(tmp_path, *part) for part in ([], rows, [*rows, said("assistant", "y")]))
    assert none.info.trace_id == old.info.trace_id == new.info.trace_id
    assert new.records.startswith(old.records)
    assert old.records.startswith(none.records)
    assert [s.stable_id for s in new.steps][:2] == [s.stable_id for s in old.steps]
    assert old.info.content_hash != new.info.content_hash


def test_a_sub_agent_is_tied_to_the_thread_that_spawned_it(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "aa-1", "depth": 1}}}
    rows = [row("session_meta", **{**META, "id": "bb-2", "source": source}), said("user", "look")]
    child = put(tmp_path, "2026/03/02/rollout-x-bb-2.jsonl", rows)
    alone = one(child).trace.info
    assert alone.parent_id == ""
    spawn = [said("user", "x"), call("s", "spawn_agent"), back("s", '{"agent_id": "bb-2"}')]
    parent = put(
        tmp_path, "2026/03/01/rollout-x-aa-1.jsonl", [row("session_meta", **{**META, "id": "aa-1"}), *spawn]
    )
    tied, above = one(child).trace.info, one(parent).trace
    assert (tied.trace_id, tied.parent_id) == (alone.trace_id, above.info.trace_id)
    assert tied.parent_step == above.steps[1].stable_id


def test_unknown_kinds_are_named_once(tmp_path: Path) -> None:
    rows = [row("session_meta", **META), said("user", "x")]
    odd = [row("telepathy"), event("aura"), row("response_item", type="dream"), row("telepathy"), 7]
    (imported,), notes = read_all(put(tmp_path, "r.jsonl", [*rows, *odd]))
    assert imported.trace.info.n_steps == 1
    assert {note.count for note in notes if "telepathy" in note.reason} == {2}
    assert all(word in reasons(notes) for word in ("aura", "dream", "a number"))


def test_what_codex_exec_prints(tmp_path: Path) -> None:
    def item(kind: str, event: str = "completed", **more: Any) -> dict[str, Any]:
        return {"type": f"item.{event}", "item": {"type": kind, **more}}

    rows = [
        {"type": "thread.started", "thread_id": "t-9"},
        {"type": "turn.started"},
        item("reasoning", id="i0", text="hm"),
        item(
            "command_execution", "started", id="i1", command="ls", aggregated_output="", status="in_progress"
        ),
        item(
            "command_execution", id="i1", command="ls", aggregated_output="no", exit_code=1, status="failed"
        ),
        item("file_change", id="i2", changes=[{"path": "a", "kind": "add"}], status="completed"),
        item(
            "mcp_tool_call",
            id="i3",
            server="s",
            tool="t",
            arguments={"q": 1},
            result={"content": []},
            status="completed",
        ),
        item("command_execution", "started", id="i4", command="sleep 9", status="in_progress"),
        item("agent_message", id="i5", text="Done."),
        {
            "type": "turn.completed",
            "usage": {"input_tokens": 9, "cached_input_tokens": 1, "output_tokens": 2},
        },
    ]
    found = one(put(tmp_path, "e.jsonl", rows)).trace
    info = found.info
    assert (info.format, info.task_id, info.n_messages, info.n_tool_calls) == ("codex", "t-9", 1, 4)
    assert (info.ended, info.tokens_in, info.tokens_out, info.n_errors) == ("submitted", 9, 2, 1)
    first = found.steps[0]
    assert (first.reasoning, first.calls[0].arguments, first.results[0].exit_code) == (
        "hm",
        {"command": "ls"},
        1,
    )
    assert found.steps[2].calls[0].name == "s.t"
    assert not found.steps[3].results
    assert found.steps[-1].message == "Done."
    failed = [*rows[:2], {"type": "turn.failed", "error": {"message": "no quota"}}]
    assert one(put(tmp_path, "f.jsonl", failed)).trace.info.ended == "error"


def test_relatives_are_left_alone() -> None:
    pi = {"type": "session", "id": "x", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/"}
    header = {"id": "x", "timestamp": "2026-01-01T00:00:00Z"}
    for rows in ([pi, {"type": "message", "id": "1"}], [header, {"type": "dream"}], [{"type": "message"}]):
        assert not codex.sniff(decode(Path("s.jsonl"), "\n".join(map(json.dumps, rows)).encode()))


def test_events_say_what_no_item_of_their_kind_says(tmp_path: Path) -> None:
    context = said("user", "<environment_context>here</environment_context>")
    found = trace(
        tmp_path,
        context,
        event("user_message", message="<environment_context>here</environment_context>"),
        event("user_message", message="Ask a helper."),
        event("agent_message", message="I do."),
        call("c1", "spawn_agent"),
        back("c1"),
    )
    assert found.info.task == "Ask a helper."
    assert [(step.source, step.kind, step.message) for step in found.steps] == [
        ("user", "injected", "<environment_context>here</environment_context>"),
        ("user", "", "Ask a helper."),
        ("agent", "", "I do."),
    ]
    answered = trace(tmp_path, event("user_message", message="Hi"), said("assistant", "Yes"))
    assert [step.message for step in answered.steps] == ["Hi", "Yes"]


def test_an_old_header_may_say_only_when_it_was(tmp_path: Path) -> None:
    head = {"id": "thread-0", "timestamp": "2025-05-01T10:00:00Z"}
    rows = [head, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}]
    found = one(put(tmp_path, "rollout-0.jsonl", rows)).trace.info
    assert (found.format, found.task_id, found.task) == ("codex", "thread-0", "Hi")
