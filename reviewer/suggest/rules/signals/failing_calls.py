"""The signals of calls that a tool refused and that were never put right.

Not known: whether the call was needed. What the task names and what is not there is no fault of the call, and
neither is a fault of the surroundings; a call that had gone through before has done its work.
"""

from __future__ import annotations

import re

from reviewer.facts import Repeat, first_appearance, is_write
from reviewer.facts.texts import spelled, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.phrases import ARGUMENTS, FAULT, missing
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, WIDTH, around, called, head
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_ABSENT = re.compile(
    r"not found|(?:does not|doesn't) exist|no such\b|cannot (?:access|stat|find)|could not find|unknown",
    re.IGNORECASE,
)
_TIMES = 3
_WIDER = 160  # characters after a bracket that an error opens
_MOST_LOOPS = 5  # that are looked at: each one searches all earlier steps


def failed_again_and_again(scene: Scene) -> Fired | None:
    """The same call failing three times or more, never put right.

    A short call is shown; a long one, which is code, would say nothing to a reader.
    """
    open_errors = {error.step for error in scene.facts.unrecovered}
    loops = [
        r for r in scene.facts.repeats if r.failed and len(r.steps) >= _TIMES and r.steps[-1] in open_errors
    ]
    loops.sort(key=lambda repeat: -len(repeat.steps))
    loop = next((loop for loop in loops[:_MOST_LOOPS] if not _excused(scene, loop)), None)
    if loop is None:
        return None
    first, *again = loop.steps
    says = f"repeated failing call: the call of step {first} was sent again unchanged ({_listed(again)}), "
    says += "with the same error each time; "
    says += "nothing came after" if again[-1] == scene.last else "it never worked"
    sent = called(scene.step(again[0]), WIDTH, failed=True)
    call = [(again[0], sent, "called again")] if len(sent) <= LEAST else []
    errors = [(n, _error(scene, n, loop.reply), "the error") for n in (first, again[-1])]
    return fired("failed_again_and_again", again[0], says, 0.55, *fitting(says, "", errors, call))


def _listed(steps: list[int]) -> str:
    """Steps in few words: those that follow each other as a range, of many how many and the last."""
    if steps[-1] - steps[0] == len(steps) - 1 > 1:
        return f"{steps[0]} to {steps[-1]}"
    if len(steps) > _TIMES:
        return f"{len(steps)} times, the last at {steps[-1]}"
    return ", ".join(map(str, steps))


def _error(scene: Scene, n: int, reply: str) -> str:
    """The words of an error in step `n`, of long ones the beginning; with those around where they are few."""
    for result in scene.step(n).results:
        at = result.content.find(reply) if reply else -1
        if at >= 0 and not telling(reply):
            return around(result.content, at, at + len(reply), BRIEF)
    return head(reply, BRIEF)


def _excused(scene: Scene, loop: Repeat) -> bool:
    """Whether the call had gone through before, or the error is none of the call's own making."""
    if FAULT.search(loop.reply) or _names_what_was_given(scene, loop.steps[0], loop.reply):
        return True
    last = loop.steps[-1]
    same = _made(scene.step(last), loop.tool)
    earlier = (step for step in scene.trace.steps[: last - 1] if step.calls and not step.error)
    return any(same & _made(step, loop.tool) for step in earlier)


def _made(step: Step, tool: str) -> set[tuple[str, str]]:
    named = [call for call in step.calls if call.name == tool] or step.calls
    return {(call.name, spelled(call.arguments)) for call in named}


def _names_what_was_given(scene: Scene, n: int, words: str) -> bool:
    """Whether an error says that a thing is not there which the task, the user or an output had named.

    Where the error of a look names nothing, it may be about any value of the call: then too it is no proof.
    """
    if not _ABSENT.search(words):
        return False
    name = missing(words)
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")  # `user` is not named by `find_user`
    texts = [text for call in scene.step(n).calls for text in strings(call.arguments)]
    if len(name) < _TIMES or not any(whole.search(text) for text in texts):
        return not any(is_write(call) for call in scene.step(n).calls)
    return first_appearance(scene.trace, name.removeprefix("./"), before=n, given=True) is not None


def bad_arguments(scene: Scene) -> Fired | None:
    """A tool refused the arguments and never went through: the run ended there, or lacks just this call."""
    error = next((e for e in scene.facts.unrecovered if e.kind == "tool" and ARGUMENTS.search(e.quote)), None)
    if error is None:
        return None
    later = any(step.calls and step.results and not step.error for step in scene.trace.steps[error.step :])
    wants = scene.wanted.open if scene.wanted is not None else ()
    open_ = {want.name for want in wants if want.near is None or want.near.error}
    if later and error.tool not in open_:
        return None  # it got on without
    says = f"argument outside the schema: {error.tool or 'a tool'} refused what it was given, and "
    missed = "the grader expected this call, which never succeeded"
    says += missed if error.tool in open_ else "no later call succeeded"
    words = _widened(scene.step(error.step), error.quote)
    wrong = ARGUMENTS.search(words)
    refused = around(words, *wrong.span()) if wrong and len(words) > WIDTH else words
    sent = called(scene.step(error.step), BRIEF, failed=True)
    quotes = [(error.step, sent, "called"), (error.step, refused, "refused")]
    return fired("bad_arguments", error.step, says, 0.45, *fitting(says, "", quotes))


def _widened(step: Step, words: str) -> str:
    """The words of an error, with what follows where they only open a bracket."""
    for result in step.results if words.rstrip()[-1:] in tuple("[{(:") else ():
        if (at := result.content.find(words)) >= 0:
            return result.content[at : at + len(words) + _WIDER].strip()
    return words
