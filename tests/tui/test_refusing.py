"""What `label` says before there is a screen: what it refuses, and that a study would grow."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.store import Store
from tests.conftest import Ran
from tests.tui.terminal import Terminal

Cli = Callable[..., Ran]


@pytest.fixture
def path(tmp_path: Path, reviewer: Cli) -> Path:
    """A store that holds one trace of several in a folder, as `import --only` brings it in."""
    (tmp_path / "hello.txt").write_text("hi\n")
    (tmp_path / "empty").mkdir()
    runs = tmp_path / "runs"
    runs.mkdir()
    for n in range(3):
        run = {"id": f"r{n}", "task": f"task {n}", "trajectory": [{"action": "do", "observation": f"{n}"}]}
        (runs / f"{n}.json").write_text(json.dumps(run))
    assert reviewer("--store", tmp_path / "all.db", "import", runs).status == 0
    with Store.open(tmp_path / "all.db") as store:
        (tmp_path / "study.txt").write_text(store.traces.all()[0].trace_id)
    found = tmp_path / "reviews.db"
    assert reviewer("--store", found, "import", runs, "--only", tmp_path / "study.txt").status == 0
    return found


def labelling(path: Path, *arguments: object) -> Terminal:
    there = f"import os; os.chdir({str(path.parent)!r})"
    return Terminal("--store", path, "label", *arguments, prelude=there, size=(200, 40))


def held(path: Path) -> int:
    with Store.open(path) as store:
        return len(store.traces.all())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--blind hello.txt", "nothing could be read of hello.txt: nothing was opened"),
        ("--blind empty", "nothing could be read of empty: nothing was opened"),
        ("--blind n*.json", "nothing could be read of n*.json: nothing was opened"),
        ("--blind --order uncertain", "it goes with --assisted"),
    ],
)
def test_it_is_told_and_nothing_is_opened(path: Path, arguments: str, told: str) -> None:
    with labelling(path, *arguments.split()) as terminal:
        assert terminal.ended(20) == 1
    assert told in terminal.text


def test_without_a_store_the_line_says_what_to_do(tmp_path: Path) -> None:
    with labelling(tmp_path / "none.db") as terminal:
        assert terminal.ended(20) == 1
    assert "reviewer import" in terminal.text
    assert not (tmp_path / "none.db").exists()


def test_what_cannot_be_read_costs_itself(path: Path) -> None:
    with labelling(path, "--blind", "runs", "hello.txt") as terminal:
        terminal.wait_for("bring them in?")
        terminal.press("y\n", "your label:")
    assert held(path) == 3


@pytest.mark.parametrize(("answer", "holds"), [("\n", 1), ("n\n", 1), ("y\n", 3)])
def test_a_study_drawn_from_a_folder_grows_only_when_that_is_said(
    path: Path, answer: str, holds: int
) -> None:
    with labelling(path, "--blind", "runs") as terminal:
        terminal.wait_for("runs: 2 traces would be new in this store, which holds 1.")
        terminal.wait_for("bring them in? [y/N]")
        terminal.press(answer, "your label:")
    assert held(path) == holds


def test_a_new_store_and_one_that_holds_everything_are_not_asked_about(path: Path) -> None:
    for _ in range(2):
        with labelling(path.with_name("new.db"), "--blind", "runs") as terminal:
            terminal.wait_for("your label:")
        assert "bring them in?" not in terminal.text


def test_without_a_terminal_it_is_refused_before_anything_is_kept(path: Path, reviewer: Cli) -> None:
    before = path.read_bytes()
    ran = reviewer("--store", path, "label", path.parent / "runs", "--assisted")
    assert (ran.status, "needs a terminal" in ran.err, len(ran.err.splitlines())) == (1, True, 1)
    assert path.read_bytes() == before
    assert reviewer("--store", path.with_name("none.db"), "label", path.parent / "runs").status == 1
    assert not path.with_name("none.db").exists()


def test_the_two_ways_of_working_exclude_each_other(path: Path, reviewer: Cli) -> None:
    ran = reviewer("--store", path, "label", "--blind", "--assisted")
    assert (ran.status, "--blind and --assisted exclude each other" in ran.err) == (2, True)
