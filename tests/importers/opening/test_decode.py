"""From bytes to values: encodings, JSON Lines, and the things real files do to a JSON parser."""

from __future__ import annotations

import json
import math
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers import importer, names
from reviewer.importers.finding.files import open_source
from reviewer.importers.opening import line_files, object_files
from reviewer.importers.opening.decode import decode, elements
from reviewer.importers.opening.loading import MAX_DEPTH
from tests.importers.reading import one, put, read_all, reasons

PATH = Path("file.json")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_byte_order_marks(encoding: str) -> None:
    mark = "\ufeff" if encoding[-2:] in ("le", "be") else ""
    source = decode(PATH, (mark + '{"a": "ü🎧"}').encode(encoding))
    assert source.value == {"a": "ü🎧"}
    assert not source.notes()


def test_bytes_that_are_no_text_are_counted() -> None:
    source = decode(PATH, b'{"a": "\xff\xfe x \xc3", "b": "\xef\xbf\xbd"}')
    assert source.value["a"] == "\ufffd\ufffd x \ufffd"
    (note,) = source.notes()
    assert note.count == 3


def test_json_lines_with_crlf_blank_lines_and_odd_separators() -> None:
    source = decode(PATH, '{"a": "x\u2028y\x85z"}\r\n\r\n{"a": 2}'.encode())
    assert [(line.number, line.value) for line in source.lines] == [
        (1, {"a": "x\u2028y\x85z"}),
        (3, {"a": 2}),
    ]
    assert not source.notes()


def test_a_bad_line_costs_only_itself() -> None:
    source = decode(PATH, b'{"a": 1}\n{"a": \n{"a": 3}\n{"a": "cut')
    assert [line.bad == "" for line in source.lines] == [True, False, True, False]
    assert [note.line for note in source.notes()] == [2, 4]
    assert "line 2" in source.notes()[0].reason


def test_one_value_is_never_json_lines() -> None:
    assert decode(PATH, b'[\n{"a": 1},\n{"a": 2}\n]').is_json
    assert decode(PATH, b'{"a": 1}\n').is_json


def test_huge_numbers_are_kept_as_text() -> None:
    digits = "9" * 5000
    source = decode(Path("digits.json"), f'{{"n": {digits}, "m": {2**70}}}'.encode())
    assert source.value == {"n": digits, "m": 2**70}
    assert "4300 digits" in reasons(source.notes())


def test_numbers_outside_json() -> None:
    value = decode(PATH, b'{"a": NaN, "b": -Infinity, "c": 1e400}').value
    assert math.isnan(value["a"])
    assert value["b"] == -math.inf
    assert value["c"] == math.inf


def test_raw_control_characters_are_kept_and_told() -> None:
    source = decode(PATH, b'{"a": "x\ty\x1b[1m"}')
    assert source.value == {"a": "x\ty\x1b[1m"}
    assert "control characters" in reasons(source.notes())


def test_lone_surrogates_are_kept() -> None:
    assert decode(PATH, rb'{"a": "m\udcb2"}').value == {"a": "m\udcb2"}


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 3000, 200_000])
def test_deep_nesting_is_refused_by_name(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    with pytest.raises(InputError, match=r"deep\.json: refused: the JSON is nested"):
        decode(Path("deep.json"), f'{{"a": {deep}}}'.encode())
    lines = decode(PATH, f'{{"ok": 1}}\n{{"a": {deep}}}\n'.encode()).lines
    assert [bool(line.bad) for line in lines] == [False, True]


def test_the_depth_that_is_allowed_can_be_written_again() -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH - 1):
        value = [value]
    assert decode(PATH, json.dumps({"a": value}).encode()).value == {"a": value}


