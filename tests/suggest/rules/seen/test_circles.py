"""What agents note of loops is told from their plans against them."""

from __future__ import annotations

from reviewer.suggest.rules.seen.circles import notes
from reviewer.suggest.rules.seen.scene import Scene
from tests.traces import says, trace


def test_a_plan_against_loops_is_no_note_of_one() -> None:
    words = ["to prevent getting stuck in a loop", "no indication that it is stuck in a loop"]
    assert not notes(Scene.of(trace(*[says(text) for text in words])))
    assert len(notes(Scene.of(trace(says("We are stuck in a loop."))))) == 1
