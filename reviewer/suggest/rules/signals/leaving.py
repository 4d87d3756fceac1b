"""The signals of runs that ended, or were handed to somebody else, while an expected call was never made.

They fire only where the run shows that the step was open: the last report calls a thing off that the rules
want on, or the user asked for just this. Not where a reason of policy was given, a look-up had failed for
good, or the user wanted a person: whether that was right is a reader's to tell. What a simulated user was
told is not used.
"""

from __future__ import annotations

import re

from reviewer.facts.texts import pairs
from reviewer.suggest.rules.seen.consent import Said, asked_for, named
from reviewer.suggest.rules.seen.earlier import departed
from reviewer.suggest.rules.seen.excuses import declined_after, excuse, handing_over, outage, user_left
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.follows import unlooked, unopened
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, NEGATED
from reviewer.suggest.rules.seen.plain import doing
from reviewer.suggest.rules.seen.quoting import (
    BRIEF,
    around,
    called,
    clause,
    head,
    sentence,
    tail,
)
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, claimed, fired
from reviewer.suggest.rules.seen.switches import ON, still, switch
from reviewer.suggest.rules.seen.wanted import Want, ids

_FIRST = (
    re.compile(r"\btry\b[^.\n]{0,80}\bbefore (?:you )?(?:transfer|hand|escalat)", re.IGNORECASE),
    re.compile(r"\b(?:transfer|hand|escalat)\w*\b[^.\n]{0,60}\bonly if\b", re.IGNORECASE),
)
_TRIES = re.compile(r"^(?:can|check|run|test|try|verify)_")
_CAUSE = re.compile(  # what a reason says of why
    r"\b(?:lacks?|missing|because|since|due to|unable|cannot|can['’]t|could not|(?:is|are|was) not"
    r"|fails?|failed|exhausted|without success)\b",
    re.IGNORECASE,
)
_PART = 60  # characters of a quote among others
_FEW_LEFT = 2  # things that are told by name
_LONG = 1_000  # characters of a sentence of the policy
_RULE = 70  # characters of a rule
_NEAR = 6  # steps before a hand-over in which a last check stands
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
            says = (
                f"premature stop: {thing} is still {state} at step {m}, {want.name} was never called, and "
                f"step {n} hands over"
            )
            shown = [rule, (m, report, f"still {state}"), *(_failing(scene, n) or _when_to_hand_over(scene))]
            over = (n, _cause(reason, BRIEF), "handed over")
            return fired("handed_over", n, says, 0.4, *sorted(shown, key=lambda quote: quote[0]), over)
    for want in never:
        asked = None if switch(want) else asked_for(scene, want.name, n, _PART)
        if asked is None or scene.calls_of(want.name):
            continue
        if (way := _way_open(scene, want, n)) is not None:
            instead, quotes = way
            it = f"{doing(want.name)} (asked at {asked.n})"
            says = f"premature stop: {it} was never tried; {instead} ({n})"
            look = next(iter(sorted(unlooked(scene))), "")
            but = f"the reason given ({n}) went unchecked: {look} was never called" if look else ""
            over = (n, _cause(reason, _PART), "handed over")
            quotes = [(asked.n, asked.quote, "asked"), *quotes, over]
            return fired("handed_over", n, says, 0.35, *fitting(says, but, quotes), but=but)
    return None


def _way_open(scene: Scene, want: Want, n: int) -> tuple[str, list[tuple[int, str, str]]] | None:
    """What could still have been done at a hand-over, as the end of a sentence, with its quotes."""
    if (rest := unopened(scene, n)) is not None:
        few = " and ".join(rest.left) if len(rest.left) <= _FEW_LEFT else ""
        what = few or f"{len(rest.left)} of {rest.listed} {rest.label}"
        return f"it hands over with {what} unopened", [(rest.step, rest.quote, "listed")]
    if looks := sorted(unlooked(scene)):
        return f"without {looks[0]}, which was expected, it hands over", []
    if named(scene, ids(want.wanted), n) is None:
        return None
    before = reversed(scene.trace.steps[: n - 1])
    if (last := next((step for step in before if step.source == "agent" and step.calls), None)) is None:
        return "it hands over at once", []
    shown = (last.n, called(last, BRIEF), "last call")
    return f"after {last.calls[0].name} ({last.n}) it hands over", [shown]


def _failing(scene: Scene, before: int) -> list[tuple[int, str, str]]:
    """The last look before a step whose short answer says that it does not work."""
    for step in reversed(scene.trace.steps[max(0, before - _NEAR) : before - 1]):
        for call, result in pairs(step):
            text = "" if result is None else result.content.strip()
            if _TRIES.search(call.name) and len(text) <= BRIEF and NEGATED.search(text):
                return [(step.n, text, "still fails")]
    return []


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
            f"dropped goal: {doing(want.name)} (asked at {asked.n}) was never tried; "
            f"its last call is {last.calls[0].name} ({last.n}), and the run ends at step {claim.step}"
        )
        ended = [(n, head(words, BRIEF), "ended") for n, words in claim_line(scene.facts)]
        more = [(last.n, called(last, BRIEF), "last call")]
        kept = fitting(says, "", [(asked.n, asked.quote, "asked"), *ended], more)
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


def _when_to_hand_over(scene: Scene) -> list[tuple[int, str, str]]:
    """The sentence of the policy that says what to try before the task is handed over."""
    found = (place for way in _FIRST for place in scene.policy(way))
    return [(n, around(match.string, *match.span(), _RULE), "the rule") for n, match in found][:1]


def _cause(reason: str, width: int) -> str:
    """The last sentence of a reason that says why, from its start; else the end of the reason."""
    found = [] if len(reason) <= width else list(_CAUSE.finditer(reason))
    if not found:
        return tail(reason, width)
    whole = sentence(reason, found[-1].start(), _LONG)
    return clause(whole, 0, 1, width)
