"""A 95 % interval of kappa holds the truth in 95 % of the draws, more or less: in 6,000 tables a cell.

`python -m tests.benchmarks.bench_coverage` prints the table. With 6,000 draws a share of 95 % is known to
0.6 % either way.
"""

from __future__ import annotations

import pytest

from tests.stats.coverage import Cell, cells, simulate


@pytest.mark.parametrize("cell", list(cells()), ids=str)
def test_intervals_hold_the_truth_as_often_as_they_say(cell: Cell) -> None:
    low, high = cell.bounds
    found = simulate(cell)
    assert found.judged > 5000
    assert low <= found.share <= high, f"{found.share:.4f} of {found.judged}"


def test_the_simulation_can_tell_an_interval_that_is_too_narrow() -> None:
    rare = Cell("90/10", (9.0, 1.0), 0.9, 30, False)
    assert simulate(rare, tables=2000, interval="wald").share < 0.5
    assert simulate(Cell("80/20", (4.0, 1.0), 0.0, 50, True), tables=2000, interval="hybrid").share < 0.9


def test_a_seed_means_the_same_again() -> None:
    cell = Cell("50/50", (1.0, 1.0), 0.5, 50, True)
    assert simulate(cell, tables=300) == simulate(cell, tables=300)
    assert simulate(cell, tables=300) != simulate(cell, tables=300, seed=1)
