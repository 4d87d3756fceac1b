"""What broke a run off is read from its last words; an answer behind it may have been seen before."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.broken import (
    answered_after,
    broken_off,
    expected_seen,
    first_stands,
    noted_open,
    seen_before,
)
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Outcome, Step
from tests.traces import bash, says, trace, user

FILTER = (
    "Error code: 400 - {'code': 'content_filter', 'message': 'The response was filtered due to the policy'}"
)
DOWN = "requests.exceptions.ConnectionError: Connection broken\nRUN EXITED WITH CODE: 1"


@pytest.mark.parametrize(
    ("last", "filter"),
    [
        (f"I look.\n{FILTER}", True),
        (DOWN, False),
        ("The content_filter of the sink is clean.", None),
        ("ConnectionError: Connection broken\nI look elsewhere.", None),
        ("ValueError: it is 7\nRUN EXITED WITH CODE: 1", None),
    ],
)
def test_a_filter_or_a_fault_in_the_last_words_broke_the_run_off(last: str, filter: bool | None) -> None:
    found = broken_off(Scene.of(trace(user("x"), says(last))))
    assert (found.filter if found is not None else None) is filter
    assert broken_off(Scene.of(trace(user("x"), says(last), says("I go on.")))) is None


def ended(*before: Step, answer: str, want: str = "") -> Scene:
    state = {"answer": want} if want else None
    run = trace(user("When?"), *before, says(FILTER), says(f"FINAL ANSWER: {answer}"))
    return Scene.of(run, [Outcome(passed=False, expected_state=state)])


def test_where_an_answer_stood_before_is_told() -> None:
    page = bash("look", "It was opened in 1,976 and closed in 1980.")
    line = "FINAL ANSWER: 1976"
    assert first_stands(ended(page, answer="1976"), 4, line) == "first seen at 2"
    assert first_stands(ended(answer="1976"), 3, line) == "seen nowhere before"
    plan = Step(0, "agent", "# Facts\nNone.\n## Educated guesses\nIn 1976.", kind="injected")
    assert first_stands(ended(plan, answer="1976"), 4, line) == "a guess at 2"
    assert not seen_before(ended(plan, answer="1976"), 4, line), "a plan finds nothing"
    both = ended(page, answer="1976, 2001")
    assert first_stands(both, 4, "FINAL ANSWER: 1976, 2001") == "only in part seen before, at 2"
    assert seen_before(ended(page, answer="1976"), 4, line)


def test_an_answer_behind_what_broke_the_run_off_is_given_all_the_same() -> None:
    found = answered_after(Scene.of(trace(user("When?"), says(f"{FILTER}\nFINAL ANSWER: 1976"))))
    assert found is not None and found[0].filter and found[1] == "FINAL ANSWER: 1976"
    kept = [Outcome(passed=False, final_state={"answer": "1980"})]
    handed = answered_after(Scene.of(trace(user("When?"), says(FILTER)), kept))
    assert handed is not None and handed[1] == "1980"
    assert answered_after(Scene.of(trace(user("When?"), says(FILTER)))) is None


def test_the_expected_answer_was_seen_where_each_part_of_it_was() -> None:
    page, more = bash("look", "The oak and the elm."), bash("look", "The birch.")
    assert expected_seen(ended(page, more, answer="ash", want="Elm, birch"), 4) == (3, "Elm, birch")
    assert expected_seen(ended(page, answer="ash", want="elm, birch"), 3) is None
    assert expected_seen(ended(page, answer="ash", want="it"), 3) is None, "two letters stand anywhere"


def test_the_agents_own_record_says_last_whether_it_is_done() -> None:
    def ledger(done: str) -> Step:
        return says(f'"is_request_satisfied": {{"reason": "so", "answer": {done}}}')

    assert noted_open(Scene.of(trace(user("x"), ledger("false"), says(FILTER))), 3) == 2
    assert noted_open(Scene.of(trace(user("x"), ledger("false"), ledger("true"), says(FILTER))), 4) is None
