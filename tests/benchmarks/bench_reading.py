"""Reading, side by side: first paint, what a key costs, memory; small against huge, beside two others.

    python -m tests.benchmarks.bench_reading [ROUNDS] [--mini PATH-TO-mini-extra]

The others: a bare Textual app that changes one screen of text at a key, and (`--mini`) the inspector of
mini-swe-agent on files with the same steps. A pty of 140 x 40 stands for the terminal. CPU is the process'
own (all threads), wall from the key to the last byte of its answer; `frames` are synchronised updates.
Medians; look at the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reviewer.store import Store
from reviewer.trace import Result, Step, ToolCall, Trace, TraceInfo, digest, renumbered, trace_id
from tests.benchmarks.bench_start import REVIEWER
from tests.benchmarks.bench_start import Terminal as Pty

COUNTS = (50, 1_000, 10_000, 100_000)
HUGE = 20_000_000
KEYS = 40
OUTPUT = "\n".join(f"line {n}: some output of a tool that runs" for n in range(24))
BARE = """
from textual.app import App
from textual.scroll_view import ScrollView
from textual.strip import Strip
from rich.segment import Segment
class Page(ScrollView, can_focus=True):
    n = 0
    def render_line(self, y):
        text = f"MARKER-{self.n}- line {y}: some output of a tool, as long as a row".ljust(self.size.width)
        return Strip([Segment(text)], self.size.width)
    def key_l(self): self.n += 1; self.refresh()
    def key_h(self): self.n -= 1; self.refresh()
class A(App):
    def compose(self): yield Page()
    def on_mount(self): self.query_one(Page).focus()
A().run()
"""

STATIC = """
from textual.app import App
from textual.widgets import Static
def page(n):
    return "\\n".join(f"MARKER-{n}- line {y}: some output of a tool".ljust(138) for y in range(40))
class A(App):
    n = 0
    def compose(self): yield Static(page(0), markup=False)
    def key_l(self): self.n += 1; self.query_one(Static).update(page(self.n), layout=False)
    def key_h(self): self.n -= 1; self.query_one(Static).update(page(self.n), layout=False)
A().run()
"""


def steps(count: int, huge: int) -> Iterator[tuple[str, str, str]]:
    """(words, command, output) of each step; the `huge`-th has an output of 20 MB."""
    for n in range(1, count + 1):
        output = OUTPUT if n != huge else "\n".join(f"{k} {OUTPUT[:60]}" for k in range(HUGE // 68))
        yield f"MARKER-{n}- I look at it", f"ls {n}", output


def build(folder: Path, count: int, huge: int = 0) -> tuple[Path, Path]:
    """A store, and a trajectory for mini-swe-agent, with the same steps."""
    name = f"{count}{'-huge' if huge else ''}"
    store_path, file = folder / f"{name}.db", folder / f"{name}.traj.json"
    made = renumbered(
        [
            Step(
                0,
                "agent",
                words,
                calls=(ToolCall("bash", {"command": run}, "c"),),
                results=(Result(got, "c"),),
                source_ids=(f"#{2 * n + 1}", f"#{2 * n + 2}"),
            )
            for n, (words, run, got) in enumerate(steps(count, huge))
        ]
    )
    messages = [{"role": "user", "content": "MARKER-TASK"}]
    for words, run, got in steps(count, huge):
        messages += [{"role": "assistant", "content": f"{words}\n{run}"}, {"role": "user", "content": got}]
    info = TraceInfo(
        trace_id([name]), digest([name]), "plain", n_steps=count, task="MARKER-TASK", task_id="t"
    )
    with Store.open(store_path, create=True) as store:
        with store.write():
            raw = json.dumps({"messages": messages}) if huge else "{}"
            store.traces.put(Trace(info, made, raw), now="now")
        store.settings.set("work", "blind", now="now")
    file.write_text(json.dumps({"messages": messages, "info": {}, "trajectory_format": "mini-swe-agent-1"}))
    return store_path, file


@dataclass
class Cost:
    """Of one key: CPU and wall in milliseconds, frames."""

    cpu: float
    wall: float
    frames: int


class Terminal(Pty):
    """A child on a pty that is told its terminal can update in one go, so that frames can be counted."""

    def cpu_ns(self) -> int:
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)

    def peak_mb(self) -> float:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000

    def until(self, marker: bytes, seconds: float = 30) -> float:
        """Seconds from the start to the marker."""
        end = time.perf_counter() + seconds
        while marker not in self.seen:
            if time.perf_counter() > end:
                raise TimeoutError(f"{marker!r} never came; last: {self.seen[-300:]!r}")
            self._take(0.05)
        return time.perf_counter() - self.started

    def _take(self, seconds: float) -> bool:
        """Read what there is; answer the question whether updates can be synchronised."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        data = os.read(self.fd, 65536)
        self.seen = (self.seen + data)[-400_000:]
        if b"\x1b[?2026$p" in data:
            os.write(self.fd, b"\x1b[?2026;2$y")
        return True

    def settle(self, quiet: float, seconds: float) -> float:
        """Read until nothing came for `quiet` seconds; when the last byte came."""
        last, end = time.perf_counter(), time.perf_counter() + seconds
        while (now := time.perf_counter()) < end and now - last < quiet:
            if self._take(quiet / 4):
                last = time.perf_counter()
        return last

    def press(self, key: str, *, quiet: float = 0.12, seconds: float = 90) -> Cost:
        self.seen = b""
        before, start = self.cpu_ns(), time.perf_counter()
        os.write(self.fd, key.encode())
        last = self.settle(quiet, seconds)
        frames = self.seen.count(b"\x1b[?2026h")
        return Cost((self.cpu_ns() - before) / 1e6, 1000 * (last - start), frames)


