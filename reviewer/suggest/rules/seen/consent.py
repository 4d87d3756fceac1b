"""What the user had asked for, named or agreed to before a call.

By form, English only: a word in a question counts like one that is meant. Where nobody but the task speaks
to the agent, the task stands for the user. What a simulated user was told, and the agent was not, is not
looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviewer.suggest.rules.seen.assent import assent
from reviewer.suggest.rules.seen.phrases import NEGATED
from reviewer.suggest.rules.seen.quoting import WIDTH, sentence
from reviewer.suggest.rules.seen.scene import Scene, user_speaks

WANTS_A_PERSON = re.compile(
    r"\b(?:human|supervisor|manager|representative|real person|someone real|live agent"
    r"|transfer(?:red)?|escalate|someone else)\b",
    re.IGNORECASE,
)
_RULES_OUT = re.compile(r"\b(?:without|instead of|rather than)\b", re.IGNORECASE)
_STEMS = {
    "modify": ("modif", "chang", "updat", "exchang", "switch", "adjust"),
    "update": ("updat", "chang", "modif", "upgrad"),
    "exchange": ("exchang", "swap"),
    "return": ("return", "refund"),
    "send": ("compensat", "certificate", "send"),
    "delete": ("delet", "remov"),
    "remove": ("delet", "remov"),
    "create": ("creat", "add", "open"),
}  # of any other verb itself
_PLAIN = frozenset(("items", "order", "orders", "reservation", "call", "user", "account"))
_EMPTY = frozenset(("yes", "no", "none", "true", "false", "null", "n/a", "active", "available"))
_SHORT = 3  # characters: a shorter value stands in any words
_MESSAGES, _CHARACTERS = 50, 4_000  # of the first and of the last; of each
_WORDS = 40
_ANSWERED = 12  # messages of the agent that one of the user answers


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the user: the step, the sentence, and whether they `named` a thing or `agreed` to it."""

    n: int
    quote: str
    how: str = "named"


def messages(scene: Scene, before: int | None = None) -> list[tuple[int, str]]:
    """What the user said before a step; the task where no user speaks in the whole run."""
    steps = scene.trace.steps if before is None else scene.trace.steps[: before - 1]
    found = [(step.n, step.message[:_CHARACTERS]) for step in steps if user_speaks(step)]
    if len(found) > 2 * _MESSAGES:
        found = found[:_MESSAGES] + found[-_MESSAGES:]
    if found or any(step.source == "user" for step in scene.trace.steps):
        return found
    return [(0, scene.trace.info.task[:_CHARACTERS])] if scene.trace.info.task else []


def pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Any of these values as a person writes them: `gift_card` as `gift card`; None where none is telling."""
    told = [word for word in dict.fromkeys(words) if _SHORT <= len(word) <= WIDTH]
    told = [re.escape(word) for word in told if word.lower() not in _EMPTY][:_WORDS]
    spelled = "|".join(re.sub(r"(?:\\?[_\s-])+", lambda _: r"[\s_-]+", word) for word in told)
    return re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.IGNORECASE) if spelled else None


def named(scene: Scene, words: Iterable[str], before: int, at_all: bool = False) -> Said | None:
    """Where the user last named one of these values, not to reject it (`at_all`: or to reject it)."""
    wanted = pattern(words)
    for n, text in reversed(messages(scene, before)) if wanted is not None else ():
        for match in wanted.finditer(text) if wanted is not None else ():
            quote = sentence(text, match.start())
            if at_all or not NEGATED.search(quote):
                return Said(n, quote)
    return None


def agreed(scene: Scene, words: Iterable[str], before: int) -> Said | None:
    """Where the user said yes to words of the agent that hold one of these values."""
    wanted = pattern(words)
    for n, text in reversed(messages(scene, before)) if wanted is not None else ():
        yes = assent(text, WIDTH)
        if yes and wanted is not None and any(wanted.search(said) for _, said in answered(scene, n)):
            return Said(n, yes, "agreed to")
    return None


def answered(scene: Scene, n: int) -> Iterator[tuple[int, str]]:
    """What the agent said between this message of the user and the one before it, the last words first."""
    told = 0
    for step in reversed(scene.trace.steps[: n - 1]):
        if told >= _ANSWERED or user_speaks(step):
            return
        if step.source == "agent" and step.message.strip():
            yield step.n, step.message[:_CHARACTERS]
            told += 1


def _verbs(name: str) -> str:
    """What a person calls what a tool of this name does, as one alternative."""
    first = re.split(r"[_\W]+", name.rsplit(".", 1)[-1].lower().strip("_"))[0]
    return "|".join(map(re.escape, _STEMS.get(first, (first,)))) if first else r"\Z"


def asks(name: str) -> re.Pattern[str]:
    """A sentence that asks for what a tool of this name does: its verb, and its noun if that is telling."""
    words = [word for word in re.split(r"[_\W]+", name.rsplit(".", 1)[-1].lower()) if word]
    verbs = _verbs(name)
    noun = re.escape(words[-1].rstrip("s")) if len(words) > 1 and words[-1] not in _PLAIN else ""
    between = r"\w*\b[^.!?\n]{0,120}\b"
    both = rf"\b(?:{verbs}){between}{noun}|\b{noun}{between}(?:{verbs})"
    return re.compile(both if noun else rf"\b(?:{verbs})", re.IGNORECASE)


def asked_for(scene: Scene, name: str, before: int, width: int = WIDTH) -> Said | None:
    """Where the user first asked for what a tool of this name does, other than to rule it out."""
    wanted = asks(name)
    for n, text in messages(scene, before):
        for match in wanted.finditer(text):
            quote = sentence(text, match.start())
            if not NEGATED.search(quote) and not _RULES_OUT.search(quote):
                return Said(n, sentence(text, match.start(), width))
    return None
