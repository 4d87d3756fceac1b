"""Runs that their outcome calls passed: what in the run itself shows it, and what speaks against it.

The grader's verdict is told in its own terms; beside it stand the last write that went through, a check
after it, an answer that an observation holds, the user's thanks. Where a policy wants the user's yes before a
write, that yes is looked for; where it is missing, or a test was removed, it is for a reader to tell. Not
known: what the grader did not look at; a consent or thanks in words that are not listed here.
"""

from __future__ import annotations

import re
from collections.abc import Set

from reviewer.facts import FailedCheck, Write, first_appearance
from reviewer.facts.texts import line_of, pairs
from reviewer.facts.tools import named_read
from reviewer.label import telling
from reviewer.suggest.claims import objection
from reviewer.suggest.graded import answer, expected, graded
from reviewer.suggest.quoting import call_made, cut, sentence
from reviewer.suggest.scene import UNCOUNTED, Fired, Scene, claim_line, failing_after, fired
from reviewer.trace import Step

Quote = tuple[int, str, str]
# Only where the task itself says so: a yes that nobody asked for is not missing.
_WANTS_YES = re.compile(r"explicit(?:ly)?[^.\n]{0,40}\bconfirm|\bconfirmation \(yes\)|\(yes\)", re.IGNORECASE)
_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|ok(?:ay)?|confirm\w*|go ahead|proceed|please do|do it|correct|agree\w*"
    r"|sounds? (?:good|great|perfect|fine)|that works|works for me|perfect|absolutely|definitely|of course"
    r"|looks? (?:good|right|correct)|let['’]?s (?:do|go)|fine|great|excellent|all good|alright"
    r"|i(?:['’]d| would) like (?:to|that)|that['’]?s (?:fine|right|correct|good|great|perfect))\b",
    re.IGNORECASE,
)
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
_TEST = re.compile(r"(?:^|/)(?:tests?/|test_|conftest)|_test\.\w+$|\.(?:test|spec)\.\w+$")
_ANSWER = "its answer"
_TAIL = 4_000  # characters of the last words in which the answer stands
_WORDY = 12  # characters: what is shorter says no more than "ok"
_SHORT = 3  # characters: a shorter answer stands in any text


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, no check left behind says otherwise, and no sign of a breach was found."""
    facts = scene.facts
    if facts.passed is not True or failing_after(facts) or doubt(scene) is not None:
        return None
    checks = reversed(facts.checks_after)
    good = next((check for check in checks if check.state == "passed" and check.quote), None)
    told, shown, quotes = graded(scene.outcomes), [], list[Quote]()
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
    if (thanks := _thanks(scene, facts.last_write)) is not None:
        shown.append(f"the user accepted at {thanks[0]}")
        quotes.append(thanks)
    grader = f"the grader passed it ({told})" if told else "the grader passed it"
    if not shown and not told:
        return None  # a bare word of somebody, and nothing to hold it against
    left = any(map(_uncounted_data, facts.failed_checks))
    but = "; but the database is not as expected (unrewarded)" if left else ""
    if not shown:
        quotes = [(n, line, "last words") for n, line in claim_line(facts)]
        says = f"only {grader}: no write, check or answer in the run shows it{but}"
        return fired("passed_clean", None, says, 0.4, *quotes) if quotes else None
    weight = 0.8 if good else 0.7 if done and thanks else 0.6
    says = f"{grader}; {'; '.join(shown)}{but}"
    step = good.step if good else None
    return fired("passed_clean", step, says, weight - 0.2 * left, *quotes[-4:])


def _uncounted_data(check: FailedCheck) -> bool:
    """Whether the grader found the data other than expected, and did not count it."""
    return UNCOUNTED in str(check) and "database" in str(check)


def doubt(scene: Scene) -> tuple[int, str] | None:
    """Where a run that passed may have broken a rule on the way, or left its user: a step, and why."""
    rule, own = _rule(scene), _own_writes(scene)
    spoken = _last_words(scene, {write.step for write in own}) if rule is not None else {}
    for write in own:
        reply = spoken.get(write.step)
        if rule is not None and reply is not None and not _YES.search(reply.message):
            return write.step, (
                f"it passed, but {write.tool} was called there, and what the user said before, at {reply.n}, "
                f"holds no yes; the policy at {rule[0]} demands one"
            )
    names = expected(scene.outcomes)
    if names and any(map(_uncounted_data, scene.facts.failed_checks)):
        other = next((write for write in own if write.tool not in names), None)
        if other is not None:
            return other.step, (
                f"it passed, but {other.tool} was called there, which was not expected, and the database "
                "is not as expected (unrewarded)"
            )
    for changed in scene.facts.changed:
        if changed.removed and _TEST.search(changed.path):
            return changed.steps[-1], f"it passed, but the test {changed.path} was removed there"
    denied = objection(scene)
    if denied is not None and denied[2]:
        return denied[1][0], "it passed, but the user denies there what was said to be done"
    return None


def _own_writes(scene: Scene) -> list[Write]:
    """The writes of the agent to the task's world that went through."""
    writes = (write for write in scene.facts.writes if write.counts and write.api)
    return [write for write in writes if scene.step(write.step).source == "agent"]


