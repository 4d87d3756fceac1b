"""Expected calls beside those made: what is wanted is shown beside what was given, and sets have no order."""

from __future__ import annotations

from dataclasses import replace

from reviewer import taxonomy
from reviewer.facts import Compared, Line, compared, facts
from reviewer.suggest.base import Proposal
from reviewer.suggest.differing import first_difference
from reviewer.suggest.evidence import verify
from reviewer.suggest.rules import Rules
from reviewer.trace import Json, Outcome, Step, Trace
from tests.traces import call, says, trace, user

SIX = taxonomy.load("six-modes")
ORDER = {"order_id": "#W1234", "item_ids": ["i11", "i22"], "new_item_ids": ["n11", "n22"]}


def actions(*calls: tuple[str, dict[str, Json]]) -> Json:
    return {"actions": [{"name": name, "arguments": arguments} for name, arguments in calls]}


def failed(*calls: tuple[str, dict[str, Json]], detail: Json = None, passed: bool | None = False) -> Outcome:
    return Outcome(passed=passed, expected_state=actions(*calls), final_state=actions(), detail=detail)


def propose(one: Trace, *outcomes: Outcome) -> Proposal:
    found = Rules().suggest(one, outcomes, SIX)
    assert all(proof.verified for proof in verify(one, found.evidence))
    return found


def made(**given: Json) -> Step:
    return call("exchange_items", {**ORDER, **given}, "ok")


ASKED = user("Please exchange the two shirts, n11 and n22, of order #W1234.")
WANT = ("exchange_items", dict(ORDER))


def test_ids_in_another_order_are_no_difference_while_old_and_new_still_belong_together() -> None:
    turned = made(item_ids=["i22", "i11"], new_item_ids=["n22", "n11"])
    run = trace(ASKED, turned, says("It may come on Monday."))
    assert propose(run, failed(WANT)).status == "abstained"
    crossed = trace(ASKED, made(item_ids=["i22", "i11"]), says("It may come on Monday."))
    found = propose(crossed, failed(WANT))
    assert (found.mode, found.step_n) == ("tool_misuse", 2) and "item_ids wanted" in found.rationale
    state = failed(WANT)
    final = actions(("exchange_items", {**ORDER, "item_ids": ["i22", "i11"], "new_item_ids": ["n22", "n11"]}))
    (same,) = compared([replace(state, final_state=final)], run)
    assert same.same, "nor is it one on the summary page"


def test_a_run_that_its_grader_calls_good_gets_no_failure_whatever_differs() -> None:
    run = trace(ASKED, made(new_item_ids=["n11", "n33"]), says("It may come on Monday."))
    good: Json = {"components": {"base_success": 1.0, "efficiency_penalty": -0.2}}
    found = propose(run, failed(WANT, detail=good, passed=None))
    assert found.status == "abstained" and "Start at" not in found.reason
    assert propose(run, failed(WANT, passed=None)).status == "abstained", "nobody says that it failed"
    data = failed(WANT, detail={"reward_info": {"db_check": {"db_match": True}}})
    assert propose(run, data).status == "abstained", "the data are right: it failed by something else"
    assert propose(run, failed(WANT)).mode == "tool_misuse"


def test_a_value_that_differs_is_shown_as_wanted_and_given_with_where_the_wanted_one_had_stood() -> None:
    want = ("exchange_items", {**ORDER, "new_item_ids": ["n11", "n2222"]})
    seen = call("get_product", {"product_id": "p1"}, "n2222: red\nn3333: blue")
    found = propose(trace(ASKED, seen, made(new_item_ids=["n11", "n3333"])), failed(want))
    assert 'new_item_ids wanted ["n2222"], given ["n3333"]' in found.rationale
    assert [(proof.step_n, proof.quote) for proof in found.evidence] == [(3, "n3333"), (2, "n2222: red")]


