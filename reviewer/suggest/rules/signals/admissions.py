"""The signal of an input that is not there, and the words in which a run says what is not done.

English phrases only. Not known: whether what it says is true beyond the errors that the run shows, and
whether other attempts at the task met the same.
"""

from __future__ import annotations

import re

from reviewer.facts.claim import finishes
from reviewer.facts.texts import step_texts
from reviewer.suggest.rules.seen.fitting import narrowed
from reviewer.suggest.rules.seen.phrases import ADMITS, missing, own_words
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, WIDTH, Quote, clause, sentence, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_GONE = re.compile(
    r"(?:does not|doesn['’]t|do not) exist|no such file|not found|not present|cannot find", re.IGNORECASE
)
_PLANS = re.compile(
    r"\b(?:I['’]ll|I will|let me (?!know)|let['’]s|we (?:should|will)|next,|now I)\b", re.IGNORECASE
)
_ASKS = re.compile(r"please (?:verify|check|confirm)", re.IGNORECASE)
_TO_BE_MADE = re.compile(
    r"\b(?:to|into|as|create|write|save|produce|named?|called)\b[\s`'\"/\w.-]{0,60}\Z", re.IGNORECASE
)
_LONG = 8_000  # characters of the last words
_BEFORE = 100
_NAME = 60  # characters of a file's name that are read at a glance
_TWICE = 2  # further looks for what is missing


def admission(scene: Scene) -> tuple[int, str] | None:
    """The sentence of the last message that says what is not, or cannot be, done; no plan after it."""
    claim = scene.facts.claim
    if claim is None or scene.facts.passed is not False:
        return None
    text = claim.quote[:_LONG]
    found = sorted(ADMITS.finditer(own_words(text)), key=lambda match: _ASKS.match(match[0]) is not None)
    if not found or _PLANS.search(text[found[0].end() :]):
        return None
    return claim.step, sentence(text, found[0].start(), least=LEAST)


def held_up(scene: Scene) -> Fired | None:
    """A file that was named to the agent is not there, further looks do not find it, and the agent says so.

    Whether only this attempt met it, or the task is broken for every one, no single trace shows.
    """
    claim = scene.facts.claim
    if scene.facts.last_write is not None or claim is None or admission(scene) is None:
        return None
    for error in scene.facts.unrecovered[:20]:
        path = missing(error.quote) or error.target
        name = path.rsplit("/", 1)[-1]
        told = [(error.step, error.quote, "the error"), (claim.step, claim.quote[:_LONG], "said")]
        tries, given = _looks(scene, name, path, error.step), _given(scene, name, error.step)
        absent = all(_absence(text, name, BRIEF) for _, text, _ in told)
        if "." in name and absent and tries >= _TWICE and given is not None:
            says = f"missing input: {shortened(name, _NAME)}, named at {given}, is not there ({error.step}); "
            return _missing(f"{says}{tries} more looks do not find it", name, told)
    return None


def _missing(says: str, name: str, told: list[Quote]) -> Fired:
    """The suggestion, with the words of each text that tell of the absence."""

    def build(width: int) -> Fired:
        quotes = [(n, _absence(text, name, width), shows) for n, text, shows in told]
        return fired("held_up", told[0][0], says, 0.4, *quotes, but="the task itself may be broken")

    return narrowed(build)


def _absence(text: str, name: str, width: int) -> str:
    """Of a text the words from the name of a thing to those that it is not there, or the other way round."""
    named = [match.span() for match in re.finditer(re.escape(name), text)]
    spans = [
        (min(start, gone.start()), max(end, gone.end()))
        for gone in _GONE.finditer(text)
        for start, end in named
    ]
    start, end = min(spans, key=lambda span: span[1] - span[0], default=(0, 0))
    return clause(text, start, end, max(width, end - start)) if 0 < end - start <= WIDTH else ""


def _given(scene: Scene, name: str, before: int) -> int | None:
    """The step that names the file first, if that is not the agent's own word, as one that is there."""
    for step in scene.trace.steps[: before - 1]:
        for place, text in step_texts(step):
            if (at := text.find(name)) >= 0:
                own = step.source == "agent" and place != "result"
                made = _TO_BE_MADE.search(text[max(at - _BEFORE, 0) : at]) is not None
                return None if own or made else step.n
    return None


def _looks(scene: Scene, name: str, path: str, after: int) -> int:
    """How many later steps look for the file, by its name or in the folders where it should lie."""
    parts = [part for part in path.strip("/").split("/") if part] or [name]
    own = [step for step in scene.trace.steps[after:] if step.source == "agent"]
    given = (
        [text for place, text in step_texts(step) if place == "call"]
        for step in own
        if not any(map(finishes, step.calls))
    )
    return sum(any(name in text or f"/{parts[0]}" in text for text in texts) for texts in given)
