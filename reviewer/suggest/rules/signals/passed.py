"""Runs that their outcome calls passed: what in the run itself shows it.

The grader's verdict is told in its own terms; beside it stand the last write that went through with the
user's yes to it, and what proves the result (`proofs`). What makes it none is in `spoiled`. Not known: what
the grader did not look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.facts import Write
from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import first_line
from reviewer.facts.tools import named_write
from reviewer.suggest.rules.seen.deeds import deed
from reviewer.suggest.rules.seen.fitting import MOST
from reviewer.suggest.rules.seen.graded import ASSERTED, TOLD, expected, graded, names_what
from reviewer.suggest.rules.seen.grounds import HandOver, asked_for_a_person, grounds, instead, today
from reviewer.suggest.rules.seen.plain import done
from reviewer.suggest.rules.seen.proofs import (
    accepted,
    answered,
    checked_at_the_end,
    seen_after,
    stems,
    there_at_the_end,
    told,
    unseen,
)
from reviewer.suggest.rules.seen.put import own_writes, rule_of_consent, yes_to
from reviewer.suggest.rules.seen.quoting import LEAST, Quote, readable, sentence
from reviewer.suggest.rules.seen.scene import Fired, Scene, failing_after, fired
from reviewer.suggest.rules.seen.ungraded import uncounted, ungraded
from reviewer.suggest.rules.signals.spoiled import of_another_number, spoiled

_LATER = {"its answer": 1, "done": 1, "the user accepted": 2}  # what shows less
_SENTENCE, _LINE = 5, 240  # words, characters
_TWO, _AIM = 2, 35  # quotes, words: a third quote has to be short


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of the sentence with its quotes and weight; `own`: it shows more than that a call was made."""

    says: str
    quotes: list[Quote]
    weight: float = 0.6
    own: bool = True


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, no check left behind says otherwise, and no sign of a breach was found.

    Not where only a grader says so who does not say what it compared, or who leaves out what it found.
    """
    facts, said = scene.facts, graded(scene.outcomes)
    if facts.passed is not True or failing_after(facts) or spoiled(scene):
        return None
    left, over = any(map(uncounted, facts.failed_checks)), instead(scene)
    found = _clauses(scene, left) if over is None else [_handed_over(scene, over)]
    made = facts.last_write is not None and names_what(said) and not left
    if not any(one.own or (made and one.quotes) for one in found):
        return None
    if over is not None:
        said = ""  # nothing was to be solved: what else was checked would read as open
    elif (fact := told(scene)) is not None and fact[0]:
        said = said.replace(TOLD, f"{TOLD}: {fact[0]}")
    says, but, quotes = _told(scene, said, found)
    if left and len(found) > 1 and not readable(says, [but, quotes[0][1]]):
        says, but, quotes = _told(scene, said, found[1:])
    weight = max(one.weight for one in found)
    if facts.last_write is not None and len(found) > 1:
        weight = max(weight, 0.7)  # a yes, a look or thanks beside what was done
    step = next((n for n, _, caption in quotes if caption == "checked"), None)
    weight = round(weight - 0.2 * (left or of_another_number(scene) is not None), 1)
    return fired("passed_clean", step, says, weight, *_best_first(says, but, quotes), but=but)


def _told(scene: Scene, said: str, found: list[_Clause]) -> tuple[str, str, list[Quote]]:
    """The sentence with the best clause, what speaks against it, and the quotes, the best first."""
    best, *rest = found
    grader = f"the grader passed it ({said})" if said else "the grader passed it"
    says = "; ".join((grader, best.says, *(one.says for one in rest if not best.own)))
    others = (quote for one in rest if one.own for quote in one.quotes)
    quotes = [*best.quotes, *sorted(others, key=lambda quote: _LATER.get(quote[2], 0))]
    but = _against(scene, quotes)
    if said and not readable(says, [but, *(quote[1] for quote in quotes[:1])]):
        says = says.replace(said, _shown_of(said, quotes), 1)
    return says, but, quotes


def _clauses(scene: Scene, left: bool) -> list[_Clause]:
    """What the run itself shows, the best first: where a grader leaves out a check, the user's word."""
    write, names = scene.facts.last_write, expected(scene.outcomes)
    last_deed = _done(scene, write) if write is not None else None
    if write is None and names is not None and not any(map(named_write, names)):
        last_deed = _Clause("no change was expected or made", _last_words(scene), 0.5, own=False)
    looks = [*_looked(scene, write)]
    if (shown := answered(scene)) is not None:
        looks.append(_Clause(*shown))
    if (fact := told(scene)) is not None:
        looks.append(_Clause(f"what had to be told is told at {fact[1][0]}", [fact[1]]))
    thanks = accepted(scene, write)
    last = [_Clause(f"the user accepted at {thanks[0]}", [thanks])] if thanks is not None else []
    agreed, did = ([], []) if last_deed is None else ([last_deed], []) if last_deed.own else ([], [last_deed])
    return [*last, *agreed, *looks, *did] if left else [*agreed, *looks, *did, *last]


