"""Which of several listed things a run took up first, before it did anything with one of them.

A look at one and at none of the others is a choice; a look at several is none. Not known: whether the run
had reason to begin with this one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import strings
from reviewer.suggest.rules.seen.scene import Scene

_LONG = 200_000  # characters of a result that are searched
_LISTED = 40  # things of one list


@dataclass(frozen=True, slots=True)
class Taken:
    """The step that took up a thing, and the list in which it and others had stood before."""

    step: int
    listed: int
    quote: str


def taken_up(scene: Scene, thing: str, before: int) -> Taken | None:
    """The first step before `before` that used one of several listed things, if none of the others was."""
    up = next((n for n in range(1, before) if thing in _given(scene, n)), None)
    found = _list_of(scene, thing, up) if up is not None else None
    if up is None or found is None:
        return None
    n, quote, others = found
    used = {value for step in range(up, before) for value in _given(scene, step)}
    return None if used & others else Taken(up, n, quote)


def _given(scene: Scene, n: int) -> set[str]:
    """The texts that the agent's calls of a step are given."""
    step = scene.step(n)
    calls = step.calls if step.source == "agent" else ()
    return {text for call in calls for text in strings(arguments_of(call))}


def _list_of(scene: Scene, thing: str, before: int) -> tuple[int, str, set[str]] | None:
    """The last list of plain texts before a step in which the thing stands beside others."""
    listed = re.compile(
        rf'(?:"\w{{1,40}}": ?)?\[[^\[\]{{}}]{{0,300}}"{re.escape(thing)}"[^\[\]{{}}]{{0,300}}\]'
    )
    for step in reversed(scene.trace.steps[: before - 1]):
        for result in step.results:
            match = listed.search(result.content[:_LONG]) if thing in result.content else None
            inside = match[0][match[0].index("[") :] if match is not None else ""
            others = set(re.findall(r'"([^"]{1,80})"', inside)[:_LISTED])
            if match is not None and len(others - {thing}) > 0:
                return step.n, match[0], others - {thing}
    return None
