"""How many double labels an interval takes: the figures of METHODS, and the way back."""

import math

import pytest

from reviewer import taxonomy
from reviewer.errors import InputError
from reviewer.study import planning
from reviewer.study.planning import Shares, given, half_width, plan


@pytest.mark.parametrize(
    ("shares", "n"), [("0.5,0.5", 246), ("0.8,0.2", 392), ("0.9,0.1", 705), ("0.95,0.05", 1347)]
)
def test_the_sizes_that_are_published(shares: str, n: int) -> None:
    found = plan(given(shares), 0.6, 0.1)
    assert found.n == n
    assert [one.n for one in found.modes] == [n, n]
    assert abs(plan(given(shares), 0.6, 0.05).n - 4 * n) <= 4


def test_the_width_of_that_many_traces_is_the_one_that_was_asked_for() -> None:
    shares = planning.published(taxonomy.load("six-modes"))
    assert math.isclose(math.fsum(shares.values), 1)
    found = plan(shares, 0.6, 0.1, per_task=3, icc=0.5)
    assert found.design == 2
    width = half_width(shares.values, 0.6, found.n, found.design)
    assert width is not None and 0.0995 < width <= 0.1
    narrower = half_width(shares.values, 0.6, found.n - 1, found.design)
    assert narrower is not None and narrower > 0.1


@pytest.mark.parametrize("text", ["", "x", "1", "0.5,0.6", "0.5,-0.5,1", "nan,0.5", "0.5,0.5,0"])
def test_shares_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--shares"):
        given(text)


@pytest.mark.parametrize(
    "values",
    [
        {"kappa": 1},
        {"kappa": -0.1},
        {"kappa": math.nan},
        {"width": 0},
        {"width": 1},
        {"width": math.nan},
        {"per_task": 0.5},
        {"per_task": math.inf},
        {"icc": 2},
        {"icc": math.nan},
    ],
)
def test_numbers_out_of_range_are_refused(values: dict[str, float]) -> None:
    shares = Shares((("a", 0.5), ("b", 0.5)), "")
    with pytest.raises(InputError, match="--"):
        plan(shares, **{"kappa": 0.6, "width": 0.1, **values})
