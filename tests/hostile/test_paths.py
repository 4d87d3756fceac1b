"""Paths of every kind: too long, none at all, devices, folders that nobody may enter, names with breaks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewer.importers.finding import files
from tests.conftest import ROOT, Ran
from tests.hostile.own import plain

Reviewer = Callable[..., Ran]
PASTED = json.dumps({"task": "t", "trajectory": [{"thought": "x" * 400}], "more": ["*"]})
NOBODY = 65534


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.json"
    path.write_bytes(plain("good"))
    return path


@pytest.mark.parametrize(
    "odd",
    [
        "n" * 300,
        "n/" * 3000,
        PASTED,
        "**/" * 200 + "x",
        "**/a*/" * 500 + "x",
        "/dev/zero",
        "/dev/null",
        "/dev/full",
    ],
    ids=lambda odd: odd[:12],
)
def test_what_is_no_file_costs_itself(odd: str, good: Path, reviewer: Reviewer) -> None:
    ran = reviewer("import", odd, good)
    assert (ran.status, "1 trace: 1 new" in ran.out) == (1, True), ran
    assert len(ran.err.splitlines()) == 1
    assert len(ran.err) < 4000
    assert reviewer("sniff", odd).status == 1


@pytest.mark.parametrize(("odd", "told"), [("n" * 300, "no such file"), (PASTED, "needs a terminal")])
def test_label_with_no_path(odd: str, told: str, reviewer: Reviewer) -> None:
    ran = reviewer("label", odd, "--blind")
    assert (ran.status, told in ran.err, len(ran.err.splitlines())) == (1, True, 1)


@pytest.mark.parametrize("word", ["model=" + "m" * 300, "model=a/b"])
def test_a_pair_is_no_path_however_long(word: str, good: Path, reviewer: Reviewer) -> None:
    assert reviewer("import", good, "--set", "agent=x", word).status == 0


def test_a_file_with_a_hole_is_not_held(tmp_path: Path, good: Path, reviewer: Reviewer) -> None:
    for name, start in (("hole.json", b""), ("object.json", b'{"task": "t", '), ("list.json", b"[1, ")):
        with (tmp_path / name).open("wb") as file:
            file.write(start)
            file.truncate(20_000_000_000)
        ran = reviewer("import", tmp_path / name, good)
        assert ran.status == 1
        assert f"{name}: " in ran.err
        assert len(ran.err.splitlines()) == 1, ran.err


def test_a_pipe_without_an_end_is_refused(
    good: Path, tmp_path: Path, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WHOLE", 3_000_000)
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(
        ["sh", "-c", 'cat /dev/zero > "$0"', tmp_path / "pipe"], stderr=subprocess.DEVNULL
    )
    ran = reviewer("import", tmp_path / "pipe", good)
    writer.wait(20)
    assert (ran.status, "pipe: refused: it has to be held whole" in ran.err, "1 new" in ran.out) == (
        1,
        True,
        True,
    )


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may look into, too."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("mode", [0o000, 0o300, 0o400, 0o600])
def test_folders_that_may_not_be_entered_are_named(mode: int, open_folder: Path) -> None:
    for name in ("a/one.json", "shut/two.json", "shut/below/three.json", "z/four.json"):
        path = open_folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(plain(name))
    shut = open_folder / "shut"
    if os.geteuid() == 0:  # whom nothing stops
        for path in (open_folder, *open_folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    shut.chmod(mode)
    code = f"""if True:
        import os, sys
        sys.path.insert(0, {str(ROOT)!r})
        from reviewer import cli
        os.chdir({str(open_folder)!r})
        if os.geteuid() == 0:
            cli.run(["--store", "first.db", "import", "a", "none"])  # what is loaded, only root may find
            os.setuid({NOBODY})
        print(file=sys.stderr)
        sys.exit(cli.run(["--store", "s.db", "import", "a", "shut", "z"]))"""
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    finally:
        shut.chmod(0o700)
    said = done.stderr.partition("\n\n")[2] or done.stderr.strip("\n")
    assert said.strip() == "failed: shut: the folder may not be looked into; nothing in it is imported"
    assert (done.returncode, "3 files, 2 traces: 2 new" in done.stdout) == (1, True)


def test_very_deep_folders(tmp_path: Path, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1500):
        Path("d").mkdir()
        os.chdir("d")
    Path("x.json").write_bytes(plain("deep"))
    os.chdir(tmp_path)
    assert reviewer("import", "d").status in (0, 1)
    monkeypatch.chdir("/")
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)  # which Python cannot


def test_a_break_in_a_name_breaks_no_line(tmp_path: Path, good: Path, reviewer: Reviewer) -> None:
    forged = tmp_path / "x\nfailed: forged.json"
    forged.write_text("{nope", encoding="utf-8")
    ran = reviewer("import", forged, good)
    assert ran.err.splitlines() == [line for line in ran.err.split("\n") if line]
    assert len(ran.err.splitlines()) == 1
    assert "x␤failed: forged.json" in ran.err
    for command in (("sniff", forged), ("export", "csv", "-o", forged), ("--store", forged, "traces")):
        assert len(reviewer(*command).err.splitlines()) == 1
    forged.write_bytes(good.read_bytes().replace(b'"trajectory"', b'"n": ' + b"9" * 5000 + b', "trajectory"'))
    ran = reviewer("import", forged)
    assert (ran.status, ran.err.count("forged.json")) == (0, 1)
    assert len(reviewer("sniff", forged).out.splitlines()) == len(reviewer("sniff", good).out.splitlines())
