"""Large JSON Lines are read from the disk line by line, and say what they say when they are read whole."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.importers import importer as importer_of
from reviewer.importers import names
from reviewer.importers.base import Source
from reviewer.importers.finding.files import find, open_source
from reviewer.importers.opening import line_files
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.line_files import LARGE, LineFile, line_file
from tests.importers.opening.told import told
from tests.importers.reading import SAMPLES, SHARED, put, read, reasons

ROW = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "LARGE", 0)


@pytest.fixture
def short_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "HEAD_LINES", 2)


def lazily(path: Path) -> LineFile | None:
    source = line_file(path)
    return source.lines if source and isinstance(source.lines, LineFile) else None


def _files() -> list[Path]:
    every = find([folder for folder in (SAMPLES, SHARED / "traces") if folder.is_dir()]).files
    return [file.path for file in every if file.path.suffix in (".jsonl", ".ndjson")]


@pytest.mark.parametrize("path", _files(), ids=lambda path: path.name)
def test_both_ways_give_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = told(path)
    monkeypatch.setattr(line_files, "LARGE", 0)
    monkeypatch.setattr(line_files, "HEAD_LINES", 2)
    with suppress(InputError):
        whole_source = decode(path, path.read_bytes())
        assert (lazily(path) is None) == whole_source.is_json
    assert told(path) == whole


PARTS = st.sampled_from(
    [
        *(
            b'{"a": 1}',
            b'{"b": "\xc3\xa9\xe2\x80\xa8"}',
            b"[1]",
            b"42",
            b"null",
            b'"x"',
            b"{",
            b"[",
            b"]",
            b"}",
        ),
        *(b"\n", b"\r\n", b" ", b"\t", b"\x0c", b"\xff", b"\xe2\x80", b'{"c": "\xff"}', b'{"d": "a\tb"}'),
        *(
            b"\xef\xbb\xbf",
            b"\xff\xfe",
            b'{"n": ' + b"9" * 4400 + b"}",
            b"[" * 400 + b"]" * 400,
            b"PK\x03\x04",
        ),
        *(b"\0", b"\x1e", b'{"e": 1}{"e": 2}', b'{"f": 1},', b"data: {}"),
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.one_of(PARTS, st.just(b"\n")), max_size=14), st.integers(1, 4))
@example([b'{"a": 1}', b"\n", b'{"c": "\xff"}', b"\n", b"{", b"\n", b"\xe2\x80", b"\n"], 1)
@example([b'{"a": 1}', b"\n", b"\x00"], 1)
@example([b"\xef\xbb\xbf", b"\n", b" ", b"\n", b'{"a": 1}', b"\n", b"[" * 400 + b"]" * 400], 2)
def test_any_lines_are_the_same_both_ways(all_large: None, parts: list[bytes], head: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_files, "HEAD_LINES", head)
        path = Path(folder, "x.jsonl")
        path.write_bytes(b"".join(parts))
        source = line_file(path)
        if source is None:
            return
        whole = decode(path, path.read_bytes())
        assert not whole.is_json
        for _ in range(2):
            assert list(source.lines) == list(whole.lines)
        assert sorted(map(repr, source.notes())) == sorted(map(repr, whole.notes()))


WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
# Letters with the byte of a line feed in them, in either half, and half of a pair.
LETTERS = st.sampled_from(["\u0a0a", "\u410a", "\u0a41", "\u000a", "\u2028", "\U0001f3a7", "\U00010a0a", " "])
ROWS = st.sampled_from(
    ['{"a": 1}', '{"a": "\u0a0a\u0a41\u410a\U0001f3a7"}', "[1]", "{", "}", "42", "\0", "\x1e"]
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(ROWS | LETTERS, max_size=14), st.sampled_from(WIDE), st.integers(1, 4), st.integers(0, 3))
def test_any_wide_lines_are_the_same_both_ways(
    all_large: None, parts: list[str], encoding: str, head: int, cut: int
) -> None:
    data = ("\ufeff" + '{"z": 0}\n' + "".join(parts)).encode(encoding)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_files, "HEAD_LINES", head)
        path = Path(folder, "x.jsonl")
        path.write_bytes(data[: len(data) - cut])
        source = line_file(path)
        if source is None:
            return
        whole = decode(path, path.read_bytes())
        for _ in range(2):
            assert list(source.lines) == list(whole.lines)
        assert sorted(map(repr, source.notes())) == sorted(map(repr, whole.notes()))


@pytest.mark.parametrize(
    "data", [b'{"a": 1}\n', b'[\n{"a": 1},\n{"a": 2}\n]', b'{"a":\n1}\n', b"\n\n", b"42\n43\n"]
)
def test_what_may_be_one_value_is_read_whole(tmp_path: Path, all_large: None, data: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert line_file(path) is None


@pytest.mark.parametrize("encoding", ["utf-8", *WIDE])
def test_the_mark_of_an_encoding_is_no_part_of_the_first_line(
    tmp_path: Path, all_large: None, encoding: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes('\ufeff{"a": 1}\n{"a": "\u0a0a\u0a41"}'.encode(encoding))
    assert [line.value for line in lazily(path) or ()] == [{"a": 1}, {"a": "\u0a0a\u0a41"}]


def test_small_files_are_read_whole(tmp_path: Path) -> None:
    assert line_file(put(tmp_path, "x.jsonl", [ROW, ROW])) is None
    assert line_file(tmp_path / "gone.jsonl") is None


def test_bad_lines_are_named_once_and_lost(tmp_path: Path, all_large: None, short_head: None) -> None:
    path = tmp_path / "x.jsonl"
    lines = [json.dumps({**ROW, "id": str(number)}) for number in range(6)]
    lines[4] = lines[4][:-5]
    path.write_text("\n".join(lines) + "\n\n{cut", encoding="utf-8")
    importer, source = open_source(path)
    found = list(importer.read(source))
    assert [item.trace.info.task_id for item in found] == ["0", "1", "2", "3", "5"]
    assert [json.loads(item.trace.raw)["id"] for item in found] == ["0", "1", "2", "3", "5"]
    assert [note.line for note in source.notes()] == [5, 8]
    assert "line 5 is skipped" in reasons(source.notes())
    assert source.lost == 2


def test_what_is_added_later_is_not_read(tmp_path: Path, all_large: None, short_head: None) -> None:
    path = put(tmp_path, "x.jsonl", [{**ROW, "id": str(number)} for number in range(5)])
    lines = lazily(path)
    assert lines is not None
    path.write_bytes(path.read_bytes().rstrip() + b' {"id": "later"}\n{"id": "later still"}\n')
    assert [line.value["id"] for line in lines] == ["0", "1", "2", "3", "4"]


def test_a_file_that_becomes_shorter_is_refused_by_name(
    tmp_path: Path, all_large: None, short_head: None
) -> None:
    path = put(tmp_path, "x.jsonl", [{**ROW, "id": str(number)} for number in range(5)])
    importer, source = open_source(path)
    path.write_bytes(path.read_bytes()[:-80])
    with pytest.raises(InputError, match=r"x\.jsonl: has become shorter"):
        list(importer.read(source))
    path.unlink()
    with pytest.raises(InputError, match=r"x\.jsonl: cannot be read"):
        list(importer.read(source))


def test_a_session_is_held(tmp_path: Path, all_large: None) -> None:
    source = Source(tmp_path, "", False, lines=lazily(put(tmp_path, "x.jsonl", [ROW, ROW])) or ())
    source.hold()
    assert isinstance(source.lines, tuple)
    assert len(source.lines) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_large_file_is_not_held(tmp_path: Path, encoding: str) -> None:
    for name in names():
        importer_of(name)  # forty modules are compiled once, and no part of a file
    path = tmp_path / "x.jsonl"
    words = "word " * 20_000
    with path.open("w", encoding=encoding) as file:
        for number in range(LARGE // len(words) + 1):
            file.write(json.dumps({"id": number, "messages": [{"role": "user", "content": words}]}) + "\n")
    tracemalloc.start()
    try:
        importer, source = open_source(path)
        count = sum(len(item.trace.steps) for item in importer.read(source))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == LARGE // len(words) + 1
    assert peak < LARGE / 2
    assert len(read(path)) == count
