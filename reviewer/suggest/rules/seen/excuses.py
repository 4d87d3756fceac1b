"""What speaks for a run that ended, or handed over, while an expected call was open.

A reason of policy, or a person whom the user wanted: whether it was right is a reader's to tell. By form,
English only.
"""

from __future__ import annotations

import json
import re

from reviewer.facts.texts import step_texts, strings
from reviewer.suggest.rules.seen.consent import WANTS_A_PERSON, Said, messages
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.quoting import sentence
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

_REASON = re.compile(
    r"\bpolic(?:y|ies)\b|\bnot (?:allowed|permitted|eligible|supported)\b"
    r"|\b(?:does|do)(?: not|n['’]t) (?:support|allow)\b"
    r"|\b(?:prohibit|restrict)\w*|\bcan(?:not|['’]t) be (?:cancel|modif|chang|refund|updat|remov)\w*"
    r"|\bnon-\w+ \w+ cannot\b",
    re.IGNORECASE,
)
_SAID = 70


def handing_over(scene: Scene) -> tuple[int, str] | None:
    """The last call that hands the task to somebody, with the reason that it gives."""
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name):
                return step.n, _reason(step)
    return None


def excuse(scene: Scene, n: int) -> str | None:
    """What speaks for handing over at a step: the user's wish, or a reason of policy."""
    said = messages(scene, n)
    if said and WANTS_A_PERSON.search(said[-1][1]):
        return f"the user asks for a person (step {said[-1][0]})"
    last = next(
        (step.message for step in reversed(scene.trace.steps[:n]) if step.source == "agent" and step.message),
        "",
    )
    for text in ((handing_over(scene) or (0, ""))[1], last):
        if match := _REASON.search(text):
            words = sentence(text, match.start(), _SAID)
            return f"its reason is policy, which is yours to check (“{words}”)"
    return None


def declined_after(scene: Scene, n: int) -> Said | None:
    """Where the agent, after a step, says that a rule forbids something."""
    for step in scene.trace.steps[n:]:
        match = _REASON.search(step.message) if step.source == "agent" else None
        if match is not None:
            return Said(step.n, sentence(step.message, match.start(), _SAID))
    return None


def _reason(step: Step) -> str:
    """What a hand-over says, as the step holds it; of arguments that are JSON as text the words in them."""
    texts = [text.strip() for place, text in step_texts(step) if place == "call" and len(text.split()) > 2]
    for text in texts:
        try:
            inner = max(strings(json.loads(text)), key=len, default="") if text[:1] == "{" else ""
        except (ValueError, RecursionError):
            inner = ""
        if inner and inner in text:
            return inner
    return next((text for text in texts if text[:1] != "{"), texts[0] if texts else "")
