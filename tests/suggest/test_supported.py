"""A suggestion can be checked by what it shows: its step has words, and the reason of the grader is told."""

from __future__ import annotations

from dataclasses import replace

from reviewer import taxonomy
from reviewer.facts import Compared, Line, facts
from reviewer.suggest.base import Proposal
from reviewer.suggest.differing import first_difference
from reviewer.suggest.evidence import verify
from reviewer.suggest.rules import Rules
from reviewer.trace import Outcome, Trace
from tests.traces import FAILED, bash, call, says, trace, user

SIX = taxonomy.load("six-modes")


def propose(one: Trace, *outcomes: Outcome) -> Proposal:
    found = Rules().suggest(one, outcomes, SIX)
    assert all(proof.verified for proof in verify(one, found.evidence))
    return found


def test_a_step_that_no_quote_stands_at_has_its_own_words() -> None:
    run = trace(
        user("Clean the table."),
        call("view", {"path": "/w/table.csv"}, "Error: /w/table.csv is locked by a person", error=True),
        says("I could not clean the table, since the file could not be opened."),
    )
    found = propose(run, *FAILED)
    assert "said_it_failed" in found.rationale and found.step_n == 2
    assert "may have begun at step 2" in found.rationale
    assert {proof.step_n for proof in found.evidence} == {2, 3}
    assert any("locked by a person" in proof.quote for proof in found.evidence)


def test_handing_over_shows_the_reason_that_was_given_and_the_graders_own() -> None:
    run = trace(user("Change it."), call("transfer_to_human", {"summary": "Not my task."}, "done"))
    found = propose(run, Outcome(passed=False, detail={"failed_checks": ["update_order was not called"]}))
    assert "handed_over" in found.rationale and "update_order was not called" in found.rationale
    assert [proof.quote for proof in found.evidence] == ["transfer_to_human", "Not my task."]


def test_a_call_made_otherwise_at_another_place_is_told_by_what_differs() -> None:
    lines = (
        Line(">", "actions"),
        Line(" ", 'swap(order="W1")', 1, 3),
        Line("-", "swap", 1),
        Line("-", 'order: "W2"', 2),
        Line("-", 'card: "visa-99"', 2),
        Line(" ", 'cancel(order="W3")', 1, 2),
        Line("+", "swap", 1, 1),
        Line("+", 'order: "W2"', 2),
        Line("+", 'card: "visa-22"', 2),
    )
    run = trace(call("swap", {"order": "W2", "card": "visa-22"}, "ok"))
    told = first_difference(replace(facts(run), compared=(Compared("grader", lines),)))
    assert told is not None and told.step == 1
    assert told.says == "swap, card: expected visa-99, made visa-22"
    assert told.quote(run.steps[0]) == "visa-22"


def test_a_repeat_names_its_steps() -> None:
    run = trace(*[bash("cp a b", "cp: cannot stat 'a': No such file or directory", 1)] * 4)
    assert "4 times (steps 1, 2, 3, 4)" in propose(run).rationale


def test_an_abstention_says_what_was_looked_at() -> None:
    run = trace(user("Is it so?"), bash("cat a", "text"), says("It may be."))
    found = propose(run, Outcome(passed=False, detail={"failed_checks": ["answer: no"]}))
    assert found.status == "abstained"
    assert found.reason == (
        "no signal fired: 1 call in 3 steps, no error, nothing written, nothing checked, "
        "no words of success or refusal at the end, outcome failed (answer: no)"
    )


def test_a_look_that_finds_nothing_is_no_error_left_where_another_way_was_found() -> None:
    gone = call("find_by_mail", {"mail": "a@b.example"}, "Error: user not found", error=True)
    run = trace(gone, call("find_by_name", {"name": "Ann"}, "ann_1"), says("It may be."))
    assert propose(run, *FAILED).status == "abstained"
    assert "a call of find_by_mail failed" in propose(trace(gone, says("It may be.")), *FAILED).rationale


def test_what_was_left_unsaid_is_shown_by_the_last_words_and_not_by_a_call() -> None:
    run = trace(call("update_order", {"id": "W1"}, "ok"), says("It may be there on Monday."))
    made = [{"name": "update_order", "arguments": {"id": "W1"}}]
    outcome = Outcome(
        passed=False,
        expected_state={"actions": made, "outputs": ["10"]},
        final_state={"actions": made, "outputs": []},
    )
    found = propose(run, outcome)
    assert "wrong_state" in found.rationale and found.step_n == 2
    assert [proof.quote for proof in found.evidence] == ["It may be there on Monday."]
