"""`export parquet`: typed, whole, with one schema, read back by pyarrow; without it one line says so."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from reviewer.exporters import columns
from reviewer.exporters.csv import held, read_csv
from reviewer.exporters.parquet import put
from reviewer.store import Store
from tests.conftest import Ran
from tests.exporters.labelled import ODD, filled
from tests.exporters.test_csv import TEXTS

Cli = Callable[..., Ran]


def test_it_holds_what_the_csv_holds(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    assert reviewer("export", "parquet", "-o", tmp_path / "x").status == 0
    rows = parquet.read_table(tmp_path / "x").to_pylist()
    plain = read_csv(reviewer("export", "csv").out)
    assert len(rows) == len(plain) == 8
    for row, other in zip(rows, plain, strict=True):
        for name in ("trace_id", "kind", "mode", "passed", "score", "step", "attempt", "flagged", "round"):
            assert row[name] == other[name], name
        assert row["note"] == held(other["note"])
        assert row["secondary"] == (other["secondary"] or [])


def test_the_steps_come_along_whole(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    assert reviewer("export", "parquet", "--with-trace", "--mode", "other", "-o", tmp_path / "x").status == 0
    row, *_ = parquet.read_table(tmp_path / "x").to_pylist()
    steps = row["trace"]
    assert [step["n"] for step in steps] == [1, 2, 3, 4, 5, 6]
    assert steps[2]["results"][0]["content"] == held(ODD)
    assert steps[2]["tool_calls"][0]["arguments"].count(str(2**80)) == 1
    assert (steps[1]["results"][0]["exit_code"], steps[4]["tokens_in"], steps[4]["tokens_out"]) == (
        None,
        None,
        3,
    )
    assert str(2**70) in steps[1]["extra"] and str(2**70) in steps[4]["extra"]


@given(st.lists(st.tuples(TEXTS, st.floats(), st.integers(), st.none() | st.booleans()), max_size=5))
def test_any_values_fit(values: list[tuple[str, float, int, bool | None]]) -> None:
    schema = {
        "t": "string",
        "f": "float64",
        "i": "int64",
        "b": "bool",
        "l": [{"s": ["string"], "j": "string"}],
    }
    rows = [{"t": t, "f": f, "i": i, "b": b, "l": [{"s": [t], "j": {t: i}}]} for t, f, i, b in values]
    file = io.BytesIO()
    assert put(file, (columns.fitted(row, schema) for row in rows), schema) == len(rows)
    found = parquet.read_table(io.BytesIO(file.getvalue())).to_pylist()
    assert [row["t"] for row in found] == [held(t) for t, _, _, _ in values]
    assert [row["i"] for row in found] == [i if abs(i) < 2**63 else None for _, _, i, _ in values]
    assert [row["b"] for row in found] == [b for _, _, _, b in values]


def test_without_pyarrow_one_line_says_what_to_do(
    store: Store, reviewer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    ran = reviewer("export", "parquet", "-o", tmp_path / "x")
    assert (ran.status, ran.err.count("\n")) == (1, 1) and "pip install" in ran.err
    assert not (tmp_path / "x").exists()
    ran = reviewer("export", "dataset", "-o", tmp_path / "lines")  # the study of the README needs no extra
    assert ran.status == 0 and "this is JSON Lines" in ran.err
    assert list((tmp_path / "lines").rglob("*.jsonl")) and not list((tmp_path / "lines").rglob("*.parquet"))
    assert reviewer("export", "dataset", "--jsonl", "-o", tmp_path / "x").status == 0
    refused = reviewer("export", "dataset", "--mode", "safety_refusal", "-o", tmp_path / "none")
    assert refused.status == 1 and "no trace matches" in refused.err and "JSON Lines" not in refused.err
