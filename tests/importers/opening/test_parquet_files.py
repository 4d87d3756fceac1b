"""Parquet: rows are records; what is damaged or needs the extra is said in one line."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.opening.parquet_files import ROWS
from tests.importers.reading import read

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow, an extra, is not installed")


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def chat(name: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": f"do {name}"}, {"role": "assistant", "content": "done"}]


@pytest.mark.parametrize("spelled", [lambda talk: talk, json.dumps], ids=["nested", "as text"])
def test_rows_are_traces(tmp_path: Path, spelled: Any) -> None:
    rows = [{"messages": spelled(chat(str(n))), "model": "brook"} for n in range(3 * ROWS)]
    found = read(write(tmp_path / "x.parquet", rows))
    assert [one.trace.info.task for one in found] == [f"do {n}" for n in range(3 * ROWS)]
    assert {one.trace.info.model for one in found} == {"brook"}
    assert json.loads(found[0].trace.raw)["messages"][0]["content"] == "do 0"


def test_values_that_json_does_not_know(tmp_path: Path) -> None:
    row = {"messages": chat("x"), "at": datetime(2026, 5, 1, tzinfo=UTC), "blob": b"\xff\x00"}
    (one,) = read(write(tmp_path / "x.parquet", [row]))
    assert json.loads(one.trace.raw)["at"] == "2026-05-01T00:00:00+00:00"
    assert json.loads(one.trace.raw)["blob"] == "/wA="


def test_ruins_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", [{"messages": chat("x")}])
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(InputError, match=r"x\.parquet: a damaged Parquet file: \S"):
        read(path)
    with pytest.raises(InputError, match=r"x\.parquet: a Parquet file without a row"):
        read(write(path, []))


def typed(path: Path, **columns: Any) -> Path:
    """One row with these values of these types, and a chat."""
    from pyarrow import parquet

    arrays = {name: pyarrow.array([value], kind) for name, (value, kind) in columns.items()}
    parquet.write_table(pyarrow.table({"messages": [json.dumps(chat("x"))], **arrays}), path)
    return path


def test_times_that_python_does_not_know_are_texts(tmp_path: Path) -> None:
    far = pyarrow.timestamp("us")
    path = typed(
        tmp_path / "x.parquet",
        fine=(1, pyarrow.timestamp("ns")),
        far=(2**62, far),
        far_utc=(2**62, pyarrow.timestamp("us", tz="UTC")),
        nowhere=(7, pyarrow.timestamp("us", tz="Nowhere/X")),
        day=(-(2**31), pyarrow.date32()),
        long=(2**62, pyarrow.duration("us")),
        clock=(1, pyarrow.time64("ns")),
        inside=({"a": [2**62, None], "b": 5}, pyarrow.struct([("a", pyarrow.list_(far)), ("b", "int8")])),
        map=([("k", 2**62)], pyarrow.map_(pyarrow.string(), far)),
    )
    (one,) = read(path)
    row = json.loads(one.trace.raw)
    assert row["fine"] == "1970-01-01 00:00:00.000000001"
    assert row["far"] == str(2**62)
    assert row["far_utc"].startswith("17036-07-06")
    assert row["inside"] == {"a": [str(2**62), None], "b": 5}
    assert row["map"] == [{"key": "k", "value": str(2**62)}]
    assert (row["nowhere"], row["day"], row["clock"]) == ("7", str(-(2**31)), "00:00:00.000000001")
    assert row["messages"][0]["role"] == "user"


@pytest.mark.parametrize("rows", [1, 300])
def test_a_few_bytes_that_unpack_to_very_many_are_refused(tmp_path: Path, rows: int) -> None:
    from pyarrow import parquet

    talk = json.dumps([{"role": "user", "content": "a" * (60_000_000 // rows)}])
    column = pyarrow.array([talk] * rows).dictionary_encode()
    path = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.table({"messages": column}), path, compression="zstd")
    assert path.stat().st_size < 10_000
    with pytest.raises(InputError, match=r"x\.parquet: refused: \d+ bytes unpack to more than \d+ MB"):
        read(path)


def test_without_the_extra_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "x.parquet", [{"messages": chat("x")}])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="pip install -e"):
        read(path)
