"""The sentence of a message in which a user says yes to what is about to be done.

By form, English only. Words that only greet or please ("perfect, that is what I wanted") are no yes where
another matter follows. Not known: what the yes was said to.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.phrases import NEGATED
from reviewer.suggest.rules.seen.quoting import LEAST, clause, sentence

# What tells somebody to act: the verb after `please` or `just` must be no verb of asking or waiting.
_GO = re.compile(
    r"\bgo ahead\b|\bproceed\b|\bprocess (?:it|that|this|the)\b|\bdo (?:it|that|this|so)\b"
    r"|\bI(?: do)? (?:confirm|agree|accept|authorize|consent)\b|\byou (?:can|may) (?!tell|explain|see)\w+"
    r"|\b(?:please|just|let['’]?s)(?: just)? "
    r"(?:do|go|book|cancel|change|update|modify|make|use|put|return|refund|exchange|switch|swap|add|remove"
    r"|send|apply|set|finali[sz]e|complete|submit|place|move|upgrade|charge|keep|get|include|pick)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:(?:oh|ah|ok|okay|great|perfect|fine|alright|well|thanks|thank you)\W+)?"
    r"(?:yes|yeah|yep|yup|sure|absolutely|definitely|of course|correct|confirmed?|agreed|I confirm)\b"
    r"|^\W*(?:(?:that|this|it|everything|all)(?:['’]s| is| are)? ?(?:\w+ ){0,2})"
    r"(?:works?|sounds? (?:good|great|perfect|fine|right)|looks? (?:good|great|perfect|right|correct)"
    r"|(?:is )?(?:fine|correct|right|okay|ok))\b"
    r"|^\W*(?:sounds|looks) (?:good|great|perfect|fine|right|correct)\b"
    r"|\bI(?:['’]d| would) like to (?:proceed|go|confirm)\b|\b(?:works|fine|good) (?:for|with) me\b"
    r"|\bI(?:['’]m| am) (?:okay|ok|fine|happy|good) with\b"
    r"|^\W*(?:ok|okay|alright|all right|perfect|great|fine|good)\W*(?:thanks|thank you|please)?\W*$",
    re.IGNORECASE,
)
_ONLY_HEARD = re.compile(r"\bI (?:understand|see|get it|wonder|hope)\b", re.IGNORECASE)
_REQUEST = re.compile(r"\b(?:can|could|would|will) (?:you|we)\b|\bplease\b", re.IGNORECASE)
_PIECE = re.compile(r"[^.!?\n]+[.!?]*")
_LONG = 4_000
_OPENS = 12  # characters: the yes itself


def assent(text: str, width: int) -> str:
    """The sentence that holds the yes, one that says to act before one that only affirms; else empty."""
    found: list[tuple[int, int]] = []
    for piece in _PIECE.finditer(text[:_LONG]):
        words = piece[0]
        affirms = _YES.search(words)
        acts = next((go for go in _GO.finditer(words) if not NEGATED.search(words[: go.start()])), None)
        if _ONLY_HEARD.search(words) or (words.endswith("?") and not (acts and _REQUEST.search(words))):
            continue
        if affirms is not None and acts is None and NEGATED.search(words):
            continue
        if (first := affirms or acts) is not None:
            begins = first.start() + len(words[first.start() :]) - len(words[first.start() :].lstrip())
            found.append((2 * (acts is not None) + (affirms is not None), piece.start() + begins))
    if not found:
        return ""
    _, at = max(found, key=lambda one: one[0])  # the first of equals
    whole = sentence(text, at, _LONG, LEAST)
    return whole if len(whole) <= width else clause(text, at, at + _OPENS, width)


def orders(words: str) -> bool:
    """Whether words tell somebody to act, not only that something is right."""
    return any(not NEGATED.search(words[: go.start()]) for go in _GO.finditer(words))
