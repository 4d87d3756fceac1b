"""The signals about words of success that something speaks against: a check, the outcome, the user.

English phrases only; a claim that the patterns do not know is no claim here.
"""

from __future__ import annotations

import re

from reviewer.facts import Check, Facts
from reviewer.facts.shell import names
from reviewer.facts.texts import ends, step_texts
from reviewer.label import telling
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.narrowing import narrowed, shorter, tried_first
from reviewer.suggest.rules.seen.phrases import ADMITS, FAULT, OBJECTS, own_words
from reviewer.suggest.rules.seen.plans import ticked_off
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

WIDE = 60
_PIPED = re.compile(r"\s*(?:\d?>&?\d?|\|\|?)\s?")  # where what is done with the words of a command begins
_ABOUT_IT = re.compile(r"^python3? -m ")
_COUNTED = re.compile(r"(?:\b|(?<=[\d;]m))[1-9]\d* failed\b(?:, \d+ \w+)*")
_CALL = 40  # characters of a command in the sentence
TESTS = re.compile(r"\btests? (?:now |all )?(?:pass|succeed|are (?:passing|green))", re.IGNORECASE)
# What narrows a run of tests to some of them.
_SELECTS = re.compile(r"::|\s-k\s|[\w/-]+\.(?:py|js|ts|jsx|tsx|rb|go|java|rs)\b|\btests?/\w")
_TEST_FILE = re.compile(r"[\w/.-]{0,200}test[\w-]{0,80}\.(?:py|js|ts|jsx|tsx|rb|go|java|rs)\b")
_FAILED = re.compile(r"\b[1-9]\d* (?:failed|failures?|errors?)\b|\bFAILED\b|\b\w*(?:Error|Exception)\b")
_TRY = re.compile(r"\bplease (?:try|check|test|restart|run)\b|\blet me know (?:if|whether)\b", re.IGNORECASE)
# What keeps a write from going through and is not the agent's doing.
BARRED = re.compile(
    rf"\bpermissions?\b|\b(?:not|n['’]t) (?:been )?(?:granted|allowed)\b|access denied|{FAULT.pattern}",
    re.IGNORECASE,
)
_BY_A_PERSON = re.compile(
    r"\b(?:you|user) (?:have|has)(?:n['’]t| not)|\b(?:denied|rejected) by", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]{4,}")
PLAIN = names(
    "that this have been your with from will would should could about after again still please tried just "
    "more some need know does done works working error failed fails when what were they them then"
)
_ACCEPTS = re.compile(
    r"\b(?:thanks?|thank you|perfect|great|works? now|that works|resolved)\b", re.IGNORECASE
)


def claim_against_check(scene: Scene) -> Fired | None:
    """Success is claimed while a check after the last write fails, or tests are of which a part passed."""
    facts = scene.facts
    words, failing = claimed(facts), failing_after(facts)[-1:] or _whole_run(scene)
    if not words or not failing:
        return None
    check = failing[-1]
    later = [one for one in facts.checks if one.step > check.step and one.kind == check.kind and one.checked]
    later = [] if check.after_last_write else later[-1:]
    since = ", and later runs leave out what failed" if later else " and was not run again"
    since = " and never passed since" if check.after_last_write else since
    command = _ABOUT_IT.sub("", _PIPED.split(check.call)[0].strip())
    failed = "failed" if _FAILED.search(_verdict(scene, check, WIDTH)) else "did not pass"
    failed = f"{shortened(command, _CALL)} {failed} at {check.step}"
    says = f"false verification: success is claimed at {words[0]}, but {failed}{since}"

    def build(width: int) -> Fired:
        quotes = [(check.step, _verdict(scene, check, width), "the check")]
        quotes.append((words[0], of_success(words[1], width), "said"))
        quotes += [(one.step, _command(scene, one, width), "run later") for one in later]
        return fired("claim_against_check", words[0], says, 0.7, *fitting(says, "", quotes))

    return narrowed(build)


def of_success(words: str, width: int) -> str:
    """Of words that claim success, those round the claim."""
    return shorter(words, success(words), width)


def _whole_run(scene: Scene) -> list[Check]:
    """A run of tests that failed, where tests are said to pass, and no later run covered what failed."""
    facts = scene.facts
    if facts.passed is True or facts.claim is None or not TESTS.search(facts.claim.quote[:8000]):
        return []
    runs = [check for check in facts.checks if check.kind == "test" and check.checked]
    if runs and runs[-1].state == "failed":
        return runs[-1:]
    whole = next((check for check in reversed(runs) if not _SELECTS.search(check.call)), None)
    if whole is None or whole.state != "failed":
        return []
    printed = "\n".join(ends(result.content) for result in scene.step(whole.step).results)
    failed = {path.rsplit("/", 1)[-1] for path in _TEST_FILE.findall(printed)}
    later = " ".join(check.call for check in runs if check.step > whole.step)
    return [whole] if failed and not any(name in later for name in failed) else []


