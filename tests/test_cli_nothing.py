"""An import that finds no file to read says so, with what it looked for; one that finds any does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import SAMPLES, Ran
from tests.importers.reading import put

Cli = Callable[..., Ran]
CHAT = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}


def _folder(tmp_path: Path, *names: str) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("nothing that we know", encoding="utf-8")
    return folder


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["words", "json"])
@pytest.mark.parametrize(
    ("names", "passed"),
    [
        ((), "no file is there"),
        (("a.txt",), "1 file passed over"),
        (("a.txt", "b.md", "c"), "3 files passed over"),
    ],
)
def test_nothing_found_is_one_line(
    reviewer: Cli, tmp_path: Path, names: tuple[str, ...], passed: str, more: tuple[str, ...]
) -> None:
    folder = _folder(tmp_path, *names)
    ran = reviewer("import", str(folder), *more)
    (line,) = [line for line in ran.err.splitlines() if line.startswith("nothing found")]
    assert ran.status == 1
    assert f"in {folder}: {passed}. " in line
    assert ".jsonl" in line
    assert not more or json.loads(ran.out)["files"] == []


def test_what_lies_beside_traces_is_counted_apart(reviewer: Cli, tmp_path: Path) -> None:
    folder = _folder(tmp_path, "notes.txt")
    put(folder, "report.json", {"resolved_ids": []})
    (line,) = [line for line in reviewer("import", str(folder)).err.splitlines() if "nothing" in line]
    assert "2 files passed over (1 opened: reports" in line


def test_what_is_not_there_is_no_file(reviewer: Cli, tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    put(folder, "chat.json", CHAT)
    ran = reviewer("import", str(folder), str(tmp_path / "nope"), str(folder / "no*.json"))
    assert ran.status == 1
    assert ran.out.splitlines()[0] == "1 file, 1 trace: 1 new, 0 unchanged, 0 updated, 2 failed"
    assert "nope: no such file or folder" in ran.err


def test_a_table_that_is_not_there_is_no_row(reviewer: Cli, tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    put(folder, "chat.json", CHAT)
    ran = reviewer("import", str(folder), "--outcomes", str(tmp_path / "nope.csv"))
    assert ran.status == 1
    assert "outcomes: 0 new, 0 known, 0 rows unused; 1 table could not be read" in ran.out
    (tmp_path / "rows.csv").write_text("task,passed\nnone of ours,true\n")
    told = reviewer("import", "--outcomes", str(tmp_path / "rows.csv")).out
    assert "outcomes: 0 new, 0 known, 1 row unused\n" in told


def test_labels_of_published_sets_are_told_as_theirs_and_after_the_files(
    reviewer: Cli, tmp_path: Path
) -> None:
    files, labels = reviewer("import", SAMPLES / "who_and_when").out.splitlines()[:2]
    assert files.startswith("2 files, 2 traces: ")
    assert labels.startswith("labels that came with published sets: ")
    reviewer("export", "labels", "-o", tmp_path / "labels.jsonl")
    assert (
        reviewer("import", tmp_path / "labels.jsonl").out.splitlines()[1].startswith("labels: nothing new, ")
    )


def test_it_is_not_said_where_there_was_a_file(reviewer: Cli, tmp_path: Path) -> None:
    folder = _folder(tmp_path, "notes.txt")
    put(folder, "unknown.json", {"what": 1})
    assert "nothing found" not in reviewer("import", str(folder)).err
    put(folder, "chat.json", CHAT)
    assert "nothing found" not in reviewer("import", str(folder)).err
