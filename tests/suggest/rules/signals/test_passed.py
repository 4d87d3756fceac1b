"""What a run that passed shows of it: consent, deed, answer, check and thanks, or only the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.label import Rationale
from reviewer.suggest.rules.seen.quoting import readable
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import propose, shows
from tests.traces import bash, call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
CANCEL = call("cancel_order", {"order_id": "#W1234", "reason": "late"}, '{"id": 7, "status": "cancelled"}')
SCORED = Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}})


def test_a_passed_run_shows_consent_deed_answer_and_thanks() -> None:
    yes = user("Yes, please cancel that one.")
    thanks = user("Thank you so much for this! ###STOP###")
    found = propose(trace(RULE, says("Shall I?"), yes, CANCEL, says("It is done."), thanks), SCORED)
    assert (found.mode, found.step_n, found.confidence) == ("no_failure", None, 0.7)
    assert shows(found) == [
        (3, "the user's yes"), (4, "its answer"), (6, "the user accepted"),
    ]  # fmt: skip
    assert found.rationale.startswith(
        "the grader passed it (data as expected); the order was cancelled (4) after the user's yes (3)."
    )
    assert "STOP" not in found.evidence[-1].quote and found.evidence[1].quote == '"status": "cancelled"'


def test_of_several_writes_their_number_is_told_and_the_last_quoted() -> None:
    more = call("return_items", {"order_id": "#W77", "items": ["a4"]}, '{"status": "return requested"}')
    bowl = says("Shall I return the bowl, too?")
    steps = [RULE, says("Shall I?"), user("Yes, cancel it."), CANCEL, bowl, user("Yes.")]
    found = propose(trace(*steps, more, says("It is done.")), SCORED)
    assert "2 changes, each after its own yes; the last (7) after the user's yes (6)." in found.rationale
    assert shows(found) == [(5, "put to the user"), (7, "its answer")]
    assert found.evidence[0].quote == "Shall I return the bowl, too?", "a bare yes shows nothing"
    both = [RULE, says("Shall I cancel one and return the other?"), user("Yes, go ahead with both of it.")]
    once = propose(trace(*both, CANCEL, more, says("It is done.")), SCORED)
    assert "2 changes (4, 5) after the user's yes (3)." in once.rationale, "one yes stands for two"


def test_a_look_after_the_last_write_shows_more_than_the_write() -> None:
    write = call("reboot_device", {}, "Restarting. Status: 80%")
    look = call("can_send_mms", {}, "Your messaging app can send MMS messages.")
    found = propose(trace(user("No pictures go out"), write, look, says("It works.")), SCORED)
    assert "it works at 3" in found.rationale
    assert shows(found) == [(3, "after the last change")] and not Rationale.of(found.rationale).but
    broken = call("can_send_mms", {}, "Your messaging app cannot send MMS messages.")
    found = propose(trace(user("No pictures go out"), write, look, broken, says("It works.")), SCORED)
    assert "it works" not in found.rationale and shows(found) == [(2, "its answer")]
    test = call("run_speed_test", {}, "Result: 275 Mbps (Excellent).")
    found = propose(trace(user("It is slow"), write, test, says("It works.")), SCORED)
    assert shows(found) == [(3, "after the last change")], "a look by another verb"
    bar = call("look", {}, "Status Bar: Low | Excellent | 5G | Data Enabled | 80%")
    found = propose(trace(user("It is slow"), write, bar, says("Done.")), SCORED)
    assert found.evidence[0].quote == "Status Bar: Low | Excellent", "a bar up to what tells"
    own = call("toggle_saver", {}, "Saver is OFF. Status Bar: Excellent | 5G")
    assert shows(propose(trace(user("It is slow"), own, says("Done.")), SCORED)) == [
        (2, "after the last change")
    ]


def test_what_only_the_grader_says_is_told_and_weighs_less() -> None:
    run = trace(
        user("Write /w/a.txt"), call("create", {"path": "/w/a.txt", "text": "a b"}, "ok"), says("There.")
    )
    found = propose(run, SCORED)
    assert not Rationale.of(found.rationale).but and found.confidence == 0.5
    mute = Outcome(passed=True, score=1.0, detail={"checkpoints": [{"total": 1, "result": 1}]})
    found = propose(run, mute)
    assert found.status == "abstained" and "only the grader" in found.reason


def test_a_suggestion_of_long_words_is_short_all_the_same() -> None:
    long = "and we had been waiting for the better part of the week without a word from anybody " * 4
    yes, thanks = user(f"{long}. Yes, please cancel it {long}"), user(f"Thanks a lot, {long}")
    record = ", ".join(f'"payment_{n}": {{"amount": {n}.99}}' for n in range(40))
    write = call("cancel_order", {"order_id": "#W1", "reason": long}, f'{{"status": "cancelled", {record}}}')
    found = propose(trace(RULE, says("Shall I?"), yes, write, says("Done."), thanks), SCORED)
    why = Rationale.of(found.rationale)
    assert readable(why.reason, [why.but, *(proof.quote for proof in found.evidence)])
    assert shows(found)[0] == (3, "the user's yes") and found.evidence[0].quote.startswith(
        "Yes, please cancel"
    )


def test_an_expected_answer_is_shown_with_where_it_was_seen() -> None:
    look = call("search", {"q": "tallest"}, "The tallest is the Hornbeam tower, of 1903.")
    outcome = Outcome(passed=True, expected_state={"answer": "hornbeam tower"})
    found = propose(trace(user("Which?"), look, says("FINAL ANSWER: Hornbeam tower")), outcome)
    assert shows(found) == [(2, "seen"), (3, "answered")] and found.confidence == 0.6
    short = trace(user("How many?"), says("There are 16 of them, in 6 rows."))
    found = propose(short, Outcome(passed=True, expected_state={"answer": "6"}))
    assert shows(found) == [(1, "asked"), (2, "answered")]
    assert found.evidence[1].quote == "There are 16 of them, in 6 rows."
    listed = call("decode", {}, "['Qkdmkd ku kp Rqnadk.', 'Picnic is in the Park.', 'Ohbmhb hr hm Onkxa.']")
    outcome = Outcome(passed=True, expected_state={"answer": "Picnic is in the Park"})
    found = propose(trace(user("What is said?"), listed, says("Picnic is in the Park.")), outcome)
    assert found.evidence[0].quote == "Picnic is in the Park.", "of a list its own sentence"
    none = propose(trace(user("How many?"), says("There are 16.")), Outcome(passed=True, expected_state="6"))
    assert none.status == "abstained", "a part of a number is no answer"


@pytest.mark.parametrize("words", ["Thanks, but I hoped for more", "Thanks. Could I have a human?", "Well."])
def test_words_against_it_are_no_acceptance(words: str) -> None:
    found = propose(trace(user("Cancel it"), CANCEL, says("Done."), user(words)), SCORED)
    assert "accepted" not in found.rationale and found.mode == "no_failure"


def test_a_verdict_alone_is_no_suggestion() -> None:
    run = trace(user("How are you?"), says("I am as well as can be."))
    for outcome in (SCORED, Outcome(passed=True)):
        found = propose(run, outcome)
        assert found.status == "abstained" and found.reason.startswith("only the grader says that it passed")


def test_where_no_change_was_expected_and_none_was_made_that_is_said() -> None:
    wants: Json = {"actions": [{"name": "get_order", "arguments": {"id": "#W1"}}]}
    outcome = Outcome(passed=True, score=1.0, expected_state=wants)
    hands = call("transfer_to_human_agents", {"summary": "The order is too old to be changed."}, "ok")
    wish = user("Change it, or get me a human agent.")
    asked = propose(trace(wish, hands), outcome)
    assert (asked.status, asked.step_n) == ("abstained", 2), "a refusal may have been due"
    no = says("I cannot change an order of last year.")
    stays = propose(trace(user("Change it"), no, user("Thanks all the same.")), outcome)
    assert shows(stays) == [(2, "last words"), (3, "the user accepted")]
    assert propose(trace(user("Change it"), no), outcome).status == "abstained", "only its own words"
    wrote = propose(trace(user("Change it"), CANCEL, says("I cannot.")), outcome)
    assert "expected or made" not in wrote.rationale


def test_what_had_to_be_told_is_quoted_where_it_is_told() -> None:
    detail: Json = {"info": {"r_outputs": 1.0, "outputs": {"302.67": True, "20 hours": True}}}
    run = trace(user("What did I pay?"), says("You paid $302.67; it lasts 20 hours."), says("Bye now."))
    found = propose(run, Outcome(passed=True, detail=detail))
    assert found.evidence[0].quote == "You paid $302.67; it lasts 20 hours."
    assert shows(found) == [(2, "told, as required")]
    assert "(required facts told: “$302.67” and 1 more); what had to be told is told at 2." in found.rationale


def test_an_expected_hand_over_is_told_without_the_checks_and_another_check_by_its_quote() -> None:
    checks: list[Json] = [
        {"env_assertion": 'user assert_mobile_data_status({"expected_status":true})', "met": True},
        {"env_assertion": 'user assert_internet_speed({"expected_desc":"excellent"})', "met": True},
    ]
    left = "the database is not as expected (not part of the reward)"
    detail: Json = {"failed_checks": [left], "reward_info": {"env_assertions": checks}}
    want: Json = {"actions": [{"name": "reset_settings", "arguments": {}}]}
    outcome = Outcome(passed=True, score=1.0, detail=detail, expected_state=want, final_state=want)
    slow = user("It is slow")
    reset = call("reset_settings", {}, "All is as it was.")
    test = call(
        "run_speed_test", {}, "Speed Test Result of this device here in town: 275.00 Mbps (Excellent)."
    )
    found = propose(trace(slow, reset, test), outcome)
    assert "(checked: internet speed is “excellent”); it works at 3" in found.rationale
    reason = "The line is suspended, and its contract has ended."
    over = call("transfer_to_human", {"summary": reason}, "ok")
    want = {"actions": [{"name": "transfer_to_human", "arguments": {}}]}
    handed = replace(outcome, detail={"reward_info": {"env_assertions": checks}}, expected_state=want)
    found = propose(trace(user("It is slow. Get me a supervisor."), over), handed)
    assert found.rationale.startswith("the grader passed it; the expected hand-over was made at 2, as asked")
    assert found.evidence[-1].quote == reason


def test_what_the_grader_leaves_out_is_said_or_is_a_pointer_where_nothing_else_shows_it() -> None:
    left = "the database is not as expected (not part of the reward)"
    want: Json = {"actions": [{"requestor": "assistant", "name": "cancel_order", "arguments": {}}]}
    detail: Json = {"failed_checks": [left], "info": {"r_actions": 1.0}}
    outcome = Outcome(passed=True, score=1.0, detail=detail, expected_state=want)
    look = call("run_speed_test", {}, "Result: 275 Mbps (Excellent).")
    made: Json = {"actions": [{"requestor": "user", "name": "cancel_order", "arguments": {}}]}
    found = propose(trace(user("It is slow"), CANCEL, look), replace(outcome, final_state=made))
    but = "the database differs from the expected one (not graded); all calls as expected"
    assert Rationale.of(found.rationale).but == but, "whoever made them"
    works = user("It works now, thanks!")
    first = propose(trace(user("It is slow"), CANCEL, look, works), outcome)
    assert "; the user accepted at 4." in first.rationale, "the user's word before the look"
    assert shows(first) == [(3, "after the last change"), (4, "the user accepted")]
    bare = propose(trace(user("It is slow"), CANCEL, says("Done.")), replace(outcome, expected_state=None))
    assert bare.status == "abstained" and bare.reason.startswith("only the grader")


def test_an_error_that_was_left_speaks_against_it_and_a_failed_test_takes_it_away() -> None:
    lost = call("return_items", {"order_id": "#W9"}, "Error: the order is not delivered", error=True)
    yes = (RULE, says("Shall I?"), user("Yes, cancel it."), CANCEL)
    found = propose(trace(*yes, lost, says("That one cannot be returned.")), SCORED)
    assert Rationale.of(found.rationale).but.startswith("return_items failed at 5 and was left")
    red = bash("python -m pytest -q", "FAILED tests/test_a.py::test_a - assert 1 == 2\n1 failed", 1)
    green, edit = bash("python -m pytest -q", "3 passed"), bash("sed -i s/a/b/ src/a.py")
    tested = Outcome(passed=True, detail={"tests": {"success": ["t"], "failure": []}})
    found = propose(trace(user("Mend it"), edit, red), tested)
    assert found.status == "abstained" and "a test failed there and did not pass since" in found.reason
    found = propose(trace(user("Mend it"), edit, red, edit, green), tested)
    assert found.rationale.startswith("the grader passed it (1 of 1 tests); a check passed at 5.")
    assert (found.step_n, shows(found)) == (5, [(5, "checked")])
    found = propose(trace(user("Mend it"), edit), tested)
    assert "(1 of 1 tests)" in found.rationale and shows(found) == [(2, "done")] and found.confidence == 0.5
