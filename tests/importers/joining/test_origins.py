"""Outcomes that lie beside a run: two folders give two of them, and a second import changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer.cli.intake import import_paths
from reviewer.importers.joining.origins import origin_of
from reviewer.store import Store
from tests.importers.reading import put, read

ID = "a__b-7"
MINI = {
    "trajectory_format": "mini-swe-agent-1.1",
    "instance_id": ID,
    "info": {},
    "messages": [{"role": "user", "content": "hi"}],
}
MOVE = {"action": "ls", "observation": "a", "response": "ls", "thought": ""}
SWE = {"trajectory": [MOVE], "history": [], "info": {}}
ATIF = {"schema_version": "ATIF-v1.5", "steps": [{"step_id": 1, "source": "user", "message": "x"}]}
PLAIN = {"task": "t", "trajectory": ["a"]}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "reviews.db", create=True) as store:
        yield store


def listed(passed: bool) -> dict[str, Any]:
    return {"resolved_ids": [ID] if passed else [], "unresolved_ids": [] if passed else [ID]}


def judged(passed: bool) -> dict[str, Any]:
    return {ID: {"resolved": passed}}


def rewarded(passed: bool) -> dict[str, Any]:
    return {"trial_name": "t-1__x", "verifier_result": {"rewards": {"reward": float(passed)}}}


# A trace and its report, each with its place in the folder of a run, and the origin in the folder `one`.
LAYOUTS: list[tuple[str, Any, str, Any, str]] = [
    (f"{ID}.traj.json", MINI, "report.json", listed, "one/report.json"),
    (f"{ID}/{ID}.traj.json", MINI, f"{ID}/report.json", listed, f"one/{ID}/report.json"),
    (f"{ID}/{ID}.traj.json", MINI, "sb-cli-reports/r.json", listed, "one/sb-cli-reports/r.json"),
    (f"one/{ID}.traj.json", MINI, "one/report.json", listed, "one/one/report.json"),
    (f"{ID}.traj", SWE, "report.json", judged, "one/report.json"),
    (f"{ID}/{ID}.traj", SWE, f"{ID}/{ID}.report.json", judged, f"one/{ID}/{ID}.report.json"),
    ("t-1__x/agent/trajectory.json", ATIF, "t-1__x/result.json", rewarded, "one/t-1__x/result.json"),
    ("t-1__x/trajectory.json", ATIF, "t-1__x/result.json", rewarded, "one/t-1__x/result.json"),
]


@pytest.mark.parametrize(("trace", "value", "report", "said", "origin"), LAYOUTS)
def test_two_folders_that_differ_are_two_outcomes(
    store: Store, tmp_path: Path, trace: str, value: Any, report: str, said: Any, origin: str
) -> None:
    runs = tmp_path / "runs"
    for folder, passed in (("one", True), ("two", False)):
        put(runs, f"{folder}/{trace}", value)
        put(runs, f"{folder}/{report}", said(passed))
    first = import_paths(store, [str(runs)], None)
    assert (first.new, first.updated, first.failed) == (1, 1, 0)
    (info,) = store.traces.all()
    outcomes = store.outcomes.of(info.trace_id)
    assert [outcome.passed for outcome in outcomes] == [True, False]
    assert outcomes[0].origin == origin
    for _ in range(2):
        again = import_paths(store, [str(runs)], None)
        assert (again.new, again.unchanged, again.updated) == (0, 2, 0)
    assert store.outcomes.of(info.trace_id) == outcomes


def test_a_report_that_is_written_anew_takes_the_place_of_the_old_one(store: Store, tmp_path: Path) -> None:
    for passed in (False, True):
        put(tmp_path, f"run/{ID}.traj.json", MINI)
        put(tmp_path, "run/report.json", listed(passed) | {"error_ids": [str(passed)]})
        import_paths(store, [str(tmp_path / "run")], None)
    (info,) = store.traces.all()
    assert [outcome.passed for outcome in store.outcomes.of(info.trace_id)] == [True]


@pytest.mark.parametrize(
    "rows",
    [
        [{**PLAIN, "passed": True}, {**PLAIN, "passed": False}, {**PLAIN, "passed": True}],
        [PLAIN, {**PLAIN, "passed": True}, {**PLAIN, "passed": False}],
    ],
)
def test_two_grades_of_a_record_in_one_file_are_two_outcomes(
    store: Store, tmp_path: Path, rows: list[Any]
) -> None:
    path = put(tmp_path, "x.jsonl", rows)
    import_paths(store, [str(path)], None)
    (info,) = store.traces.all()
    outcomes = store.outcomes.of(info.trace_id)
    assert [(outcome.passed, outcome.origin) for outcome in outcomes] == [(True, "file"), (False, "file #2")]
    again = import_paths(store, [str(path)], None)
    assert (again.new, again.updated) == (0, 0)


def test_a_file_that_is_both_beside_and_below_is_read_once(tmp_path: Path) -> None:
    put(tmp_path, "run/sb-cli-reports/r.json", listed(True))
    trace = put(tmp_path, f"run/sb-cli-reports/{ID}.traj.json", MINI)
    assert [outcome.origin for outcome in read(trace)[0].outcomes] == ["run/sb-cli-reports/r.json"]


def test_an_origin_depends_on_no_way_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, f"run/{ID}.traj.json", MINI)
    put(tmp_path, "run/report.json", listed(True))
    (tmp_path / "run" / "inner").mkdir()
    (tmp_path / "latest").symlink_to("run", target_is_directory=True)
    monkeypatch.chdir(tmp_path / "run" / "inner")
    name = f"{ID}.traj.json"
    for path in (tmp_path / "run" / name, tmp_path / "latest" / name, Path("..", name)):
        assert [outcome.origin for outcome in read(path)[0].outcomes] == ["run/report.json"]


def test_the_top_folder_has_no_name() -> None:
    assert origin_of(Path("/"), "report.json") == "report.json"
