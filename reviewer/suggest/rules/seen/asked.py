"""What the user wanted of the run, in one sentence of theirs, and what they were last waiting for.

English phrases only, by form. Not known: which of several requests a step served.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.consent import messages
from reviewer.suggest.rules.seen.quoting import BRIEF, clause, head, tail
from reviewer.suggest.rules.seen.scene import Scene

_WANTS = re.compile(
    r"\b(?:I|we)(?:['’]d| would)? (?:like|want|need)\b|\b(?:can|could|would) you\b|\bplease\b"
    r"|\b(?:looking|trying|unable|have) to\b|\btrouble\b|\bproblems? with\b|\bhelp me\b",
    re.IGNORECASE,
)
_HANGS = re.compile(r"\s(?:under|at|by|about|into|over|before|after)\Z")  # where a sentence was cut
_QUESTION = re.compile(r"[^.!?\n]{8,400}\?")
_FIRST = 2  # messages in which a request is looked for
_LONG = 4_000


def request(scene: Scene, before: int | None = None, width: int = BRIEF) -> tuple[int, str] | None:
    """The sentence in which the user first says what is wanted; else a question, else the beginning."""
    said = [(n, text) for n, text in messages(scene, before)[:_FIRST] if n]
    for form in (_WANTS, _QUESTION):
        for n, text in said:
            if match := form.search(text[:_LONG]):
                words = clause(text, match.end() - len(match[0].lstrip()), match.end(), width)
                return n, _HANGS.sub("", words)
    return (said[0][0], head(said[0][1], width)) if said else None


def waiting(scene: Scene, before: int, width: int = BRIEF) -> tuple[int, str] | None:
    """The last question of the user before a step, where no message of the agent answers it."""
    said = [(n, text) for n, text in messages(scene, before) if n][-1:]
    if not said or any(
        step.source == "agent" and step.message.strip() for step in scene.trace.steps[said[0][0] :]
    ):
        return None
    n, text = said[0]
    found = list(_QUESTION.finditer(text[-_LONG:]))
    if not found:
        return None
    question = " ".join(found[-1][0].split()).lstrip("\"'”’) ")
    if len(question) <= width:
        return n, question
    end = text.rfind(found[-1][0]) + len(found[-1][0])
    return n, tail(text[:end], width)
