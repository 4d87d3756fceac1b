"""Stream-json of Claude Code: joined lines, no deltas, sub-agents, results, denials, several sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read, read_all, reasons
from tests.importers.session import result, text, use

INIT = {"type": "system", "subtype": "init", "session_id": "s-1", "model": "model-1", "cwd": "/w"}


def row(kind: str, uuid: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {
        "type": kind,
        "uuid": uuid,
        "session_id": "s-1",
        "parent_tool_use_id": parent,
        "message": message,
        **more,
    }


def agent(uuid: str, id: str, *blocks: Any, parent: str | None = None) -> dict[str, Any]:
    usage = {"input_tokens": 10, "output_tokens": 1}
    return row(
        "assistant", uuid, list(blocks), parent, message={"id": id, "model": "model-2", "usage": usage}
    )


def end(subtype: str = "success", **more: Any) -> dict[str, Any]:
    return {"type": "result", "subtype": subtype, "is_error": False, "session_id": "s-1", **more}


def trace(folder: Path, *rows: Any) -> Any:
    return one(put(folder, "s.jsonl", [INIT, *rows])).trace


def test_a_run(tmp_path: Path) -> None:
    delta = {
        "type": "stream_event",
        "session_id": "s-1",
        "parent_tool_use_id": None,
        "event": {"delta": "I lo"},
    }
    (imported,), notes = read_all(
        put(
            tmp_path,
            "s.jsonl",
            [
                INIT,
                delta,
                agent("a1", "m1", {"type": "thinking", "thinking": "hm", "signature": "x"}),
                agent("a2", "m1", text("I look."), use("t1", command="ls")),
                row("user", "u1", [result("t1", "a.txt")]),
                agent("a3", "m2", text("Done.")),
                end(
                    result="Done.",
                    total_cost_usd=0.5,
                    duration_ms=2500,
                    usage={"input_tokens": 30, "output_tokens": 9},
                ),
            ],
        )
    )
    info, (first, last) = imported.trace.info, imported.trace.steps
    assert (first.reasoning, first.message, first.results[0].content) == ("hm", "I look.", "a.txt")
    assert (last.message, first.source_ids) == ("Done.", ("a1", "a2", "u1"))
    assert (info.n_messages, info.n_tool_calls, info.ended) == (4, 1, "submitted")
    assert (info.tokens_in, info.tokens_out, info.cost, info.seconds) == (30, 9, 0.5, 2.5)
    assert (info.format, info.task_id, info.model) == ("claude_code_stream", "s-1", "model-1")
    assert not notes


@pytest.mark.parametrize(
    ("last", "ended", "errors", "words"),
    [
        (end("error_max_turns", is_error=True), "limit", 0, "[error_max_turns]"),
        (end("error_during_execution", errors=["boom"]), "error", 1, "boom"),
        (end(is_error=True, result="Invalid API key"), "error", 1, "Invalid API key"),
        (end(terminal_reason="aborted_streaming"), "user_stop", 0, "y"),
        (end("odd"), "unknown", 0, "y"),
    ],
)
def test_how_it_ended(tmp_path: Path, last: Any, ended: str, errors: int, words: str) -> None:
    found = trace(tmp_path, agent("a1", "m1", text("y")), last)
    assert (found.info.ended, found.info.n_errors) == (ended, errors)
    assert found.steps[-1].message == words


def test_the_prompt_is_the_task_where_it_is_repeated(tmp_path: Path) -> None:
    rows = [row("user", "u1", "do it", isReplay=True), row("user", "u2", "be nice", isSynthetic=True)]
    found = trace(tmp_path, *rows)
    assert (found.info.task, [step.kind for step in found.steps]) == ("do it", ["", "injected"])


def test_sub_agents_are_children_and_count_in_the_parent(tmp_path: Path) -> None:
    rows = [
        INIT,
        agent("a1", "m1", use("t1", "Task", prompt="find A")),
        row("user", "s1", [text("find A")], "t1"),
        agent("s2", "n1", use("q1", "Task", prompt="deeper"), parent="t1"),
        row("user", "d1", [text("deeper")], "q1"),
        agent("d2", "o1", text("deep"), parent="q1"),
        row("user", "s3", [result("q1", "deep")], "t1"),
        row("user", "u1", [result("t1", "A is there")]),
        end(),
    ]
    top, child, deep = (item.trace for item in read(put(tmp_path, "s.jsonl", rows)))
    assert (top.info.n_messages, top.info.n_tool_calls, len(top.steps)) == (7, 2, 1)
    assert (child.info.parent_id, child.info.parent_step, child.info.task) == (
        top.info.trace_id,
        "a1",
        "find A",
    )
    assert (deep.info.parent_id, deep.info.parent_step) == (child.info.trace_id, "s2")
    assert (child.info.model, child.info.n_messages) == ("model-2", 3)
    assert len({top.info.trace_id, child.info.trace_id, deep.info.trace_id}) == 3


def test_a_call_that_nobody_allowed_is_denied(tmp_path: Path) -> None:
    told = [{"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {}}]
    rows = [agent("a1", "m1", use("t1")), row("user", "u1", [result("t1", "a hook said no", error=True)])]
    found = trace(tmp_path, *rows, end(permission_denials=told))
    assert [(r.denied, r.error) for r in found.steps[0].results] == [(True, False)]
    assert trace(tmp_path, *rows, end()).info.n_errors == 1


def test_a_result_alone_and_a_list(tmp_path: Path) -> None:
    found = one(put(tmp_path, "r.json", end(result="Done."))).trace
    assert ([step.message for step in found.steps], found.info.n_messages) == (["Done."], 0)
    rows = [INIT, agent("a1", "m1", text("y")), end(result="y")]
    listed = one(put(tmp_path, "l.json", rows)).trace
    assert ([step.message for step in listed.steps], listed.info.ended) == (["y"], "submitted")
    assert json.loads(listed.raw) == rows


def test_two_sessions_in_one_file_are_two_traces(tmp_path: Path) -> None:
    rows = [INIT, agent("a1", "m1", text("y")), end()]
    other = [{**line, "session_id": "s-2"} for line in rows]
    first, second = (
        item.trace
        for item in read(
            put(tmp_path, "s.jsonl", rows + [{**o, "uuid": "z"} if "uuid" in o else o for o in other])
        )
    )
    assert (first.info.task_id, second.info.task_id) == ("s-1", "s-2")
    assert (first.info.source_index, second.info.source_index) == (0, 1)
    assert json.loads(first.raw) == rows


def test_a_stream_that_grew_is_the_same_trace(tmp_path: Path) -> None:
    rows = [agent("a1", "m1", text("y"))]
    old, new = trace(tmp_path, *rows), trace(tmp_path, *rows, agent("a2", "m2", text("z")), end())
    assert old.info.trace_id == new.info.trace_id
    assert new.records.startswith(old.records)
    assert new.steps[0].stable_id == old.steps[0].stable_id


def test_a_compaction_and_unknown_rows(tmp_path: Path) -> None:
    rows = [INIT, {"type": "system", "subtype": "compact_boundary", "session_id": "s-1"}, {"type": "dream"}]
    odd = {"type": "system", "subtype": "aura"}
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", [*rows, odd, agent("a1", "m1", text("y"))]))
    assert [step.kind for step in imported.trace.steps] == ["compaction", ""]
    assert "dream" in reasons(notes)
    assert "aura" in reasons(notes)


def test_a_session_file_is_no_stream(tmp_path: Path) -> None:
    rows = [{"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {"content": "x"}}]
    assert open_source(put(tmp_path, "s.jsonl", rows))[0].FORMAT == "claude_code"


def test_a_stream_without_a_message_is_no_trace_yet(tmp_path: Path) -> None:
    init = {"type": "system", "subtype": "init", "session_id": "s-1", "uuid": "i", "model": "model-1"}
    with pytest.raises(NotATrace, match="without a message yet"):
        read(put(tmp_path, "x.jsonl", [init]))
    found, notes = read_all(
        put(
            tmp_path,
            "x.jsonl",
            [{**init, "session_id": "s-0", "uuid": "h"}, init, agent("a", "m", text("Hi"))],
        )
    )
    assert [item.trace.info.task_id for item in found] == ["s-1"]
    assert "passed over" in reasons(notes)
