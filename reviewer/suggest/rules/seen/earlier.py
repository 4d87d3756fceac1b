"""What came before a step and stands, so that what comes later only follows it: a departure, or a refusal.

A departure is one by what a grader expected: a write that nobody expected or that was made with other
values, a hand-over while an expected call was open. Not known: what else was wrong before; a look that was
left out is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.phrases import FAULT, HANDS_OVER
from reviewer.suggest.rules.seen.quoting import BRIEF, around
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json

_BARRED = re.compile(  # as a page says it, or as what fails prints it
    r"pardon our interruption|access to this page has been denied|access denied"
    r"|captcha(?!\W{1,4}(?:privacy|and the)\b)"  # not the badge under a form
    r"|are you a (?:robot|human)"
    r"|verify (?:that )?you are (?:a )?human|unusual traffic|\b403\b[: ]{1,2}(?:client error|forbidden)|"
    + FAULT.pattern,
    re.IGNORECASE,
)
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


def turned_away(scene: Scene, before: int) -> tuple[int, str] | None:
    """The first page or service before a step that refused the run: what came then may follow from it."""
    for step in scene.trace.steps[: before - 1]:
        for place, whole in step_texts(step):
            match = _BARRED.search(ends(whole)) if place in ("message", "result") and not step.kind else None
            if match is not None and step.source == "agent" and "->" not in step.name:
                return step.n, around(whole, at := whole.find(match[0]), at + len(match[0]), BRIEF)
    return None
