"""Fleiss, AC1, Brennan-Prediger, Conger, Light, alpha: textbook examples and hand-worked values."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import pytest

from reviewer.stats.cohen import kappa_se
from reviewer.stats.conger import conger_kappa, light_kappa, without_silent
from reviewer.stats.counts import count_items
from reviewer.stats.estimate import Estimate
from reviewer.stats.fleiss import fleiss_category, fleiss_kappa, fleiss_z
from reviewer.stats.gwet import brennan_prediger, gwet_ac1, gwet_ac1_of_table
from reviewer.stats.krippendorff import alpha_distance, alpha_nominal, alpha_sets
from reviewer.stats.percent import percent_agreement
from reviewer.stats.sets import jaccard_distance, masi_distance, nominal_distance
from reviewer.stats.table import cross_table, from_counts

# Ten subjects, fourteen raters, five categories: the example of many textbooks; kappa .210.
TEXTBOOK = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
# Three observers, fifteen units, many missing (Krippendorff): alpha .691.
OBSERVERS = [
    [None, None, None, None, None, 3, 4, 1, 2, 1, 1, 3, 3, None, 3],
    [1, None, 2, 1, 3, 3, 4, 3, None, None, None, None, None, None, None],
    [None, None, 2, 1, 3, 4, 4, None, 2, 1, 1, 3, 3, None, 4],
]


def ratings_of(rows: list[tuple[int, ...]]) -> list[list[int]]:
    items = [[k for k, count in enumerate(row) for _ in range(count)] for row in rows]
    return [list(rater) for rater in zip(*items, strict=True)]


def test_textbook_fleiss() -> None:
    counts = count_items(ratings_of(TEXTBOOK))
    found = fleiss_kappa(counts)
    assert found.value == pytest.approx(0.20993, abs=1e-5)
    assert (found.n, found.interval) == (10, "t")
    assert percent_agreement(counts).value == pytest.approx(0.378, abs=5e-4)
    assert fleiss_category(counts, 4).value == pytest.approx(
        1 - sum(r[4] * (14 - r[4]) for r in TEXTBOOK) / (10 * 14 * 13 * (32 / 140) * (108 / 140)), abs=1e-12
    )


def test_textbook_alpha_with_missing_ratings() -> None:
    counts = count_items(OBSERVERS)
    found = alpha_nominal(counts)
    assert found.value == pytest.approx(0.691, abs=5e-4)
    assert (found.n, counts.n) == (12, 13)  # of 15 units two have no rating and one has one
    assert alpha_distance(OBSERVERS, nominal_distance).value == pytest.approx(found.value)


def test_ac1_by_hand() -> None:
    table = from_counts([[118, 5], [2, 0]])
    found = gwet_ac1_of_table(table)
    chance = 2 * 0.972 * 0.028
    assert found.value == pytest.approx((0.944 - chance) / (1 - chance))
    a, b = "x" * 123 + "y" * 2, "x" * 118 + "y" * 5 + "x" * 2
    plain = gwet_ac1(count_items([a, b]), interval="t")
    assert plain.value == pytest.approx(found.value)
    assert found.se == pytest.approx((plain.se or 0) * math.sqrt(124 / 125))


def test_the_size_of_the_codebook_counts() -> None:
    ratings = ["ab"] * 6 + ["bb"]
    assert brennan_prediger(count_items(ratings)).value == pytest.approx(5 / 7)
    assert brennan_prediger(count_items(ratings, categories="abc")).value == pytest.approx(11 / 14)
    assert gwet_ac1(count_items(ratings, categories="abc")).value == pytest.approx(0.81081081)


def test_one_category_is_undefined_but_for_a_declared_codebook() -> None:
    for n in (2, 10, 49):
        counts = count_items(["x" * n] * 3)
        for coefficient in (fleiss_kappa, alpha_nominal, gwet_ac1, brennan_prediger, fleiss_z):
            assert coefficient(counts).undefined == "no_variation"
        assert conger_kappa(["x" * n] * 3).undefined == "no_variation"
        assert percent_agreement(counts).value == 1
        declared = count_items(["x" * n] * 3, categories=["x", "y"])
        assert gwet_ac1(declared).value == brennan_prediger(declared).value == 1
        assert fleiss_kappa(declared).undefined == "no_variation"


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([], "no_data"),
        ([[], []], "no_data"),
        ([[None], [None]], "no_data"),
        ([["a", "b"]], "single_rater"),
        ([["a", "b"], [None, None]], "single_rater"),
        ([["a", None], [None, "b"]], "no_overlap"),
    ],
)
def test_nothing_to_agree_on(ratings: list[list[str | None]], reason: str) -> None:
    counts = count_items(ratings)
    for coefficient in (fleiss_kappa, alpha_nominal, gwet_ac1, brennan_prediger, percent_agreement, fleiss_z):
        assert coefficient(counts).undefined == reason
    assert conger_kappa(ratings).undefined == reason
    assert alpha_distance(ratings, nominal_distance).undefined == reason
    assert light_kappa(ratings).estimate.undefined == reason


def test_a_silent_rater_is_named_and_can_be_dropped() -> None:
    ratings = [list("xyxyx"), list("xyyyx"), [None] * 5]
    assert conger_kappa(ratings).undefined == "silent_rater"
    assert light_kappa(ratings).estimate.undefined == "silent_rater"
    kept, speaking = without_silent(ratings)
    assert kept == (0, 1)
    # p_o = .8, p_e = .6 * .4 + .4 * .6
    assert conger_kappa(speaking).value == pytest.approx((0.8 - 0.48) / 0.52)


def test_light_never_invents_a_missing_pair() -> None:
    found = light_kappa(["xxxx", "xxxx", "xxyy"])
    assert found.estimate.undefined == "pair_undefined"
    assert (found.defined, found.pairs, found.mean_of_defined) == (2, 3, 0)


def test_singletons_feed_chance_agreement_or_do_not() -> None:
    counts = count_items([list("xyxyxy"), ["x", "y", "y", "y", None, None]])
    assert fleiss_kappa(counts).n == 4
    with_them, without = fleiss_kappa(counts), fleiss_kappa(counts, singletons=False)
    # paired items only: shares of x 3/8, y 5/8
    chance = (9 + 25) / 64
    assert without.value == pytest.approx((0.75 - chance) / (1 - chance))
    # with singletons: x (1 + .5 + 1)/6, y the rest
    chance = (2.5 / 6) ** 2 + (3.5 / 6) ** 2
    # Gwet's sum of squares, the single ratings (the last two items) among the six
    kappa, room = (0.75 - chance) / (1 - chance), 1 - chance
    residuals = [
        1.5 * (own - chance) / room - 2 * (1 - kappa) * (seen - chance) / room - kappa
        for own, seen in ((1, 2.5 / 6), (1, 3.5 / 6), (0, 0.5), (1, 3.5 / 6))
    ] + [-2 * (1 - kappa) * (seen - chance) / room - kappa for seen in (2.5 / 6, 3.5 / 6)]
    assert with_them.se == pytest.approx(math.sqrt(sum(r * r for r in residuals) / 30))
    assert with_them.value == pytest.approx((0.75 - chance) / (1 - chance))


def test_an_item_nobody_rated_is_not_there() -> None:
    counts = count_items([["a", None, "b"], ["b", None, "b"]])
    assert (counts.n, counts.n_paired, counts.n_split) == (2, 2, 1)


def test_z_of_fleiss_by_hand() -> None:
    counts = count_items(["aabb", "abbb"])
    # shares 3/8, 5/8: pq = 15/64 twice; the odd terms cancel
    spread = 30 / 64
    se = math.sqrt(2 * spread**2 / (4 * 2 * spread**2))
    chance = 34 / 64
    assert fleiss_z(counts).value == pytest.approx((0.75 - chance) / (1 - chance) / se)
    skewed = fleiss_z(count_items(["aaab", "aaac", "aaaa"]))
    # shares 10/12, 1/12, 1/12: sum p q = 42/144, sum p q (q - p) = (20 (-8) + 2 * 11 * 10)/1728
    spread, odd = 42 / 144, (20 * -8 + 22 * 10) / 1728
    assert skewed.se == pytest.approx(math.sqrt(2 / (4 * 3 * 2) * (spread**2 - odd)) / spread)
    assert fleiss_z(count_items([list("aab"), ["a", "b", None]])).undefined == "unequal_ratings"


def jackknife(
    ratings: list[list[str | None]], coefficient: Callable[[list[list[str | None]]], Estimate]
) -> float:
    """The standard error by leaving out one item after the other: no formula of ours is used."""
    n = len(ratings[0])
    values = [coefficient([rater[:k] + rater[k + 1 :] for rater in ratings]).value or 0 for k in range(n)]
    mean = sum(values) / n
    return math.sqrt(sum((v - mean) ** 2 for v in values) * (n - 1) / n)


@pytest.mark.parametrize(
    "coefficient",
    [
        lambda r: fleiss_kappa(count_items(r)),
        lambda r: gwet_ac1(count_items(r)),
        lambda r: alpha_nominal(count_items(r)),
        lambda r: brennan_prediger(count_items(r)),
        lambda r: percent_agreement(count_items(r)),
        conger_kappa,
        lambda r: alpha_distance(r, lambda x, y: abs(ord(x) - ord(y)) / 2),
    ],
)
@pytest.mark.parametrize("missing", [False, True])
def test_standard_errors_are_near_the_jackknife(
    coefficient: Callable[[list[list[str | None]]], Estimate], missing: bool
) -> None:
    base = "aabbcab" * 20
    ratings: list[list[str | None]] = [
        list(base),
        list(base[:100] + base[1:41]),
        list(base[:75] + base[2:67]),
    ]
    if missing:  # every item keeps two ratings: with single ones Gwet's formula is a convention
        for k in range(0, 140, 5):
            ratings[k % 3][k] = None
    found = coefficient(ratings)
    assert found.se == pytest.approx(jackknife(ratings, coefficient), rel=0.03)
    assert found.interval == "t"


def test_tasks_widen_the_interval_of_copied_items() -> None:
    a, b = "aabbabab" * 2, "aabbbaab" * 2
    copied = count_items([a * 5, b * 5], tasks=list(range(16)) * 5)
    plain, single = count_items([a * 5, b * 5]), count_items([a, b])
    for coefficient in (fleiss_kappa, gwet_ac1, percent_agreement):
        by_task = coefficient(copied, interval="t")
        assert by_task.interval == "t_tasks"
        assert by_task.se == pytest.approx(coefficient(single, interval="t").se, rel=1e-9)
        assert (by_task.se or 0) > 2 * (coefficient(plain, interval="t").se or 1)


@pytest.mark.parametrize("coefficient", [fleiss_kappa, gwet_ac1, alpha_nominal, percent_agreement])
def test_remarks_of_many_raters(coefficient: Callable[..., Estimate]) -> None:
    a, b = "aabbabababab", "aabbbabaabab"
    assert sum(x != y for x, y in zip(a, b, strict=True)) == 4
    assert coefficient(count_items([a, b])).remarks == ("few_disagreements",)
    b = b[:-1] + "a"
    assert coefficient(count_items([a, b])).remarks == ()
    assert coefficient(count_items([a, b], tasks=[1, 2] * 6)).remarks == ()
    one = coefficient(count_items([a, b], tasks=[1] * 12))
    assert one.remarks == ("one_task", "clustering_ignored")
    alone = coefficient(count_items(["a", "b"]))
    assert alone.remarks == ("too_few_items", "few_disagreements")
    assert coefficient(count_items(["a", "b"]), interval="t").low is None


def test_perfect_agreement_is_not_certainty() -> None:
    counts = count_items(["abab", "abab", "abab"])
    for coefficient in (fleiss_kappa, gwet_ac1, alpha_nominal, brennan_prediger, percent_agreement):
        found = coefficient(counts)
        assert found.value == 1
        assert found.low is not None
        assert found.low < 0.6
        assert found.interval in {"wilson", "wilson_mapped"}
        assert coefficient(counts, interval="t").low == 1  # as packages print it


def test_alpha_of_sets_by_hand() -> None:
    # one unit, {1,2} against {1,2,3,4}: observed equals expected distance whatever it is
    for distance in (masi_distance, jaccard_distance, nominal_distance):
        assert alpha_sets([[set("12")], [set("1234")]], distance).value == 0
    ratings = [[["a"], ["a", "b"], []], [["a"], ["a"], []]]
    # values: a a ab a - -: observed sum of distances 2 d, expected over the pairs of the six
    near, far = jaccard_distance({"a", "b"}, {"a"}), 1.0
    expected = 2 * (3 * near + 3 * 2 * far + 1 * 2 * far)
    assert alpha_sets(ratings, jaccard_distance).value == pytest.approx(1 - 5 * 2 * near / expected)
    assert alpha_sets([[[], []], [[], []]], masi_distance).undefined == "no_variation"


@pytest.mark.parametrize("n", [2, 3, 4, 5, 9])
def test_alpha_of_few_sets_has_no_interval(n: int) -> None:
    a = [["x"] if k % 2 else ["y", "z"] for k in range(n)]
    b = [["x"], *a[1:]]
    found = alpha_sets([a, b], masi_distance)
    assert found.value is not None
    assert (found.low is None, "few_items" in found.remarks) == (n < 5, n < 5)
    assert (found.interval == "") == (n < 5)
    three = alpha_sets([a * 4, b * 4], masi_distance, tasks=[k % 3 for k in range(4 * n)])
    assert (three.low, "few_tasks" in three.remarks) == (None, True)
    alone = alpha_sets([[["x"]], [["y"]]], masi_distance)
    assert (alone.low, alone.remarks) == (None, ("too_few_items", "few_disagreements"))


def test_an_interval_of_alpha_is_cut_at_minus_one_or_at_the_value_below() -> None:
    a, b = [["x", "y"]] * 10, [["y"]] * 9 + [["z"]]
    found = alpha_sets([a, b], masi_distance)
    assert (found.low, "cut_below" in found.remarks) == (-1.0, True)
    assert found.value is not None and found.value > -1
    assert found.high is not None and found.high > found.value
    steady = alpha_sets([a, [*a[:7], *b[7:]]], masi_distance)
    assert steady.low is not None and steady.low > -1 and "cut_below" not in steady.remarks

    def far(one: str, two: str) -> float:  # farther apart than chance would bring them
        return 0.0 if one == two else 100.0 if {one, two} in ({"a", "b"}, {"c", "d"}) else 1.0

    below = alpha_distance(["acacaa", "bdbdba"], far)
    assert below.value is not None and below.value < -1.5
    assert (below.low, "cut_below" in below.remarks) == (below.value, True)


def test_distances_by_hand() -> None:
    none, ab, bc = set[str](), {"a", "b"}, {"b", "c"}
    assert masi_distance(ab, ab | bc) == pytest.approx(1 - 2 / 3 * 2 / 3)
    assert masi_distance(ab, bc) == pytest.approx(1 - 1 / 3 / 3)
    assert masi_distance(none, none) == jaccard_distance(none, none) == 0
    assert masi_distance(none, {"a"}) == jaccard_distance({"a"}, none) == masi_distance({"a"}, {"b"}) == 1


def test_conger_against_its_definition() -> None:
    ratings = ["aabbccabca", "aabbcabbca", "abbbccaaca"]
    pairs = list(combinations(ratings, 2))
    agreed = sum(sum(x == y for x, y in zip(a, b, strict=True)) for a, b in pairs) / (3 * 10)
    chance = sum(sum(a.count(k) * b.count(k) for k in "abc") for a, b in pairs) / (3 * 100)
    found = conger_kappa(ratings)
    assert found.value == pytest.approx((agreed - chance) / (1 - chance))
    assert found.interval in {"t", "wilson_mapped"}


def test_conger_of_two_raters_has_the_error_of_cohen() -> None:
    a, b = "aabbccabca" * 3, "aabbcabbca" * 2 + "abcabcabca"
    cohen = kappa_se(cross_table(a, b))
    assert cohen is not None
    assert conger_kappa([a, b]).se == pytest.approx(cohen * math.sqrt(30 / 29))
