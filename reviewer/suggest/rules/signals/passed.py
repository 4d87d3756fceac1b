"""Runs that their outcome calls passed: what in the run itself shows it.

The grader's verdict is told in its own terms; beside it stand the last write that went through with the
user's yes to it, and what proves the result (`proofs`). What makes it none is in `breaches` and `spoiled`.
Not known: what the grader did not look at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts import Write
from reviewer.facts.texts import pairs, strings
from reviewer.facts.tools import named_read, named_write
from reviewer.suggest.rules.seen.assent import assent
from reviewer.suggest.rules.seen.consent import WANTS_A_PERSON, asked_by_name
from reviewer.suggest.rules.seen.deeds import MOST, deed
from reviewer.suggest.rules.seen.graded import expected, graded, names_what, of_words
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, NEGATED
from reviewer.suggest.rules.seen.proofs import (
    Quote,
    accepted,
    answered,
    from_a_tool,
    ran_at_the_end,
    seen_after,
    there_at_the_end,
    told,
    unseen,
)
from reviewer.suggest.rules.seen.quoting import BRIEF, around, head, readable, sentence, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, failing_after, fired
from reviewer.suggest.rules.signals.breaches import (
    doubt,
    last_words,
    own_writes,
    rule_of_consent,
    unasked_write,
    uncounted,
)
from reviewer.suggest.rules.signals.spoiled import only_the_grader, spoiled
from reviewer.trace import Step, ToolCall

_WHY = re.compile(
    r"\b(?:cannot|can['’]t|unable|outside|exception|beyond"
    r"|not (?:\w+ )?(?:eligible|allowed|possible|permitted|met?)"
    r"|does not meet|per policy|suspended)\b",
    re.IGNORECASE,
)
_OF_THE_CALL = ("done", "its answer")
_INEXACT = re.compile(r"(?:\A|, )\d+ of \d+ expected calls to the letter")
_YES, _ACCEPTED = "the user's yes", "the user accepted"
_LOOK = 0.65  # what a look weighs that shows the result itself
_LEAST_FIRST = ("seen", "last words", "handed over", "its answer", "done", "the user accepted")
_FIRST = 4  # steps in which a task stands
_QUOTES = 4
_TASK = 140  # characters of a task
_NAME = 40  # characters of a check that are read at a glance


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, no check left behind says otherwise, and no sign of a breach was found.

    Not where only a grader says so who does not say what it compared, or who leaves out what it found.
    """
    facts = scene.facts
    if facts.passed is not True or failing_after(facts) or doubt(scene) or unasked_write(scene):
        return None
    said, write = graded(scene.outcomes), facts.last_write
    done, proofs = _done(scene), _proofs(scene, write)
    left = any(map(uncounted, facts.failed_checks))
    still = _unchanged(scene, said) if write is None and done is None and not left else None
    agreed = done is not None and any(caption == _YES for _, _, caption in done[1])
    own = agreed or bool(proofs)
    if spoiled(scene) or not (own or names_what(said) or expected(scene.outcomes) is not None):
        return None
    if not own and only_the_grader(scene, still is not None):
        return None
    if not (own or done or still):
        last = [(n, head(line, MOST), "last words") for n, line in claim_line(facts)]
        says = f"only the grader passed it ({said}): no write, check or answer in the run shows it"
        return fired("passed_clean", None, says, 0.4, *last) if last else None
    shown, quotes = [one.says for one in proofs], [quote for one in proofs for quote in one.quotes]
    looked = any(one.weight >= _LOOK for one in proofs)
    if (first := still or done) is not None and (agreed or not looked):
        shown.insert(0, first[0])
        quotes = [*(quote for quote in first[1] if not looked or quote[2] not in _OF_THE_CALL), *quotes]
    said = _INEXACT.sub("", said)  # what was left out of the grade is told as what speaks against it
    grader = f"the grader passed it ({said})" if said else "the grader passed it"
    says, but = f"{grader}; {'; '.join(shown)}", _against(scene, said, quotes, still is not None)
    step = next((one.quotes[-1][0] for one in proofs if one.weight > _LOOK), None)
    weight = max([0.5 if names_what(said) else 0.4, *(one.weight for one in proofs), 0.6 * agreed])
    if done and any(caption == _ACCEPTED for _, _, caption in quotes):
        weight = max(weight, 0.7)
    if still is not None and not of_words(said):
        weight = 0.5 if own or len(still[1]) > 1 else 0.4
    weight = round(weight - 0.2 * left, 1)
    return fired("passed_clean", step, says, weight, *_fitting(says, but, quotes), but=but)


