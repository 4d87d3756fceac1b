"""The signals of calls that a tool refused and that were never put right.

Not known: whether the call was needed. What the task names and what is not there is no fault of the call, and
neither is a fault of the surroundings; a call that had gone through before has done its work.
"""

from __future__ import annotations

import re

from reviewer.facts import Error, Repeat, first_appearance, is_write
from reviewer.facts.texts import spelled, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.asked import request
from reviewer.suggest.rules.seen.consent import asked_by_name, messages
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.phrases import ARGUMENTS, FAULT, missing
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around, called, head, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_ABSENT = re.compile(
    r"not found|(?:does not|doesn't) exist|no such\b|cannot (?:access|stat|find)|could not find|unknown",
    re.IGNORECASE,
)
_OF_THE_CALL = re.compile(  # what no surroundings could have mended
    ARGUMENTS.pattern + r"|\b(?:Syntax|Indentation|Type|Name|Attribute)Error\b|parse error|syntax error"
    r"|command not found|not a valid|\binvalid\b|malformed|expected .{1,40} (?:but|got)",
    re.IGNORECASE,
)
_ALIKE = 60  # characters by which two errors count as the same
_TIMES = 3
_MOST_LOOPS = 5  # that are looked at: each one searches all earlier steps
_LONG = 4_000
_CALL, _ASKED = 100, 50  # characters of a call beside what was asked
_NAME = re.compile(r"[\w~/-]{0,120}[./][\w./-]{3,120}\w|\b[A-Za-z]*\d[\w-]{4,40}\b")  # a path or an id


def failed_again_and_again(scene: Scene) -> Fired | None:
    """The same call, or one tool on one thing, failing alike three times or more, never put right."""
    open_errors = {error.step for error in scene.facts.unrecovered}
    loops = [
        r for r in scene.facts.repeats if r.failed and len(r.steps) >= _TIMES and r.steps[-1] in open_errors
    ]
    loops.sort(key=lambda repeat: -len(repeat.steps))
    loop = next((loop for loop in loops[:_MOST_LOOPS] if not _excused(scene, loop)), None)
    if loop is not None:
        says = f"repeated failing call: the same call of {loop.tool} failed the same way"
        return _again(scene, says, loop.steps, loop.reply, 0.55)
    alike: dict[tuple[str, str, str], list[Error]] = {}
    for error in scene.standing:
        if error.kind == "tool" and error.tool and error.quote and not FAULT.search(error.quote):
            alike.setdefault((error.tool, error.target, error.quote[:_ALIKE]), []).append(error)
    most = max(alike.values(), key=len, default=[])
    if len(most) < _TIMES or _names_what_was_given(scene, most[0].step, most[0].quote):
        return None
    if _went_through(scene, most[-1].step, most[-1].tool):
        return None
    about = f" on {most[0].target}" if most[0].target else ""
    says = f"repeated failing call: {most[0].tool}{about} failed the same way"
    return _again(scene, says, tuple(error.step for error in most), most[0].quote, 0.5)


def _again(scene: Scene, says: str, steps: tuple[int, ...], reply: str, weight: float) -> Fired:
    again, last = steps[1], steps[-1]
    named = f"{', '.join(map(str, steps[:5]))}{' …' if len(steps) > 5 else ''}"
    says = f"{says} {len(steps)} times (steps {named}), never put right"
    says += "; the run ends there" if last == scene.last else ""
    asked, ended = request(scene, again, _ASKED), _ended(scene, last)
    must = [
        (again, called(scene.step(again), _CALL, failed=True), "called again"),
        (again, _error(scene, again, reply), "answered"),
    ]
    may = [*([ended] if ended else []), *([(*asked, "asked")] if asked else [])]
    but = _on_the_goal(scene, again)
    return fired("failed_again_and_again", again, says, weight, *fitting(says, but, must, may), but=but)


def _on_the_goal(scene: Scene, n: int) -> str:
    """What of the task a call names, so that it was still after it."""
    task = scene.trace.info.task[:_LONG] + "".join(text for _, text in messages(scene, n)[:1])
    for call in scene.step(n).calls:
        for text in strings(call.arguments):
            name = next((found[0] for found in _NAME.finditer(text[:_LONG]) if found[0] in task), None)
            if name is not None:
                thing = name.rstrip("/").rsplit("/", 1)[-1]
                return f"it still worked on {shortened(thing, LEAST)}, as was asked"
    return ""


def _excused(scene: Scene, loop: Repeat) -> bool:
    """Whether the call had gone through before, or the error is none of the call's own making."""
    if FAULT.search(loop.reply) or _names_what_was_given(scene, loop.steps[0], loop.reply):
        return True
    return _went_through(scene, loop.steps[-1], loop.tool)


def _went_through(scene: Scene, n: int, tool: str) -> bool:
    """Whether the call of step `n` had been made before, with the same arguments, and went through."""
    same = _made(scene.step(n), tool)
    earlier = (step for step in scene.trace.steps[: n - 1] if step.calls and not step.error)
    return any(same & _made(step, tool) for step in earlier)


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
    open_ = {want.name for want in scene.wanted.open} if scene.wanted is not None else set()
    if later and error.tool not in open_:
        return None  # it got on without
    says = f"argument outside the schema: {error.tool or 'a tool'} refused its arguments, never put right; "
    says += (
        "the call was expected, and is missing" if error.tool in open_ else "no call went through after it"
    )
    asked, ended = request(scene, error.step), _ended(scene, error.step)
    must = [
        (error.step, called(scene.step(error.step), BRIEF, failed=True), "called"),
        (error.step, scene.widened(error), "refused"),
    ]
    may = [*([ended] if ended else []), *([(*asked, "asked")] if asked else [])]
    return fired("bad_arguments", error.step, says, 0.45, *fitting(says, "", must, may))


def error_left(scene: Scene) -> Fired | None:
    """The last try to write what the task names was refused for the form of the call; the outcome is failed.

    An error of any other call is a place to begin to read: nobody sees whether it mattered.
    """
    if scene.facts.passed is not False:
        return None
    written = {write.target for write in scene.facts.writes if write.counts}
    failed = {
        write.step: write for write in scene.facts.writes if write.failed and write.target not in written
    }
    left = [e for e in scene.standing if e.kind == "tool" and e.tool and e.step in failed]
    for error in reversed(left):
        name = failed[error.step].target.rstrip("/").rsplit("/", 1)[-1]
        asked = asked_by_name(scene, name, error.step) if len(name) >= _TIMES else None
        if asked is None or not (telling(error.quote) and _OF_THE_CALL.search(error.quote)):
            continue
        says = f"{error.tool} was refused for the form of the call, and nothing wrote to this after it"
        quotes = [
            (*asked, "asked"),
            (error.step, called(scene.step(error.step), failed=True), "called"),
            (error.step, error.quote, "refused"),
        ]
        return fired("error_left", error.step, says, 0.35, *quotes)
    return None


def _error(scene: Scene, n: int, reply: str) -> str:
    """The words of an error in step `n`, with those around where they are few."""
    for result in scene.step(n).results:
        at = result.content.find(reply) if reply else -1
        if at >= 0:
            return reply if telling(reply) else around(result.content, at, at + len(reply))
    return reply


def _ended(scene: Scene, after: int) -> tuple[int, str, str] | None:
    """The last words of the agent, where they come after step `after`."""
    claim = scene.facts.claim
    return (claim.step, head(claim.quote), "ended") if claim is not None and claim.step > after else None
