"""The real `reviewer label` on a real terminal: how it ends, pasted text, keys held down, odd terminals."""

from __future__ import annotations

import json
import signal
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from reviewer.store import Store
from tests.conftest import Ran
from tests.tui.terminal import Terminal

TRACES = 12
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l", b"\x1b[?1003l")


@pytest.fixture
def path(tmp_path: Path, reviewer: Callable[..., Ran]) -> Path:
    """A store with some traces."""
    lines = [
        {"id": f"t{n}", "task": f"task {n}", "trajectory": [{"action": f"do {n}", "observation": "done"}] * 3}
        for n in range(TRACES)
    ]
    file = tmp_path / "traces.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    store = tmp_path / "reviews.db"
    assert reviewer("--store", store, "import", file).status == 0
    return store


def labelling(path: Path, way: str = "--blind", **options: Any) -> Terminal:
    """The review screen, painted."""
    terminal = Terminal("--store", path, "label", "--as", "ana", way, **options)
    terminal.wait_for("your label:")
    terminal.read(0.2)
    return terminal


def events(path: Path) -> list[tuple[str, str]]:
    """(kind, trace) of every event that is in the store."""
    with Store.open(path) as store:
        return [(event.kind, event.trace_id) for event in store.labels.events()]


def test_q_ends_it_and_gives_the_terminal_back(path: Path) -> None:
    with Terminal("--store", path, "label", "--as", "ana", "--blind") as terminal:
        before = terminal.attributes()
        terminal.wait_for("your label:")
        assert not terminal.attributes()[3] & termios.ECHO, "the screen is up"
        place = terminal.send("q")
        assert terminal.ended() == 0
        assert all(code in terminal.written[place:] for code in RESTORED)
        assert terminal.attributes() == before


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_ends_it_and_gives_the_terminal_back(
    path: Path, number: signal.Signals, status: int
) -> None:
    with labelling(path) as terminal:
        terminal.press("1", "saved")
        place = len(terminal.written)
        terminal.kill(number)
        assert terminal.ended() == status
        assert all(code in terminal.written[place:] for code in RESTORED)
        assert "Traceback" not in terminal.text
    assert len(events(path)) == 1


@pytest.mark.parametrize("hangup", ["heard", "ignored", "blocked"])
def test_a_closed_terminal_ends_it(path: Path, hangup: Literal["heard", "ignored", "blocked"]) -> None:
    with labelling(path, hangup=hangup) as terminal:
        terminal.press("1", "saved")
        terminal.hang_up()
        assert terminal.ended(5) == 129
    assert len(events(path)) == 1


def test_a_terminal_that_stalls_and_then_closes_ends_it(path: Path) -> None:
    """As an ssh connection does: nothing is read any more, everything that is written waits."""
    with labelling(path, size=(200, 50)) as terminal:
        for n in range(60):
            terminal.send("lh"[n % 2])
            time.sleep(0.02)
        terminal.hang_up()
        assert terminal.ended(5) == 129


def test_bracketed_paste_changes_nothing(path: Path) -> None:
    with labelling(path, "--assisted") as terminal:
        terminal.send(b"\x1b[200~1\n2\ny\nm1\nsfu i9 q\nxq\x1b[201~")
        terminal.read(0.5)
        terminal.send("q")
        assert terminal.ended() == 0
    assert events(path) == []


@pytest.mark.parametrize(
    ("way", "keys"),
    [
        ("--blind", "1" * 300),
        ("--assisted", "1\n" * 40),
        ("--assisted", "L1" * 40),
        ("--blind", "1yr2Ls" * 30),
    ],
    ids=["held", "lines", "walking", "all"],
)
def test_a_burst_labels_one_trace_at_most_and_can_be_undone(path: Path, way: str, keys: str) -> None:
    with labelling(path, way) as terminal:
        terminal.send(keys)
        terminal.read(0.8)
        given = {trace for kind, trace in events(path) if kind == "label"}
        assert len(given) <= 1
        terminal.undo_all()
        terminal.send("q")
        assert terminal.ended() == 0
    kinds = [kind for kind, _ in events(path)]
    assert kinds.count("label") == kinds.count("retract"), kinds


def test_a_held_label_key_never_labels_a_trace_that_was_not_painted(path: Path) -> None:
    with labelling(path, "--assisted") as terminal:
        for _ in range(30):
            terminal.send("1")
            terminal.read(0.015)
        terminal.read(0.5)
        text = terminal.text
        terminal.send("q")
        assert terminal.ended() == 0
    given = [trace for _, trace in events(path)]
    assert len(given) == len(set(given)), "no trace twice"
    painted = [n for n in range(1, TRACES + 1) if f"{n}/{TRACES} · t{n - 1}" in text]
    assert len(given) <= len(painted)


def test_a_held_label_key_labels_a_blind_trace_once(path: Path) -> None:
    with labelling(path) as terminal:
        for _ in range(30):
            terminal.send("1")
            terminal.read(0.015)
        terminal.wait_for("just labelled")
        terminal.send("q")
        assert terminal.ended() == 0
    assert len(events(path)) == 1


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"TERM": "dumb"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
    ids=["c", "dumb", "c-not-coerced"],
)
def test_an_odd_terminal_gets_no_traceback(path: Path, env: dict[str, str]) -> None:
    with labelling(path, env=env) as terminal:
        terminal.send("l")
        terminal.read(0.3)
        terminal.send("q")
        assert terminal.ended() == 0
        assert "Traceback" not in terminal.text


def test_a_terminal_of_another_alphabet_gets_numbers_for_what_it_lacks(
    path: Path, reviewer: Callable[..., Ran]
) -> None:
    trace = json.loads(reviewer("--store", path, "traces", "--json").out)[0]["id"]
    with Terminal("--store", path, "show", trace, env={"PYTHONIOENCODING": "latin-1"}) as terminal:
        assert terminal.ended(20) == 0
    assert "\\u2190 result: done" in terminal.text


def test_there_is_no_screen_without_a_terminal(path: Path, reviewer: Callable[..., Ran]) -> None:
    ran = reviewer("--store", path, "label", "--blind")
    assert ran.status == 1 and "needs a terminal" in ran.err.splitlines()[-1]


def test_what_was_said_before_the_screen_is_its_first_message(
    path: Path, reviewer: Callable[..., Ran]
) -> None:
    trace = json.loads(reviewer("--store", path, "traces", "--json").out)[0]["id"]
    assert reviewer("--store", path, "annotate", trace, "other", "--as", "ben").status == 0
    with labelling(path) as terminal:
        shown = terminal.since(terminal.written.index(b"\x1b[?1049h"))
        assert "new annotator: ana (here: ben)" in shown
        place = terminal.send("l")
        terminal.read(0.3)
        assert "new annotator" not in terminal.since(place)


def test_a_store_that_is_gone_is_called_gone(path: Path) -> None:
    with labelling(path) as terminal:
        path.unlink()
        terminal.press("1", "not saved: ")
        terminal.wait_for("gone (deleted or moved)")
