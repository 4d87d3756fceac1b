"""Many texts looked through as one, to leave alone those in which what is looked for cannot stand.

A search for a literal costs next to nothing in one long text, and a call for each of hundreds of short ones
does not. Finds too much rather than too little. Knows nothing of what is looked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate


class Sieve:
    """Some texts, each known by its place in their row."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.whole = "\n".join(texts)
        self._lower = ""
        self._ends = list(accumulate(len(text) + 1 for text in texts))

    def holding(self, literals: Iterable[str]) -> set[int]:
        """The texts that hold one of these."""
        return self._found(self.whole, literals)

    def holding_any_case(self, literals: Iterable[str]) -> set[int]:
        """The texts that hold one of these, which are given in small letters."""
        # This capital is the only letter that two stand for when it is small, and would shift all places.
        self._lower = self._lower or self.whole.replace("\u0130", "I").lower()
        return self._found(self._lower, literals)

    def without_blank(self, run: int) -> set[int]:
        """The texts that may hold twice so many characters in a row without a blank."""
        whole = self.whole
        starts = range(0, len(whole), run)
        return {bisect_right(self._ends, at) for at in starts if " " not in whole[at : at + run]}

    def at(self, place: int) -> int:
        """Which text holds this place of the whole."""
        return bisect_right(self._ends, place)

    def _found(self, whole: str, literals: Iterable[str]) -> set[int]:
        held: set[int] = set()
        for literal in literals:
            place = whole.find(literal)
            while place >= 0:
                n = bisect_right(self._ends, place)
                held.add(n)
                place = whole.find(literal, self._ends[n])
        return held
