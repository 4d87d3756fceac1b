"""The signals about words of success that something speaks against: a check, the outcome, a write, the user.

English phrases only; a claim that the patterns do not know is no claim here.
"""

from __future__ import annotations

import re

from reviewer.facts import Check
from reviewer.facts.calls import shell_commands
from reviewer.facts.programs import run_script
from reviewer.facts.texts import ends, step_texts
from reviewer.facts.tools import tool_kind
from reviewer.label import telling
from reviewer.suggest.rules.seen.fitting import fitting, narrowed, shorter, tried_first
from reviewer.suggest.rules.seen.phrases import FAULT, OBJECTS
from reviewer.suggest.rules.seen.quoting import (
    BRIEF,
    LEAST,
    WIDTH,
    around,
    call_made,
    head,
    sentence,
    shortened,
    tail,
)
from reviewer.suggest.rules.seen.scene import (
    Fired,
    Scene,
    claimed,
    failing_after,
    fired,
    spoken_success,
    success,
)

_WIDE = 60  # characters of a write beside a claim
_CALL = 40  # characters of a command in the sentence
_PIPED = re.compile(r"\s*(?:\d?>&?\d?|\|\|?)\s?")  # where what is done with the words of a command begins
_COUNTED = re.compile(r"(?:\b|(?<=[\d;]m))[1-9]\d* failed\b(?:, \d+ \w+)*")
_FAILED = re.compile(r"\b[1-9]\d* (?:failed|failures?|errors?)\b|\bFAILED\b|\b\w*(?:Error|Exception)\b")
_TESTS = re.compile(r"\btests? (?:now |all )?(?:pass|succeed|are (?:passing|green))", re.IGNORECASE)
# What narrows a run of tests to some of them.
_SELECTS = re.compile(r"::|\s-k\s|[\w/-]+\.(?:py|js|ts|jsx|tsx|rb|go|java|rs)\b|\btests?/\w")
_TEST_FILE = re.compile(r"[\w/.-]{0,200}test[\w-]{0,80}\.(?:py|js|ts|jsx|tsx|rb|go|java|rs)\b")
_TRY = re.compile(r"\bplease (?:try|check|test|restart|run)\b|\blet me know (?:if|whether)\b", re.IGNORECASE)
_BARRED = re.compile(rf"\bpermissions?\b|\bgranted\b|access denied|{FAULT.pattern}", re.IGNORECASE)


def claim_against_check(scene: Scene) -> Fired | None:
    """Success is claimed while a check after the last write fails, or tests are whose last run failed."""
    words = claimed(scene.facts)
    found = _against(scene, words[1]) if words else None
    if words is None or found is None:
        return None
    check, since, later = found
    command = shortened(_PIPED.split(check.call)[0].strip().removeprefix("python -m "), _CALL)
    failed = "failed" if _FAILED.search(_verdict(scene, check, WIDTH)) else "did not pass"
    says = f"false verification: success is claimed at {words[0]}, but {command} {failed} at {check.step}"
    says += since

    def build(width: int) -> Fired:
        quotes = [(check.step, _verdict(scene, check, width), "the check"), _said(words, width)]
        quotes += [(one.step, _command(scene, one, width), "run later") for one in later]
        return fired("claim_against_check", words[0], says, 0.7, *fitting(says, "", quotes))

    return narrowed(build)


def _against(scene: Scene, words: str) -> tuple[Check, str, list[Check]] | None:
    """The check that speaks against a claim, what became of it, and the run that left out what failed."""
    facts = scene.facts
    if failing := failing_after(facts):
        return failing[-1], " and never passed since", []
    runs = [check for check in facts.checks if check.kind == "test" and check.checked]
    if facts.passed is True or not runs or not _TESTS.search(words):
        return None
    if runs[-1].state == "failed":
        return runs[-1], " and was not run again", []
    whole = next((check for check in reversed(runs) if not _SELECTS.search(check.call)), runs[-1])
    printed = "\n".join(ends(result.content) for result in scene.step(whole.step).results)
    failed = {path.rsplit("/", 1)[-1] for path in _TEST_FILE.findall(printed)}
    later = " ".join(check.call for check in runs if check.step > whole.step)
    if whole.state != "failed" or not failed or any(name in later for name in failed):
        return None
    return whole, ", and later runs leave out what failed", runs[-1:]


def _command(scene: Scene, check: Check, width: int) -> str:
    """The command of a check as it stands in its step: its last line, or its end."""
    texts = [text for place, text in step_texts(scene.step(check.step)) if place == "call"]
    found = next((text.rstrip() for text in texts if check.call[:20] in text), "")
    return tail(_PIPED.split(found.rsplit("\n", 1)[-1].rsplit(" && ", 1)[-1])[0], width)


def _said(words: tuple[int, str], width: int) -> tuple[int, str, str]:
    """Of words that claim success, those round the claim."""
    return words[0], shorter(words[1], success(words[1]), width), "said"


def _verdict(scene: Scene, check: Check, width: int) -> str:
    """The count of what failed, else the words that say so, else the last ones that a check printed."""
    texts = [ends(result.content) for result in scene.step(check.step).results]
    if counted := [match[0] for text in texts for match in _COUNTED.finditer(text)]:
        return counted[-1]
    if telling(check.quote):
        return _round(check.quote, _FAILED.search(check.quote), width)
    lines = [line.strip() for text in texts for line in text.splitlines() if telling(line)]
    return head(lines[-1] if lines else check.quote, width)


