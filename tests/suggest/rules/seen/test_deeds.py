"""What a call is quoted by: the status, the message, the values given, or the beginning of its answer."""

from __future__ import annotations

from reviewer.suggest.rules.seen.deeds import deed
from reviewer.trace import Step
from tests.traces import bash, call


def shown(step: Step, about: str = "") -> tuple[str, str]:
    return deed(step, about, step.calls[0].name)


def test_the_status_that_names_the_deed_says_more_than_the_record() -> None:
    record = '{"id": "#W1", "status": "exchange requested", "payment_history": [{"amount": 12.5}]}'
    assert shown(call("exchange_items", {"id": "#W1"}, record)) == (
        '"status": "exchange requested"',
        "its answer",
    )
    other = call("change_payment", {"id": "#W1", "to": "card_7"}, '{"id": "#W1", "status": "pending"}')
    assert shown(other) == ('{"id":"#W1","to":"card_7"}', "done"), "a status of something else"
    said = call("refuel", {"line": "L1", "gb": 2}, '{"message": "Successfully added 2.0 GB to L1", "n": 2}')
    assert shown(said) == ('"message": "Successfully added 2.0 GB to L1"', "its answer")


def test_an_answer_that_repeats_the_values_says_more_than_the_call() -> None:
    grants = call("grant", {"app": "mail", "right": "sms"}, "Right 'sms' was given to 'mail'. Status: 80%")
    assert shown(grants) == ("Right 'sms' was given to 'mail'.", "its answer")
    toggles = call("toggle_wifi", {}, "Wi-Fi is now OFF.\nStatus: 80%")
    assert shown(toggles) == ("Wi-Fi is now OFF.", "its answer")
    hands = call("transfer", {"summary": "The contract of L1 has ended."}, "Transfer successful")
    assert shown(hands) == ("The contract of L1 has ended.", "done")
    makes = call("create", {"path": "/w/a.txt", "text": "yes " * 90}, "made: /w/a.txt")
    assert shown(makes, "/w/a.txt") == ("made: /w/a.txt", "its answer")
    edits = bash("sed -i s/left/right/ of_the_mill.py", "ok")
    assert shown(edits) == ("sed -i s/left/right/ of_the_mill.py", "done")
    assert deed(Step(1, "agent", "no call"), "", "x") == ("", "")
