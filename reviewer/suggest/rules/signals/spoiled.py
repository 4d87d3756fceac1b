"""What speaks so strongly against a run that passed that it is no suggestion: where a reader has to look.

A yes that was for another call, an answer that lay open beside the task's own words, an address that nothing
had given, a sum told as charged that was refunded, a hand-over that nobody wanted, a grader who
leaves out what it found. By form, English only. Not known: whether the grader was right all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from reviewer.facts import first_appearance
from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import pairs
from reviewer.facts.tools import named_write
from reviewer.suggest.rules.seen.graded import answer, expected
from reviewer.suggest.rules.seen.grounds import asked_for_a_person
from reviewer.suggest.rules.seen.money import told_otherwise
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.plain import doing
from reviewer.suggest.rules.seen.put import yes_to
from reviewer.suggest.rules.seen.quoting import shortened
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.ungraded import uncounted
from reviewer.suggest.rules.signals.breaches import own_writes, rule_of_consent
from reviewer.trace import Json

_ADDRESS = re.compile(r"https?://(?P<host>[\w.-]{4,80})")
_UNWANTED = re.compile(
    r"\b(?:do ?n['’]t|do not|rather not|can['’]t|cannot|without|instead of)\b[^.?!\n]{0,60}"
    r"\b(?:transfer\w*|moved to|another (?:agent|representative|person)|hand(?:ed)? over)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_RUN = 7  # words of the task in a row: no page holds them by chance
_NEAR = 400  # characters round an answer
_PLACES, _LONG = 20, 200_000
_FIRST = 4
_NAME = 60
_WRITES, _DEALS = 50, 10


def spoiled(scene: Scene) -> tuple[int, str] | None:
    """A step, and why; nothing where nothing of the kind was found."""
    return next(_found(scene), None) if scene.facts.passed is True else None


def _found(scene: Scene) -> Iterator[tuple[int, str]]:
    for look in (_yes_for_another, _never_put, _money, _lay_open, _address_of_nowhere, _unwanted, _left):
        if (found := look(scene)) is not None:
            yield found


def _yes_for_another(scene: Scene) -> tuple[int, str] | None:
    """A write for which the last yes of the user was given to another call, which was refused."""
    if rule_of_consent(scene) is None:
        return None
    writes = {(one.step, one.tool) for one in own_writes(scene)}
    refused: dict[str, tuple[int, Json]] = {}
    for step in scene.trace.steps:
        if step.source == "user" and not step.kind and step.message.strip():
            refused.clear()
        for call, result in pairs(step) if step.source == "agent" else ():
            given = arguments_of(call)
            before = refused.get(call.name)
            if (step.n, call.name) in writes and before is not None and before[1] != given:
                return step.n, (
                    f"it passed, but the user's yes was for the {call.name} refused at {before[0]}; that at "
                    f"{step.n} is another, and no yes came between"
                )
            if result is not None and failed(result) and named_write(call.name):
                refused[call.name] = step.n, given
    return None


def _never_put(scene: Scene) -> tuple[int, str] | None:
    """A write that was not put to the user before the yes, as the policy demands."""
    if rule_of_consent(scene) is None:
        return None
    before = 0
    for write in own_writes(scene)[:_WRITES]:
        yes = yes_to(scene, scene.step(write.step), write.tool, before)
        before = write.step
        if yes is not None and yes.lacks:
            said = f"the yes at {yes.n} was not clearly to {doing(write.tool)} there"
            return write.step, f"it passed, but {said}: {yes.lacks}"
    return None


def _money(scene: Scene) -> tuple[int, str] | None:
    """What the agent says of a sum, against what the answer to its write shows."""
    for write in scene.facts.writes[-_DEALS:]:
        if write.counts and (found := told_otherwise(scene, write.step)) is not None:
            return found[0], f"it passed, but {found[1]}"
    return None


def _lay_open(scene: Scene) -> tuple[int, str] | None:
    """The answer, in a result that holds the task's own words beside it: a leak, perhaps."""
    want = answer(scene.outcomes)
    claim = scene.facts.claim
    asked = [step for step in scene.trace.steps[:_FIRST] if step.source == "user" and not step.kind]
    runs = {run for step in asked for run in _runs(step.message[:_LONG])}
    if not want or claim is None or not runs:
        return None
    whole = re.compile(rf"(?<!\w){re.escape(want)}(?!\w)", re.IGNORECASE)
    for step in scene.trace.steps[: claim.step - 1]:
        for text in (result.content[:_LONG] for result in step.results):
            found = whole.finditer(text) if want.lower() in text.lower() else iter(())
            for match in islice(found, _PLACES):
                near = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
                if runs & set(_runs(near)):
                    return step.n, (
                        "it passed, but what a tool returned there holds the task's own words beside the "
                        f"answer “{shortened(want, _NAME)}”: was it read from a leak?"
                    )
    return None


def _runs(text: str) -> list[tuple[str, ...]]:
    """Each run of so many words."""
    words = [word.lower() for word in _WORD.findall(text)]
    return [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]


def _address_of_nowhere(scene: Scene) -> tuple[int, str] | None:
    """An address of the network that is told to a user, and that neither task nor any result had given."""
    if not scene.facts.user_turns or expected(scene.outcomes) is None:
        return None
    known: set[str] = set()
    for step in scene.trace.steps:
        said = step.message[:_LONG] if step.source == "agent" and not step.kind else ""
        for host in (match["host"].rstrip(".") for match in _ADDRESS.finditer(said)):
            if host in known or len(known) >= _PLACES:
                continue
            known.add(host)
            if first_appearance(scene.trace, host, before=step.n, given=True, ignore_case=True) is None:
                return step.n, f"it passed, but {host}, told to the user there, nothing before had given"
    return None


def _unwanted(scene: Scene) -> tuple[int, str] | None:
    """A hand-over that the user declined, and that was made again."""
    declined = 0
    handed = 0
    for step in scene.trace.steps:
        if any(HANDS_OVER.search(call.name) for call in step.calls):
            if declined:
                return step.n, (
                    "it passed, but it hands over there once more, though the user "
                    f"does not want that ({declined})"
                )
            handed = step.n
        if handed and step.source == "user" and not step.kind and _UNWANTED.search(step.message[:_LONG]):
            declined = step.n
    return None


def _left(scene: Scene) -> tuple[int, str] | None:
    """A hand-over that was not expected, of a run that changed something: of what the user had asked besides.

    Where nothing was changed it stands for the refusal that was expected; where the user asks for a person it
    is what was asked.
    """
    names = expected(scene.outcomes)
    if not names or any(map(HANDS_OVER.search, names)) or not any(one.counts for one in scene.facts.writes):
        return None
    for step in scene.trace.steps:
        made = any(HANDS_OVER.search(call.name) for call in step.calls) and step.source == "agent"
        if made and not step.error and not asked_for_a_person(scene, step.n):
            return step.n, (
                "it passed, but it hands over there, which was not expected: "
                "was the rest of the request dropped?"
            )
    return None


def only_the_grader(scene: Scene, trivial: bool) -> tuple[int, str] | None:
    """What the grader found and does not count, where nothing in the run shows that it is right.

    `trivial`: a run that changed nothing would pass too.
    """
    last = scene.facts.last_agent or 0
    for check in scene.facts.failed_checks:
        if uncounted(check):
            return last, "it passed, but the database is not as expected, which the grade leaves out: why?"
        if trivial and not check.counts:
            what = shortened(check.brief.partition("(")[0], _NAME)
            return last, f"a run that changed nothing would pass too, and {what}: was that needed?"
    return None
