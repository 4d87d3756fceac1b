"""`import --outcomes`, `--set`, and the table of what is known: joined to traces, never part of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.importers.reading import put

Cli = Callable[..., Ran]


def loaded(ran: Ran) -> Any:
    assert ran.status == 0, ran
    return json.loads(ran.out)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    talk = [{"role": "user", "content": "do"}, {"role": "assistant", "content": "done"}]
    for name, about in (
        ("a", {"task_id": "dock-1", "attempt": 1}),
        ("b", {"task_id": "dock-1", "attempt": 2}),
        ("c", {"task_id": "dock-2", "model": "brook"}),
    ):
        put(tmp_path, f"runs/{name}.json", {"task": "t", "trajectory": talk, **about, "name": name})
    return tmp_path / "runs"


def passed(cli: Cli) -> dict[str, Any]:
    return {Path(row["file"]).stem: (row["passed"], row["score"]) for row in loaded(cli("traces", "--json"))}


def test_a_table_of_outcomes_is_joined(reviewer: Cli, runs: Path, tmp_path: Path) -> None:
    table = tmp_path / "grades.csv"
    table.write_text(
        "instance_id,attempt,resolved,reward,comment\ndock-1,2,Yes,,fine\ndock-2,,,0.25,\ndock-1,,true,,\n"
        "dock-9,,true,,\n,,true,,\ndock-1,1,perhaps,,\n",
        encoding="utf-8",
    )
    ran = reviewer("import", runs, "--outcomes", table, "--json")
    assert ran.status == 1
    told = json.loads(ran.out)["outcomes"]
    assert told["new"] == 2
    assert [problem.partition(": ")[2] for problem in told["unused"]] == [
        "line 4: 2 traces have task dock-1; name the attempt, the model or the trace",
        "line 5: no trace here has task dock-9",
        "line 6: it names no trace, file or task",
        "line 7: passed is 'perhaps', neither true nor false",
    ]
    assert passed(reviewer) == {"a": (None, None), "b": (True, None), "c": (None, 0.25)}


@pytest.mark.parametrize("table", ["none.csv", "/dev/zero", "empty.csv"])
def test_a_table_that_cannot_be_read_hides_nothing_of_the_import(
    reviewer: Cli, runs: Path, tmp_path: Path, table: str
) -> None:
    (tmp_path / "empty.csv").touch()
    (runs / "bad.json").write_text('{"bad', encoding="utf-8")
    ran = reviewer("import", runs, "--outcomes", tmp_path / table)
    assert ran.status == 1 and "3 new" in ran.out and "bad.json" in ran.err
    assert ran.err.count("no outcome: ") == 1 and table in ran.err


def test_a_list_that_never_ends_is_refused(reviewer: Cli, runs: Path) -> None:
    ran = reviewer("import", runs, "--only", "/dev/zero")
    assert ran.status == 1 and "more than 256 MB" in ran.err


def test_joining_again_changes_nothing_and_a_new_grade_takes_the_place(
    reviewer: Cli, runs: Path, tmp_path: Path
) -> None:
    reviewer("import", runs)
    table = put(tmp_path, "grades.json", [{"file": "runs/c.json", "passed": True}])
    assert loaded(reviewer("import", "--outcomes", table, "--json"))["outcomes"]["new"] == 1
    assert loaded(reviewer("import", "--outcomes", table, "--json"))["outcomes"] == {
        "new": 0,
        "known": 1,
        "unused": [],
    }
    put(tmp_path, "grades.json", [{"file": "c.json", "passed": False}])
    reviewer("import", "--outcomes", table)
    assert passed(reviewer)["c"] == (False, None)


def test_what_was_set_stays(reviewer: Cli, runs: Path) -> None:
    counts = loaded(reviewer("import", runs, "--set", "model=lantern", "benchmark=docks", "--json"))
    assert counts["known"] == {
        "plain": {"traces": 3, "outcome": 0, "score": 0, "model": 3, "task": 3, "attempt": 2}
    }
    assert {row["model"] for row in loaded(reviewer("traces", "--json"))} == {"lantern"}
    assert loaded(reviewer("import", runs, "--json"))["traces"]["unchanged"] == 3
    again = loaded(reviewer("import", runs, "--set", "model=lantern", "--json"))
    assert again["traces"]["unchanged"] == 3
    other = loaded(reviewer("import", runs, "--set", "attempt=7", "--json"))
    assert other["traces"]["updated"] == 3
    rows = loaded(reviewer("traces", "--json"))
    assert {(row["model"], row["benchmark"], row["attempt"]) for row in rows} == {("lantern", "docks", 7)}


def test_a_session_that_grows_keeps_what_was_set(reviewer: Cli, tmp_path: Path) -> None:
    def row(n: int) -> dict[str, Any]:
        about = {"type": "user", "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "sessionId": "s"}
        return {**about, "message": {"role": "user", "content": f"say {n}"}}

    path = put(tmp_path, "s.jsonl", [row(0)])
    reviewer("import", path, "--set", "benchmark=mine")
    put(tmp_path, "s.jsonl", [row(0), row(1)])
    assert loaded(reviewer("import", path, "--json"))["traces"]["updated"] == 1
    (found,) = loaded(reviewer("traces", "--json"))
    assert (found["benchmark"], found["messages"]) == ("mine", 2)


@pytest.mark.parametrize("pair", ["colour=red", "model", "attempt=two"])
def test_a_wrong_pair_is_wrong_usage(reviewer: Cli, runs: Path, pair: str) -> None:
    ran = reviewer("import", runs, "--set", pair)
    assert ran.status == 2
    assert "--set" in ran.err


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("a,b\n1,2\n", "no column"),
        ("task,passed\n", "without a row"),
        ('task,passed\n"x', "CSV"),
    ],
)
def test_a_table_that_is_none_is_named(
    reviewer: Cli, runs: Path, tmp_path: Path, text: str, word: str
) -> None:
    table = tmp_path / "grades.csv"
    table.write_text(text, encoding="utf-8")
    ran = reviewer("import", runs, "--outcomes", table)
    assert ran.status == 1
    assert "grades.csv" in ran.err
    assert word in ran.err


def test_the_table_after_an_import_says_what_is_missing(reviewer: Cli, runs: Path) -> None:
    ran = reviewer("import", runs)
    assert "format  traces  outcome  score  model  task  attempt" in ran.out
    assert "plain   3       0        0      1      3     2" in ran.out
    assert "3 traces without outcome" in ran.out


def test_a_list_of_ids_chooses_the_traces_of_a_study(reviewer: Cli, runs: Path, tmp_path: Path) -> None:
    reviewer("--store", tmp_path / "all.db", "import", runs)
    lines = reviewer("--store", tmp_path / "all.db", "traces").out.splitlines()
    study = tmp_path / "study.txt"
    study.write_text(f"# the first two\n{lines[1]}\n{lines[0]}\n\n{lines[2]}  # why not\n", encoding="utf-8")
    ran = reviewer("import", runs, "--only", study, "--json")
    assert ran.err == ""  # the header of `traces`, wherever it was shuffled to, is no id
    assert loaded(ran)["traces"] == {"read": 2, "new": 2, "unchanged": 0, "updated": 0, "failed": 0}
    study.write_text(f"{lines[1]}\ntrace\n", encoding="utf-8")
    assert "no trace of these files has the id trace" in reviewer("import", runs, "--only", study).err
    study.write_text(f"{lines[0]}\n", encoding="utf-8")
    assert "no id of a trace" in reviewer("import", runs, "--only", study).err
    study.write_text("\n# nothing\n", encoding="utf-8")
    assert "no id of a trace" in reviewer("import", runs, "--only", study).err


def test_a_row_that_cannot_be_used_is_told_and_not_lost(reviewer: Cli, runs: Path, tmp_path: Path) -> None:
    table = tmp_path / "grades.tsv"
    rows = ("File;Passed;Score", "a.json;true;", "a.json;false;", "b.json;;0,5", "c.json; yes ;1")
    table.write_text("\n".join(rows), encoding="utf-8")
    told = json.loads(reviewer("import", runs, "--outcomes", table, "--json").out)["outcomes"]
    assert told["new"] == 2
    assert [problem.partition(": ")[2] for problem in told["unused"]] == [
        "line 3: says otherwise than line 2 of the same trace",
        'line 4: score is "0,5", no number',
    ]
    assert passed(reviewer) == {"a": (True, None), "b": (None, None), "c": (True, 1.0)}
    again = json.loads(reviewer("import", "--outcomes", table, "--json").out)["outcomes"]
    assert (again["new"], again["known"]) == (0, 2)
    lines = tmp_path / "grades.jsonl"
    lines.write_text('{"file": "b.json", "passed": true}\n{"file": \n5\n', encoding="utf-8")
    told = json.loads(reviewer("import", "--outcomes", lines, "--json").out)["outcomes"]
    assert (told["new"], len(told["unused"])) == (1, 2)


def test_what_people_say_twice_is_told(reviewer: Cli, runs: Path, tmp_path: Path) -> None:
    for name, verdict in (("one", True), ("two", False)):
        table = put(tmp_path, f"{name}.json", [{"file": "c.json", "passed": verdict}])
        ran = reviewer("import", runs, "--outcomes", table, "--set", "model=x")
        assert ("1 trace now has outcomes that differ" in ran.err) is not verdict
    assert passed(reviewer)["c"] == (None, None)
    assert (
        "model y stands in place of another in 3 traces" in reviewer("import", runs, "--set", "model=y").err
    )


def test_an_unknown_format_is_one_error(reviewer: Cli, runs: Path) -> None:
    ran = reviewer("import", runs, "--format", "tau")
    assert (ran.status, len(ran.err.splitlines())) == (1, 1)
