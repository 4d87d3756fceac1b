"""The checks on what goes out and comes back: CSV files, merged stores."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from pyarrow import parquet

from reviewer.exporters.csv import COLUMNS, TEXT, WITH_TRACE, read_csv, unprotect
from tests.hostile.case import Check
from tests.hostile.checks import check, exported, parquet_rows
from tests.hostile.trial import Trial, strict


def label_with_its_text(trial: Trial) -> int:
    """Every trace gets its own task as a note; returns the number of labels."""
    trial.use_modes({"none"})
    rows = [strict(line) for line in exported(trial, "jsonl").splitlines()]
    for row in rows:
        trial.label("ana", row["trace_id"], "none", "--note", row["trace"]["task"][:20_000])
    return len(rows)


@check("csv_roundtrip")
def _csv_roundtrip(trial: Trial, check: Check) -> None:
    label_with_its_text(trial)
    text = exported(trial, "csv")
    rows = [strict(line) for line in exported(trial, "jsonl").splitlines()]
    back = read_csv(text)
    assert [(row["note"], row["task"]) for row in back] == [
        (row["labels"][0]["note"] or "", row["trace"]["task"]) for row in rows
    ]
    columns = COLUMNS | WITH_TRACE
    limit = csv.field_size_limit(2**31 - 1)
    try:
        plain = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    finally:
        csv.field_size_limit(limit)
    texts = [name for name, kind in columns.items() if kind == TEXT]
    assert [[unprotect(row[name]) for name in texts] for row in plain] == [
        [row[name] for name in texts] for row in back
    ]


@check("csv_row_count_equals_labels")
def _csv_row_count_equals_labels(trial: Trial, check: Check) -> None:
    assert len(read_csv(exported(trial, "csv"))) == label_with_its_text(trial) == len(trial.current())


@check("csv_cells_safe")
def _csv_cells_safe(trial: Trial, check: Check) -> None:
    label_with_its_text(trial)
    numbers = {name for name, kind in COLUMNS.items() if kind != TEXT}
    limit = csv.field_size_limit(2**31 - 1)
    try:
        for row in csv.DictReader(io.StringIO(exported(trial, "csv"), newline="")):
            for name, cell in row.items():
                assert name in numbers or not cell.lstrip().startswith(tuple(check["not_in"])), (name, cell)
    finally:
        csv.field_size_limit(limit)


@check("parquet_schema_fixed")
def _parquet_schema_fixed(trial: Trial, check: Check) -> None:
    """The schema of the full store is that of an empty one and of one with a single trace."""
    found = []
    for given in ((), ("--without-trace", "--mode", "no_failure"), ("--benchmark", "there is no such one")):
        file = trial.folder / "schema.parquet"
        assert trial.run("export", "parquet", "--force", "-o", file, *given).status == 0
        found.append(parquet.read_schema(file))
    empty, one = trial.folder / "empty", trial.folder / "one"
    for folder in (empty, one):
        folder.mkdir()
    (one / "one.json").write_text('{"task": "t", "trajectory": [{"thought": "a", "action": "b"}]}')
    for folder in (empty, one):
        store = folder / "store.db"
        labels = folder / "labels.jsonl"
        labels.write_text('{"reviewer": "labels", "version": 1}\n')
        trial.beside(store, "import", *folder.glob("*.json*"))
        trial.beside(store, "export", "parquet", "-o", folder / "out.parquet")
        found.append(parquet.read_schema(folder / "out.parquet"))
    assert all(schema.equals(found[0], check_metadata=True) for schema in found)
    assert [parquet.read_metadata(folder / "out.parquet").num_rows for folder in (empty, one)] == [0, 1]


@check("export_row_count")
def _export_row_count(trial: Trial, check: Check) -> None:
    counts = {
        "csv": len(read_csv(exported(trial, "csv"))),
        "jsonl": len(exported(trial, "jsonl").splitlines()),
        "parquet": len(parquet_rows(trial)),
    }
    assert {counts[name] for name in check["formats"]} == {len(trial.ask("traces"))}, counts
    columns = set(parquet_rows(trial)[0])
    assert columns == set(COLUMNS | WITH_TRACE)


@check("export_redacted_excludes")
def _export_redacted_excludes(trial: Trial, check: Check) -> None:
    """In no file of any export that was asked to mask does the text stand; without that it does."""
    text = check["text"]
    assert text in exported(trial, "jsonl")
    for what in ("jsonl", "csv", "parquet", "atif", "dataset", "examples"):
        place = trial.folder / f"masked-{what}"
        steps = () if what in ("atif", "examples") else ("--with-trace",)
        ran = trial.run("export", what, *steps, "--redact", "-o", place)
        assert ran.status == 0, ran
        for file in [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]:
            assert text not in _texts(file), (what, file)


def _texts(file: Path) -> str:
    if file.suffix == ".parquet" or file.name == "masked-parquet":
        return json.dumps(parquet.read_table(file).to_pylist(), ensure_ascii=False)
    return file.read_text("utf-8")


@check("merge_commutes")
def _merge_commutes(trial: Trial, check: Check) -> None:
    files = [trial.at(name).run("export", "labels").out for name in ("A", "B")]
    trial.at("A")
    assert files[0] == files[1]
    assert files[0].count('"reviewer": "event"') > 1


@check("merge_idempotent")
def _merge_idempotent(trial: Trial, check: Check) -> None:
    before = trial.run("export", "labels").out
    again = json.loads(trial.run("merge", trial.place("B"), "--json").out)
    assert all(counts["new"] == 0 for counts in again.values() if isinstance(counts, dict))
    assert trial.run("export", "labels").out == before


@check("conflicts_listed")
def _conflicts_listed(trial: Trial, check: Check) -> None:
    status = trial.ask("status")
    assert status["conflicts"] == len(status["conflicting"]) == check["eq"]
    assert trial.run("status").out.count("conflict: ") == check["eq"]
