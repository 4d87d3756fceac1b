"""The tree of a Claude Code session: rewinds, parallel calls, lost parents, sub-agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.formats.claude_code import agents
from reviewer.importers.opening.beside import read_beside
from tests.importers.reading import one, put, read, read_all, reasons
from tests.importers.session import agent, result, text, use, user


def messages(folder: Path, *rows: Any) -> list[str]:
    return [step.message for step in one(put(folder, "s.jsonl", rows)).trace.steps]


def test_after_a_rewind_the_path_to_the_last_message_is_shown(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "one"),
        agent("a1", "u1", [text("two")]),
        user("u2", "a1", "wrong turn"),
        agent("a2", "u2", [text("wrong answer")]),
        user("u3", "a1", "right turn"),
        agent("a3", "u3", [text("right answer")]),
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert [step.message for step in imported.trace.steps] == ["one", "two", "right turn", "right answer"]
    assert imported.trace.info.n_messages == 6
    assert "wrong turn" in imported.trace.raw
    (note,) = notes
    assert "abandoned branch" in note.reason
    assert note.count == 2


def test_a_rewind_to_the_start(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "old"),
        agent("a1", "u1", [text("x")]),
        user("u2", None, "new"),
        agent("a2", "u2", "y"),
    ]
    assert messages(tmp_path, *rows) == ["new", "y"]


def test_results_of_parallel_calls_are_no_branches(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1")], "m1"),
        agent("a2", "a1", [use("t2")], "m1"),
        user("r1", "a1", [result("t1", "first")]),
        user("r2", "a2", [result("t2", "second")]),
        agent("a3", "r2", [text("done")], "m2"),
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert [r.content for r in imported.trace.steps[1].results] == ["first", "second"]
    assert len(imported.trace.steps) == 3
    assert not notes


def test_a_lost_parent_loses_nothing_else(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "one"),
        agent("a1", "u1", [text("two")]),
        user("u2", "lost", "three"),
        agent("a2", "u2", "4"),
    ]
    assert messages(tmp_path, *rows) == ["one", "two", "three", "4"]


def test_a_lost_parent_of_a_row_between(tmp_path: Path) -> None:
    between = {"type": "progress", "uuid": "p1", "parentUuid": "lost", "data": {}}
    rows = [user("u1", None, "one"), agent("a1", "u1", [text("two")]), between, user("u2", "p1", "three")]
    assert messages(tmp_path, *rows) == ["one", "two", "three"]


def test_a_compaction_and_a_second_session_go_on(tmp_path: Path) -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "content": "compacted",
    }
    rows = [
        user("u1", None, "one"),
        agent("a1", "u1", [text("two")]),
        {**boundary, "logicalParentUuid": "a1"},
        user("u2", "b", "summary", isCompactSummary=True),
        user("u3", None, "resumed", sessionId="s-2"),
        agent("a2", "u3", [text("end")], sessionId="s-2"),
    ]
    assert messages(tmp_path, *rows) == ["one", "two", "summary", "resumed", "end"]
    info = one(tmp_path / "s.jsonl").trace.info
    assert info.task_id == "s-2"
    assert info.meta["sessions"] == ["s-1", "s-2"]


def test_a_compaction_that_names_no_parent(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "one"),
        agent("a1", "u1", [text("two")]),
        user("u2", None, "summary", isCompactSummary=True),
        agent("a2", "u2", [text("end")]),
    ]
    assert messages(tmp_path, *rows) == ["one", "two", "summary", "end"]


def test_rows_without_any_tree_are_taken_in_order(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "one"),
        agent("a1", None, [text("two")]),
        user("u2", None, "three"),
        agent("a2", None, "4"),
    ]
    assert messages(tmp_path, *rows) == ["one", "two", "three", "4"]


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    assert messages(tmp_path, user("u1", "a1", "one"), agent("a1", "u1", "two")) == ["one", "two"]


def side(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "isSidechain": True}


def _with_sub_agents() -> list[dict[str, Any]]:
    return [
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1", "Task", prompt="find A")], "m1"),
        agent("a2", "a1", [use("t2", "Task", prompt="find B")], "m1"),
        side(user("s1", None, "find B")),
        side(user("z1", None, "find A")),
        side(agent("s2", "s1", [use("q1", "Grep")], "n1")),
        side(agent("z2", "z1", [text("A is there")], "n2")),
        side(user("s3", "s2", [result("q1", "hit", error=True)])),
        side(agent("s4", "s3", [text("B is here")], "n3")),
        user("r1", "a1", [result("t1", "A is there")]),
        user("r2", "a2", [result("t2", "B is here")]),
        agent("a3", "r2", [use("t3", "Task", prompt="find C")], "m2"),
        side(user("y1", None, "find C")),
        user("r3", "a3", [result("t3", "no")]),
    ]


def test_sub_agents_are_children_and_count_in_the_parent(tmp_path: Path) -> None:
    parent, b, a, c = (item.trace for item in read(put(tmp_path, "s.jsonl", _with_sub_agents())))
    assert (parent.info.n_messages, parent.info.n_tool_calls, parent.info.n_errors) == (14, 4, 0)
    assert len(parent.steps) == 3
    assert [(t.info.task, t.info.n_messages, t.info.parent_step) for t in (a, b, c)] == [
        ("find A", 2, "a1"),
        ("find B", 4, "a1"),
        ("find C", 1, "a3"),
    ]
    assert {t.info.parent_id for t in (a, b, c)} == {parent.info.trace_id}
    assert len({t.info.trace_id for t in (parent, a, b, c)}) == 4
    assert b.info.n_errors == 1
    assert (parent.info.tokens_in, b.info.tokens_in) == (5 * 110, 2 * 110)


def test_sub_agents_are_told_apart_by_agent_id(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1", "Agent")], "m1"),
        agent("a2", "a1", [use("t2", "Agent")], "m2"),
        {**side(user("s1", "a2", "go")), "agentId": "two"},
        {**side(user("z1", "a1", "go")), "agentId": "one"},
        {**side(agent("s2", "s1", "ok")), "agentId": "two"},
        user("r1", "a1", [result("t1")], toolUseResult={"agentId": "one"}),
        user("r2", "a2", [result("t2")], toolUseResult={"agentId": "two"}),
    ]
    _, two, one_ = (item.trace for item in read(put(tmp_path, "s.jsonl", rows)))
    assert (two.info.meta["agent_id"], two.info.parent_step) == ("two", "a2")
    assert (one_.info.meta["agent_id"], one_.info.parent_step) == ("one", "a1")


def test_an_agent_id_that_stands_in_some_rows_only_is_one_sub_agent(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1", "Task", prompt="go")], "m1"),
        side(user("s1", None, "go")),
        {**side(agent("s2", "s1", [use("q1", "Grep")], "n1")), "agentId": "one"},
        side(user("s3", "s2", [result("q1", "hit")])),
        {**side(agent("s4", "s3", [text("found")], "n2")), "agentId": "one"},
        {**side(user("z1", None, "other")), "agentId": "two"},
        user("r1", "a1", [result("t1", "found")]),
    ]
    _, first, second = (item.trace for item in read(put(tmp_path, "s.jsonl", rows)))
    assert (first.info.n_messages, second.info.n_messages) == (4, 1)


def test_the_session_of_many_sub_agents_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uses = [use(f"t{n}", "Task", prompt=f"do {n}") for n in range(30)]
    put(tmp_path, "s-1.jsonl", [user("u1", None, "x"), agent("a1", "u1", uses, "m1")])
    opened: list[Path] = []

    def counted(path: Path) -> bytes | None:
        opened.append(path)
        return read_beside(path)

    monkeypatch.setattr(agents, "read_beside", counted)
    for n in range(30):
        rows = [{**side(user(f"s{n}", None, f"do {n}")), "agentId": f"q{n}"}]
        child = one(put(tmp_path, f"s-1/subagents/agent-q{n}.jsonl", rows)).trace.info
        assert (bool(child.parent_id), child.parent_step) == (True, "a1")
    assert len(opened) == 1


def test_a_file_of_a_sub_agent_is_a_trace_of_its_own(tmp_path: Path) -> None:
    rows = [
        {**side(user("s1", None, "go")), "agentId": "q"},
        {**side(agent("s2", "s1", "ok")), "agentId": "q"},
    ]
    info = one(put(tmp_path, "agent-q.jsonl", rows)).trace.info
    assert (info.parent_id, info.n_messages) == ("", 2)
    assert (info.meta["agent_id"], info.meta["parent_session"]) == ("q", "s-1")


@pytest.mark.parametrize("where", ["agent-q.jsonl", "s-1/subagents/agent-q.jsonl"])
def test_a_sub_agents_file_is_a_child_of_the_session_near_it(tmp_path: Path, where: str) -> None:
    mine = {"agentId": "q"}
    child = put(
        tmp_path,
        where,
        [{**side(user("s1", None, "find B")), **mine}, {**side(agent("s2", "s1", "ok")), **mine}],
    )
    alone = one(child).trace.info
    rows = [
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1", "Task", prompt="find A")], "m1"),
        agent("a2", "a1", [use("t2", "Task", prompt="find B")], "m2"),
        user("r2", "a2", [result("t2", "B is here")], toolUseResult={"agentId": "q"}),
    ]
    (parent,) = (item.trace for item in read(put(tmp_path, "s-1.jsonl", rows)))
    near = one(child).trace
    assert (alone.parent_id, alone.trace_id) == ("", near.info.trace_id)
    assert (near.info.parent_id, near.info.parent_step) == (parent.info.trace_id, "a2")
    assert parent.info.n_messages == 4
    assert len(json.loads(near.raw)) == 2


def _progress(uuid: str, kind: str, content: Any) -> dict[str, Any]:
    message = {"type": kind, "uuid": uuid, "message": {"role": kind, "content": content}}
    data = {"type": "agent_progress", "agentId": "q", "message": message}
    return {"type": "progress", "uuid": f"p{uuid}", "sessionId": "s-1", "parentToolUseID": "t1", "data": data}


def test_what_progress_tells_of_a_sub_agent_without_a_file(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1", "Task", prompt="find A")], "m1"),
        _progress("q1", "user", "find A"),
        _progress("q2", "assistant", [use("g1", "Grep")]),
        _progress("q2", "assistant", [use("g1", "Grep")]),
        _progress("q3", "user", [result("g1", "hit")]),
        user("r1", "a1", [result("t1", "A is there")]),
    ]
    path = put(tmp_path, "s-1.jsonl", rows)
    parent, child = (item.trace for item in read(path))
    assert (parent.info.n_messages, len(parent.steps)) == (3, 2)
    assert (child.info.task, child.info.n_messages, child.info.n_tool_calls) == ("find A", 3, 1)
    assert (child.info.parent_id, child.info.parent_step) == (parent.info.trace_id, "a1")
    assert child.steps[1].results[0].content == "hit"
    put(tmp_path, "s-1/subagents/agent-q.jsonl", [{**side(user("s1", None, "find A")), "agentId": "q"}])
    assert len(read(path)) == 1


def test_a_child_that_grew_is_the_same_trace(tmp_path: Path) -> None:
    rows = _with_sub_agents()
    old = {item.trace.info.task: item.trace for item in read(put(tmp_path, "s.jsonl", rows[:8]))}
    new = {item.trace.info.task: item.trace for item in read(put(tmp_path, "s.jsonl", rows))}
    for task in ("x", "find A", "find B"):
        assert old[task].info.trace_id == new[task].info.trace_id
        assert new[task].records.startswith(old[task].records)


def test_a_long_session_takes_linear_time(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [user("u", None, "x")]
    for n in range(5000):
        rows.append(agent(f"a{n}", rows[-1]["uuid"], [use(f"t{n}")], f"m{n}"))
        rows.append(user(f"r{n}", f"a{n}", [result(f"t{n}")]))
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert imported.trace.info.n_steps == 5001
    assert not reasons(notes)
