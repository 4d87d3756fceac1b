"""How a suggestion is made to be read in its time: which quotes there is room for, and how short."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from reviewer.suggest.rules.seen.quoting import BRIEF, WIDTH, Quote, around, readable, sentence
from reviewer.suggest.rules.seen.scene import Fired

MOST = 3  # quotes
_WIDTHS = (WIDTH, 95, BRIEF, 70, 60, 48)


def fitting(says: str, but: str, quotes: Iterable[Quote], more: Iterable[Quote] = ()) -> list[Quote]:
    """The quotes that must be there, and of `more` those that there is room for, by their steps."""
    kept = [quote for quote in quotes if quote[1]]
    for quote in more:
        if quote[1] and len(kept) < MOST and readable(says, [but, *(one[1] for one in (*kept, quote))]):
            kept.append(quote)
    return sorted(kept, key=lambda quote: quote[0])


def narrowed(build: Callable[[int], Fired]) -> Fired:
    """What is built with the widest quotes that can be read in time, else with the narrowest."""
    for width in _WIDTHS:
        found = build(width)
        if readable(found.says, [found.but, *(one.quote for one in found.evidence)]):
            break
    return found


def shorter(words: str, match: re.Match[str] | None, width: int) -> str:
    """Of words longer than `width` the sentence of what was found in them, or what stands round it."""
    if match is None or len(words) <= width:
        return words
    one = sentence(words, match.start(), len(words))
    return one if len(one) <= width else around(words, *match.span(), width)


def tried_first(quotes: Iterable[Quote]) -> list[Quote]:
    """The quotes by their steps; of one step what was tried before what came of it."""
    return sorted(quotes, key=lambda quote: (quote[0], quote[2] != "tried"))