Opened = Callable[[], Terminal]


def opened(command: list[str], environment: dict[str, str], marker: bytes, rest: float = 1.0) -> Terminal:
    terminal = Terminal(command, environment)
    terminal.until(marker, 120)
    terminal.settle(rest, 60)
    return terminal


def first_paint(command: list[str], environment: dict[str, str], marker: bytes) -> float:
    terminal = Terminal(command, environment)
    try:
        return 1000 * terminal.until(marker, 120)
    finally:
        terminal.end()


def walked(open_it: Opened, keys: int = KEYS) -> tuple[list[Cost], float]:
    """What each of so many steps forwards and backwards costs, and the peak memory at the end."""
    terminal = open_it()
    try:
        for _ in range(3):
            terminal.press("l")
        costs = [terminal.press("l" if n % 20 < 10 else "h") for n in range(keys)]
        return costs, terminal.peak_mb()
    finally:
        terminal.end()


def in_turn(rounds: int, **what: Callable[[], float]) -> dict[str, float]:
    """The medians of what was measured in turn."""
    found: dict[str, list[float]] = {name: [] for name in what}
    for _ in range(rounds):
        for name, measure in what.items():
            found[name].append(measure())
    return {name: statistics.median(values) for name, values in found.items()}


def line(name: str, value: float, unit: str, base: float | None = None, goal: str = "") -> None:
    ratio = "" if base is None else f"× {value / base:5.2f}"
    print(f"{name:<44} {value:9.1f} {unit:<3} {ratio:<9} {goal}", flush=True)


