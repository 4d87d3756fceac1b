"""`--per-request`: one trace a request, what went before folded, what the user said next at its end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import Imported
from reviewer.importers.finding.files import open_source
from reviewer.importers.per_request import Cutter
from tests.conftest import Ran
from tests.importers.reading import SAMPLES, put, reasons


def row(n: int, kind: str, content: Any, parent: int | None = None) -> dict[str, Any]:
    before = None if n == 0 else f"u{n - 1 if parent is None else parent}"
    about = {"type": kind, "uuid": f"u{n}", "parentUuid": before, "sessionId": "s"}
    stamp = f"2026-05-01T10:00:{n:02}Z"
    message = {
        "role": kind,
        "content": content,
        **({"id": f"m{n}", "model": "b"} if kind == "assistant" else {}),
    }
    return {**about, "timestamp": stamp, "message": message}


USE = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
GOT = {"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}
ROWS = [
    row(0, "user", "list the files"),
    row(1, "assistant", [USE]),
    row(2, "user", [GOT]),
    row(3, "assistant", [{"type": "text", "text": "There is a.py."}]),
    row(4, "user", "no, the hidden ones too"),
    row(5, "assistant", [{"type": "text", "text": "None."}]),
    row(6, "user", "thanks"),
]


def cut_file(path: Path) -> list[Imported]:
    importer, source = open_source(path)
    return list(Cutter()(importer.read(source), source))


def test_each_request_is_a_trace(tmp_path: Path) -> None:
    first, second, third = (one.trace for one in cut_file(put(tmp_path, "s.jsonl", ROWS)))
    assert [one.info.task for one in (first, second, third)] == [
        "list the files",
        "no, the hidden ones too",
        "thanks",
    ]
    assert [step.source for step in first.steps] == ["user", "agent", "agent", "user"]
    assert first.steps[-1].kind == "notice"
    assert "no, the hidden ones too" in first.steps[-1].message
    assert second.steps[0].kind == "notice"
    assert "3 steps, 1 request of the user" in second.steps[0].message
    assert "list the files" in second.steps[0].message
    assert [step.n for step in second.steps] == [1, 2, 3, 4]
    assert (first.info.n_messages, first.info.n_tool_calls) == (4, 1)
    assert [row["uuid"] for row in json.loads(first.raw)] == ["u0", "u1", "u2", "u3", "u4"]
    assert len({one.info.task_id for one in (first, second, third)}) == 3


def test_a_session_that_grows_grows_its_last_trace(tmp_path: Path) -> None:
    before = [one.trace for one in cut_file(put(tmp_path, "s.jsonl", ROWS[:6]))]
    after = [one.trace for one in cut_file(put(tmp_path, "s.jsonl", ROWS))]
    assert [one.info.trace_id for one in before] == [one.info.trace_id for one in after[:2]]
    assert before[0].info.content_hash == after[0].info.content_hash
    assert after[1].records.startswith(before[1].records)
    assert after[1].records != before[1].records
    stable = [step.stable_id for step in before[1].steps]
    assert [step.stable_id for step in after[1].steps][: len(stable)] == stable


def test_sub_agents_go_with_the_request_that_started_them() -> None:
    (path,) = SAMPLES.rglob("invented-path-with-subagent.jsonl")
    found = [one.trace.info for one in cut_file(path)]
    owners = [info.trace_id for info in found if not info.parent_id]
    assert all(info.parent_id in owners for info in found if info.parent_id)
    assert any(info.parent_id for info in found)


def test_what_is_no_session_stays_whole(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    path = put(tmp_path, "c.json", {"messages": talk})
    importer, source = open_source(path)
    (whole,) = importer.read(source)
    assert cut_file(path) == [whole]


def test_an_outcome_of_the_session_is_told_not_given_to_a_request(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": text} for text in ("a", "b")]
    path = put(tmp_path, "p.json", {"task": "t", "trajectory": talk, "passed": True})
    importer, source = open_source(path)
    found = list(Cutter()(importer.read(source), source))
    assert [one.outcomes for one in found] == [(), ()]
    assert "belongs to none of its requests" in reasons(source.notes())


@pytest.mark.parametrize("times", [1, 2])
def test_from_the_command_line(reviewer: Callable[..., Ran], tmp_path: Path, times: int) -> None:
    path = put(tmp_path, "s.jsonl", ROWS)
    for _ in range(times):
        ran = reviewer("import", path, "--per-request", "--json")
    counts = json.loads(ran.out)["traces"]
    assert (counts["read"], counts["new"]) == (3, 3 if times == 1 else 0)


def test_a_session_that_is_here_whole_too_is_told_of(reviewer: Callable[..., Ran], tmp_path: Path) -> None:
    path = put(tmp_path, "s.jsonl", ROWS)
    assert "whole in the store as well" not in reviewer("import", path, "--per-request").err
    assert reviewer("import", path).status == 0
    err = reviewer("import", path, "--per-request").err
    assert err.count("warning: 1 session cut into requests: whole in the store as well, both count") == 1
