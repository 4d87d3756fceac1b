"""The signal of work that is called done though nothing was run to show it, and the outcome is failed.

English phrases only. Not known: whether what a line denies was needed for what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.facts.calls import command_text, shell_commands
from reviewer.facts.programs import run_script
from reviewer.facts.texts import ends
from reviewer.facts.tools import tool_kind
from reviewer.label import telling
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.narrowing import narrowed
from reviewer.suggest.rules.seen.quoting import BRIEF, call_made, head, shortened, tail
from reviewer.suggest.rules.seen.scene import Fired, Scene, claimed, fired
from reviewer.suggest.rules.signals.claims import PLAIN, TESTS, WIDE, of_success

_WIDEST = 70  # characters of the claim up to the thing
_ABOVE = 2  # lines before one that says no, in which stands of what
_THING = re.compile(r"[A-Za-z][\w-]{2,30}")
_LOOKS = re.compile(r"\b(?:status|start|restart|service|systemctl|pgrep|ps|is-active|supervisorctl)\b")
_NO = re.compile(r"\bdenied\b|\bfail(?:ed|ure)\b|\berror:|\bnot permitted\b|\bcannot\b", re.IGNORECASE)
_PAST = ("denied", "failed", "not permitted")
_NONE = re.compile(r"\b(?:0|no) (?:fail|error)|\bwarning\b|\btr(?:y|ies|ied)\b", re.IGNORECASE)


def claim_unchecked(scene: Scene) -> Fired | None:
    """Work or tests are claimed, nothing was run that could show it, and the outcome is failed.

    Without a write there is no work to check: a wrong answer alone claims none.
    """
    facts = scene.facts
    words, write = claimed(facts), facts.last_write
    if not words or write is None or facts.passed is not False:
        return None
    tests = TESTS.search(words[1]) is not None and not any(check.kind == "test" for check in facts.checks)
    checked = any(c.checked for c in facts.checks_after) or _ran_after(scene, write.step)
    if write.api or (checked and not tests):
        return None  # the reply of the function is the evidence, and it said that it was done
    denied = None if tests else _said_no(scene, write.step, words)
    if denied is not None and denied.step >= write.step:
        return _claimed_though_denied(words[0], denied)
    if not tests and _printed_no(scene, write.step) is not None:
        return None  # what was denied does not show, or was denied before the last write: was it needed?
    given, _ = call_made(scene.step(write.step), write.target, write.tool, WIDE)
    quotes, more = [(write.step, given, "last write")], list[tuple[int, str, str]]()
    empty = [(c.step, c.quote, "the check") for c in facts.checks_after if c.state == "vacuous"][:1]
    if tests:
        says = f"false verification: tests are said to pass at {words[0]}, but none was run at any step"
        more = _runs(scene, write.step)[-1:] or quotes
    elif empty:
        says = f"false verification: success is claimed at {words[0]}, but the only check, at {empty[0][0]},"
        says, quotes = f"{says} checked nothing", empty
    else:
        says = f"false completion: success is claimed at {words[0]}, but nothing ran or checked what"
        says += f" was written last ({write.step})"

    def build(width: int) -> Fired:
        said = (words[0], of_success(words[1], width), "said")
        kept = fitting(says, "", [said] if tests else [*quotes, said], more)
        return fired("claim_unchecked", words[0], says, 0.6, *kept)

    return narrowed(build)


def _claimed_though_denied(n: int, denied: Denied) -> Fired:
    """Success is claimed of a thing that was denied: the line that says so, and the claim."""
    was = f"{denied.thing} was “{denied.no}”"
    was = was if denied.no in _PAST else f"“{denied.no.rstrip(':')}” was printed of {denied.thing}"
    says = (
        f"false completion: success is claimed ({n}), but {was} ({denied.step}) and never started or checked"
    )
    quotes = [(denied.step, denied.line, "printed"), (n, denied.said, "said")]
    kept = fitting(says, "", quotes, [(denied.step, denied.about, "just before")])
    return fired("claim_unchecked", n, says, 0.6, *kept)


@dataclass(frozen=True, slots=True)
class Denied:
    """A line that says no, of a thing that the claim names too: with the words that say of what."""

    step: int
    no: str
    thing: str
    about: str  # the line that names the thing; empty where that is the one that says no
    line: str
    said: str


def denied_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """A line that says no beside the last write, where success is claimed and its object does not show, or
    where the last write came later and was taken.
    """
    words, write = claimed(scene.facts), scene.facts.last_write
    found = _printed_no(scene, write.step) if words and write is not None and not write.api else None
    if words is None or found is None or write is None or scene.facts.passed is not False:
        return None
    denied = _said_no(scene, write.step, words)
    if denied is not None and denied.step >= write.step:
        return None
    return found[0], f"“{shortened(found[1], WIDE)}” is printed there, yet success is said at {words[0]}"


def _printed_no(scene: Scene, n: int) -> tuple[int, str] | None:
    """The last line that says denied or failed, of what the last write or the step before it printed."""
    return next(((step, line) for step, _, line in _lines_of_no(scene, n)), None)


def _lines_of_no(scene: Scene, n: int) -> Iterator[tuple[int, str, str]]:
    """Lines that say denied or failed, the last first, each with the lines before it."""
    for step in reversed(scene.trace.steps[max(0, n - 2) : n]):
        for result in reversed(step.results) if step.source == "agent" and not step.error else ():
            lines = [line.strip() for line in ends(result.content).splitlines()]
            for at in range(len(lines) - 1, -1, -1):
                if _NO.search(lines[at]) and telling(lines[at]) and not _NONE.search(lines[at]):
                    yield step.n, "\n".join(lines[max(0, at - _ABOVE) : at + 1]), lines[at]


def _said_no(scene: Scene, n: int, words: tuple[int, str]) -> Denied | None:
    """A line that says no of a thing which the command of its step and the claim name, where no later step
    starts it or looks at it.
    """
    claim = scene.facts.claim.quote[:8_000] if scene.facts.claim is not None else ""
    for at, above, line in _lines_of_no(scene, n):
        commands = " ".join(command_text(call) for call in scene.step(at).calls)
        told = [word for word in _THING.findall(above) if word.lower() not in PLAIN]
        for thing in dict.fromkeys(reversed(told)):
            whole = re.compile(rf"(?<![\w-]){re.escape(thing)}(?![\w-])", re.IGNORECASE)
            said, no = whole.search(claim), _NO.search(line)
            if said is None or no is None or not whole.search(commands):
                continue
            if any(whole.search(text) and _LOOKS.search(text) for text in _commands(scene, at)):
                continue
            *_, about = (one for one in above.splitlines() if whole.search(one))
            about = "" if about == line else head(about, BRIEF)
            return Denied(at, no[0].lower(), thing, about, head(line), tail(claim[: said.end()], _WIDEST))
    return None


def _commands(scene: Scene, after: int) -> Iterator[str]:
    """What was run after a step."""
    for step in scene.trace.steps[after:]:
        yield from (command_text(call) for call in step.calls)


def _runs(scene: Scene, n: int) -> list[tuple[int, str, str]]:
    """What was run after step `n` instead of tests."""
    steps = ((step.n, call) for step in scene.trace.steps[n:] for call in step.calls)
    told = ((at, call, command_text(call)) for at, call in steps)
    whole = (
        (at, call.arguments if isinstance(call.arguments, str) else text) for at, call, text in told if text
    )
    return [(at, head(text), "run instead") for at, text in whole]


def _ran_after(scene: Scene, n: int) -> bool:
    """Whether a command after step `n` ran something that the run had written, or the code of a cell."""
    names = {changed.path.rsplit("/", 1)[-1] for changed in scene.facts.changed}
    for call in (call for step in scene.trace.steps[n:] for call in step.calls):
        scripts = (run_script(command).rsplit("/", 1)[-1] for command in shell_commands(call))
        if tool_kind(call.name) == "code" or any(script in names for script in scripts if script):
            return True
    return False
