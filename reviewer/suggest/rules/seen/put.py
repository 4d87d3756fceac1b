"""Whether what a write did was put to the user before the yes to it, and in which words.

A yes is one to the very deed where the agent had asked to go on with it, or where the user's own words order
it, and where the way to pay that the call is given had been named in the talk. By form, English only. Not
known: things, of which a call gives the id and a talk the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.assent import assent, orders
from reviewer.suggest.rules.seen.consent import asks, pattern
from reviewer.suggest.rules.seen.phrases import NEGATED
from reviewer.suggest.rules.seen.quoting import LEAST, sentence
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json, Step

_ASKED = re.compile(
    r"\b(?:would you like|do you want|shall I|should I|may I|let me know if you(?:['’]d| would) like)\b"
    r"|(?<!how you['’]d like to )(?<!how would you like to )\bproceed|\bgo ahead\b|[(“\"*]yes\b"
    r"|\bconfirm (?:that|this|these|those|if|whether|by|so|and|to|you)\b"
    r"|\bconfirm the (?:details|change|exchange|return)\b"
    r"|\bplease confirm[.:?]|\byour (?:confirmation|approval|consent)\b|\bdo you (?:agree|confirm)\b"
    r"|\bis (?:this|that|everything|it) (?:all )?(?:ok|okay|correct|right|fine)\b",
    re.IGNORECASE,
)
_THIS = re.compile(r"\bproceed with (?:this|that|these|those)\b", re.IGNORECASE)
_REFUND = re.compile(r"\b(?:return|refund)", re.IGNORECASE)  # of a return people say either
_WAYS = {  # as an id begins, and as people say it
    "paypal": r"paypal",
    "gift_card": r"gift[ -]?card",
    "credit_card": r"card|visa|mastercard|american express",
    "certificate": r"certificate|voucher",
}
_AS_BEFORE = re.compile(
    r"\b(?:original|same|current|existing) (?:form of |method of )?(?:payment|method|card)"
)
_ID = re.compile(r"#?\w*\d{5,}")
_CARD = re.compile(r"\bgift[ -]?card")
_MONEY = re.compile(
    r"\b(?:refund\w*|difference|total|charged?|owe|pay)\b[^\n]{0,60}[$€£]\s?\d"
    r"|[$€£]\s?\d[^\n]{0,60}\b(?:refund|difference|total|charge)",
    re.IGNORECASE,
)
_IDLE = re.compile(  # asks for a yes and does not say to what
    r":\Z|\b(?:proceed with|confirm) (?:this|that|these|those)(?: \w+)?[.?]?\Z|\bto proceed\b[^?]{0,40}\.\Z",
    re.IGNORECASE,
)
_LINE = 90  # characters of a sum with its words
_MESSAGES, _LONG = 100, 4_000
_WIDE = 130  # characters of a yes with what it is to
_FEW = 2  # words before the verb of an order
_BACK = 3  # messages of the user in which a yes may stand
YES, PUT = "the user's yes", "put to the user"


@dataclass(frozen=True, slots=True)
class Yes:
    """The yes before a write: its step, and the words that show it, of a bare one those that it answered.

    `lacks`: what was not put to the user, in words; then it is no yes to the deed.
    """

    n: int
    quote: tuple[int, str, str] | None = None
    lacks: str = ""


def yes_to(scene: Scene, step: Step, tool: str, since: int = 0) -> Yes | None:
    """The yes before the write of this tool at a step, held against what the call was given.

    Of the last words of the user, else of earlier ones after the step `since`; None where there are none.
    """
    own = [one for one in scene.trace.steps[: step.n - 1] if _spoken(one)][-_BACK:]
    given: list[Json] = [arguments_of(call) for call in step.calls if call.name == tool]
    verb = _REFUND if "return" in tool else asks(tool)
    if not own:
        return None
    earlier = (one for one in reversed(own[:-1]) if one.n > since)
    for reply in (own[-1], *earlier):
        if (quote := _agreed(scene, reply, verb, given, reply is own[-1])) is not None:
            return Yes(reply.n, quote, next(_unnamed(scene, step.n, given), ""))
    return Yes(own[-1].n, None, next(_unnamed(scene, step.n, given), "the user had not been asked for it"))


def _agreed(
    scene: Scene, reply: Step, verb: re.Pattern[str], given: Json, last: bool
) -> tuple[int, str, str] | None:
    """The words that show that the user agreed to the deed; None where that was not the question.

    `last`: the last words before the deed, which may be an order of their own.
    """
    words = assent(reply.message, _WIDE)
    values = pattern(text for text in strings(given) if not _ID.fullmatch(text) and not _way(text))
    put = [one for one in _answered(scene, reply.n) if _ASKED.search(one.message[:_LONG])]
    about = [one for one in put if _names(one.message, verb, values) or _THIS.search(one.message[:_LONG])]
    ordered = last and _ordered(words, verb)
    if not words or not (about or ordered):
        return None
    if not verb.search(words) and (own := _its_own(reply.message[:_LONG], verb)):
        return reply.n, own, YES
    asked = _asked(about[0].message[:_LONG], verb) if about else ""
    bare = not verb.search(words) and len(words) < LEAST
    if bare and asked and (_IDLE.search(asked) or not telling(asked)):
        asked = _sum(about[0].message[:_LONG])
    return (about[0].n, asked, PUT) if bare and telling(asked) else (reply.n, words, YES)


def _ordered(words: str, verb: re.Pattern[str]) -> bool:
    """Whether the words themselves tell to do it: `please go on and cancel it`, `yes, cancel it`."""
    match = verb.search(words)
    return match is not None and (orders(words) or len(words[: match.start()].split()) <= _FEW)


def _its_own(text: str, verb: re.Pattern[str]) -> str:
    """The sentence of the user that names the deed beside the yes; of a short message all of it."""
    if len(text.strip()) <= _WIDE and "?" not in text and verb.search(text) and not NEGATED.search(text):
        return " ".join(text.split())
    for match in verb.finditer(text):
        words = sentence(text, match.start(), _LONG)
        whole = words.endswith((".", "!")) and LEAST <= len(words) <= _WIDE
        if whole and not NEGATED.search(words):
            return words
    return ""


def _sum(text: str) -> str:
    """The line of what is put to the user that says what it costs or gives back."""
    found = [line.strip(" -\t") for line in text.splitlines() if _MONEY.search(line)]
    return next((line for line in reversed(found) if len(line) <= _LINE), "")


def _asked(text: str, verb: re.Pattern[str]) -> str:
    """The sentence with which it is asked: the longest one, of those that name the deed if any does."""
    found = [sentence(text, match.start()) for match in _ASKED.finditer(text)]
    naming = [words for words in found if verb.search(words)]
    return max(naming or found, key=len, default="")


def _answered(scene: Scene, n: int) -> Iterator[Step]:
    """What the agent said right before this message of the user, the last words first."""
    for step in reversed(scene.trace.steps[: n - 1]):
        if _spoken(step):
            return
        if step.source == "agent" and step.message.strip():
            yield step


def _spoken(step: Step) -> bool:
    return step.source == "user" and not step.kind and bool(step.message.strip())


def _way(text: str) -> str:
    """How the id of a way to pay begins; empty for anything else."""
    return next((begins for begins in _WAYS if text.startswith(f"{begins}_")), "")


def _names(text: str, verb: re.Pattern[str], values: re.Pattern[str] | None) -> bool:
    text = text[:_LONG]
    return bool(verb.search(text)) or (values is not None and bool(values.search(text)))


def _unnamed(scene: Scene, before: int, given: Json) -> Iterator[str]:
    """Which way to pay, of those that a call is given, nobody had named in the talk."""
    talk = [
        step.message[:_LONG]
        for step in scene.trace.steps[: before - 1][-_MESSAGES:]
        if step.source in ("user", "agent") and step.message
    ]
    said = "\n".join(talk).lower()
    for text in strings(given):
        if way := _way(text):
            heard = _CARD.sub(" ", said) if way == "credit_card" else said
            if not re.search(_WAYS[way], heard) and not _AS_BEFORE.search(said):
                yield f"the {way.replace('_', ' ').replace('paypal', 'PayPal account')} had not been named"
