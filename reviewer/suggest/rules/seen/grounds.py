"""What shows that a hand-over was right: the values that a tool had returned and that its reason names.

A reason is the agent's own word; the record of a tool, or a sentence of the policy with the words of both,
is not. By form: members of JSON and lines with a colon. Not known: whether the policy wants a hand-over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import pairs, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import WANTS_A_PERSON
from reviewer.suggest.rules.seen.deeds import MOST, deed
from reviewer.suggest.rules.seen.phrases import NEGATED
from reviewer.suggest.rules.seen.quoting import LEAST, WIDTH, clause, head, sentence, tail
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step, ToolCall

Quote = tuple[int, str, str]

_WHY = re.compile(
    r"\b(?:cannot|can['’]t|unable|outside|exception|beyond"
    r"|not (?:\w+ )?(?:eligible|allowed|possible|permitted|met?)"
    r"|does not meet|per policy|suspended)\b",
    re.IGNORECASE,
)
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
_ASKED = 90  # characters of a wish
_HANDED = 150  # characters of what is handed over
_TWO, _MOST_OF, _STEM = 2, 0.65, 5


def handed_over(scene: Scene, step: Step, call: ToolCall) -> list[Quote]:
    """What shows why it hands over, and last its own words."""
    text = max(strings(arguments_of(call)), key=len, default="")
    return [*grounds(scene, step.n, text), (step.n, _why(step, call, text), "handed over")]


def _why(step: Step, call: ToolCall, text: str) -> str:
    """What it hands over, of a long text the sentence that says why."""
    why = _WHY.search(text)
    whole = sentence(text, why.start() if why else 0, _LONG, LEAST)
    if len(whole) > _HANDED:
        part = clause(text, *why.span(), _HANDED) if why else ""
        hangs = part.startswith(("which ", "that ", "and "))
        broken = hangs or len(part) < LEAST or part.count(")") > part.count("(")
        at = whole.find(part) if hangs else -1
        cut = tail(whole[: at + len(part)], MOST) if at > 0 else ""
        whole = cut or (head(whole, _HANDED) if broken else part)
    plain = telling(whole) and not any(sign in whole for sign in '"\\')
    return whole if plain else deed(step, "", call.name)[0]


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
        if step.source == "user" and not step.kind and step.message.strip():
            match = WANTS_A_PERSON.search(step.message)
            words = clause(step.message, *match.span(), _ASKED) if match else ""
            words = words if len(words) >= LEAST or not match else sentence(step.message, match.start(), MOST)
            return [(step.n, words, "asked")] if words and not NEGATED.search(words) else []
    return []


def grounds(scene: Scene, before: int, reason: str) -> list[Quote]:
    """What shows the reason: a rule with the value that falls under it, else two values of one record."""
    records, rule = _recorded(scene, before, reason), _rule(scene, reason)
    if not rule:
        return records
    bars = _words(rule[0][1])
    return [*rule, *[one for one in records if bars & _words(one[1])][:1]]


def _recorded(scene: Scene, before: int, reason: str) -> list[Quote]:
    """The values that the reason names, as a tool had returned them at one step; the best first."""
    said = _words(_NOT_SO.sub(" ", reason))
    ids = set(_NAME.findall(reason))
    found: list[tuple[int, int, str]] = []
    for n, key, value, words in islice(_members(scene, before, ids), _MEMBERS):
        named = _words(value)
        if _ID.search(key) or not named or not named <= said:
            continue
        if named != {"no"} and _given(scene, n, value):
            continue
        about = _words(key) & said
        if named != {"no"} or about:
            found.append((len(named) + len(about) + (named == {"no"}), n, words))
    at = max(found, default=(0, 0, ""))[1]
    here = {words: score for score, n, words in reversed(found) if n == at}
    return [(at, words, "returned") for words in sorted(here, key=lambda words: -here[words])[:_TWO]]


def _given(scene: Scene, before: int, value: str) -> bool:
    """Whether the user had said this before a tool did."""
    whole = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    own = [step.message[:_LONG] for step in scene.trace.steps[: before - 1] if step.source == "user"]
    return any(map(whole.search, own))


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
            if result is None or failed(result):
                continue
            about = ids & set(_NAME.findall(result.content[:_LONG]))
            if ids and not about and result.content.lstrip()[:1] in ("{", "["):
                continue
            for form in (_MEMBER, _LINE):
                for match in form.finditer(result.content[:_LONG]):
                    yield step.n, match["key"], match["value"].strip('" '), match[0].strip()
