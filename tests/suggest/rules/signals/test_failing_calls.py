"""Calls that a tool refused are shown with their answers, and left aside where the call is not to blame."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.failing_calls import (
    _listed,
    bad_arguments,
    failed_again_and_again,
)
from tests.suggest.rules.expected import failed, propose, proven
from tests.traces import FAILED, bash, call, says, trace, user

WRONG = bash("python3 -c 'for x in y: pass; else'", "SyntaxError: invalid syntax", 1)


def test_a_failing_call_is_quoted_with_its_error() -> None:
    one = trace(user("Count it."), *[WRONG] * 3, says("I could not count it, so I stop here."))
    fired = proven(one, failed_again_and_again(Scene.of(one)))
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (2, "the error"), (3, "called again"), (4, "the error"),
    ]  # fmt: skip
    assert fired.evidence[1].quote.startswith("python3 -c") and "invalid syntax" in fired.evidence[0].quote
    assert fired.says == (
        "repeated failing call: the call of step 2 was sent again unchanged (3, 4), with the same error "
        "each time; it never worked"
    )
    cut = proven(one := trace(user("Count it."), *[WRONG] * 3), failed_again_and_again(Scene.of(one)))
    assert cut.says.endswith("; nothing came after")
    code = bash(f"python3 -c 'print({'a' * 40}'", "SyntaxError: invalid syntax", 1)
    long = proven(one := trace(user("Count it."), *[code] * 3), failed_again_and_again(Scene.of(one)))
    assert [item.shows for item in long.evidence] == ["the error", "the error"], "code says nothing"


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([1, 2, 3], "1 to 3"),
        ([2, 3], "2, 3"),
        ([1, 3, 5, 7, 9], "5 times, the last at 9"),
    ],
)
def test_steps_are_listed_in_few_words(steps: list[int], words: str) -> None:
    assert _listed(steps) == words


def test_what_the_task_names_and_is_not_there_is_no_fault_of_the_call() -> None:
    gone = bash("cp /w/papers/* /w/out", "cp: cannot stat '/w/papers/*': No such file or directory", 1)
    one = trace(user("Copy what is in /w/papers/ to /w/out."), *[gone] * 3, says("The folder is empty."))
    assert failed_again_and_again(Scene.of(one, FAILED)) is None


def test_a_look_that_finds_nobody_is_no_fault_of_the_call() -> None:
    nobody = call("find_user", {"mail": "ann@a.example"}, "Error: user not found", error=True)
    one = trace(user("I am ann@a.example."), *[nobody] * 3)
    assert failed_again_and_again(Scene.of(one)) is None


def test_a_call_that_had_gone_through_has_done_its_work() -> None:
    booked = call("book", {"seat": "9A"}, '{"booked": "9A"}')
    again = call("book", {"seat": "9A"}, "Error: too many bookings", error=True)
    assert failed_again_and_again(Scene.of(trace(user("x"), booked, *[again] * 3))) is None
    one = trace(user("x"), *[again] * 3)
    assert failed_again_and_again(Scene.of(one)) is not None


def test_a_fault_of_the_network_is_no_failing_call() -> None:
    down = call("get", {"id": 7}, "Error: 503 Service Unavailable", error=True)
    assert failed_again_and_again(Scene.of(trace(user("x"), *[down] * 4))) is None


def test_bad_arguments_show_the_call_and_the_words_that_refuse_it() -> None:
    bad = call("book", {"seats": 1}, "book() got an unexpected keyword argument 'seats'", error=True)
    one = trace(user("Book it."), bad, says("I could not book it, sorry about that."))
    fired = proven(one, bad_arguments(Scene.of(one)))
    assert [item.shows for item in fired.evidence] == ["called", "refused"]


def test_bad_arguments_that_the_run_got_on_without_say_nothing_unless_just_this_call_is_missing() -> None:
    bad = call("book", {"seats": 1}, "book() got an unexpected keyword argument 'seats'", error=True)
    one = trace(user("Book it."), bad, call("look", {"at": "A1"}, "it is free"), says("Well."))
    assert bad_arguments(Scene.of(one, FAILED)) is None
    fired = proven(one, bad_arguments(Scene.of(one, [failed(("book", {"seat": 1}))])))
    assert fired.says.endswith("the grader expected this call, which never succeeded")


def test_a_repeat_names_its_steps() -> None:
    run = trace(*[bash("python3 -c 'x ='", "SyntaxError: invalid syntax", 1)] * 4)
    assert "the call of step 1 was sent again unchanged (2 to 4)" in propose(run).rationale


def test_an_error_that_opens_a_bracket_is_shown_with_what_follows() -> None:
    bad = call("book", {"seats": 1}, "Error: invalid argument: [\n  seats is not known\n]", error=True)
    run = trace(bad, call("look", {"n": 1}, "ok"), says("It is the third."))
    assert propose(run).status == "abstained"
    assert "an error was left there" in propose(run, *FAILED).reason
    found = propose(trace(bad, says("It is the third.")), *FAILED)
    assert "seats is not known" in found.evidence[1].quote