def _round(text: str, deciding: re.Match[str] | None, width: int) -> str:
    """The words that decide with those around; where none are known, the beginning."""
    return around(text, *deciding.span(), width) if deciding else head(text, width)


def claim_unchecked(scene: Scene) -> Fired | None:
    """Work or tests are claimed, nothing was run that could show it, and the outcome is failed.

    Without a write there is no work to check: a wrong answer alone claims none. Nor is it after a call of the
    task's world, whose reply is the evidence.
    """
    facts = scene.facts
    words, write = claimed(facts), facts.last_write
    if not words or write is None or write.api or facts.passed is not False:
        return None
    tests = _TESTS.search(words[1]) is not None and not any(check.kind == "test" for check in facts.checks)
    if not tests and (any(one.checked for one in facts.checks_after) or _ran_after(scene, write.step)):
        return None
    given, _ = call_made(scene.step(write.step), write.target, write.tool, _WIDE)
    shown = (write.step, given, "last write")
    if tests:
        says = f"false verification: tests are said to pass at {words[0]}, but none was run at any step"
    elif empty := [one for one in facts.checks_after if one.state == "vacuous"]:
        says, at = f"false verification: success is claimed at {words[0]}", empty[0].step
        says += f", but the only check, at {at}, checked nothing"
        shown = (at, empty[0].quote, "the check")
    else:
        says = f"false completion: success is claimed at {words[0]}, but nothing ran or checked what"
        says += f" was written last ({write.step})"

    def build(width: int) -> Fired:
        kept = fitting(says, "", [shown, _said(words, width)])
        return fired("claim_unchecked", words[0], says, 0.6, *kept)

    return narrowed(build)


def _ran_after(scene: Scene, n: int) -> bool:
    """Whether a command after step `n` ran something that the run had written, or the code of a cell."""
    names = {changed.path.rsplit("/", 1)[-1] for changed in scene.facts.changed}
    for call in (call for step in scene.trace.steps[n:] for call in step.calls):
        scripts = (run_script(command).rsplit("/", 1)[-1] for command in shell_commands(call))
        if tool_kind(call.name) == "code" or any(script in names for script in scripts if script):
            return True
    return False


def claim_of_failed_write(scene: Scene) -> Fired | None:
    """Success is claimed, and not one of the agent's writes went through; the step is the first such claim.

    Not where the agent says, after the write, that something barred it.
    """
    facts = scene.facts
    words = claimed(facts)
    if not words or not facts.writes or not all(write.failed for write in facts.writes):
        return None
    write = facts.writes[-1]
    own = [s for s in scene.trace.steps[write.step :] if s.source == "agent" and not s.kind]
    barred = _BARRED.search(write.reply)
    if any(_BARRED.search(step.message[:8_000]) for step in own):
        return None
    early = ((step.n, said) for step in own if (said := spoken_success(step.message)))
    claim = next(early, words)
    tried = f"the only write failed ({write.step})"
    if len(facts.writes) > 1:
        tried = f"all {len(facts.writes)} writes failed (the last at {write.step})"
    says = f"false completion: called done ({claim[0]}), but {tried}"
    given, _ = call_made(scene.step(write.step), write.target, write.tool, BRIEF)
    more = [] if write.target and write.target in write.reply else [(write.step, given, "tried")]

    def build(width: int) -> Fired:
        error = (write.step, _round(write.reply, barred, width), "the error")
        kept = fitting(says, "", [error, _said(claim, width)], more)
        return fired("claim_of_failed_write", claim[0], says, 0.55, *tried_first(kept))

    return narrowed(build)


def user_objected(scene: Scene) -> Fired | None:
    """The user answers a claim of success with words against it, and nothing after it mends it."""
    found = objection(scene)
    if found is None or not found[2]:
        return None
    claim, reply, _ = found
    says = f"false completion: the user denies at {reply[0]} what step {claim[0]} calls done"
    says += "; nothing puts it right"

    def build(width: int) -> Fired:
        said, denied = (objection(scene, width) or found)[:2]
        return fired("user_objected", claim[0], says, 0.45, (*said, "said"), (*denied, "denied"))

    return narrowed(build)


def objection(scene: Scene, width: int = WIDTH) -> tuple[tuple[int, str], tuple[int, str], bool] | None:
    """The first claim that the user's next words are against, both with their words, and whether for good.

    For good: the claim did not ask to try it, the user says no more, and nothing is written any more.
    """
    claim: tuple[int, str] | None = None
    message = ""
    for step in scene.trace.steps:
        if step.source == "agent" and not step.kind and step.message.strip():
            message, match = step.message, success(step.message)
            claim = (step.n, sentence(message, match.start(), width, least=LEAST)) if match else None
        elif step.source == "user" and not step.kind and claim:
            match = OBJECTS.search(step.message[:2000])
            if match is None:
                continue
            reply = (step.n, sentence(step.message, match.start(), width, least=LEAST))
            later = any(turn.step > step.n for turn in scene.facts.user_turns)
            later |= any(write.counts and write.step > step.n for write in scene.facts.writes)
            return claim, reply, not later and not _TRY.search(message)
    return None
