"""The signals of runs that ended, or were handed to somebody else, while an expected call was never made.

They fire only where the run shows that the step was open: the last report calls a thing off that the rules
want on, or the user asked for just this. Not where a reason of policy was given, a look-up had failed for
good, or the user wanted a person: whether that was right is a reader's to tell. What a simulated user was
told is not used.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.consent import Said, asked_for, named
from reviewer.suggest.rules.seen.earlier import departed
from reviewer.suggest.rules.seen.excuses import (
    claim_of,
    declined_after,
    excuse,
    handing_over,
    outage,
    user_left,
)
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.follows import unopened
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.plain import doing
from reviewer.suggest.rules.seen.quoting import BRIEF, clause, head, sentence, tail
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, claimed, fired
from reviewer.suggest.rules.seen.switches import ON, still, switch
from reviewer.suggest.rules.seen.wanted import Want, ids

_CAUSE = re.compile(  # what a reason says of why
    r"\b(?:lacks?|missing|because|since|due to|unable|cannot|can['’]t|could not|(?:is|are|was) not"
    r"|fails?|failed|exhausted|without success)\b",
    re.IGNORECASE,
)
_PART = 60  # characters of a quote among others
_FEW_LEFT = 2  # things that are told by name
_LONG = 1_000  # characters of a sentence of the policy
_MOST = 12  # calls that are looked into


def handed_over(scene: Scene) -> Fired | None:
    """The agent handed over while a step was open that the rules or the user had asked for."""
    found = handing_over(scene)
    never = _never(scene)
    if found is None or not found[1] or not never or any(map(HANDS_OVER.search, _names(scene))):
        return None
    n, reason = found
    if excuse(scene, n) is not None:
        return None
    if departed(scene, n) is not None:
        return None  # it had gone wrong before, with another mode
    for want in never:
        if (open_ := still(scene, want, n)) is not None:
            rule, (m, report, state) = open_
            state = "on" if state in ON else "off"
            thing = " ".join(want.name.split("_")[1:])
            says = f"premature stop: it hands over ({n}), {thing} is still {state}, {want.name} never called"
            quotes = [rule, (m, report, f"still {state}")]
            kept = fitting(says, "", quotes, [(n, _cause(reason, BRIEF), "handed over")])
            return fired("handed_over", n, says, 0.4, *kept)
    if claim_of(reason):
        return None  # it may be that this is made up
    for want in never:
        asked = None if switch(want) else asked_for(scene, want.name, n, _PART)
        if asked is None or scene.calls_of(want.name):
            continue
        if (way := _way_open(scene, want, n)) is not None:
            instead, listed = way
            says = f"premature stop: {doing(want.name)} was never tried; {instead} ({n})"
            over = (n, _cause(reason, _PART), "handed over")
            kept = fitting(says, "", [(asked.n, asked.quote, "asked"), *listed], [over])
            return fired("handed_over", n, says, 0.35, *kept)
    return None


def _way_open(scene: Scene, want: Want, n: int) -> tuple[str, list[tuple[int, str, str]]] | None:
    """What could still have been done at a hand-over, as the end of a sentence, with its quotes."""
    if (rest := unopened(scene, n)) is not None:
        few = " and ".join(rest.left) if len(rest.left) <= _FEW_LEFT else ""
        what = few or f"{len(rest.left)} of {rest.listed} {rest.label}"
        return f"it hands over with {what} unopened", [(rest.step, rest.quote, "listed")]
    if named(scene, ids(want.wanted), n) is None:
        return None
    before = reversed(scene.trace.steps[: n - 1])
    if (last := next((step for step in before if step.source == "agent" and step.calls), None)) is None:
        return "it hands over at once", []
    return f"after {last.calls[0].name} ({last.n}) it hands over", []


def never_called(scene: Scene) -> Fired | None:
    """What the user asked for by name was never tried nor declined, and the run came to its own end."""
    claim = scene.facts.claim
    acted = any(step.calls for step in scene.trace.steps if step.source == "agent")
    if not acted or scene.ran_out or handing_over(scene) is not None or claim is None:
        return None
    if claimed(scene.facts) or user_left(scene) is not None:
        return None  # a claim of the whole is another mode; and who is left by the user does not stop
    for want in _never(scene):
        asked = _asked_by_name(scene, want, claim.step)
        if asked is None or declined_after(scene, asked.n) is not None:
            continue
        if outage(scene, claim.step) is not None or scene.standing or departed(scene, claim.step) is not None:
            continue  # something else had gone wrong before
        last = next(step for step in reversed(scene.trace.steps) if step.source == "agent" and step.calls)
        says = (
            f"dropped goal: {doing(want.name)} was never tried; "
            f"it ends ({claim.step}) after {last.calls[0].name} ({last.n})"
        )
        ended = [(n, head(words, BRIEF), "ended") for n, words in claim_line(scene.facts)]
        kept = fitting(says, "", [(asked.n, asked.quote, "asked"), *ended])
        return fired("never_called", claim.step, says, 0.3, *kept)
    return None


def _names(scene: Scene) -> frozenset[str]:
    return scene.wanted.names if scene.wanted is not None else frozenset()


def _never(scene: Scene) -> list[Want]:
    open_ = scene.wanted.open if scene.wanted is not None else ()
    return [want for want in open_ if want.near is None and not HANDS_OVER.search(want.name)][:_MOST]


def _asked_by_name(scene: Scene, want: Want, before: int) -> Said | None:
    """Where the user asked for it: by the id of its thing, or by what a tool does that was never used."""
    asked = None if switch(want) else asked_for(scene, want.name, before)
    by_id = named(scene, ids(want.wanted), before)
    return asked if asked and (by_id is not None or not scene.calls_of(want.name)) else None


def _cause(reason: str, width: int) -> str:
    """The last sentence of a reason that says why, from its start; else the end of the reason."""
    found = [] if len(reason) <= width else list(_CAUSE.finditer(reason))
    if not found:
        return tail(reason, width)
    whole = sentence(reason, found[-1].start(), _LONG)
    return clause(whole, 0, 1, width)
