"""Scott's pi, PABAK, kappa max, indices, categories and the paradox warning, by hand."""

from __future__ import annotations

import pytest

from reviewer.stats.categories import by_category, category_kappa, specific_agreement
from reviewer.stats.counts import count_items
from reviewer.stats.estimate import explain
from reviewer.stats.fleiss import fleiss_kappa
from reviewer.stats.gwet import gwet_ac1
from reviewer.stats.krippendorff import alpha_nominal
from reviewer.stats.margins import (
    bias_index,
    kappa_max,
    largest_share,
    observed_agreement,
    pabak,
    prevalence_index,
    scott_pi,
)
from reviewer.stats.paradox import paradox
from reviewer.stats.percent import percent_agreement
from reviewer.stats.table import cross_table, from_counts

SKEWED = from_counts([[80, 10], [5, 5]])
MODES = from_counts([[8, 2, 0], [1, 4, 0], [0, 0, 0]], ["a", "b", "c"])
NOTHING = from_counts([[0, 0], [0, 0]])


def test_two_by_two_by_hand() -> None:
    assert scott_pi(SKEWED) == pytest.approx((0.85 - (0.875**2 + 0.125**2)) / (1 - (0.875**2 + 0.125**2)))
    assert prevalence_index(SKEWED) == 0.75
    assert bias_index(SKEWED) == 0.05
    assert largest_share(SKEWED) == 0.875
    assert pabak(SKEWED).value == pytest.approx(0.7)
    assert kappa_max(SKEWED) == pytest.approx((0.95 - 0.78) / (1 - 0.78))
    assert observed_agreement(SKEWED).value == 0.85


def test_pabak_depends_on_the_declared_categories() -> None:
    a, b = "aab", "aaa"
    assert pabak(cross_table(a, b)).value == pytest.approx(1 / 3)
    assert pabak(cross_table(a, b, categories="abcd")).value == pytest.approx((4 * 2 / 3 - 1) / 3)
    assert pabak(cross_table("aa", "aa")).undefined == "no_variation"
    assert pabak(cross_table("aa", "aa", categories="ab")).value == 1


def test_nothing_is_undefined_everywhere() -> None:
    assert [f(NOTHING) for f in (scott_pi, kappa_max, prevalence_index, bias_index, largest_share)] == [
        None
    ] * 5
    assert pabak(NOTHING).undefined == "no_data"
    assert observed_agreement(NOTHING).undefined == "no_data"
    assert paradox(NOTHING) is None
    assert by_category(NOTHING)[0].kappa.undefined == "no_data"


def test_categories_by_hand() -> None:
    assert specific_agreement(MODES, "a") == pytest.approx(16 / 19)
    assert specific_agreement(MODES, "b") == pytest.approx(8 / 11)
    assert specific_agreement(MODES, "c") is None
    # a against the rest: 8, 2, 1, 4 of 15: p_o = 12/15, p_e = (10 * 9 + 5 * 6)/225
    assert category_kappa(MODES, "a").value == pytest.approx((180 - 120) / (225 - 120))
    assert category_kappa(MODES, "c").undefined == "category_unused"
    found = by_category(MODES)
    assert [(one.category, one.n) for one in found] == [("a", 19), ("b", 11), ("c", 0)]
    assert sum(one.share for one in found) == pytest.approx(1)


def test_a_category_that_both_always_use_has_no_kappa() -> None:
    found = category_kappa(from_counts([[5, 0], [0, 0]], ["a", "b"]), "a")
    assert found.undefined == "no_variation"
    assert "0/0" in explain(found.undefined)


@pytest.mark.parametrize(
    ("cells", "causes"),
    [
        ([[80, 10], [5, 5]], ("prevalence",)),
        ([[118, 5], [2, 0]], ("prevalence",)),
        ([[90, 5], [4, 1]], ("prevalence",)),
        ([[19, 1], [0, 0]], ("prevalence", "bias")),
    ],
)
def test_paradox_fires_with_its_cause(cells: list[list[int]], causes: tuple[str, ...]) -> None:
    found = paradox(from_counts(cells, ["fine", "broken"]))
    assert found is not None
    assert found.category == "fine"
    assert set(found.causes) >= set(causes[:1])
    assert ("bias" in found.causes) == ("bias" in causes or found.kappa_max < 0.1)
    assert f"{found.share:.0%}" in found.sentence


@pytest.mark.parametrize(
    "cells", [[[40, 9], [6, 45]], [[50, 0], [0, 50]], [[60, 21], [9, 10]], [[5, 0], [0, 0]]]
)
def test_paradox_is_silent_otherwise(cells: list[list[int]]) -> None:
    assert paradox(from_counts(cells)) is None


def test_paradox_through_ac1_alone() -> None:
    table = from_counts([[45, 9], [9, 37]])
    assert paradox(table) is None
    assert paradox(table, ac1=0.9) is not None


def test_the_task_is_the_unit_of_observed_agreement_and_pabak() -> None:
    a, b = "xyxyxyyxxy" * 4, "xyxxxyyyxy" * 4
    items, tasks = cross_table(a, b), cross_table(a, b, tasks=list(range(10)) * 4)
    for measure in (observed_agreement, pabak):
        alone, together = measure(items), measure(tasks)
        assert together.value == alone.value
        assert together.interval == f"{alone.interval}_tasks"
        assert together.low is not None and alone.low is not None
        assert together.low < alone.low - 0.05
        assert together.remarks == ()
    # copies of ten items are worth ten
    ten = observed_agreement(cross_table(a[:10], b[:10]))
    assert (observed_agreement(tasks).low, observed_agreement(tasks).high) == pytest.approx(
        (ten.low, ten.high)
    )


def test_hardly_any_disagreement_rests_on_the_tasks_too() -> None:
    a = "xyxyxyyxxy" * 3
    tasks = list(range(10)) * 3
    for measure in (percent_agreement, gwet_ac1, fleiss_kappa, alpha_nominal):
        alone, together = measure(count_items([a, a])), measure(count_items([a, a], tasks=tasks))
        assert together.value == alone.value == 1
        assert together.interval.endswith("_tasks")
        assert together.low is not None and alone.low is not None
        assert together.low < alone.low - 0.1
