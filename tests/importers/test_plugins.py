"""Importers of other packages: found through an entry point, tried first, no danger when broken."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewer import importers
from reviewer.errors import InputError
from reviewer.importers import guests
from reviewer.importers.finding.files import open_source
from tests.conftest import Ran
from tests.importers.reading import SAMPLES, read, read_all, reasons

MODULE = """
from reviewer.importers.formats import plain
FORMAT, ABOUT, VERSION = "harbour_log", "logs of the harbour", 1

def sniff(source):
    return source.is_json and isinstance(source.value, dict) and "harbour" in source.value

def read(source):
    source.value = {"task": source.value["harbour"], "trajectory": ["ahoy"]}
    return plain.read(source)
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path with an installed package that brings two importers, one of them broken."""
    about = tmp_path / "site" / "harbour-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n", encoding="utf-8")
    points = "[reviewer.importers]\nharbour_log = harbour_plugin\nsunk = harbour_missing\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    (tmp_path / "site" / "harbour_plugin.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    importers._installed.cache_clear()
    yield tmp_path
    importers._installed.cache_clear()


def test_an_installed_importer_is_tried_first(installed: Path) -> None:
    path = installed / "x.json"
    path.write_text('{"harbour": "Moor the ferry.", "messages": []}', encoding="utf-8")
    found = read(path)
    assert open_source(path)[0].FORMAT == "harbour_log"
    assert [one.trace.info.task for one in found] == ["Moor the ferry."]
    assert read(path, "harbour-log")[0].trace.info.task == "Moor the ferry."


@pytest.mark.usefixtures("installed")
def test_a_broken_one_costs_no_file() -> None:
    found, notes = read_all(next((SAMPLES / "openai_chat").glob("*.jsonl")))
    assert found
    assert "the importer 'sunk' of the package 'harbour' (harbour_missing) cannot be loaded" in reasons(notes)


OWN = """
from dataclasses import replace
from reviewer.importers.formats import plain
FORMAT, ABOUT, VERSION = "harbour_log", "x", 1
def sniff(source): return "odd" in source.path.name
def read(source):
    for found in plain.read(source):
        {}
"""
TRACE = "yield replace(found, trace=replace(found.trace, {}))"
INFO = TRACE.format("info=replace(found.trace.info, {})")
STEP = TRACE.format("steps=(replace(found.trace.steps[0], {}),)")
READS = {
    "raise ValueError('boom\\x1b[2J\\n')": "failed: ValueError: boom␛[2J␤",
    "raise MemoryError": "failed: MemoryError",
    "raise SystemExit(3)": "failed: SystemExit: 3",
    "raise type('Bad', (Exception,), {'__str__': lambda self: 1 / 0})": "failed: Bad",
    "yield 5": "failed: TypeError: it gave int, not Imported",
    "yield None": "failed: TypeError: it gave NoneType, not Imported",
    "yield found.trace": "failed: TypeError: it gave Trace, not Imported",
    "pass": "gave no trace",
    "if 0: yield": "gave no trace",
    INFO.format("n_steps=2**70"): "info.n_steps is a whole number that is too large",
    INFO.format("model=None"): "info.model is NoneType, not str",
    INFO.format("attempt=True"): "info.attempt is bool",
    INFO.format("ended='sunk'"): "info.ended is str",
    INFO.format("meta={'a': {1}}"): "info.meta.a is no JSON",
    INFO.format("meta={'a': 10**5000}"): "info.meta.a is no JSON",
    STEP.format("message=b'x'"): "steps[0].message is bytes, not str",
    STEP.format("calls=[1]"): "steps[0].calls is list",
    TRACE.format("steps=None"): "trace.steps is NoneType",
    "yield replace(found, outcomes=(1,))": "outcomes[0] is int, not Outcome",
}


def put_module(folder: Path, text: str) -> None:
    (folder / "site" / "harbour_plugin.py").write_text(text, encoding="utf-8")
    sys.modules.pop("harbour_plugin", None)
    importlib.invalidate_caches()
    guests.guest.cache_clear()


@pytest.fixture
def odd(installed: Path) -> Iterator[Path]:
    """A file that the importer of the other package knows."""
    sys.dont_write_bytecode = True
    path = installed / "odd.json"
    path.write_text('{"task": "t", "trajectory": ["a"]}', encoding="utf-8")
    yield path
    sys.dont_write_bytecode = False
    sys.modules.pop("harbour_plugin", None)
    guests.guest.cache_clear()


@pytest.mark.parametrize(("line", "reason"), READS.items())
def test_what_goes_wrong_in_a_reader_is_an_error_of_the_file(
    installed: Path, odd: Path, line: str, reason: str
) -> None:
    put_module(installed, OWN.format(line))
    with pytest.raises(InputError, match=re.escape(reason)) as caught:
        read(odd)
    assert str(caught.value).startswith(f"{odd}: the importer 'harbour_log' of the package 'harbour' ")
    assert str(caught.value).isprintable()


def test_a_sound_reader_is_left_alone(installed: Path, odd: Path) -> None:
    put_module(
        installed, OWN.format(INFO.format("model='\\ud800', cost=1, seconds=float('nan'), started='x'"))
    )
    (found,) = read(odd)
    assert (found.trace.info.model, found.trace.info.cost) == ("\ud800", 1)


SNIFF = 'FORMAT, ABOUT, VERSION = "harbour_log", "x", 1\ndef read(s): yield\ndef sniff(s): '


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1/0", "cannot be loaded: ZeroDivisionError"),
        ("def (:", "cannot be loaded: SyntaxError"),
        ("import sys; sys.exit(3)", "cannot be loaded: SystemExit: 3"),
        ("FORMAT = VERSION = sniff = read = 5", "FORMAT that is no name"),
        ("FORMAT, VERSION, sniff, read = 'labels', 1, 1, 1", "FORMAT that is no name"),
        ("FORMAT = 'x'", "has no VERSION, sniff, read"),
        (SNIFF + "raise KeyError('boom')", "cannot tell: KeyError: 'boom'"),
        (SNIFF + "return sniff(s)", "cannot tell: RecursionError"),
        (SNIFF + "raise SystemExit", "cannot tell: SystemExit"),
        (SNIFF + "s.value = s.lines = s.text = None; s.is_json = False", ""),
    ],
)
def test_one_that_fails_before_it_reads_costs_no_file(
    installed: Path, odd: Path, text: str, reason: str
) -> None:
    put_module(installed, text)
    found, notes = read_all(odd)
    assert [one.trace.info.format for one in found] == ["plain"]
    assert reason in reasons(notes)


def test_a_command_goes_on_after_it(installed: Path, odd: Path, reviewer: Callable[..., Ran]) -> None:
    put_module(installed, OWN.format("raise SystemExit(3)"))
    good = installed / "good.json"
    good.write_bytes(odd.read_bytes())
    ran = reviewer("import", odd, good)
    assert (ran.status, "1 new" in ran.out, "'harbour_log'" in ran.err) == (1, True, True)
    ran = reviewer("import", good, "--format", "sunk")
    assert (ran.status, "cannot be loaded" in ran.err, len(ran.err.splitlines())) == (1, True, 1)
