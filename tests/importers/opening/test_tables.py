"""CSV with JSON in its cells: Langfuse's batch export, and records of any format kept so."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.importers.opening import tables
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.tables import table
from tests.importers.reading import one, put, read_all, reasons

ASK = {"role": "user", "content": "How deep\nis the well?"}
CALL = {"id": "c1", "name": "measure", "args": {"well": 3}}


def written(rows: list[dict[str, Any]], delimiter: str = ",", quoting: Any = csv.QUOTE_MINIMAL) -> str:
    """Rows as a CSV file; what is no text as JSON."""
    out = io.StringIO(newline="")
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = csv.DictWriter(out, names, delimiter=delimiter, quoting=quoting)
    table.writeheader()
    for row in rows:
        table.writerow({k: v if isinstance(v, str) else json.dumps(v) for k, v in row.items()})
    return out.getvalue()


def observations() -> list[dict[str, Any]]:
    def row(key: str, second: int, kind: str, **more: Any) -> dict[str, Any]:
        at = f"2026-01-01T00:00:{second:02}.000Z"
        base = {"id": key, "traceId": "t1", "startTime": at, "endTime": at, "type": kind, "name": key}
        return base | {"level": "DEFAULT", "totalCost": "0.25", "metadata": {}} | more

    said = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    return [
        row("root", 0, "SPAN", input=json.dumps(json.dumps({"messages": [ASK]}))),
        row("a", 1, "GENERATION", input=[ASK], output=said, model="brook-large", parentObservationId="root"),
        row(
            "b",
            2,
            "TOOL",
            name="measure",
            input={"well": 3},
            output="12 m",
            level="ERROR",
            parentObservationId="root",
        ),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_observations_of_langfuse(tmp_path: Path, delimiter: str, quoting: Any) -> None:
    path = tmp_path / "observations.csv"
    path.write_text(written(observations(), delimiter, quoting), encoding="utf-8-sig")
    (found,), notes = read_all(path)
    info, steps = found.trace.info, found.trace.steps
    assert (info.format, info.task, info.model) == ("langfuse", ASK["content"], "brook-large")
    assert (info.n_messages, info.n_tool_calls, info.cost) == (3, 1, 0.25)
    assert [(step.source, len(step.calls), step.error) for step in steps] == [
        ("user", 0, False),
        ("agent", 1, True),
    ]
    assert steps[1].results[0].content == "12 m"
    assert len(json.loads(found.trace.raw)) == 3
    assert not notes


def test_records_of_another_format(tmp_path: Path) -> None:
    rows = [{"id": n, "messages": [ASK, {"role": "assistant", "content": "12 m"}]} for n in ("x", "y")]
    path = tmp_path / "chats.csv"
    path.write_text(written(rows), encoding="utf-8")
    found, _ = read_all(path)
    lines = read_all(put(tmp_path, "chats.jsonl", rows))[0]
    assert [item.trace.info.trace_id for item in found] == [item.trace.info.trace_id for item in lines]


def test_a_row_that_is_cut_off_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    text = written(observations())
    path.write_text(text.replace("DEFAULT,0.25", "DEFAULT,0.25,more", 1), encoding="utf-8")
    (found,), notes = read_all(path)
    assert found.trace.info.n_messages == 2
    assert "line 2 is skipped: it has" in reasons(notes)


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "Hello, world\n[1], 2\n", "one\n{}\n", "a,a\n{},{}\n", "a,b\n", "1,2\n{},[]\n"]
)
def test_what_is_no_table_of_records(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="unknown format"):
        read_all(path)


def test_a_large_table_is_cut_out_anew_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGE", 100)
    path = tmp_path / "x.csv"
    path.write_text(written(observations()), encoding="utf-8")
    assert one(path).trace.info.n_messages == 3


@given(st.text(alphabet='ab,;"\n\r\t{}[]\0 1é', max_size=60))
def test_any_text(text: str) -> None:
    try:
        source = decode(Path("x"), ("id,b\n" + text).encode())
    except InputError:
        return
    found = table(source) if source.is_text else None
    for line in found.lines if found else ():
        assert line.bad or set(line.value) == {"id", "b"}
