"""What shows that a hand-over was right: a record, a rule of the policy, not the agent's word."""

from __future__ import annotations

from reviewer.suggest.rules.seen.grounds import today
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import propose, shows
from tests.traces import call, says, trace, user


def test_a_hand_over_is_shown_by_the_record_and_the_rule_that_its_reason_names() -> None:
    wants: Json = {"actions": [{"name": "transfer_to_human_agents", "arguments": {}}]}
    outcome = Outcome(passed=True, score=1.0, expected_state=wants)
    order = call("get_order", {"id": "W12345"}, '{"id": "W12345", "status": "shipped", "box": "wrapped"}')
    other = call("get_order", {"id": "W99999"}, '{"id": "W99999", "status": "shipped", "status": "late"}')
    hands = call(
        "transfer_to_human_agents",
        {"summary": "Order W12345 is shipped and not wrapped, too late to change."},
    )
    ask = user("Change the order, please")
    found = propose(trace(ask, order, other, hands), outcome)
    assert (found.evidence[0].step_n, found.evidence[0].quote) == (2, '"status": "shipped"')
    assert found.evidence[0].shows == "returned"
    quotes = " ".join(one.quote for one in found.evidence)
    assert '"wrapped"' not in quotes, "it says that it is not"
    assert '"late"' not in quotes, "of another order"
    rule = Step(0, "system", "Be kind. A shipped order is too late, so do not change it, even once.")
    under = propose(trace(rule, ask, order, other, hands), outcome)
    assert shows(under)[:2] == [(1, "the policy"), (3, "returned")]
    assert under.evidence[0].quote.endswith("so do not change it")
    bare = propose(trace(rule, ask, hands), outcome)
    assert bare.status == "abstained", "a rule that nothing falls under"
    said = propose(trace(user("It says shipped!"), hands), outcome)
    assert said.status == "abstained" and "only its own words" in said.reason
    asked = propose(trace(user("Get me a manager, please."), hands), outcome)
    assert shows(asked)[0] == (1, "asked")


def test_a_day_in_a_record_is_told_beside_the_day_of_the_run() -> None:
    one = Scene.of(trace(user("The current time is 2025-02-25 12:08. Help."), says("Yes?")))
    assert today(one, [(2, '"ends": "2025-01-31"', "seen")]) == "2025-02-25"
    assert today(one, [(2, '"ends": "soon"', "seen")]) == ""
