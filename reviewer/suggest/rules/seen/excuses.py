"""What speaks for a run that ended, or handed over, while an expected call was open.

A reason of policy, a person whom the user wanted, a look-up that failed for good, a user who left: whether it
was right is a reader's to tell. By form, English only.
"""

from __future__ import annotations

import json
import re

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import ends, pairs, spelled, step_texts, strings
from reviewer.facts.tools import named_read
from reviewer.suggest.rules.seen.consent import WANTS_A_PERSON, YES, Said, messages
from reviewer.suggest.rules.seen.phrases import FAULT, HANDS_OVER
from reviewer.suggest.rules.seen.quoting import WIDTH, sentence
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

REASON = re.compile(
    r"\bpolic(?:y|ies)\b|\bnot (?:allowed|permitted|eligible|supported)\b"
    r"|\b(?:does|do)(?: not|n['’]t) (?:support|allow)\b"
    r"|\b(?:prohibit|restrict)\w*|\bcan(?:not|['’]t) be (?:cancel|modif|chang|refund|updat|remov)\w*"
    r"|\bnon-\w+ \w+ cannot\b",
    re.IGNORECASE,
)
_DECLINES = re.compile(
    r"\bunfortunately\b"
    r"|\b(?:I|we)(?:['’]m| am|['’]re| are)? ?(?:unable|not able|can(?:no|['’])t|sorry,? but)\b"
    r"|\bI must (?:adhere|inform|note|decline)\b",
    re.IGNORECASE,
)  # fmt: skip
_NOTHING = re.compile(
    r"\bno (?:available|matching|direct)\b|\bnot available\b|\bout of stock\b"
    r"|\bcould(?: not|n['’]t) (?:be found|find|locate)\b",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"\b(?:would you like|do you want|shall I|please confirm|could you (?:please )?confirm"
    r"|may I|can I proceed)\b",
    re.IGNORECASE,
)
_LACKS = re.compile(  # what a reason says of the world or of the tools
    r"\b(?:lacks?|lacking|missing|unable|unavailable|impossible|insufficient"
    r"|no (?:way|tool|data|record|access|information)|cannot|can['’]t|could(?: not|n['’]t)"
    r"|(?:does|do|did|is|are|was)(?: not|n['’]t))\b",
    re.IGNORECASE,
)
_OF_USER = re.compile(r"\b(?:user|customer|caller|client)\b", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n")
_ORDERS = re.compile(r"go ahead|proceed|please", re.IGNORECASE)
_SAID = 70
_LONG = 4_000  # characters of a reason


def handing_over(scene: Scene) -> tuple[int, str] | None:
    """The last call that hands the task to somebody, with the reason that it gives."""
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name):
                return step.n, _reason(step)
    return None


def excuse(scene: Scene, n: int) -> str | None:
    """What speaks for handing over at a step: the user's wish, a reason of policy, a failed look-up."""
    said = messages(scene, n)
    if said and (match := WANTS_A_PERSON.search(said[-1][1])):
        return f"the user asks for a person (step {said[-1][0]})"
    last = next(
        (step.message for step in reversed(scene.trace.steps[:n]) if step.source == "agent" and step.message),
        "",
    )
    for text in ((handing_over(scene) or (0, ""))[1], last):
        if match := REASON.search(text):
            words = sentence(text, match.start(), _SAID)
            return f"its reason is policy, which is yours to check (“{words}”)"
        if match := _NOTHING.search(text):
            return f"it says that there is nothing to be had (“{sentence(text, match.start(), _SAID)}”)"
    if (fault := outage(scene, n) or _barred(scene, n)) is not None:
        return f"a call had failed for good before (step {fault[0]}: {fault[1]})"
    return None


def claim_of(reason: str) -> str:
    """The sentence of a reason that says what the world or the tools have not: true, or made up?"""
    parts = _SENTENCES.split(reason[:_LONG])
    return next((part for part in parts if _LACKS.search(part) and not _OF_USER.search(part)), "")


def offered(scene: Scene, after: int, before: int) -> Said | None:
    """Where the agent, between a request and a call, last asked whether to do it."""
    for step in reversed(scene.trace.steps[after : before - 1]):
        match = ASKS.search(step.message) if step.source == "agent" else None
        if match is not None:
            return Said(step.n, sentence(step.message, match.start(), _SAID), "offered")
    return None


def _barred(scene: Scene, before: int) -> tuple[int, str] | None:
    """The first failure of a way of looking that never went through."""
    left: dict[str, tuple[int, str]] = {}
    went: set[str] = set()
    for step in scene.trace.steps[: before - 1]:
        for call, result in pairs(step):
            if result is None or not named_read(call.name):
                continue
            if failed(result):
                left.setdefault(call.name, (step.n, sentence(ends(result.content), 0)))
            else:
                went.add(call.name.split("_by_")[0])  # found in another way
    return min((fault for name, fault in left.items() if name.split("_by_")[0] not in went), default=None)


def outage(scene: Scene, before: int) -> tuple[int, str] | None:
    """The first call that something outside made fail, and that never went through afterwards."""
    left: dict[tuple[str, str], tuple[int, str]] = {}
    for step in scene.trace.steps[: before - 1]:
        for call, result in pairs(step):
            if result is None:
                continue
            key = (call.name, spelled(arguments_of(call)))
            match = FAULT.search(ends(result.content)) if failed(result) else None
            if match is not None:
                left.setdefault(key, (step.n, sentence(ends(result.content), match.start())))
            elif not failed(result):
                left.pop(key, None)
    return min(left.values(), default=None)


def user_left(scene: Scene) -> Said | None:
    """The last message of the user, where it says to go on and nothing of the agent follows."""
    last = scene.trace.steps[-1:]
    if not last or last[0].source != "user" or last[0].kind:
        return None
    match = YES.search(last[0].message)
    asked = scene.facts.claim is not None and ASKS.search(scene.facts.claim.quote)
    if match is None or not (asked or _ORDERS.search(match.group())):
        return None
    return Said(last[0].n, sentence(last[0].message, match.start()))


def declined_after(scene: Scene, n: int, most: int = WIDTH) -> Said | None:
    """Where the agent, after a step, says that something cannot or must not be done."""
    for step in scene.trace.steps[n:] if n else scene.trace.steps:
        text = step.message if step.source == "agent" else ""
        match = REASON.search(text) or _DECLINES.search(text)
        if match is not None:
            return Said(step.n, sentence(text, match.start(), most))
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
