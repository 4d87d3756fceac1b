"""Reading Inspect logs beside Inspect's own reader, without the store.

    python tests/benchmarks/bench_eval.py LOG.eval [--copies 100] [--rounds 5]

The samples of LOG are multiplied with Inspect's own writer, then the file is read by both in turns, in one
process, libraries loaded and warm. Needs inspect_ai, which reviewer does not: pip install inspect_ai.
Prints median CPU seconds and their ratio.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from reviewer.importers.finding.files import open_source


def ours(path: Path) -> int:
    importer, source = open_source(path)
    return sum(1 for _ in importer.read(source))


def theirs(path: Path) -> int:
    from inspect_ai.log import read_eval_log

    return len(read_eval_log(str(path)).samples or [])


def multiplied(path: Path, copies: int, target: Path) -> None:
    """Write the samples of a log `copies` times over, as epochs of their own."""
    from inspect_ai.log import read_eval_log, write_eval_log

    log = read_eval_log(str(path))
    samples = log.samples or []
    step = max((sample.epoch for sample in samples), default=1)
    log.samples = [
        sample.model_copy(update={"epoch": sample.epoch + step * copy})
        for copy in range(copies)
        for sample in samples
    ]
    write_eval_log(log, str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.eval")
        multiplied(given.log, given.copies, path)
        times: dict[str, list[float]] = {"reviewer": [], "inspect": []}
        for turn in range(given.rounds + 1):
            for name, read in (("reviewer", ours), ("inspect", theirs)):
                started = time.process_time()
                count = read(path)
                if turn:  # the first one warms up
                    times[name].append(time.process_time() - started)
        medians = {name: statistics.median(values) for name, values in times.items()}
        print(f"{path.stat().st_size / 1e6:.1f} MB, {count} samples")
        for name, seconds in medians.items():
            print(f"{name:10} {seconds:7.2f} s of CPU")
        print(f"{medians['inspect'] / medians['reviewer']:.1f} x faster (goal: at least 5)")


if __name__ == "__main__":
    main()
