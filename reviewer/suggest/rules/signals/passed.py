"""Runs that their outcome calls passed: what in the run itself shows it.

The grader's verdict is told in its own terms; beside it stand the last write that went through with the
user's yes to it, and what proves the result (`proofs`). What makes it none is in `breaches` and `spoiled`.
Not known: what the grader did not look at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts import Write
from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import pairs
from reviewer.facts.tools import named_read, named_write
from reviewer.suggest.rules.seen.consent import asked_by_name
from reviewer.suggest.rules.seen.deeds import MOST, deed
from reviewer.suggest.rules.seen.fitting import MOST as _MOST
from reviewer.suggest.rules.seen.graded import ASSERTED, expected, graded, names_what, of_words, to_be_said
from reviewer.suggest.rules.seen.grounds import asked_for_a_person, handed_over, today
from reviewer.suggest.rules.seen.money import transaction
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.plain import done
from reviewer.suggest.rules.seen.proofs import (
    Quote,
    accepted,
    answered,
    from_a_tool,
    ran_at_the_end,
    seen_after,
    stems,
    there_at_the_end,
    unseen,
)
from reviewer.suggest.rules.seen.put import PUT, YES, yes_to
from reviewer.suggest.rules.seen.quoting import LEAST, around, head, readable, sentence
from reviewer.suggest.rules.seen.required import as_told, told
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, failing_after, fired
from reviewer.suggest.rules.seen.ungraded import uncounted, ungraded
from reviewer.suggest.rules.signals.breaches import (
    doubt,
    own_writes,
    rule_of_consent,
    unasked_write,
)
from reviewer.suggest.rules.signals.spoiled import only_the_grader, spoiled

_OF_THE_CALL = ("done", "its answer")
_HANDED = "the expected hand-over"
_ASKS_BACK = re.compile(r"\b(?:earlier|before),? you (?:said|mentioned|told|quoted)\b", re.IGNORECASE)
_INEXACT = re.compile(r"(?:\A|, )\d+ of \d+ expected calls to the letter")
_LOOK = 0.65  # what a look weighs that shows the result itself
_AGREED, _LOOKED, _ANSWERED, _SAID, _DONE, _THANKS = range(6)  # what shows most comes first
_LATER = {"its answer": 1, "the user accepted": 2, "last words": 3}  # what shows less
_FIRST = 4  # steps in which a task stands
_TWO, _AIM = 2, 35  # quotes, words: a third quote has to be short
_WRITES = 50
_LONG = 2_000
_TASK = 140  # characters of a task


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, no check left behind says otherwise, and no sign of a breach was found.

    Not where only a grader says so who does not say what it compared, or who leaves out what it found.
    """
    facts = scene.facts
    if facts.passed is not True or failing_after(facts) or doubt(scene) or unasked_write(scene):
        return None
    said, write = graded(scene.outcomes), facts.last_write
    deeds, proofs = _done(scene), _proofs(scene, write)
    left = any(map(uncounted, facts.failed_checks))
    still = _unchanged(scene, said) if write is None and deeds is None and not left else None
    agreed = deeds is not None and any(caption in (YES, PUT) for _, _, caption in deeds[1])
    own = agreed or bool(proofs)
    if spoiled(scene) or not (own or names_what(said) or expected(scene.outcomes) is not None):
        return None
    if not own and only_the_grader(scene, still is not None):
        return None
    if not (own or deeds or still):
        last = [(n, head(line, MOST), "last words") for n, line in claim_line(facts)]
        says = f"only the grader passed it ({said}): no write, check or answer in the run shows it"
        return fired("passed_clean", None, says, 0.4, *last) if last else None
    said = _INEXACT.sub("", said)  # what was left out of the grade is told as what speaks against it
    step = next((one.quotes[-1][0] for one in proofs if one.weight > _LOOK), None)
    weight = max([0.5 if names_what(said) else 0.4, *(one.weight for one in proofs), 0.6 * agreed])
    if deeds and any(one.rank == _THANKS for one in proofs):
        weight = max(weight, 0.7)
    if still is not None and not of_words(said):
        weight = 0.5 if own or len(still[1]) > 1 else 0.4
    weight = round(weight - 0.2 * left, 1)
    if (first := still or deeds) is not None:
        proofs.append(_Proof(*first, rank=_AGREED if agreed else _DONE))
    proofs.sort(key=lambda one: one.rank)
    said = _in_prose(scene, said)
    says, quotes = _told(scene, said, proofs)
    but = _against(scene, quotes)
    if not readable(says, [but, *(quote[1] for quote in quotes[:1])]):
        says = says.replace(said, _shown_of(said, quotes), 1)
    return fired("passed_clean", step, says, weight, *_fitting(says, but, quotes), but=but)


