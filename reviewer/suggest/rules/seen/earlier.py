"""What was done before a step and stands: a departure of its own, so that what comes later only follows it.

By what a grader expected: a write that nobody expected or that was made with other values, a hand-over while
an expected call was open. Not known: what else was wrong before; a look that was left out is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json

_NONE: Json = {"actions": []}  # what a grader expected that expected no call at all


def departed(scene: Scene, before: int) -> tuple[int, str] | None:
    """The earliest of these before a step, and what it was."""
    return min((found for found in _departures(scene) if found[0] < before), default=None)


def _departures(scene: Scene) -> Iterator[tuple[int, str]]:
    if scene.wanted is not None:
        made = [(one.step, one.name) for one in scene.wanted.extra]
    else:
        none = any(one.passed is False and one.expected_state == _NONE for one in scene.outcomes)
        made = [(one.step, one.tool) for one in scene.facts.writes if none and one.api and one.counts]
    for n, name in made:
        if scene.step(n).source == "agent":
            yield n, f"{name} goes through there, which was not expected"
    for want in scene.wanted.open if scene.wanted is not None else ():
        if want.near is None and not HANDS_OVER.search(want.name):
            for step in scene.trace.steps:
                if step.source == "agent" and any(HANDS_OVER.search(call.name) for call in step.calls):
                    yield step.n, f"it hands over there, while {want.name}, which was expected, is open"
        elif want.near is not None and want.apart and not want.near.error:
            labels = ", ".join(one.label for one in want.apart[:2])
            yield want.near.step, f"{want.name} is made there with another {labels} than expected"
