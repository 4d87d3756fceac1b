"""Lines on a narrow terminal: broken between words, with paths, options, commands and tables whole."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pytest

from reviewer.cli import out
from reviewer.cli.folding import folded
from tests.conftest import ROOT


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    monkeypatch.setenv("COLUMNS", "30")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        yield stream
    os.close(ours)


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("a short line stays as it is", ["a short line stays as it is"]),
        ("a line that is longer than thirty-one signs", ["a line that is longer than", "thirty-one signs"]),
        (
            "no store; `reviewer import PATH` makes one",
            ["no store;", "`reviewer import PATH` makes", "one"],
        ),
        (
            "/a/very/long/path/that/no/terminal/holds.json: gone",
            ["/a/very/long/path/that/no/terminal/holds.json:", "gone"],
        ),
        (
            "say `reviewer suggest --with claude --resume`; it goes on",
            ["say `reviewer suggest --with", "claude --resume`; it goes on"],
        ),
        ("  in by two, and longer than the width", ["  in by two, and longer than", "  the width"]),
        (
            "one ` alone is no command that ends somewhere",
            ["one ` alone is no command that", "ends somewhere"],
        ),
        ("深い木の中に一羽の鳥がいて 歌をうたった", ["深い木の中に一羽の鳥がいて", "歌をうたった"]),
    ],
)
def test_a_line_breaks_between_words(terminal: TextIO, line: str, lines: list[str]) -> None:
    assert folded(line, terminal) == "\n".join(lines)
    assert folded(f"{line}\n{line}", terminal) == "\n".join(lines * 2)


def test_nothing_is_broken_on_the_way_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    with Path(os.devnull).open("w") as stream:
        assert folded("word " * 30, stream) == "word " * 30


def test_an_error_of_ours_and_one_of_use_on_a_terminal() -> None:
    for arguments in (["--store", "no/store/is/here.db", "status"], ["labels-of-everybody-in-here"]):
        ours, theirs = pty.openpty()
        done = subprocess.run(
            [sys.executable, "-m", "reviewer", *arguments],
            cwd=ROOT,
            env={**os.environ, "COLUMNS": "60"},
            stderr=theirs,
        )
        os.close(theirs)
        said = os.read(ours, 100_000).decode().replace("\r\n", "\n")
        os.close(ours)
        assert done.returncode in (1, 2)
        lines = said.rstrip("\n").split("\n")
        assert len(lines) > 1
        assert all(len(line) <= 60 for line in lines), lines
        assert "reviewer: " in said


def everything(ours: int) -> str:
    """What was written into the other end, which is closed."""
    said = b""
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 100_000):
            said += piece
    os.close(ours)
    return said.decode().replace("\r\n", "\n")


def printed(monkeypatch: pytest.MonkeyPatch, what: Callable[[], object], columns: int) -> str:
    """What `what` prints where standard output is a terminal of so many columns."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream, monkeypatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        patch.setattr(sys, "stdout", stream)
        what()
    return everything(ours)


LONG = "a sentence of the result that is longer than thirty columns"


def test_results_break_between_words_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def both() -> None:
        out.show(f"  {LONG}")
        out.show_line(LONG)

    said = printed(monkeypatch, both, 30)
    assert said.split("\n") == [
        *("  a sentence of the result", "  that is longer than thirty", "  columns"),
        *("a sentence of the result that", "is longer than thirty columns", ""),
    ]


def test_text_of_a_trace_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, lambda: out.show_as_it_is(LONG), 30) == LONG + "\n"
    assert printed(monkeypatch, lambda: out.verbatim(LONG), 30) == LONG + "\n"


def test_the_last_column_of_a_table_is_folded_where_it_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("深い木", LONG), ("b", "")]
    assert printed(monkeypatch, lambda: out.table(rows, ("", "about")), 40).split("\n") == [
        "        about",
        "深い木  a sentence of the result that is",
        "        longer than thirty columns",
        *("b", ""),
    ]
    whole = ["x" * 30, LONG]
    assert printed(monkeypatch, lambda: out.table([whole], ("", "")), 40) == f"\n{'  '.join(whole)}\n"


def test_a_header_that_makes_a_table_too_wide_stands_in_several_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, head = [("lantern", "3", "no")], ("model", "no failure or apart", "without gold")
    assert printed(monkeypatch, lambda: out.table(rows, head), 30).split("\n") == [
        "         no",
        "         failure",
        "         or       without",
        "model    apart    gold",
        "lantern  3        no",
        "",
    ]
    assert printed(monkeypatch, lambda: out.table(rows, head), 50).startswith(
        "model    no failure or apart  "
    )


def test_a_table_in_a_file_is_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    out.table([("a", LONG)], ("", "about"))
    out.show(LONG)
    assert capsys.readouterr().out.split("\n") == ["   about", f"a  {LONG}", LONG, ""]


def test_a_whole_command_on_a_terminal() -> None:
    """No line of the codebook is wider than it, but the hash: a single word."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "reviewer", "taxonomy", "show", "who-and-when"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "50"},
        stdout=theirs,
    )
    os.close(theirs)
    said = everything(ours)
    assert done.wait() == 0
    long = [line for line in said.split("\n") if len(line) > 50]
    assert all(len(line.split()) == 1 for line in long), long
