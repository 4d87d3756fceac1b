"""Many texts looked through as one, to leave alone those in which what is looked for cannot stand.

A search for a literal costs next to nothing in one long text, and a call for each of hundreds of short ones
does not; and the words of one trace, nearly all of them, stand in the next. Finds too much rather than too
little. Knows nothing of what is looked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate

_LONGEST, _MOST = 40, 100_000  # letters of a word, and words, that are remembered


class Sieve:
    """Some texts, each known by its place in their row."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.whole = "\n".join(texts)
        self._ends = list(accumulate(len(text) + 1 for text in texts))

    @cached_property
    def lower(self) -> str:
        """All of them in small letters."""
        return _small(self.whole)

    @cached_property
    def words(self) -> frozenset[str]:
        """What stands between blanks in them, each once."""
        return frozenset(self.whole.split())

    def holding(self, literals: Iterable[str]) -> set[int]:
        """The texts that hold one of these."""
        return self._found(self.whole, literals)

    def holding_any_case(self, literals: Iterable[str]) -> set[int]:
        """The texts that hold one of these, which are given in small letters."""
        return self._found(self.lower, literals)

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


class Telltale:
    """Which of some literals stand in the texts of one sieve after another.

    A word that held none of them is remembered, and not looked at again. `any_case`: they are given in
    small letters. `finds`: those of some words that count as if they were literals.
    """

    def __init__(
        self,
        literals: Iterable[str],
        *,
        any_case: bool = False,
        finds: Callable[[Iterable[str]], Iterable[str]] = lambda words: (),
    ) -> None:
        wanted = frozenset(literals)
        self._any_case, self._finds = any_case, finds
        self._apart = frozenset(one for one in wanted if one.split() != [one])  # those with a blank in them
        self._within = wanted - self._apart
        self._idle: set[str] = set()

    def among(self, sieve: Sieve) -> frozenset[str]:
        """Those that stand in one of its texts, and the words that `finds` has found."""
        new = sieve.words - self._idle
        said = "\n".join(new)
        said, whole = (_small(said), sieve.lower) if self._any_case else (said, sieve.whole)
        words = frozenset(self._finds(new))
        found = [one for one in self._within if one in said]
        idle = list(zip(new, said.split("\n"), strict=False))  # of no word: one that is empty
        for one in found:
            idle = [(word, read) for word, read in idle if one not in read]
        if len(self._idle) > _MOST:
            self._idle = set()
        self._idle |= {word for word, _ in idle if len(word) <= _LONGEST} - words
        return frozenset((*found, *words, *(one for one in self._apart if one in whole)))


def _small(text: str) -> str:
    """In small letters, each at its place: this capital is the only one for which two would stand."""
    return text.replace("\u0130", "I").lower()
