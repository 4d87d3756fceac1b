"""Runs that end or hand over while an expected call is open: a signal where the run shows that it was."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.leaving import handed_over, never_called
from reviewer.trace import Json, Outcome, Step, Trace
from tests.suggest.rules.expected import failed, pointer, quoted
from tests.traces import call, says, trace, user

RULES = Step(
    0,
    "system",
    "You must try each way to help before transferring to a person.\n"
    "- **toggle_beacon** - Turns the beacon ON or OFF.\n"
    "Let the user call `toggle_beacon()` so that the beacon is ON.\n",
)
OFF = user("I looked. Signal: good. Beacon: off. What now?")
OVER = call("transfer_to_human_agents", {"summary": "The boat is not seen. All steps were taken."}, "done")
BEACON = failed(("toggle_beacon", {}))
ASKED = user("Hello. Could you cancel my reservation R77777, please?")
CANCEL = failed(("cancel_reservation", {"reservation_id": "R77777"}))
LOOK = call("get_reservation", {"reservation_id": "R77777"}, '{"reservation_id": "R77777"}')


def over(one: Trace, *outcomes: Outcome) -> Fired | None:
    return handed_over(Scene.of(one, outcomes))


def left(one: Trace, *outcomes: Outcome) -> Fired | None:
    return never_called(Scene.of(one, outcomes))


def handing(summary: str) -> Step:
    return call("transfer_to_human_agents", {"summary": summary}, "done")


def test_what_is_still_off_though_the_rules_name_a_way_was_left_too_early() -> None:
    run = trace(RULES, user("Nobody sees my boat."), LOOK, OFF, OVER)
    found = over(run, BEACON)
    assert (
        found is not None
        and found.step == 5
        and found.says
        == ("premature stop: it hands over (5), beacon is still off, toggle_beacon never called")
    )
    assert quoted(run, found) == {
        "a way": "Let the user call `toggle_beacon()` so that the beacon is ON.",
        "still off": "Beacon: off.",
        "handed over": "The boat is not seen. All steps were taken.",
    }


def test_a_way_for_some_users_counts_where_the_user_says_to_be_one_and_shows_its_condition() -> None:
    rule = "If a user is sailing outside their home waters, let them call `toggle_beacon()`, so it is ON."
    rules = Step(0, "system", f"Be kind. Please mind that the beacon is free. {rule}")
    told = trace(rules, user("I am abroad, and nobody sees my boat."), LOOK, OFF, OVER)
    found = over(told, BEACON)
    assert found is not None and quoted(told, found)["a way"] == rule
    untold = trace(rules, user("Nobody sees my boat."), LOOK, OFF, OVER)
    assert over(untold, BEACON) is None, "whether it is so for this user is not said"
    assert "toggle_beacon, which was expected, is never called" in pointer(untold, BEACON)
    wet = Step(0, "system", rules.message.replace("outside their home waters", "a wooden boat"))
    assert over(trace(wet, user("Nobody sees my boat."), LOOK, OFF, OVER), BEACON) is None
    assert over(trace(wet, user("I was sailing, and am lost."), LOOK, OFF, OVER), BEACON) is not None


def test_of_a_long_reason_the_sentence_is_shown_that_says_why_from_its_start() -> None:
    why = "It is handed over because the hall is full and the line is long, since it is a day of rest"
    run = trace(ASKED, LOOK, handing(f"The user wants it done by noon. {why}, and so on. Thank you."))
    found = over(run, CANCEL)
    assert found is not None and quoted(run, found)["handed over"].startswith("It is handed over because")


def test_a_reason_that_says_what_is_not_may_be_made_up() -> None:
    lacks = "The user wants it done by noon. The harbour lacks a record of the tides."
    assert over(trace(ASKED, LOOK, handing(lacks)), CANCEL) is None
    assert pointer(trace(ASKED, LOOK, handing(lacks)), CANCEL).endswith(
        "but it says “The harbour lacks a record of the tides.”: is that shown anywhere, or made up?"
    )
    glad = handing("The user is not content. Somebody else should look.")
    assert over(trace(ASKED, LOOK, glad), CANCEL) is not None, "that is said of the user"


def test_what_is_asked_for_is_not_cut_before_the_words_that_narrow_it() -> None:
    which = "that are for a whole day on the water or for more than a night"
    long = f"Hello there, and good day to you and to all of yours, could you cancel my reservations {which}?"
    mine = call("get_user", {"user": "u1"}, '{"reservations": ["R77777", "R88888", "R99999"]}')
    run = trace(user(long), mine, LOOK, handing("Somebody else should look."))
    found = over(run, failed(("cancel_reservation", {"reservation_id": "R99999"})))
    assert found is not None
    assert quoted(run, found)["asked"] == f"could you cancel my reservations {which}?"
    longer = long.replace("a night", "a night in a harbour of the south or of the far and rainy north of it")
    run = trace(user(longer), mine, LOOK, handing("Somebody else should look."))
    assert over(run, failed(("cancel_reservation", {"reservation_id": "R99999"}))) is None


def test_only_the_last_report_counts_and_only_against_a_rule() -> None:
    on = user("Now it says: beacon enabled: yes.")
    assert over(trace(RULES, OFF, LOOK, on, OVER), BEACON) is None, "it was on by then"
    assert over(trace(OFF, LOOK, OVER), BEACON) is None, "no rule names it"
    assert over(trace(RULES, user("It is dark."), LOOK, OVER), BEACON) is None, "nobody looked"
    other = call("enable_beacon", {"boat": "B1"}, "done")
    taken = trace(RULES, OFF, other, OVER)
    assert over(taken, BEACON) is None
    assert "enable_beacon (step 3) may have been taken for it" in pointer(taken, BEACON)


def test_a_switch_of_one_thing_is_told_by_the_record_of_that_thing() -> None:
    rules = Step(
        0, "system", "You should enable the beacon of a boat at sea. It is free: it must be enabled."
    )
    lines = '[{"boat_id": "B11", "beacon_enabled": true}, {"boat_id": "B22", "beacon_enabled": false}]'
    run = trace(rules, call("get_boats", {}, lines), user("Beacon: on."), OVER)
    found = over(run, failed(("enable_beacon", {"boat_id": "B22"})))
    assert found is not None
    assert quoted(run, found)["still off"] == '{"boat_id": "B22", "beacon_enabled": false}'
    assert over(run, failed(("enable_beacon", {"boat_id": "B11"}))) is None


def test_what_the_user_asked_for_and_nobody_tried_was_left_too_early() -> None:
    run = trace(ASKED, LOOK, handing("This may take a while, somebody else should look."))
    found = over(run, CANCEL)
    assert found is not None and found.step == 3
    assert found.says.startswith("premature stop: cancelling the reservation was never tried;")
    assert found.says.endswith("after get_reservation (2) it hands over (3)")
    assert quoted(run, found) == {
        "asked": "Could you cancel my reservation R77777, please?",
        "handed over": "This may take a while, somebody else should look.",
    }
    for vague in (
        "I need help with a booking.",
        "Do not cancel it yet.",
        "Are you looking to cancel something?",
    ):
        assert over(trace(user(vague), LOOK, handing("Somebody else should look.")), CANCEL) is None


def test_a_hand_over_for_a_reason_is_a_pointer_with_that_reason() -> None:
    policy = trace(ASKED, LOOK, handing("It is too late. Cancelling is not allowed after a day."))
    assert over(policy, CANCEL) is None
    assert "cancel_reservation on R77777, which was expected, is never called; but its reason" in pointer(
        policy, CANCEL
    )
    said = trace(
        ASKED, LOOK, says("Our policy has no room for this."), handing("Somebody should look at it.")
    )
    assert over(said, CANCEL) is None and "Our policy has no room" in pointer(said, CANCEL)
    wish = trace(
        ASKED, LOOK, user("Let me speak to your manager."), handing("The user is not content with it.")
    )
    assert over(wish, CANCEL) is None and "the user asks for a person (step 3)" in pointer(wish, CANCEL)
    none = trace(ASKED, LOOK, handing("There are no available seats on that day."))
    assert over(none, CANCEL) is None and "nothing to be had" in pointer(none, CANCEL)
    down = call("get_reservation", {"reservation_id": "R77777"}, "Error: 503 Service Unavailable", error=True)
    fault = trace(ASKED, down, down, handing("Somebody else should look at this."))
    assert over(fault, CANCEL) is None and "failed for good before (step 2: Error: 503" in pointer(
        fault, CANCEL
    )
    assert over(trace(ASKED, down, LOOK, handing("Somebody else should look.")), CANCEL) is not None, (
        "it came back"
    )
    lost = call("find_user", {"name": "X"}, "Error: user not found", error=True)
    assert over(trace(ASKED, lost, handing("Somebody else should look.")), CANCEL) is None


def test_a_hand_over_that_was_expected_or_left_nothing_open_says_nothing() -> None:
    wanted: tuple[str, dict[str, Json]] = ("transfer_to_human_agents", {"summary": "other words"})
    both = failed(("cancel_reservation", {"reservation_id": "R77777"}), wanted)
    assert over(trace(ASKED, LOOK, handing("Somebody else should look.")), both) is None
    done = call("cancel_reservation", {"reservation_id": "R77777"}, "ok")
    assert over(trace(ASKED, done, handing("Somebody else should look.")), CANCEL) is None


def test_a_goal_that_the_user_named_and_the_agent_never_took_up_was_dropped() -> None:
    run = trace(ASKED, LOOK, says("Thank you, and good luck with your plans."), user("Bye."))
    found = left(run, CANCEL)
    assert found is not None and found.step == 3
    assert found.says.endswith("was never tried; it ends (3) after get_reservation (2)")
    assert quoted(run, found) == {
        "asked": "Could you cancel my reservation R77777, please?",
        "ended": "Thank you, and good luck with your plans.",
    }


def test_what_speaks_against_a_dropped_goal_makes_it_a_pointer() -> None:
    bye = says("Thank you, and good luck with your plans.")
    no = says("I am sorry, I am unable to cancel this one. It cannot be cancelled after a day.")
    assert left(trace(ASKED, LOOK, no, bye), CANCEL) is None
    assert "the agent had declined (step 3" in pointer(trace(ASKED, LOOK, no, bye), CANCEL)
    asks = trace(ASKED, LOOK, says("Shall I cancel it now? Please confirm."), user("Yes. Bye."))
    assert left(asks, CANCEL) is None and "left in one message (step 4)" in pointer(asks, CANCEL)
    claim = trace(ASKED, LOOK, says("Your reservation was successfully cancelled."))
    assert left(claim, CANCEL) is None and "the last words claim the whole" in pointer(claim, CANCEL), (
        "it is a claim"
    )
    vague = trace(user("I have a question."), LOOK, bye)
    assert left(vague, CANCEL) is None and "never asks for it in so many words" in pointer(vague, CANCEL)
    down = call("get_reservation", {"reservation_id": "R77777"}, "Error: 503 Service Unavailable", error=True)
    shut = trace(ASKED, LOOK, down, bye)
    assert left(shut, CANCEL) is None and "failed for good (step 3" in pointer(shut, CANCEL)
    another = call("cancel_reservation", {"reservation_id": "R88888"}, "ok")
    unnamed = trace(user("Please cancel my reservation."), another, bye)
    assert left(unnamed, CANCEL) is None, "one was cancelled, and which one was meant is not said"


def test_what_could_still_have_been_looked_at_is_shown_where_it_hands_over() -> None:
    two = user("Please cancel every reservation of mine that is for the sea.")
    mine = call("get_user", {"user": "u1"}, '{"reservations": ["R77777", "R88888", "R99999"]}')
    over_ = handing("Somebody else should look at the list.")
    due = ("cancel_reservation", {"reservation_id": "R99999"})
    run = trace(two, mine, LOOK, over_)
    found = over(run, failed(due))
    assert found is not None and found.says.endswith("it hands over with R88888 and R99999 unopened (4)")
    assert quoted(run, found)["listed"] == '"reservations": ["R77777", "R88888", "R99999"]'
    assert over(run, failed(("cancel_reservation", {"reservation_id": "R77777"}))) is None, "that was opened"
    rest = [call("get_reservation", {"reservation_id": one}, "{}") for one in ("R88888", "R99999")]
    seen = trace(two, mine, LOOK, *rest, over_)
    assert over(seen, failed(due)) is None, "all were opened: what it could still have done is not shown"


def test_who_asks_to_escalate_or_went_wrong_before_is_not_left_too_early() -> None:
    wish = trace(ASKED, LOOK, user("Can you escalate this?"), handing("The user wants it to be escalated."))
    assert over(wish, CANCEL) is None and "the user asks for a person (step 3)" in pointer(wish, CANCEL)
    boat = call("get_boat", {"id": "B1111"}, '{"boat_id": "B1111", "phone": "555-010-2001"}')
    paid = call("pay_fee", {"boat_id": "B1111"}, "done")
    mine = user("My number is 555-010-2002. Could you cancel my reservation R77777, please?")
    run = trace(mine, boat, paid, handing("Somebody else should look."))
    assert over(run, CANCEL) is None, "the fee of another boat was paid before"
    assert "B1111 has 555-010-2001; but missing is cancel_reservation on R77777" in pointer(run, CANCEL)
    assert over(trace(mine, boat, handing("Somebody else should look.")), CANCEL) is not None


def test_an_error_that_was_never_put_right_comes_before_a_dropped_goal() -> None:
    bye = says("Thank you, and good luck with your plans.")
    bad = call("get_reservation", {"reservation_id": 7}, "Error: reservation_id must be a string", error=True)
    assert left(trace(ASKED, bad, bye), CANCEL) is None
    assert left(trace(ASKED, bad, LOOK, bye), CANCEL) is not None, "it was put right"
