"""Whether what a grader missed follows from a fault that was found, or would have been missed without it.

By form: the same thing, a choice of the user's. Not known: whether the grader is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import strings
from reviewer.suggest.rules.seen.consent import asked_for
from reviewer.suggest.rules.seen.mismatches import Gap, Proof, of_another, settled
from reviewer.suggest.rules.seen.quoting import WIDTH
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Made, Want, ids

_MOST = 12  # expected calls that are looked into
_LONG = 20_000
_CALLS, _STEPS = 20, 400
_LIST = re.compile(
    r'"(?P<label>\w{1,40})": ?\[(?P<things>"[^"\[\]{}]{2,60}"(?:, ?"[^"\[\]{}]{2,60}"){1,40})\]'
)


def fails_anyway(scene: Scene, beside: Want) -> bool:
    """Whether the run would have failed all the same: another expected call was given what the user chose, or
    was never made and never asked for.
    """
    others = [one for one in _open(scene) if one is not beside]
    for one in others:
        if one.near is None and (one.by or asked_for(scene, one.name, len(scene.trace.steps) + 1) is None):
            return True
        if one.near is not None and settled(scene, one) is not None:
            return True
    return False


def dropped(scene: Scene, beside: Want) -> Want | None:
    """Another expected call that nobody tried."""
    return next((one for one in _open(scene) if one is not beside and one.near is None), None)


def _open(scene: Scene) -> tuple[Want, ...]:
    return scene.wanted.open[:_MOST] if scene.wanted is not None else ()


def explains(scene: Scene, made: Made) -> bool:
    """Whether no other call is missing than on the thing that a call was about."""
    open_ = scene.wanted.open if scene.wanted is not None else ()
    things = set(ids(made.given))
    return all(things.intersection(ids(want.wanted)) for want in open_)


def undone(scene: Scene, made: Made) -> bool:
    """Whether something was done later to what a call was about: then it may not have stayed so."""
    return any(later.step > made.step for thing in ids(made.given) for later in scene.writes_to(thing))


def of_somebody_else(scene: Scene) -> tuple[Made, Proof] | None:
    """The first call of the agent that went through on a thing of another number than the user's."""
    made = scene.wanted.made[:_CALLS] if scene.wanted is not None else ()
    for one in made:
        if not one.error and scene.step(one.step).source == "agent":
            for key, value in one.given.items():
                if (found := of_another(scene, Gap(key, None, value), one)) is not None:
                    return one, found
    return None


@dataclass(frozen=True, slots=True)
class Unopened:
    """A list that a result holds, of which some things were looked at and those that are `left` never."""

    step: int
    quote: str
    label: str
    listed: int
    left: list[str]


def unopened(scene: Scene, until: int) -> Unopened | None:
    """The last list of which some things were looked at, but one that an expected call is about never was."""
    open_ = scene.wanted.open if scene.wanted is not None else ()
    due = {thing for want in open_ for thing in ids(want.wanted)}
    used = {
        text
        for step in scene.trace.steps[:_STEPS]
        if step.source == "agent"
        for call in step.calls
        for text in strings(arguments_of(call))
    }
    for step in reversed(scene.trace.steps[max(0, until - _STEPS) : until]):
        for match in (one for result in step.results for one in _LIST.finditer(result.content[:_LONG])):
            things = list(dict.fromkeys(re.findall(r'"([^"]+)"', match["things"])))
            left = [thing for thing in things if thing not in used]
            if 0 < len(left) < len(things) and due.intersection(left) and len(match[0]) <= WIDTH:
                return Unopened(step.n, match[0], match["label"], len(things), left)
    return None
