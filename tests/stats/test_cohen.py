"""Cohen's kappa, its standard errors and intervals, against values worked out by hand or another way."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from reviewer.stats.cohen import (
    cohen_kappa,
    kappa_of_cells,
    kappa_se,
    kappa_se_null,
    kappa_se_tasks,
    kappa_value,
)
from reviewer.stats.intervals import wilson
from reviewer.stats.table import Table, cross_table, from_counts

GRANTS = from_counts([[20, 5], [10, 15]])  # p_o = 35/50, p_e = .5 * .6 + .5 * .4 = .5


def delta_se(cells: Sequence[Sequence[int]]) -> float:
    """The standard error by numerical differentiation of kappa: the formula is not used."""
    n = sum(map(sum, cells))
    shares = [[count / n for count in row] for row in cells]

    def kappa(p: Sequence[Sequence[float]]) -> float:
        whole = sum(map(sum, p))
        rows = [sum(row) / whole for row in p]
        columns = [sum(column) / whole for column in zip(*p, strict=True)]
        chance = sum(r * c for r, c in zip(rows, columns, strict=True))
        return (sum(p[k][k] for k in range(len(p))) / whole - chance) / (1 - chance)

    slopes = []
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            up, down = ([list(r) for r in shares] for _ in range(2))
            up[i][j] += 1e-6
            down[i][j] -= 1e-6
            slopes.append((share, (kappa(up) - kappa(down)) / 2e-6))
    mean = sum(share * slope for share, slope in slopes)
    return math.sqrt(sum(share * (slope - mean) ** 2 for share, slope in slopes) / n)


def test_value_by_hand() -> None:
    assert kappa_value(GRANTS) == 0.4
    assert kappa_value(from_counts([[40, 9], [6, 45]])) == pytest.approx((0.85 - 0.5008) / 0.4992)


@pytest.mark.parametrize(
    "cells", [[[20, 5], [10, 15]], [[7, 1, 2], [0, 9, 3], [4, 2, 12]], [[3, 17], [16, 2]], [[50, 1], [0, 1]]]
)
def test_standard_error_is_that_of_the_delta_method(cells: list[list[int]]) -> None:
    assert kappa_se(from_counts(cells)) == pytest.approx(delta_se(cells), rel=1e-6)


def test_standard_error_under_no_agreement_by_hand() -> None:
    # sum r c (r + c) = .3 * 1.1 + .2 * .9 = .51, so (.5 + .25 - .51) / (50 * .25)
    assert kappa_se_null(GRANTS) == pytest.approx(math.sqrt(0.24 / 12.5))


def test_constant_rater_has_kappa_0_and_a_standard_error_of_exactly_0() -> None:
    table = from_counts([[19, 1], [0, 0]])
    assert kappa_value(table) == 0
    assert kappa_se(table) == 0
    found = cohen_kappa(table, interval="hybrid")
    assert "constant_rater" in found.remarks
    assert found.interval == "wilson_mapped"


def test_all_one_category_is_undefined_also_where_floats_would_miss_it() -> None:
    for n in (1, 10, 49, 10**9 + 7):
        found = cohen_kappa(from_counts([[n, 0], [0, 0]]))
        assert (found.value, found.undefined, found.n) == (None, "no_variation", n)
        assert kappa_se(from_counts([[n]])) is None
    near = cohen_kappa(from_counts([[10**9, 1], [0, 0]]))
    assert near.value == 0


def test_fisher_z_interval_by_hand() -> None:
    found = cohen_kappa(GRANTS, interval="hybrid")
    se = kappa_se(GRANTS)
    assert se is not None
    z = math.atanh(0.4)
    half = 1.959963984540054 * se / (1 - 0.16)
    assert found.interval == "fisher_z"
    assert (found.low, found.high) == pytest.approx((math.tanh(z - half), math.tanh(z + half)))


def test_wald_interval_by_hand() -> None:
    found = cohen_kappa(GRANTS, level=0.9, interval="wald")
    se = kappa_se(GRANTS)
    assert se is not None
    assert (found.low, found.high) == pytest.approx((0.4 - 1.6448536 * se, 0.4 + 1.6448536 * se))
    assert found.interval == "wald"


@pytest.mark.parametrize(("wrong", "interval"), [(0, "wilson_mapped"), (4, "wilson_mapped"), (5, "fisher_z")])
def test_few_disagreements_switch_the_interval_and_say_so(wrong: int, interval: str) -> None:
    table = from_counts([[30, wrong - wrong // 2], [wrong // 2, 30]])
    found = cohen_kappa(table, interval="hybrid")
    assert found.interval == interval
    assert ("few_disagreements" in found.remarks) == (interval == "wilson_mapped")


def test_mapped_wilson_by_hand() -> None:
    found = cohen_kappa(from_counts([[10, 0], [0, 10]]), interval="hybrid")
    low, high = wilson(20, 20)
    assert (found.value, found.low, found.high) == (1, pytest.approx(2 * low - 1), 2 * high - 1)


def test_total_disagreement_stays_in_range() -> None:
    found = cohen_kappa(from_counts([[0, 10], [10, 0]]))
    assert found.value == -1
    assert found.low == -1
    assert found.high is not None
    assert -1 < found.high < 0


def single_tasks(cells: Sequence[Sequence[int]], copies: int = 1) -> Table:
    """Every item is a task of its own, holding it `copies` times over."""
    tasks = [
        {(i, j): copies} for i, row in enumerate(cells) for j, count in enumerate(row) for _ in range(count)
    ]
    grown = [[count * copies for count in row] for row in cells]
    return Table(tuple(range(len(cells))), tuple(map(tuple, grown)), tuple(tasks))


def test_one_item_a_task_gives_the_usual_error_but_for_the_degrees_of_freedom() -> None:
    cells = [[20, 5], [10, 15]]
    plain = kappa_se(GRANTS)
    assert plain is not None
    assert kappa_se_tasks(single_tasks(cells)) == pytest.approx(plain * math.sqrt(50 / 49))


def test_copies_of_an_item_within_a_task_are_no_evidence() -> None:
    cells = [[20, 5], [10, 15]]
    copied = single_tasks(cells, copies=4)
    assert kappa_se(copied) == pytest.approx((kappa_se(GRANTS) or 0) / 2)
    assert kappa_se_tasks(copied) == pytest.approx(kappa_se_tasks(single_tasks(cells)))
    assert cohen_kappa(copied).interval == "score_tasks"
    assert cohen_kappa(copied, interval="hybrid").interval == "fisher_z_tasks"
    assert cohen_kappa(copied, interval="wald").interval == "wald_tasks"


def test_one_task_says_that_its_interval_takes_items_as_independent() -> None:
    a, b = "xxxyyyxyxyxyxyxyxy", "xyxyyyxxyyxxxyyyxx"
    found = cohen_kappa(cross_table(a, b, tasks=["t"] * len(a)), interval="hybrid")
    assert "one_task" in found.remarks
    assert "clustering_ignored" in found.remarks
    assert found.interval == "fisher_z"


def test_sparse_kappa_is_the_same() -> None:
    assert kappa_of_cells([(0, 0), (0, 1), (1, 0), (1, 1)], [20, 5, 10, 15], 2) == 0.4
    assert kappa_of_cells([(0, 0)], [7], 2) is None
    assert kappa_of_cells([], [], 0) is None
