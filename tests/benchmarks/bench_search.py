"""Search in a trace of many steps, cold and warm, beside a plain scan of the same texts. Run it by hand:

    python -m tests.benchmarks.bench_search [STEPS]

Cold: the first search after the trace was opened, read from the store. Warm: another search after it. The
scan has all texts in memory already, in lower case, and only counts: less than that no search can do. `gap`
is the longest time that a key had to wait for a slice. Medians of five; the machine's load is in all rows.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from reviewer.session import Reading
from reviewer.store import Store
from reviewer.trace import Result, Step, ToolCall, Trace, TraceInfo, renumbered
from reviewer.tui.seeking import Seeker
from reviewer.tui.widgets.parts import parts_of
from reviewer.tui.widgets.sought import sought

GOAL_COLD, GOAL_WARM = 1.0, 0.1  # seconds over 10,000 steps
ROUNDS = 5
TYPED = ("harbour", "Harbour", "pier 77", '"quay": "7', "zeppelin")
PATTERNS = ("re:qu[aeiou]y \\d+", "re:(harbour|quay) 77\\b", "re:\\w+ zeppelin")


def text(rng: random.Random, words: list[str], size: int) -> str:
    lines = (" ".join(rng.choices(words, k=9)) + f" {rng.randrange(1000)}" for _ in range(size // 60 + 1))
    return "\n".join(lines)


def build(path: Path, steps: int, *, json: bool) -> None:
    """A trace with about 2 KB of output a step; with `json`, in one line of JSON."""
    rng = random.Random(7)
    words = ["harbour", "quay", "pier", "ship", "anchor", "Harbour", "rope", "lamp", "crane", "tide", "✓"]
    some = [text(rng, words, rng.choice((300, 1500, 2500, 6000))) for _ in range(300)]
    made = []
    for n in range(steps):
        output = rng.choice(some)
        if json:
            fields = ", ".join(f'"{word}": "{n}"' for n, word in enumerate(output.split()[:150]))
            output = f"{{{fields}}}"
        call = ToolCall("bash", {"command": f"grep -n pier {n}.txt | head -{n}", "timeout": n}, "c")
        made.append(Step(0, "agent", f"I look at pier {n}.", calls=(call,), results=(Result(output, "c"),)))
    info = TraceInfo("t1-" + "0" * 32, "h", "plain", n_steps=steps, task_id="big")
    with Store.open(path, create=True) as store, store.write():
        store.traces.put(Trace(info, renumbered(made)), now="now")


def search(seeker: Seeker, reading: Reading, typed: str, steps: int) -> tuple[int, float]:
    """(hits, the longest slice)"""
    asked, n, hits, gap = sought(typed), 1, 0, 0.0
    while n <= steps:
        started = time.perf_counter()
        found, n = seeker.seek(reading, asked, n, steps)
        gap = max(gap, time.perf_counter() - started)
        hits += sum(found.values())
    return hits, gap


def measure(path: Path, steps: int, name: str) -> bool:
    reading = Reading(Store.open(path))
    trace = "t1-" + "0" * 32
    every = [part.text.lower() for step in reading.steps(trace, 1, steps) for part in parts_of(step)]
    size = sum(map(len, every)) / 1e6
    print(f"\n{name}: {steps:,} steps, {size:.0f} MB of text")
    good = True
    for typed in (*TYPED, *PATTERNS):
        colds, warms, gaps, scans, hits = [], [], [], [], 0
        for _ in range(ROUNDS):
            seeker = Seeker(trace)
            started = time.perf_counter()
            search(seeker, reading, "tide", steps)
            colds.append(time.perf_counter() - started)
            started = time.perf_counter()
            hits, gap = search(seeker, reading, typed, steps)
            warms.append(time.perf_counter() - started)
            gaps.append(gap)
            regex = typed.startswith("re:")
            needle = typed.lower().removeprefix("re:")
            pattern = re.compile(needle if regex else "x", re.IGNORECASE)
            started = time.perf_counter()
            sum(sum(1 for _ in pattern.finditer(text)) if regex else text.count(needle) for text in every)
            scans.append(time.perf_counter() - started)
        cold, warm, scan = (statistics.median(times) for times in (colds, warms, scans))
        good &= cold <= GOAL_COLD and (warm <= GOAL_WARM or warm <= scan)  # of a busy machine the scan tells
        print(
            f"  {typed:<20} {hits:>8,} hits  cold {cold:6.3f} s  warm {warm:6.3f} s  "
            f"scan {scan:6.3f} s  ({warm / scan:4.1f} x)  gap {max(gaps) * 1000:4.0f} ms"
        )
    reading.close()
    return good


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        for name, json in (("plain output", False), ("output in JSON", True)):
            path = Path(folder) / f"{name}.db"
            build(path, steps, json=json)
            print("goals met" if measure(path, steps, name) else "a goal was missed")


if __name__ == "__main__":
    main()
