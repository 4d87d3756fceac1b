"""The switches of a shell for bracketed paste are nothing to read: alone they make an empty output."""

from __future__ import annotations

import pytest

from reviewer.facts import Write, facts
from reviewer.facts.texts import blank, first_line, line_of
from reviewer.trace import Result, Step
from tests.traces import bash, trace

OFF, ON = "\x1b[?2004l", "\x1b[?2004h"


def last_write(output: str) -> Write:
    write = facts(trace(bash("cp tide.csv gate.csv", output))).last_write
    assert write is not None
    return write


@pytest.mark.parametrize("nothing", [OFF + ON, f"{OFF}\n{ON}", f" {OFF}\r\n", ""])
def test_an_output_of_switches_alone_is_an_empty_reply(nothing: str) -> None:
    assert last_write(nothing).reply == ""
    assert blank(nothing)


def test_the_words_between_switches_are_the_reply() -> None:
    output = f"{OFF}'tide.csv' -> 'gate.csv'\r\n{ON}"
    assert last_write(output).reply == "'tide.csv' -> 'gate.csv'"
    assert not blank(output)
    assert first_line(f"{OFF}{ON}\nlow {OFF} tide{ON}") == f"low {OFF} tide", "word for word as it stands"
    assert line_of(f"{OFF}low tide{ON}\nx", len(OFF)) == "low tide"


def test_an_error_behind_a_switch_is_one_and_is_quoted_without_it() -> None:
    (error,) = facts(trace(bash("./gate", f"{OFF}Error: the gate is shut\n{ON}", code=None))).errors
    assert error.quote == "Error: the gate is shut"
    (check,) = facts(trace(bash("pytest -q", f"{OFF}3 passed in 0.1s{ON}"))).checks
    assert (check.state, check.quote) == ("passed", "3 passed in 0.1s")


def test_switches_alone_are_no_result_that_mends_an_error() -> None:
    def came(text: str) -> Step:
        return Step(0, "agent", results=(Result(text),))

    def left(text: str) -> int:
        return len(facts(trace(came("Error: the gate is shut"), came(text))).unrecovered)

    assert left(OFF + ON) == 1
    assert left(f"{OFF}open{ON}") == 0


def test_a_search_that_prints_switches_alone_found_nothing() -> None:
    found = facts(trace(bash("grep -r tern .", OFF + ON, code=1)))
    assert found.errors == ()


def test_a_line_that_is_cut_begins_at_its_beginning_and_stays_verbatim() -> None:
    long = "I fixed the parser by " + "rewriting it " * 40
    assert line_of(long, 2).startswith("I fixed the parser")
    for text in (
        long,
        "bc " + "x" * 300,
        "One. Two is done. " + "y z " * 200,
        ". " + " " + "x" * 50 + "\n? ",
    ):
        for start in range(0, len(text), 7):
            quote = line_of(text, start, 60)
            assert quote in text
            assert len(quote) <= 60
