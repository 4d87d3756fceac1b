"""`demo`, and that the samples keep what they are there to show: attempts, modes, people who differ."""

import json
import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import cli, taxonomy
from reviewer.cli import demonstrating
from reviewer.store import Store
from tests.conftest import ROOT, SAMPLES, Ran

Cli = Callable[..., Ran]


def loaded(ran: Ran) -> Any:
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo store that tests only look at."""
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    assert cli.run(["demo", str(path)]) == 0
    return path


@pytest.fixture
def demo(reviewer: Cli, made: Path) -> Cli:
    """The command line on the demo store."""
    return lambda *arguments: reviewer("--store", made, *arguments)


def test_it_tells_how_far_two_people_agree_and_what_to_type_next(reviewer: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a b.db"
    out = reviewer("demo", path).out
    assert "mara (demo) × teo (demo)" in out
    for command in ("label", "adjudicate", "report", "export jsonl"):
        assert f"reviewer --store '{path}' {command}" in out


def test_it_is_demo_db_here_unless_named(
    reviewer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reviewer("demo").status == 0
    assert (tmp_path / "demo.db").exists()
    assert not (tmp_path / "reviews.db").exists()  # REVIEWER_STORE is for one's own work
    assert reviewer("--store", "other.db", "demo").status == 0
    assert (tmp_path / "other.db").exists()


def test_it_never_touches_what_is_there(reviewer: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.db").write_text("mine")
    ran = reviewer("demo", tmp_path / "mine.db")
    assert ran.status == 1
    assert "already there" in ran.err
    assert (tmp_path / "mine.db").read_text() == "mine"
    assert reviewer("demo", tmp_path / "no" / "x.db").status == 1


def test_half_a_demo_is_not_left_behind(
    reviewer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "a.json").write_text('{"task": "t", "model": "m", "trajectory": [{"thought": "x"}]}')
    said = (SAMPLES / "labels.toml").read_text("utf-8").partition("[[trace]]")[0]
    (folder / "labels.toml").write_text(
        f'{said}[[trace]]\nfile = "a.json"\n[[trace.teo]]\nmode = "no_faliure"\n'
    )
    monkeypatch.setattr(demonstrating, "samples", lambda: folder)
    ran = reviewer("demo", tmp_path / "demo.db")
    assert ran.status == 1
    assert "no_failure" in ran.err
    assert not list(tmp_path.glob("demo.db*"))


def test_agreement_is_there_at_once_and_there_is_something_to_settle(demo: Cli) -> None:
    found = loaded(demo("agreement", "--json"))
    (pair,) = found["pairs"]
    assert 25 <= pair["n"] == found["shared"]
    assert 0.6 < pair["kappa"] < 0.9
    assert found["mode_if_failed"][0]["kappa"] < pair["kappa"]
    status = loaded(demo("status", "--json"))
    assert 4 <= status["disagreements"] <= 6
    assert status["conflicts"] == 0
    assert loaded(demo("check", "--json")) == {"ok": True, "problems": []}


def test_the_labels_are_blind_and_the_same_everywhere(demo: Cli, reviewer: Cli, tmp_path: Path) -> None:
    def events(run: Cli) -> list[Any]:
        rows = [json.loads(line) for line in run("export", "jsonl").out.splitlines()]
        return [{**label, "shown": []} for row in rows for label in row["labels"]]

    first = events(demo)
    assert {label["condition"] for label in first} == {"blind"}
    assert reviewer("demo", tmp_path / "again.db").status == 0
    assert events(lambda *arguments: reviewer("--store", tmp_path / "again.db", *arguments)) == first
    assert not (tmp_path / "config").exists()  # nobody who works here has become one of them


def test_one_trace_has_one_label_and_one_was_labelled_anew_without_a_conflict(demo: Cli) -> None:
    rows = [json.loads(line) for line in demo("export", "jsonl").out.splitlines()]
    assert [row["status"] for row in rows].count("single") == 1
    history = [loaded(demo("history", row["trace_id"], "--json")) for row in rows]
    again = [events for events in history if any(event["supersedes"] for event in events)]
    assert len(again) == 1
    assert not any(row["status"] in ("adjudicated", "conflict") for row in rows)


def test_the_samples_show_every_mode_plainly(demo: Cli) -> None:
    rows = [json.loads(line) for line in demo("export", "jsonl").out.splitlines()]
    gold = {row["gold"]["mode"] for row in rows if row["gold"]}
    failures = {mode.id for mode in taxonomy.load("six-modes").failures}
    assert gold == failures | {"no_failure", "task_broken"}
    hollow = [row for row in rows if row["passed"] and row["gold"] and row["gold"]["mode"] in failures]
    assert {row["gold"]["mode"] for row in hollow} == {"silent_success", "other"}
    assert all(row["suggestions"] for row in rows)


def test_several_tasks_have_several_attempts_by_two_models_some_passed_some_not(demo: Cli) -> None:
    attempts = defaultdict(list)
    rows = loaded(demo("traces", "--json"))
    for row in rows:
        attempts[row["benchmark"], row["task_id"]].append(row)
    told = [
        tries
        for tries in attempts.values()
        if len({row["model"] for row in tries}) == 2 and {True, False} <= {row["passed"] for row in tries}
    ]
    assert len(told) >= 4
    assert all(2 <= len(tries) <= 4 for tries in told)
    assert len(rows) >= 16
    assert len({row["format"] for row in rows}) >= 6


def test_every_label_is_on_a_step_that_is_there(demo: Cli) -> None:
    steps = {row["id"]: row["steps"] for row in loaded(demo("traces", "--json"))}
    rows = [json.loads(line) for line in demo("export", "jsonl").out.splitlines()]
    decisive = [
        (row["trace_id"], label["mode"], label["decisive_step"]) for row in rows for label in row["labels"]
    ]
    assert all(step is None or 1 <= step["n"] <= steps[trace] for trace, _, step in decisive)
    assert {mode for _, mode, step in decisive if step is None} == {"no_failure"}


def test_every_entry_of_the_labels_is_used() -> None:
    said = tomllib.loads((SAMPLES / "labels.toml").read_text("utf-8"))
    names = [(entry["file"], entry.get("place", 0)) for entry in said["trace"]]
    assert len(names) == len(set(names))
    assert all(set(entry) <= {"file", "place", *said["annotators"]} for entry in said["trace"])


def test_the_demo_of_an_installed_package(tmp_path: Path) -> None:
    """The samples are inside the wheel, and `demo` finds them there."""
    pytest.importorskip("hatchling", reason="hatchling, which builds the package, is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, tmp_path / "in"], check=True, timeout=60)
    package = tmp_path / "in" / "reviewer"
    inside = {path.relative_to(package) for path in package.rglob("*")}
    for file in (path for path in SAMPLES.rglob("*") if path.is_file()):
        assert Path("sample_traces") / file.relative_to(SAMPLES) in inside
    assert {Path("report/mitigations.toml"), Path("suggest/rules/rules.toml")} <= inside
    ran = subprocess.run(
        [sys.executable, "-m", "reviewer", "demo", str(tmp_path / "demo.db")],
        cwd=tmp_path / "in",
        env={**os.environ, "PYTHONPATH": str(tmp_path / "in")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    with Store.open(tmp_path / "demo.db") as store:
        assert all(Path(info.source_path).is_relative_to(package) for info in store.traces.all())