@dataclass(frozen=True, slots=True)
class _Proof:
    """A clause of the sentence, its quotes, and what it weighs."""

    says: str
    quotes: list[Quote]
    weight: float = 0.6


def _proofs(scene: Scene, write: Write | None) -> list[_Proof]:
    """What the run itself shows, the looks before the words."""
    found, after = [], ", after the last write" if write is not None else ""
    if (ran := ran_at_the_end(scene)) is not None:
        checked = ran[2] == "checked"
        what = "a check passed" if checked else "what it wrote ran without an error"
        found.append(_Proof(f"{what} at {ran[0]}{after}", [ran], 0.8 if checked else _LOOK))
    elif (seen := seen_after(scene, write)) is not None:
        found.append(_Proof(f"it is seen to work at {seen[0]}{after}", [seen], _LOOK))
    elif (there := there_at_the_end(scene, write)) is not None:
        found.append(_Proof(f"the file that the task names is there at {there[0]}{after}", [there], _LOOK))
    for proof in (answered(scene), told(scene)):
        found += [_Proof(*proof)] if proof is not None else []
    if (thanks := accepted(scene, write)) is not None:
        found.append(_Proof(f"{thanks[2]} at {thanks[0]}", [thanks]))
    if not found and write is None and (returned := from_a_tool(scene)) is not None:
        found.append(_Proof(*returned, 0.5))
    return found


def _against(scene: Scene, said: str, quotes: list[Quote], trivial: bool) -> str:
    """The strongest thing that speaks against a run that passed, and why it lost."""
    facts = scene.facts
    if any(map(uncounted, facts.failed_checks)):
        return "the database is not as expected; the grade leaves that out"
    if (check := next(iter(facts.failing), None)) is not None:
        return f"a {check.kind} failed at {check.step} and was not run again; the grader passes the whole"
    if (error := next((one for one in scene.standing if one.kind == "tool"), None)) is not None:
        return (
            f"{error.tool or 'a call'} failed at {error.step} and was left; the grader passes it without that"
        )
    if trivial and not of_words(said):
        return "doing nothing would pass too; nothing was to be changed"
    other = next((check for check in facts.failed_checks if not check.counts), None)
    if other is not None:
        call = shortened(other.brief.partition("(")[0].rpartition(" ")[2], _NAME)
        how = "called in another way" if any(used.tool == call for used in facts.tools) else "not called"
        return f"the expected {call} was {how}; the grade leaves that out"
    shown = {caption for _, _, caption in quotes}
    if unseen(scene, quotes):
        return "no text that a tool returned holds the answer; it is right all the same"
    own = shown.difference((*_OF_THE_CALL, "asked", "handed over", "last words"))
    return "" if own else "nothing in the run checks it; what the grader compared does"


def _fitting(says: str, but: str, quotes: list[Quote]) -> list[Quote]:
    """The quotes that can be read with the sentence in the time there is; what the others show goes first."""
    kept = quotes[-_QUOTES:]
    while len(kept) > 1 and not readable(says, [but, *(quote for _, quote, _ in kept)]):
        shown = [caption for _, _, caption in kept]
        goes = next((shown.index(caption) for caption in _LEAST_FIRST if caption in shown), 0)
        kept = kept[:goes] + kept[goes + 1 :]
    return sorted(kept, key=lambda quote: quote[0])


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
    after = ", each after the user's yes" if each else after
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


def _unchanged(scene: Scene, said: str) -> tuple[str, list[Quote]] | None:
    """That no change was expected and none was made, with the hand-over or the last words in its place."""
    names = expected(scene.outcomes)
    if names is None or any(map(named_write, names)):
        return None
    says = "no change was expected, and none was made"
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name) and not step.error:
                given = _handed_over(step, call)
                asked = _asked_for_a_person(scene, step.n)
                wanted = f", as the user asked at {asked[0][0]}" if asked else ""
                return f"{says}; it hands over at {step.n}{wanted}", [*asked, (step.n, given, "handed over")]
    last = [] if of_words(said) else claim_line(scene.facts)
    return says, [(n, head(line, MOST), "last words") for n, line in last]


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
            words = sentence(step.message, match.start(), BRIEF) if match else ""
            return [(step.n, words, "asked")] if words and not NEGATED.search(words) else []
    return []