def test_what_an_item_holds_beyond_the_expected_is_no_difference() -> None:
    want: dict[str, Json] = {"flights": [{"number": "HAT001"}]}
    run = trace(call("book_flight", {"flights": [{"number": "HAT001", "origin": "JFK"}]}, "ok"), says("So."))
    assert propose(run, failed(("book_flight", want))).status == "abstained"


def test_a_value_that_the_user_gave_is_no_fault_where_the_wanted_one_was_never_told() -> None:
    run = trace(
        user("I was born on 1990-04-12."), call("book_flight", {"dob": "1990-04-12"}, "ok"), says("So.")
    )
    assert propose(run, failed(("book_flight", {"dob": "1991-05-13"}))).status == "abstained"


def test_a_missing_call_is_named_and_shown_by_what_the_user_asked() -> None:
    run = trace(ASKED, call("get_order", {"order_id": "#W1234"}, "ok"), says("Thank you, and good luck."))
    found = propose(run, failed(WANT))
    assert found.mode == "planning_drift" and "never called in this run: exchange_items(" in found.rationale
    assert found.evidence[0].step_n == 1 and "exchange the two shirts" in found.evidence[0].quote
    asks = trace(ASKED, says("Shall I exchange them? Please confirm."), user("Yes. Bye."))
    left = propose(asks, failed(WANT))
    assert left.status == "abstained" and left.step_n == 2, "the user ended it"
    assert "expected and never called: exchange_items(" in left.reason


def test_a_refused_call_stands_beside_the_expected_one() -> None:
    bad = call("resume_line", {"line_id": "L1001"}, "Error: Line must be suspended to resume", error=True)
    over = call("transfer_to_human_agents", {"summary": "The line does not work at all."}, "done")
    found = propose(
        trace(user("My line L1002 is dead."), bad, over), failed(("resume_line", {"line_id": "L1002"}))
    )
    assert (found.mode, found.step_n) == ("tool_misuse", 2)
    assert "line_id wanted L1002, given L1001" in found.rationale
    assert found.evidence[0].quote == "Error: Line must be suspended to resume"


def test_handing_over_is_judged_by_what_was_open() -> None:
    over = call("transfer_to_human_agents", {"summary": "The user wants to swap two shirts."}, "done")
    open_ = propose(trace(ASKED, over), failed(WANT))
    assert open_.mode == "planning_drift" and open_.step_n == 2
    assert open_.evidence[0].step_n in (1, 2) and all(proof.telling for proof in open_.evidence)
    assert propose(trace(ASKED, made(), over), failed(WANT)).status == "abstained", "nothing was open"
    wanted = failed(WANT, ("transfer_to_human_agents", {"summary": "other words"}))
    assert "handed_over" not in propose(trace(ASKED, over), wanted).rationale, "it was expected"
    unknown = propose(trace(ASKED, over), Outcome(passed=False))
    assert unknown.status == "abstained" and unknown.step_n == 2 and "hands over there" in unknown.reason


def test_an_extra_call_names_what_was_expected_of_its_tool() -> None:
    run = trace(made(), made(order_id="#W9999"))
    assert "the grader expected only exchange_items(" in propose(run, failed(WANT)).rationale


def test_a_difference_is_told_in_words_with_its_place() -> None:
    lines = (
        Line(">", "actions"),
        Line("-", "swap", 1),
        Line("-", 'order: "W2"', 2),
        Line("-", 'card: "visa-99"', 2),
        Line("+", "swap", 1, 1),
        Line("+", 'order: "W2"', 2),
        Line("+", 'card: "visa-22"', 2),
    )
    run = trace(call("swap", {"order": "W2", "card": "visa-22"}, "ok"))
    told = first_difference(replace(facts(run), compared=(Compared("grader", lines),)))
    assert told is not None and told.step == 1
    assert told.says == "swap, card: expected visa-99, made visa-22"
    plain = Outcome(passed=False, expected_state={"a": 1, "sum": 1}, final_state={"a": 1, "sum": 2})
    other = first_difference(facts(run, (plain,)))
    assert other is not None and other.says == "sum: expected 1, found 2"
