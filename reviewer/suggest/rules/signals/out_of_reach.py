"""A fault of the surroundings that kept one thing out of reach, while all else went through.

Not known: whether waiting longer would have helped.
"""

from __future__ import annotations

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import ends, pairs, strings
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.phrases import FAULT, SPOKEN, kind_of_fault
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, WIDTH, around, clause, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_TWICE = 2
_NAME = 40  # characters of a thing that are read at a glance
_NEAR = 160  # characters of the last words in which thing and fault are named together


def one_thing(scene: Scene) -> Fired | None:
    """Calls about one thing met a fault more than once and never went through; a call on it was expected, and
    the last words name both.

    Where the same tool went through on another thing afterwards, one more try was open: that is the `but`.
    """
    claim = scene.facts.claim
    if scene.facts.passed is not False or scene.wanted is None or claim is None:
        return None
    for (tool, thing), found in _out_of_reach(scene).items():
        want = next((want for want in scene.wanted.open if thing in want.wanted.values()), None)
        said = _named(claim.quote[:8_000], thing)
        if want is None or said is None or len(found) < _TWICE or found[-1][0] >= claim.step:
            continue
        (first, words), last = found[0], found[-1][0]
        says = f"{kind_of_fault(words)}: {tool} on {shortened(thing, _NAME)} failed {len(found)} times "
        says += f"({first} to {last}); the expected {want.name} needs it"
        later = _went_through(scene, tool, last)
        but = f"it worked on another at {later}" if later else ""
        kept = fitting(says, but, [(first, words, "the fault"), (claim.step, said, "said")])
        return fired("environment", first, says, 0.4 if but else 0.5, *kept, but=but)
    return None


def given_up_early(scene: Scene) -> tuple[int, str] | None:
    """A thing that met a fault and was not tried again, though the same tool went through afterwards."""
    if scene.facts.passed is True:
        return None
    for (tool, thing), found in _out_of_reach(scene).items():
        last = found[-1][0]
        if len(found) >= _TWICE and (n := _went_through(scene, tool, last)) is not None:
            return found[0][0], (
                f"{tool} on {shortened(thing, _NAME)} met a fault (last at {last}); it went through on "
                f"another at {n}, and this was not tried again"
            )
    return None


def _went_through(scene: Scene, tool: str, after: int) -> int | None:
    """The first step after another in which a call of this tool went through."""
    for step in scene.trace.steps[after:]:
        for call, result in pairs(step) if step.source == "agent" else ():
            if call.name == tool and result is not None and not failed(result):
                return step.n
    return None


def _out_of_reach(scene: Scene) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """By tool and the one thing that it was given: calls that met a fault, where none went through since."""
    met: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for step in scene.trace.steps:
        for call, result in pairs(step) if step.source == "agent" else ():
            things = list(strings(arguments_of(call), limit=3))
            if result is None or len(things) != 1:
                continue
            text = ends(result.content)
            fault = FAULT.search(text) if result.error else None
            if fault is not None:
                words = around(text, *fault.span(), LEAST)
                met.setdefault((call.name, things[0]), []).append((step.n, words))
            elif not result.error:
                met.pop((call.name, things[0]), None)
    return met


def _named(text: str, thing: str) -> str | None:
    """The words in which the last message names the thing and the fault."""
    at = text.find(thing) if len(thing) > _TWICE else -1
    while at >= 0:
        low, end = max(0, at - _NEAR), at + len(thing)
        for fault in SPOKEN.finditer(text, low, end + _NEAR):
            start, stop = min(at, fault.start()), max(end, fault.end())
            if stop - start <= BRIEF:
                return around(text, start, stop, max(LEAST, stop - start))
            if stop - start <= WIDTH:
                return clause(text, *fault.span(), BRIEF)
        at = text.find(thing, end)
    return None
