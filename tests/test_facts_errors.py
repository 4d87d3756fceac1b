"""What is an error, and which later call puts it right."""

from __future__ import annotations

import pytest

from reviewer.facts import facts
from reviewer.trace import Json, Step
from tests.traces import bash, call, says, trace, user

DOWN = "Error: 503 Service Unavailable"
RAISED = "openai.BadRequestError: Error code: 400 - {'code': 'content_filter'}"
CRASH = f"""I opened the page.
Traceback (most recent call last):
  File "/usr/lib/runtime.py", line 410, in process
    await agent.on_message(
  File "/usr/lib/openai.py", line 1638, in request
    raise error from None
{RAISED}
"""


def look(order: Json, output: str = "{}", tool: str = "get_order_details") -> Step:
    return call(tool, {"order_id": order}, output, error=output.startswith("Error"))


def put_right(*steps: Step) -> list[tuple[int, int | None]]:
    return [(error.step, error.recovered) for error in facts(trace(*steps)).errors]


@pytest.mark.parametrize(
    ("later", "step"),
    [
        (look("#W2"), None),  # another order is no help to this one, however alike its number
        (look("#W1"), 2),
        (look("#W1", tool="get_order_history"), 2),
        (look("#W1", tool="cancel_order"), 2),
        (call("refund", {"user_id": "u9", "orderIds": ["#W7", "#W1"]}, "{}"), 2),
        (look("#W1", DOWN), None),
        (bash("cat '#W1'"), None),
    ],
)
def test_an_error_on_a_thing_is_put_right_by_a_call_that_names_it(later: Step, step: int | None) -> None:
    assert put_right(look("#W1", DOWN), later)[0] == (1, step)


def test_a_number_is_an_identifier_too() -> None:
    assert put_right(look(71, DOWN), look(72), look(10**5_000), look(71)) == [(1, 4)]
    (error,) = facts(trace(look(71, DOWN))).errors
    assert error.target == "71"


def test_a_write_that_failed_is_not_put_right_by_a_look_at_the_thing() -> None:
    failed = look("#W1", "Error: not enough money", "cancel_order")
    assert put_right(failed, look("#W1")) == [(1, None)]
    assert put_right(failed, look("#W2", tool="cancel_order")) == [(1, None)]
    assert put_right(failed, look("#W1", tool="return_order")) == [(1, 2)]


def test_a_thing_that_is_not_there_is_found_under_a_name_spelled_a_little_otherwise() -> None:
    lost = look("#W4836353", "Error: order not found")
    assert put_right(lost, look("#W4836354")) == [(1, 2)]
    assert put_right(look("#W4836353", DOWN), look("#W4836354")) == [(1, None)]


def test_what_was_given_no_identifier_is_put_right_by_the_next_call_that_goes_through() -> None:
    flights = call("search_flights", {"from": "JFK"}, DOWN, error=True)
    assert put_right(flights, call("search_flights", {"from": "EWR"}, "[]")) == [(1, 2)]


def test_a_browser_that_does_not_find_what_it_should_click_tells_an_error() -> None:
    lost = call("browser_click", {"index": 1260}, "Element with index 1260 not found")
    (error,) = facts(trace(lost, call("browser_click", {"index": 7}, "clicked"))).errors
    assert (error.kind, error.quote, error.recovered) == ("tool", "Element with index 1260 not found", None)
    page = call("browser_read", {}, "Elements of Chemistry\nThe page on tin was not found.")
    assert facts(trace(page, bash("cat log", "Node 4 up\nkey not found"))).errors == ()


def test_a_traceback_that_ends_the_run_is_an_error_of_the_environment() -> None:
    (error,) = facts(trace(bash("ls"), says(f"{CRASH}FINAL ANSWER: Kenya\nRUN.SH COMPLETE"))).errors
    assert (error.step, error.kind, error.tool, error.recovered) == (2, "environment", "", None)
    assert error.quote == RAISED


@pytest.mark.parametrize(
    "steps",
    [
        (says(CRASH), says("On we go.")),  # it went on: what it said was a page, or was overcome
        (user(CRASH),),
        (says(f"It printed:\n```\n{CRASH}```\nI would look at line 410."),),
        (says(CRASH.replace("/usr/lib/runtime.py", "<stdin>")),),
        (says(CRASH + "The page goes on. " * 80),),
        (says(CRASH.partition(RAISED)[0]),),
    ],
)
def test_a_traceback_that_is_only_shown_is_none(steps: tuple[Step, ...]) -> None:
    assert facts(trace(*steps)).errors == ()


def test_a_crash_in_a_step_that_the_source_flags_is_told_once() -> None:
    flagged = Step(0, "system", CRASH, kind="notice", fault=True)
    assert len(facts(trace(flagged)).errors) == 1
