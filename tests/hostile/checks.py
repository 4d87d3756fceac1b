"""The checks on what a case leaves behind: import, list, export, history, agreement; a function each.

`CHECKS` is the one place where an operation is entered; `screen.py` and `tty.py` add
those that need a screen or a terminal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from pyarrow import parquet

from reviewer.exporters import PARQUET
from tests.hostile.case import Check
from tests.hostile.trial import Trial, strict

Operation: TypeAlias = Callable[[Trial, Check], None]
CHECKS: dict[str, Operation] = {}
# Operations of work that is not done yet, with the reason; the runner counts them, it never drops one.
LATER: dict[str, str] = {}
BUG = re.compile(r"Traceback \(most recent call last\)|\b\w+(Error|Exception)\b: ")


def check(name: str) -> Callable[[Operation], Operation]:
    """Enter an operation under its name."""

    def enter(operation: Operation) -> Operation:
        assert name not in CHECKS
        CHECKS[name] = operation
        return operation

    return enter


# -- the import ------------------------------------------------------------------------------------


@check("import_exit")
def _import_exit(trial: Trial, check: Check) -> None:
    if "eq" in check:
        assert trial.imported.status == check["eq"], trial.said
    if "ne" in check:
        assert trial.imported.status != check["ne"], trial.said


@check("import_output_contains")
def _import_output_contains(trial: Trial, check: Check) -> None:
    assert check["text"] in trial.said


@check("import_output_matches")
def _import_output_matches(trial: Trial, check: Check) -> None:
    assert re.search(check["regex"], trial.said, re.IGNORECASE), trial.said


@check("import_output_has_no_bytes")
def _import_output_has_no_bytes(trial: Trial, check: Check) -> None:
    for pattern in check["hex"]:
        assert bytes.fromhex(pattern) not in trial.said.encode()


@check("no_traceback")
def _no_traceback(trial: Trial, check: Check) -> None:
    assert not BUG.search(trial.said), trial.said


@check("max_seconds")
def _max_seconds(trial: Trial, check: Check) -> None:
    assert trial.seconds <= check["value"]


@check("import_atomic_per_file")
def _import_atomic_per_file(trial: Trial, check: Check) -> None:
    """Each file that was not refused is there with its traces, each refused one left nothing."""
    trial.bring_in(trial.case.traces)  # a second time, so that the report lists all of it
    report = strict(trial.run("import", *(trial.folder / name for name in trial.case.traces), "--json").out)
    kept = [trace["file"] for trace in trial.ask("traces")]
    for file in report["files"]:
        assert kept.count(file["file"]) == (0 if file["error"] else file["traces"]), file


# -- the list ----------------------------------------------------------------------------------------


@check("n_traces")
def _n_traces(trial: Trial, check: Check) -> None:
    assert len(trial.traces()) == check["eq"], trial.said


@check("n_traces_min")
def _n_traces_min(trial: Trial, check: Check) -> None:
    assert len(trial.traces()) >= check["value"], trial.said


@check("n_traces_between")
def _n_traces_between(trial: Trial, check: Check) -> None:
    assert check["min"] <= len(trial.traces()) <= check["max"], trial.said


@check("n_traces_in")
def _n_traces_in(trial: Trial, check: Check) -> None:
    assert len(trial.traces()) in check["values"], trial.said


@check("n_messages")
def _n_messages(trial: Trial, check: Check) -> None:
    assert sum(trace["messages"] for trace in trial.traces()) == check["eq"]


@check("any_of")
def _any_of(trial: Trial, check: Check) -> None:
    failed = []
    for one in check["of"]:
        try:
            CHECKS[one["op"]](trial, one)
        except AssertionError as error:
            failed.append(error)
    assert len(failed) < len(check["of"]), failed


# -- what comes out ----------------------------------------------------------------------------------


@check("raw_preserved")
def _raw_preserved(trial: Trial, check: Check) -> None:
    for trace in trial.traces():
        ran = trial.run("show", trace["id"], "--raw")
        source = next(data for name, data in trial.case.files.items() if trace["file"].endswith(name))
        try:
            wanted = json.loads(source)
        except ValueError:  # JSON Lines: one line is the source of a trace
            wanted = json.loads(source.decode("utf-8-sig").split("\n")[trace["index"]])
        assert json.loads(ran.out) == wanted


def exported(trial: Trial, what: str) -> str:
    """A whole export, read back as strict UTF-8 from the file that it wrote."""
    file = trial.folder / f"out.{what}"
    assert trial.run("export", what, "--with-trace", "--force", "-o", file).status == 0
    return file.read_bytes().decode("utf-8", "strict")


@check("export_contains")
def _export_contains(trial: Trial, check: Check) -> None:
    assert check["text"] in exported(trial, check["format"])


@check("export_utf8")
def _export_utf8(trial: Trial, check: Check) -> None:
    for what in check["formats"]:
        assert parquet_rows(trial) if what == PARQUET else exported(trial, what)


@check("json_strict")
def _json_strict(trial: Trial, check: Check) -> None:
    for line in exported(trial, "jsonl").splitlines():
        strict(line)
    for command in ("traces", "status", "agreement", "check"):
        trial.ask(command)
    for trace in trial.traces():
        trial.ask("show", trace["id"])
        trial.ask("history", trace["id"])


# -- labels ------------------------------------------------------------------------------------------


@check("label_isolated")
def _label_isolated(trial: Trial, check: Check) -> None:
    first, *others = [trace["id"] for trace in trial.traces()]
    trial.label("ana", first, "no_failure")
    assert [label["trace"] for label in trial.current()] == [first]
    for other in others:
        assert trial.ask("history", other) == []


def parquet_rows(trial: Trial) -> list[dict[str, Any]]:
    """A whole Parquet export, read back by pyarrow."""
    file = trial.folder / "out.parquet"
    assert trial.run("export", PARQUET, "--with-trace", "--force", "-o", file).status == 0
    table = parquet.read_table(file)
    table.validate(full=True)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


@check("labels_equal_before_after")
def _labels_equal_before_after(trial: Trial, check: Check) -> None:
    assert trial.seen["labels"]
    assert trial.labels() == trial.seen["labels"]


@check("label_points_to_same_message")
def _label_points_to_same_message(trial: Trial, check: Check) -> None:
    """Also: the label says which version of the trace it was given on."""
    (label,) = trial.current()
    shown = trial.ask("show", label["trace"], "--step", label["decisive_step"]["n"])
    assert shown["message"] == trial.seen["labelled message"]
    assert label["decisive_step"]["source_id"] in shown["source_ids"]
    assert label["content_hash"] != trial.ask("show", label["trace"])["content_hash"]


@check("history_events")
def _history_events(trial: Trial, check: Check) -> None:
    """Every event of a person, and every suggestion that proposed something."""
    said = [event for event in trial.history() if event.get("status", "ok") == "ok"]
    assert len(said) == check["eq"], said


# -- agreement ---------------------------------------------------------------------------------------


def pair(trial: Trial, names: list[str]) -> dict[str, Any]:
    (found,) = [
        pair
        for pair in trial.seen["agreement"]["pairs"]
        if {pair["a"]["name"], pair["b"]["name"]} == set(names)
    ]
    assert isinstance(found, dict)
    return found


@check("kappa")
def _kappa(trial: Trial, check: Check) -> None:
    found = pair(trial, check["pair"])
    if "approx" in check:
        assert abs(found["kappa"] - check["approx"]) <= check["tol"], found
    if check.get("is") == "undefined":
        assert found["kappa"] is None and found["undefined"], found


@check("percent_agreement")
def _percent_agreement(trial: Trial, check: Check) -> None:
    (found,) = trial.seen["agreement"]["pairs"]
    assert found["percent_agreement"] == check["eq"]


@check("pair_n")
def _pair_n(trial: Trial, check: Check) -> None:
    assert pair(trial, check["pair"])["n"] == check["eq"]


@check("n_items")
def _n_items(trial: Trial, check: Check) -> None:
    assert trial.seen["agreement"]["shared"] == check["eq"]


@check("raters")
def _raters(trial: Trial, check: Check) -> None:
    pairs = trial.seen["agreement"]["pairs"]
    raters = {one[side]["name"] for one in pairs for side in ("a", "b")}
    assert sorted(raters) == sorted(check["eq"])
    assert {one["name"] for one in trial.seen["agreement"]["annotators"]} == raters
