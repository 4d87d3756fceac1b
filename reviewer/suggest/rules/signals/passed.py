"""Runs that their outcome calls passed: what in the run itself shows it.

The grader's verdict is told in its own terms; beside it stand the last write that went through with the
user's yes to it, a check after it, an answer that an observation holds, the user's thanks. What speaks
against it is in `doubts`. Not known: what the grader did not look at; thanks in words not listed here.
"""

from __future__ import annotations

import re

from reviewer.facts import Write, first_appearance
from reviewer.facts.texts import pairs
from reviewer.facts.tools import named_read, named_write
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import asked_by_name
from reviewer.suggest.rules.seen.graded import answer, expected, graded
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.quoting import LEAST, around, call_made, sentence
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, failing_after, fired
from reviewer.suggest.rules.signals.breaches import (
    YES,
    doubt,
    last_words,
    own_writes,
    rule_of_consent,
    unasked_write,
    uncounted,
)
from reviewer.trace import Step

Quote = tuple[int, str, str]
_THANKS = re.compile(
    r"\b(?:thanks?|thank you|appreciate|perfect(?:ly)?|wonderful|awesome|that['’]?s all|all set"
    r"|working (?:now|great|again))\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:unfortunately|disappoint\w*|frustrat\w*|still|but|however|not|transfer|human)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\s*###\w+###\s*")
_ANSWER = "its answer"
_FIRST = 4  # steps in which a task stands
_TAIL = 4_000  # characters of the last words in which the answer stands
_WORDY = 12  # characters: what is shorter says no more than "ok"
_SHORT = 3  # characters: a shorter answer stands in any text


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, no check left behind says otherwise, and no sign of a breach was found."""
    facts = scene.facts
    if facts.passed is not True or failing_after(facts) or doubt(scene) or unasked_write(scene):
        return None
    checks = reversed(facts.checks_after)
    good = next((check for check in checks if check.state == "passed" and check.quote), None)
    told, shown, quotes = graded(scene.outcomes), [], list[Quote]()
    write, left = facts.last_write, any(map(uncounted, facts.failed_checks))
    done = _done(scene)
    if done is not None:
        shown.append(done[0])
        quotes += done[1]
    if good is not None:
        shown.append(f"a check passed at {good.step}")
        quotes = [quote for quote in quotes if quote[0] != good.step or quote[2] != _ANSWER]
        quotes.append((good.step, good.quote, "checked"))
    if (found := _answered(scene)) is not None:
        shown.append(found[0])
        quotes += found[1]
    if (thanks := _thanks(scene, write)) is not None:
        shown.append(f"the user accepted at {thanks[0]}")
        quotes.append(thanks)
    still = _unchanged(scene) if write is None and done is None and not left else None
    if still is not None:
        shown.insert(0, still[0])
        quotes = [*still[1], *quotes]
    grader = f"the grader passed it ({told})" if told else "the grader passed it"
    if not shown and not told:
        return None  # a bare word of somebody, and nothing to hold it against
    but = "; but the database is not as expected (unrewarded)" if left else ""
    if not shown:
        quotes = [(n, line, "last words") for n, line in claim_line(facts)]
        says = f"only {grader}: no write, check or answer in the run shows it{but}"
        return fired("passed_clean", None, says, 0.4, *quotes) if quotes else None
    weight = 0.8 if good else 0.7 if done and thanks else 0.6 if done or found or thanks else 0.5
    says = f"{grader}; {'; '.join(shown)}{but}"
    step = good.step if good else None
    return fired("passed_clean", step, says, weight - 0.2 * left, *quotes[-4:])


def _done(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last write that went through, with the user's yes before it where a policy wants one."""
    write = scene.facts.last_write
    last = _expected_call(scene)
    if write is None or (last is not None and last[1] and last[1][0][0] > write.step):
        return last
    own = own_writes(scene) if rule_of_consent(scene) is not None else []
    quotes: list[Quote] = []
    yes = last_words(scene, {write.step}).get(write.step) if own and own[-1] == write else None
    if yes is not None and (match := YES.search(yes.message)):
        quotes.append((yes.n, sentence(yes.message, match.start(), least=LEAST), "the user's yes"))
    by = ", by the user" if scene.step(write.step).source == "user" else ""
    every = f", each of {len(own)} writes after a yes of the user" if len(own) > 1 else ""
    every = every or (", after the user's yes" if quotes else "")
    name = write.target.rsplit("/", 1)[-1]
    asked = asked_by_name(scene, name, _FIRST + 1) if "." in name and not quotes else None
    quotes += [(*asked, "asked")] if asked is not None else []
    quotes += _call(scene.step(write.step), write.target, write.tool)
    return f"the last write, {write.tool}{by}, went through at {write.step}{every}", quotes


def _expected_call(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last call that was expected and does not only look: a hand-over, say."""
    names = expected(scene.outcomes) or frozenset()
    for step in reversed(scene.trace.steps):
        for call, _ in pairs(step):
            if call.name in names and not named_read(call.name) and not step.error:
                says = f"{call.name}, which was expected, was called at {step.n}"
                return says, _call(step, "", call.name)
    return None


def _unchanged(scene: Scene) -> tuple[str, list[Quote]] | None:
    """That no change was expected and none was made, with the hand-over or the last words in its place."""
    names = expected(scene.outcomes)
    if names is None or any(map(named_write, names)):
        return None
    says = "no change was expected, and none was made"
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name) and not step.error:
                given, _ = call_made(step, "", call.name)
                return f"{says}; it hands over at {step.n}", [(step.n, given, "handed over")]
    return says, [(n, line, "last words") for n, line in claim_line(scene.facts)]


def _call(step: Step, target: str, tool: str) -> list[Quote]:
    given, answered = call_made(step, target, tool)
    done = [] if given == tool else [(step.n, given, "done")]  # the sentence names the tool
    quotes = [*done, (step.n, answered, _ANSWER)]
    return [quote for quote in quotes if telling(quote[1]) or len(quote[1]) > _WORDY]


def _answered(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The answer that was expected, as the agent gave it, and where a tool or the task had shown it."""
    want, claim = answer(scene.outcomes), scene.facts.claim
    if claim is None or not want:
        return None
    whole = re.compile(rf"(?<!\w){re.escape(want)}(?!\w)", re.IGNORECASE)
    places = [match.start() for match in whole.finditer(claim.quote[-_TAIL:])]
    if not places:
        return None
    at = max(len(claim.quote) - _TAIL, 0) + places[-1]
    says = f"the answer “{want[:60]}” is the expected one"
    quotes: list[Quote] = [(claim.step, around(claim.quote, at, at + len(want)), "answered")]
    if len(want) > _SHORT:
        seen = first_appearance(scene.trace, want, before=claim.step, given=True, ignore_case=True)
        if seen is not None and seen.origin == "observation" and seen.step:
            says = f"{says}, and it stands in what a tool returned at {seen.step}"
            quotes.insert(0, (seen.step, seen.quote, "seen"))
    return says, quotes


def _thanks(scene: Scene, write: Write | None) -> Quote | None:
    """The last words of the user after the last write, where they are thanks and nothing against it."""
    for step in reversed(scene.trace.steps[write.step if write else 0 :]):
        words = _MARKS.sub(" ", step.message).strip()
        if step.source != "user" or step.kind or not words:
            continue
        parts = (part for part in _MARKS.split(step.message) if _THANKS.search(part))
        said = next(parts, "")
        match = _THANKS.search(said)
        if match is None or _BUT.search(words) or step.n == 1:
            return None
        return step.n, around(said, *match.span()), "the user accepted"
    return None
