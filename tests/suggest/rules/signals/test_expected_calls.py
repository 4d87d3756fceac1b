"""Expected calls beside those made: a signal takes the user's word, a pointer tells that the user agreed."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.expected_calls import extra_call, out_of_order, refused_call, wrong_value
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
    run = trace(user("The lamp with the oak foot, please."), SEEN, BRASS, says("It may come on Monday."))
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
        "what was given": '{"item_id": "n3333", "options": {"shade": "linen", "foot": "brass"}, "price": 44}',
        "wanted": '{"item_id": "n2222", "options": {"shade": "linen", "foot": "oak"}, "price": 40}',
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
    other = says("I can order one. Shall I?")
    assert wrong(trace(oak, SEEN, other, user("Yes, go ahead."), BRASS), failed(OAK)) is not None, (
        "to no value"
    )
    refused = user("I do not want the oak foot, nor any metal.")
    assert wrong(trace(refused, SEEN, BRASS), failed(OAK)) is None, "it was named to be ruled out"


def test_of_a_list_what_is_missing_is_shown_where_the_user_asked_for_it() -> None:
    items = '{"items": [{"name": "Kettle", "item_id": "k11111"}, {"name": "Toaster", "item_id": "t22222"}]}'
    look = call("get_order", {"order_id": "#W1"}, items)
    sent = call("return_items", {"order_id": "#W1", "item_ids": ["k11111"]}, "ok")
    want = failed(("return_items", {"order_id": "#W1", "item_ids": ["k11111", "t22222"]}))
    run = trace(look, user("Return the kettle and the toaster."), sent)
    found = wrong(run, want)
    assert found is not None and "Toaster was asked for, and is missing in item_ids (3)" in found.says
    assert quoted(run, found) == {
        "missing": '{"name": "Toaster", "item_id": "t22222"}',
        "asked": "Return the kettle and the toaster.",
        "given": '"item_ids":["k11111"]',
    }
    less = [says("So the kettle (Kettle, k11111) goes back?"), user("Yes, just that."), sent]
    assert wrong(trace(look, user("Return the kettle and the toaster."), *less), want) is None
    only = trace(look, user("Return the kettle."), sent)
    assert wrong(only, want) is None and "1 of the 2 item_ids missing" in pointer(only, want)


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
    assert refused_call(Scene.of(shut, [want])) is None, "that did no harm"
    assert pointer(shut, want).endswith("enable_roaming is refused there: is it the wrong one?")
    spare = trace(user("My number is 555-010-2002."), line, on, call("pay", {"bill": "b1"}, "ok"))
    paid = failed(("pay", {"bill": "b1"}))
    extra = extra_call(Scene.of(spare, [paid]))
    assert extra is not None and extra.step == 3 and extra.says.endswith("the user's ends in 2002")
    unpaid = trace(user("My number is 555-010-2002."), line, on)
    assert extra_call(Scene.of(unpaid, [paid])) is None, "what the grader missed is another thing"
    assert "L1001 has 555-010-2001; but missing is pay: did it fail for that?" in pointer(unpaid, paid)


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
    assert found is not None and "the order id given is not the one asked for (3)" in found.says
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
BARE = call("change_items", {"order_id": "#W1234"}, "ok")
SHUT = call("change_address", dict(MOVED[1]), "Error: the order cannot be changed", error=True)
RULE = Step(0, "system", "Be kind.\nA change of items can only be called once. Be careful.")


def test_two_requests_of_which_the_first_done_shuts_out_the_other() -> None:
    run = trace(RULE, user("Change the lamp, and change the address of it too."), CHANGED, SHUT)
    found = out_of_order(Scene.of(run, [failed(MOVED, ITEMS)]))
    assert found is not None and found.step == 3 and not found.but
    assert quoted(run, found) == {
        "the rule": "A change of items can only be called once.",
        "became": '"status": "changed once"',
        "then refused": "Error: the order cannot be changed",
    }
    assert found.says == (
        "wrong order: the items were changed first (3); then the address could no longer be changed (4)"
    )
    untold = trace(*run.steps[1:])
    assert out_of_order(Scene.of(untold, [failed(MOVED, ITEMS)])) is None, "no rule says so"


def test_where_only_the_second_was_expected_no_order_may_have_done_for_both() -> None:
    run = trace(RULE, user("Change the lamp, and change the address of it too."), CHANGED, SHUT)
    assert out_of_order(Scene.of(run, [failed(MOVED)])) is None
    assert pointer(run, failed(MOVED)) == (
        "3: change_items goes through there, and change_address on #W1234 is refused after it (4); "
        "both were asked for: could both be done at all?"
    )


def test_the_state_that_a_rule_wants_is_quoted_for_the_call_that_was_refused() -> None:
    rule = Step(
        0, "system", "Be kind.\n- An address can only be changed if its order is new, and you check it."
    )
    run = trace(rule, user("Change the lamp, and change the address of it too."), BARE, SHUT)
    found = out_of_order(Scene.of(run, [failed(MOVED, ITEMS)]))
    assert found is not None
    assert quoted(run, found)["the rule"] == "An address can only be changed if its order is new"


def test_a_value_of_the_users_own_choice_would_have_failed_the_run_in_any_order() -> None:
    want = [MOVED, ("change_items", {"order_id": "#W1234", "payment": "paypal_77777"})]
    card = call("change_items", {"order_id": "#W1234", "payment": "card_55555"}, '{"status": "changed once"}')
    asked = user("Change the lamp, and change the address of it too.")
    named = trace(RULE, asked, user("I pay with card_55555."), card, SHUT)
    assert out_of_order(Scene.of(named, [failed(*want)])) is None
    assert "perhaps the task or its simulated user" in pointer(named, failed(*want))
    assert out_of_order(Scene.of(trace(RULE, asked, card, SHUT), [failed(*want)])) is not None


def test_a_part_that_was_never_tried_is_told_and_one_that_nobody_asked_for_fails_the_run_anyway() -> None:
    parts = failed(MOVED, ITEMS, ("cancel_trip", {"trip_id": "t777"}))
    asked = user("Change the lamp, and change the address of it too.")
    assert out_of_order(Scene.of(trace(RULE, asked, CHANGED, SHUT), [parts])) is None
    trip = user("Please cancel my trip as well.")
    found = out_of_order(Scene.of(trace(RULE, asked, trip, CHANGED, SHUT), [parts]))
    assert found is not None
    assert found.but == "cancelling the trip, asked for at 3, was never tried"


def test_who_asks_for_the_second_only_after_the_first_was_done_is_not_served_in_the_wrong_order() -> None:
    late = trace(user("The other lamp."), CHANGED, user("Now please change the address."), SHUT)
    assert out_of_order(Scene.of(late, [failed(MOVED)])) is None
    assert "asked for only at step 3, after what shut it out (step 2)" in pointer(late, failed(MOVED))


def test_an_extra_call_needs_the_users_no() -> None:
    cancel = call("cancel_order", {"order_id": "#W9999"}, '{"status": "cancelled"}')
    asked, thanks = user("Please cancel the hose."), says("Order #W9999 is cancelled.")
    fine = trace(asked, cancel, thanks, user("Thank you."), made())
    assert extra_call(Scene.of(fine, [failed(WANT)])) is None
    assert pointer(fine, failed(WANT)) == "2: cancel_order goes through there, which was not expected"
    cross = trace(
        asked, cancel, thanks, user("But I only wanted to lose the hose, not the entire order!"), made()
    )
    found = extra_call(Scene.of(cross, [failed(WANT)]))
    assert found is not None and quoted(cross, found) == {
        "asked": "Please cancel the hose.",
        "done": '"status": "cancelled"',
        "user objected": "But I only wanted to lose the hose, not the entire order!",
    }
    assert found.says.startswith("wrong tool: the order was cancelled (2), which is not what the user had")
    named = user("I only wanted to cancel #W1111!")
    other = extra_call(Scene.of(trace(asked, cancel, thanks, named, made()), [failed(WANT)]))
    assert other is not None and other.says.startswith("wrong value: ")
    no = user("Do not cancel anything yet.")
    barred = extra_call(Scene.of(trace(no, cancel, thanks, made()), [failed(WANT)]))
    assert barred is not None and "which the user had ruled out" in barred.says
    came_round = trace(no, says("Shall I cancel #W9999?"), user("Yes, do."), cancel, made())
    assert extra_call(Scene.of(came_round, [failed(WANT)])) is None
    twice = trace(asked, made(), made())
    assert "a second time, the same" in pointer(twice, failed(WANT))


def test_of_the_rules_the_one_that_shuts_out_is_quoted() -> None:
    strong = Step(
        0, "system", "A change of items can only be called once.\n## Change items\n- It is done once. "
        "Then you will not be able to move the order anymore. Be careful.\n## Return\n- Money comes back.",
    )  # fmt: skip
    run = trace(strong, user("Change the lamp, and change the address of it too."), BARE, SHUT)
    found = out_of_order(Scene.of(run, [failed(MOVED, ITEMS)]))
    assert found is not None
    assert quoted(run, found)["the rule"] == "will not be able to move the order anymore"


def test_what_the_agent_had_offered_before_may_be_made_up_there() -> None:
    asked = user("Please cancel the hose.")
    offer = says("It can be cancelled. Would you like me to cancel the hose?")
    cancel = call("cancel_order", {"order_id": "#W9999"}, '{"status": "cancelled"}')
    cross = user("I only wanted to lose the hose, not the entire order!")
    want = failed(WANT)
    assert extra_call(Scene.of(trace(asked, cancel, cross, made()), [want])) is not None
    run = trace(asked, offer, user("Yes."), cancel, cross, made())
    assert extra_call(Scene.of(run, [want])) is None
    assert pointer(run, want) == (
        "2: it asks there: “Would you like me to cancel the hose?”; "
        "cancel_order (4) followed, and the user objected (5): was the offer true?"
    )
    back = call("reopen_order", {"order_id": "#W9999"}, "ok")
    undone = trace(asked, cancel, cross, back, made())
    assert extra_call(Scene.of(undone, [want])) is None, "it may not have stayed so"
