"""The real app in a terminal's life: sizes, stop and resume, tmux, no colours, copies, crashes, keys."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer.store import Store
from tests.conftest import Ran
from tests.tui.terminal import Terminal
from tests.tui.test_pty import RESTORED

OSC = re.compile(rb"\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)")
COLOUR = re.compile(rb"\x1b\[(?:[0-9;:]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m")
EVIL = '\x1b]52;c;UFdORUQ=\x07 \x1b[31mred\x1b[0m \x9b5m \u202e word {"a": 1}'
PATCH = "@@ -1 +1 @@\n-old\n+new"


@pytest.fixture
def path(tmp_path: Path, reviewer: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with some traces."""
    monkeypatch.setenv("REVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    lines = [
        {"id": f"t{n}", "task": f"task {n}", "trajectory": [{"action": f"do {n}", "observation": text}] * 3}
        for n, text in enumerate([EVIL, PATCH, "done", "done"])
    ]
    file = tmp_path / "traces.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    store = tmp_path / "reviews.db"
    assert reviewer("--store", store, "import", file).status == 0
    return store


def labelling(path: Path, way: str = "--blind", **options: Any) -> Terminal:
    terminal = Terminal("--store", path, "label", "--as", "ana", way, **options)
    terminal.wait_for("your label:")
    terminal.read(0.2)
    return terminal


def kinds(path: Path) -> list[str]:
    with Store.open(path) as store:
        return [event.kind for event in store.labels.events()]


def test_a_storm_of_sizes_loses_and_doubles_nothing(path: Path) -> None:
    chance = random.Random(4)
    with labelling(path) as terminal:
        for turn in range(120):
            terminal.resize(
                chance.choice([1, 2, 19, 60, 80, 100, 140, 230]), chance.choice([1, 2, 9, 24, 60])
            )
            if turn % 10 == 3:
                terminal.send(chance.choice("ljkhzW"))
            if turn == 60:
                terminal.send("1")
            terminal.read(0.005)
        terminal.resize(100, 30)
        terminal.wait_for("labelled tool_misuse", since=len(terminal.written) - 1)
        terminal.send("q")
        assert terminal.ended() == 0
        assert "Traceback" not in terminal.text
    assert kinds(path) == ["label"]


@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="no shell with jobs")
@pytest.mark.parametrize("how", ["key", "signal"])
def test_it_stops_and_goes_on(path: Path, how: str) -> None:
    with labelling(path, shell=True) as terminal:
        place = terminal.send(b"\x1a" if how == "key" else b"")
        if how == "signal":
            children = Path(f"/proc/{terminal.pid}/task/{terminal.pid}/children").read_text().split()
            os.kill(int(children[0]), signal.SIGTSTP)
        terminal.wait_for("Stopped", since=place)
        assert all(code in terminal.written[place:] for code in RESTORED), "the shell has its screen"
        place = terminal.send("fg\n")
        terminal.wait_for("your label:", since=place)
        terminal.press("1", "saved tool_misuse")
        terminal.press("q", "1 of 4 traces labelled")
        terminal.press("echo left $?\n", "left 0")
        terminal.send("exit\n")
        assert terminal.ended() == 0
    assert kinds(path) == ["label"]


def test_no_color_means_no_colour_at_all(path: Path) -> None:
    with labelling(path, env={"NO_COLOR": "1"}) as terminal:
        for key in "lljLle?":
            terminal.send(key)
            terminal.read(0.15)
        terminal.send(b"\x1b")
        terminal.read(0.4)  # else it would be Alt+1
        terminal.press("1", "saved")
        terminal.send("q")
        assert terminal.ended() == 0
        assert not COLOUR.findall(terminal.written)
        assert b"\x1b[7m" in terminal.written or b";7m" in terminal.written, "what is chosen still stands out"


def test_without_no_color_there_are_colours(path: Path) -> None:
    with labelling(path) as terminal:
        assert COLOUR.search(terminal.written), "else the test above proves nothing"


def test_only_its_key_copies_and_what_is_copied_is_clean(path: Path) -> None:
    with labelling(path, "--assisted", size=(140, 40)) as terminal:
        for key in ("l", "l", "\x03", "z", "W", "R", "\x1b", "?", "\x1b", "i", "\x1b", "/red\r", "n"):
            terminal.send(key)
            terminal.read(0.2)
        terminal.send(b"\x1b[<0;40;5M\x1b[<32;70;9M\x1b[<0;70;9m\x03")  # drag over the text, Ctrl+C
        terminal.read(0.3)
        assert OSC.findall(terminal.written) == []
        terminal.press("C", "copied the step")
        terminal.press("\x0b", "copied the quote")
        terminal.send("q")
        assert terminal.ended() == 0
    step, quote = [
        base64.b64decode(code.removeprefix(b"52;c;")).decode() for code in OSC.findall(terminal.written)
    ]
    assert "␛]52;c;UFdORUQ=␇ red ␦5m ⇄ word" in step
    assert quote == "red"


