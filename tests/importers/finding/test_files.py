"""Which files are found, and how what holds no trace is refused: by name, in one line, with a reason."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers import FORMATS, importer
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import Found, find, open_source
from tests.importers.reading import put, read

PLAIN = {"task": "t", "trajectory": [{"step": 1, "action": "look()", "observation": "ok"}]}


def test_folders_are_walked_in_name_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b/2.json", "a.json", "b/1.traj", ".hidden/x.json", ".x.json", "notes.md"):
        put(tmp_path, name, PLAIN)
    found = find([tmp_path])
    assert [file.path.relative_to(tmp_path).as_posix() for file in found.files] == [
        "a.json",
        "b/1.traj",
        "b/2.json",
    ]
    assert not any(file.named for file in found.files)
    assert sorted(path.name for path in found.skipped) == [".x.json", "notes.md"]


def test_a_named_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    path = put(tmp_path, "run.txt", PLAIN)
    assert find([path]).files == (Found(path, named=True),)
    assert len(read(path)) == 1


def test_a_file_is_found_once(tmp_path: Path) -> None:
    path = put(tmp_path, "a.json", PLAIN)
    assert find([tmp_path, path, tmp_path / "*.json"]).files == (Found(path, named=True),)


def test_patterns(tmp_path: Path) -> None:
    put(tmp_path, "a/1.json", PLAIN)
    put(tmp_path, "b/2.json", PLAIN)
    assert [file.path.name for file in find([tmp_path / "*" / "*.json"]).files] == ["1.json", "2.json"]
    odd = put(tmp_path, "[x].json", PLAIN)
    assert find([odd]).files == (Found(odd),)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("gone.json", "no such file"), ("gone*.json", "no file matches"), ("a\0b", "cannot be read")],
)
def test_a_missing_path_is_refused_by_name(tmp_path: Path, name: str, reason: str) -> None:
    (file,) = find([tmp_path / name]).files
    with pytest.raises(InputError, match=reason) as caught:
        open_source(file.path)
    assert name in str(caught.value)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"task": "t", "trajectory": ["a"]}')))
    (file,) = find(["-"]).files
    assert len(read(file.path)) == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "only white space"),
        (b"null", "nothing but null"),
        (b"[]", "an empty list"),
        (b"{}", "an empty object"),
        (b"42", "a number"),
        (b'"x"', "a text"),
        (b"true", "a boolean"),
        (b"PK\x03\x04rest", "a zip archive"),
        (b"\x1f\x8brest", "gzip"),
        (b"# a chat\n\nhello", "unknown format"),
        (b'{"task": "t", "trajectory": [{"thought": "cut o', "damaged JSON"),
        (b'{\n "task": "t",\n "trajectory": [\n  1,,\n ]\n}', "damaged JSON at line 4"),
        (b'{"schema_version": "other-v1.5", "steps": []}', "unknown format"),
        (b'{"hello": "world"}', "unknown format"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "odd.traj.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=reason) as caught:
        open_source(path)
    assert "odd.traj.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        {"resolved_ids": ["a"], "unresolved_ids": []},
        {"a__b-1": {"model_patch": "diff", "instance_id": "a__b-1"}},
        [{"model_patch": "diff", "instance_id": "a__b-1"}],
        {"a__b-1": {"resolved": True, "tests_status": {}}},
        {"type": "summary", "summary": "x", "leafUuid": "y"},
    ],
)
def test_what_lies_beside_traces_is_known(tmp_path: Path, value: object) -> None:
    with pytest.raises(NotATrace, match="not a trace"):
        open_source(put(tmp_path, "beside.json", value))


def test_the_format_can_be_forced(tmp_path: Path) -> None:
    path = put(tmp_path, "a.json", {"schema_version": "ATIF-v1", "trajectory": ["a"]})
    assert len(read(path, "plain")) == 1
    with pytest.raises(InputError, match="mini_swe_agent"):
        open_source(path, "nonsense")


def test_the_list_of_formats() -> None:
    for name in FORMATS:
        assert name == importer(name.replace("_", "-")).FORMAT
        assert importer(name).VERSION >= 1


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"info": {"id": "g"}, "session_summary": "Read it", "num_messages": 2}, "what Grok knows"),
        ({"error": {"message": "no quota", "type": "insufficient_quota"}}, "an error that a provider"),
        ({"type": "error", "error": {"message": "busy"}, "request_id": "r"}, "an error that a provider"),
        ({"eval_set_id": "e", "eval_cases": [{"eval_id": "a", "conversation": []}]}, "an eval set"),
        ([{"query": "q", "expected_tool_use": [], "reference": "r"}], "an eval set"),
    ],
)
def test_what_lies_beside_a_session(tmp_path: Path, value: Any, what: str) -> None:
    with pytest.raises(NotATrace, match=what) as told:
        open_source(put(tmp_path, "x.json", value))
    assert ("import the traces it lies beside" in str(told.value)) is (what != "an error that a provider")
