"""The signals that read what agents say, to each other or into their own record of progress.

Runs of several agents often hold no calls at all: what was asked, found and decided stands in messages.
English phrases only, and by form. Not known to any of them: whether what an agent found is so.
"""

from __future__ import annotations

import re

from reviewer.facts.texts import ends, step_texts
from reviewer.label import telling
from reviewer.suggest.scene import Fired, Scene, fired
from reviewer.trace import Step

_FILTER = re.compile(
    r"content[ _](?:filter(?:ed|ing)?|management policy)|ResponsibleAIPolic\w+|\bcontent policy violation"
    r"|flagged (?:as|by) .{0,40}(?:policy|moderation)",
    re.IGNORECASE,
)
_STUCK = re.compile(
    r'"\w*loop\w*":\s*(?:\{[^{}]{0,800}?"answer":\s*)?true\b'
    r"|\bstuck in a (?:loop|cycle)\b|\b(?:going|running|went) (?:round )?in circles\b"
    r"|\bkeep (?:repeating|running into|getting) the same\b",
    re.IGNORECASE,
)
_DENIES = re.compile(  # `no indication that it is stuck in a loop`
    r"\b(?:no|not|never|without)\b[^.\n]{0,60}\b(?:stuck|in circles|in a (?:loop|cycle)|the same)\b",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:down-?loaded|saved|attached|extracted) (?:copy of the )?"
    r"(?:PDF|file|document|paper|article|image|spreadsheet|CSV|archive)",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\bfile not found\b|\bno such file\b|FileNotFoundError|\berror 404\b|\b404 not found\b", re.IGNORECASE
)
_SAYS = re.compile(
    r"error|fail|\bno \w|cannot|can't|could not|\bnot\b|invalid|denied|unable|missing|exception|refus",
    re.IGNORECASE,
)
_MADE_UP = re.compile(
    r"\b(?:simulat(?:e|ed|ing)|hypothetical|placeholder|mock(?:ed)?|dummy|fictional|made[- ]up|fabricated)"
    r"\b.{0,60}\b(?:data|results?|values?|prices?|distances?|address(?:es)?|responses?|answers?|numbers?|files?)\b"
    r"|\bfor (?:demonstration|illustration)(?: purposes)?\b",
    re.IGNORECASE,
)
_WITHIN = 8  # steps in which a file that is spoken of has to be opened
_QUOTE = 400
_LEAD = 80  # characters before the words that are looked for, to make a clause
_DONE = ("message", "call")
_SHOWN = ("message", "reasoning", "call", "result")


def _first(
    step: Step, pattern: re.Pattern[str], places: tuple[str, ...] = ("message", "reasoning", "call")
) -> tuple[int, str] | None:
    """The first words of an agent's step that match in one of these places, as a quote."""
    if step.source != "agent" or step.kind:
        return None
    for text in (ends(text) for place, text in step_texts(step) if place in places):
        match = pattern.search(text)
        if match:
            end = text.find("\n", match.end())
            start = max(
                text.rfind("\n", 0, match.start()) + 1, text.rfind(" ", 0, max(0, match.start() - _LEAD)) + 1
            )
            return step.n, text[start : end if end >= 0 else None][:_QUOTE].strip()
    return None


def _stuck(scene: Scene) -> list[tuple[int, str]]:
    found = [quote for step in scene.trace.steps if (quote := _first(step, _STUCK))]
    return [(n, quote) for n, quote in found if not _DENIES.search(quote)]


def stopped_by_filter(scene: Scene) -> Fired | None:
    """A filter of the provider stands in the last words of the run.

    It weighs less where the agents had said before that they were stuck: then it only ended what was lost.
    """
    last = scene.facts.last_agent
    quote = _first(scene.step(last), _FILTER, _SHOWN) if last else None
    if quote is None:
        return None
    weight = 0.25 if any(n < quote[0] for n, _ in _stuck(scene)) else 0.5
    return fired("stopped_by_filter", quote[0], "a content filter ended the run", weight, quote)


def file_not_there(scene: Scene) -> Fired | None:
    """A file is spoken of as fetched; soon after, opening it finds none."""
    held: tuple[int, str] | None = None
    for step in scene.trace.steps:
        gone = _first(step, _GONE, _SHOWN)
        if held and gone and 0 < gone[0] - held[0] <= _WITHIN:
            says = "a file is spoken of as fetched, and opening it finds none"
            return fired("file_not_there", held[0], says, 0.5, held, gone)
        if held is None or step.n - held[0] > _WITHIN:
            held = _first(step, _HELD)
    return None


def made_up(scene: Scene) -> Fired | None:
    """Values are called simulated, hypothetical or placeholders, and the outcome is failed."""
    if scene.facts.passed is not False:
        return None
    quote = next((found for step in scene.trace.steps if (found := _first(step, _MADE_UP, _DONE))), None)
    if quote is None:
        return None
    return fired("made_up", quote[0], f"values are called made up, {scene.failed}", 0.3, quote)


def says_it_is_stuck(scene: Scene) -> Fired | None:
    """The agents note more than once that they go in circles."""
    quotes = _stuck(scene)
    if scene.facts.passed is True or len(quotes) < 2:
        return None
    says = (
        f"the agents note {len(quotes)} times that they are stuck, last at step {quotes[-1][0]} of "
        f"{len(scene.trace.steps)}"
    )
    return fired("says_it_is_stuck", quotes[0][0], says, 0.3, quotes[0], quotes[-1])


def error_left(scene: Scene) -> Fired | None:
    """The first write that failed and after which none of its kind went through, and the outcome is failed.

    Of an error of any other call nobody sees whether it mattered: it is a place to begin to read.
    """
    if scene.facts.passed is not False:
        return None
    writes = {write.step for write in scene.facts.writes if write.failed}
    left = [e for e in scene.standing if e.kind == "tool" and e.tool and e.step in writes]
    error = next((e for e in left if telling(e.quote) and _SAYS.search(e.quote)), None)
    if error is None:
        return None
    later = sum(len(step.calls) for step in scene.trace.steps[error.step :])
    says = (
        f"a call of {error.tool} failed, and none of the {later} calls after it is one of its kind that went "
        f"through; {scene.failed}"
    )
    return fired("error_left", error.step, says, 0.28, (error.step, error.quote))
