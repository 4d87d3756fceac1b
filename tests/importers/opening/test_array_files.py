"""Large JSON lists are read element by element, and give what they give when they are read whole."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewer.importers import importer as importer_of
from reviewer.importers import names
from reviewer.importers.finding.files import find, open_source
from reviewer.importers.opening import array_files, line_files, sliding
from reviewer.importers.opening.array_files import ArrayFile, array_file
from tests.importers.opening.told import told
from tests.importers.reading import SAMPLES, SHARED, read, read_all, reasons

ROW = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "LARGE", 0)
    monkeypatch.setattr(array_files, "HEAD_LINES", 2)
    monkeypatch.setattr(sliding, "CHUNK", 7)


def _lists() -> list[Path]:
    every = find([folder for folder in (SAMPLES, SHARED / "traces") if folder.is_dir()]).files
    return [one.path for one in every if one.path.suffix == ".json" and one.path.read_bytes()[:1] == b"["]


@pytest.mark.parametrize("path", _lists(), ids=lambda path: path.name)
def test_both_ways_give_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = told(path)
    monkeypatch.setattr(line_files, "LARGE", 0)
    monkeypatch.setattr(array_files, "HEAD_LINES", 2)
    assert told(path) == whole


@pytest.mark.usefixtures("all_large")
def test_only_a_list_of_records_is_taken_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for value, taken in (([ROW] * 5, True), (ROW["messages"], False), ([], False), ([1, 2], False)):
        path.write_text(json.dumps(value), encoding="utf-8")
        assert (array_file(path) is not None) is taken, value


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.recursive(st.none() | st.text() | st.floats(allow_nan=False), st.lists, max_leaves=5)),
    st.sampled_from([None, 1]),
    st.booleans(),
)
@example(["\u2028é", "\ud83c\udfa7"], 1, False)
def test_elements_are_verbatim(values: list[object], indent: int | None, ascii: bool) -> None:
    import tempfile

    text = json.dumps([ROW, *values], indent=indent, ensure_ascii=ascii)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sliding, "CHUNK", 3)
        path = Path(folder, "x.json")
        path.write_bytes(data)
        lines = list(ArrayFile(path, lambda: path.open("rb"), []))
        assert [line.value for line in lines] == [ROW, *values]
        assert [json.loads(line.text) for line in lines] == [ROW, *values]


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize(
    ("tail", "why"),
    [
        ('{"messages": [', "cut off"),
        ('{"messages": "abc', "cut off"),
        ("", "cut off"),
        ("nonsense" * 9, "damaged"),
    ],
)
def test_what_comes_before_the_damage_is_kept(tmp_path: Path, tail: str, why: str) -> None:
    path = tmp_path / "x.json"
    rows = [{"messages": [{"role": "user", "content": str(n)}]} for n in range(4)]
    path.write_text("[" + ", ".join(map(json.dumps, rows)) + ", " + tail, encoding="utf-8")
    found, notes = read_all(path)
    assert len(found) == 4
    assert f"after element 4 of the list is lost: {why}" in reasons(notes).replace("it is ", "").replace(
        "JSON ", ""
    )
    importer, source = open_source(path)
    list(importer.read(source))
    assert source.lost == 1


@pytest.mark.usefixtures("all_large")
def test_odd_elements_are_mended_as_in_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    odd = '{"messages": [{"role": "user", "content": "a\tb"}, {"role": "assistant", "content": "c"}]}'
    path.write_text(f"[{json.dumps(ROW)}, {odd}]", encoding="utf-8")
    found, notes = read_all(path)
    assert found[1].trace.steps[0].message == "a\tb"
    assert "raw control characters" in reasons(notes)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    row = json.dumps({"messages": [{"role": "user", "content": "x " * 20_000}]})
    path.write_text("[" + ",\n".join([row] * 500) + "]", encoding="utf-8")  # 20 MB
    for name in names():
        importer_of(name)  # forty modules are compiled once, and no part of a file
    tracemalloc.start()
    importer, source = open_source(path)
    count = sum(1 for _ in importer.read(source))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1  # the same record 500 times is one trace
    assert peak < 12_000_000
    assert read(path)[0].trace.info.n_messages == 1


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("tail", ["]", "]]} garbage", f" [{json.dumps(ROW)}]"])
def test_what_follows_the_list_istold(tmp_path: Path, tail: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([ROW] * 3) + tail, encoding="utf-8")
    importer, source = open_source(path)
    assert len(list(importer.read(source))) == 1
    assert "the list ends before the file does" in reasons(source.notes())
    assert source.lost == 1


@pytest.mark.usefixtures("all_large")
def test_bytes_that_are_no_text_are_told_as_in_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(json.dumps([ROW, ROW]).encode().replace(b'"x"', b'"\xff"'))
    importer, source = open_source(path)
    list(importer.read(source))
    assert "bytes that are not UTF-8" in reasons(source.notes())
