"""A suggestion can be checked by what it shows: its step has words, and the reason of the grader is told."""

from __future__ import annotations

from reviewer import taxonomy
from reviewer.suggest.rules.pointers.abstention import checked_and_wrong
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Outcome, Step
from tests.suggest.rules.expected import propose
from tests.traces import FAILED, bash, call, says, trace, user

SIX = taxonomy.load("six-modes")


def test_an_abstention_says_what_was_looked_at() -> None:
    run = trace(user("Is it so?"), bash("cat a", "text"), says("It may be."))
    found = propose(run, Outcome(passed=False, detail={"failed_checks": ["answer: no"]}))
    assert found.status == "abstained"
    assert found.reason == (
        "Start at step 3: the last words, to be held against the task. Seen: 1 call, no error, "
        "nothing written, nothing checked, no word of success at the end, outcome failed (answer: no)"
    )


def test_a_look_that_finds_nothing_is_a_pointer_unless_another_way_was_found() -> None:
    gone = call("find_by_mail", {"mail": "a@b.example"}, "Error: user not found", error=True)
    run = trace(gone, call("find_by_name", {"name": "Ann"}, "ann_1"), says("It may be."))
    assert propose(run, *FAILED).status == "abstained"
    left = propose(trace(gone, says("It may be.")), *FAILED)
    assert (left.status, left.step_n) == ("abstained", 1), "nobody sees whether it mattered: a pointer"
    assert left.reason.startswith("Start at step 1: an error was left there: Error: user not found. Seen: ")


def test_what_was_left_unsaid_is_a_pointer_and_no_mode() -> None:
    run = trace(call("update_order", {"id": "W1"}, "ok"), says("It may be there on Monday."))
    made = [{"name": "update_order", "arguments": {"id": "W1"}}]
    outcome = Outcome(
        passed=False,
        expected_state={"actions": made, "outputs": ["10"]},
        final_state={"actions": made, "outputs": []},
    )
    found = propose(run, outcome)
    assert found.status == "abstained" and found.step_n == 2
    assert found.reason.startswith('Start at step 2: outputs: expected ["10"], found []. Seen: ')


def test_a_wrong_answer_points_to_where_it_first_stands() -> None:
    run = trace(user("Which sign?"), says("I think of a caret here."), says("FINAL ANSWER: caret"))
    outcome = Outcome(passed=False, expected_state={"answer": "tick"}, final_state={"answer": "caret"})
    found = propose(run, outcome)
    assert (found.status, found.step_n) == ("abstained", 2)
    assert (
        "“caret”, with which it ended instead of “tick”, comes up there first, in the agent's own words"
        in found.reason
    )


def test_a_refusal_is_held_against_the_policy_of_the_task() -> None:
    no = says("I'm sorry, but I can't help with that, since it would be harmful.")
    assert propose(trace(user("Reset it"), no)).mode == "safety_refusal"
    rule = Step(0, "system", "You must not change orders: follow this policy.")
    found = propose(trace(rule, user("Reset it"), no))
    assert (found.status, found.step_n) == ("abstained", 3) and "policy in step 1" in found.reason
    bare = says("I can't help with that, since the file is empty.")
    assert propose(trace(user("Reset it"), bare)).status == "abstained", "no danger is given as the reason"


def test_an_abstention_does_not_call_an_empty_check_a_good_one() -> None:
    run = trace(bash("pytest", "no tests ran"), says("Well."))
    assert "1 check, 1 checked nothing" in propose(run).reason


def test_to_say_that_the_file_is_not_there_is_to_say_that_it_failed() -> None:
    words = says("It seems that the file a.php does not exist. Please verify the file path.")
    found = propose(trace(user("Mend a.php"), words), *FAILED)
    assert (found.status, found.step_n) == ("abstained", 2), "nothing was tried: where to look, and no mode"
    assert "it says there what is not done: “It seems that the file a.php does not exist." in found.reason


def test_a_check_that_was_left_failing_is_where_to_start() -> None:
    run = trace(user("x"), bash("sed -i s/a/b/ a.py"), bash("pytest", "1 failed, 3 passed", 1), says("Well."))
    found = propose(run, Outcome(passed=True, score=1.0))
    assert (found.status, found.step_n) == ("abstained", 3)
    assert found.reason.startswith("Start at step 3: it passed, but a test failed there and did not pass")


def test_an_answer_that_is_handed_in_is_not_said_to_claim_nothing() -> None:
    found = propose(trace(user("Who was it?"), bash("cat a", "text"), says("FINAL ANSWER: Olga")), *FAILED)
    assert found.status == "abstained" and ", an answer handed in, " in found.reason
    assert "no word of success at the end" not in found.reason


def test_a_good_check_and_a_bad_outcome_are_where_to_start() -> None:
    edit = bash("sed -i s/a/b/ src/a.py")
    done = says("I fixed the parser, and all tests pass.")
    run = trace(user("Mend it"), edit, bash("pytest", "3 passed"), says("It is mended."))
    found = propose(run, *FAILED)
    assert (found.status, found.step_n) == ("abstained", 3)
    assert found.reason.startswith("Start at step 3: its own test passed there, and it is wrong all the same")
    assert checked_and_wrong(Scene.of(trace(bash("pytest", "3 passed"), done), FAILED)) is None
    assert checked_and_wrong(Scene.of(trace(edit, bash("pytest", "1 failed", 1), done), FAILED)) is None


def test_among_several_agents_the_first_that_did_something_is_where_to_start() -> None:
    def turn(name: str, message: str) -> Step:
        return Step(0, "agent", message, name=name)

    plan, order = turn("Lead", "I think of the harbour."), turn("Lead (-> Surfer)", "Look there.")
    did = turn("Surfer", "I ran it:\n```\nls\n```")
    found = propose(trace(user("Where?"), plan, order, did, turn("Lead", "It may be.")), *FAILED)
    assert found.step_n == 4 and "the first that did something" in found.reason
    alone = propose(trace(user("Where?"), plan, turn("Lead", "It may be.")), *FAILED)
    assert alone.step_n == 3 and "the last words" in alone.reason
