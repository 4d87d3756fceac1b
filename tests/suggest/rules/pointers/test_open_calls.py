"""An expected call that was not made so is where to begin; what differs only in form is none."""

from __future__ import annotations

from dataclasses import replace

from reviewer.facts import compared
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.expected_calls import wrong_value
from reviewer.trace import Json, Step
from tests.suggest.rules.expected import actions, failed, pointer
from tests.traces import call, says, trace, user

ORDER = {"order_id": "#W1234", "item_ids": ["i11", "i22"], "new_item_ids": ["n11", "n22"]}
ASKED = user("Please exchange the two shirts, n11 and n22, of order #W1234.")
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


def test_ids_in_another_order_are_no_difference_while_old_and_new_still_belong_together() -> None:
    turned = made(item_ids=["i22", "i11"], new_item_ids=["n22", "n11"])
    run = trace(ASKED, turned, says("It may come on Monday."))
    assert pointer(run, failed(WANT)) == ""
    crossed = trace(ASKED, made(item_ids=["i22", "i11"]), says("It may come on Monday."))
    assert pointer(crossed, failed(WANT)).startswith("2: exchange_items")
    state = failed(WANT)
    final = actions(("exchange_items", {**ORDER, "item_ids": ["i22", "i11"], "new_item_ids": ["n22", "n11"]}))
    (same,) = compared([replace(state, final_state=final)], run)
    assert same.same, "nor is it one on the summary page"


def test_a_difference_that_nobody_spoke_of_becomes_a_pointer() -> None:
    run = trace(user("A lamp, please."), SEEN, BRASS)
    assert wrong_value(Scene.of(run, [failed(OAK)])) is None
    assert pointer(run, failed(OAK)) == "3: swap_lamp: foot oak expected, brass given"


def test_what_an_item_holds_beyond_the_expected_is_no_difference() -> None:
    want: dict[str, Json] = {"flights": [{"number": "HAT001"}]}
    run = trace(call("book_flight", {"flights": [{"number": "HAT001", "origin": "JFK"}]}, "ok"), says("So."))
    assert pointer(run, failed(("book_flight", want))) == ""
    both = {"flights": [{"number": "HAT001"}, {"number": "HAT002"}]}
    given = {"flights": [{"number": "HAT001", "origin": "JFK"}, {"number": "HAT003", "origin": "ORD"}]}
    two = trace(call("book_flight", given, "ok"), says("So."))
    assert (
        pointer(two, failed(("book_flight", both))) == "1: book_flight: number HAT002 expected, HAT003 given"
    )


def test_values_of_any_depth_and_length_are_compared_within_bounds() -> None:
    deep: Json = "x77"
    for _ in range(3000):
        deep = [deep]
    run = trace(user("Yes."), call("swap", {"a": deep, "item_ids": [deep, *range(3000)]}, "ok"), says("So."))
    told = pointer(run, failed(("swap", {"a": [deep, 1], "item_ids": ["x", *range(3000)]})))
    assert told.startswith("2: swap: ") and len(told) < 300
