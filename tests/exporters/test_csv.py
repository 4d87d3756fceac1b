"""`export csv`: no cell is a formula, everything reads back equal, the header is always the same."""

import csv
import io
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer import taxonomy
from reviewer.errors import InputError
from reviewer.exporters.csv import COLUMNS, lines, protect, read_csv, table, unprotect
from reviewer.label import Annotator, Decision, Gold, LabelEvent, LabelledTrace
from reviewer.trace import Step, Trace, TraceInfo

SIX = taxonomy.load("six-modes")
EVENT = LabelEvent(
    *("e1", "label", "t1-0", "a1", "2026-01-01T00:00:00Z", "cli", "test"),
    taxonomy=SIX.id,
    taxonomy_hash=SIX.hash,
    mode="other",
    condition="blind",
)
ODD = ["=1+1", " \t=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "'", "''=1", "＝1", "\ufeff=1", "\u200b@x"]
NASTY = [
    *ODD,
    "a\r\nb\rc\n",
    '"q", ,;',
    "\0",
    "\\\0",
    "\\u0000",
    "\\\\u0000\0",
    "\ud83d\ude00",
    "\udcb2x",
    "é😀\u2028",
]
TEXTS = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(codec=None, exclude_categories=())),
    st.text(st.sampled_from("\\u0d8=+-@'\t\r\n \",\0\ud800\udfff")),
)


def row(*labels: LabelEvent, **more: Any) -> LabelledTrace:
    info = TraceInfo("t1-0", "c", "plain", **more)
    known = {"a1": Annotator("a1", "ana")}
    return LabelledTrace(info, None, None, Gold("single"), labels, (), (), known)


def written(*rows: LabelledTrace) -> str:
    return "".join(lines(rows, SIX, None))


@given(TEXTS)
@settings(max_examples=400)
def test_a_text_becomes_a_cell_that_is_no_formula_and_comes_back(text: str) -> None:
    cell = protect(text)
    cell.encode("utf-8")
    assert "\0" not in cell
    assert cell.lstrip()[:1] not in tuple("=+-@＝＋－＠")
    assert unprotect(cell) == text


@given(st.lists(TEXTS, min_size=4, max_size=4), st.floats(), st.one_of(st.none(), st.integers(-9, 9)))
@settings(max_examples=200)
def test_rows_read_back_equal(texts: list[str], score: float, attempt: int | None) -> None:
    task, note, name, step = texts
    event = replace(
        EVENT, note=note, step_source=step, step_n=3, facets={"claim": "false"}, secondary=("x", "y")
    )
    one = replace(
        row(event, EVENT, task_id=task, source_path=name, attempt=attempt), score=score, passed=False
    )
    rows = [one, row()]
    file = written(*rows).encode("utf-8").decode("utf-8")
    before = list(table(rows, SIX, None))
    after = read_csv(file)
    if math.isnan(score):
        assert [math.isnan(line.pop("score")) for line in after[:2]] == [True, True]
        for line in before[:2]:
            line.pop("score")
    assert after == before


@given(TEXTS)
def test_any_csv_reader_finds_the_same_cells(text: str) -> None:
    file = written(row(replace(EVENT, note=text)))
    header, *found = csv.reader(io.StringIO(file, newline=""))
    assert header == list(COLUMNS)
    assert [unprotect(cells[header.index("note")]) for cells in found] == [text]


def test_a_row_a_label_and_one_for_a_trace_without_any() -> None:
    adjudication = replace(EVENT, id="e2", kind="adjudicate", reason="rule 3")
    note = replace(EVENT, id="e3", kind="note", mode="", note="hm")
    flag = replace(EVENT, id="e4", kind="flag", mode="")
    gold = Gold("adjudicated", Decision("loop", "sub"))
    rows = read_csv(written(replace(row(EVENT, adjudication, note, flag), gold=gold), row()))
    assert [line["kind"] for line in rows] == ["label", "adjudicate", "note", ""]
    assert [line["gold_mode"] for line in rows] == ["loop"] * 3 + [""]
    assert (rows[0]["annotator"], rows[1]["reason"], rows[3]["round"]) == ("ana", "rule 3", None)


def test_the_header_does_not_depend_on_what_is_there() -> None:
    empty, one = written(), written(row())
    assert one.startswith(empty)
    assert empty.count("\r\n") == 1
    assert read_csv(empty) == []
    assert read_csv("\ufeff" + one) == read_csv(one)  # as a spreadsheet saves it


def test_an_export_is_read_by_its_path_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\ufeff" + written(row(replace(EVENT, note="one\r\ntwo\n")))
    monkeypatch.chdir(tmp_path)
    Path("l.csv").write_bytes(text.encode("utf-8"))
    assert read_csv("l.csv") == read_csv(Path("l.csv")) == read_csv(text)
    assert read_csv(written().rstrip()) == []
    Path("a.csv").write_bytes(b"\xff")
    for name, why in {
        "no.csv": "no such",
        "a.csv": "it is no UTF-8",
        ".": "is a dir",
        "\0": "embedded",
    }.items():
        with pytest.raises(InputError, match=f"(?i)cannot be read: {why}.*or its text"):
            read_csv(name)


def test_cells_of_any_length(tmp_path: object) -> None:
    long = "x" * 200_000 + "\\" * 200_000
    limit = csv.field_size_limit()
    assert read_csv(written(row(replace(EVENT, note=long))))[0]["note"] == long
    assert csv.field_size_limit() == limit


def test_the_trace_comes_along_where_it_is_asked_for() -> None:
    def with_trace(id: str) -> Trace:
        return Trace(TraceInfo(id, "c", "plain", task="=task"), (Step(1, "user", "hello\0"),))

    (found,) = read_csv("".join(lines([row(EVENT)], SIX, with_trace)))
    assert (found["task"], found["trace"][0]["message"]) == ("=task", "hello\0")


@pytest.mark.parametrize(
    "break_it",
    [
        lambda file: "",
        lambda file: "a,b\r\n1,2\r\n",
        lambda file: file + "1,2\r\n",
        lambda file: file + '"',
        lambda file: file.replace("[]", "[", 1),
        lambda file: file.replace(",1,", ",one,", 1),
    ],
)
def test_what_is_no_export_is_refused(break_it: Any) -> None:
    with pytest.raises(InputError):
        read_csv(break_it(written(row(EVENT))))
