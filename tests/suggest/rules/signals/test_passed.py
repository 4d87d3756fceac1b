"""What a run that passed shows of it: consent, deed, answer, check and thanks, or only the verdict."""

from __future__ import annotations

import pytest

from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import propose, shows
from tests.traces import call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
CANCEL = call("cancel_order", {"order_id": "#W1234", "reason": "late"}, '{"id": 7, "status": "cancelled"}')
SCORED = Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}})


def test_a_passed_run_shows_consent_deed_answer_and_thanks() -> None:
    yes = user("Yes, please cancel that one.")
    thanks = user("Thank you so much for this! ###STOP###")
    found = propose(trace(RULE, says("Shall I?"), yes, CANCEL, says("It is done."), thanks), SCORED)
    assert (found.mode, found.step_n, found.confidence) == ("no_failure", None, 0.7)
    assert shows(found) == [
        (3, "the user's yes"), (4, "done"), (4, "its answer"), (6, "the user accepted"),
    ]  # fmt: skip
    assert found.rationale.startswith(
        "the grader passed it (score 1, data as expected); the last write, cancel_order, went through at 4, "
        "after the user's yes; the user accepted at 6."
    )
    assert "STOP" not in found.evidence[-1].quote and found.evidence[2].quote == CANCEL.results[0].content


def test_an_expected_answer_is_shown_with_where_it_was_seen() -> None:
    look = call("search", {"q": "tallest"}, "The tallest is the Hornbeam tower, of 1903.")
    outcome = Outcome(passed=True, expected_state={"answer": "hornbeam tower"})
    found = propose(trace(user("Which?"), look, says("FINAL ANSWER: Hornbeam tower")), outcome)
    assert shows(found) == [(2, "seen"), (3, "answered")] and found.confidence == 0.6
    short = trace(user("How many?"), says("There are 16 of them, in 6 rows."))
    found = propose(short, Outcome(passed=True, expected_state={"answer": "6"}))
    assert found.evidence[0].quote == "There are 16 of them, in 6 rows."
    none = propose(trace(user("How many?"), says("There are 16.")), Outcome(passed=True, expected_state="6"))
    assert none.status == "abstained", "a part of a number is no answer"


@pytest.mark.parametrize("words", ["Thanks, but I hoped for more", "Thanks. Could I have a human?", "Well."])
def test_words_against_it_are_no_acceptance(words: str) -> None:
    found = propose(trace(user("Cancel it"), CANCEL, says("Done."), user(words)), SCORED)
    assert "accepted" not in found.rationale and found.mode == "no_failure"


def test_a_verdict_alone_is_told_as_one_and_a_bare_one_is_no_suggestion() -> None:
    run = trace(user("How are you?"), says("I am as well as can be."))
    found = propose(run, SCORED)
    assert found.confidence == 0.4 and shows(found) == [(2, "last words")]
    assert found.rationale.startswith(
        "only the grader passed it (score 1, data as expected): no write, check"
    )
    bare = propose(run, Outcome(passed=True))
    assert bare.status == "abstained" and bare.reason.startswith("only the grader says that it passed")


def test_where_no_change_was_expected_and_none_was_made_that_is_said() -> None:
    wants: Json = {"actions": [{"name": "get_order", "arguments": {"id": "#W1"}}]}
    outcome = Outcome(passed=True, score=1.0, expected_state=wants)
    hands = call("transfer_to_human_agents", {"summary": "The order is too old to be changed."}, "ok")
    found = propose(trace(user("Change it"), hands), outcome)
    assert "no change was expected, and none was made; it hands over at 2" in found.rationale
    assert shows(found) == [(2, "handed over")] and found.confidence == 0.5
    stays = propose(trace(user("Change it"), says("I cannot change an order of last year.")), outcome)
    assert "no change was expected, and none was made." in stays.rationale
    assert shows(stays) == [(2, "last words")]
    wrote = propose(trace(user("Change it"), CANCEL, says("I cannot.")), outcome)
    assert "none was made" not in wrote.rationale


def test_the_file_that_was_asked_for_is_shown_with_its_writing() -> None:
    asked = user("Hello. Write the word yes into /w/a.txt and nothing else. Thanks.")
    wrote = call("create", {"path": "/w/a.txt", "text": "yes"}, "created /w/a.txt")
    found = propose(trace(asked, wrote), SCORED)
    assert shows(found) == [(1, "asked"), (2, "done"), (2, "its answer")]
    assert found.evidence[0].quote == "Write the word yes into /w/a.txt and nothing else."