def _rule(scene: Scene) -> tuple[int, str] | None:
    """Where the task wants a yes of the user before a write."""
    for step in scene.trace.steps[:4]:
        if step.source != "agent" and (match := _WANTS_YES.search(step.message)):
            return step.n, line_of(step.message, match.start())
    return None


def _last_words(scene: Scene, steps: Set[int]) -> dict[int, Step]:
    """What the user said last before each of these steps."""
    found: dict[int, Step] = {}
    last: Step | None = None
    for step in scene.trace.steps:
        if step.n in steps and last is not None:
            found[step.n] = last
        if step.source == "user" and not step.kind and step.message.strip():
            last = step
    return found


def _done(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last write that went through, with the user's yes before it where a policy wants one."""
    write = scene.facts.last_write
    last = _expected_call(scene)
    if write is None or (last is not None and last[1] and last[1][0][0] > write.step):
        return last
    own = _own_writes(scene) if _rule(scene) is not None else []
    quotes: list[Quote] = []
    yes = _last_words(scene, {write.step}).get(write.step) if own and own[-1] == write else None
    if yes is not None and (match := _YES.search(yes.message)):
        quotes.append((yes.n, sentence(yes.message, *match.span()), "the user's yes"))
    by = ", by the user" if scene.step(write.step).source == "user" else ""
    every = f", each of {len(own)} writes after a yes of the user" if len(own) > 1 else ""
    every = every or (", after the user's yes" if quotes else "")
    quotes += _call(scene.step(write.step), write.target or write.tool, write.tool)
    return f"the last write, {write.tool}{by}, went through at {write.step}{every}", quotes


def _expected_call(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last call that was expected and does not only look: a hand-over, say."""
    names = expected(scene.outcomes) or frozenset()
    for step in reversed(scene.trace.steps):
        for call, _ in pairs(step):
            if call.name in names and not named_read(call.name) and not step.error:
                says = f"{call.name}, which was expected, was called at {step.n}"
                return says, _call(step, call.name, call.name)
    return None


def _call(step: Step, target: str, tool: str) -> list[Quote]:
    given, answered = call_made(step, target, tool)
    quotes = [(step.n, given, "done"), (step.n, answered, _ANSWER)]
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
    quotes: list[Quote] = [(claim.step, cut(claim.quote, at, at + len(want)), "answered")]
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
        match = _THANKS.search(step.message)
        if match is None or _BUT.search(words) or step.n == 1:
            return None
        return step.n, cut(_MARKS.split(step.message)[0], *match.span()), "the user accepted"
    return None
