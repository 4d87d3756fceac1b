"""Failures that the agent did not hide: it says so, or its own check could not see it.

English phrases only. Not known: whether what it says is true beyond the errors that the run shows, and
whether other attempts at the task met the same.
"""

from __future__ import annotations

import re

from reviewer.facts.claim import finishes
from reviewer.facts.results import failed
from reviewer.facts.texts import colourless, pairs, step_texts, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.phrases import ADMITS, SPOKEN, missing
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, WIDTH, around, call_made, sentence, shortened
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
_FEW = 8  # words
_SEARCHES = re.compile(r"\b(?:find|grep|locate)\b|\*|\|")
_NAME = 60  # characters of a file's name that are read at a glance
_LOOKS = 2  # further looks for what is missing


def admission(scene: Scene) -> tuple[int, str] | None:
    """The sentence of the last message that says what is not, or cannot be, done; no plan after it."""
    claim = scene.facts.claim
    if claim is None or scene.facts.passed is not False:
        return None
    text = claim.quote[:8000]
    found = sorted(ADMITS.finditer(text), key=lambda match: _ASKS.match(match[0]) is not None)
    if not found or _PLANS.search(text[found[0].end() :]):
        return None
    return claim.step, sentence(text, found[0].start(), least=LEAST)


def held_up(scene: Scene) -> Fired | None:
    """It could not go on for a reason outside, tried more than once, and says so at the end."""
    said = None if other_part(scene) is not None else admission(scene)
    return (_input_missing(scene, said) or _fault_named(scene, said)) if said else None


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


def _input_missing(scene: Scene, said: tuple[int, str]) -> Fired | None:
    """A file that the task names is not there, further looks do not find it, and nothing was written."""
    claim = scene.facts.claim
    if scene.facts.last_write is not None or claim is None:
        return None
    for error in scene.facts.unrecovered[:20]:
        path = missing(error.quote) or error.target
        name = path.rsplit("/", 1)[-1]
        gone = _GONE.search(error.quote)
        if "." not in name or name not in claim.quote or gone is None:
            continue
        asked = _given(scene, name, error.step)
        looks = _looks(scene, name, path, error.step)
        if asked is None or len(looks) < _LOOKS:
            continue
        says = (
            f"a missing input: {shortened(name, _NAME)} was not there at {error.step} nor in {len(looks)} "
            "further looks, and the agent says so"
        )
        listed = _listed(scene, name, path, error.step)
        last = (claim.step, _naming(claim.quote, name, claim.quote.find(name)), "said")
        absent = (error.step, _absent(error.quote, gone, name), "not there")
        quotes = [(*asked, "asked"), absent, listed or looks[-1], last]
        return fired("held_up", error.step, says, 0.5, *quotes)
    return None


def _given(scene: Scene, name: str, before: int) -> tuple[int, str] | None:
    """Where the task or the user names the file first, as one that is there."""
    for step in scene.trace.steps[: before - 1]:
        if step.source != "agent" and (at := step.message.find(name)) >= 0:
            if _TO_BE_MADE.search(step.message[max(at - _BEFORE, 0) : at]):
                return None
            return step.n, _naming(step.message, name, at)
    return None


def _naming(text: str, name: str, at: int) -> str:
    """The sentence in which a name stands, of a long one the words round it."""
    whole = sentence(text, at, least=LEAST)
    return whole if _short(whole) else around(text, at, at + len(name), BRIEF)


def _short(text: str) -> bool:
    """Whether a sentence is read at a glance: it may be long for a path in it."""
    return len(text) <= BRIEF or (len(text) <= WIDTH and len(text.split()) <= _FEW)


def _absent(text: str, gone: re.Match[str], name: str) -> str:
    """The words of an error that say what is not there: both the name and that it is gone, if they fit."""
    whole, at = sentence(text, gone.start()), text.rfind(name, 0, gone.end() + _BEFORE)
    start, end = min(at, gone.start()), max(at + len(name), gone.end())
    near = at >= 0 and end - start <= BRIEF
    return whole if _short(whole) else around(text, *((start, end) if near else gone.span()), BRIEF)


