"""What must hold for any ratings: symmetry, invariance, ranges, and when kappa is undefined."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.stats.agreement import group_agreement, pair_agreement
from reviewer.stats.cohen import cohen_kappa, kappa_se, kappa_value
from reviewer.stats.conger import conger_kappa
from reviewer.stats.counts import count_items
from reviewer.stats.estimate import INTERVALS, REMARKS, UNDEFINED, Estimate
from reviewer.stats.fleiss import fleiss_kappa
from reviewer.stats.gwet import brennan_prediger, gwet_ac1
from reviewer.stats.krippendorff import alpha_distance, alpha_nominal
from reviewer.stats.margins import bias_index, kappa_max, pabak, prevalence_index, scott_pi
from reviewer.stats.percent import percent_agreement
from reviewer.stats.sets import jaccard_distance, masi_distance, nominal_distance
from reviewer.stats.table import cross_table, from_counts

LABELS = st.sampled_from(["", "a", "A", "nan"])
RATING = st.one_of(st.none(), LABELS)
PAIRS = st.lists(st.tuples(RATING, RATING), max_size=25)
GROUPS = st.integers(1, 5).flatmap(lambda m: st.lists(st.tuples(*[RATING] * m), max_size=15))
TASKS = st.lists(st.integers(0, 5), min_size=25, max_size=25)


def split(items: list[tuple[str | None, ...]], raters: int = 2) -> list[list[str | None]]:
    return [list(rater) for rater in zip(*items, strict=True)] or [[] for _ in range(raters)]


def sound(found: Estimate) -> None:
    """The promises of Estimate."""
    assert (found.value is None) == (found.undefined != "")
    assert found.undefined in {"", *UNDEFINED}
    assert found.interval in {"", *INTERVALS}
    assert set(found.remarks) <= set(REMARKS)
    assert (found.low is None) == (found.high is None) == (found.interval == "")
    if found.value is not None:
        assert found.value <= 1
    if found.low is not None and found.high is not None and found.value is not None:
        assert found.low <= found.value + 1e-12
        assert found.value <= found.high + 1e-12
        assert found.high <= 1


@given(PAIRS, TASKS)
def test_a_pair_keeps_its_promises(items: list[tuple[str | None, str | None]], tasks: list[int]) -> None:
    a, b = split(items)
    for found in (pair_agreement(a, b), pair_agreement(a, b, tasks=tasks[: len(a)])):
        for estimate in (found.percent, found.kappa, found.ac1, found.pabak):
            sound(estimate)
            assert estimate.n == (found.n if estimate.value is not None else estimate.n)
        for one in found.categories:
            sound(one.kappa)
        if found.kappa.value is not None and found.kappa_max is not None:
            assert -1 <= found.kappa.value <= found.kappa_max + 1e-12


@given(PAIRS)
def test_kappa_is_undefined_exactly_when_both_use_one_and_the_same_label(
    items: list[tuple[str | None, str | None]],
) -> None:
    a, b = split(items)
    both = [(x, y) for x, y in items if x is not None and y is not None]
    complete = len({label for pair in both for label in pair}) < 2
    assert (kappa_value(cross_table(a, b)) is None) == complete
    assert (scott_pi(cross_table(a, b)) is None) == complete


@given(PAIRS, TASKS)
def test_swapping_the_raters_changes_nothing(
    items: list[tuple[str | None, str | None]], tasks: list[int]
) -> None:
    a, b = split(items)
    one = pair_agreement(a, b, categories=["a", "A"], tasks=tasks[: len(a)])
    two = pair_agreement(b, a, categories=["a", "A"], tasks=tasks[: len(a)])
    assert one.kappa == two.kappa
    assert one.ac1.value == two.ac1.value
    assert (one.scott_pi, one.kappa_max, one.bias) == (two.scott_pi, two.kappa_max, two.bias)
    assert one.percent.value == two.percent.value


@given(PAIRS, st.permutations(["", "a", "A", "nan"]))
def test_renaming_the_categories_changes_nothing(
    items: list[tuple[str | None, str | None]], names: list[str]
) -> None:
    new = dict(zip(["", "a", "A", "nan"], names, strict=True))
    a, b = split(items)
    table = cross_table(a, b)
    other = cross_table(
        [new.get(x, x) if x is not None else None for x in a], [None if y is None else new[y] for y in b]
    )
    assert kappa_value(table) == kappa_value(other)
    assert kappa_se(table) == kappa_se(other)
    assert cohen_kappa(table) == cohen_kappa(other)


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_two_by_two_identity(cells: list[int]) -> None:
    table = from_counts([cells[:2], cells[2:]])
    kappa, flat = kappa_value(table), pabak(table).value
    prevalence, bias = prevalence_index(table), bias_index(table)
    if kappa is None or flat is None or prevalence is None or bias is None:
        return
    assert kappa == pytest.approx((flat - prevalence**2 + bias**2) / (1 - prevalence**2 + bias**2))
    top = kappa_max(table)
    assert top is not None
    assert kappa <= top + 1e-12


@given(GROUPS, TASKS)
def test_a_group_keeps_its_promises(items: list[tuple[str | None, ...]], tasks: list[int]) -> None:
    ratings = split(items)
    found = group_agreement(ratings, tasks=tasks[: len(ratings[0])])
    for estimate in (
        found.percent,
        found.fleiss,
        found.alpha,
        found.ac1,
        found.brennan_prediger,
        found.conger,
    ):
        sound(estimate)
    for one in found.categories:
        sound(one.kappa)
        assert one.specific is None or 0 <= one.specific <= 1 + 1e-12


@given(GROUPS)
def test_the_order_of_raters_and_items_does_not_matter(
    items: list[tuple[str | None, ...]],
) -> None:
    ratings = split(items)
    turned = [list(reversed(rater)) for rater in reversed(ratings)]
    one, two = count_items(ratings), count_items(turned)
    for coefficient in (fleiss_kappa, gwet_ac1, brennan_prediger, alpha_nominal, percent_agreement):
        first, second = coefficient(one), coefficient(two)
        assert (first.value, first.undefined) == (second.value, second.undefined)
        assert first.se == pytest.approx(second.se, abs=1e-12)
    assert conger_kappa(ratings).value == conger_kappa(turned).value


@given(GROUPS)
def test_alpha_against_its_definition(items: list[tuple[str | None, ...]]) -> None:
    units = [[x for x in item if x is not None] for item in items]
    units = [unit for unit in units if len(unit) > 1]
    values = [x for unit in units for x in unit]
    observed = sum(sum(x != y for x in unit for y in unit) / (len(unit) - 1) for unit in units)
    expected = sum(x != y for x in values for y in values)
    found = alpha_nominal(count_items(split(items)))
    assert (found.value is None) == (expected == 0)
    if found.value is not None:
        assert found.value == pytest.approx(1 - (len(values) - 1) * observed / expected)
    assert alpha_distance(split(items), nominal_distance).value == pytest.approx(found.value)


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=20))
def test_without_missing_ratings_two_raters_need_one_formula(items: list[tuple[str, str]]) -> None:
    a, b = (list(rater) for rater in zip(*items, strict=True))
    table, counts = cross_table(a, b), count_items([a, b])
    assert conger_kappa([a, b]).value == pytest.approx(kappa_value(table))
    assert fleiss_kappa(counts).value == pytest.approx(scott_pi(table))
    assert brennan_prediger(counts).value == pytest.approx(pabak(table).value)
    alpha, pi, n = alpha_nominal(counts).value, scott_pi(table), len(items)
    if alpha is not None and pi is not None:
        assert alpha == pytest.approx(pi + (1 - pi) / (2 * n))


SETS = st.frozensets(st.sampled_from("abcd"))


@pytest.mark.parametrize("distance", [masi_distance, jaccard_distance])
@given(a=SETS, b=SETS)
def test_distances_are_distances(
    distance: Callable[[frozenset[str], frozenset[str]], float], a: frozenset[str], b: frozenset[str]
) -> None:
    found = distance(a, b)
    assert 0 <= found <= 1
    assert found == distance(b, a)
    assert (found == 0) == (a == b)
    assert (math.isclose(found, 1)) == (not a & b and a != b)
