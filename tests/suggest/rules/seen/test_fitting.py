"""Which quotes there is room for."""

from __future__ import annotations

from reviewer.suggest.rules.seen.fitting import fitting


def test_quotes_beyond_those_that_must_be_there_need_room() -> None:
    must, more = [(4, "the call", "called")], [(2, "what was asked", "asked"), (5, "word " * 60, "said")]
    assert fitting("It is so", "", must, more) == [more[0], must[0]]
    assert fitting("It is so", "word " * 50, must, more) == must
