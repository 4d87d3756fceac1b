"""Which quotes there is room for in the time that a suggestion gets: what must be there, then others."""

from __future__ import annotations

from collections.abc import Iterable

from reviewer.suggest.rules.seen.quoting import readable

MOST = 3

Quote = tuple[int, str, str]


def fitting(says: str, but: str, quotes: Iterable[Quote], more: Iterable[Quote] = ()) -> list[Quote]:
    """The quotes in the order of their steps; of `more` those that there is room for."""
    kept = [quote for quote in quotes if quote[1]]
    for quote in more:
        if quote[1] and len(kept) < MOST and readable(says, [but, *(one[1] for one in (*kept, quote))]):
            kept.append(quote)
    return sorted(kept, key=lambda quote: quote[0])
