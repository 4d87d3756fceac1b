"""One thing out of reach, while all else went through."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.surroundings import environment
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import proven
from tests.traces import call, says, trace, user

DOWN = call("get_order", {"order_id": "#W77"}, "Error: 503 Service Unavailable", error=True)


def test_one_thing_out_of_reach_is_a_fault_where_it_was_needed_and_is_named() -> None:
    look = {"order_id": "#W77"}
    other = call("get_order", {"order_id": "#W88"}, '{"status": "pending"}')
    write = call("cancel_order", {"order_id": "#W88"}, '{"status": "cancelled"}')
    named = says("I cancelled #W88. Order #W77 is unavailable due to a service error.")

    def found(*steps: Step, thing: str = "#W77") -> Fired | None:
        calls: list[Json] = [
            {"name": "cancel_order", "arguments": {"order_id": one}} for one in (thing, "#W88")
        ]
        outcome = Outcome(passed=False, expected_state={"actions": calls}, final_state={"actions": []})
        one = trace(user("Cancel all my orders."), *steps)
        fired = environment(Scene.of(one, (outcome,)))
        return proven(one, fired) if fired is not None else None

    fired = found(DOWN, DOWN, other, write, named)
    assert fired is not None and fired.step == 2 and "get_order on #W77 met a fault 2 times" in fired.says
    assert [item.shows for item in fired.evidence] == ["tried", "the fault", "once more", "said"]
    assert "#W77 is unavailable" in fired.evidence[-1].quote
    assert found(DOWN, DOWN, call("get_order", look, "{}"), other, write, named) is None, "it was overcome"
    assert found(DOWN, other, write, named) is None, "one more try was open"
    assert found(DOWN, DOWN, other, write, named, thing="#W99") is None, "nothing needed it"
    assert found(DOWN, DOWN, other, write, says("I cancelled #W88, and all is well.")) is None, "not named"
