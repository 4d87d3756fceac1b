"""First paint, `--help` and the cost of a step, each beside its baseline in the same run, in turn.

    python tests/benchmarks/bench_start.py [ROUNDS]

First paint: from the start of the process to the first bytes of the marker on a real pty, 140 x 40; the
baseline is an empty Textual app. Steps: CPU seconds of the process for 60 presses of `l`. Medians; look
at the ratios, not at the milliseconds.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path

from reviewer.store import Store
from reviewer.trace import Result, Step, ToolCall, Trace, TraceInfo, digest, renumbered, trace_id

EMPTY = """from textual.app import App
from textual.widgets import Static
class A(App):
    def compose(self):
        yield Static('MARKER-OF-PAINT')
A().run()"""
REVIEWER = [str(Path(sys.executable).with_name("reviewer"))]  # as people start it


def build(path: Path, count: int) -> None:
    """A store with one trace of `count` steps of about 1 KB each."""
    output = "\n".join(f"line {n}: some output of a tool that runs" for n in range(24))
    steps = renumbered(
        [
            Step(
                0,
                "agent",
                f"MARKER-{n}-",
                calls=(ToolCall("bash", {"command": f"ls {n}"}, "c"),),
                results=(Result(output, "c"),),
            )
            for n in range(1, count + 1)
        ]
    )
    info = TraceInfo(
        trace_id([count]), digest([count]), "plain", n_steps=count, task="MARKER-OF-PAINT", task_id="t"
    )
    with Store.open(path, create=True) as store:
        with store.write():
            store.traces.put(Trace(info, steps, "{}"), now="now")
        store.settings.set("work", "blind", now="now")


class Terminal:
    """A child on a pty; reads what it paints."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
            os.execvpe(command[0], command, {**os.environ, **environment, "TERM": "xterm-256color"})
        self.seen = b""

    def until(self, marker: bytes, seconds: float = 30) -> float:
        """Seconds from the start to the marker."""
        end = time.perf_counter() + seconds
        while marker not in self.seen:
            if time.perf_counter() > end:
                raise TimeoutError(f"{marker!r} never came; last: {self.seen[-300:]!r}")
            if select.select([self.fd], [], [], 0.05)[0]:
                self.seen += os.read(self.fd, 65536)
        return time.perf_counter() - self.started

    def quiet(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            if select.select([self.fd], [], [], 0.02)[0]:
                self.seen = (self.seen + os.read(self.fd, 65536))[-10000:]

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def paint(command: list[str], environment: dict[str, str]) -> float:
    terminal = Terminal(command, environment)
    try:
        return terminal.until(b"MARKER-OF-PAINT")
    finally:
        terminal.end()


def step(store: Path, environment: dict[str, str], presses: int = 60) -> float:
    terminal = Terminal([*REVIEWER, "--store", str(store), "label", "--as", "ana"], environment)
    try:
        terminal.until(b"MARKER-OF-PAINT")
        terminal.quiet(3.0 if store.stem == "10000" else 1.5)
        before = terminal.cpu()
        for _ in range(presses):
            os.write(terminal.fd, b"l" if _ % 40 < 30 else b"h")
            terminal.quiet(0.03)
        terminal.quiet(0.3)
        return (terminal.cpu() - before) / presses
    finally:
        terminal.end()


def whole(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - started


def side_by_side(name: str, rounds: int, ours: Callable[[], float], base: Callable[[], float]) -> None:
    a, b = [], []
    for _ in range(rounds):
        a.append(ours())
        b.append(base())
    ratio = statistics.median(x / y for x, y in zip(a, b, strict=True))
    ours_ms, base_ms = 1000 * statistics.median(a), 1000 * statistics.median(b)
    print(f"{name:<34} {ours_ms:8.1f} ms {base_ms:8.1f} ms   × {ratio:.2f}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        environment = {"REVIEWER_CONFIG_DIR": folder}
        stores = {count: Path(folder, f"{count}.db") for count in (50, 1000, 10000)}
        for count, path in stores.items():
            build(path, count)
        opened = [*REVIEWER, "--store", str(stores[50]), "label", "--as", "ana"]
        big = [*REVIEWER, "--store", str(stores[10000]), "label", "--as", "ana"]
        empty = [sys.executable, "-c", EMPTY]
        paint(opened, environment)  # warm caches, make the annotator
        print(f"{'':<34} {'ours':>11} {'baseline':>11}")
        side_by_side(
            "first paint / empty Textual app",
            rounds,
            lambda: paint(opened, environment),
            lambda: paint(empty, environment),
        )
        side_by_side(
            "first paint 10,000 / 50 steps",
            rounds,
            lambda: paint(big, environment),
            lambda: paint(opened, environment),
        )
        side_by_side(
            "--help / import click",
            rounds,
            lambda: whole([*REVIEWER, "--help"]),
            lambda: whole([sys.executable, "-c", "import click"]),
        )
        side_by_side(
            "CPU of a step 10,000 / 50 steps",
            3,
            lambda: step(stores[10000], environment),
            lambda: step(stores[50], environment),
        )


if __name__ == "__main__":
    main()
