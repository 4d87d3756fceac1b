"""What was done before a step and stands: a departure of its own, so that what comes later only follows it.

By what a grader expected, and by form: a write that nobody expected or that was made with other values, one
that contradicts another of the same turn, a hand-over while an expected call was open, words of the user
against it. Not known: what else was wrong before; a look that was left out is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.calls import target
from reviewer.facts.sides import is_call
from reviewer.facts.texts import spelled
from reviewer.facts.tools import named_read
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import OBJECTS, messages
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.quoting import shortened
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Want

_SETS = re.compile(r"(?:update|set|modify|change|replace|exchange)(?:_|[A-Z]|\b)")
_SAID = 60
_MOST = 200  # writes that are looked at


def departed(scene: Scene, before: int) -> tuple[int, str] | None:
    """The earliest of these before a step, and what it was."""
    looks = (_not_expected, _otherwise, _at_odds, _refused, _handed_over, _objected)
    return min((found for look in looks for found in look(scene, before)), default=None)


def never_made(scene: Scene) -> list[Want]:
    """The expected calls that nobody tried."""
    open_ = scene.wanted.open if scene.wanted is not None else ()
    return [want for want in open_ if want.near is None and not HANDS_OVER.search(want.name)]


def _not_expected(scene: Scene, before: int) -> Iterator[tuple[int, str]]:
    """A write of the agent beside those that were expected, or where none was."""
    if scene.wanted is not None:
        made = [(one.step, one.name) for one in scene.wanted.extra]
    else:
        none = _expects_no_write(scene)
        made = [(one.step, one.tool) for one in scene.facts.writes[:_MOST] if none and one.api and one.counts]
    for n, name in made:
        if n < before and scene.step(n).source == "agent":
            yield n, f"{name} goes through there, which was not expected"


def _expects_no_write(scene: Scene) -> bool:
    """Whether a failed outcome lists the calls that it expected, and none of them writes."""
    for outcome in scene.outcomes:
        state = outcome.expected_state
        lists = [item for item in state.values() if isinstance(item, list)] if isinstance(state, dict) else []
        calls = [call for items in lists for call in items if is_call(call)]
        if outcome.passed is False and lists and all(named_read(str(call["name"])) for call in calls):
            return True
    return False


def _otherwise(scene: Scene, before: int) -> Iterator[tuple[int, str]]:
    """An expected call that went through with other values."""
    for want in scene.wanted.open if scene.wanted is not None else ():
        if want.near is not None and want.apart and not want.near.error and want.near.step < before:
            labels = ", ".join(one.label for one in want.apart[:2])
            yield want.near.step, f"{want.name} is made there with another {labels} than expected"


def _at_odds(scene: Scene, before: int) -> Iterator[tuple[int, str]]:
    """Calls of one turn that set one thing to different values: before the answer to the first was seen."""
    for n in dict.fromkeys(write.step for write in scene.facts.writes[:_MOST] if write.api and write.counts):
        given: dict[tuple[str, str], set[str]] = {}
        for call in scene.step(n).calls if n < before else ():
            if _SETS.match(call.name) and target(call):
                given.setdefault((call.name, target(call)), set()).add(spelled(call.arguments))
        for (name, thing), values in given.items():
            if len(values) > 1:
                yield n, f"{name} is called {len(values)} times there on {thing}, each time with other values"


def _refused(scene: Scene, before: int) -> Iterator[tuple[int, str]]:
    """A write that failed and never went through."""
    failed = {write.step for write in scene.facts.writes if write.failed and not write.tidy}
    for error in scene.standing:
        if error.kind == "tool" and error.step in failed and error.step < before and telling(error.quote):
            yield error.step, f"a write failed there for good: {shortened(error.quote, _SAID)}"


def _handed_over(scene: Scene, before: int) -> Iterator[tuple[int, str]]:
    """The first hand-over, while a call that was expected was open."""
    open_ = never_made(scene)
    for step in scene.trace.steps[: before - 1] if open_ else ():
        if step.source == "agent" and any(HANDS_OVER.search(call.name) for call in step.calls):
            yield step.n, f"it hands over there, while {open_[0].name}, which was expected, is never tried"
            return


def _objected(scene: Scene, before: int) -> Iterator[tuple[int, str]]:
    """Where the user says that what was done is not what was asked."""
    for n, text in messages(scene, before):
        if match := OBJECTS.search(text):
            yield n, f"the user objects there: “{shortened(text[match.start() :], _SAID)}”"