def _last_words(scene: Scene) -> list[Quote]:
    """The first sentence of the last words; where a line only announces, with the next one."""
    claim = scene.facts.claim
    if claim is None:
        return []
    lines = (line.strip() for line in claim.quote[:8000].splitlines())
    line = next((line for line in lines if len(line.split()) >= _SENTENCE), "")[:_LINE]
    line = line or first_line(claim.quote)
    if line.endswith(":") and (at := claim.quote.find(line)) >= 0:
        after = claim.quote[at + len(line) :]
        below = first_line(after)
        line = claim.quote[at : at + len(line) + after.find(below) + len(below)]
    return [(claim.step, sentence(line, 0, least=LEAST), "last words")]


def _looked(scene: Scene, write: Write | None) -> Iterator[_Clause]:
    """A look or a check after the last write that shows the result."""
    if (ran := checked_at_the_end(scene)) is not None:
        yield _Clause(f"a check passed at {ran[0]}", [ran], 0.8)
    elif (seen := seen_after(scene, write)) is not None:
        yield _Clause(f"it works at {seen[0]}", [seen], 0.7)
    elif (there := there_at_the_end(scene, write)) is not None:
        yield _Clause(f"the file that the task names is there at {there[0]}", [there], 0.7)


def _done(scene: Scene, write: Write) -> _Clause:
    """The last write that went through, with the user's yes before it where a policy wants one."""
    step, every = scene.step(write.step), [one for one in scene.facts.writes if one.counts]
    shown, caption = deed(step, write.target, write.tool)
    quotes = [(write.step, shown, caption)] if shown else []
    given = next((arguments_of(call) for call in step.calls if call.name == write.tool), None)
    lists = [item for item in given.values() if isinstance(item, list)] if isinstance(given, dict) else []
    did = done(write.tool, one=bool(lists) and all(len(items) == 1 for items in lists))
    own = own_writes(scene) if rule_of_consent(scene) is not None else []
    replies = [reply for one in own if (reply := yes_to(scene, one)) is not None]
    yes = replies[-1] if replies and own[-1] == write else None
    if yes is None or yes.quote is None:
        many = f"{len(every)} changes, the last at {write.step}"
        return _Clause(many if len(every) > 1 else f"{did} at {write.step}", quotes, 0.5, own=False)
    quotes = [yes.quote, *(quote for quote in quotes if quote[2] != "done")]
    at, after = write.step, f"after the user's yes ({yes.n})"
    if len(every) == 1:
        return _Clause(f"{did} ({at}) {after}", quotes)
    asked = {reply.n for reply in replies}
    if len(own) < len(every) or len(asked) > 1:
        each = ", each after its own yes;" if len(asked) == len(every) else ","
        return _Clause(f"{len(every)} changes{each} the last ({at}) {after}", quotes)
    steps = f"{own[0].step}{', ' if len(own) == _TWO else ' to '}{at}"
    return _Clause(f"{len(own)} changes ({steps}) {after}", quotes)


def _handed_over(scene: Scene, over: HandOver) -> _Clause:
    """That it hands the user over, with what shows its reason and the wish for it."""
    asked, why = asked_for_a_person(scene, over.step), grounds(scene, over)
    day = today(scene, why)
    how = f"{f', as asked ({asked[0][0]})' if asked else ''}{f' (today: {day})' if day else ''}"
    own = [(over.step, sentence(over.reason, 0, least=LEAST), "handed over")] if len(why) < _TWO else []
    return _Clause(f"the expected hand-over was made at {over.step}{how}", [*why, *asked, *own], 0.5)


def _shown_of(said: str, quotes: list[Quote]) -> str:
    """Of several checks the one that the quotes show."""
    before = ASSERTED if said.startswith(ASSERTED) else ""
    shown = stems(" ".join(words for _, words, _ in quotes))
    return before + max(said.removeprefix(before).split(", "), key=lambda part: len(stems(part) & shown))


def _against(scene: Scene, quotes: list[Quote]) -> str:
    """The strongest thing in the trace that speaks against a run that passed."""
    if (another := of_another_number(scene)) is not None:
        return another[1]
    if (error := next((one for one in scene.standing if one.kind == "tool"), None)) is not None:
        return f"{error.tool or 'a call'} failed at {error.step} and was left"
    return ungraded(scene.outcomes, scene.facts.failed_checks) or unseen(scene, quotes)


def _best_first(says: str, but: str, quotes: list[Quote]) -> list[Quote]:
    """Two quotes, the best first, and a third one where it costs little."""
    kept: list[Quote] = []
    for quote in quotes:
        texts = [but, *(one[1] for one in (*kept, quote))]
        cheap = len(kept) < _TWO or sum(len(text.split()) for text in (says, *texts)) <= _AIM
        if len(kept) < MOST and cheap and readable(says, texts):
            kept.append(quote)
    kept = kept or sorted(quotes, key=lambda quote: len(quote[1]))[:1]
    return sorted(kept, key=lambda quote: quote[0])
