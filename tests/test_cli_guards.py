"""What a slip of the hand must not cost: files that are no exports, pipes that wait, rounds, names."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer import settings
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]


@pytest.fixture
def cli(reviewer: Cli) -> Cli:
    assert reviewer("import", SAMPLES / "mini_swe_agent").status == 0
    return reviewer


def first(cli: Cli) -> str:
    return cli("traces").out.splitlines()[1].split()[0]


def test_an_export_never_replaces_a_store(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    assert cli("backup", target).status == 0
    before = target.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    for name in (target, link):
        ran = cli("export", "csv", "-o", name, "--force")
        assert (ran.status, target.read_bytes() == before) == (1, True)
        assert "name another file" in ran.err


def test_an_export_into_a_pipe_leaves_the_pipe(cli: Cli, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text("utf-8")))
    reader.start()
    assert cli("export", "jsonl", "-o", pipe, "--force").status == 0
    reader.join(10)
    assert pipe.is_fifo()
    assert len(got[0].splitlines()) == 4


def test_a_slow_pipe_into_import_locks_nobody_out(cli: Cli, tmp_path: Path) -> None:
    pipe = tmp_path / "slow.jsonl"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w") as file:
            time.sleep(1.0)
            file.write('{"task": "t", "trajectory": [{"action": "a"}]}\n')

    writer = threading.Thread(target=write)
    writer.start()
    importing = threading.Thread(target=lambda: cli("import", pipe))
    importing.start()
    time.sleep(0.4)
    began = time.monotonic()
    assert cli("annotate", first(cli), "other", "--as", "ana").status == 0
    assert time.monotonic() - began < 15
    writer.join(10)
    importing.join(10)
    assert len(cli("traces").out.splitlines()) == 6


def test_a_full_disk_behind_stdout_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "reviewer", "taxonomy", "show"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "cannot be written" in done.stderr


def test_a_mistyped_round_is_refused_and_one_taken_back_is_none(cli: Cli) -> None:
    trace = first(cli)
    assert "the next one is 2" in cli("annotate", trace, "other", "--as", "ana", "--round", "20").err
    assert cli("annotate", trace, "other", "--as", "ana", "--round", "2").status == 0
    assert cli("annotate", trace, "--clear", "--as", "ana", "--round", "2").status == 0
    assert '"round": 1' in cli("annotate", trace, "other", "--as", "ana", "--json").out


def test_reading_the_history_of_a_trace_is_on_record(cli: Cli) -> None:
    trace = first(cli)
    assert cli("annotate", trace, "other", "--as", "ana").status == 0
    settings.identity("ben")
    assert cli("history", trace, "--as", "ben").status == 0
    assert "(peers)" in cli("annotate", trace, "other", "--as", "ben").out
    assert "(blind)" in cli("annotate", trace, "other", "--as", "cleo").out


def test_two_adjudicators_who_differ_are_told_and_counted(cli: Cli) -> None:
    trace = first(cli)
    for name, mode in (("ana", "other"), ("ben", "tool_misuse")):
        assert cli("annotate", trace, mode, "--as", name).status == 0
    assert "warning" not in cli("adjudicate", trace, "other", "--reason", "r", "--as", "lea").err
    assert "not gold" in cli("adjudicate", trace, "tool_misuse", "--reason", "s", "--as", "mo").err
    assert "1  conflicts" in cli("status").out
    assert "0  abstentions       of the suggestions: no mode, but why" in cli("status").out
    assert "0  settled_by_rule   independent blind labels agree" in cli("status").out
    ledger = cli("adjudicate", "--ledger").out
    assert "lea: r" in ledger
    assert "mo: s" in ledger
    assert (
        "labelled this trace yourself"
        in cli("adjudicate", trace, "other", "--reason", "r", "--as", "ana").err
    )


def test_what_adjudication_changed_is_what_stood_then(cli: Cli, tmp_path: Path) -> None:
    from reviewer import taxonomy
    from reviewer.study.disagreements import changed_share

    trace = first(cli)
    for name, mode in (("ana", "other"), ("ben", "tool_misuse")):
        assert cli("annotate", trace, mode, "--as", name).status == 0
    assert cli("adjudicate", trace, "other", "--reason", "r", "--as", "lea").status == 0
    assert cli("annotate", trace, "other", "--as", "ben").status == 0  # convinced afterwards
    copy = tmp_path / "copy.db"
    assert cli("backup", copy).status == 0
    with Store.open(copy) as store:
        assert changed_share(store, taxonomy.load("six-modes"), 1) == (1, 2)


def test_a_status_filter_tells_what_others_said_and_needs_no_name(cli: Cli) -> None:
    assert cli("traces", "--status", "single", "--as", "ana").status == 2


def test_the_ledger_and_an_adjudication_tell_of_labels_and_that_is_on_record(cli: Cli) -> None:
    trace = first(cli)
    assert cli("annotate", trace, "other", "--as", "ana").status == 0
    assert cli("adjudicate", trace, "other", "--reason", "r", "--as", "lea").status == 0
    settings.identity("ben")
    blind = cli("adjudicate", "--ledger", "--as", "ben")  # who has not labelled it is told nothing of it
    assert "other" not in blind.out + blind.err
    assert "left out: what may be settled of traces that ben has not labelled" in blind.err
    assert "(blind)" in cli("annotate", trace, "other", "--as", "ben").out
    assert "other" in cli("adjudicate", "--ledger", "--as", "ben").out
    for name in ("ben", "lea"):
        assert "(peers)" in cli("annotate", trace, "other", "--as", name).out


@pytest.mark.parametrize("name", ["", ".", "file/inside", "x" * 300])
def test_an_export_to_no_possible_file_is_one_line(cli: Cli, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    ran = cli("export", "csv", "-o", tmp_path / name, "--force")
    assert (ran.status, len(ran.err.splitlines())) == (1, 1)


@pytest.mark.parametrize("arguments", [["import", "-"], ["label"], ["adjudicate"]])
def test_a_closed_standard_input_is_one_line(cli: Cli, arguments: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "reviewer", "--store", str(tmp_path / "reviews.db"), *arguments]
    done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *command], capture_output=True, text=True)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("late", [False, True], ids=["while it prints", "when the rest is emptied"])
def test_a_reader_that_has_gone_costs_no_traceback(tmp_path: Path, late: bool) -> None:
    said = "import click, sys; from reviewer import cli; "
    said += "cli.group.main = lambda *a, **k: sys.stdout.write('x' * 99); " if late else ""
    given, taken = os.pipe()
    os.close(given)
    ran = subprocess.run(
        [sys.executable, "-c", f"{said}sys.argv = ['reviewer', '--help']; cli.main()"],
        stdout=taken, stderr=subprocess.PIPE, text=True, timeout=60,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )  # fmt: skip
    os.close(taken)
    assert (ran.stderr, ran.returncode) == ("", 141 if late else 1)
