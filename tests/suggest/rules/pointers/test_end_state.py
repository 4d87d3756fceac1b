"""A difference in the end state is told in words, with its place."""

from __future__ import annotations

from dataclasses import replace

from reviewer.facts import Compared, Line, facts
from reviewer.suggest.rules.pointers.end_state import first_difference
from reviewer.trace import Outcome
from tests.traces import call, trace


def test_a_difference_is_told_in_words_with_its_place() -> None:
    lines = (
        Line(">", "actions"),
        Line("-", "swap", 1),
        Line("-", 'order: "W2"', 2),
        Line("-", 'card: "visa-99"', 2),
        Line("+", "swap", 1, 1),
        Line("+", 'order: "W2"', 2),
        Line("+", 'card: "visa-22"', 2),
    )
    run = trace(call("swap", {"order": "W2", "card": "visa-22"}, "ok"))
    told = first_difference(replace(facts(run), compared=(Compared("grader", lines),)))
    assert told is not None and told.step == 1
    assert told.says == "swap, card: expected visa-99, made visa-22"
    plain = Outcome(passed=False, expected_state={"a": 1, "sum": 1}, final_state={"a": 1, "sum": 2})
    other = first_difference(facts(run, (plain,)))
    assert other is not None and other.says == "sum: expected 1, found 2"