def _verdict(scene: Scene, check: Check, width: int) -> str:
    """The words with which a check says that it failed; where they tell nothing, the last ones it printed."""
    texts = [ends(result.content).rstrip() for result in scene.step(check.step).results]
    counted = [match[0] for text in texts for match in _COUNTED.finditer(text)]
    if counted:
        return counted[-1]
    if telling(check.quote) and len(check.quote) <= width:
        return check.quote
    for text in (check.quote, *texts):
        *_, no = (None, *_FAILED.finditer(text))
        if no is not None:
            return around(text, *no.span(), width)
    lines = [line.strip() for text in texts for line in text.splitlines() if telling(line)]
    return head(lines[-1] if lines else check.quote, width)


def _command(scene: Scene, check: Check, width: int) -> str:
    """The command of a check as it stands in its step: its last line, or its end."""
    texts = [text for place, text in step_texts(scene.step(check.step)) if place == "call"]
    found = next((text.rstrip() for text in texts if check.call[:20] in text), "")
    line = found.rsplit("\n", 1)[-1].rsplit(" && ", 1)[-1]
    return tail(_PIPED.split(line)[0], width)


def claim_of_failed_write(scene: Scene) -> Fired | None:
    """Success is claimed, and not one of the agent's writes went through.

    The step: the first such words, or the to-do that was ticked off before them.
    """
    facts = scene.facts
    words = claimed(facts)
    if not words or not facts.writes or facts.last_write is not None:
        return None
    write = facts.writes[-1]
    barred = BARRED.search(write.reply)
    if barred is not None and any(map(BARRED.search, _spoken_after(scene, write.step))):
        return None  # it says what stopped it
    for step in scene.trace.steps[facts.writes[0].step : words[0] - 1]:
        early = spoken_success(step.message) if step.source == "agent" and not step.kind else ""
        if early and not ADMITS.search(own_words(step.message[:8000])):
            words = (step.n, early)
            break
    ticked = next(ticked_off(scene, facts.writes[0].step, words[0]), None)
    many = len(facts.writes)
    tried = f"the only write failed ({write.step})" if many == 1 else ""
    tried = tried or f"all {many} writes failed (the last at {write.step})"
    says = f"false completion: called done ({f'{ticked[0]}, ' if ticked else ''}{words[0]}), but {tried}"
    given, _ = call_made(scene.step(write.step), write.target, write.tool, BRIEF)
    tried_it = [] if write.target and write.target in write.reply else [(write.step, given, "tried")]
    deciding = _BY_A_PERSON.search(write.reply) or barred
    more = [*([(*ticked, "ticked off")] if ticked else []), *tried_it]

    def build(width: int) -> Fired:
        long = deciding is not None and len(write.reply) > width
        failed = around(write.reply, *deciding.span(), width) if deciding and long else ""
        error = (write.step, failed or head(write.reply, width), "the error")
        kept = fitting(says, "", [error, (words[0], of_success(words[1], width), "said")], more)
        step = ticked[0] if ticked else words[0]
        return fired("claim_of_failed_write", step, says, 0.55, *tried_first(kept))

    return narrowed(build)


def _spoken_after(scene: Scene, n: int) -> list[str]:
    """What the agent said after a step."""
    own = (step for step in scene.trace.steps[n:] if step.source == "agent" and not step.kind)
    return [step.message[:8_000] for step in own]


def user_objected(scene: Scene) -> Fired | None:
    """The user answers a claim of success by denying that very thing, and nothing after it mends it."""
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
    """A claim, the user's next words against it, and whether they deny the same thing for good."""
    claim: tuple[int, str] | None = None
    message = ""
    for step in scene.trace.steps:
        if step.source == "agent" and not step.kind and step.message.strip():
            message, match = step.message, success(step.message)
            claim = (step.n, sentence(message, match.start(), width, least=LEAST)) if match else None
        elif step.source == "user" and not step.kind and claim:
            match = OBJECTS.search(step.message[:2000])
            if match:
                reply = (step.n, sentence(step.message, match.start(), width, least=LEAST))
                same = not _TRY.search(message) or bool(_things(claim[1]) & _things(reply[1]))
                return claim, reply, same and not _mended(scene.facts, step.n)
    return None


def _things(sentence: str) -> set[str]:
    """The words of a sentence that may name what it is about."""
    return set(_WORD.findall(_TRY.split(sentence)[0].lower())) - PLAIN


def _mended(facts: Facts, n: int) -> bool:
    """Whether something after step `n` may have put it right: thanks, or a write nobody objected to."""
    later = [turn.quote for turn in facts.user_turns if turn.step > n]
    if any(_ACCEPTS.search(quote) and not OBJECTS.search(quote[:2000]) for quote in later):
        return True
    wrote = any(write.counts and write.step > n for write in facts.writes)
    return wrote and not any(OBJECTS.search(quote[:2000]) for quote in later)
