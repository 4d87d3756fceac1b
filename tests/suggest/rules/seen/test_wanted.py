"""The calls that a grader expected beside those that were made."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.wanted import Wanted, wanted, within
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import failed
from tests.traces import PASSED, call, trace

PAY = ("pay_bill", {"bill_id": "b1", "sum": 7})
PAID = call("pay_bill", {"sum": 7, "bill_id": "b1"}, "ok")
LESS = call("pay_bill", {"bill_id": "b1", "sum": 5}, "ok")
LOOK = call("get_bill", {"bill_id": "b1"}, "7")


def seen(*steps: Step, outcome: Outcome | None = None) -> Wanted:
    found = wanted([outcome or failed(PAY)], trace(*steps))
    assert found is not None
    return found


def test_calls_are_open_made_otherwise_or_too_many() -> None:
    assert seen(LOOK, PAID).open == () and seen(LOOK, PAID).extra == ()
    (never,) = seen(LOOK).open
    assert never.near is None and never.wanted == PAY[1]
    (otherwise,) = seen(LESS).open
    assert otherwise.near is not None and otherwise.near.step == 1
    assert [(one.label, one.want, one.given) for one in otherwise.apart] == [("sum", 7, 5)]
    assert [one.step for one in seen(PAID, PAID).extra] == [2]
    refused = call("pay_bill", dict(PAY[1]), "Error: the bill is closed", error=True)
    (shut,) = seen(refused).open
    assert shut.near is not None and "closed" in shut.near.error and shut.apart == ()


def test_data_that_are_as_expected_want_nothing() -> None:
    right = failed(PAY, detail={"reward_info": {"db_check": {"db_match": True}}})
    assert wanted([right], trace(LOOK)) is None
    assert wanted(PASSED, trace(LOOK)) is None and wanted([failed(("get_bill", {}))], trace(LOOK)) is None


@pytest.mark.parametrize(
    ("want", "given", "holds"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ([{"a": 1}], [{"a": 1, "b": 2}], True),
        ([1, 2], [1], False),
        ({"a": 1}, {"b": 1}, False),
    ],
)
def test_what_was_given_beyond_the_expected_is_no_difference(want: Json, given: Json, holds: bool) -> None:
    assert within(want, given) is holds