def test_a_long_step_is_not_cut_without_saying_so(path: Path, reviewer: Callable[..., Ran]) -> None:
    file = path.with_name("long.json")
    file.write_text(
        json.dumps({"task": "long", "trajectory": [{"action": "x", "observation": "é" * 60_000}]})
    )
    assert reviewer("--store", path.with_name("long.db"), "import", file).status == 0
    with labelling(path.with_name("long.db")) as terminal:
        terminal.press("l", "step 1/1")
        terminal.press("C", "50,000 characters of 60,")


def test_a_crash_says_where_and_shows_neither_variables_nor_escapes(path: Path) -> None:
    prelude = (
        "from reviewer.tui.screens.foot import Foot\n"
        "def boom(self):\n"
        "    secret = 'local-' + 'secret'\n"
        "    raise RuntimeError('broken by \\x1b]52;c;UFdORUQ=\\x07 \\x9b5m' + secret[:0])\n"
        "Foot.action_help = boom\n"
    )
    with labelling(path, prelude=prelude) as terminal:
        terminal.press("1", "saved")
        place = terminal.send("?")
        assert terminal.ended() == 1
        written = terminal.written[place:]
    assert all(code in written for code in RESTORED)
    assert b"RuntimeError" in written and b"broken by" in written
    assert b"local-secret" not in written and b"UFdORUQ" not in b"".join(OSC.findall(written))
    assert "\x9b" not in written.decode() and "broken by ␛]52;c;UFdORUQ=␇ ␦5m" in written.decode()
    assert kinds(path) == ["label"]


def test_changed_keys_work_and_are_shown(path: Path) -> None:
    config = path.parent / "config"
    config.mkdir(exist_ok=True)
    (config / "keys.toml").write_text('"step.next" = "D"\n"help" = "f1"\n', "utf-8")
    with labelling(path, size=(140, 40)) as terminal:
        terminal.press("D", "step 1/3")
        place = terminal.send("l")
        terminal.read(0.4)
        assert "step 2/3" not in terminal.since(place)
        terminal.press("\x1bOP", "Go to the next step.")
        assert "D " in terminal.since(place)


def test_wrong_keys_are_one_line_that_names_the_file(path: Path, reviewer: Callable[..., Ran]) -> None:
    config = path.parent / "config"
    config.mkdir(exist_ok=True)
    (config / "keys.toml").write_text('"step.next" = "1"\n', "utf-8")
    with Terminal("--store", path, "label", "--as", "ana", "--blind") as terminal:
        assert terminal.ended(10) == 1
    said = "".join(terminal.text.split())  # where it folds depends on how long the path is
    assert "keys.toml:step.next:thekey1labels" in said


def test_habits_last_from_one_sitting_to_the_next(path: Path) -> None:
    with labelling(path) as terminal:
        terminal.press("\x14", "colours: light")
        terminal.press("W", "run out to the right")
        terminal.send("q")
        assert terminal.ended() == 0
    (kept,) = (path.parent / "config" / "habits").iterdir()
    assert json.loads(kept.read_text()) == {"theme": "textual-light", "wrap": False, "list_width": 0}
    with Terminal("--store", path, "label", "--as", "ana") as terminal:  # the way of working too
        terminal.wait_for("BLIND")
        terminal.read(0.3)
        terminal.press("W", "long lines are wrapped")


@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux here")
def test_in_tmux(path: Path, tmp_path: Path) -> None:
    def tmux(*arguments: object) -> str:
        command = ["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=20).stdout

    def until(words: str) -> None:
        end = time.monotonic() + 15
        while words not in (shown := tmux("capture-pane", "-p")):
            assert time.monotonic() < end, shown
            time.sleep(0.05)

    run = "from reviewer.cli import main; main()"
    job = f"{sys.executable} -c '{run}' --store {path} label --as ana --blind; echo left $?; sleep 60"
    tmux("new-session", "-d", "-x", 120, "-y", 40, job)
    try:
        until("your label:")
        time.sleep(0.5)
        tmux("send-keys", "1")
        until("saved tool_misuse")
        tmux("resize-window", "-x", 70, "-y", 20)
        until("labelled tool_misuse")
        tmux("send-keys", "q")
        until("left 0")
    finally:
        tmux("kill-server")
    assert kinds(path) == ["label"]


def test_the_way_of_working_is_kept_for_each_annotator(path: Path) -> None:
    for arguments, way in [
        (("ana", "--blind"), "BLIND"),
        (("ben", "--assisted"), "ASSISTED"),
        (("ben",), "ASSISTED"),
        (("ana",), "BLIND"),
        (("eve",), "BLIND"),
    ]:
        with Terminal("--store", path, "label", "--as", *arguments) as terminal:
            terminal.wait_for(way)
            terminal.read(0.2)
            terminal.send("q")
            assert terminal.ended() == 0
