"""opencode sessions: requests as steps, calls and results, errors, what nobody typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.importers.opencode_talk import (
    INFO,
    TALK,
    agent,
    exported,
    finish,
    info,
    part,
    text,
    tool,
    trace,
)
from tests.importers.reading import read_all, reasons


def test_a_step_holds_words_thoughts_calls_and_results(tmp_path: Path) -> None:
    step = trace(tmp_path, *TALK).steps[1]
    assert (step.message, step.reasoning, step.seconds) == ("Look.", "hm", 3.5)
    assert [(r.content, r.call_id, r.error, r.exit_code) for r in step.results] == [
        ("a.txt", "c-prt_5", False, None),
        ("no", "c-prt_6", True, 2),
        ("not found", "c-prt_7", True, None),
    ]


def test_a_message_of_several_requests_is_several_steps(tmp_path: Path) -> None:
    parts = [
        part("p1", "msg_2", "step-start"),
        tool("p2", "msg_2", output="one", metadata={"sessionId": "ses_x"}),
        finish("p3", "msg_2"),
        part("p4", "msg_2", "step-start"),
        text("p5", "msg_2", "two"),
        finish("p6", "msg_2"),
    ]
    found = trace(tmp_path, TALK[0], agent(*parts))
    assert [step.stable_id for step in found.steps] == ["msg_1", "msg_2", "p4"]
    assert (found.info.n_messages, found.info.cost) == (2, 1.0)
    assert found.steps[1].extra["sessions"] == ["ses_x"]


def test_a_call_that_never_ended_has_no_result(tmp_path: Path) -> None:
    found = trace(tmp_path, TALK[0], agent(tool("p1", "msg_2", "running")))
    assert (found.info.n_tool_calls, found.steps[1].results) == (1, ())
    assert found.steps[1].extra == {"status of c-p1": "running"}


@pytest.mark.parametrize(
    "words",
    ["The user rejected permission to use this specific tool call.", "Tool execution aborted"],
)
def test_a_rejected_call_is_no_error(tmp_path: Path, words: str) -> None:
    found = trace(tmp_path, TALK[0], agent(tool("p1", "msg_2", "error", error=words)))
    assert found.steps[1].results[0].denied
    assert found.info.n_errors == 0


@pytest.mark.parametrize(
    ("more", "ended", "fault"),
    [
        ({"error": {"name": "MessageAbortedError", "data": {"message": "why"}}}, "user_stop", False),
        ({"error": {"name": "APIError", "data": {"message": "why"}}}, "error", True),
        ({"error": {"name": "MessageOutputLengthError", "data": {}}}, "limit", True),
        ({"finish": "length"}, "limit", False),
        ({"finish": "content-filter"}, "refused", False),
        ({"finish": "stop"}, "unknown", False),
    ],
)
def test_how_a_session_ends(tmp_path: Path, more: Any, ended: str, fault: bool) -> None:
    found = trace(tmp_path, TALK[0], agent(text("p1", "msg_2", "x"), **more))
    assert (found.info.ended, found.steps[1].fault) == (ended, fault)


def test_a_failed_request_without_words_is_a_notice(tmp_path: Path) -> None:
    error = {"name": "APIError", "data": {"message": "why"}}
    step = trace(tmp_path, TALK[0], agent(error=error)).steps[1]
    assert (step.source, step.kind, step.message, step.fault) == ("system", "notice", "why", True)


def test_what_nobody_typed_is_marked(tmp_path: Path) -> None:
    parts = [text("p1", "msg_1", "Called the Read tool", synthetic=True), text("p2", "msg_1", "do it")]
    found = trace(tmp_path, (info("msg_1", "user"), parts), (info("msg_9", "user"), [parts[0]]))
    assert [(step.kind, step.message, step.stable_id) for step in found.steps] == [
        ("injected", "Called the Read tool", "msg_1#context"),
        ("", "do it", "msg_1"),
        ("injected", "Called the Read tool", "msg_9"),
    ]
    assert found.info.task == "do it"


def test_summaries_are_compactions(tmp_path: Path) -> None:
    asked = (info("msg_1", "user"), [part("p1", "msg_1", "compaction", auto=True)])
    found = trace(tmp_path, TALK[0], asked, agent(text("p2", "msg_2", "so far"), summary=True))
    assert [step.kind for step in found.steps] == ["", "compaction", "compaction"]


def test_a_picture_is_named(tmp_path: Path) -> None:
    picture = part("p2", "msg_1", "file", mime="image/png", url="data:image/png;base64,aaaa")
    found = trace(tmp_path, (info("msg_1", "user"), [text("p1", "msg_1", "see"), picture]))
    assert found.steps[0].message == "see\n\n[image/png 61be55a8, 3 B]"


def test_what_was_taken_back_is_not_shown(tmp_path: Path) -> None:
    (imported,), notes = read_all(exported(tmp_path, *TALK, about={**INFO, "revert": {"messageID": "msg_3"}}))
    assert len(imported.trace.steps) == 2
    assert imported.trace.info.n_messages == 3
    assert "taken back" in reasons(notes)


def test_a_session_that_grows_keeps_its_id(tmp_path: Path) -> None:
    before, after = trace(tmp_path, *TALK[:2]), trace(tmp_path, *TALK)
    assert before.info.trace_id == after.info.trace_id
    assert before.info.content_hash != after.info.content_hash
    assert after.records.startswith(before.records)
