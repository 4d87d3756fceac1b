"""What speaks so strongly against a run that passed that a reader has to look."""

from __future__ import annotations

from dataclasses import replace

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.spoiled import spoiled
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import propose
from tests.traces import call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
SCORED = Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}})
NONE: Json = {"actions": [{"name": "get_order", "arguments": {"id": "#W1"}}]}


def found(*steps: Step, outcome: Outcome = SCORED) -> tuple[int, str] | None:
    run = trace(*steps)
    seen = spoiled(Scene.of(run, [outcome]))
    if seen is not None:
        said = propose(run, outcome)
        assert said.status == "abstained" and said.step_n == seen[0] and len(said.reason) <= 240
    return seen


def modify(item: str, output: str, error: bool = False) -> Step:
    return call("modify_order", {"id": "#W1", "item": item}, output, error=error)


def test_a_yes_for_a_call_that_was_refused_is_none_for_another() -> None:
    ask, yes = says("Shall I change the red lamp for the blue one?"), user("Yes, go ahead.")
    refused, other = modify("a1", "Error: not available", error=True), modify("a2", '{"status": "modified"}')
    seen = found(RULE, ask, yes, refused, other, says("It is done."))
    assert seen is not None and seen[0] == 5 and "refused at 4" in seen[1]
    again = modify("a1", '{"status": "modified"}')
    assert found(RULE, ask, yes, refused, again, says("It is done.")) is None, "the same call"
    asked = (refused, says("It is gone. Shall I change it for the green one?"), user("Yes, go ahead."), other)
    assert found(RULE, ask, yes, *asked, says("It is done.")) is None, "a new yes"
    assert found(ask, yes, refused, other, says("It is done.")) is None, "no rule wants one"


def test_a_sum_told_as_charged_that_the_answer_shows_as_a_refund_is_looked_at() -> None:
    def change(kind: str) -> Step:
        record = f'{{"transaction_type": "{kind}", "amount": 0.3499999, "payment_method_id": "card_1"}}'
        return modify("a1", f'{{"status": "modified", "payment_history": [{record}]}}')

    ask, yes = says("Shall I change the lamp?"), user("Yes, change it.")
    told = says("It is changed. The $0.35 has been charged to your card.")
    seen = found(ask, yes, change("refund"), told)
    assert seen is not None and seen[0] == 4 and "“charged”" in seen[1] and "a refund" in seen[1]
    assert found(ask, yes, change("payment"), told) is None
    assert found(ask, yes, change("refund"), says("The $0.35 was refunded.")) is None
    assert found(ask, yes, change("refund"), says("The $0.35 will not be charged.")) is None
    before = says("It costs an additional charge of $0.35. Shall I change it?")
    seen = found(before, yes, change("refund"), says("Done."))
    assert seen is not None and seen[0] == 1


def test_an_answer_beside_the_words_of_the_task_may_be_a_leak() -> None:
    task = "Which bird did the harbour master of Husum paint on the door of his boat in 1911?"
    outcome = Outcome(passed=True, expected_state={"answer": "heron"})
    leak = call("search", {"q": "husum"}, f"Set of questions. {task} Heron. None.")
    seen = found(user(task), leak, says("FINAL ANSWER: heron"), outcome=outcome)
    assert seen is not None and seen[0] == 2 and "leak" in seen[1]
    page = call("search", {"q": "husum"}, "The harbour master of Husum painted a heron on his door.")
    assert found(user(task), page, says("FINAL ANSWER: heron"), outcome=outcome) is None


def test_an_address_that_nothing_had_given_is_looked_at() -> None:
    outcome = Outcome(passed=True, score=1.0, expected_state=NONE, detail={"info": {"r_actions": 1.0}})
    talk = (user("Insure my trip"), says("You can get it at https://safe-trip.example/buy."), user("Thanks!"))
    seen = found(*talk, outcome=outcome)
    assert seen is not None and seen[0] == 2 and "safe-trip.example" in seen[1]
    given = call("get_offers", {}, "See https://safe-trip.example/buy for it.")
    assert found(talk[0], given, *talk[1:], outcome=outcome) is None


def test_a_hand_over_that_the_user_did_not_want_and_that_comes_again_is_looked_at() -> None:
    hand = call("transfer_to_human_agents", {"summary": "wants insurance"}, "ok")
    no = user("I really don't want to be transferred to anybody else.")
    seen = found(user("Insure my trip"), hand, no, hand)
    assert seen is not None and seen[0] == 4
    assert found(user("Insure my trip"), hand, user("Thank you.")) is None


def test_a_hand_over_that_was_not_expected_after_a_change_is_looked_at() -> None:
    want: Json = {"actions": [{"name": "modify_order", "arguments": {"id": "#W1", "item": "a2"}}]}
    outcome = Outcome(passed=True, score=1.0, expected_state=want, detail={"info": {"r_actions": 1.0}})
    asks = user("Please change the lamp for the green one, and cancel the other order.")
    changed = modify("a2", '{"status": "modified"}')
    over = call("transfer_to_human_agents", {"summary": "wants to cancel"}, "ok")
    seen = found(asks, changed, over, outcome=outcome)
    assert seen is not None and seen[0] == 3 and "which was not expected" in seen[1]
    assert found(asks, changed, user("Could I speak to a human?"), over, outcome=outcome) is None, "as asked"
    assert found(asks, over, outcome=outcome) is None, "a refusal, nothing was changed"
    both: Json = {"actions": [{"name": "transfer_to_human_agents", "arguments": {}}]}
    assert found(asks, changed, over, outcome=replace(outcome, expected_state=both)) is None


def test_a_look_that_was_expected_and_not_made_tells_where_a_run_without_a_change_passes() -> None:
    left = 'action not done: assistant get_order({"id": "#W2"}) (not part of the reward)'
    detail: Json = {"failed_checks": [left], "info": {"r_actions": 1.0}}
    outcome = Outcome(passed=True, score=1.0, expected_state=NONE, detail=detail)
    hand = call("transfer_to_human_agents", {"summary": "It is too old to be changed."}, "ok")
    said = propose(trace(user("Change it"), hand), outcome)
    assert said.status == "abstained" and "action not done: assistant get_order" in said.reason
