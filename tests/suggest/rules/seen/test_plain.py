"""The name of a tool in plain words, where its verb is known."""

from __future__ import annotations

from reviewer.suggest.rules.seen.plain import doing, done


def test_a_name_of_a_verb_and_a_thing_is_said_in_plain_words() -> None:
    assert done("modify_pending_order_items") == "the items were changed"
    assert done("change_home_address") == "the address was changed"
    assert doing("cancelOrder") == "cancelling the order"
    assert (done("shop.enable_roaming"), doing("pay")) == ("roaming was enabled", "paying")


def test_any_other_name_stands_as_it_is() -> None:
    assert done("str_replace_editor") == "str_replace_editor was called"
    assert doing("calendar_create_event") == "calendar_create_event"
    assert done("") == " was called" and doing("___") == "___"
