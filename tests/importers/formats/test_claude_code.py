"""Claude Code sessions: joined lines, paired results, marks of what nobody said, growth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from reviewer.importers.formats import claude_code
from reviewer.importers.opening.decode import decode
from tests.importers.reading import one, put, read, read_all, reasons
from tests.importers.session import agent, result, text, use, user


def trace(folder: Path, *rows: Any) -> Any:
    return one(put(folder, "s.jsonl", rows)).trace


def test_lines_of_one_message_and_their_results_are_one_step(tmp_path: Path) -> None:
    found = trace(
        tmp_path,
        user("u1", None, "do it"),
        agent("a1", "u1", [{"type": "thinking", "thinking": "hm", "signature": "x"}], "m1"),
        agent("a2", "a1", [text("Two looks.")], "m1"),
        agent("a3", "a2", [use("t1", command="ls")], "m1"),
        user("r1", "a3", [result("t1", "a.txt")]),
        agent("a4", "r1", [use("t2", command="false")], "m1"),
        user("r2", "a4", [result("t2", "Exit code 1\nboom", error=True)]),
        agent("a5", "r2", [text("Done.")], "m2"),
    )
    first, second, third = found.steps
    assert (first.source, second.source, third.message) == ("user", "agent", "Done.")
    assert (second.reasoning, second.message) == ("hm", "Two looks.")
    assert [(r.call_id, r.error, r.exit_code) for r in second.results] == [
        ("t1", False, None),
        ("t2", True, 1),
    ]
    assert second.source_ids == ("a1", "a2", "a3", "r1", "a4", "r2")
    assert (found.info.tokens_in, found.info.tokens_out) == (220, 10)
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.n_errors) == (8, 2, 1)
    assert (found.info.task, found.info.task_id, found.info.model) == ("do it", "s-1", "model-1")


def test_results_without_ids_are_paired_by_order(tmp_path: Path) -> None:
    call = {"type": "tool_use", "name": "Bash", "input": {}}
    back = {"type": "tool_result", "content": "one"}
    found = trace(
        tmp_path, user("u1", None, "x"), agent("a1", "u1", [call, call]), user("r1", "a1", [back, back])
    )
    assert len(found.steps) == 2
    assert len(found.steps[1].results) == 2


def test_a_result_without_its_call_is_still_shown(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "x"),
        user("r1", "u1", [result("gone", "lost words")]),
        agent("a1", "r1", [text("y")]),
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert imported.trace.steps[1].results[0].content == "lost words"
    assert "call is not in the file" in reasons(notes)


def test_doubles_are_counted_once(tmp_path: Path) -> None:
    rows = [user("u1", None, "one"), agent("a1", "u1", [text("two")], "m1"), user("u2", "a1", "three")]
    twice = [copy for row in rows for copy in (row, {**row, "forkedFrom": {"sessionId": "old"}})]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", twice))
    info = imported.trace.info
    assert (info.n_messages, info.tokens_in, info.n_steps) == (3, 110, 3)
    (note,) = notes
    assert "duplicate" in note.reason
    assert note.count == 3


def test_a_denied_call_is_no_error(tmp_path: Path) -> None:
    no = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    found = trace(
        tmp_path,
        user("u1", None, "x"),
        agent("a1", "u1", [use("t1")]),
        user("r1", "a1", [result("t1", no, error=True)]),
        user("u2", "r1", [text("[Request interrupted by user for tool use]")]),
    )
    assert found.steps[1].results[0].denied
    assert found.info.n_errors == 0
    assert found.info.ended == "user_stop"


@pytest.mark.parametrize(
    ("content", "more", "kind"),
    [
        ("words", {"isMeta": True}, "injected"),
        ("<command-name>/mcp</command-name>", {}, "injected"),
        ("<local-command-stdout>x</local-command-stdout>", {}, "injected"),
        ("Caveat: The messages below were generated", {}, "injected"),
        ("<system-reminder>x</system-reminder>", {}, "injected"),
        ("This session is being continued", {"isCompactSummary": True}, "compaction"),
        ("words", {}, ""),
    ],
)
def test_what_nobody_said_is_marked_and_is_not_the_task(
    tmp_path: Path, content: str, more: Any, kind: str
) -> None:
    found = trace(
        tmp_path, user("u1", None, content, **more), user("u2", "u1", "the task"), agent("a", "u2", "ok")
    )
    assert found.steps[0].kind == kind
    assert found.info.task == ("words" if kind == "" else "the task")


def test_an_api_error_is_a_fault_and_no_model_turn(tmp_path: Path) -> None:
    failed = agent(
        "a1", "u1", [text("API Error: 529")], "m1", isApiErrorMessage=True, message={"model": "<synthetic>"}
    )
    found = trace(tmp_path, user("u1", None, "x"), failed)
    assert (found.steps[1].source, found.steps[1].kind, found.steps[1].fault) == ("system", "notice", True)
    assert (found.info.ended, found.info.model) == ("error", "")


def test_pictures_are_named_not_shown(tmp_path: Path) -> None:
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 500_000},
    }
    found = trace(
        tmp_path,
        user("u1", None, [image, text("what is this?")]),
        agent("a1", "u1", [use("t1")]),
        user("r1", "a1", [result("t1", [image])]),
    )
    assert found.steps[0].message == "[image/png 2afd36fb, 1.5 MB]\nwhat is this?"
    assert found.steps[1].results[0].content == "[image/png 2afd36fb, 1.5 MB]"
    assert "QUJDQUJD" not in repr(found.steps)


def test_unknown_kinds_are_named_once_with_a_count(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "x"),
        {"type": "telepathy", "uuid": "t1", "parentUuid": "u1"},
        {"type": "telepathy", "uuid": "t2", "parentUuid": "t1"},
        agent("a1", "t2", [{"type": "hologram", "of": "a cat"}]),
        5,
    ]
    (imported,), notes = read_all(put(tmp_path, "s.jsonl", rows))
    assert "a cat" in imported.trace.steps[1].message
    assert {note.count for note in notes if "telepathy" in note.reason} == {2}
    assert "hologram" in reasons(notes)
    assert "a number" in reasons(notes)


def test_a_queued_prompt_is_shown(tmp_path: Path) -> None:
    queued = {
        "type": "attachment",
        "timestamp": "",
        "attachment": {"type": "queued_command", "prompt": "and tests"},
    }
    found = trace(tmp_path, user("u1", None, "x"), queued, agent("a1", "u1", [text("y")]))
    assert [step.message for step in found.steps] == ["x", "and tests", "y"]
    assert found.info.n_messages == 2


def test_a_session_that_grew_is_the_same_trace(tmp_path: Path) -> None:
    rows = [user("u1", None, "one"), agent("a1", "u1", [text("two")], "m1")]
    more = [*rows, user("u2", "a1", "three"), agent("a2", "u2", [text("four")], "m2")]
    old, new = trace(tmp_path, *rows), trace(tmp_path, *more)
    assert old.info.trace_id == new.info.trace_id
    assert old.info.content_hash != new.info.content_hash
    assert new.records.startswith(old.records)
    assert len(new.records) == 8 * 4
    assert [s.stable_id for s in new.steps][: len(old.steps)] == [s.stable_id for s in old.steps]
    other = trace(tmp_path, {**rows[0], "sessionId": "s-2"}, *more[1:])
    assert other.info.trace_id != new.info.trace_id


def test_a_line_that_was_cut_and_is_completed_later(tmp_path: Path) -> None:
    rows = [json.dumps(user("u1", None, "one")), json.dumps(agent("a1", "u1", [text("two")]))]
    path = tmp_path / "s.jsonl"
    path.write_text(f"{rows[0]}\n{rows[1][:80]}", encoding="utf-8")
    cut = one(path).trace
    path.write_text("\n".join(rows), encoding="utf-8")
    whole = one(path).trace
    assert cut.info.trace_id == whole.info.trace_id
    assert cut.info.content_hash != whole.info.content_hash
    assert whole.records.startswith(cut.records)


def test_one_row_one_list_and_a_web_export_are_sessions_too(tmp_path: Path) -> None:
    row = user("u1", None, "only")
    for value in (row, [row], {"loglines": [row]}):
        found = one(put(tmp_path, "s.json", value)).trace
        assert (found.info.format, found.info.n_messages, found.info.task) == ("claude_code", 1, "only")
        assert json.loads(found.raw) == value


@pytest.mark.parametrize(
    "row",
    [
        {"type": "system", "subtype": "init", "session_id": "x"},
        {"type": "result", "subtype": "success", "is_error": False},
        {"type": "system", "systemPayload": {}},
        {"type": "user", "message": {"parts": [], "content": "x"}},
    ],
)
def test_relatives_are_left_alone(tmp_path: Path, row: Any) -> None:
    path = put(tmp_path, "s.jsonl", [user("u1", None, "x"), row])
    assert not claude_code.sniff(decode(path, path.read_bytes()))


def test_what_an_error_of_the_provider_is_called(tmp_path: Path) -> None:
    failed = agent(
        "a1", "u1", [text("Login expired")], error="authentication_failed", message={"model": "<synthetic>"}
    )
    (told,) = (step for step in trace(tmp_path, user("u1", None, "x"), failed).steps if step.kind == "notice")
    assert told.fault


@pytest.mark.parametrize(
    "rows",
    [
        [{"type": "started", "agentId": "q"}, {"type": "result", "agentId": "q"}],
        [
            {
                "type": "system",
                "subtype": "x",
                "uuid": "s",
                "parentUuid": None,
                "sessionId": "s",
                "userType": "external",
            }
        ],
        [{"type": "agent-name", "agentName": "x"}],
    ],
)
def test_files_without_a_message_lie_beside_sessions(tmp_path: Path, rows: Any) -> None:
    with pytest.raises(NotATrace, match="without a message"):
        open_source(put(tmp_path, "s.jsonl", rows))


def test_a_session_without_a_message(tmp_path: Path) -> None:
    rows = [{"type": "summary", "summary": "x"}, {"type": "file-history-snapshot", "snapshot": {}}]
    path = put(tmp_path, "s.jsonl", rows)
    with pytest.raises(NotATrace, match="without a message"):
        open_source(path)
    with pytest.raises(InputError, match="without a message"):
        read_all(path, "claude-code")


def test_commands_that_the_agent_never_saw_are_no_task(tmp_path: Path) -> None:
    caveat = user("u1", None, "<local-command-caveat>Caveat: …</local-command-caveat>", isMeta=True)
    command = user("u2", "u1", "<command-name>/init</command-name>")
    shown = user("u3", "u2", "<local-command-stdout>42 %</local-command-stdout>")
    assert trace(tmp_path, caveat, command, shown).info.task == ""
    assert (
        trace(tmp_path, caveat, command, agent("a1", "u2", [text("Done.")])).info.task
        == command["message"]["content"]
    )


def test_a_parent_that_is_left_out_begins_a_sub_agent(tmp_path: Path) -> None:
    def side(uuid: str, parent: str | None) -> Any:
        made = agent(uuid, parent, [text(uuid)], isSidechain=True)
        return made if parent else {key: item for key, item in made.items() if key != "parentUuid"}

    main = [user("u1", None, "Go"), agent("a1", "u1", [use("c1", "Task"), use("c2", "Task")])]
    rows = [*main, side("s1", None), side("s2", "s1"), side("t1", None), side("t2", "t1")]
    found = read(put(tmp_path, "x.jsonl", rows))
    assert [len(item.trace.steps) for item in found] == [2, 2, 2]
    bare = [*main, side("s1", None), side("t1", None)]
    assert len(read(put(tmp_path, "x.jsonl", bare))) == 2
