"""What a reader leaves in a trace while reading: bookmarks, and which steps were opened. No event."""

from __future__ import annotations

from collections.abc import Iterable

from reviewer.session.desk import Desk
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Marks:
    """The numbers of steps of one trace: with a bookmark of this person, opened by this person before."""

    bookmarks: frozenset[int]
    opened: frozenset[int]


def marks(desk: Desk, trace_id: str) -> Marks:
    """The marks that the person at this desk left in a trace."""
    kept, me = desk.store.bookmarks, desk.shelf
    return Marks(frozenset(kept.of(me, trace_id)), frozenset(kept.opened(me, trace_id)))


def bookmark(desk: Desk, trace_id: str, n: int, on: bool) -> frozenset[int]:
    """Put a bookmark at step `n`, or take it away; the bookmarks there are then."""
    kept, me = desk.store.bookmarks, desk.shelf
    kept.put(me, trace_id, n, on)
    return frozenset(kept.of(me, trace_id))


def keep_opened(desk: Desk, trace_id: str, steps: Iterable[int]) -> None:
    """Remember which steps were on the screen."""
    desk.store.bookmarks.keep_opened(desk.shelf, trace_id, steps)
