"""Smaller command-line agents: how each dialect writes calls, results, reasoning and what nobody typed."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import Imported, NotATrace
from reviewer.importers.finding.files import open_source
from reviewer.trace import Trace
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

FOLDER = SAMPLES / "other_cli"


def _read(tmp_path: Path, rows: Any, name: str = "a.jsonl") -> Trace:
    path = put(tmp_path, name, rows)
    assert open_source(path)[0].FORMAT == "other_cli"
    return one(path).trace


def test_gptme_writes_calls_into_its_words_and_answers_as_the_system() -> None:
    trace = one(FOLDER / "gptme_seed-list.jsonl").trace
    assert [step.source for step in trace.steps] == ["system", "user", "agent", "agent", "agent"]
    look = trace.steps[2]
    assert look.calls[0].name == "shell"
    assert look.calls[0].arguments == {"command": "head -5 seeds.csv"}
    assert look.results[0].call_id == "call-1a"
    assert look.source_ids == ("#2", "#3")
    assert trace.steps[1].extra == {"files": ["seeds.csv"]}
    info = trace.info
    assert (info.agent, info.model, info.tokens_in, info.n_messages) == (
        "gptme",
        "brook/brook-large",
        3010,
        7,
    )
    assert info.cost == pytest.approx(0.0069)


def test_vibe(tmp_path: Path) -> None:
    call = {"id": "c1", "index": 0, "function": {"name": "read_file", "arguments": {"path": "a.md"}}}
    trace = _read(
        tmp_path,
        [
            {"role": "user", "content": "Note from the program.", "message_id": "m0", "injected": True},
            {"role": "user", "content": "Read a.md", "message_id": "m1"},
            {
                "role": "assistant",
                "content": "",
                "message_id": "m2",
                "tool_calls": [call],
                "reasoning_content": "Hm.",
            },
            {
                "role": "tool",
                "content": "text",
                "name": "read_file",
                "tool_call_id": "c1",
                "message_id": "m3",
            },
        ],
    )
    assert trace.steps[0].kind == "injected"
    assert trace.info.task == "Read a.md"
    step = trace.steps[2]
    assert (step.reasoning, step.source_ids) == ("Hm.", ("m2", "m3"))
    assert step.calls[0].arguments == {"path": "a.md"}
    assert step.results[0].content == "text"


VIBE: list[dict[str, Any]] = [
    {"role": "user", "content": "Read a.md", "message_id": "m1"},
    {
        "role": "assistant",
        "content": "",
        "message_id": "m2",
        "tool_calls": [{"id": "c1", "function": {"name": "read_file", "arguments": "{}"}}],
    },
    {"role": "tool", "content": "<tool_error>gone</tool_error>", "tool_call_id": "c1", "message_id": "m3"},
]
VIBE_META = {
    "session_id": "s-1",
    "start_time": "2026-01-02T03:04:05",
    "end_time": "2026-01-02T03:05:05",
    "environment": {"working_directory": "/w"},
    "agent_config": {"active_model": "brook", "models": [{"alias": "brook", "name": "brook-large"}]},
    "stats": {"session_prompt_tokens": 70, "session_completion_tokens": 5},
}


def test_vibe_says_in_another_file_what_it_ran_with(tmp_path: Path) -> None:
    alone = one(put(tmp_path, "b/messages.jsonl", VIBE)).trace
    meta = put(tmp_path, "a/meta.json", VIBE_META)
    trace = one(put(tmp_path, "a/messages.jsonl", VIBE)).trace
    info = trace.info
    assert (info.model, info.tokens_in, info.tokens_out, info.seconds) == ("brook-large", 70, 5, 60.0)
    assert (info.meta["session_id"], info.meta["cwd"]) == ("s-1", "/w")
    assert (info.trace_id, alone.info.model) == (alone.info.trace_id, "")
    assert trace.steps[1].results[0].error
    with pytest.raises(NotATrace, match="what Vibe knows of a session"):
        open_source(meta)
    meta.write_text("{damaged")
    assert one(tmp_path / "a" / "messages.jsonl").trace.info.model == ""


def test_vibe_in_one_object_and_a_call_that_a_person_did_not_let_run(tmp_path: Path) -> None:
    talk = [{key: item for key, item in row.items() if key != "message_id"} for row in VIBE]
    talk[2]["content"] = "<user_cancellation>No.</user_cancellation>"
    trace = one(put(tmp_path, "session_1.json", {"metadata": VIBE_META, "messages": talk})).trace
    assert (trace.info.agent, trace.info.model, trace.info.task) == (
        "Mistral Vibe",
        "brook-large",
        "Read a.md",
    )
    result = trace.steps[1].results[0]
    assert (result.error, result.denied) == (False, True)


@pytest.mark.parametrize(
    ("content", "error", "code"),
    [
        ('{"output": "x", "exit_code": 2, "error": null}', True, 2),
        ('{"output": "x", "exit_code": 0, "error": null}', False, 0),
        ('{"success": false, "error": "gone"}', True, None),
        ("{no JSON", False, None),
    ],
)
def test_hermes_says_in_a_result_whether_it_failed(
    tmp_path: Path, content: str, error: bool, code: int | None
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "terminal", "arguments": "{}"}}
    talk = [
        {"role": "user", "content": "Show it"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": content},
    ]
    value = {"session_id": "h", "platform": "cli", "session_start": "2026-01-02T03:04:05", "messages": talk}
    (result,) = one(put(tmp_path, "a.json", value)).trace.steps[1].results
    assert (result.content, result.error, result.exit_code) == (content, error, code)


def test_devin_is_a_chain_of_nodes(tmp_path: Path) -> None:
    nodes = [
        {"message_id": "a", "role": "user", "content": "Be brief.", "metadata": {"is_user_input": False}},
        {
            "message_id": "b",
            "role": "user",
            "content": [{"type": "text", "text": "Mend it."}],
            "metadata": {},
        },
        {
            "message_id": "c",
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "t", "kind": "function", "name": "read_file", "arguments": {"path": "a"}}],
            "metadata": {"cost": 3},
        },
        {"message_id": "d", "role": "tool", "tool_call_id": "t", "content": "text", "metadata": {}},
    ]
    session = {"id": "otter", "model": "brook-large", "working_directory": "/w"}
    trace = one(put(tmp_path, "x.json", {"session": session, "nodes": nodes})).trace
    info = trace.info
    assert (info.agent, info.model, info.task) == ("Devin", "brook-large", "Mend it.")
    assert (info.n_messages, info.n_tool_calls) == (4, 1)
    assert [(step.kind, step.source_ids) for step in trace.steps] == [
        ("injected", ("a",)),
        ("", ("b",)),
        ("", ("c", "d")),
    ]
    assert dict(trace.steps[2].extra) == {"cost": 3}


def test_hermes_is_one_object() -> None:
    trace = one(FOLDER / "hermes_session.json").trace
    assert [step.source for step in trace.steps] == ["system", "user", "agent", "agent"]
    assert trace.steps[2].reasoning == "ss shows listeners."  # which stands there twice
    assert trace.info.meta["session_id"] == "20260502_hermes"
    assert (trace.info.seconds, trace.info.n_messages, trace.info.n_tool_calls) == (31.0, 5, 1)


@pytest.mark.parametrize("error", [True, False, "no such file"])
def test_hermes_says_which_result_failed(tmp_path: Path, error: Any) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "cat", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Show it"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "no", "error": error},
    ]
    value = {
        "session_id": "h",
        "platform": "cli",
        "session_start": "2026-01-02T03:04:05",
        "messages": messages,
    }
    step = one(put(tmp_path, "a.json", value)).trace.steps[1]
    assert step.results[0].error is (error is True)
    assert ("no such file" in str(step.extra)) is (error == "no such file")


def test_grok_reasons_before_it_answers() -> None:
    trace = one(FOLDER / "grok_chat_history.jsonl").trace
    context, ask = trace.steps[1], trace.steps[2]
    assert (context.kind, ask.kind) == ("injected", "")
    assert trace.info.task == "Why does tidewatch print the tide in feet?"
    step = trace.steps[3]
    assert step.reasoning == "The unit must be set somewhere.\nSearch for feet."
    assert step.source_ids[0] == "rs_01"
    assert [call.name for call in step.calls] == ["grep", "read_file", "web_search"]
    assert [result.call_id for result in step.results] == ["call-02", "call-01"]  # as they came back
    assert trace.info.n_tool_calls == 3


def test_grok_reasoning_that_leads_to_nothing_is_a_step(tmp_path: Path) -> None:
    trace = _read(
        tmp_path,
        [
            {"type": "user", "content": "Hi", "prompt_index": 0},
            {"type": "reasoning", "id": "r1", "summary": [{"text": "Hm."}]},
            {"type": "user", "content": "Still there?", "prompt_index": 1},
            {"type": "reasoning", "id": "r2", "summary": [{"text": "Oh."}]},
        ],
    )
    assert [(step.source, step.reasoning) for step in trace.steps] == [
        ("user", ""),
        ("agent", "Hm."),
        ("user", ""),
        ("agent", "Oh."),
    ]


def test_qwen_has_parts_and_says_what_failed() -> None:
    trace = one(FOLDER / "qwen_session.jsonl").trace
    step = next(step for step in trace.steps if step.calls)
    assert step.reasoning == "Compare both against the sensor."
    assert [result.error for result in step.results] == [False, True]
    assert [step.kind for step in trace.steps if step.source == "system"] == ["notice", "compaction"]
    assert trace.info.n_messages == 8  # the telemetry that is not shown among them
    assert (trace.info.tokens_in, trace.info.tokens_out) == (1160, 75)


def test_qwen_denied(tmp_path: Path) -> None:
    row = {"uuid": "u", "parentUuid": None, "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z"}
    call = {"functionCall": {"id": "c", "name": "run_shell_command", "args": {"command": "rm -r ."}}}
    back = {"functionResponse": {"id": "c", "response": {"error": "The user said no."}}}
    trace = _read(
        tmp_path,
        [
            {**row, "type": "user", "message": {"role": "user", "parts": [{"text": "Clean up."}]}},
            {**row, "uuid": "v", "type": "assistant", "message": {"role": "model", "parts": [call]}},
            {
                **row,
                "type": "tool_result",
                "message": {"parts": [back]},
                "toolCallResult": {"status": "cancelled"},
            },
        ],
    )
    result = trace.steps[1].results[0]
    assert (result.denied, result.error) == (True, False)
    assert trace.steps[1].source_ids == ("v", "#2")  # the id of the first row, once more


def test_iflow_writes_a_call_again_until_it_is_answered() -> None:
    trace = one(FOLDER / "iflow_session.jsonl").trace
    assert [len(step.calls) for step in trace.steps] == [0, 2, 1, 0]
    first = trace.steps[1]
    assert [result.call_id for result in first.results] == ["c-1", "c-2"]
    assert [result.error for result in first.results] == [False, True]
    assert trace.steps[2].results[0].content == "File modified"
    assert trace.info.n_tool_calls == 5  # as they stand in the file
    assert (trace.info.task_id, trace.info.agent) == ("session-0f9e", "iFlow")


def test_cursor_calls_have_no_id(tmp_path: Path) -> None:
    def said(role: str, *blocks: Any) -> dict[str, Any]:
        return {"role": role, "message": {"content": list(blocks)}}

    trace = _read(
        tmp_path,
        [
            said("user", {"type": "text", "text": "<user_query>\nFix it\n</user_query>"}),
            said(
                "assistant",
                {"type": "text", "text": "Yes."},
                {"type": "tool_use", "name": "Read", "input": {"p": 1}},
            ),
            said("user", {"type": "tool_result", "content": "one"}),
        ],
    )
    assert trace.info.task == "Fix it"
    assert trace.steps[1].calls[0].name == "Read"
    assert trace.steps[1].results[0].content == "one"
    assert len(trace.steps) == 2


REQUEST = {
    "type": "toolRequest",
    "id": "g1",
    "toolCall": {"status": "success", "value": {"name": "shell", "arguments": {"command": "ls"}}},
}
RESPONSE = {
    "type": "toolResponse",
    "id": "g1",
    "toolResult": {"status": "success", "value": [{"type": "text", "text": "a.py"}]},
}
BROKEN = {"type": "toolResponse", "id": "g1", "toolResult": {"status": "error", "error": "no shell"}}
TALK = [
    {"role": "user", "created": 1767225600, "content": [{"type": "text", "text": "List it."}]},
    {
        "role": "assistant",
        "created": 1767225605,
        "content": [{"type": "thinking", "thinking": "ls."}, REQUEST],
    },
    {"role": "user", "created": 1767225606, "content": [RESPONSE]},
    {"role": "assistant", "created": 1767225607, "content": [{"type": "text", "text": "a.py"}]},
]


def test_goose_answers_calls_in_the_users_name(tmp_path: Path) -> None:
    head = {"working_dir": "/srv/a", "description": "Listing", "message_count": 4, "total_tokens": 90}
    trace = _read(tmp_path, [head, *TALK])
    assert [step.source for step in trace.steps] == ["user", "agent", "agent"]
    step = trace.steps[1]
    assert (step.reasoning, step.calls[0].arguments, step.results[0].content) == (
        "ls.",
        {"command": "ls"},
        "a.py",
    )
    assert trace.info.meta["working_dir"] == "/srv/a"
    assert (trace.info.started, trace.info.seconds) == ("2026-01-01T00:00:00.000Z", 7.0)
    assert trace.info.n_messages == 4
    failed = _read(tmp_path, [head, *TALK[:2], {**TALK[2], "content": [BROKEN]}])
    assert failed.steps[1].results[0].error
    assert failed.steps[1].results[0].content == "no shell"


def test_goose_streams_pieces_of_one_message(tmp_path: Path) -> None:
    def piece(text: str) -> dict[str, Any]:
        message = {"id": "m1", "role": "assistant", "created": 1, "content": [{"type": "text", "text": text}]}
        return {"type": "message", "message": message}

    trace = _read(
        tmp_path,
        [
            piece("Hel"),
            piece("lo"),
            {"type": "error", "error": "gone"},
            {"type": "complete", "total_tokens": 3},
        ],
    )
    assert trace.steps[0].message == "Hello"
    assert trace.steps[1].error
    assert trace.info.meta["total_tokens"] == 3


def _database(path: Path) -> None:
    with sqlite3.connect(path) as opened:
        opened.execute("CREATE TABLE sessions(id TEXT PRIMARY KEY, description TEXT, working_dir TEXT)")
        opened.execute(
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT,"
            " created_timestamp INTEGER)"
        )
        opened.execute("INSERT INTO sessions VALUES('s1', 'Listing', '/srv/a'), ('s2', 'Nothing', '/srv/b')")
        opened.execute(
            'INSERT INTO messages VALUES(1, \'s1\', \'user\', \'[{"type": "text", "text": "List it."}]\', 5)'
        )
        opened.execute("INSERT INTO messages VALUES(2, 's1', 'assistant', 'damaged', 6)")
    opened.close()


def test_goose_keeps_its_sessions_in_a_database(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    _database(path)
    assert open_source(path)[0].FORMAT == "other_cli"
    imported, notes = read_all(path)
    (trace,) = [item.trace for item in imported]
    assert (trace.info.task_id, trace.info.task) == ("s1", "List it.")
    assert trace.steps[1].message == "damaged"
    assert trace.info.model == ""
    with contextlib.closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("ALTER TABLE sessions ADD COLUMN model_config_json TEXT")
        opened.execute('UPDATE sessions SET model_config_json = \'{"model_name": "brook-large"}\'')
    assert one(path).trace.info.model == "brook-large"
    assert "shown as it stands" in reasons(notes)
    assert "without a message" in reasons(notes)


def test_antigravity_writes_what_a_tool_did_as_a_row_of_the_model(tmp_path: Path) -> None:
    call = {"name": "run_command", "args": {"CommandLine": '"ls"', "SafeToAutoRun": "true", "Odd": "a b"}}
    trace = _read(
        tmp_path,
        [
            {
                "step_index": 0,
                "source": "USER_EXPLICIT",
                "type": "USER_INPUT",
                "content": "<USER_REQUEST>Go</USER_REQUEST>",
            },
            {"step_index": 1, "source": "SYSTEM", "type": "HISTORY", "content": "nothing before"},
            {
                "step_index": 2,
                "source": "MODEL",
                "type": "PLANNER_RESPONSE",
                "thinking": "Hm.",
                "tool_calls": [call],
            },
            {
                "step_index": 3,
                "source": "MODEL",
                "type": "RUN_COMMAND",
                "status": "ERROR",
                "content": "exit 1",
            },
            {
                "step_index": 4,
                "source": "MODEL",
                "type": "PLANNER_RESPONSE",
                "status": "DONE",
                "content": "It failed.",
            },
        ],
    )
    assert [step.source for step in trace.steps] == ["user", "system", "agent", "agent"]
    assert trace.info.task == "Go"
    step = trace.steps[2]
    assert step.calls[0].arguments == {"CommandLine": "ls", "SafeToAutoRun": True, "Odd": "a b"}
    assert step.results[0].error
    assert step.number == "2"


@pytest.mark.parametrize("name", ["gptme_seed-list", "grok_chat_history", "qwen_session", "iflow_session"])
def test_a_session_that_grows_keeps_its_ids(tmp_path: Path, name: str) -> None:
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    whole = one(FOLDER / f"{name}.jsonl").trace
    path = tmp_path / "begun.jsonl"
    path.write_text("".join(lines[:4]), encoding="utf-8")
    begun: Imported = read(path)[0]
    assert begun.trace.info.trace_id == whole.info.trace_id
    assert whole.records.startswith(begun.trace.records)
    ids = [step.stable_id for step in whole.steps]
    assert [step.stable_id for step in begun.trace.steps] == ids[: len(begun.trace.steps)]


def test_a_type_nobody_knows_is_shown(tmp_path: Path) -> None:
    rows = [{"type": "user", "content": "Hi", "prompt_index": 0}, {"type": "dance", "content": "step"}]
    path = put(tmp_path, "a.jsonl", [*rows, {"type": "assistant", "content": "Ho", "model_id": "m"}])
    imported, notes = read_all(path)
    assert imported[0].trace.steps[1].message == "step"
    assert "unknown row type 'dance'" in reasons(notes)


def test_what_is_none_of_them_is_refused(tmp_path: Path) -> None:
    for value in ({"a": 1}, [], [{"role": "user", "content": "hi"}]):
        with pytest.raises(InputError):
            read(put(tmp_path, "a.json", value), "other_cli")


def test_goose_messages_alone_are_known_by_their_blocks(tmp_path: Path) -> None:
    trace = _read(tmp_path, {"messages": TALK}, "a.json")
    assert (trace.info.agent, trace.info.n_tool_calls, len(trace.steps[1].results)) == ("Goose", 1, 1)


def test_a_qwen_session_that_was_rewound_is_the_path_to_its_end(tmp_path: Path) -> None:
    def row(uuid: str, parent: str | None, kind: str, words: str = "", **more: Any) -> dict[str, Any]:
        message = {"role": kind, "parts": [{"text": words}]}
        return {
            "uuid": uuid,
            "parentUuid": parent,
            "sessionId": "s",
            "type": kind,
            "message": message,
            **more,
        }

    back = row("r", "a", "system", subtype="rewind", systemPayload={"targetUuid": "a"})
    rows = [
        row("a", None, "user", "Begin."),
        row("b", "a", "assistant", "Left."),
        back,
        row("c", "r", "user", "Go on."),
        row("d", "c", "assistant", "Thought."),
        row("d", "c", "assistant", "Kept."),
    ]
    trace = _read(tmp_path, rows)
    said = [step.message for step in trace.steps if step.source != "system"]
    assert said == ["Begin.", "Go on.", "Thought.", "Kept."]
    assert (trace.info.n_messages, trace.info.task) == (6, "Begin.")
    assert "Left." in [
        step.message for step in _read(tmp_path, [row for row in rows if row is not back]).steps
    ]
    lost = [{**row, "parentUuid": "gone"} if row["uuid"] == "c" else row for row in rows]
    assert [step.message for step in _read(tmp_path, lost).steps if step.source != "system"] == said


def test_droid_prints_a_row_a_call(tmp_path: Path) -> None:
    rows = [
        {"type": "system", "subtype": "init", "session_id": "d", "model": "m", "cwd": "/w"},
        {
            "type": "message",
            "role": "user",
            "id": "u",
            "text": "<system-reminder>\nx\n</system-reminder>\nList it.",
        },
        {"type": "reasoning", "id": "r", "text": "ls will do."},
        {"type": "reasoning", "id": "r", "text": "ls will do."},
        {
            "type": "tool_call",
            "id": "c",
            "toolId": "Execute",
            "toolName": "Execute",
            "parameters": {"command": "ls"},
        },
        {"type": "tool_result", "id": "c", "toolId": "Execute", "isError": True, "value": "no such folder"},
        {
            "type": "completion",
            "finalText": "It is gone.",
            "numTurns": 1,
            "usage": {"input_tokens": 9, "output_tokens": 2},
        },
    ]
    trace = _read(tmp_path, rows)
    assert (trace.info.agent, trace.info.task, trace.info.model) == ("Droid", "List it.", "m")
    assert [(step.source, step.reasoning) for step in trace.steps][1] == ("agent", "ls will do.")
    assert [(result.content, result.error) for result in trace.steps[1].results] == [("no such folder", True)]
    assert (trace.steps[2].message, trace.info.tokens_in, trace.info.n_tool_calls) == ("It is gone.", 9, 1)
    failed = _read(tmp_path, [*rows[:-1], {"type": "error", "message": "no network"}])
    assert (failed.steps[-1].fault, failed.steps[-1].message) == (True, "no network")


def test_codebuddy_pairs_by_order_where_there_is_no_id(tmp_path: Path) -> None:
    def row(kind: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "sessionId": "b", "timestamp": 1777651201, **more}

    rows = [
        row("session_start", model="m", cwd="/w"),
        row("message", role="user", content="Read it."),
        row("message", role="assistant", content=[{"type": "text", "text": "I do."}]),
        row("function_call", name="read", arguments='{"path": "a"}'),
        row("function_call_result", name="read", output={"type": "text", "text": "b"}, status="failed"),
        row("message", role="assistant", content="Read."),
    ]
    trace = _read(tmp_path, rows)
    assert [step.message for step in trace.steps] == ["Read it.", "I do.", "Read."]
    assert (trace.steps[1].calls[0].arguments, trace.steps[1].model) == ({"path": "a"}, "m")
    assert [(result.content, result.error) for result in trace.steps[1].results] == [("b", True)]
    assert (trace.info.agent, trace.info.n_messages) == ("CodeBuddy", 3)


def test_an_export_of_antigravity(tmp_path: Path) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Say hi.", "created_at": "2026-01-01T00:00:01Z"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "hi"},
    ]
    trace = _read(
        tmp_path, {"app": "Antigravity", "conversation": {"id": "v", "messages": messages}}, "a.json"
    )
    assert (trace.info.agent, trace.info.task, len(trace.steps[1].results)) == ("Antigravity", "Say hi.", 1)
    assert (trace.info.started, trace.info.meta["app"]) == ("2026-01-01T00:00:01.000Z", "Antigravity")
