"""The table of coverage: how often each interval of kappa holds the truth. Run it by hand:

    python -m tests.benchmarks.bench_coverage [TABLES]

A nominal 95 % interval; columns are the ways to compute it (`cohen_kappa(..., interval=)`), `score` is the
default; below it the mean width of that one. Tables without a kappa are counted, not judged.
"""

from __future__ import annotations

import sys
from typing import Final

from reviewer.stats.cohen import Interval
from tests.stats.coverage import TABLES, cells, simulate

WAYS: Final[tuple[Interval, ...]] = ("score", "hybrid", "wald")


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    print(f"{'':50}  must hold  {'score':>6} {'width':>6} {'hybrid':>7} {'wald':>6}  undefined of {tables}")
    for cell in cells():
        score, hybrid, wald = (simulate(cell, tables=tables, interval=way) for way in WAYS)
        low, high = cell.bounds
        must = f"{low:.3f}-{high:.3f}" if cell.strict else f">= {low:.3f}"
        mark = "" if low <= score.share <= high else "  MISSED"
        print(
            f"{cell!s:50}  {must:>11}  {score.share:.3f}  {score.width:.3f}   {hybrid.share:.3f}  "
            f"{wald.share:.3f}  {score.undefined}{mark}"
        )


if __name__ == "__main__":
    main()
