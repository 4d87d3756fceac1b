"""What a run that passed shows of it, what its grader checked, and what keeps it from being called clean."""

from __future__ import annotations

import pytest

from reviewer import taxonomy
from reviewer.label import NOTE
from reviewer.suggest import suggester
from reviewer.suggest.base import Proposal
from reviewer.suggest.evidence import verify
from reviewer.suggest.rules.seen.graded import graded
from reviewer.trace import Json, Outcome, Step, Trace
from tests.traces import bash, call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
CANCEL = call("cancel_order", {"order_id": "#W1234", "reason": "late"}, '{"id": 7, "status": "cancelled"}')
SCORED = Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}})


def propose(sample: Trace, *outcomes: Outcome) -> Proposal:
    found = suggester("rules").suggest(sample, outcomes, taxonomy.load("six-modes"))
    assert all(one.verified for one in verify(sample, found.evidence)) and len(found.evidence) <= 4
    assert len(found.rationale.partition(NOTE)[0]) <= 240 and len(found.reason) <= 242
    return found


def shows(found: Proposal) -> list[tuple[int, str]]:
    return [(one.step_n, one.shows) for one in found.evidence]


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


def test_a_write_without_the_yes_that_the_policy_wants_is_for_a_reader() -> None:
    asked = user("I have two orders and wonder about the late one.")
    found = propose(trace(RULE, says("How can I help?"), asked, CANCEL, says("Cancelled.")), SCORED)
    assert (found.status, found.step_n) == ("abstained", 4)
    assert "what the user said before, at 3, holds no yes; the policy at 1 demands one" in found.reason
    free = propose(trace(asked, CANCEL, says("Cancelled.")), SCORED)
    assert free.mode == "no_failure", "a yes that no policy asks for is not missing"


def test_a_write_before_any_word_to_the_user_breaks_a_policy_that_wants_a_yes() -> None:
    asked = user("Yes, hello, please cancel order #W1234.")
    found = propose(trace(RULE, asked, CANCEL, says("Cancelled."), user("Thanks a lot!")), SCORED)
    assert (found.mode, found.step_n) == ("other", 3)
    assert shows(found) == [(1, "the rule"), (2, "said before"), (3, "done unasked")]
    assert found.rationale.startswith("policy breach: it passed, but cancel_order was called at 3 before any")


def test_a_write_that_was_not_expected_is_for_a_reader_where_the_data_differ() -> None:
    wants: Json = {"actions": [{"name": "transfer_to_human_agents", "arguments": {"why": "stolen"}}]}
    left = {"failed_checks": ["the database is not as expected (not part of the reward)"]}
    run = trace(user("Help"), CANCEL, call("transfer_to_human_agents", {"why": "it was stolen"}, "ok"))
    differs = Outcome(passed=True, score=1.0, expected_state=wants, detail=left)
    found = propose(run, differs)
    assert (found.status, found.step_n) == ("abstained", 2)
    assert "cancel_order was called there, which was not expected" in found.reason
    same = propose(run, Outcome(passed=True, score=1.0, expected_state=wants))
    assert "transfer_to_human_agents, which was expected, was called at 3" in same.rationale
    assert same.evidence[0].quote == '{"why":"it was stolen"}'


def test_a_test_that_was_removed_is_for_a_reader() -> None:
    run = trace(user("Mend it"), bash("rm tests/test_a.py"), bash("sed -i s/a/b/ a.py"))
    found = propose(run, Outcome(passed=True, score=1.0))
    assert (found.status, found.step_n) == ("abstained", 2) and "tests/test_a.py was removed" in found.reason


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


def test_a_user_who_denies_it_is_heard_where_the_grader_passed_it() -> None:
    denied = user("It still doesn't work.")
    edit = bash("sed -i s/a/b/ a.py")
    found = propose(trace(user("Mend it"), edit, says("I fixed it."), denied), SCORED)
    assert (found.status, found.step_n) == ("abstained", 4) and "the user denies there" in found.reason


def test_a_check_that_was_left_failing_is_where_to_start() -> None:
    run = trace(user("x"), bash("sed -i s/a/b/ a.py"), bash("pytest", "1 failed, 3 passed", 1), says("Well."))
    found = propose(run, Outcome(passed=True, score=1.0))
    assert (found.status, found.step_n) == ("abstained", 3)
    assert found.reason.startswith("Start at step 3: it passed, but a check failed there and did not pass")


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ({"reward_info": {"db_check": {"db_match": True}}}, "database as expected"),
        ({"action_checks": [{"action_match": True}, {"action_match": True}]}, "2 of 2 expected calls"),
        ({"action_checks": [{"action_match": False}]}, "0 of 1 expected calls to the letter"),
        ({"parser_results": {"test_a": "passed", "test_b": "failed"}}, "1 of 2 tests"),
        ({"tests_status": {"FAIL_TO_PASS": {"success": ["a", "b"], "failure": []}}}, "2 of 2 tests"),
        ({"checkpoints": [{"total": 2, "result": 2}]}, "1 of 1 checkpoints"),
        ({"final_score": {"total": 2, "result": 2}}, ""),
        ({"listed_in": ["resolved_ids"]}, "listed in resolved_ids"),
        ({"resolved": True}, "resolved"),
        ({"deep": [[{"a": {}}]], "n": None}, ""),
        ("passed", ""),
    ],
)
def test_the_record_of_a_grader_is_told_in_a_few_words(detail: Json, words: str) -> None:
    assert graded([Outcome(passed=True, detail=detail)]) == words
    assert graded([Outcome(passed=False, score=1.0, detail=detail)]) == ""
