"""What had to be told to the user, as the grader holds it and as the agent tells it.

By form: a sum as prose writes it, a number by the words before it. Not known: whether it was asked for.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.deeds import MOST
from reviewer.suggest.rules.seen.graded import to_be_said
from reviewer.suggest.rules.seen.quoting import around, sentence
from reviewer.suggest.rules.seen.scene import Scene

_NUMBER, _THOUSANDS = re.compile(r"\d{1,12}(?:\.\d{1,6})?"), re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")
_LONG = re.compile(r"\d{5,}")  # a number that is the name of something
_THING = re.compile(
    r"(?:\bthe |\byour |\ban? |\A)(?P<thing>(?:[a-z]+ ){1,3})(?:(?:for|of) [^.\n]{1,60}? )?"
    r"(?:is|was|are) \W*\Z",
    re.IGNORECASE,
)
_BEFORE = 200  # characters
_SUM = re.compile(r"[$€£]\Z")


def told(scene: Scene) -> tuple[str, list[tuple[int, str, str]]] | None:
    """What had to be said to the user, as the grader counts it, where the agent says it."""
    wanted = to_be_said(scene.outcomes)
    for text in wanted:
        if (found := _where(scene, text)) is not None:
            n, message, match = found
            words = sentence(message, match.start())
            words = words if match[0] in words else around(message, *match.span(), MOST)
            which = f"told at {n}" if len(wanted) == 1 else f"“{as_told(scene, text) or text}” at {n}"
            return which, [(n, words, "told, as required")]
    return None


def as_told(scene: Scene, fact: str) -> str:
    """`$1,126.10` for 1126.1, `tracking number` for a long number; empty where nothing names its thing."""
    if not _NUMBER.fullmatch(fact) or (found := _where(scene, fact)) is None:
        return "" if _LONG.fullmatch(fact) else fact
    _, message, match = found
    before = message[: match.start()][-_BEFORE:].rpartition("\n")[2]
    if sign := _SUM.search(before):
        return sign[0] + match[0]
    thing = _THING.search(before)
    return thing["thing"].strip() if thing else "" if _LONG.fullmatch(fact) else fact


def _where(scene: Scene, text: str) -> tuple[int, str, re.Match[str]] | None:
    """The last message of the agent that tells it."""
    whole = re.compile(rf"(?<![\w.]){_as_written(text)}(?!\w|\.\d)", re.IGNORECASE)
    for step in reversed(scene.trace.steps):
        if step.source == "agent" and not step.kind and (match := whole.search(step.message)) is not None:
            return step.n, step.message, match
    return None


def _as_written(text: str) -> str:
    """The form of a fact in prose: `1126.1` stands there as `1,126.10`."""
    if not _NUMBER.fullmatch(text):
        return re.escape(text)
    whole, point, part = text.partition(".")
    return _THOUSANDS.sub(",?", whole) + (rf"\.{part}0?" if point else "")
