"""Where to begin reading for a call that was expected and did not go through, and what speaks against a mode.

A pointer is no mode: it says what was seen, and where whoever reads has to decide.
"""

from __future__ import annotations

from reviewer.suggest.rules.seen.consent import Said, agreed, asked_for, named
from reviewer.suggest.rules.seen.excuses import declined_after, excuse, handing_over, outage
from reviewer.suggest.rules.seen.mismatches import brief, differ, of_somebody_else, proof, settled
from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.suggest.rules.seen.wanted import Want, ids

_SAID = 70  # characters of a fault


def open_call(scene: Scene) -> tuple[int, str] | None:
    """Where to begin for the first expected call that was not made so, else for one that was not expected."""
    if scene.wanted is None:
        return None
    if scene.wanted.open and (other := of_somebody_else(scene)) is not None:
        made, found = other
        return (
            made.step,
            f"{found.says}; but missing is {called(scene.wanted.open[0])}: did it fail for that?",
        )
    for want in sorted(scene.wanted.open, key=lambda one: one.near.step if one.near else 10**9):
        if want.near is None:
            return _never(scene, want)
        if not want.apart:
            return want.near.step, f"{called(want)} was expected, and is refused there"
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


def called(want: Want) -> str:
    """An expected call by its name and its thing."""
    things = ids(want.wanted)
    by = f"{want.by} " if want.by else ""
    about = [thing for thing in things if not thing[:1].islower()] or things
    return f"{by}{want.name}" + (
        f" on {brief(about[-1 if want.by == '' and len(about) < 3 else 0])}" if about else ""
    )


def _never(scene: Scene, want: Want) -> tuple[int, str]:
    handed = handing_over(scene)
    end = handed[0] if handed else scene.facts.claim.step if scene.facts.claim else 1
    told = f"{called(want)}, which was expected, is never called"
    if handed is not None:
        why = excuse(scene, handed[0])
        return end, f"it hands over there; {told}" + (f"; but {why}" if why else "")
    if (fault := outage(scene, end)) is not None:
        return end, f"{told}; a call had failed for good (step {fault[0]}: {fault[1][:_SAID]})"
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
