"""What the agent did to a thing that is another's than the user's. Not known: whether it mattered."""

from __future__ import annotations

from reviewer.suggest.rules.seen.mismatches import Gap, Proof, of_another
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Made

_CALLS = 20


def of_somebody_else(scene: Scene) -> tuple[Made, Proof] | None:
    """The first call of the agent that went through on a thing of another number than the user's."""
    made = scene.wanted.made[:_CALLS] if scene.wanted is not None else ()
    for one in made:
        if not one.error and scene.step(one.step).source == "agent":
            for key, value in one.given.items():
                if (found := of_another(scene, Gap(key, None, value), one)) is not None:
                    return one, found
    return None
