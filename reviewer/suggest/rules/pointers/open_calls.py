"""Where to begin reading for a call that was expected and did not go through, and what speaks against a mode.

A pointer is no mode: it says what was seen, and where whoever reads has to decide.
"""

from __future__ import annotations

from reviewer.suggest.rules.seen.consent import Said, agreed, asked_for, named
from reviewer.suggest.rules.seen.excuses import declined_after, excuse, handing_over
from reviewer.suggest.rules.seen.mismatches import brief, differ, proof, settled
from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.suggest.rules.seen.wanted import Want, ids

_PAIR = 2  # ids of a call: the thing stands last, as after the user that has it


def open_call(scene: Scene) -> tuple[int, str] | None:
    """Where to begin for the first expected call that was not made so, else for one that was not expected."""
    if scene.wanted is None:
        return None
    for want in sorted(scene.wanted.open, key=lambda one: one.near.step if one.near else 10**9):
        if want.near is None:
            return _never(scene, want)
        if not want.apart:
            return want.near.step, f"{_call(want)} was expected, and is refused there"
        if want.near.error and (shown := proof(scene, want)) is not None and shown.another:
            return want.near.step, f"{shown.says}, and {want.name} is refused there: is it the wrong one?"
        refused = ", and is refused" if want.near.error else ""
        return want.near.step, f"{want.name}: {differ(scene, want)}{refused}{_by_user(settled(scene, want))}"
    for made in scene.wanted.extra:
        if scene.step(made.step).source == "agent":
            words = [value for value in made.given.values() if isinstance(value, str)]
            said = named(scene, words, made.step, at_all=True) or agreed(scene, words, made.step)
            return made.step, f"{made.name} goes through there, which was not expected{_by_user(said)}"
    return None


def _call(want: Want) -> str:
    """An expected call by its name and its thing."""
    things = ids(want.wanted)
    about = [thing for thing in things if not thing[:1].islower()] or things
    name = f"{want.by} {want.name}" if want.by else want.name
    return f"{name} on {brief(about[0 if want.by or len(about) > _PAIR else -1])}" if about else name


def _never(scene: Scene, want: Want) -> tuple[int, str]:
    handed = handing_over(scene)
    end = handed[0] if handed else scene.facts.claim.step if scene.facts.claim else 1
    told = f"{_call(want)}, which was expected, is never called"
    if handed is not None:
        why = excuse(scene, handed[0])
        return end, f"it hands over there; {told}" + (f"; but {why}" if why else "")
    asked = asked_for(scene, want.name, end)
    if asked is None:
        return end, f"{told}; the user never asks for it in so many words"
    if (no := declined_after(scene, asked.n)) is not None:
        return end, f"{told}; the agent had declined (step {no.n}: “{no.quote}”), rightly or not"
    wide = ", and the last words claim the whole" if claimed(scene.facts) else ""
    return end, f"{told}; the user had asked at step {asked.n}{wide}"


def _by_user(said: Said | None) -> str:
    if said is None:
        return ""
    verb = "agreed to" if said.how == "agreed to" else "named"
    return f"; the user had {verb} it (step {said.n}): perhaps the task or its simulated user is at fault"
