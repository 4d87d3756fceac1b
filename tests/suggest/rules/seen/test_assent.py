"""Which sentence of a message says yes."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.assent import assent


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Yes, please go ahead with the return of both.", "Yes, please go ahead with the return of both."),
        ("That was close, but all good. Just go ahead and send it home.", "Just go ahead and send it home."),
        ("Yes. It is the green one that I give back.", "Yes. It is the green one that I give back."),
        ("Yes, that is it.\nPlease cancel all of it, today.", "Please cancel all of it, today."),
        ("Could you go ahead and cancel all of it?", "Could you go ahead and cancel all of it?"),
        ("Ugh, fine, just put it on the gift card now.", "Ugh, fine, just put it on the gift card now."),
        ("That works for me.", "That works for me."),
        ("Hm. I'm fine with the oak one.", "I'm fine with the oak one."),
        ("I'm not okay with that.", ""),
        ("Perfect, the red one is just what I wanted. Can it be sent to my sister?", ""),
        ("Sure, I understand.", ""),
        ("Please don't go ahead with that.", ""),
        ("Shall I proceed with that?", ""),
        ("Is that right?", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_sentence_that_says_yes(message: str, words: str) -> None:
    assert assent(message, 110) == words


def test_a_long_sentence_is_cut_behind_the_yes() -> None:
    long = "Hello there. Yes, please cancel it " + "and the others " * 40
    found = assent(long, 110)
    assert found.startswith("Yes, please cancel it") and len(found) <= 110
