"""Runs that their outcome calls passed: what in the run itself shows it.

The grader's verdict is told in its own terms; beside it stand the last write that went through with the
user's yes to it, a check after it, an answer that an observation holds, the user's thanks. What speaks
against it is in `doubts`. Not known: what the grader did not look at; thanks in words not listed here.
"""

from __future__ import annotations

import re

from reviewer.facts import Write, first_appearance
from reviewer.facts.texts import pairs, strings
from reviewer.facts.tools import named_read, named_write
from reviewer.label import telling
from reviewer.suggest.rules.seen.assent import assent
from reviewer.suggest.rules.seen.consent import WANTS_A_PERSON, asked_by_name
from reviewer.suggest.rules.seen.deeds import MOST, deed
from reviewer.suggest.rules.seen.graded import answer, expected, graded, names_what, of_words
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, NEGATED, WORKS, WORKS_NOT
from reviewer.suggest.rules.seen.quoting import LEAST, around, head, readable, sentence
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, failing_after, fired
from reviewer.suggest.rules.signals.breaches import (
    doubt,
    last_words,
    own_writes,
    rule_of_consent,
    unasked_write,
    uncounted,
)
from reviewer.trace import Step, ToolCall

Quote = tuple[int, str, str]
_THANKS = re.compile(
    r"\b(?:thanks?|thank you|appreciate|perfect(?:ly)?|wonderful|awesome|that['’]?s all|all set"
    r"|working (?:now|great|again))\b",
    re.IGNORECASE,
)
_WELL = re.compile(
    r"\b(?:working (?:now|great|again|perfectly)|perfect(?:ly)?|all set|that['’]?s all)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\b(?:cannot|can['’]t|unable|outside|exception|beyond"
    r"|not (?:\w+ )?(?:eligible|allowed|possible|permitted|met?)"
    r"|does not meet|per policy|suspended)\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:unfortunately|disappoint\w*|frustrat\w*|still|but|however|not|transfer|human)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\s*###\w+###\s*")
_OF_THE_CALL = ("done", "its answer")
_YES = "the user's yes"
_LEAST_FIRST = ("seen", "last words", "handed over", "its answer", "done", "the user accepted")
_FIRST = 4  # steps in which a task stands
_TAIL = 4_000  # characters of the last words in which the answer stands
_QUOTES = 4
_TASK = 140  # characters of a task
_SHORT = 3  # characters: a shorter answer stands in any text


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, no check left behind says otherwise, and no sign of a breach was found."""
    facts = scene.facts
    if facts.passed is not True or failing_after(facts) or doubt(scene) or unasked_write(scene):
        return None
    told, shown, quotes = graded(scene.outcomes), [], list[Quote]()
    write, left = facts.last_write, any(map(uncounted, facts.failed_checks))
    checks = reversed(facts.checks_after)
    good = next((check for check in checks if check.state == "passed" and check.quote), None)
    seen = (good.step, head(good.quote, MOST), "checked") if good is not None else _seen_after(scene, write)
    done = _done(scene)
    if done is not None:
        shown.append(done[0])
        quotes += [quote for quote in done[1] if seen is None or quote[2] not in _OF_THE_CALL]
    if seen is not None:
        shown.append(f"a check passed at {seen[0]}" if good else f"that it works is seen at {seen[0]}")
        quotes.append(seen)
    if (found := _answered(scene)) is not None:
        shown.append(found[0])
        quotes += found[1]
    if (thanks := _thanks(scene, write)) is not None:
        shown.append(f"the user accepted at {thanks[0]}")
        quotes.append(thanks)
    still = _unchanged(scene, told) if write is None and done is None and not left else None
    if still is not None:
        shown.insert(0, still[0])
        quotes = [*still[1], *quotes]
    grader = f"the grader passed it ({told})" if told else "the grader passed it"
    if not shown and not told:
        return None  # a bare word of somebody, and nothing to hold it against
    but = "; but the database is not as expected, unrewarded" if left else ""
    if not shown:
        quotes = [(n, head(line, MOST), "last words") for n, line in claim_line(facts)]
        says = f"only {grader}: no write, check or answer in the run shows it{but}"
        return fired("passed_clean", None, says, 0.4, *quotes) if quotes else None
    agreed = any(quote[2] == _YES for quote in quotes)
    own = seen is not None or agreed or found is not None or thanks is not None
    alone = done is not None and not own
    says = f"{grader}; {'; '.join(shown)}{'; that it is right, only the grader says' if alone else ''}{but}"
    weight = 0.8 if good else 0.7 if done and thanks else 0.6 if own else 0.5 if names_what(told) else 0.4
    if still is not None and not of_words(told):
        weight = 0.5 if thanks or len(still[1]) > 1 else 0.4
    step = good.step if good else None
    return fired("passed_clean", step, says, round(max(weight - 0.2 * left, 0.3), 1), *_fitting(says, quotes))


def _fitting(says: str, quotes: list[Quote]) -> list[Quote]:
    """The quotes that can be read with the sentence in the time there is; what the others show goes first."""
    kept = quotes[-_QUOTES:]
    while len(kept) > 1 and not readable(says, [quote for _, quote, _ in kept]):
        shown = [caption for _, _, caption in kept]
        goes = next((shown.index(caption) for caption in _LEAST_FIRST if caption in shown), 0)
        kept = kept[:goes] + kept[goes + 1 :]
    return kept


def _done(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last write that went through, with the user's yes before it where a policy wants one."""
    write = scene.facts.last_write
    last = _expected_call(scene)
    if write is None or (last is not None and last[1] and last[1][0][0] > write.step):
        return last
    own = own_writes(scene) if rule_of_consent(scene) is not None else []
    before = last_words(scene, {one.step for one in own})
    yes = {n: (step.n, assent(step.message, MOST), _YES) for n, step in before.items()}
    quotes = [yes[write.step]] if write.step in yes and yes[write.step][1] else []
    count = sum(one.counts for one in scene.facts.writes)
    each = len(own) == count and all(one.step in yes and yes[one.step][1] for one in own)
    name = write.target.rsplit("/", 1)[-1]
    asked = asked_by_name(scene, name, _FIRST + 1) if "." in name and not quotes else None
    if asked is not None and (whole := re.search(rf"(?<!\w){re.escape(name)}", asked[1])):
        quotes.append((asked[0], around(asked[1], *whole.span(), _TASK), "asked"))
    shown, caption = deed(scene.step(write.step), write.target, write.tool)
    after = ", after the user's yes" if quotes and quotes[0][2] == _YES else ""
    quotes += [(write.step, shown, caption)] if shown else []
    by = " (the user)" if scene.step(write.step).source == "user" else ""
    if count == 1:
        return f"{write.tool}{by} went through at {write.step}{after}", quotes
    after = ", each after a yes of the user" if each else after
    return f"{count} writes went through{after}, the last, {write.tool}{by}, at {write.step}", quotes


