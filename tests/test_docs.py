"""What the README promises is true: its key table, its commands, its formats, its pictures."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from textual.binding import Binding

from reviewer.cli import COMMANDS
from reviewer.cli.codebook import command_taxonomy
from reviewer.importers import FORMATS
from reviewer.tui import keys
from tests.conftest import ROOT, SAMPLES, Ran

README = ROOT / "README.md"


def key_table() -> str:
    return "\n\n".join(table for title, bindings in keys.TABLES.items() for table in _table(title, bindings))


def _table(title: str, bindings: Iterable[Binding]) -> list[str]:
    rows = [
        f"| `{shown.replace('|', chr(92) + '|')}` | {sentence} |" for shown, sentence in keys.rows(bindings)
    ]
    table = "\n".join(["| key | does |", "| --- | --- |", *rows])
    return [f"{title}:", table] if title else [table]


def test_the_key_table_is_made_from_the_bindings() -> None:
    text = README.read_text("utf-8")
    begin, end = "by tests/test_docs.py -->\n", "\n<!-- /keys -->"
    before, _, rest = text.partition(begin)
    inside, _, after = rest.partition(end)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        README.write_text(f"{before}{begin}{key_table()}{end}{after}", "utf-8")
    else:
        assert inside == key_table(), "run the tests once with UPDATE_SNAPSHOTS=1"


def test_the_readme_has_one_command_to_open_the_app_and_one_to_test() -> None:
    commands = [line for line in README.read_text("utf-8").splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("reviewer label sample_traces")
    assert commands[1].endswith("-m pytest")
    assert "grep -m1" in (ROOT / ".ci" / "run").read_text()


def test_every_command_that_the_readme_names_exists(reviewer: Callable[..., Ran]) -> None:
    named = set(re.findall(r"`?reviewer ([a-z]+)", README.read_text("utf-8")))
    assert named - {"is", "and"} <= set(COMMANDS)
    for command in COMMANDS:
        ran = reviewer(command, "--help")
        assert ran.status == 0
        assert "Usage: reviewer" in ran.out


def test_every_option_that_the_readme_names_exists(reviewer: Callable[..., Ran]) -> None:
    known = reviewer("--help").out + "".join(reviewer(command, "--help").out for command in COMMANDS)
    known += "".join(reviewer("taxonomy", command, "--help").out for command in command_taxonomy.commands)
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README.read_text("utf-8"))) - {"--strict"}:
        assert option in known, option


def test_every_format_is_in_the_readme_and_has_a_sample() -> None:
    text = README.read_text("utf-8")
    for name in FORMATS:
        assert f"| `{name}` |" in text, name
        assert list((ROOT / "sample_traces" / name).iterdir()), name


@pytest.mark.parametrize("picture", re.findall(r"\]\(([^)]+\.svg)\)", README.read_text("utf-8")))
def test_every_picture_is_there(picture: str) -> None:
    assert (ROOT / picture).exists()


@pytest.mark.skipif(shutil.which("shuf") is None, reason="`shuf` is not here")
def test_a_study_is_drawn_as_the_readme_says(tmp_path: Path) -> None:
    (block,) = re.findall(r"```sh\n([^`]*> study\.txt[^`]*)```", README.read_text("utf-8"))
    mine = block.replace("reviewer ", f"{sys.executable} -m reviewer ").replace(
        "RUNS", str(SAMPLES / "plain")
    )
    done = subprocess.run(["sh", "-e", "-c", mine], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    study = (tmp_path / "study.txt").read_text("utf-8").splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert len(study) > 1 and all(line.startswith("t1-") for line in study)
    assert f", {len(study)} traces: {len(study)} new" in done.stdout
