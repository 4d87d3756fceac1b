"""The checks on what goes out and comes back: CSV files, merged stores."""

from __future__ import annotations

import csv
import io
import json

from reviewer.exporters.csv import COLUMNS, TEXT, WITH_TRACE, read_csv, unprotect
from tests.hostile.case import Check
from tests.hostile.checks import check, exported
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
