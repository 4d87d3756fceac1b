"""Calls that a tool refused are shown with their answers, and left aside where the call is not to blame."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.failing_calls import (
    _listed,
    bad_arguments,
    error_left,
    failed_again_and_again,
)
from reviewer.trace import Step
from tests.suggest.rules.expected import failed, proven
from tests.traces import FAILED, bash, call, says, trace, user

WRONG = bash("python3 -c 'for x in y: pass; else'", "SyntaxError: invalid syntax", 1)


def test_a_failing_call_is_quoted_with_its_error() -> None:
    one = trace(user("Count it."), *[WRONG] * 3, says("I could not count it, so I stop here."))
    fired = proven(one, failed_again_and_again(Scene.of(one)))
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (3, "called again"), (3, "the error"),
    ]  # fmt: skip
    assert fired.evidence[0].quote.startswith("python3 -c") and "invalid syntax" in fired.evidence[1].quote
    assert "failed 3 times (2 to 4) with the same error and never worked" in fired.says and fired.but == ""
    cut = proven(one := trace(user("Count it."), *[WRONG] * 3), failed_again_and_again(Scene.of(one)))
    assert cut.says.endswith("; nothing came after")


def test_of_a_long_call_the_place_is_shown_that_the_error_points_at() -> None:
    code = "a = 1; " * 20 + "found = False; for row in rows: if found: print(row)"
    mark = " " * (code.index("for") + 4) + "^^^"
    printed = f'  File "<string>", line 1\n    {code}\n{mark}\nSyntaxError: invalid syntax'
    wrong = bash(f'python3 -c "{code}"', printed, 1)
    one = trace(user("Count it."), *[wrong] * 3)
    fired = proven(one, failed_again_and_again(Scene.of(one)))
    assert fired.evidence[0].quote == "found = False; for row in rows: if found: print(row)"


def test_a_line_of_code_is_cut_where_a_statement_ends() -> None:
    rest = (
        "for row in sheet.rows(): if found: total = row[0]; break; if 'Sum' in row: found = True; "
        + "x = 1; " * 9
    )
    printed = f"    found = False; {rest}\n{' ' * 19}^^^\nSyntaxError: invalid syntax"
    one = trace(user("Count it."), *[bash(f'python3 -c "found = False; {rest}"', printed, 1)] * 3)
    fired = proven(one, failed_again_and_again(Scene.of(one)))
    assert fired.evidence[0].quote.endswith("total = row[0]; break; if 'Sum' in row: found = True")


def test_a_mark_in_code_that_is_not_of_the_call_is_not_shown_as_the_call() -> None:
    printed = "    return json.loads(text)\n           ^^^^^^^^^^^^^^^^\nTypeError: the text is None"
    one = trace(user("Count it."), *[bash("python3 count.py --all", printed, 1)] * 3)
    fired = proven(one, failed_again_and_again(Scene.of(one)))
    assert fired.evidence[0].quote == "python3 count.py --all"


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((1, 2, 3), "1 to 3"),
        ((4, 7, 8, 9, 10), "4, 7 to 10"),
        ((2, 3), "2, 3"),
        ((1, 3, 5, 7, 9), "1, 3, … 9"),
    ],
)
def test_steps_are_listed_in_few_words(steps: tuple[int, ...], words: str) -> None:
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


@pytest.mark.parametrize(
    ("words", "then"),
    [
        ("FileNotFoundError: /w/qr.png", ()),
        ("SyntaxError: '(' was never closed", (bash("python3 -c 'print(1)' > out.txt"),)),
    ],
)
def test_an_error_of_another_kind_or_one_put_right_is_not_left(words: str, then: tuple[Step, ...]) -> None:
    write = bash("python3 -c 'print(1' > out.txt", words, 1)
    asked = user("Write the sum into out.txt")
    assert error_left(Scene.of(trace(asked, write, *then, says("Well.")), FAILED)) is None


def test_an_error_left_shows_what_was_asked() -> None:
    write = bash("python3 -c 'print(1' > out.txt", "SyntaxError: '(' was never closed", 1)
    one = trace(user("Write the sum into out.txt"), write, says("Well."))
    fired = proven(one, error_left(Scene.of(one, FAILED)))
    assert [item.shows for item in fired.evidence] == ["asked", "called", "the error"]
