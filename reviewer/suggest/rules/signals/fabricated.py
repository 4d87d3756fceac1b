"""The signal of values that a run calls made up, and that its answer rests on all the same.

Not known: whether a value that is not called made up was; English phrases only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts import first_appearance
from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_MADE_UP = re.compile(
    r"\b(?P<word>simulat(?:e|ed|ing)|hypothetical|placeholder|mock(?:ed)?|dummy|fictional|made[- ]up"
    r"|fabricated)\b.{0,60}\b(?:data(?:set)?|results?|values?|prices?|distances?|responses?|answers?|numbers?)\b",
    re.IGNORECASE,
)
_HONEST = re.compile(
    r"simulat|hypothetical|placeholder|mock|dummy|fictional|made[- ]up|fabricat|assum|illustrat|estimat"
    r"|approximat",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)*(?![\w])")
_NEAR = 60  # characters of a quote beside two others
_REACH = 1_200  # characters after words of invention in which a value has to stand


def made_up(scene: Scene) -> Fired | None:
    """Values are called made up, and what comes of them is given as the answer, which does not say so."""
    claim = scene.facts.claim
    if scene.facts.passed is not False or claim is None or _HONEST.search(claim.quote[:8_000]):
        return None
    for step, text, found in _inventions(scene):
        said = claim.quote[:8_000]
        held = _held(scene, step, text[found.end() :][:_REACH], said) if step.n < claim.step else None
        if held is None:
            continue
        number, result = held
        says = f"fabricated fact: {number} ({claim.step}) comes from values that it called "
        says += f"“{found['word']}” ({step.n})"
        remark = (step.n, around(text, *found.span(), _NEAR), "it wrote")
        answered = (claim.step, around(said, at := said.find(number), at + len(number), _NEAR), "answered")
        quotes = fitting(says, "", [remark, (step.n, result, "the result"), answered])
        return fired("made_up", step.n, says, 0.4, *quotes)
    return None


def called_made_up(scene: Scene) -> tuple[int, str] | None:
    """Where values are first called made up, if nothing proves that the answer rests on them."""
    found = next(_inventions(scene), None) if scene.facts.passed is False else None
    if found is None:
        return None
    step, text, match = found
    return step.n, f"values are called made up there: “{around(text, *match.span(), BRIEF)}”"


def _inventions(scene: Scene) -> Iterator[tuple[Step, str, re.Match[str]]]:
    """Where the agent calls values made up: in a call, else in a message."""
    for step in scene.trace.steps:
        if step.source != "agent" or step.kind:
            continue
        texts = sorted(step_texts(step), key=lambda text: text[0] != "call")  # a message may repeat a call
        for place, whole in texts:
            found = _MADE_UP.search(ends(whole)) if place in ("message", "call") else None
            if found is not None:
                yield step, ends(whole), found


def _held(scene: Scene, step: Step, after: str, claim: str) -> tuple[str, str] | None:
    """A number that came of invented values, or is one, in the answer, and given by nothing before."""
    answered = {_plain(match[0]): match[0] for match in _NUMBER.finditer(claim)}
    for text in (*(result.content[-2_000:] for result in step.results), after):
        for match in _NUMBER.finditer(text):
            said = answered.get(_plain(match[0]))
            if said is None or len(said.strip("-0.")) < 2:  # a single digit stands anywhere
                continue
            if first_appearance(scene.trace, match[0], before=step.n, given=True) is None:
                return said, around(text, *match.span(), LEAST) if text is not after else ""
    return None


def _plain(number: str) -> str:
    """`0.660` and `0.66` are one."""
    return number.rstrip("0").rstrip(".") if "." in number else number
