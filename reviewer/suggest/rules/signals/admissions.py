"""Failures that the agent did not hide: it says so, or its own check could not see it.

English phrases only. Not known: whether what it says is true beyond the errors that the run shows, and
whether other attempts at the task met the same.
"""

from __future__ import annotations

import re

from reviewer.facts.claim import finishes
from reviewer.facts.texts import step_texts, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.narrowing import narrowed, shorter, tried_first
from reviewer.suggest.rules.seen.phrases import ADMITS, FAULT, SPOKEN, kind_of_fault, missing, own_words
from reviewer.suggest.rules.seen.quoting import (
    BRIEF,
    LEAST,
    call_made,
    called,
    head,
    sentence,
    shortened,
)
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_GONE = re.compile(r"(?:does not|doesn['’]t|do not) exist|no such file|not found|cannot find", re.IGNORECASE)
_PLANS = re.compile(
    r"\b(?:I['’]ll|I will|let me (?!know)|let['’]s|we (?:should|will)|next,|now I)\b", re.IGNORECASE
)
_ASKS = re.compile(r"please (?:verify|check|confirm)", re.IGNORECASE)
_ADVICE = re.compile(r"\byou (?:should|may|might|can|need to|will need)\b", re.IGNORECASE)
_TO_BE_MADE = re.compile(
    r"\b(?:to|into|as|create|write|save|produce|named?|called)\b[\s`'\"/\w.-]{0,60}\Z", re.IGNORECASE
)
_TALKS = re.compile(
    r"\bto (?:chat|talk|speak|write)\b[^.\n]{0,40}\buse the [`'\"]?(?P<tool>\w{3,40})", re.IGNORECASE
)
_WHOM = re.compile(
    r"\bavailable (?:NPCs?|persons?|people|colleagues?): ?(?P<who>[A-Z]\w{1,30})", re.IGNORECASE
)
_FIRST = 4  # steps in which the task stands
_BEFORE = 100
_NAME = 60  # characters of a file's name that are read at a glance
_TWICE = 2  # further looks for what is missing, or meetings with a fault


def admission(scene: Scene) -> tuple[int, str] | None:
    """The sentence of the last message that says what is not, or cannot be, done; no plan after it."""
    claim = scene.facts.claim
    if claim is None or scene.facts.passed is not False:
        return None
    text = claim.quote[:8000]
    found = sorted(ADMITS.finditer(own_words(text)), key=lambda match: _ASKS.match(match[0]) is not None)
    if not found or _PLANS.search(text[found[0].end() :]):
        return None
    return claim.step, sentence(text, found[0].start(), least=LEAST)


def held_up(scene: Scene) -> Fired | None:
    """A fault of network or machine that was met more than once, and that the last words name."""
    said = None if other_part(scene) is not None else admission(scene)
    if said is None or input_missing(scene) is not None:
        return None
    return _fault_named(scene)


def other_part(scene: Scene) -> tuple[str, str] | None:
    """A command with which the task says to talk to somebody, where it was never used: that, and to whom."""
    for step in scene.trace.steps[:_FIRST]:
        found = None if step.source == "agent" else _TALKS.search(step.message)
        who = _WHOM.search(step.message) if found is not None else None
        if found is not None and who is not None and who["who"] in step.message[: found.start()]:
            used = any(
                found["tool"] in text
                for done in scene.trace.steps
                if done.source == "agent"
                for call in done.calls
                for text in (call.name, *strings(call.arguments))
            )
            return None if used else (found["tool"], who["who"])
    return None


