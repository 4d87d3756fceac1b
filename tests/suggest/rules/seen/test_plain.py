"""The name of a tool in plain words, where its verb is known."""

from __future__ import annotations

from reviewer.suggest.rules.seen.plain import barred, doing, done, done_to


def test_a_name_of_a_verb_and_a_thing_is_said_in_plain_words() -> None:
    assert done("modify_pending_order_items") == "the items were changed"
    assert done("change_home_address") == "the address was changed"
    assert doing("cancelOrder") == "cancelling the order"
    assert (done("shop.enable_roaming"), doing("pay")) == ("roaming was enabled", "paying")
    assert barred("modify_order_address") == "the address could not be changed"
    assert barred("cancel_order", "could no longer be") == "the order could no longer be cancelled"
    assert done_to("enable_roaming", "line_id", "L1") == "roaming was enabled for L1"
    assert done_to("resume_line", "line_id", "L1") == "L1 was resumed"


def test_any_other_name_stands_as_it_is() -> None:
    assert done("str_replace_editor") == "str_replace_editor was called"
    assert doing("calendar_create_event") == "calendar_create_event"
    assert done("") == " was called" and doing("___") == "___"
    assert (barred("look_up"), done_to("look_up", "", "L1")) == (
        "look_up could not be called",
        "look_up was called for L1",
    )
