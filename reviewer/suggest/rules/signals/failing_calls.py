"""The signals of calls that a tool refused and that were never put right.

Not known: whether the call was needed. What the task names and what is not there is no fault of the call, and
neither is a fault of the surroundings; a call that had gone through before has done its work.
"""

from __future__ import annotations

import re

from reviewer.facts import Error, Repeat, first_appearance, is_write
from reviewer.facts.texts import spelled, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import asked_by_name
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.phrases import ARGUMENTS, FAULT, missing
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, WIDTH, around, called, head, shortened
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
_NEAR = 16  # characters before the place that an error points at
_PAIR = 2  # steps that are no range
_CALL = BRIEF  # characters of a call beside its error
_CARET = re.compile(r"^(?P<line>[^\n]{8,1000})\n(?P<before>[ \t]*)(?P<caret>\^+)[ \t^~]*$", re.MULTILINE)


def failed_again_and_again(scene: Scene) -> Fired | None:
    """The same call, or one tool on one thing, failing alike three times or more, never put right."""
    open_errors = {error.step for error in scene.facts.unrecovered}
    loops = [
        r for r in scene.facts.repeats if r.failed and len(r.steps) >= _TIMES and r.steps[-1] in open_errors
    ]
    loops.sort(key=lambda repeat: -len(repeat.steps))
    loop = next((loop for loop in loops[:_MOST_LOOPS] if not _excused(scene, loop)), None)
    if loop is not None:
        texts = (text for call in scene.step(loop.steps[0]).calls for text in strings(call.arguments))
        chain = any(" && " in text or "; " in text for text in texts)  # which part failed is not known
        what = "command" if chain else f"{loop.tool} call"
        return _again(scene, f"the same {what}", loop.steps, loop.reply, 0.55)
    alike: dict[tuple[str, str, str], list[Error]] = {}
    for error in scene.standing:
        if error.kind == "tool" and error.tool and error.quote and not FAULT.search(error.quote):
            alike.setdefault((error.tool, error.target, error.quote[:_ALIKE]), []).append(error)
    most = max(alike.values(), key=len, default=[])
    if len(most) < _TIMES or _names_what_was_given(scene, most[0].step, most[0].quote):
        return None
    if _went_through(scene, most[-1].step, most[-1].tool):
        return None
    thing = most[0].target.rstrip("/").rsplit("/", 1)[-1]
    about = f" on {shortened(thing, LEAST)}" if thing else ""
    return _again(scene, f"{most[0].tool}{about}", tuple(error.step for error in most), most[0].quote, 0.5)


def _again(scene: Scene, what: str, steps: tuple[int, ...], reply: str, weight: float) -> Fired:
    again, last = steps[1], steps[-1]
    says = f"repeated failing call: {what} failed {len(steps)} times ({_listed(steps)}) with the same error"
    says += "; nothing came after" if last == scene.last else " and never worked"
    sent = _pointed_at(scene.step(again)) or called(scene.step(again), _CALL, failed=True)
    error = _error(scene, again, reply)
    shown = fitting(says, "", [(again, sent, "called again"), (again, error, "the error")])
    return fired("failed_again_and_again", again, says, weight, *shown)


def _listed(steps: tuple[int, ...]) -> str:
    """Steps in few words: those that follow each other as one range; of many the first and the last."""
    runs: list[list[int]] = []
    for n in steps:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    words = [f"{run[0]} to {run[-1]}" if len(run) > _PAIR else ", ".join(map(str, run)) for run in runs]
    return ", ".join(words if len(words) <= _TIMES else [*words[:_PAIR], f"… {steps[-1]}"])


def _pointed_at(step: Step) -> str:
    """The words of a call that its error marks with a caret, in the line that it prints of it."""
    for result in step.results:
        if result.error and (mark := _CARET.search(result.content[-_LONG:])):
            line, at = mark["line"], len(mark["before"])
            apart = line.rfind("; ", 0, max(0, at - 2)) + 2  # with the statement before it
            first = apart if apart > 1 and at - apart <= LEAST else line.rfind(" ", 0, max(0, at - _NEAR)) + 1
            words = _statements(line[first:]) if at < len(line) else ""
            given = (" ".join(text.split()) for call in step.calls for text in strings(call.arguments))
            return words if telling(words) and any(words in text for text in given) else ""
    return ""


def _statements(code: str) -> str:
    """The beginning of a line of code, of a long one up to the end of a statement if it has one in time."""
    words = head(code)
    end = words.rfind("; ") if len(words) < len(code.strip()) else -1
    return words[:end] if end > LEAST else words


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
    wants = scene.wanted.open if scene.wanted is not None else ()
    open_ = {want.name for want in wants if want.near is None or want.near.error}
    if later and error.tool not in open_:
        return None  # it got on without
    says = f"argument outside the schema: {error.tool or 'a tool'} refused what it was given, and "
    missed = "the grader expected this call, which never succeeded"
    says += missed if error.tool in open_ else "no later call succeeded"
    must = [
        (error.step, called(scene.step(error.step), BRIEF, failed=True), "called"),
        (error.step, _refusal(scene.widened(error)), "refused"),
    ]
    return fired("bad_arguments", error.step, says, 0.45, *fitting(says, "", must))


def _refusal(words: str) -> str:
    """The words that say what was wrong with the arguments."""
    found = ARGUMENTS.search(words)
    return around(words, *found.span()) if found and len(words) > WIDTH else words


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
        says = f"argument outside the schema: the call for {shortened(name, LEAST)} is malformed, "
        says += "and nothing wrote it later"
        sent = _pointed_at(scene.step(error.step)) or called(scene.step(error.step), BRIEF, failed=True)
        must = [(error.step, sent, "called"), (error.step, head(error.quote, LEAST), "the error")]
        return fired("error_left", error.step, says, 0.35, *fitting(says, "", must, [(*asked, "asked")]))
    return None


def _error(scene: Scene, n: int, reply: str) -> str:
    """The words of an error in step `n`, of long ones the beginning; with those around where they are few."""
    for result in scene.step(n).results:
        at = result.content.find(reply) if reply else -1
        if at >= 0:
            return (
                head(reply, BRIEF) if telling(reply) else around(result.content, at, at + len(reply), BRIEF)
            )
    return head(reply, BRIEF)
