"""Terminal-Bench trials: the recording as turns, what a terminal shows, verdicts, how the agent stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import Imported, NotATrace
from reviewer.importers.finding.files import find, open_source
from reviewer.importers.formats.terminal_bench.cast import agents_own, read_cast
from reviewer.importers.formats.terminal_bench.screen import shown_on
from tests.importers.reading import one, put, read, read_all, reasons

HEADER = {"version": 2, "width": 80, "height": 24, "timestamp": 1770000000}


def result(**more: Any) -> dict[str, Any]:
    value = {"id": "u1", "trial_name": "wash.2-of-5.r1", "task_id": "wash", "instruction": "Wash it."}
    value |= {"agent_started_at": "2026-02-02T02:40:00+00:00", "agent_ended_at": "2026-02-02T02:41:00+00:00"}
    return {**value, "is_resolved": True, "failure_mode": "unset", "parser_results": None, **more}


def recording(*events: Any, header: Any = HEADER) -> str:
    return "".join(json.dumps(row) + "\n" for row in (header, *events))


def trial(folder: Path, cast: str = "", commands: str = "", **more: Any) -> Path:
    here = folder / "r1" / "wash" / "wash.2-of-5.r1"
    path = put(here, "results.json", result(**more))
    (here / "sessions").mkdir(exist_ok=True)
    if cast:
        (here / "sessions" / "agent.cast").write_text(cast, encoding="utf-8")
    if commands:
        (here / "commands.txt").write_text(commands, encoding="utf-8")
    return path


TALK = recording(
    [0.1, "o", "$ "],
    [0.8, "i", "clear\r"],
    [0.9, "o", "clear\r\n\x1b[H\x1b[J$ "],
    [2.0, "i", "ls; tmux wait -S done\r"],
    [2.1, "o", "ls; tmux wait -S done\r\n"],
    [2.5, "o", "a  b\r\n$ "],
    [9.0, "i", "\x03"],
    [9.1, "o", "^C\r\n"],
    [10.0, "i", "\x04"],
    [10.1, "o", "exit\r\n"],
)


def test_the_recording_is_cut_into_turns(tmp_path: Path) -> None:
    trace = one(trial(tmp_path, TALK)).trace
    assert [step.source for step in trace.steps] == ["user", "agent", "agent"]
    step = trace.steps[1]
    assert (step.calls[0].name, step.calls[0].arguments) == ("terminal", {"command": "ls"})
    assert step.results[0].content == "a  b\n$"
    assert (step.at, step.seconds) == ("2026-02-02T02:40:02.000Z", 0.5)
    assert trace.steps[2].calls[0].arguments == {"command": "^C"}
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.attempt) == (10, 2, 2)
    assert (trace.info.task, trace.info.task_id, trace.info.seconds) == ("Wash it.", "wash", 60.0)


def test_keys_are_gathered_until_enter_or_a_pause() -> None:
    events = [[1.0, "i", "l"], [1.1, "o", "l"], [1.2, "i", "s\r"], [1.3, "o", "s\r\na\r\n"]]
    events += [[5.0, "i", "j"], [5.1, "o", "1"], [9.0, "i", "\x1b[A"], [9.1, "o", "2"]]
    turns = agents_own(read_cast(recording(*events), lambda why: None))
    assert [turn.command for turn in turns] == ["ls", "j", "<Up>"]


def test_relative_times_of_version_three() -> None:
    header = {"version": 3, "term": {"cols": 40, "rows": 10}, "timestamp": 1770000000}
    events = [[1.0, "i", "a\r"], [1.0, "o", "x"], [2.0, "i", "b\r"], [0.0, "x", "0"]]
    cast = read_cast(recording(*events, header=header), lambda why: None)
    assert ([turn.at for turn in cast.turns], cast.width) == ([1.0, 4.0], 40)


def test_marks_are_the_agents_words(tmp_path: Path) -> None:
    cast = recording(
        [1.0, "m", "I list."], [1.1, "i", "ls\r"], [1.2, "o", "ls\r\na\r\n"], [2.0, "m", "Done."]
    )
    steps = one(trial(tmp_path, cast)).trace.steps
    assert [(step.message, len(step.calls)) for step in steps[1:]] == [("I list.", 1), ("Done.", 0)]
    assert steps[1].source_ids == ("event 1",)


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ("1 %\r50 %\r100 %\r\n", "100 %"),
        ("abc\b\b\x1b[Kx", "ax"),
        ("\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b(B", "red"),
        ("one\r\ntwo\x1b[1A\x1b[4Dnew", "new\ntwo"),
        ("old\x1b[H\x1b[2Jnew", "old\nnew"),
        ("x" * 85, "x" * 85),
        ("y" * 80 + " \rz\r\nend", "y" * 80 + "z\nend"),
        ("a\tb", "a       b"),
        ("\x1b[99999999999;5Hx\x1b[1000000000Cy", "x" + " " * 74 + "y"),
    ],
)
def test_what_a_terminal_shows(output: str, shown: str) -> None:
    assert shown_on(output, 80).strip() == shown


def test_without_a_recording_the_keys_and_the_last_pane(tmp_path: Path) -> None:
    commands = (
        "['asciinema rec --stdin /logs/agent.cast', 'Enter']\n['clear', 'Enter']\n"
        "'ls\\n'\n['make', ' all', 'Enter']\nnot a repr\n['C-d']\n"
        "['asciinema rec --stdin /logs/tests.cast', 'Enter']\n['bash /tests/run.sh', 'Enter']\n"
    )
    path = trial(tmp_path, recording([0.1, "o", "$ "]), commands)
    (path.parent / "panes").mkdir()
    (path.parent / "panes" / "post-agent.txt").write_text("all\ndone\n\n\n")
    steps = one(path).trace.steps
    assert [step.calls[0].arguments["command"] for step in steps[1:4]] == ["ls", "make all", "not a repr"]
    assert steps[4].message.endswith("\n\nall\ndone")
    assert steps[4].kind == "notice"


def test_episodes_say_more_than_the_recording(tmp_path: Path) -> None:
    path = trial(tmp_path, TALK)
    xml = "<response><keystrokes duration='1'>make\n</keystrokes></response>"
    answers = ['ok: {"analysis": "a", "commands": [{"keystrokes": "ls\\n"}], "task_complete": true}', xml]
    for number, answer in enumerate(answers):
        here = path.parent / "agent-logs" / f"episode-{number}"
        here.mkdir(parents=True)
        (here / "prompt.txt").write_text(f"screen {number}")
        (here / "response.txt").write_text(answer)
    trace = one(path).trace
    assert [step.message for step in trace.steps[1:]] == ["a", xml]
    assert trace.steps[1].calls[0].arguments == {"command": "ls"}
    assert trace.steps[1].results[0].content == "screen 1"
    assert trace.steps[1].extra == {"task_complete": True}
    assert trace.steps[2].calls[0].arguments == {"command": "make", "options": "duration='1'"}
    assert (trace.info.n_messages, trace.info.n_tool_calls) == (4, 2)


@pytest.mark.parametrize(
    ("more", "ended", "passed"),
    [
        ({}, "submitted", True),
        ({"failure_mode": "agent_timeout"}, "timeout", True),
        ({"failure_mode": "test_timeout", "is_resolved": None}, "submitted", None),
        ({"failure_mode": "context_length_exceeded", "is_resolved": False}, "limit", False),
        ({"failure_mode": "agent_installation_failed", "is_resolved": False}, "error", False),
        ({"failure_mode": "what"}, "unknown", True),
        ({"is_resolved": None, "agent_ended_at": None}, "unknown", None),
    ],
)
def test_how_it_stopped_is_not_whether_it_passed(
    tmp_path: Path, more: dict[str, Any], ended: str, passed: bool | None
) -> None:
    imported = one(trial(tmp_path, TALK, **more))
    assert imported.trace.info.ended == ended
    assert next((outcome.passed for outcome in imported.outcomes), None) is passed


def test_the_run_gives_the_model_and_is_no_trace(tmp_path: Path) -> None:
    path = trial(tmp_path, TALK, is_resolved=False, parser_results={"a": "passed", "b": "failed"})
    run = put(tmp_path / "r1", "results.json", {"results": [result(is_resolved=False)], "accuracy": 0.0})
    about = {"run_id": "r1", "agent_name": "terminus", "n_attempts": 5, "model_name": "brook-large"}
    settings = put(tmp_path / "r1", "run_metadata.json", about)
    imported = one(path)
    assert (imported.trace.info.model, imported.trace.info.agent) == ("brook-large", "terminus")
    (outcome,) = imported.outcomes
    assert outcome.detail["failed_tests"] == ["b"]
    for companion in (run, settings, put(tmp_path, "none.json", {"results": [], "pass_at_k": {}})):
        with pytest.raises(NotATrace):
            open_source(companion)
    put(tmp_path / "r1", "results.json", {"results": [result(is_resolved=True)]})
    assert [outcome.passed for outcome in one(path).outcomes] == [False, True]
    assert len(traces_in(tmp_path)) == 1


def traces_in(folder: Path) -> list[Imported]:
    found: list[Imported] = []
    for file in find([folder]).files:
        try:
            found += read(file.path)
        except NotATrace:
            continue
    return found


def test_the_grade_is_no_part_of_the_trace(tmp_path: Path) -> None:
    first = one(trial(tmp_path, TALK)).trace
    second = one(trial(tmp_path, TALK, is_resolved=False, failure_mode="agent_timeout")).trace
    assert first.info.content_hash == second.info.content_hash
    assert one(trial(tmp_path, TALK, id="u2")).trace.info.trace_id != first.info.trace_id
    grown = one(trial(tmp_path, TALK + json.dumps([11, "o", "x"]) + "\n")).trace
    assert grown.info.trace_id == first.info.trace_id
    assert grown.records.startswith(first.records)
    assert set(json.loads(first.raw)) == {"results.json", "sessions/agent.cast"}


def test_damaged_recordings_cost_their_lines(tmp_path: Path) -> None:
    cast = TALK + '{broken\n[1, 2]\n[1e999, "o", "x"]\n[20, "q", "x"]\n'
    (imported,), notes = read_all(trial(tmp_path, cast))
    assert imported.trace.info.n_tool_calls == 2
    assert "damaged line" in reasons(notes)
    assert "an event of the recording that is a list" in reasons(notes)
    assert "events 'q'" in reasons(notes)
    json.loads(imported.trace.raw)


def test_a_recording_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "alone.cast"
    path.write_text(TALK)
    imported = one(path)
    assert imported.trace.info.n_tool_calls == 2
    assert not imported.outcomes
    with pytest.raises(NotATrace, match=r"import the results\.json"):
        open_source(trial(tmp_path, TALK).parent / "sessions" / "agent.cast")
    with pytest.raises(InputError, match="no results"):
        read(put(tmp_path, "x.json", [1]), "terminal_bench")
