"""What the user asked for, named and agreed to; the task speaks only where no user does."""

from __future__ import annotations

from reviewer.suggest.rules.seen.consent import agreed, asked_for, named
from reviewer.suggest.rules.seen.scene import Scene
from tests.traces import says, trace, user


def test_what_a_user_names_asks_for_and_agrees_to() -> None:
    run = Scene.of(
        trace(
            user("I'd like to pay with my gift card. The total was 4, was it not?"),
            says("Then gift_card_12 it is, 40 in all?"),
            user("Sure, thanks."),
            says("And the address?"),
            user("Could you change the address without a fee? I would like to change my home address."),
        )
    )
    card = named(run, ["gift_card"], 6)
    assert card is not None and (card.n, card.quote) == (1, "I'd like to pay with my gift card.")
    assert named(run, ["4", "no"], 6) is None, "too short to be told from other words"
    yes = agreed(run, ["gift_card_12"], 6)
    assert (
        yes is not None and (yes.n, yes.how) == (3, "agreed to") and agreed(run, ["gift_card_13"], 6) is None
    )
    late = Scene.of(trace(says("By gift_card_12?"), user("Which?"), says("The blue one."), user("Yes.")))
    assert agreed(late, ["gift_card_12"], 5) is None, "a yes answers what was said last"
    asked = asked_for(run, "modify_user_address", 6)
    assert asked is not None and asked.quote == "I would like to change my home address."
    assert asked_for(run, "cancel_order", 6) is None


def test_the_task_speaks_for_the_user_only_where_no_user_does() -> None:
    alone = Scene.of(trace(says("So."), task="Please cancel the hose."))
    found = asked_for(alone, "cancel_order", 1)
    assert found is not None and found.n == 0
    told = Scene.of(trace(user("Hello."), says("So."), task="Please cancel the hose."))
    assert asked_for(told, "cancel_order", 2) is None, "that is what the user's side was told"