def test_the_depth_that_is_allowed_can_be_shown(tmp_path: Path) -> None:
    value: Any = "inside"
    for _ in range(MAX_DEPTH // 2 - 5):
        value = {"a": [value]}
    trace = one(put(tmp_path, "x.json", {"task": "t", "trajectory": [{"observation": value}]})).trace
    assert "inside" in trace.steps[0].results[0].content


def test_elements_are_verbatim() -> None:
    source = decode(PATH, b' [ {"a": 1e400} ,\n{"b": [1, 2]},"x" ]\n')
    assert elements(source) == ['{"a": 1e400}', '{"b": [1, 2]}', '"x"']


def test_raw_is_equal_to_the_source(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = '{"type": "user", "uuid": "u%d", "message": {"content": "x \\udcb2", "n": 1e400}}'
    path.write_text(f"{row % 1}\r\n\n{{broken\n{row % 2}", encoding="utf-8", newline="")
    (imported,), notes = read_all(path)
    assert imported.trace.raw == f'[{row % 1},\n"{{broken",\n{row % 2}]'
    assert json.loads(imported.trace.raw)[1] == "{broken"
    assert "line 3" in reasons(notes)


def test_raw_of_one_object_is_the_text_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    text = '{ "task": "t", "trajectory": ["a"],\n "n": 1e400, "big": 1180591620717411303424 }'
    path.write_text(f"\ufeff\n{text}\n\n", encoding="utf-8")
    assert one(path).trace.raw == text


@pytest.mark.parametrize(
    ("text", "numbers", "told"),
    [
        ('{"a": 1}{"a": 2}\n{"a": 3} {"a": 4}', [1, 1, 2, 2], "share a line"),
        ('{"a": 1},\n{"a": 2},\n', [1, 2], "share a line"),
        ('{"a": 1}\r{"a": 2}\r', [1, 1], "share a line"),
        ('{\n "a": 1\n}\n{\n "a": [\n  2\n ]\n}\n', [1, 4], "one after the other"),
        ('\x1e{\n "a": 1\n}\n\x1e{\n "a": 2\n}\n', [1, 4], "one after the other"),
        ('\x1e{"a": 1}\n\x1e{"a": 2}\n', [1, 2], ""),
        ('{"a": 1}\n{"a": 2}\0\0\0', [1, 2], "NUL"),
        ('{"a": 1}\n\0\0\n\0\0{"a": 2}\n', [1, 3], "NUL"),
    ],
)
def test_values_that_follow_each_other(text: str, numbers: list[int], told: str) -> None:
    source = decode(PATH, text.encode())
    lines = list(source.lines)
    assert [line.number for line in lines] == numbers
    assert [line.value for line in lines if line.bad or not line.value["a"]] == []
    assert json.loads(f"[{','.join(line.text for line in lines)}]") == [line.value for line in lines]
    assert len(source.notes()) == bool(told)
    assert told in reasons(source.notes())


def test_one_value_with_padding_is_one_value() -> None:
    source = decode(PATH, b'\x1e{"a": 1}\n\0\0')
    assert (source.value, len(source.notes())) == ({"a": 1}, 1)


def test_a_damaged_value_among_others_costs_only_itself() -> None:
    glued = decode(PATH, b'{"a": 1}{"a": 2\n{"a": 3}\n')
    assert [(line.number, line.bad == "") for line in glued.lines] == [(1, True), (1, False), (2, True)]
    laid = decode(PATH, b'{\n"a": 1\n}\n{\n"a": \n}\n{\n"a": 3\n}\n{\n"a": 4')
    assert [(line.number, line.bad == "") for line in laid.lines] == [
        (1, True),
        (4, False),
        (7, True),
        (10, False),
    ]
    assert "line 4 is skipped" in reasons(laid.notes())


@pytest.mark.parametrize("text", ['{"a": 1} x', '{"a": 1} 2', '{\n"a": 1\n}\n{"a":'])
def test_damage_is_no_run_of_values(text: str) -> None:
    with pytest.raises(InputError, match="damaged JSON"):
        decode(PATH, text.encode())


def test_many_bad_lines_are_told_of_together(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    row = '{"messages": [{"role": "user", "content": "x"}]}'
    path.write_text("\n".join([row, *["{damaged"] * 500, *[row] * 600]), encoding="utf-8")
    _, notes = read_all(path)
    skipped = [note for note in notes if "skipped" in note.reason]
    assert len(skipped) == 21
    assert (skipped[-1].reason, skipped[-1].count) == ("further lines are skipped, from this one on", 480)


def test_a_control_character_in_a_long_line_costs_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"task": "t", "trajectory": ["a\tb' + "x" * 2_000_000 + '"]}', encoding="utf-8")
    for name in names():
        importer(name)  # forty modules are compiled once, and no part of a file
    tracemalloc.start()
    found = one(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.trace.steps[0].message.startswith("a\tbxx")
    assert peak < 40_000_000


@pytest.mark.parametrize("large", [False, True])
def test_each_line_may_begin_with_a_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    """Files of Windows that somebody put together."""
    monkeypatch.setattr(line_files, "LARGE", 0 if large else line_files.LARGE)
    rows = [{"id": f"c{n}", "messages": [{"role": "user", "content": f"Moor {n}."}]} for n in range(3)]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f"\ufeff{json.dumps(row)}\r\n" for row in rows) + "\ufeff\n", encoding="utf-8")
    found, notes = read_all(path)
    assert [one.trace.info.task for one in found] == ["Moor 0.", "Moor 1.", "Moor 2."]
    assert "skipped" not in reasons(notes)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("shape", ["lines", "list", "object"])
def test_a_run_of_nul_bytes_inside_a_value_is_a_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, large: bool
) -> None:
    """A file system that crashed: what stood there is gone, and two records may have become one."""
    monkeypatch.setattr(line_files, "LARGE", 0 if large else line_files.LARGE)
    monkeypatch.setattr(object_files, "PART", 0 if large else object_files.PART)
    rows = [{"id": f"c{n}", "messages": [{"role": "user", "content": f"Moor @{n}."}]} for n in range(5)]
    texts = [json.dumps(row) for row in rows]
    text = "\n".join(texts) if shape == "lines" else f"[{','.join(texts)}]"
    text = '{"results": ' + text + "}" if shape == "object" else text
    begin, end = text.index("@1"), text.index("@3")
    path = tmp_path / "x.json"
    path.write_text(text[:begin] + "\0" * (end - begin + 600) + text[end:], encoding="utf-8")
    importer, source = open_source(path)
    found = list(importer.read(source))
    tasks = [one.trace.info.task for one in found]
    assert (tasks[0], tasks[-1]) == ("Moor @0.", "Moor @4.")
    assert reasons(source.notes()).count("a long run of NUL bytes stands in it") == 1
    assert source.lost == 1
