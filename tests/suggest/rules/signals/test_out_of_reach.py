"""One thing out of reach, while all else went through."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.out_of_reach import given_up_early
from reviewer.suggest.rules.signals.surroundings import environment
from reviewer.trace import Json, Outcome, Step
from tests.suggest.rules.expected import proven
from tests.traces import FAILED, call, says, trace, user

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

    fired = found(other, DOWN, DOWN, write, named)
    assert fired is not None and fired.step == 3 and not fired.but
    assert fired.says == (
        "network or service: get_order on #W77 failed 2 times (3 to 4); the expected cancel_order needs it"
    )
    assert [item.shows for item in fired.evidence] == ["the fault", "said"]
    assert "#W77 is unavailable" in fired.evidence[-1].quote
    assert found(other, DOWN, DOWN, call("get_order", look, "{}"), write, named) is None, "it was overcome"
    assert found(other, DOWN, write, named) is None, "one more try was open"
    assert found(other, DOWN, DOWN, write, named, thing="#W99") is None, "nothing needed it"
    assert found(other, DOWN, DOWN, write, says("I cancelled #W88, and all is well.")) is None, "not named"
    fired = found(DOWN, DOWN, other, write, named)
    assert fired is not None and fired.but == "it worked on another at 4"


def test_what_was_not_tried_again_though_the_tool_went_through_is_a_pointer() -> None:
    other = call("get_order", {"order_id": "#W88"}, '{"status": "pending"}')
    early = given_up_early(Scene.of(trace(user("Cancel all."), DOWN, DOWN, other), FAILED))
    assert early is not None and early[0] == 2 and "went through on another at 4" in early[1]
    assert given_up_early(Scene.of(trace(user("Cancel all."), other, DOWN, DOWN), FAILED)) is None
    again = call("get_order", {"order_id": "#W77"}, "{}")
    assert given_up_early(Scene.of(trace(user("Cancel all."), DOWN, DOWN, other, again), FAILED)) is None
