"""Whether what a grader missed follows from a fault that was found, or would have been missed without it.

By form: the same thing, a choice of the user's, a sum that is off by what was done. Not known: whether the
grader is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import strings
from reviewer.suggest.rules.seen.consent import asked_for
from reviewer.suggest.rules.seen.mismatches import Gap, Proof, of_another, settled
from reviewer.suggest.rules.seen.quoting import WIDTH
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Made, Want, ids

_MOST = 12  # expected calls that are looked into
_UNTOLD = re.compile(r"\boutputs?\.\W?(?P<sum>\d[\d,]{0,12}\.\d\d)\W?: false")
_SUM = re.compile(r"(?<![\w.])\d[\d,]{0,12}\.\d\d?(?![\w.]*\d)")
_SUMS = 200  # numbers of one text
_LONG = 20_000
_CALLS, _STEPS = 20, 400
_LIST = re.compile(
    r'"(?P<label>\w{1,40})": ?\[(?P<things>"[^"\[\]{}]{2,60}"(?:, ?"[^"\[\]{}]{2,60}"){1,40})\]'
)
_NEAR = 0.005


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


def unlooked(scene: Scene) -> frozenset[str]:
    """The tools that only look, were expected to be called, and never were."""
    called = {call.name for step in scene.trace.steps for call in step.calls}
    return frozenset() if scene.wanted is None else scene.wanted.looks - called


def told_instead(scene: Scene, made: Made) -> tuple[int, str, str] | None:
    """Where a sum was told that is too large by an amount that a call brought in, and the sum due."""
    checks = (_UNTOLD.search(str(check)) for check in scene.facts.failed_checks[:_MOST])
    missing = next((match["sum"] for match in checks if match is not None), None)
    steps = scene.trace.steps[made.step :]
    if missing is None:
        return None
    spoken = [step for step in steps if step.source == "agent" and step.message]
    results = (result.content for result in scene.step(made.step).results)
    brought = {
        value for text in (*results, *(step.message for step in spoken[:1])) for _, value in _sums(text)
    }
    for step in spoken:
        for told, value in _sums(step.message):
            if any(abs(value - _value(missing) - one) < _NEAR for one in brought if one):
                return step.n, told, missing
    return None


def _sums(text: str) -> Iterator[tuple[str, float]]:
    for count, match in enumerate(_SUM.finditer(text[:_LONG])):
        if count >= _SUMS:
            return
        yield match[0], _value(match[0])


def _value(text: str) -> float:
    return float(text.replace(",", ""))
