"""What lies beside a trace is read as a file or not at all: pipes hold nobody up, ids lead nowhere else."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.joining import reports
from reviewer.importers.opening import beside
from reviewer.importers.opening.beside import plain_name, read_beside
from tests.importers.opencode_talk import INFO, TALK, info, stored, text
from tests.importers.reading import ROOT, SAMPLES, one, put, read, read_all

# Who reads the files that somebody named. All others come through `read_beside`.
NAMED = {
    "beside",
    "base",
    "files",
    "line_files",
    "array_files",
    "object_files",
    "packed",
    "outcome_files",
    "maps",
}
OPENING = {"read_bytes", "read_text", "open", "is_file", "exists"}
# What importers look for beside a trace and above it.
LOOKED_FOR = (
    *("report.json", "results.json", "result.json", "config.json", "x.json", "state.json"),
    *("verifier/reward.txt", "verifier/reward.json", "verifier/ctrf.json", "run_metadata.json"),
    *("ui_messages.json", "task_metadata.json", "commands.txt", "sessions/agent.cast"),
    *("panes/post-agent.txt", "agent-logs/episode-0/prompt.txt", "events/event-00001-x.json"),
    *("preds.json", "all_preds.jsonl", "x.pred"),
    *("ground_truth/x.json", "data/ground_truth/x.json", "trajectories_info.json", "sb-cli-reports/x.json"),
)


@pytest.fixture
def hurry() -> Iterator[None]:
    """A test that waits for ever fails after a while."""

    def over(*_: Any) -> None:
        raise TimeoutError("somebody waits for a pipe")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.usefixtures("hurry")
def test_only_regular_files_of_a_bounded_size(tmp_path: Path) -> None:
    pipe(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"abc")
    for name, target in (("link", "file"), ("to_pipe", "pipe"), ("zero", "/dev/zero"), ("loop", "loop")):
        (tmp_path / name).symlink_to(target)
    assert read_beside(tmp_path / "file") == read_beside(tmp_path / "link") == b"abc"
    assert read_beside(tmp_path / "file", 3) == b"abc"
    assert read_beside(tmp_path / "file", 2) is None
    assert read_beside(tmp_path / "file", 2, part=True) == b"ab"
    for name in ("pipe", "to_pipe", "zero", "loop", "gone", "", "a\0b", "n" * 300, "\udcff" * 300):
        assert read_beside(tmp_path / name) is None


@pytest.mark.usefixtures("hurry")
def test_a_pipe_that_took_the_place_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    pipe(tmp_path / "pipe")
    looked = (tmp_path / "file").stat()
    monkeypatch.setattr(beside, "regular", lambda path: looked)
    assert read_beside(tmp_path / "pipe") is None


def test_importers_open_nothing_by_themselves() -> None:
    for path in sorted((ROOT / "reviewer" / "importers").rglob("*.py")):
        if path.stem in NAMED:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr in OPENING and ast.unparse(node.func.value) not in ("self", "source"):
                raise AssertionError(f"{path}:{node.lineno}: {ast.unparse(node)}")


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("folder", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_pipes_around_a_trace_hold_nobody_up(tmp_path: Path, folder: str) -> None:
    for trace in sorted(path for path in (SAMPLES / folder).rglob("*") if path.is_file()):
        home = tmp_path / str(abs(hash(trace)))
        for other in (path for path in (SAMPLES / folder).rglob("*") if path.is_file()):
            pipe(home / other.relative_to(SAMPLES))
        path = home / trace.relative_to(SAMPLES)
        for name in LOOKED_FOR:
            for place in (path.parent, path.parent.parent):
                with contextlib.suppress(OSError):  # of the trace's own name
                    pipe(place / name)
        path.unlink(missing_ok=True)
        shutil.copy(trace, path)
        with contextlib.suppress(InputError):
            read(path)
        shutil.rmtree(home)


@pytest.mark.parametrize(
    "id", ["", ".", "..", "a/b", "/etc/passwd", "a\\b", "a\0b", "x" * 300, "\ud800", "a\nb"]
)
def test_an_id_that_is_no_name(id: str) -> None:
    assert not plain_name(id)


def test_an_id_that_is_a_name() -> None:
    assert all(map(plain_name, ("ses_1", "django__django-11099", "a b", "fünf:1", "x.y")))


def ids(secret: Path) -> list[str]:
    deep = "../" * 12 + str(secret)[1:]
    return [str(secret), deep, f"{secret}/.", "a\0b", "n" * 300, "..", "\ud800", "a/../../secret"]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder elsewhere with files that look like messages and parts."""
    folder = tmp_path / "secret"
    put(folder, "p.json", text("prt_9", "msg_1", "the secret"))
    put(folder, "m.json", {**info("msg_9", "user"), "parts": [text("prt_9", "msg_9", "the secret")]})
    return folder


def test_ids_of_opencode_lead_nowhere_else(tmp_path: Path, secret: Path) -> None:
    for number, id in enumerate(ids(secret)):
        home = tmp_path / str(number)
        path = stored(home, TALK)
        for about in ({**INFO, "id": id}, {**INFO, "parentID": id}):
            path.write_text(json.dumps(about), encoding="utf-8")
            assert "the secret" not in repr(one(path))
        path.write_text(json.dumps(INFO), encoding="utf-8")
        first = {**info("msg_1", "user"), "id": id}
        put(home, "storage/message/ses_1/msg_1.json", first)
        assert "the secret" not in repr(one(path))


def test_instances_lead_to_no_report_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "runs" / "here").mkdir(parents=True)
    path = tmp_path / "runs" / "here" / "x.json"
    for id in ("near", str(tmp_path / "far"), "../../far", "a\0b", "n" * 300, "\ud800"):
        put(tmp_path, "far.report.json", {id: {"resolved": True}})
        put(tmp_path / "runs" / "here", "near.report.json", {id: {"resolved": True}})
        assert bool(reports.beside(path, id)) is (id == "near")


@pytest.mark.usefixtures("hurry")
def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    path = stored(tmp_path, TALK)
    pipe(tmp_path / "storage/part/msg_2/prt_4.json")
    _, notes = read_all(path)
    assert "prt_4.json is skipped: no file of at most" in notes[0].reason


def test_a_relative_path_beside_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("tool-results", "subagents"):
        shutil.copytree(SAMPLES / "openai_chat", tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    for path in sorted(Path().rglob("*.jsonl")):
        assert read(path)
