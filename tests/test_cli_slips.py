"""A slip of the hand is told with what to do about it: a wrong file, a folder for a file, a step too many."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.errors import StoreDamaged
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]


@pytest.fixture
def here(reviewer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A store of some samples in the current folder, beside a text and an empty folder."""
    monkeypatch.chdir(tmp_path)
    Path("hello.txt").write_text("hi\n")
    Path("empty").mkdir()
    assert reviewer("import", SAMPLES / "plain").status == 0
    return reviewer


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("--store hello.txt status", "hello.txt: not a store of reviewer; choose another --store"),
        ("--store hello.txt check", "hello.txt: not a store of reviewer"),
        ("sniff empty", "it is a folder; name a file in it"),
        ("taxonomy check empty", "empty: cannot be read: it is a folder; name a taxonomy"),
        ("demo new/", "new/: a folder, and a store is one file"),
        ("--store new/ demo", "new/: a folder, and a store is one file"),
        ("--store new/ import hello.txt", "new/: a folder, and a store is one file"),
        ("--store empty/ status", "empty: a folder, not a store"),
    ],
)
def test_it_is_told_and_nothing_is_made(here: Cli, command: str, told: str) -> None:
    ran = here(*command.split())
    assert (ran.status, told in ran.err.splitlines()[-1]) == (1, True), ran
    assert "[Errno" not in ran.err
    assert {path.name for path in Path().iterdir()} - {"config"} == {"empty", "hello.txt", "reviews.db"}


def test_a_mistyped_name_leaves_no_store_behind(reviewer: Cli, tmp_path: Path) -> None:
    ran = reviewer("--store", tmp_path / "new.db", "label", tmp_path / "nope")
    assert (ran.status, (tmp_path / "new.db").exists()) == (1, False)


def test_a_step_too_many_is_told_how_many_there_are(here: Cli) -> None:
    trace = here("traces").out.splitlines()[1].split()[0]
    for more in ((), ("--raw",)):
        assert "no step 999: its steps are 1 to 5" in here("show", trace, "--step", 999, *more).err


@pytest.mark.parametrize(
    ("typed", "told"), [("labl", "did you mean label?"), ("xyz", "`reviewer --help` lists them")]
)
def test_a_command_that_is_none(reviewer: Cli, typed: str, told: str) -> None:
    ran = reviewer(typed)
    assert (ran.status, told in ran.err) == (2, True), ran


def test_a_merge_of_nothing_counts_nothing(here: Cli, tmp_path: Path) -> None:
    ran = here("merge", "hello.txt")
    assert (ran.status, ran.out, ran.err) == (1, "", "failed: hello.txt: not a store of reviewer\n")
    assert here("backup", tmp_path / "b.db").status == 0
    assert "traces " in here("merge", "hello.txt", tmp_path / "b.db").out


def test_a_store_damaged_inside_is_still_one(here: Cli) -> None:
    path = Path("reviews.db")
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    with pytest.raises(StoreDamaged, match="run `reviewer check`"), Store.open(path) as store:
        store.problems()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("annotate {} NO_FAILURE --as ana", "did you mean no_failure?"),
        ("annotate {} tool_misuse --as ana --step 99", "has no step 99: its steps are 1 to 5"),
        ("import http://x.example/a.json", "no such file or folder (of the web nothing is read: download"),
        ("import copy.db", "comes in with `reviewer merge`"),
        ("--store cut.db check", "cut.db: not a sound store; restore a backup"),
    ],
)
def test_it_is_told_what_would_have_done(here: Cli, command: str, told: str) -> None:
    trace = here("traces").out.splitlines()[1].split()[0]
    assert here("backup", "copy.db").status == 0
    Path("cut.db").write_bytes(Path("copy.db").read_bytes()[:9000])
    ran = here(*command.format(trace).split())
    assert (ran.status, told in ran.err) == (1, True), ran


def test_a_store_that_is_named_twice_is_merged_once(here: Cli) -> None:
    assert here("backup", "copy.db").status == 0
    assert here("merge", "copy.db", "./copy.db").out == here("merge", "copy.db").out


def test_an_option_of_another_suggester_is_named(here: Cli) -> None:
    assert "--max-cost belongs to --with claude" in here("suggest", "--max-cost", "1").err


def test_a_dash_is_the_output(here: Cli) -> None:
    assert here("export", "jsonl", "-o", "-").out == here("export", "jsonl").out != ""
    assert not Path("-").exists()
    assert "name a folder with -o" in here("export", "dataset", "-o", "-").err
