"""Every file that a command reads or writes, where it cannot be: one line, and nothing half-made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.hostile.own import plain

Reviewer = Callable[..., Ran]

READS = {
    "codes import": ("codes", "import", "@"),
    "import --only": ("import", "good.json", "--only", "@"),
    "import --outcomes": ("import", "--outcomes", "@"),
    "import --map": ("import", "good.json", "--map", "@"),
    "sniff": ("sniff", "@"),
    "assign --only": ("assign", "--annotators", "ana,ben", "--only", "@"),
    "--answers": ("suggest", "--with", "scripted", "--answers", "@"),
    "--prompt": ("suggest", "--with", "claude", "--yes", "--dry-run", "--prompt", "@"),
    "--guidelines": ("suggest", "--with", "claude", "--yes", "--dry-run", "--guidelines", "@"),
    "merge": ("merge", "@"),
    "taxonomy check": ("taxonomy", "check", "@"),
    "taxonomy diff --map": ("taxonomy", "diff", "six-modes", "mast", "--map", "@"),
    "report --crosswalk": ("report", "--crosswalk", "@"),
    "--store": ("--store", "@", "status"),
}
WRITES = {
    "export": ("export", "jsonl", "-o", "@"),
    "export dataset": ("export", "dataset", "-o", "@"),
    "codes export": ("codes", "export", "@"),
    "sniff -o": ("sniff", "unknown.json", "-o", "@"),
    "amend": ("taxonomy", "amend", "--from-ledger", "-o", "@"),
    "backup": ("backup", "@"),
    "demo": ("demo", "@"),
    "import": ("--store", "@", "import", "good.json"),
}


@pytest.fixture
def folder(tmp_path: Path, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789abcdef")
    (tmp_path / "good.json").write_bytes(plain("good"))
    (tmp_path / "unknown.json").write_text('{"a": [{"who": "me", "text": "hello"}]}')
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").write_text("mine")
    assert reviewer("import", "good.json").status == 0
    return tmp_path


def refused(ran: Ran) -> str:
    """The one line."""
    assert ran.status != 0, ran
    (line,) = [line for line in ran.err.splitlines() if not line.startswith("Usage:")]
    assert "Errno" not in line and "codec" not in line and "Traceback" not in line
    return line


def files(folder: Path) -> list[str]:
    """What lies there, but for who one is on this machine."""
    return sorted(str(path) for path in folder.rglob("*") if "config" not in path.relative_to(folder).parts)


def put(command: Sequence[str], path: str) -> list[str]:
    return [path if word == "@" else word for word in command]


@pytest.mark.parametrize(
    "odd", ["nothing-here", "no/nothing", "folder", "/dev/null", "empty", "binary", "n" * 300]
)
@pytest.mark.parametrize("command", READS.values(), ids=READS)
def test_what_cannot_be_read_is_one_line(
    reviewer: Reviewer, folder: Path, command: Sequence[str], odd: str
) -> None:
    before = files(folder)
    assert odd in refused(reviewer(*put(command, odd)))
    assert files(folder) == before


@pytest.mark.parametrize("odd", ["no/such", "folder", "good.json/x", "n" * 300])
@pytest.mark.parametrize("command", WRITES.values(), ids=WRITES)
def test_what_cannot_be_written_is_one_line(
    reviewer: Reviewer, folder: Path, command: Sequence[str], odd: str
) -> None:
    before = files(folder)
    assert odd in refused(reviewer(*put(command, odd)))
    assert files(folder) == before
    assert (folder / "good.json").read_bytes() == plain("good")


def test_a_command_without_force_does_not_advise_it(reviewer: Reviewer, folder: Path) -> None:
    for command in (WRITES["amend"], WRITES["sniff -o"]):
        assert "already there; name another file" in refused(reviewer(*put(command, "good.json")))
    assert "--force replaces it" in refused(reviewer(*put(WRITES["export"], "good.json")))


def test_no_folder_is_made_for_no_picture(reviewer: Reviewer, folder: Path) -> None:
    trace = reviewer("traces").out.splitlines()[1].split()[0]
    ran = reviewer("show", trace, "--images", "pictures")
    assert "no picture or file" in ran.err
    assert not (folder / "pictures").exists()
