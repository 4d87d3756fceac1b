"""The door: one value about a pair, one about a group, consistent with the parts."""

from __future__ import annotations

import pytest

from reviewer.stats.agreement import group_agreement, pair_agreement
from reviewer.stats.bands import no_interval

A = ["loop", "loop", "tool", None, "loop", "none", "tool", "loop"]
B = ["loop", "tool", "tool", "loop", "loop", "none", None, "loop"]
BOOK = ["none", "loop", "tool", "other"]


def test_a_pair() -> None:
    found = pair_agreement(A, B, categories=BOOK)
    assert (found.n, found.q) == (6, 4)
    assert found.table.categories == tuple(BOOK)
    assert found.percent.value == pytest.approx(5 / 6)
    # margins: loop 4 and 3, tool 1 and 2, none 1 and 1
    assert found.kappa.value == pytest.approx((6 * 5 - 15) / (36 - 15))
    assert found.pabak.value == pytest.approx((4 * 5 / 6 - 1) / 3)
    shares = {"loop": 7 / 12, "tool": 3 / 12, "none": 2 / 12}
    chance = sum(p * (1 - p) for p in shares.values()) / 3
    assert found.ac1.value == pytest.approx((5 / 6 - chance) / (1 - chance))
    assert [one.category for one in found.categories] == BOOK
    assert found.categories[3].kappa.undefined == "category_unused"
    assert found.categories[1].specific == pytest.approx(6 / 7)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [([], [], "no_data"), (["x"], [None], "single_rater"), (["x", None], [None, "x"], "no_overlap")],
)
def test_a_pair_without_common_items(a: list[str | None], b: list[str | None], reason: str) -> None:
    found = pair_agreement(a, b, categories=BOOK)
    assert found.n == 0
    for estimate in (found.percent, found.kappa, found.ac1, found.pabak):
        assert estimate.undefined == reason
    assert found.warning is None
    assert {one.kappa.undefined for one in found.categories} == {reason}


def test_a_pair_with_one_category() -> None:
    found = pair_agreement("xxx", "xxx", categories=["x", "y"])
    assert (found.kappa.undefined, found.percent.value) == ("no_variation", 1)
    assert found.ac1.value == found.pabak.value == 1


def test_a_pair_by_task() -> None:
    a, b = "xyxyxyyxxy" * 6, "xyxxxyyyxy" * 6
    found = pair_agreement(a, b, tasks=list(range(20)) * 3)
    assert found.kappa.interval == "score_tasks"
    assert found.ac1.interval == "t_tasks"
    assert found.percent.interval == "wilson_tasks"
    assert found.pabak.interval == "wilson_mapped_tasks"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_below_five_items_no_coefficient_has_an_interval(n: int) -> None:
    a, b = ("xyxyxyxy"[:n], "yyxyxyxy"[:n])
    pair, group = pair_agreement(a, b), group_agreement([a, b])
    every = [pair.percent, pair.kappa, pair.ac1, pair.pabak, pair.categories[0].kappa]
    every += [group.percent, group.fleiss, group.ac1, group.brennan_prediger, group.conger]
    every += [] if n == 1 else [group.alpha]
    assert {(one.low is None, no_interval(one)) for one in every if one.value is not None} == (
        {(True, "no interval: fewer than five tasks")} if n < 5 else {(False, "")}
    )
    assert (group.alpha.value is None, group.alpha.undefined == "one_item") == (n == 1, n == 1)


def test_below_five_tasks_neither() -> None:
    a, b = "xyxyxyxyxy" * 6, "xyxxxyyyxy" * 6
    for found in (pair_agreement(a, b, tasks=[0, 1, 2] * 20), group_agreement([a, b], tasks=[0, 1, 2] * 20)):
        for one in (found.percent, found.ac1):
            assert (one.low, one.interval, one.remarks[-1]) == (None, "", "few_tasks")


def test_the_warning_comes_along() -> None:
    found = pair_agreement("x" * 20, "x" * 19 + "y")
    assert found.warning is not None
    assert found.kappa.value == 0


def test_a_group() -> None:
    third = ["loop", "loop", "tool", "loop", "tool", "none", "tool", "loop"]
    found = group_agreement([A, B, third, [None] * 8], categories=BOOK)
    assert (found.n, found.rated, found.raters, found.silent, found.q) == (8, 8, 3, (3,), 4)
    for estimate in (
        found.percent,
        found.fleiss,
        found.alpha,
        found.ac1,
        found.brennan_prediger,
        found.conger,
    ):
        assert estimate.value is not None
        assert estimate.n == 8
    assert sum(one.n for one in found.categories) == 22
    assert sum(one.share for one in found.categories) == pytest.approx(1)
    # tool: item 2 by one of three, item 3 by all, item 5 by one of three, item 7 by both
    assert next(one for one in found.categories if one.category == "tool").specific == pytest.approx(5 / 7)


def test_specific_agreement_of_a_group_of_two_is_that_of_the_pair() -> None:
    pair, group = pair_agreement(A, B), group_agreement([A, B])
    assert [one.specific for one in pair.categories] == [one.specific for one in group.categories]
    assert group.conger.value != pair.kappa.value  # Conger's margins use all items a rater rated


@pytest.mark.parametrize("ratings", [[], [[]], [[None], [None]], [["x", "y"], [None, None]]])
def test_a_group_of_nobody_is_undefined_not_an_error(ratings: list[list[str | None]]) -> None:
    found = group_agreement(ratings, tasks=["t"] * (len(ratings[0]) if ratings else 0))
    assert found.n == 0
    for estimate in (
        found.percent,
        found.fleiss,
        found.alpha,
        found.ac1,
        found.brennan_prediger,
        found.conger,
    ):
        assert estimate.undefined in {"no_data", "single_rater"}
