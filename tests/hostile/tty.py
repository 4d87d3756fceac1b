"""The checks that need a real terminal: what is written to it while hostile traces are seen, and paste."""

from __future__ import annotations

from tests.hostile.case import Check
from tests.hostile.checks import check
from tests.hostile.trial import Trial
from tests.tui.terminal import Terminal


def watched(trial: Trial) -> bytes:
    """All that a terminal got: the screen over every step, `show`, `traces`, an error; once a case."""
    if "tty" not in trial.seen:
        written = b""
        with Terminal("--store", trial.store, "label", "--as", "ana", "--assisted") as terminal:
            terminal.wait_for("quit")
            for trace in trial.traces():
                for n in range(1, trace["steps"] + 1):
                    terminal.press("l", f"{n}/{trace['steps']}")
                    terminal.send("Z     ")
                    terminal.read(0.1)
                terminal.send("L")
                terminal.read(0.3)
            terminal.send("q")
            assert terminal.ended() == 0
            written += terminal.written
        commands = [("traces",), ("import", trial.folder / "nothing here"), ("import", *_files(trial))]
        commands += [(verb, trace["id"]) for trace in trial.traces() for verb in ("show", "history")]
        commands += [("show", trace["id"], "--raw") for trace in trial.traces()]
        for command in commands:
            with Terminal("--store", trial.store, *command) as terminal:
                terminal.ended(20)
                written += terminal.written
        trial.seen["tty"] = written
    found: bytes = trial.seen["tty"]
    return found


def _files(trial: Trial) -> list[object]:
    return [trial.folder / name for name in trial.case.traces]


@check("pty_output_has_no")
def _pty_output_has_no(trial: Trial, check: Check) -> None:
    for pattern in check["hex"]:
        assert bytes.fromhex(pattern) not in watched(trial), pattern


@check("pty_feed")
def _pty_feed(trial: Trial, check: Check) -> None:
    """Feed the bytes to the screen, in each way of working if they can act; then `then` must hold."""
    wanted = check["then"]["op"]
    for way in ("--assisted", "--blind") if wanted == "undo_restores_all" else ("--assisted",):
        before = trial.labels()
        with Terminal("--store", trial.store, "label", "--as", "ana", way) as terminal:
            terminal.wait_for("quit")
            terminal.read(0.3)
            terminal.send(trial.case.files[check["file"]])
            terminal.read(0.6)
            if wanted == "undo_restores_all":
                terminal.undo_all()
            terminal.send("q")
            assert terminal.ended() == 0
        if wanted == "undo_restores_all":
            assert trial.current() == []
        else:
            assert wanted == "labels_unchanged_after"
            assert trial.labels() == before
