"""What shows that a hand-over was right: a wish of the user, or a record of a tool that its reason names.

A reason is the agent's own word; the record of a tool, or a sentence of the policy with the words of both,
is not. By form: members of JSON and lines with a colon. Not known: whether the policy wants a hand-over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import pairs, strings
from reviewer.facts.tools import named_write
from reviewer.suggest.rules.seen.consent import WANTS_A_PERSON
from reviewer.suggest.rules.seen.graded import expected
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, NEGATED
from reviewer.suggest.rules.seen.quoting import LEAST, WIDTH, Quote, clause, sentence
from reviewer.suggest.rules.seen.scene import Scene, user_speaks

_MEMBER = re.compile(r'"(?P<key>[^"\\\n]{2,40})": ?(?P<value>"[^"\\\n]{2,60}"|true|false|-?\d[\d.]*)')
_LINE = re.compile(r"^[ \t]*(?P<key>[A-Z][\w -]{2,40}): (?P<value>[^\n:]{2,40})$", re.MULTILINE)
_NAME = re.compile(r"#?\b(?=[A-Z]*\d)[A-Z\d]{5,}\b")
_NOT_SO = re.compile(r"\bnot (?:an? |in |of )?\w+", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{4,}|\d{4}-\d\d-\d\d|\bno\b|\bpin\b")
_RULE = re.compile(r"(?<![^.\n])(?P<rule>[^.\n]{24,300}?)(?:,(?= even )|\.(?=\s|\Z))")
_BARS = re.compile(r"\b(?:cannot|not|only|unless|never|must)\b", re.IGNORECASE)
_ID = re.compile(r"(?:\A|_|\s)(?:ids?|number|name|email|phone|address|type|source)\Z", re.IGNORECASE)
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_TODAY = re.compile(r"\b(?:current|today|now)\b[^.\n]{0,40}?\b(?P<day>\d{4}-\d\d-\d\d)\b", re.IGNORECASE)
_BEGIN = 4  # steps in which the date stands
_LONG, _MEMBERS = 60_000, 2_000  # characters of a result, members of all
_ALIKE = 4  # words that a rule shares with the reason
_TWO, _MOST_OF, _STEM = 2, 0.65, 5


@dataclass(frozen=True, slots=True)
class HandOver:
    """The first hand-over that went through, with the name of its tool and the words that it gives."""

    step: int
    name: str
    reason: str


def hand_over(scene: Scene) -> HandOver | None:
    """The first hand-over of the agent."""
    for step in scene.trace.steps:
        for call in step.calls if step.source == "agent" and not step.error else ():
            if HANDS_OVER.search(call.name):
                return HandOver(step.n, call.name, max(strings(arguments_of(call)), key=len, default=""))
    return None


def instead(scene: Scene) -> HandOver | None:
    """The hand-over that stands for the change which was asked: it, or no change at all, was expected."""
    over, names, write = hand_over(scene), expected(scene.outcomes), scene.facts.last_write
    if over is None or names is None or (write is not None and write.step > over.step):
        return None
    return over if over.name in names or (write is None and not any(map(named_write, names))) else None


def today(scene: Scene, quotes: Iterable[Quote]) -> str:
    """The date that the first steps call today, if a day stands in a quote: so that one sees what is past."""
    days = {day for _, text, _ in quotes for day in _DAY.findall(text)}
    for step in scene.trace.steps[:_BEGIN] if days else ():
        if step.source != "agent" and (match := _TODAY.search(step.message[:_LONG])) is not None:
            return match["day"]
    return ""


def asked_for_a_person(scene: Scene, before: int) -> list[Quote]:
    """The last words of the user before the hand-over, where they ask for a person."""
    for step in reversed(scene.trace.steps[: before - 1]):
        if user_speaks(step):
            match = WANTS_A_PERSON.search(step.message)
            words = clause(step.message, *match.span()) if match else ""
            words = words if len(words) >= LEAST or not match else sentence(step.message, match.start())
            return [(step.n, words, "asked")] if words and not NEGATED.search(words) else []
    return []


def grounds(scene: Scene, over: HandOver) -> list[Quote]:
    """What shows the reason: a rule with the values that fall under it, else two values of one record."""
    records, rule = _recorded(scene, over), _rule(scene, over.reason)
    if not rule:
        return records[:_TWO]
    bars = _words(rule[0][1])
    under = [one for one in records if bars & _words(one[1])][:_TWO]
    return [*rule, *under] if under else []


def _recorded(scene: Scene, over: HandOver) -> list[Quote]:
    """The values that the reason names, as a tool had returned them at one step; the best first."""
    said, ids = _words(_NOT_SO.sub(" ", over.reason)), set(_NAME.findall(over.reason))
    found: list[tuple[int, int, str]] = []
    for n, key, value, words in islice(_members(scene, over.step, ids), _MEMBERS):
        named, about = _words(value), _words(key) & said
        if named and named <= said and not _ID.search(key) and (about or named != {"no"}):
            found.append((len(named) + len(about) + (named == {"no"}), n, words))
    at = max(found, default=(0, 0, ""))[1]
    here = {words: score for score, n, words in reversed(found) if n == at}
    return [(at, words, "returned") for words in sorted(here, key=lambda words: -here[words])]


def _rule(scene: Scene, reason: str) -> list[Quote]:
    """The sentence of the policy that bars something in words most of which the reason has, too."""
    said = _words(reason)
    best: tuple[int, int, Quote] | None = None
    for n, match in scene.policy(_RULE):
        whole = " ".join(match["rule"].lstrip(" \t-*#").split())
        own = _words(whole)
        shared = len(said & own)
        if len(whole) <= WIDTH and shared >= max(_ALIKE, _MOST_OF * len(own)) and _BARS.search(whole):
            best = max(best or (0, 0, (0, "", "")), (shared, -len(whole), (n, whole, "the policy")))
    return [best[2]] if best is not None else []


def _words(text: str) -> set[str]:
    """Words by their stems, dates, and a bare no."""
    found = _WORD.findall(text.lower().replace("_", " "))
    return {word[:_STEM] if word.isalpha() else word for word in found}


def _members(scene: Scene, last: int, ids: set[str]) -> Iterator[tuple[int, str, str, str]]:
    """Keys with their values in the results up to a step, the latest first; of a thing if it is named."""
    for step in reversed(scene.trace.steps[:last]):
        for _, result in pairs(step):
            told = result.content[:_LONG] if result is not None and not failed(result) else ""
            if ids and told.lstrip()[:1] in ("{", "[") and not ids & set(_NAME.findall(told)):
                continue  # of another thing
            for form in (_MEMBER, _LINE):
                for match in form.finditer(told):
                    yield step.n, match["key"], match["value"].strip('" '), match[0].strip()
