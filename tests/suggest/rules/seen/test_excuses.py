"""What speaks for a run that handed over while an expected call was open stands in its pointer."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.excuses import declined_after, excuse, handing_over
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step
from tests.suggest.rules.expected import failed, pointer
from tests.traces import call, says, trace, user

ASKED = user("Hello. Could you cancel my reservation R77777, please?")
CANCEL = failed(("cancel_reservation", {"reservation_id": "R77777"}))
LOOK = call("get_reservation", {"reservation_id": "R77777"}, '{"reservation_id": "R77777"}')


def handing(summary: str) -> Step:
    return call("transfer_to_human_agents", {"summary": summary}, "done")


OVER = handing("Somebody else should look at this.")


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ((LOOK, handing("It is too late. Cancelling is not allowed after a day.")), "its reason is policy"),
        ((LOOK, says("Our policy has no room for this."), OVER), "Our policy has no room"),
        ((LOOK, user("Let me speak to your manager."), OVER), "the user asks for a person (step 3)"),
    ],
)
def test_a_hand_over_for_a_reason_is_a_pointer_with_that_reason(steps: tuple[Step, ...], why: str) -> None:
    told = pointer(trace(ASKED, *steps), CANCEL)
    assert "cancel_reservation on R77777, which was expected, is never called; but " in told and why in told


def test_a_hand_over_without_a_reason_has_no_excuse() -> None:
    scene = Scene.of(trace(ASKED, LOOK, OVER), [CANCEL])
    assert handing_over(scene) == (3, "Somebody else should look at this.") and excuse(scene, 3) is None


def test_where_the_agent_says_that_a_rule_forbids_it_is_found_after_the_request() -> None:
    scene = Scene.of(
        trace(says("This is not allowed."), ASKED, says("One moment."), says("It can't be refunded."))
    )
    no = declined_after(scene, 2)
    assert no is not None and (no.n, no.quote) == (4, "It can't be refunded.")
    assert declined_after(scene, 4) is None