def _in_prose(scene: Scene, said: str) -> str:
    """The fact that had to be told as the run has it; a long number whose thing is not named is dropped."""
    fact = next(iter(to_be_said(scene.outcomes)), "")
    told_as = as_told(scene, fact) if fact else ""
    if not told_as:
        return re.sub(rf": “{re.escape(fact)}”(?: and \d+ more)?", "", said)
    return said.replace(f"“{fact}”", told_as if told_as[-1:].isalpha() and fact.isdigit() else f"“{told_as}”")


def _shown_of(said: str, quotes: list[Quote]) -> str:
    """Of several checks the one that the quotes show."""
    parts = said.split(", ")
    shown = stems(" ".join(words for _, words, _ in quotes))
    best = max(parts, key=lambda part: len(stems(part) & shown))
    under = best != parts[0] and any(part.startswith(ASSERTED) for part in parts[: parts.index(best)])
    return f"{ASSERTED}{best}" if under else best


def _told(scene: Scene, said: str, proofs: list[_Proof]) -> tuple[str, list[Quote]]:
    """The sentence with the best proof, or with two where one says little; and the quotes, the best first."""
    best, *rest = proofs
    grader = f"the grader passed it ({said})" if said else "the grader passed it"
    more = [one for one in rest if best.rank == _DONE and one.rank == _THANKS]
    if best.says.startswith(_HANDED):  # nothing was to be solved: what else was checked would read as open
        quotes = [quote for one in proofs for quote in one.quotes]
        day = today(scene, quotes)
        return f"the grader passed it: {best.says}{f' (today: {day})' if day else ''}", quotes
    says = "; ".join((grader, best.says, *(one.says for one in more)))
    quotes = [quote for one in proofs for quote in one.quotes]
    if best.rank < _DONE:  # the sentence says what was done
        quotes = [quote for quote in quotes if quote[2] != "done"]
    if best.rank == _LOOKED:
        quotes = [quote for quote in quotes if quote[2] != "its answer"]
    return says, sorted(quotes, key=lambda quote: _LATER.get(quote[2], 0))


@dataclass(frozen=True, slots=True)
class _Proof:
    """A clause of the sentence, its quotes, what it weighs, and its place among others."""

    says: str
    quotes: list[Quote]
    weight: float = 0.6
    rank: int = 0


def _proofs(scene: Scene, write: Write | None) -> list[_Proof]:
    """What the run itself shows, the looks before the words."""
    found, after = [], ", after the last change" if write is not None else ""
    if (ran := ran_at_the_end(scene)) is not None:
        checked = ran[2] == "checked"
        what = "a check passed" if checked else "what it wrote ran without an error"
        found.append(_Proof(f"{what} at {ran[0]}{after}", [ran], 0.8 if checked else _LOOK, _LOOKED))
    elif (seen := seen_after(scene, write)) is not None:
        found.append(_Proof(f"at {seen[0]}{after}, it works", [seen], _LOOK, _LOOKED))
    elif (there := there_at_the_end(scene, write)) is not None:
        found.append(
            _Proof(f"the file that the task names is there at {there[0]}{after}", [there], _LOOK, _LOOKED)
        )
    for proof, rank in ((answered(scene), _ANSWERED), (told(scene), _SAID)):
        found += [_Proof(*proof, rank=rank)] if proof is not None else []
    if (thanks := accepted(scene, write)) is not None:
        found.append(_Proof(f"{thanks[2]} at {thanks[0]}", [thanks], rank=_THANKS))
    if not found and write is None and (returned := from_a_tool(scene)) is not None:
        found.append(_Proof(*returned, 0.5, _ANSWERED))
    return found


def _against(scene: Scene, quotes: list[Quote]) -> str:
    """The strongest thing in the trace that speaks against a run that passed."""
    facts = scene.facts
    if (check := next(iter(facts.failing), None)) is not None:
        return f"a {check.kind} failed at {check.step} and was not run again"
    if (error := next((one for one in scene.standing if one.kind == "tool"), None)) is not None:
        return f"{error.tool or 'a call'} failed at {error.step} and was left"
    since = facts.last_write.step if facts.last_write is not None else 0
    for step in scene.trace.steps[since:] if since else ():
        if step.source == "user" and not step.kind and _ASKS_BACK.search(step.message[:_LONG]):
            return f"the user asks at {step.n} why it came out otherwise"
    if any(not check.counts for check in facts.failed_checks):
        return ungraded(scene.outcomes, facts.failed_checks)
    return unseen(scene, quotes)


def _fitting(says: str, but: str, quotes: list[Quote]) -> list[Quote]:
    """Two quotes, the best first, and a third one where it costs little."""
    kept: list[Quote] = []
    for quote in quotes:
        texts = [but, *(one[1] for one in (*kept, quote))]
        cheap = len(kept) < _TWO or sum(len(text.split()) for text in (says, *texts)) <= _AIM
        if len(kept) < _MOST and cheap and readable(says, texts):
            kept.append(quote)
    kept = kept or sorted(quotes, key=lambda quote: len(quote[1]))[:1]
    return sorted(kept, key=lambda quote: quote[0])


