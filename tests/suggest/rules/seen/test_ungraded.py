"""Which check a grader left out, and what its two lists of calls show beside it."""

from __future__ import annotations

import pytest

from reviewer.facts import facts
from reviewer.suggest.rules.seen.ungraded import ungraded
from reviewer.trace import Json, Outcome
from tests.traces import says, trace

LEFT = "the database is not as expected (not part of the reward)"


def calls(*names: str) -> Json:
    return {"actions": [{"name": name, "arguments": {"to": given}} for name, _, given in map(split, names)]}


def split(name: str) -> tuple[str, str, str]:
    return name.partition("=")


@pytest.mark.parametrize(
    ("want", "had", "told"),
    [
        (("add", "cut"), ("cut", "add"), "all calls as expected"),
        (("add",), ("add", "cut", "cut"), "beyond the expected calls only cut"),
        (("add", "cut"), ("add",), "cut was expected and never made"),
        (("add=1",), ("add=2",), "add was made otherwise than expected"),
    ],
)
def test_the_calls_beside_a_check_that_was_left_out(
    want: tuple[str, ...], had: tuple[str, ...], told: str
) -> None:
    detail: Json = {"failed_checks": [LEFT]}
    one = Outcome(passed=True, detail=detail, expected_state=calls(*want), final_state=calls(*had))
    checks = facts(trace(says("Done.")), [one]).failed_checks
    assert ungraded([one], checks) == f"the database differs from the expected one (not graded); {told}"
    assert ungraded([one], ()) == ""


def test_a_check_that_was_left_out_is_told_alone_where_no_calls_were_expected() -> None:
    def told(check: str) -> str:
        one = Outcome(passed=True, detail={"failed_checks": [check]})
        return ungraded([one], facts(trace(says("Done.")), [one]).failed_checks)

    assert told(LEFT) == "the database differs from the expected one (not graded)"
    assert told("action not done: x (not part of the reward)") == "not graded: action not done: x"
