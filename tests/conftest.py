"""Fixtures that all tests share: a config folder and a store of their own, the command line, real data."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reviewer import cli
from reviewer.store import Store

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_traces"
SHARED = ROOT.parent / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the folder of real traces is not beside this checkout"
)


# What runs in the background of a script is deaf to Ctrl-C; so would be the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the settings or the store of whoever runs it."""
    for name in [name for name in os.environ if name.startswith(("REVIEWER_", "ANTHROPIC_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("REVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("REVIEWER_STORE", str(tmp_path / "reviews.db"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new, empty store."""
    with Store.open(tmp_path / "reviews.db", create=True) as opened:
        yield opened


@pytest.fixture
def reviewer(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command line in this process: `reviewer("import", path)`."""

    def run(*arguments: object) -> Ran:
        capfd.readouterr()
        status = cli.run([str(argument) for argument in arguments])
        for stream in (sys.__stdout__, sys.__stderr__):  # where a running app passes on what is printed
            assert stream is not None
            stream.flush()
        out, err = capfd.readouterr()
        return Ran(status, out, err)

    return run
