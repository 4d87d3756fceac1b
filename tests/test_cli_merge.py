"""`merge` and `status` on the command line: what is counted, what is listed, what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer.exporters.csv import read_csv
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]


def loaded(ran: Ran) -> Any:
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


@pytest.fixture
def two(reviewer: Cli, tmp_path: Path) -> tuple[Path, Path, str]:
    """Two copies of one store, labelled apart: ana in both of them, ben in the second."""
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    assert reviewer("--store", a, "import", SAMPLES / "plain").status == 0
    assert reviewer("--store", a, "backup", b).status == 0
    trace: str = loaded(reviewer("--store", a, "traces", "--json"))[0]["id"]
    for store, who, mode in ((a, "ana", "other"), (b, "ana", "no_failure"), (b, "ben", "no_failure")):
        assert reviewer("--store", store, "annotate", trace, mode, "--as", who).status == 0
    return a, b, trace


def history(reviewer: Cli, store: Path, trace: str) -> list[str]:
    return sorted(event["id"] for event in loaded(reviewer("--store", store, "history", trace, "--json")))


def test_both_ways_the_same_events_and_the_conflict_is_listed(
    reviewer: Cli, two: tuple[Path, Path, str]
) -> None:
    a, b, trace = two
    first = loaded(reviewer("--store", a, "merge", b, "--json"))
    assert first["events"] == {"new": 2, "known": 0, "refused": 0}
    kinds = {"traces", "events", "exposures", "suggestions", "annotators", "taxonomies", "outcomes"}
    assert kinds | {"conflicts"} <= set(first)
    (conflict,) = first["conflicts"]
    assert (conflict["trace_id"], conflict["annotator"]["name"]) == (trace, "ana")
    assert [set(event) for event in conflict["events"]] == [{"id", "at"}] * 2
    assert loaded(reviewer("--store", b, "merge", a, "--json"))["events"]["new"] == 1
    again = loaded(reviewer("--store", a, "merge", b, "--json"))
    assert all(again[kind]["new"] == again[kind]["refused"] == 0 for kind in kinds)
    for store in (a, b):
        status = loaded(reviewer("--store", store, "status", "--json"))
        assert (status["labels"], status["conflicts"]) == (3, 1)
        assert status["conflicting"] == first["conflicts"]
        assert "conflict: ana on" in reviewer("--store", store, "status").out
    outs = [reviewer("--store", store, "export", "labels").out for store in (a, b)]
    assert outs[0] == outs[1]
    assert history(reviewer, a, trace) == history(reviewer, b, trace)  # looking is on record: last of all


def test_only_that_person_settles_it_and_the_answer_travels(
    reviewer: Cli, two: tuple[Path, Path, str]
) -> None:
    a, b, trace = two
    reviewer("--store", a, "merge", b)
    assert reviewer("--store", a, "annotate", trace, "no_failure", "--as", "ben").status == 0
    assert loaded(reviewer("--store", a, "status", "--json"))["conflicts"] == 1
    assert reviewer("--store", a, "annotate", trace, "no_failure", "--as", "ana").status == 0
    assert loaded(reviewer("--store", a, "status", "--json"))["conflicts"] == 0
    assert loaded(reviewer("--store", b, "merge", a, "--json"))["conflicts"] == []


def test_a_store_that_is_none_costs_itself_and_is_named(
    reviewer: Cli, two: tuple[Path, Path, str], tmp_path: Path
) -> None:
    a, b, _ = two
    bad = tmp_path / "bad\x1b[2J.db"
    bad.write_text("no store")
    ran = reviewer("--store", a, "merge", bad, b)
    assert ran.status == 1
    assert "bad␛[2J.db: not a store" in ran.err
    assert "\x1b" not in ran.out + ran.err
    assert "events       2 new" in ran.out


def test_a_mistyped_name_leaves_no_store_behind(reviewer: Cli, tmp_path: Path) -> None:
    ran = reviewer("--store", tmp_path / "new.db", "merge", tmp_path / "nothing.db")
    assert ran.status == 1
    assert "no store here" in ran.err
    assert list(tmp_path.glob("*.db")) == []


def test_a_new_store_is_made_of_others(reviewer: Cli, two: tuple[Path, Path, str], tmp_path: Path) -> None:
    a, b, trace = two
    target = ("--store", tmp_path / "all.db")
    assert reviewer(*target, "merge", a, b).status == 0
    assert len(history(reviewer, tmp_path / "all.db", trace)) == 3
    assert loaded(reviewer(*target, "check", "--json"))["ok"]
    texts = [reviewer("--store", store, "show", trace, "--raw").out for store in (a, tmp_path / "all.db")]
    assert texts[0] == texts[1]


def test_a_csv_of_a_merged_store_has_a_row_a_label(
    reviewer: Cli, two: tuple[Path, Path, str], tmp_path: Path
) -> None:
    a, b, trace = two
    reviewer("--store", a, "merge", b)
    assert reviewer("--store", a, "export", "csv", "-o", tmp_path / "x.csv").status == 0
    data = (tmp_path / "x.csv").read_bytes()
    assert data.decode("utf-8").count("\r\n") == data.count(b"\n")
    rows = read_csv(data.decode("utf-8"))
    assert len([row for row in rows if row["trace_id"] == trace]) == 3
    assert {row["trace_id"] for row in rows} == {
        row["id"] for row in loaded(reviewer("--store", a, "traces", "--json"))
    }
    assert read_csv(reviewer("--store", a, "export", "csv").out) == rows
