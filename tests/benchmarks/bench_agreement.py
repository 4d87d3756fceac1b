"""Agreement of two raters over a million labels with 2,000 resamples, beside a scikit-learn loop. By hand:

    python -m tests.benchmarks.bench_agreement [LABELS] [--resamples N] [--loop N]

Ours: `cross_table` of the labels as they are (text), `cohen_kappa` with its interval, `kappa_bootstrap` with
2,000 resamples. Theirs: `cohen_kappa_score` once, then for each of 20 resamples the items drawn by numpy
and `cohen_kappa_score` of them; its time is scaled up to 2,000. Both in this process, one after the other,
once with the labels as text and once as whole numbers in numpy arrays (theirs only: then nothing is
converted on their side, and everything still is on ours). Seconds are those of the processor, so that what
else runs on the machine is no part of them. `ratio` is theirs over ours; the line to beat is 500.
scikit-learn is no dependency of ours: `pip install scikit-learn` into the environment that runs this, with
this folder on its path.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any

from reviewer.stats.agreement import pair_agreement
from reviewer.stats.cohen import cohen_kappa
from reviewer.stats.estimate import Estimate
from reviewer.stats.resampled import kappa_bootstrap
from reviewer.stats.table import cross_table

MODES = [f"mode_{k:02}" for k in range(14)]
SHARES = [1 / (k + 1) ** 0.8 for k in range(14)]
KAPPA = 0.6
LINE = 500


def labels(n: int, seed: int = 1) -> tuple[list[str], list[str]]:
    rng = Random(seed)
    a = rng.choices(MODES, SHARES, k=n)
    other = rng.choices(MODES, SHARES, k=n)
    return a, [x if rng.random() < KAPPA else y for x, y in zip(a, other, strict=True)]


def timed(work: Callable[[], Any], times: int = 3) -> tuple[Any, float]:
    """What it gives, and the shortest of a few times: the machine's other work is no part of it."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        found = work()
        taken.append(time.process_time() - start)
    return found, min(taken)


def ours(a: list[str], b: list[str], resamples: int) -> tuple[Estimate, Estimate, float, float]:
    table, table_time = timed(lambda: cross_table(a, b))
    kappa, point_time = timed(lambda: cohen_kappa(table))
    drawn, drawn_time = timed(lambda: kappa_bootstrap(table, seed=1, replicates=resamples))
    return kappa, drawn, table_time + point_time, drawn_time


def theirs(a: Any, b: Any, loop: int) -> tuple[float, float, float]:
    """The value, the seconds of it, the seconds of one resample (the shortest)."""
    import numpy
    from sklearn.metrics import cohen_kappa_score

    value, point_time = timed(lambda: float(cohen_kappa_score(a, b)))
    rng = numpy.random.default_rng(1)
    times = []
    for _ in range(loop):
        start = time.process_time()
        drawn = rng.integers(0, len(a), len(a))
        cohen_kappa_score(a[drawn], b[drawn])
        times.append(time.process_time() - start)
    return value, point_time, min(times)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("labels", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--loop", type=int, default=20)
    options = parser.parse_args()
    a, b = labels(options.labels)
    kappa, drawn, point, resampling = ours(a, b, options.resamples)
    whole = point + resampling
    print(f"2 raters x {options.labels:,} labels, {len(MODES)} modes, {options.resamples:,} resamples")
    print(f"ours, text: kappa {kappa.value:.6f}, point and interval {point:.3f} s")
    print(f"      {options.resamples:,} resamples {resampling:.3f} s ({drawn.low:.4f} to {drawn.high:.4f})")
    _, everything = timed(lambda: pair_agreement(a, b))
    print(f"      all figures of a pair (`pair_agreement`) {everything:.3f} s")
    try:
        import numpy
        import sklearn  # noqa: F401 (only whether it is there)
    except ImportError:
        print("no scikit-learn here to compare with: pip install scikit-learn")
        return
    place = {mode: k for k, mode in enumerate(MODES)}
    coded = [numpy.array([place[mode] for mode in rater]) for rater in (a, b)]
    for name, pair in (("whole numbers", coded), ("text", [numpy.array(rater) for rater in (a, b)])):
        value, one, resample = theirs(*pair, options.loop)
        loop = one + resample * options.resamples
        assert kappa.value is not None and abs(value - kappa.value) < 1e-9
        print(f"scikit-learn, {name}: point {one:.3f} s, one resample {resample:.3f} s, all {loop:.0f} s")
        for what, mine, other in (
            ("point and resamples", whole, loop),
            ("resamples only", resampling, resample * options.resamples),
        ):
            ratio = other / mine
            verdict = "beaten" if ratio >= LINE else "MISSED"
            print(f"      ratio, {what}: {ratio:,.0f} (line {LINE}: {verdict})")


if __name__ == "__main__":
    main()
