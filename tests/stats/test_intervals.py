"""Intervals of proportions, adjusted p values, distributions, and the words of an estimate."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from reviewer.stats import estimate
from reviewer.stats.adjust import benjamini_hochberg, holm
from reviewer.stats.distributions import chi2_tail, normal_cdf, normal_quantile, t_two_sided
from reviewer.stats.estimate import Estimate, explain, undefined
from reviewer.stats.intervals import fisher_z, newcombe, wilson, wilson_mapped, wilson_share


def test_wilson_by_hand() -> None:
    z2 = NormalDist().inv_cdf(0.975) ** 2
    assert wilson(0, 10) == (0, pytest.approx(z2 / (10 + z2)))
    assert wilson(10, 10) == (pytest.approx(10 / (10 + z2)), 1)
    assert wilson(0, 0) == (0, 1)
    low, high = wilson(42, 100)
    for end in (low, high):  # the ends are where the score test just rejects
        assert (0.42 - end) ** 2 == pytest.approx(z2 * end * (1 - end) / 100)


def test_wilson_refuses_what_is_no_share() -> None:
    for x, n in ((3, 2), (-1, 2), (0, -1)):
        with pytest.raises(ValueError, match="trials"):
            wilson(x, n)
    with pytest.raises(ValueError, match="share"):
        wilson_share(1.1, 5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, level=1)


def test_newcombe_of_the_paper() -> None:
    assert newcombe(56, 70, 48, 80) == (pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))
    low, high = newcombe(48, 80, 56, 70)
    assert (-high, -low) == pytest.approx(newcombe(56, 70, 48, 80))
    assert newcombe(0, 0, 3, 5) == (-1, 1)
    assert newcombe(5, 5, 0, 5)[1] == 1


def test_mapping_keeps_within_range() -> None:
    assert wilson_mapped(0.1, 2, 2.05, 0.95)[0] == -1
    assert wilson_mapped(0.0, 2, 10.0, 0.95)[0] == -9  # the value itself
    low, high = wilson_mapped(0.9, 50, 2.0, 0.95)
    assert (low, high) == pytest.approx(tuple(1 - 2 * (1 - end) for end in wilson(45, 50)))


def test_fisher_z_needs_an_inner_value() -> None:
    assert fisher_z(0, 0.1, 1) == (pytest.approx(-math.tanh(0.1)), pytest.approx(math.tanh(0.1)))
    with pytest.raises(ValueError, match="Fisher"):
        fisher_z(1, 0.1, 1)


def test_adjusted_p_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.04, 0.04))
    assert holm([]) == benjamini_hochberg([]) == ()
    assert holm([0.9, 0.8]) == (1, 1)
    assert holm([0, 1]) == benjamini_hochberg([0, 1]) == (0, 1)
    for adjust in (holm, benjamini_hochberg):
        with pytest.raises(ValueError, match="probability"):
            adjust([0.5, float("nan")])


def test_distributions_where_they_have_a_closed_form() -> None:
    for x in (0.0, 0.1, 2.0, 40.0, 700.0):
        assert chi2_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)
        assert chi2_tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-10)
        assert chi2_tail(x, 4) == pytest.approx(math.exp(-x / 2) * (1 + x / 2), rel=1e-12)
    for level in (0.5, 0.9, 0.99):
        assert t_two_sided(level, 1) == pytest.approx(math.tan(math.pi * level / 2), rel=1e-10)
        assert t_two_sided(level, 2) == pytest.approx(level * math.sqrt(2 / (1 - level**2)), rel=1e-10)
        assert t_two_sided(level, 10**7) == pytest.approx(normal_quantile((1 + level) / 2), rel=1e-6)
    assert t_two_sided(0.95, 10) == pytest.approx(2.228138852, abs=1e-9)
    assert normal_cdf(-10) == pytest.approx(7.619853e-24, rel=1e-6)


def test_distributions_refuse_what_is_out_of_range() -> None:
    for broken in (
        lambda: chi2_tail(-1, 1),
        lambda: chi2_tail(1, 0),
        lambda: t_two_sided(1, 3),
        lambda: t_two_sided(0.9, 0),
        lambda: normal_quantile(0),
    ):
        with pytest.raises(ValueError, match=r"need"):
            broken()


def test_every_word_has_one_sentence() -> None:
    tables = (estimate.UNDEFINED, estimate.REMARKS, estimate.INTERVALS)
    words = [word for table in tables for word in table]
    assert len(words) == len(set(words))
    for word in words:
        sentence = explain(word)
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
    with pytest.raises(KeyError):
        explain("no such word")
    with pytest.raises(KeyError):
        undefined("constant_rater")
    assert undefined("no_data") == Estimate(None, None, None, 0, "", "no_data")
