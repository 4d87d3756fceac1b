"""An import that finds no file to read says so, with what it looked for; one that finds any does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
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
    ("names", "passed"), [((), "0 files"), (("a.txt",), "1 file"), (("a.txt", "b.md", "c"), "3 files")]
)
def test_nothing_found_is_one_line(
    reviewer: Cli, tmp_path: Path, names: tuple[str, ...], passed: str, more: tuple[str, ...]
) -> None:
    folder = _folder(tmp_path, *names)
    ran = reviewer("import", str(folder), *more)
    (line,) = [line for line in ran.err.splitlines() if line.startswith("nothing found")]
    assert ran.status == 0
    assert f"in {folder}: {passed} passed over" in line
    assert ".jsonl" in line
    assert not more or json.loads(ran.out)["files"] == []


def test_what_lies_beside_traces_is_counted_apart(reviewer: Cli, tmp_path: Path) -> None:
    folder = _folder(tmp_path, "notes.txt")
    put(folder, "report.json", {"resolved_ids": []})
    (line,) = [line for line in reviewer("import", str(folder)).err.splitlines() if "nothing" in line]
    assert "2 files passed over (1 opened: reports" in line


def test_it_is_not_said_where_there_was_a_file(reviewer: Cli, tmp_path: Path) -> None:
    folder = _folder(tmp_path, "notes.txt")
    put(folder, "unknown.json", {"what": 1})
    assert "nothing found" not in reviewer("import", str(folder)).err
    put(folder, "chat.json", CHAT)
    assert "nothing found" not in reviewer("import", str(folder)).err
