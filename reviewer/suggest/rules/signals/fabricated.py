"""The signal of values that a run calls made up, and that its answer rests on all the same.

Not known: whether a value that is not called made up was; English phrases only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from reviewer.facts import first_appearance
from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.narrowing import narrowed
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_MADE_UP = re.compile(
    r"\b(?:simulat(?:e|ed|ing)|hypothetical|placeholder|mock(?:ed)?|dummy|fictional|made[- ]up|fabricated)"
    r"\b.{0,60}\b(?:data(?:set)?|results?|values?|prices?"
    r"|distances?|address(?:es)?|responses?|answers?|numbers?)\b"
    r"|\bfor (?:demonstration|illustration|demo)(?: purposes)?\b",
    re.IGNORECASE,
)
_HONEST = re.compile(
    r"simulat|hypothetical|placeholder|mock|dummy|fictional|made[- ]up|fabricat|assum|illustrat|estimat"
    r"|approximat",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"simulat(?:ed?|ing)|hypothetical|placeholder|mock(?:ed)?|dummy|fictional|made[- ]up|fabricated"
    r"|for (?:demonstration|illustration|demo)",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[(#]|//|(?<=\n)\S|(?<=[.:!?] )\S")  # where a remark begins
_CLOSES = re.compile(r"\)|[.!?](?=\s|$)|(?=\n|\\n)|$")
_LITERAL = re.compile(
    r"[=:]\s*(?P<value>\[[^\[\]\n]{3,160}\]|\{[^{}\n]{3,160}\}|-?\d+(?:\.\d+)?)(?=[\s,;)}\]]|$)"
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)*(?![\w])")
_NEAR = 60  # characters of the answer round the value
_REACH = 1_200  # characters after words of invention in which the value has to stand


def made_up(scene: Scene) -> Fired | None:
    """Values are called made up, and what comes of them is given as the answer, which does not say so."""
    claim = scene.facts.claim
    if scene.facts.passed is not False or claim is None or _HONEST.search(claim.quote[:8_000]):
        return None
    for step, text, first, code in _inventions(scene):
        literal = _LITERAL.search(text, first.start(), first.end() + _REACH)
        if literal is None or step.n >= claim.step:
            continue
        named = list(_MADE_UP.finditer(text, first.start(), max(first.end(), literal.start())))
        found = next((one for one in reversed(named) if one[0][:3].lower() != "for"), named[-1])
        held = _held(scene, step, literal["value"], claim.quote[:8_000])
        if held is not None:
            return narrowed(partial(_made_up, scene, step, text, found, literal, held, code))
    return None


def _made_up(
    scene: Scene,
    step: Step,
    text: str,
    found: re.Match[str],
    literal: re.Match[str],
    held: tuple[str, str],
    code: bool,
    width: int,
) -> Fired:
    """Where values are called made up, what came of them, and where that is answered."""
    n, said = (scene.facts.claim.step, scene.facts.claim.quote) if scene.facts.claim is not None else (0, "")
    word = next(_WORD.finditer(found[0]))[0]
    named = f"values given “{word}”" if word[:3].lower() == "for" else f"values that it called “{word}”"
    says = f"fabricated fact: {held[0]} ({n}) comes from {named} ({step.n})"
    at = said.find(held[0])
    quotes = [(step.n, _remark(text, found, min(width, BRIEF)), "in its code" if code else "it wrote")]
    quotes += [(step.n, held[1], "the result")] if held[1] else []
    quotes.append((n, around(said, at, at + len(held[0]), _NEAR), "answered"))
    values = (step.n, around(text, *literal.span(), BRIEF), "the values")
    kept = fitting(says, "", quotes, [values])
    return fired("made_up", step.n, says, 0.4, *kept)


def _remark(text: str, found: re.Match[str], width: int) -> str:
    """The words that call values made up, with the bracket or the comment that they stand in."""
    low = max(0, found.start() - width)
    begins = [match.start() for match in _OPENS.finditer(text, low, found.start() + 1)]
    ends_at = _CLOSES.search(text, found.end(), found.end() + width)
    if begins and ends_at is not None and ends_at.end() - begins[-1] <= width:
        return " ".join(text[begins[-1] : ends_at.end()].split())
    return around(text, *found.span(), width)


def called_made_up(scene: Scene) -> tuple[int, str] | None:
    """Where values are first called made up, if nothing proves that the answer rests on them."""
    found = next(_inventions(scene), None) if scene.facts.passed is False else None
    if found is None:
        return None
    step, text, match, _ = found
    words = around(text, *match.span(), BRIEF)
    return step.n, f"values are called made up there: “{words}”"


def _inventions(scene: Scene) -> Iterator[tuple[Step, str, re.Match[str], bool]]:
    """Where the agent calls values made up, and whether in a call."""
    for step in scene.trace.steps:
        if step.source != "agent" or step.kind:
            continue
        texts = sorted(step_texts(step), key=lambda text: text[0] != "call")  # a message may repeat a call
        for place, whole in texts:
            found = _MADE_UP.search(ends(whole)) if place in ("message", "call") else None
            if found is not None:
                yield step, ends(whole), found, place == "call"


def _held(scene: Scene, step: Step, literal: str, claim: str) -> tuple[str, str] | None:
    """A number of the invented values or of what came of them, in the answer, and given by nothing before."""
    answered = {_plain(match[0]): match[0] for match in _NUMBER.finditer(claim)}
    sources = [literal, *(result.content[-2_000:] for result in step.results)]
    for text in sources:
        for match in _NUMBER.finditer(text):
            said = answered.get(_plain(match[0]))
            if said is None or len(said.strip("-0.")) < 2:  # a single digit stands anywhere
                continue
            if first_appearance(scene.trace, match[0], before=step.n, given=True) is None:
                return said, around(text, *match.span(), LEAST) if text is not literal else ""
    return None


def _plain(number: str) -> str:
    """`0.660` and `0.66` are one."""
    return number.rstrip("0").rstrip(".") if "." in number else number
