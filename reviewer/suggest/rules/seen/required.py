"""What had to be told to the user, as the grader holds it and as the agent tells it.

By form: a sum as prose writes it. Not known: whether it was asked for.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.deeds import MOST
from reviewer.suggest.rules.seen.graded import to_be_said
from reviewer.suggest.rules.seen.quoting import around, sentence
from reviewer.suggest.rules.seen.scene import Scene

_NUMBER, _THOUSANDS = re.compile(r"\d{1,12}(?:\.\d{1,6})?"), re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")
_SHORT = 24  # characters of a fact that a sentence can hold
_NAME = re.compile(r"\d{5,}")  # of something: says nothing alone


def told(scene: Scene) -> tuple[str, tuple[int, str, str]] | None:
    """The first thing that had to be said to the user, with the number of others, where the agent says it."""
    wanted = to_be_said(scene.outcomes)
    for text in wanted:
        whole = re.compile(rf"(?<![\w.])[$€£]?{_as_written(text)}(?!\w|\.\d)", re.IGNORECASE)
        for step in reversed(scene.trace.steps):
            match = whole.search(step.message) if step.source == "agent" and not step.kind else None
            if match is not None:
                words = sentence(step.message, match.start(), MOST)
                words = words if match[0] in words else around(step.message, *match.span(), MOST)
                more = f" and {len(wanted) - 1} more" if len(wanted) > 1 else ""
                plain = len(match[0]) <= _SHORT and not _NAME.fullmatch(match[0])
                return f"“{match[0]}”{more}" if plain else "", (step.n, words, "told, as required")
    return None


def _as_written(text: str) -> str:
    """The form of a fact in prose: `1126.1` stands there as `1,126.10`."""
    if not _NUMBER.fullmatch(text):
        return re.escape(text)
    whole, point, part = text.partition(".")
    return _THOUSANDS.sub(",?", whole) + (rf"\.{part}0?" if point else "")