def _looks(scene: Scene, name: str, path: str, after: int) -> list[tuple[int, str, str]]:
    """Later calls that look for the file, by its name or in the folders where it should lie."""
    parts = [part for part in path.strip("/").split("/") if part] or [name]
    found = []
    for step in scene.trace.steps[after:]:
        if step.source == "agent" and not any(map(finishes, step.calls)):
            texts = [text for place, text in step_texts(step) if place == "call"]
            named = [text for text in texts if name in text or f"/{parts[0]}" in text]
            if named:
                words = max(named, key=lambda text: (name in text, -len(text)))
                at = max(words.find(name), 0)
                found.append((step.n, around(words, at, at + len(name), LEAST), "looked"))
    return found


def _listed(scene: Scene, name: str, path: str, after: int) -> tuple[int, str, str] | None:
    """What a look into the folder shows, if that is short and the file is not in it."""
    top = path.strip("/").split("/")[0]
    for step in scene.trace.steps[after:]:
        for call, result in pairs(step) if step.source == "agent" else ():
            given = " ".join(strings(call.arguments))
            if result is None or failed(result) or f"/{top}" not in given or name in given + result.content:
                continue
            if _SEARCHES.search(given):
                continue  # for something else
            rest = colourless(result.content).strip()
            shown = rest.partition(":\n")[2].strip() if ":\n" in rest else rest
            if len(shown) <= WIDTH and 1 < len(shown.split()) <= _FEW:
                return step.n, " ".join(shown.split()), "in the folder"
    return None


def _fault_named(scene: Scene, said: tuple[int, str]) -> Fired | None:
    """A fault of network or machine that was met more than once, and that the last words name."""
    claim = scene.facts.claim
    faults = [error for error in scene.facts.unrecovered if error.kind == "environment"]
    match = SPOKEN.search(claim.quote[:8000]) if claim else None
    if claim is None or match is None or not faults:
        return None
    first = faults[0]
    again = [e for e in scene.facts.unrecovered if first.step < e.step < claim.step and telling(e.quote)]
    if not again:
        return None
    says = f"a fault outside: met at {first.step}, tried again at {again[-1].step}, still there"
    says = f"{says}, and the agent says so; {scene.failed}"
    quotes = [(first.step, first.quote, "the fault"), (again[-1].step, again[-1].quote, "once more")]
    words = (claim.step, around(claim.quote, *match.span()), "said")
    return fired("held_up", first.step, says, 0.5, *quotes, words)


def said_it_failed(scene: Scene) -> Fired | None:
    """The last message admits that something is not done or not verified, after a write or a left error.

    In a talk a sentence of that kind often only keeps to a policy, and without either nothing shows that it
    was tried to the end: there it is a pointer and no signal.
    """
    facts, said = scene.facts, admission(scene)
    if said is None or facts.claim is None or facts.user_turns or held_up(scene) is not None:
        return None
    if other_part(scene) is not None:
        return None
    if _ADVICE.search(facts.claim.quote[:8000]):
        return None  # what it leaves to the user it might have tried itself
    worked = [step.n for step in scene.trace.steps[: said[0]] if step.source == "agent" and step.calls]
    if not worked or (facts.last_agent or 0) > said[0]:
        return None
    step = scene.departure(said[0])  # to admit it is honest: the departure lies before
    errors = [(e.step, e.quote, "the error") for e in scene.standing if e.step == step and step != said[0]]
    if facts.last_write is None and not errors:
        return None
    what = f"after an error at {step} that was left" if errors else "after its last write"
    says = f"an honest end: {what} it says what is not, or could not be, done; {scene.failed}"
    quotes = list(errors[:1])
    if facts.last_write is not None:
        given, _ = call_made(
            scene.step(facts.last_write.step), facts.last_write.target, facts.last_write.tool
        )
        quotes.append((facts.last_write.step, given, "last write"))
    return fired("said_it_failed", step, says, 0.35, *quotes, (*said, "said"))