def input_missing(scene: Scene) -> tuple[int, str] | None:
    """A file that the task names is not there, further looks do not find it, and the agent says so.

    A pointer: whether only this attempt met it, or the task is broken for every one, no single trace shows.
    """
    claim = scene.facts.claim
    if scene.facts.last_write is not None or claim is None or admission(scene) is None:
        return None
    for error in scene.facts.unrecovered[:20]:
        path = missing(error.quote) or error.target
        name = path.rsplit("/", 1)[-1]
        gone = _GONE.search(error.quote)
        if "." not in name or name not in claim.quote or gone is None:
            continue
        looks = _looks(scene, name, path, error.step)
        if looks < _TWICE or not _given(scene, name, error.step):
            continue
        return error.step, (
            f"{shortened(name, _NAME)}, which the task names, is not there, nor in {looks} further looks, "
            "and it says so: gone for every attempt (task broken), or for this one?"
        )
    return None


def _given(scene: Scene, name: str, before: int) -> bool:
    """Whether the task or the user names the file first, as one that is there."""
    for step in scene.trace.steps[: before - 1]:
        if step.source != "agent" and (at := step.message.find(name)) >= 0:
            return _TO_BE_MADE.search(step.message[max(at - _BEFORE, 0) : at]) is None
    return False


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


def _fault_named(scene: Scene) -> Fired | None:
    """A fault of network or machine that was met more than once, and that the last words name."""
    claim = scene.facts.claim
    match = SPOKEN.search(claim.quote[:8000]) if claim else None
    if claim is None or match is None:
        return None
    faults = [
        error for error in scene.facts.unrecovered if error.kind == "environment" and telling(error.quote)
    ]
    faults = [error for error in faults if error.step < claim.step]
    if len({error.step for error in faults}) < _TWICE:
        return None
    first, last = faults[0], faults[-1]
    says = f"{kind_of_fault(first.quote)}: the fault met at {first.step} was still there at {last.step}"
    quote, at = claim.quote, match.start()
    tried = [(first.step, called(scene.step(first.step), BRIEF, failed=True), "tried")]

    def build(width: int) -> Fired:
        fault = (first.step, head(first.quote, width), "the fault")
        said = (claim.step, sentence(quote, at, width), "said")
        return fired("held_up", first.step, says, 0.5, *tried_first(fitting(says, "", [fault, said], tried)))

    return narrowed(build)


def said_it_failed(scene: Scene) -> Fired | None:
    """The last message admits that something is not done or not verified, after a write or a left error.

    In a talk a sentence of that kind often only keeps to a policy, and without either nothing shows that it
    was tried to the end: there it is a pointer and no signal.
    """
    facts, said = scene.facts, admission(scene)
    if said is None or facts.claim is None or facts.user_turns or held_up(scene) is not None:
        return None
    if other_part(scene) is not None or input_missing(scene) is not None:
        return None
    if _ADVICE.search(facts.claim.quote[:8000]):
        return None  # what it leaves to the user it might have tried itself
    worked = [step.n for step in scene.trace.steps[: said[0]] if step.source == "agent" and step.calls]
    if not worked or (facts.last_agent or 0) > said[0]:
        return None
    step = scene.departure(said[0])  # to admit it is honest: the departure lies before
    errors = [(e.step, e.quote, "the error") for e in scene.standing if e.step == step and step != said[0]]
    if (facts.last_write is None and not errors) or any(FAULT.search(words) for _, words, _ in errors):
        return None  # a fault outside speaks for another mode, and whether another way was open is not known
    says = f"wrong solution, honest: the agent admits at {said[0]} what is not done or not checked"
    if errors:
        says = f"blocked and said so: the error at {step} was left, and the agent admits it at {said[0]}"
    quotes, write = list(errors[:1]), facts.last_write
    if write is not None:
        given, _ = call_made(scene.step(write.step), write.target, write.tool, BRIEF)
        quotes.append((write.step, given, "last write"))

    def build(width: int) -> Fired:
        (n, words, shows), *more = quotes
        told = shorter(said[1], ADMITS.search(said[1]), width)
        kept = fitting(says, "", [(n, head(words, width), shows), (said[0], told, "said")], more)
        return fired("said_it_failed", step, says, 0.35, *kept)

    return narrowed(build)
