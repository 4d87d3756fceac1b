"""Our own hostile inputs hold, and together they use every check that the runner knows."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.hostile.case import Case
from tests.hostile.checks import CHECKS
from tests.hostile.own import CASES
from tests.hostile.runner import run
from tests.hostile.trial import Trial


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_own_case(
    case: Case, tmp_path: Path, reviewer: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "case"
    place.mkdir()
    monkeypatch.chdir(place)
    assert run(Trial(case, place, reviewer)) == Counter()


def test_every_check_is_used_by_a_case_of_our_own() -> None:
    used = {check["op"] for case in CASES for check in case.checks}
    assert set(CHECKS) - used == {"no_new_files"}, (
        "a folder outside the case is watched by one shared case only"
    )


def test_an_unknown_check_is_no_success(tmp_path: Path, reviewer: Callable[..., Ran]) -> None:
    with pytest.raises(NotImplementedError, match="no such check: wish"):
        run(Trial(Case("x", {"a.json": b"{}"}, [{"op": "wish"}]), tmp_path, reviewer))
