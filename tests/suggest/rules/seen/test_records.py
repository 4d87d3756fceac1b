"""Of a text the part that says it, word for word: never cut before it, and short enough to be read."""

from __future__ import annotations

import json

from reviewer.suggest.rules.seen.consent import agreed, asked_for, named
from reviewer.suggest.rules.seen.records import LONGEST, clipped, last_words, record, sentence
from reviewer.suggest.rules.seen.scene import Scene
from tests.traces import call, says, trace, user


def test_the_smallest_object_that_names_a_value_is_its_record() -> None:
    inner = {"item_id": "x77", "options": {"foot": "oak"}, "on": True, "left": None, "tags": ["a"]}
    text = json.dumps({"x77": inner, "items": ["x77"], "note": "x77 is {new"})
    run = Scene.of(trace(call("get", {}, text), call("get", {}, "x77 is not here {"), says("So.")))
    found = record(run, "x77", 3)
    assert found is not None and found.step == 1 and found.text == json.dumps(inner)
    assert found.leaves == {"item_id": "x77", "foot": "oak", "on": "true"}
    outer = json.dumps({"best": "x77", "list": [inner], "more": {"id": "x77", "n": 1}})
    least = record(Scene.of(trace(call("get", {}, outer), says("So."))), "x77", 2)
    assert least is not None and least.text == '{"id": "x77", "n": 1}'
    assert record(run, "x77", 1) is None and record(run, "x78", 3) is None and record(run, 7, 3) is None


def test_of_a_long_record_the_part_between_the_two_values_is_quoted() -> None:
    filler = {f"k{n}": "v" * 30 for n in range(9)}
    near = json.dumps(
        {**filler, "id": "x77", "a": "b", "foot": "oak", **{f"m{n}": "w" * 30 for n in range(9)}}
    )
    far = json.dumps({"id": "x88", **filler, "foot": "elm"})
    run = Scene.of(trace(call("get", {}, near), call("get", {}, far), says("So.")))
    close, apart = record(run, "x77", 3), record(run, "x88", 3)
    assert close is not None and close.quote("id", "foot") == '"id": "x77", "a": "b", "foot": "oak"'
    assert apart is not None and apart.quote("id", "foot") == '"foot": "elm"'
    assert len(close.quote("nothing")) <= LONGEST


def test_a_sentence_is_cut_at_its_ends_and_a_long_one_at_blanks() -> None:
    text = "Hello. I want the red one, at 4.50 each! Thanks.\nBye"
    assert sentence(text, text.index("red")) == "I want the red one, at 4.50 each!"
    assert sentence(text, 0) == "Hello." and sentence(text, len(text) - 1) == "Bye"
    long = " ".join(f"word{n}" for n in range(300))
    at = long.index("word150")
    quote = sentence(long, at)
    assert "word150" in quote and len(quote) <= LONGEST and f" {quote} " in f" {long} "
    assert clipped("x" * 999, 0) == "x" * LONGEST


def test_the_end_of_a_reason_is_kept_as_that_is_where_the_reason_stands() -> None:
    text = "Filler words go here. " * 20 + "All steps were taken, and nothing helped the user at all."
    assert last_words(text).endswith("nothing helped the user at all.") and len(last_words(text)) <= LONGEST
    assert last_words(text).startswith("Filler") and last_words(" short ") == "short"
    assert text.endswith(last_words("y" * 500 + text)) or last_words("y" * 500 + text) in text


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
    asked = asked_for(run, "modify_user_address", 6)
    assert asked is not None and asked.quote == "I would like to change my home address."
    assert asked_for(run, "cancel_order", 6) is None


def test_the_task_speaks_for_the_user_only_where_no_user_does() -> None:
    alone = Scene.of(trace(says("So."), task="Please cancel the hose."))
    found = asked_for(alone, "cancel_order", 1)
    assert found is not None and found.n == 0
    told = Scene.of(trace(user("Hello."), says("So."), task="Please cancel the hose."))
    assert asked_for(told, "cancel_order", 2) is None, "that is what the user's side was told"
