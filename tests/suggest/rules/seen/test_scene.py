"""A claim that is denied in its own sentence is none."""

import pytest

from reviewer.facts import facts
from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.trace import Step, Trace, TraceInfo
from tests.traces import bash, trace, user


def claim_of(text: str) -> tuple[int, str] | None:
    trace = Trace(TraceInfo("t1-a", "h", "plain", n_steps=1), (Step(1, "agent", text),), "{}")
    return claimed(facts(trace, ()))


@pytest.mark.parametrize(
    "text",
    [
        "The bug hasn't been fixed yet.",
        "No tests pass.",
        "Not all tests pass.",
        "None of the files were created.",
        "The build did not complete successfully.",
        "2 of 10 tests passed.",
    ],
)
def test_a_denied_claim_is_none(text: str) -> None:
    assert claim_of(text) is None


def test_a_claim_beside_a_denial_stands() -> None:
    assert claim_of("The parser does not matter here. All tests pass.") is not None


def test_a_check_that_passed_later_is_no_error_that_stands() -> None:
    edit = bash(
        "sed -i s/a/b/ src/a.py && python -m pytest -q 2>&1 | tail -2",
        "FAILED t.py::test_a - AssertionError\n1 failed",
        0,
    )
    mended = bash("sed -i s/b/c/ src/a.py && python -m pytest -q 2>&1 | tail -2", "3 passed", 0)
    assert [one.step for one in Scene.of(trace(user("x"), edit)).standing] == [2]
    assert Scene.of(trace(user("x"), edit, mended)).standing == []
