"""A suggestion whose quotes are cut shorter until it is read in the time that a suggestion gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reviewer.suggest.rules.seen.quoting import BRIEF, WIDTH, readable
from reviewer.suggest.rules.seen.scene import Fired

_WIDTHS = (WIDTH, 95, BRIEF, 70, 60, 48)

Quote = tuple[int, str, str]


def narrowed(build: Callable[[int], Fired]) -> Fired:
    """What is built with the widest quotes that can be read in time, else with the narrowest."""
    for width in _WIDTHS:
        found = build(width)
        if readable(found.says, [found.but, *(one.quote for one in found.evidence)]):
            break
    return found


def tried_first(quotes: Iterable[Quote]) -> list[Quote]:
    """The quotes by their steps; of one step what was tried before what came of it."""
    return sorted(quotes, key=lambda quote: (quote[0], quote[2] != "tried"))