def _done(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last write that went through, with the user's yes before it where a policy wants one."""
    write = scene.facts.last_write
    last = _expected_call(scene)
    if write is None or (last is not None and last[1] and last[1][-1][0] > write.step):
        return last
    every = [one for one in scene.facts.writes if one.counts]
    shown, caption = deed(scene.step(write.step), write.target, write.tool)
    if caption == "done" and (entry := transaction(scene.step(write.step), write)):
        shown, caption = entry, "its answer"
    deeds = [(write.step, shown, caption)] if shown else []
    if found := _after_a_yes(scene, write, every):
        return found[0], [found[1], *deeds]
    name = write.target.rsplit("/", 1)[-1]
    asked = asked_by_name(scene, name, _FIRST + 1) if "." in name else None
    quotes = deeds
    if asked is not None and (whole := re.search(rf"(?<!\w){re.escape(name)}", asked[1])):
        quotes = [(asked[0], around(asked[1], *whole.span(), _TASK), "asked"), *deeds]
    by = " by the user" if scene.step(write.step).source == "user" else ""
    if len(every) == 1:
        return f"{_deed_of(scene, write)}{by} at {write.step}", quotes
    return f"{len(every)} changes were made, the last, {write.tool}{by}, at {write.step}", quotes


def _deed_of(scene: Scene, write: Write) -> str:
    """What a write did, in words; of one thing in the singular."""
    call = next((call for call in scene.step(write.step).calls if call.name == write.tool), None)
    given = arguments_of(call) if call is not None else None
    lists = [item for item in given.values() if isinstance(item, list)] if isinstance(given, dict) else []
    return done(write.tool, one=bool(lists) and all(len(items) == 1 for items in lists))


def _after_a_yes(scene: Scene, write: Write, every: list[Write]) -> tuple[str, Quote] | None:
    """That the writes came after a yes to them, and the words of the last one."""
    own = own_writes(scene) if rule_of_consent(scene) is not None else []
    before = [0, *(one.step for one in own[:-1])]
    given = [
        yes_to(scene, scene.step(one.step), one.tool, since)
        for since, one in zip(before[-_WRITES:], own[-_WRITES:], strict=False)
    ]
    last = given[-1] if given and own[-1] == write else None
    if last is None or last.quote is None:
        return None
    at, yes = write.step, f"after the user's yes ({last.n})"
    if len(every) == 1:
        return f"{_deed_of(scene, write)} ({at}) {yes}", last.quote
    if len(own) != len(every) or not all(one is not None and one.quote is not None for one in given):
        return f"{len(every)} changes, the last ({at}) {yes}", last.quote
    asked = {one.n for one in given if one is not None}
    if len(asked) == 1:
        steps = f"{own[0].step} to {at}" if len(own) > _TWO else f"{own[0].step}, {at}"
        return f"{len(own)} changes ({steps}) {yes}", last.quote
    each = "each after its own yes" if len(asked) == len(own) else "all after a yes"
    return f"{len(own)} changes, {each}; the last ({at}) {yes}", last.quote


def _expected_call(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The last call that was expected and does not only look: a hand-over, say."""
    names = expected(scene.outcomes) or frozenset()
    for step in reversed(scene.trace.steps):
        for call, _ in pairs(step):
            if call.name in names and not named_read(call.name) and not step.error:
                hands = HANDS_OVER.search(call.name)
                says = f"{_HANDED if hands else f'the expected {call.name}'} was made at {step.n}"
                if hands:
                    return says, handed_over(scene, step, call)
                quote, caption = deed(step, "", call.name)
                return says, [(step.n, quote, caption)] if quote else []
    return None


def _unchanged(scene: Scene, said: str) -> tuple[str, list[Quote]] | None:
    """That no change was expected and none was made, with the hand-over or the last words in its place."""
    names = expected(scene.outcomes)
    if names is None or any(map(named_write, names)):
        return None
    says = "no change was expected or made"
    for step in scene.trace.steps:
        for call in step.calls:
            if HANDS_OVER.search(call.name) and not step.error:
                asked = asked_for_a_person(scene, step.n)
                wanted = f", as asked ({asked[0][0]})" if asked else ""
                quotes = handed_over(scene, step, call)
                quotes = [*quotes[:-1], *asked, quotes[-1]]
                return f"{says}; it handed the user over at {step.n}{wanted}", quotes
    last = [] if of_words(said) else claim_line(scene.facts)
    return says, [(n, sentence(line, 0, MOST, LEAST), "last words") for n, line in last]
