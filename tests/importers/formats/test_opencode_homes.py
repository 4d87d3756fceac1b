"""opencode sessions in their homes: an export, events, runs, folders, a database; children with parents."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import find, open_source
from tests.importers.opencode_talk import (
    INFO,
    TALK,
    Rows,
    S,
    agent,
    base,
    event,
    exported,
    finish,
    hooks,
    info,
    part,
    stored,
    text,
    tool,
)
from tests.importers.reading import one, put, read, read_all, reasons


def test_a_session_is_the_same_wherever_it_is_stored(tmp_path: Path) -> None:
    paths = [
        exported(tmp_path, *TALK),
        put(tmp_path, "h.jsonl", hooks(TALK)),
        stored(tmp_path, TALK),
        base(tmp_path, (INFO, TALK)),
        put(tmp_path, "rows.json", [{"info": message, "parts": parts} for message, parts in TALK]),
    ]
    found = [one(path).trace for path in paths]
    assert {open_source(path)[0].FORMAT for path in paths} == {"opencode"}
    assert len({item.info.trace_id for item in found}) == 1
    assert all(item.steps == found[0].steps and item.records == found[0].records for item in found)
    for item in found:
        assert json.loads(item.raw)
        about = item.info
        assert (about.n_messages, about.n_tool_calls, about.n_errors, about.task) == (3, 3, 1, "do it")
        assert (about.tokens_in, about.tokens_out, about.cost) == (111, 7, 0.5)
        assert (about.model, about.task_id, about.ended) == ("m-1", S, "unknown")


def test_deltas_add_up_and_a_repeated_part_counts_once(tmp_path: Path) -> None:
    def delta(words: str) -> Any:
        return event("message.part.delta", messageID="msg_2", partID="p1", field="text", delta=words)

    rows = [
        event("message.updated", info=info("msg_2", "assistant")),
        event("message.part.updated", part=text("p1", "msg_2", "")),
        delta("one "),
        delta("two"),
        event("message.part.updated", part=text("p2", "msg_2", "x")),
        event("message.part.updated", part=text("p2", "msg_2", "three")),
        delta(" and"),
        event("message.part.removed", messageID="msg_2", partID="p2"),
        event("session.error", sessionID=S, error={"name": "UnknownError", "data": {"message": "why"}}),
    ]
    found = one(put(tmp_path, "h.jsonl", rows)).trace
    assert [step.message for step in found.steps] == ["one two and", "why"]
    assert (found.info.ended, found.info.n_messages) == ("error", 1)


def test_a_message_known_from_its_hook_only(tmp_path: Path) -> None:
    asked = {"message": info("msg_1", "user"), "parts": [text("p1", "msg_1", "do it")]}
    rows = [["chat.message", {"sessionID": S}, asked], ["tool.definition", {"toolID": "x"}, {}]]
    found = one(put(tmp_path, "h.jsonl", rows)).trace
    assert (found.info.task, found.info.n_messages) == ("do it", 1)


@pytest.mark.parametrize(
    "wrap", [lambda e: e, lambda e: {"event": e}, lambda e: {"directory": "/x", "payload": e}]
)
def test_events_are_read_however_they_are_wrapped(tmp_path: Path, wrap: Any) -> None:
    rows = [wrap(row[1]["event"]) for row in hooks(TALK)]
    assert one(put(tmp_path, "h.jsonl", rows)).trace.info.n_tool_calls == 3


def test_the_lines_of_a_run(tmp_path: Path) -> None:
    def line(kind: str, held: Any) -> dict[str, Any]:
        return {"type": kind, "timestamp": 1772000001000, "sessionID": S, "part": held}

    rows = [
        line("step_start", part("p1", "msg_2", "step-start")),
        line("text", text("p2", "msg_2", "hi")),
        line("tool_use", tool("p3", "msg_2", output="ok")),
        line("step_finish", finish("p4", "msg_2")),
        {
            "type": "error",
            "timestamp": 1,
            "sessionID": S,
            "error": {"name": "APIError", "data": {"message": "why"}},
        },
    ]
    found = one(put(tmp_path, "r.jsonl", rows)).trace
    assert (found.info.format, found.info.n_messages, found.info.n_tool_calls) == ("opencode", 1, 1)
    assert [step.message for step in found.steps] == ["hi", "why"]
    assert (found.info.ended, found.info.cost) == ("error", 0.5)


CHILD = {**INFO, "id": "ses_2", "parentID": S}
BELOW: Rows = [(info("msg_8", "user", sessionID="ses_2"), [text("prt_1", "msg_8", "look")])]
STARTING: Rows = [TALK[0], agent(tool("p1", "msg_2", output="seen", metadata={"sessionId": "ses_2"}))]


@pytest.mark.parametrize("way", ["hooks", "base"])
def test_a_child_follows_its_parent_and_counts_in_it(tmp_path: Path, way: str) -> None:
    if way == "base":
        path = base(tmp_path, (CHILD, BELOW), (INFO, STARTING))
    else:
        path = put(tmp_path, "h.jsonl", [*hooks(BELOW, CHILD), *hooks(STARTING)])
    parent, child = (item.trace for item in read(path))
    assert (child.info.task_id, child.info.parent_id, child.info.parent_step) == (
        "ses_2",
        parent.info.trace_id,
        "msg_2",
    )
    assert (parent.info.n_messages, child.info.n_messages) == (3, 1)


def test_in_the_folders_a_session_file_is_the_trace_and_the_rest_are_none(tmp_path: Path) -> None:
    stored(tmp_path, STARTING)
    child = one(stored(tmp_path, BELOW, CHILD)).trace
    traces = []
    for file in find([tmp_path]).files:
        try:
            importer, source = open_source(file.path)
            traces += [item.trace.info for item in importer.read(source)]
        except NotATrace:
            continue
    assert [about.task_id for about in traces] == [S, "ses_2"]
    assert traces[1].parent_id == traces[0].trace_id == child.info.parent_id
    assert traces[1].parent_step == "msg_2"
    assert "do it" in one(tmp_path / "storage/session/p/ses_1.json").trace.raw


def test_a_session_file_is_known_whatever_its_id_looks_like(tmp_path: Path) -> None:
    about = {**INFO, "id": "s_7", "projectID": "p", "parentID": None}
    path = stored(tmp_path, TALK, about)
    assert one(path.rename(path.with_name("ses_s_7.json"))).trace.info.task_id == "s_7"


def test_the_older_layout_of_folders(tmp_path: Path) -> None:
    home = "project/x/storage/session"
    for message, parts in TALK:
        put(tmp_path, f"{home}/message/{S}/{message['id']}.json", message)
        for item in parts:
            put(tmp_path, f"{home}/part/{S}/{message['id']}/{item['id']}.json", item)
    assert one(put(tmp_path, f"{home}/info/{S}.json", INFO)).trace.info.n_tool_calls == 3


def test_a_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = base(tmp_path, (INFO, TALK))
    before = path.read_bytes()
    path.chmod(0o400)
    read(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["opencode.db"]


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    path = base(tmp_path, (INFO, TALK))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE part SET data = 'x{' WHERE id = 'prt_5'")
        db.execute("UPDATE message SET data = x'00ff' WHERE id = 'msg_3'")
    db.close()
    (imported,), notes = read_all(path)
    assert (imported.trace.info.n_messages, imported.trace.info.n_tool_calls) == (2, 2)
    assert "part whose data" in reasons(notes)
    assert "message whose data" in reasons(notes)
    file = stored(tmp_path, TALK)
    (tmp_path / "storage/part/msg_2/prt_4.json").write_text("{")
    (imported,), notes = read_all(file)
    assert imported.trace.info.n_tool_calls == 3
    assert "prt_4.json is skipped" in reasons(notes)
    rows = [(info("msg_1", "robot"), [7, {"type": "odd"}, None]), (info("msg_1", "user"), [])]
    (imported,), notes = read_all(exported(tmp_path, *rows))
    assert len({step.stable_id for step in imported.trace.steps}) == len(imported.trace.steps) == 2
    assert "unknown part type 'odd'" in reasons(notes)


def test_a_session_without_a_message_is_no_trace(tmp_path: Path) -> None:
    importer, source = open_source(stored(tmp_path, []))
    with pytest.raises(NotATrace):
        list(importer.read(source))
