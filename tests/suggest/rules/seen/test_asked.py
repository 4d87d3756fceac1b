"""What the user wanted is one sentence of theirs; who waits is told from who was answered."""

from __future__ import annotations

from reviewer.suggest.rules.seen.asked import request, waiting
from reviewer.suggest.rules.seen.scene import Scene
from tests.traces import bash, says, trace, user


def test_the_sentence_that_asks_is_found_behind_a_greeting() -> None:
    told = user("Hello there. It is a grey day. I need to cancel my trip to Lyon. My name is Ann.")
    assert request(Scene.of(trace(told))) == (1, "I need to cancel my trip to Lyon.")
    assert request(Scene.of(trace(user("Hello."), says("Yes?"), user("How many were there?")))) == (
        3, "How many were there?",
    )  # fmt: skip
    assert request(Scene.of(trace(user("The lamp in the hall flickers.")))) == (
        1,
        "The lamp in the hall flickers.",
    )
    assert request(Scene.of(trace(bash("ls"), task="Please list it."))) is None, "no step holds it"


def test_only_a_question_that_nobody_answered_is_one_that_waits() -> None:
    asks = user("I did that. It is still dark; what should I try next? Thanks.")
    assert waiting(Scene.of(trace(asks, bash("ls"))), 2) == (
        1,
        "It is still dark; what should I try next?",
    )
    assert waiting(Scene.of(trace(asks, says("Turn it off."), bash("ls"))), 3) is None
    assert waiting(Scene.of(trace(user("I did that."), bash("ls"))), 2) is None
    quotes = user("It says “no signal.” Does that look right?")
    assert waiting(Scene.of(trace(quotes, bash("ls"))), 2) == (1, "Does that look right?")
