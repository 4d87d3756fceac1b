"""The signals of whether there was an attempt at all, and whether it was declined.

Not known: whether a policy of the task asked the agent to decline.
"""

from __future__ import annotations

import re
from collections import Counter

from reviewer.facts.texts import line_of
from reviewer.label import telling
from reviewer.suggest.rules.seen.fitting import narrowed, shorter
from reviewer.suggest.rules.seen.phrases import DANGER, FAULT, POLICY, REFUSES
from reviewer.suggest.rules.seen.quoting import BRIEF, around, head
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired, user_speaks

_RAISED = re.compile(r"\b[\w.]*(?:Error|Exception|Timeout)\b|\btimed out\b")
_ASKED = 60  # characters of what was asked, where that proves little
_SAFETY = re.compile(  # grounds of danger, or rules of the model's own; not those of a shop
    r"\b(?:harm\w*|danger\w*|unsafe|illegal|malicious|unethical|ethic\w*|safety|abus\w*|inappropriate)\b"
    r"|\b(?:my|our|usage|content|safety|ethical) (?:guidelines|polic(?:y|ies))\b|\bas an AI\b",
    re.IGNORECASE,
)


def never_acted(scene: Scene) -> Fired | None:
    """No turn of the agent: neither a completed one nor one that was not taken."""
    if scene.facts.first_action is not None:
        return None
    steps = scene.trace.steps
    if any(
        step.source == "agent" and step.message.strip() and not FAULT.search(step.message) for step in steps
    ):
        return None  # a turn that could not be read is one to judge
    if not steps:
        return fired("never_acted", None, "no turn of the agent: the file holds no step at all", 0.9)
    fault = next((step for step in reversed(steps) if step.fault and step.message.strip()), None)
    says = f"no turn of the agent: the file ends after {_held(scene)}"
    if fault is not None:
        says = f"model never answered: a fault ended the run before any turn; the file holds {_held(scene)}"
    own = list(filter(user_speaks, steps))
    asked = next((step for step in reversed(own) if telling(step.message)), next(iter(own), None))
    last = fault or next((step for step in reversed(steps) if step.message.strip()), None)
    quotes = [] if asked is None or fault else [(asked.n, _opening(asked.message, _ASKED), "asked")]
    if last is not None and last is not asked:
        match = FAULT.search(last.message) or _RAISED.search(last.message)
        words = around(last.message, *match.span()) if match else _opening(last.message, _ASKED)
        quotes.append((last.n, words, "the fault" if fault else "the last step"))
    but = "the grader passed it" if scene.facts.passed else ""
    return fired("never_acted", scene.last, says, 0.9, *quotes, but=but)


def _held(scene: Scene) -> str:
    """`3 steps (1 system, 1 user, 1 fault)`"""
    steps = scene.trace.steps
    count = Counter("fault" if step.fault else step.kind or step.source for step in steps)
    told = ", ".join(f"{number} {what}" for what, number in count.items())
    return f"{len(steps)} step{'s' if len(steps) > 1 else ''} ({told})"


def _opening(text: str, width: int = BRIEF) -> str:
    """The text from its first line on that proves anything."""
    start = 0
    for line in text[:4_000].splitlines(keepends=True):
        if telling(line):
            return head(text[start:], width)
        start += len(line)
    return head(text, width)


def refused(scene: Scene) -> Fired | None:
    """The last message declines and gives danger as the reason, no work was done, and no policy of the task
    is there that may have asked for it: whether one did is for a reader to tell.
    """
    found = declined(scene)
    if found is None or scene.facts.last_write is not None or policy(scene) is not None:
        return None
    n, words = found
    grounds = _SAFETY.search(words)
    if grounds is None and scene.trace.info.ended != "refused":
        return None
    asked = next((step for step in reversed(scene.trace.steps[: n - 1]) if step.source == "user"), None)
    says = f"full refusal: at {n} the model declines on grounds that no rule of the task gives"

    def build(width: int) -> Fired:
        asks = [(asked.n, _opening(asked.message, min(width, BRIEF)), "asked")] if asked is not None else []
        refuses = (n, head(shorter(words, grounds, width), width), "refused")
        return fired("refused", n, says, 0.6, *asks, refuses)

    return narrowed(build)


def declined(scene: Scene) -> tuple[int, str] | None:
    """The sentence of the last message that declines, and the one after it."""
    claim = scene.facts.claim
    match = REFUSES.search(claim.quote[:4000]) if claim else None
    if claim is None or match is None:
        return None
    line = line_of(claim.quote, match.start())
    rest = claim.quote[match.start() : match.start() + 400]
    two = rest.split("\n\n", 1)[0].rstrip()
    return claim.step, line if DANGER.search(line) else two


def policy(scene: Scene) -> tuple[int, str] | None:
    """The first line in which the policy of the task speaks of what is not to be done."""
    found = ((n, line_of(match.string, match.start())) for n, match in scene.policy(POLICY))
    return next(found, None)
