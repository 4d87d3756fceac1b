"""A difference in the end state is told in words, with its place."""

from __future__ import annotations

from reviewer.facts import facts
from reviewer.suggest.rules.pointers.end_state import first_difference
from reviewer.trace import Outcome
from tests.traces import call, trace


def test_a_difference_is_told_in_words_with_its_place() -> None:
    run = trace(call("swap", {"order": "W2", "card": "visa-22"}, "ok"))
    plain = Outcome(passed=False, expected_state={"a": 1, "sum": 1}, final_state={"a": 1, "sum": 2})
    other = first_difference(facts(run, (plain,)))
    assert other is not None and other.says == "sum: expected 1, found 2"
