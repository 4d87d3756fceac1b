"""The hostile cases that lie beside the checkout: each holds, and what is left for later is counted."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import SHARED, Ran, needs_shared
from tests.hostile.case import load
from tests.hostile.runner import run
from tests.hostile.trial import Trial

CASES = SHARED / "hostile" / "cases"
NUMBERS = (
    *("01", "03", "06", "08", "09", "10", "11", "12", "13", "14", "18", "20", "21", "22", "24", "25", "30"),
    *("31", "33", "34", "36", "37", "38", "40", "42", "43", "46", "47", "50", "51", "52", "55", "56", "57"),
    *("59", "60", "62", "64", "66", "67", "69", "71", "73"),
)
# What these cases ask for that is not built yet. Whoever builds it takes it out of here.
LATER: dict[str, Counter[str]] = {}


@needs_shared
@pytest.mark.parametrize("number", NUMBERS)
def test_hostile_case(
    number: str, tmp_path: Path, reviewer: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder,) = CASES.glob(f"{number}-*")
    place = tmp_path / "case"
    place.mkdir()
    monkeypatch.chdir(place)
    assert run(Trial(load(folder), place, reviewer)) == LATER.get(number, Counter())
