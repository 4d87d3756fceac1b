"""Lines on a narrow terminal: broken between words, with paths, options and commands whole."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

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
