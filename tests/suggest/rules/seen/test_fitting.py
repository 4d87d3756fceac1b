"""Which quotes there is room for, and how short they are cut."""

from __future__ import annotations

from reviewer.suggest.rules.seen.fitting import fitting, narrowed, tried_first
from reviewer.suggest.rules.seen.quoting import WIDTH, head
from reviewer.suggest.rules.seen.scene import Fired, fired


def test_quotes_beyond_those_that_must_be_there_need_room() -> None:
    must, more = [(4, "the call", "called")], [(2, "what was asked", "asked"), (5, "word " * 60, "said")]
    assert fitting("It is so", "", must, more) == [more[0], must[0]]
    assert fitting("It is so", "word " * 50, must, more) == must
    four = [(n, "a few words", "said") for n in range(4)]
    assert fitting("It is so", "", [], four) == four[:3], "more are not read"


def test_the_widest_quotes_that_can_be_read_in_time_are_taken() -> None:
    def build(width: int) -> Fired:
        return fired("held_up", 1, "It is so", 0.5, *((n, head(long, width), "said") for n in range(quotes)))

    long, quotes = "word " * 40, 1
    assert len(narrowed(build).evidence[0].quote) > WIDTH - 10
    quotes = 3
    assert len(narrowed(build).evidence[0].quote) < 60, "three have to be short"


def test_what_was_tried_stands_before_what_came_of_it() -> None:
    assert tried_first([(2, "no such file", "answered"), (2, "cat a", "tried"), (1, "why", "asked")]) == [
        (1, "why", "asked"), (2, "cat a", "tried"), (2, "no such file", "answered"),
    ]  # fmt: skip