def _expected_call(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last call that was expected and does not only look: a hand-over, say."""
    names = expected(scene.outcomes) or frozenset()
    for step in reversed(scene.trace.steps):
        for call, _ in pairs(step):
            if call.name in names and not named_read(call.name) and not step.error:
                says = f"{call.name}, which was expected, was called at {step.n}"
                quote, caption = deed(step, "", call.name)
                if HANDS_OVER.search(call.name):
                    quote, caption = _handed_over(step, call), "handed over"
                return says, [(step.n, quote, caption)] if quote else []
    return None


def _seen_after(scene: Scene, write: Write | None) -> Quote | None:
    """The last look after the last write, by whomever, that says that it works, where none says otherwise."""
    if write is None:
        return None
    for step in reversed(scene.trace.steps[write.step :]):
        for call, result in reversed(pairs(step)):
            if result is None or not named_read(call.name):
                continue
            works = WORKS.search(result.content)
            if result.error or WORKS_NOT.search(result.content):
                return None
            if works is not None:
                return step.n, around(result.content, *works.span(), MOST), "seen after"
    return None


def _unchanged(scene: Scene, told: str) -> tuple[str, list[Quote]] | None:
    """That no change was expected and none was made, with the hand-over or the last words in its place."""
    names = expected(scene.outcomes)
    if names is None or any(map(named_write, names)):
        return None
    says = "no change was expected, and none was made"
    idle = "changed" if "expected calls" in told else "did"
    says += "" if of_words(told) else f" (a run that {idle} nothing would pass too)"
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name) and not step.error:
                given = _handed_over(step, call)
                asked = _asked_for_a_person(scene, step.n)
                wanted = f", as the user asked at {asked[0][0]}" if asked else ""
                return f"{says}; it hands over at {step.n}{wanted}", [*asked, (step.n, given, "handed over")]
    return says, [(n, head(line, MOST), "last words") for n, line in claim_line(scene.facts)]


def _handed_over(step: Step, call: ToolCall) -> str:
    """What it hands over, of a long text where it says why."""
    text = max(strings(call.arguments), key=len, default="")
    why = _WHY.search(text)
    return around(text, *why.span(), MOST) if why and len(text) > MOST else deed(step, "", call.name)[0]


def _asked_for_a_person(scene: Scene, before: int) -> list[Quote]:
    """The last words of the user before the hand-over, where they ask for a person."""
    for step in reversed(scene.trace.steps[: before - 1]):
        if step.source == "user" and not step.kind and step.message.strip():
            match = WANTS_A_PERSON.search(step.message)
            words = sentence(step.message, match.start(), MOST) if match else ""
            return [(step.n, words, "asked")] if words and not NEGATED.search(words) else []
    return []


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
    quotes: list[Quote] = [(claim.step, around(claim.quote, at, at + len(want), MOST), "answered")]
    if len(want) > _SHORT:
        seen = first_appearance(scene.trace, want, before=claim.step, given=True, ignore_case=True)
        if seen is not None and seen.origin == "observation" and seen.step:
            says = f"{says}, and it stands in what a tool returned at {seen.step}"
            at = max(seen.quote.lower().find(want.lower()), 0)
            words = around(seen.quote, at, at + len(want), MOST)
            if len(words) < LEAST:  # the sentence alone says nothing
                words = around(seen.quote, seen.quote.find(" ", max(0, at - LEAST)) + 1, at + len(want), MOST)
            quotes.insert(0, (seen.step, words, "seen"))
    return says, quotes


def _thanks(scene: Scene, write: Write | None) -> Quote | None:
    """The last words of the user after the last write, where they are thanks and nothing against it."""
    for step in reversed(scene.trace.steps[write.step if write else 0 :]):
        words = _MARKS.sub(" ", step.message).strip()
        if step.source != "user" or step.kind or not words:
            continue
        parts = (part for part in _MARKS.split(step.message) if _THANKS.search(part))
        said = next(parts, "")
        match = _WELL.search(said) or _THANKS.search(said)
        if match is None or _BUT.search(words) or step.n == 1:
            return None
        words = sentence(said, match.start(), MOST)
        words = words if telling(words) else sentence(said, match.start(), MOST, least=LEAST)
        return step.n, words, "the user accepted"
    return None
