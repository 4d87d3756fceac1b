"""The signals of a name that neither task nor observation had given, that is not there, and is used again.

Not known: whether the agent knew the thing from elsewhere, and whether another spelling of it had been given.
"""

from __future__ import annotations

import re

from reviewer.facts import Error, first_appearance
from reviewer.facts.calls import arguments_of, paths_written
from reviewer.facts.texts import ends, step_texts, strings
from reviewer.suggest.rules.seen.broken import broken_off, final_answer
from reviewer.suggest.rules.seen.fitting import fitting, narrowed
from reviewer.suggest.rules.seen.phrases import missing
from reviewer.suggest.rules.seen.quoting import BRIEF, around, called, head, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_UNNAMED = re.compile(r"\b(?:\w+ not found|no such \w+|\w+ (?:does not|doesn't) exist)\b", re.IGNORECASE)
_SYMBOL = re.compile(
    r"command not found|\battribute\b|\bnot defined\b|no module|\bimport\b|\b(?:function|option|method)\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?=.*[\d_#@])[#\w][\w.@#-]{5,80}")
_GONE = re.compile(r"\bfile not found: ?['\"]?(?P<path>[^\n'\"]{3,300})", re.IGNORECASE)
_NAME = 40  # characters of a name that are read at a glance
_MOST_ERRORS = 20  # looked at for invented names: each one searches all earlier texts


def not_there(scene: Scene) -> Fired | None:
    """Something was used that nothing before had mentioned; it is not there, and the agent uses it again."""
    for error in [one for one in scene.facts.unrecovered if one.kind == "tool"][:_MOST_ERRORS]:
        step = scene.step(error.step)
        name = (_missing_name(step, error) or _missing_value(step, error)).removeprefix("./").lstrip("#")
        given = name and first_appearance(scene.trace, name, before=error.step, given=True, ignore_case=True)
        again = _used_again(scene, name, error.step) if name and given is None else None
        if again is not None:
            return _nowhere(step, error, name, again)
    return None


def _nowhere(step: Step, error: Error, name: str, again: tuple[int, str]) -> Fired:
    """The words that a thing which nothing gave is not there, or its use, and where it is used again."""
    submode = "fabricated function" if _SYMBOL.search(error.quote) else "wrong path"
    says = f"{submode}: nothing given before step {error.step} names {shortened(name, _NAME)}; "
    says += f"it is not found, yet step {again[0]} goes on with it"
    used = "" if name in error.quote else called(step)

    def build(width: int) -> Fired:
        at, then = error.quote.find(name), again[1].find(name)
        found = around(error.quote, at, at + len(name), width) if at >= 0 else head(error.quote, width)
        on = (again[0], around(again[1], then, then + len(name), width), "goes on")
        kept = fitting(says, "", [(error.step, used, "used"), (error.step, found, "answered"), on])
        return fired("not_there", error.step, says, 0.56, *kept)

    return narrowed(build)


def _missing_name(step: Step, error: Error) -> str:
    """The name that the error says is not there, as the step's own call used it."""
    name = missing(error.quote)
    if any(name in path for call in step.calls for path, _ in paths_written(call)):
        return ""  # to write a new file is no belief that it is there
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")  # `user` is not named by `user_id`
    given = (text for call in step.calls for text in strings(call.arguments))
    return name if len(name) > 2 and any(whole.search(text) for text in given) else ""


def _missing_value(step: Step, error: Error) -> str:
    """The one value that a call was given, where the error says without a name that it is not there."""
    given = [text for call in step.calls for text in strings(arguments_of(call))]
    unnamed = len(given) == 1 and _UNNAMED.search(error.quote) and _IDENTIFIER.fullmatch(given[0])
    return given[0] if unnamed else ""


def _used_again(scene: Scene, name: str, after: int) -> tuple[int, str] | None:
    """The last later call that is given the name."""
    whole = re.compile(rf"(?<![\w/]){re.escape(name)}(?!\w|[.-]\w)")
    for step in reversed(scene.trace.steps[after:]):
        for call in step.calls if step.source == "agent" else ():
            for text in (call.name, *strings(call.arguments)):
                if name in text and whole.search(text):  # `in` first: it is much faster
                    return step.n, text
    return None


def file_not_there(scene: Scene) -> Fired | None:
    """A file that nothing had given is opened twice, and is not found either time."""
    found = gone_twice(scene)
    if found is None:
        return None
    (first, name, words), (again, _, repeated) = found
    if first_appearance(scene.trace, name, before=first, given=True) is not None:
        return None
    says = f"wrong path: {shortened(name, _NAME)} is opened at {first} and again at {again}, "
    says += "and both times it is not found"
    answer, broken = final_answer(scene), broken_off(scene)
    what = "content filter" if broken is not None and broken.filter else "fault of network or machine"
    but = f"a {what} ended the run at {broken.step}" if broken is not None else ""
    more = [] if answer is None else [(answer[0], head(answer[1], BRIEF), "still answered")]
    quotes = [(first, words, "answered"), (again, repeated, "again")]
    return fired("file_not_there", first, says, 0.5, *fitting(says, but, quotes, more), but=but)


def gone_twice(scene: Scene) -> tuple[tuple[int, str, str], tuple[int, str, str]] | None:
    """The first two turns in a run of several agents that say of one file that it is not there."""
    seen: dict[str, tuple[int, str, str]] = {}
    for step in scene.trace.steps:
        for place, whole in step_texts(step) if step.source == "agent" and not step.kind else ():
            text = ends(whole) if place == "message" else ""
            found = _GONE.search(text) if "not found" in text.lower() else None  # much faster
            if found is not None:
                name = found["path"].strip().rsplit("/", 1)[-1]
                now = (step.n, name, around(text, *found.span(), BRIEF))
                if (first := seen.setdefault(name, now)) is not now:
                    return first, now
    return None
