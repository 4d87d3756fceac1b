"""Masks secrets in text by their shape and by the name beside them; on request personal data as well.

For everything that leaves the machine. Pure: no file, no network, no store. What no pattern knows is not
masked (a password of letters alone in a column, a code that could be any number, a word wholly in letters of
another script, what is packed, the id of a session, a key of a wallet; each module says what it does not
know): this lowers the risk, it does not remove it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial

from reviewer.redact import encoded, hidden, manifests
from reviewer.redact.columns import by_column
from reviewer.redact.commands import COMMANDS
from reviewer.redact.encoded import BASE64, encoded_in
from reviewer.redact.hidden import HIDDEN
from reviewer.redact.literals import Literals
from reviewer.redact.names import WORDS, by_name, names_in
from reviewer.redact.sentences import SENTENCES
from reviewer.redact.shapes import BOT, PEM, PERSONAL, SHAPES, Shape
from reviewer.redact.tokens import TOKENS

__all__ = [
    "BASE64",
    "BEGINNING",
    "HIDDEN",
    "LITERALS",
    "WORDS",
    "Redacted",
    "encoded_in",
    "names_in",
    "redact",
]

_SHAPES = (PEM, *TOKENS, *SHAPES, *COMMANDS, *SENTENCES)
_NEEDED = {  # literals, and the shapes that are tried where one stands
    need: [n for n, other in enumerate(_SHAPES) if need in other.needs]
    for shape in _SHAPES
    for need in shape.needs
}
_LOOKED_FOR = Literals(_NEEDED)
_KEY = "PRIVATE KEY"
# What a text holds in which anything may be masked, for a first look that costs next to nothing: one of
# these as it stands, what `names_in`, `encoded_in` or BEGINNING finds, or (never in ASCII) what HIDDEN finds.
BEGINNING = BOT.pattern
LITERALS = tuple(dict.fromkeys((*_NEEDED, *encoded.NEEDS[1:], _KEY)))
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\\"', \t\r\n")
_LONGEST_KEY = 20_000


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without the secrets that were found in it, and how many of each kind were."""

    text: str
    masked: Mapping[str, int] = field(default_factory=dict)


def redact(text: str, *, personal: bool = False, holding: Collection[str] | None = None) -> Redacted:
    """`text` with every secret that is known replaced by `[masked KIND]`; with `personal`, people too.

    Where signs that nobody sees hid one, they are gone as well. `holding`: those of LITERALS that may be
    in the text, and BASE64 if `encoded_in` found some, where that is known.
    """
    done = _redacted(text, personal, holding)
    seen = hidden.without_unseen(text)
    if seen == text:
        return done
    more = _redacted(seen, personal)
    return more if sum(more.masked.values()) > sum(done.masked.values()) else done


def _holds_secret(said: str, *, deep: int) -> bool:
    return bool(_redacted(said, personal=False, deep=deep).masked)


def _redacted(
    text: str, personal: bool, holding: Collection[str] | None = None, *, deep: int = 3
) -> Redacted:
    """The same; `deep`: how many times within itself something may be encoded."""
    counts: Counter[str] = Counter()
    held = _LOOKED_FOR.among(text) if holding is None else {need for need in holding if need in text}
    for n in sorted({n for need in held for n in _NEEDED.get(need, ())}):
        text = _without(_SHAPES[n], text, counts)
    text = _without(BOT, text, counts)
    if _KEY in text:
        text = _without_ends(text, counts)
    if "Secret" in text:
        text = manifests.without_secrets(text, counts)
    if deep:
        text = encoded.without_encoded(text, counts, partial(_holds_secret, deep=deep - 1), holding)
    seen = hidden.plain(text)
    if found := list(names_in(seen)):
        bare = by_name(text, seen, found, counts)
        if bare is not text:  # what follows has moved
            seen = hidden.plain(bare)
            found = list(names_in(seen))
        text = by_column(bare, seen, found, counts)
    if personal:
        for shape in PERSONAL:
            if any(need in text for need in shape.needs):
                text = _without(shape, text, counts)
    return Redacted(text, dict(counts))


def _without(shape: Shape, text: str, counts: Counter[str]) -> str:
    return shape.pattern.sub(_masking(shape.kind, counts), text)


def _masking(kind: str, counts: Counter[str]) -> Callable[[re.Match[str]], str]:
    def mask(found: re.Match[str]) -> str:
        counts[kind] += 1
        return f"{found.groupdict().get('keep') or ''}[masked {kind}]"

    return mask


def _without_ends(text: str, counts: Counter[str]) -> str:
    """Without private keys of which only the end is there, as `tail` shows them."""
    out: list[str] = []
    done = 0
    for end in _END.finditer(text):
        begin = end.start()
        while begin > done and text[begin - 1] in _BODY and end.start() - begin < _LONGEST_KEY:
            begin -= 1
        begin = text.find("\n", begin, end.start()) + 1 or begin if begin > done else begin
        if any(len(line) > 20 for line in text[begin : end.start()].split()):
            counts["private key"] += 1
            out += (text[done:begin], "[masked private key]")
            done = end.end()
    return "".join((*out, text[done:])) if out else text
