"""What a grader did not expect and was done before a step comes first; so does a page that refused."""

from __future__ import annotations

from reviewer.suggest.rules.seen.earlier import departed, turned_away
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Outcome, Step
from tests.suggest.rules.expected import failed
from tests.traces import call, says, trace, user

ASKED = user("Please cancel it.")
CANCEL = call("cancel_order", {"order_id": "#W1"}, "cancelled")
OVER = call("transfer_to_human_agents", {"summary": "x"}, "done")


def found(step: Step, outcome: Outcome, before: int = 3) -> tuple[int, str] | None:
    return departed(Scene.of(trace(ASKED, step, ASKED), [outcome]), before)


def test_the_earliest_departure_before_a_step_is_told() -> None:
    other, same = failed(("cancel_order", {"order_id": "#W2"})), failed(("cancel_order", {"order_id": "#W1"}))
    assert found(CANCEL, failed()) == (2, "cancel_order goes through there, which was not expected")
    extra = failed(("modify_order", {"order_id": "#W1"}))
    assert found(CANCEL, extra) == (2, "cancel_order goes through there, which was not expected")
    assert found(CANCEL, other) == (2, "cancel_order is made there with another order_id than expected")
    assert found(OVER, same) == (2, "it hands over there, while cancel_order, which was expected, is open")
    assert found(CANCEL, same) is None and found(CANCEL, other, before=2) is None


def test_a_page_that_refused_the_run_before_a_step_is_found() -> None:
    scene = Scene.of(trace(says("I open the page."), says("It says: verify you are human."), says("Again.")))
    assert turned_away(scene, 3) == (2, "It says: verify you are human.")
    assert turned_away(scene, 2) is None, "not before it"
