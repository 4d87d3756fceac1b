"""Whether the user said yes to what a write did, and in which words.

A yes is one to the deed where the agent had asked to go on with it, or where the user's own words order it.
By form, English only. Not known: whether what was done is in every part what had been put to the user.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts import Write
from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.assent import assent, orders
from reviewer.suggest.rules.seen.consent import answered, asks, pattern
from reviewer.suggest.rules.seen.quoting import LEAST, sentence
from reviewer.suggest.rules.seen.scene import Scene, user_speaks

# Only where the task itself says so: a yes that nobody asked for is not missing.
_WANTS_YES = re.compile(
    r"explicit(?:ly)?[^.\n]{0,40}\b(?:confirm|yes\b)|\bconfirmation \(yes\)|\(yes\)", re.IGNORECASE
)
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
_ID = re.compile(r"#?\w*\d{5,}")
_WIDE = 130  # characters of a yes with what it is to
_FEW = 2  # words before the verb of an order
YES, PUT = "the user's yes", "put to the user"


@dataclass(frozen=True, slots=True)
class Yes:
    """The last words of the user before a write: their step, and what shows the yes to it, if it is one.

    Of a bare yes that is the question which it answered.
    """

    n: int
    quote: tuple[int, str, str] | None = None


def own_writes(scene: Scene) -> list[Write]:
    """The writes of the agent to the task's world that went through."""
    writes = (write for write in scene.facts.writes if write.counts and write.api)
    return [write for write in writes if scene.step(write.step).source == "agent"]


def rule_of_consent(scene: Scene) -> int | None:
    """The step at which the task wants a yes of the user before a write."""
    return next((n for n, _ in scene.policy(_WANTS_YES, task=True)), None)


def yes_to(scene: Scene, write: Write) -> Yes | None:
    """The yes before a write, held against what the call was given; None where the user had said nothing."""
    step = scene.step(write.step)
    reply = next((one for one in reversed(scene.trace.steps[: step.n - 1]) if user_speaks(one)), None)
    if reply is None:
        return None
    given = [arguments_of(call) for call in step.calls if call.name == write.tool]
    verb, values = asks(write.tool), pattern(text for text in strings(given) if not _ID.fullmatch(text))
    told = list(answered(scene, reply.n))
    put = [one for one in told if _ASKED.search(one[1]) and _names(one[1], verb, values)]
    words = assent(reply.message, _WIDE)
    if not words or not (put or (told and _ordered(words, verb))):
        return Yes(reply.n)
    if put and not verb.search(words) and len(words) < LEAST and (asked := _asked(put[0][1], verb)):
        return Yes(reply.n, (put[0][0], asked, PUT))
    return Yes(reply.n, (reply.n, words, YES))


def _ordered(words: str, verb: re.Pattern[str]) -> bool:
    """Whether the words themselves tell to do it: `please go on and cancel it`, `yes, cancel it`."""
    match = verb.search(words)
    return match is not None and (orders(words) or len(words[: match.start()].split()) <= _FEW)


def _asked(text: str, verb: re.Pattern[str]) -> str:
    """The sentence with which it is asked for a yes to the deed: the longest one that names it."""
    found = (sentence(text, match.start()) for match in _ASKED.finditer(text))
    naming = [words for words in found if verb.search(words) and not words.endswith(":") and telling(words)]
    return max(naming, key=len, default="")


def _names(text: str, verb: re.Pattern[str], values: re.Pattern[str] | None) -> bool:
    """Whether words name the deed, or one of the values it was given."""
    forms = (verb, _THIS) if values is None else (verb, _THIS, values)
    return any(form.search(text) for form in forms)