class Bench:
    def __init__(self, folder: Path, rounds: int, mini: str) -> None:
        self.folder, self.rounds, self.mini = folder, rounds, mini
        self.environment = {
            "REVIEWER_CONFIG_DIR": str(folder),
            "MSWEA_SILENT_STARTUP": "1",
            "MSWEA_CONFIGURED": "1",
        }
        self.made = {str(count): build(folder, count) for count in COUNTS}
        self.made["huge"] = build(folder, 50, huge=2)

    def ours(self, name: str) -> list[str]:
        return [*REVIEWER, "--store", str(self.made[name][0]), "label", "--as", "ana"]

    def theirs(self, name: str) -> list[str]:
        return [self.mini, "inspect", str(self.made[name][1])]

    def first_paints(self) -> None:
        names = ("50", "10000", "100000", "huge")

        def ours(name: str) -> float:
            return first_paint(self.ours(name), self.environment, b"MARKER-TASK")

        found = in_turn(self.rounds, **{name: lambda name=name: ours(name) for name in names})
        for name in names:
            line(f"first paint, {name}", found[name], "ms", found["50"], "at most 1.3")
        if self.mini:
            for name in ("50", "10000", "100000"):
                ms = first_paint(self.theirs(name), self.environment, b"MARKER-TASK")
                line(f"  mini's inspector, {name}", ms, "ms", found[name])

    def keys(self) -> None:
        bare, static = [sys.executable, "-c", BARE], [sys.executable, "-c", STATIC]
        found: dict[str, tuple[list[Cost], float]] = {}
        for _ in range(max(1, self.rounds // 3)):
            self._walk(found, "bare", lambda: opened(bare, {}, b"MARKER-0-"))
            self._walk(found, "bare, one Static", lambda: opened(static, {}, b"MARKER-0-"))
            for count in COUNTS:
                name = str(count)
                command = self.ours(name)
                rest = 12.0 if count > 10_000 else 3.0
                self._walk(
                    found, name, lambda c=command, r=rest: opened(c, self.environment, b"MARKER-TASK", r)
                )
            if self.mini:
                for name in ("50", "10000", "100000"):
                    command = self.theirs(name)
                    self._walk(
                        found, f"mini {name}", lambda c=command: opened(c, self.environment, b"MARKER-TASK")
                    )
        small, floor, static_ = _cpu(found["50"]), _cpu(found["bare"]), _cpu(found["bare, one Static"])
        for name, (costs, memory) in found.items():
            cpu = _cpu((costs, memory))
            beside = f"of the bare app × {cpu / floor:.2f}, of one Static × {cpu / static_:.2f}"
            line(f"a step, CPU, {name}", cpu, "ms", small, beside)
            wall = statistics.median(cost.wall for cost in costs)
            frames = statistics.median(cost.frames for cost in costs)
            most = max(cost.frames for cost in costs)
            print(
                f"    wall {wall:.1f} ms, frames {frames:g} (most {most}), peak {memory:.0f} MB", flush=True
            )

    @staticmethod
    def _walk(found: dict[str, tuple[list[Cost], float]], name: str, open_it: Opened) -> None:
        costs, memory = walked(open_it)
        known, before = found.get(name, ([], 0.0))
        found[name] = ([*known, *costs], max(memory, before))

    def huge(self) -> None:
        terminal = opened(self.ours("huge"), self.environment, b"MARKER-TASK", 3.0)
        try:
            terminal.press("l")
            first = terminal.press("l", quiet=0.5)
            all_of_it = terminal.press("Z", quiet=1.0)
            end = terminal.press("j")
            line("to the step of 20 MB, CPU", first.cpu, "ms", None, f"wall {first.wall:.0f} ms")
            line("  all of it opened (Z), CPU", all_of_it.cpu, "ms", None, f"wall {all_of_it.wall:.0f} ms")
            line("  a line down in it, CPU", end.cpu, "ms", None, f"wall {end.wall:.0f} ms")
            line("  peak memory", terminal.peak_mb(), "MB", None, f"at most {100 + 5 * HUGE / 1e6:.0f}")
            record = terminal.press("R", quiet=1.0)
            assert b"source record of step 2" in terminal.seen
            line("  its source record (R), CPU", record.cpu, "ms", None, f"wall {record.wall:.0f} ms")
            line("  peak memory with it", terminal.peak_mb(), "MB", None, "at most 200")
        finally:
            terminal.end()
        if self.mini:
            terminal = opened(self.theirs("huge"), self.environment, b"MARKER-TASK")
            try:
                terminal.press("l")
                cost = terminal.press("l", quiet=20.0, seconds=150)
                line("  mini's inspector, CPU", cost.cpu, "ms", None, f"wall {cost.wall:.0f} ms")
                line("  mini's inspector, peak memory", terminal.peak_mb(), "MB")
            finally:
                terminal.end()


def _cpu(walk: tuple[list[Cost], float]) -> float:
    return statistics.median(cost.cpu for cost in walk[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=7)
    parser.add_argument("--mini", default="", help="the program mini-extra")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), arguments.rounds, arguments.mini)
        first_paint(bench.ours("50"), bench.environment, b"MARKER-TASK")  # warm caches, make the annotator
        bench.first_paints()
        bench.keys()
        bench.huge()


if __name__ == "__main__":
    main()
