"""Expected calls beside those made: a signal takes the user's word, a pointer tells that the user agreed."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.expected_calls import out_of_order, wrong_value
from reviewer.trace import Json, Outcome, Step, Trace
from tests.suggest.rules.expected import failed, pointer, quoted
from tests.traces import call, says, trace, user

ORDER = {"order_id": "#W1234", "item_ids": ["i11", "i22"], "new_item_ids": ["n11", "n22"]}
WANT = ("exchange_items", dict(ORDER))
LAMPS = (
    '{"variants": {"n2222": {"item_id": "n2222", "options": {"shade": "linen", "foot": "oak"}, "price": 40},'
    ' "n3333": {"item_id": "n3333", "options": {"shade": "linen", "foot": "brass"}, "price": 44}}}'
)
SEEN = call("get_product", {"product_id": "p1"}, LAMPS)
OAK = ("swap_lamp", {"order_id": "#W1234", "new_item_ids": ["n2222"]})
BRASS = call("swap_lamp", {"order_id": "#W1234", "new_item_ids": ["n3333"]}, '{"status": "swapped"}')


def made(**given: Json) -> Step:
    return call("exchange_items", {**ORDER, **given}, "ok")


def wrong(one: Trace, *outcomes: Outcome) -> Fired | None:
    return wrong_value(Scene.of(one, outcomes))


def test_a_run_that_its_grader_calls_good_gets_neither_suggestion_nor_pointer() -> None:
    run = trace(user("Please swap in the lamp n2222."), SEEN, BRASS, says("It may come on Monday."))
    good: Json = {"components": {"base_success": 1.0, "efficiency_penalty": -0.2}}
    data: Json = {"reward_info": {"db_check": {"db_match": True}}}
    for outcome in (
        failed(OAK, detail=good, passed=None),
        failed(OAK, passed=None),
        failed(OAK, detail=data),
    ):
        assert wrong(run, outcome) is None and pointer(run, outcome) == ""
    assert wrong(run, failed(OAK)) is not None


def test_an_option_that_the_user_had_named_stands_beside_the_one_that_was_given() -> None:
    run = trace(user("Hello. I want a lamp with an oak foot. It is for my desk."), SEEN, BRASS)
    found = wrong(run, failed(OAK))
    assert found is not None and found.step == 3 and "n2222" not in found.says
    assert found.says == "wrong value: foot oak was asked for, brass was given (3)" and not found.but
    assert quoted(run, found) == {
        "asked": "I want a lamp with an oak foot.",
        "the one given is": LAMPS[LAMPS.index('{"item_id": "n3333"') : -2],
        "given": '"new_item_ids":["n3333"]',
    }


def test_what_the_user_named_or_agreed_to_is_no_misuse_whatever_was_expected() -> None:
    oak = user("I want a lamp with an oak foot.")
    for said in ("Make it the brass one.", "Give me n3333, please."):
        run = trace(oak, SEEN, user(said), BRASS)
        assert wrong(run, failed(OAK)) is None
        assert pointer(run, failed(OAK)).startswith(
            "4: swap_lamp: foot oak expected, brass given; the user had named"
        )
    offer = says("There is one with a brass foot left (n3333). Shall I order it?")
    run = trace(oak, SEEN, offer, user("Yes, go ahead."), BRASS)
    assert wrong(run, failed(OAK)) is None and "the user had agreed to it (step 4)" in pointer(
        run, failed(OAK)
    )
    refused = user("I do not want the oak foot, nor any metal.")
    assert wrong(trace(refused, SEEN, BRASS), failed(OAK)) is None, "it was named to be ruled out"


def test_a_thing_that_belongs_to_another_number_than_the_users_is_the_wrong_one() -> None:
    line = call("get_line", {"id": "L1001"}, '{"line_id": "L1001", "phone_number": "555-010-2001"}')
    on = call("enable_roaming", {"line_id": "L1001"}, "Roaming is on")
    want = failed(("enable_roaming", {"line_id": "L1002"}))
    run = trace(user("My number is 555-010-2002."), line, on)
    found = wrong(run, want)
    assert found is not None and found.step == 3 and not found.but
    assert found.says == (
        "wrong value: roaming was enabled for L1001 (3), whose phone number ends in 2001; "
        "the user's ends in 2002"
    )
    assert quoted(run, found) == {
        "user gave": "My number is 555-010-2002.",
        "L1001 is": '{"line_id": "L1001", "phone_number": "555-010-2001"}',
        "enable_roaming got": '"line_id":"L1001"',
    }
    far = trace(user("My number is 555-091-2001."), line, on)
    apart = wrong(far, want)
    assert apart is not None and apart.says.endswith(
        "whose phone number is 555-010-2001; the user's is 555-091-2001"
    ), "they end alike"
    assert wrong(trace(user("My number is 555-010-2001."), line, on), want) is None
    both = user("My number is 555-010-2002, my son's 555-010-2003.")
    assert wrong(trace(both, line, on), want) is None, "two numbers: whose line it is does not follow"
    bad = call("enable_roaming", {"line_id": "L1001"}, "Error: Line is closed", error=True)
    shut = trace(user("My number is 555-010-2002."), line, bad)
    assert wrong(shut, want) is None, "that did no harm"
    assert pointer(shut, want).endswith("enable_roaming is refused there: is it the wrong one?")


def test_the_step_is_the_first_that_did_something_to_the_wrong_thing_and_no_look() -> None:
    listed = call("get_customer", {"phone": "555-010-2002"}, '{"id": "C1", "line_ids": ["L1001", "L1002"]}')
    line = call("get_line", {"id": "L1001"}, '{"line_id": "L1001", "phone_number": "555-010-2001"}')
    on = call("enable_roaming", {"line_id": "L1001"}, "done")
    want = failed(("enable_roaming", {"line_id": "L1002"}))
    number = user("My number is 555-010-2002.")
    over = call("transfer_to_human", {"summary": "It still does not work."}, "done")
    found = wrong(trace(number, listed, line, says("One moment."), on, over), want)
    assert found is not None and found.step == 5 and not found.but
    woken = call("resume_line", {"line_id": "L1001"}, "done")
    before = wrong(trace(number, listed, line, woken, on), want)
    assert before is not None and before.step == 4
    assert before.says.startswith("wrong value: L1001 was resumed (4), whose phone number ends in 2001;")


def test_another_thing_is_given_instead_only_where_the_last_words_asked_for_this_one() -> None:
    other = call("cancel_order", {"order_id": "#W9999"}, "ok")
    want = failed(("cancel_order", {"order_id": "#W1234"}))
    run = trace(user("Hello."), user("Please cancel order #W1234."), other)
    found = wrong(run, want)
    assert (
        found is not None and found.says == "wrong value: order id #W1234 was asked for, #W9999 was given (3)"
    )
    assert quoted(run, found) == {"asked": "Please cancel order #W1234.", "given": '"order_id":"#W9999"'}
    moved_on = trace(
        user("Please cancel order #W1234."), says("It is too late."), user("And the lamp?"), other
    )
    assert wrong(moved_on, want) is None
    about = trace(user("Send me a voucher for order #W1234."), other)
    assert wrong(about, want) is None


MOVED = ("change_address", {"order_id": "#W1234", "street": "Elm 5"})
ITEMS = ("change_items", {"order_id": "#W1234"})
CHANGED = call("change_items", {"order_id": "#W1234"}, '{"status": "changed once"}')
SHUT = call("change_address", dict(MOVED[1]), "Error: the order cannot be changed", error=True)
RULE = Step(
    0,
    "system",
    "Be kind. You can only change what is new; then you will not be able to change it anymore. Be careful.",
)


def test_two_requests_of_which_the_first_done_shuts_out_the_other() -> None:
    run = trace(RULE, user("Change the lamp, and change the address of it too."), CHANGED, SHUT)
    found = out_of_order(Scene.of(run, [failed(MOVED, ITEMS)]))
    assert found is not None and found.step == 3 and not found.but
    assert quoted(run, found) == {
        "the rule": "you will not be able to change it anymore",
        "became": "changed once",
        "then refused": "Error: the order cannot be changed",
    }
    assert found.says == (
        "wrong order: the items were changed first (3), so the address could not be changed (4)"
    )
    untold = trace(*run.steps[1:])
    assert out_of_order(Scene.of(untold, [failed(MOVED, ITEMS)])) is None, "no rule says so"


def test_where_only_the_second_was_expected_no_order_may_have_done_for_both() -> None:
    run = trace(RULE, user("Change the lamp, and change the address of it too."), CHANGED, SHUT)
    assert out_of_order(Scene.of(run, [failed(MOVED)])) is None
    assert pointer(run, failed(MOVED)) == "4: change_address on #W1234 was expected, and is refused there"


def test_who_asks_for_the_second_only_after_the_first_was_done_is_not_served_in_the_wrong_order() -> None:
    late = trace(RULE, user("The other lamp."), CHANGED, user("Now please change the address."), SHUT)
    assert out_of_order(Scene.of(late, [failed(MOVED, ITEMS)])) is None
