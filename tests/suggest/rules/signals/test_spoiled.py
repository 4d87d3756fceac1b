"""What speaks so strongly against a run that passed that a reader has to look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.spoiled import spoiled
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import propose
from tests.traces import bash, call, says, trace, user

ASK, YES = says("Shall I change the lamp?"), user("Yes, change it.")
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


def test_an_answer_beside_the_words_of_the_task_may_be_a_leak() -> None:
    task = "Which bird did the harbour master of Husum paint on the door of his boat in 1911?"
    outcome = Outcome(passed=True, expected_state={"answer": "heron"})
    leak = call("search", {"q": "husum"}, f"Set of questions. {task} Heron. None.")
    seen = found(user(task), leak, says("FINAL ANSWER: heron"), outcome=outcome)
    assert seen is not None and seen[0] == 2 and "leak" in seen[1]
    page = call("search", {"q": "husum"}, "The harbour master of Husum painted a heron on his door.")
    assert found(user(task), page, says("FINAL ANSWER: heron"), outcome=outcome) is None


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
    both: Json = {"actions": [{"name": "transfer_to_human_agents", "arguments": {}}]}
    alone = found(asks, changed, over, outcome=replace(outcome, expected_state=both))
    assert alone is not None and "only its own words say why" in alone[1]


def test_a_look_that_was_expected_and_not_made_tells_where_a_run_without_a_change_passes() -> None:
    left = 'action not done: assistant get_order({"id": "#W2"}) (not part of the reward)'
    detail: Json = {"failed_checks": [left], "info": {"r_actions": 1.0}}
    outcome = Outcome(passed=True, score=1.0, expected_state=NONE, detail=detail)
    hand = call("transfer_to_human_agents", {"summary": "It is too old to be changed."}, "ok")
    said = propose(trace(user("Change it"), hand), outcome)
    assert said.status == "abstained" and "action not done: assistant get_order" in said.reason


def test_a_write_without_the_yes_that_the_policy_wants_is_for_a_reader() -> None:
    asked = user("I have two orders and wonder about the late one.")
    write = modify("a2", '{"status": "modified"}')
    seen = found(RULE, says("How can I help?"), asked, write, says("Changed."))
    assert seen is not None and seen[0] == 4
    assert "what the user said before, at 3, is no clear yes to changing the order there" in seen[1]
    seen = found(RULE, user("Yes, please change the order."), write, says("Changed."))
    assert seen is not None, "a yes before any word to the user"
    assert found(asked, write, says("Changed.")) is None, "a yes that no policy asks for is not missing"


def test_the_same_write_twice_is_looked_at_unless_the_first_was_refused() -> None:
    once, refused = modify("a1", '{"status": "modified"}'), modify("a1", "Error: busy", error=True)
    seen = found(ASK, YES, once, once, says("It is done."))
    assert seen is not None and seen[0] == 4 and "modify_order of step 3 was made there once more" in seen[1]
    assert found(ASK, YES, refused, once, says("It is done.")) is None, "a second try"
    assert found(ASK, YES, once, modify("a2", '{"status": "modified"}'), says("Both.")) is None


def test_a_user_who_asks_why_it_came_out_otherwise_is_heard() -> None:
    asks = user("Earlier you said $15, and now it is $52. Which is it?")
    seen = found(ASK, YES, modify("a1", '{"status": "modified"}'), says("You get $52."), asks)
    assert seen is not None and seen[0] == 5 and "why it came out otherwise" in seen[1]
    assert found(asks, ASK, YES, modify("a1", '{"status": "modified"}')) is None, "before anything was done"


def test_a_thing_of_another_number_is_looked_at_where_the_own_one_never_was() -> None:
    def line(name: str, number: str) -> Step:
        return call("get_line", {"line_id": name}, f'{{"line_id": "{name}", "phone_number": "{number}"}}')

    other, own = line("L1", "555-010-2001"), line("L2", "555-010-2002")
    me = user("It is slow. My number is 555-010-2002.")
    write, right = (call("reset_line", {"line_id": name}, "Reset.") for name in ("L1", "L2"))
    seen = found(me, other, write, says("It is done."))
    assert seen is not None and seen[0] == 2
    assert "it looked up L1 at 2, whose phone number ends in 2001; the user's ends in 2002" in seen[1]
    assert found(me, other, own, right, says("It is done.")) is None
    seen = found(me, other, own, write, says("It is done."))
    assert seen is not None and seen[0] == 4, "changed, though the own one was known"
    works = call("run_speed_test", {}, "Result: 275 Mbps (Excellent).")
    said = propose(trace(me, other, write, works), SCORED)
    assert said.mode == "no_failure" and "it looked up L1 at 2" in said.rationale and said.confidence == 0.5


def test_what_was_not_expected_what_was_removed_and_what_is_denied_are_looked_at() -> None:
    wants: Json = {"actions": [{"name": "transfer_to_human_agents", "arguments": {"why": "stolen"}}]}
    left: Json = {"failed_checks": ["the database is not as expected (not part of the reward)"]}
    differs = Outcome(passed=True, score=1.0, expected_state=wants, detail=left)
    seen = found(user("Help"), modify("a1", "ok"), outcome=differs)
    assert seen is not None and seen[0] == 2 and "modify_order was called there, which was not" in seen[1]
    seen = found(user("Mend it"), bash("rm tests/test_a.py"), bash("sed -i s/a/b/ a.py"))
    assert seen is not None and seen[0] == 2 and "tests/test_a.py was removed" in seen[1]
    edit, denied = bash("sed -i s/a/b/ a.py"), user("It still doesn't work.")
    seen = found(user("Mend it"), edit, says("I fixed it."), denied)
    assert seen is not None and seen[0] == 4 and "the user denies there" in seen[1]


@pytest.mark.parametrize(
    ("recorded", "said", "step"),
    [
        ('{"exchange_price_difference": 5.08}', "A refund of $5.08 will be processed.", 5),
        ('{"exchange_price_difference": 5.08}', "$5.08 will be charged to your card.", None),
        ('{"exchange_price_difference": -5.08}', "The additional cost of $5.08 was charged.", 5),
        ('{"payment_history": [{"transaction_type": "refund", "amount": 0.3499}]}', "It charged $0.35.", 5),
        (
            '{"payment_history": [{"transaction_type": "payment", "amount": 20.0}]}',
            "$20.00 as a refund.",
            None,
        ),
        ('{"exchange_price_difference": 5.08}', "No refund: $5.08 will be charged.", None),
    ],
)
def test_a_refund_told_as_a_charge_or_the_other_way_round_is_looked_at(
    recorded: str, said: str, step: int | None
) -> None:
    seen = found(RULE, ASK, YES, modify("a1", recorded), says(said))
    assert (seen and seen[0]) == step
    assert seen is None or "by the result at 4 it is" in seen[1]
