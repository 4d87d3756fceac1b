"""Searching all of one trace: hits counted step by step, in slices, so that a key in between is answered.

Whoever searched once searches often: the texts are kept as far as `ROOM` reaches, as they stand in the
trace. Where JSON holds the words only as it is laid out for reading, its step is read anew. (A pattern is
matched with JSON as it stands; what is known of it beforehand saves most of its cost.) Lives in the thread
that reads the store. Knows no widget.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from reviewer.session import Reading
from reviewer.trace import Step
from reviewer.tui.widgets.arguments import argument_parts
from reviewer.tui.widgets.finding import compiled, folded
from reviewer.tui.widgets.parts import parts_of
from reviewer.tui.widgets.patterns import caseless, few, in_lines, lines_with, needed, odd, tally
from reviewer.tui.widgets.sought import MOST, Sought, plain, searched

ROOM = 40_000_000  # bytes
SLICE = 0.03  # seconds
_APART = b"\xff"  # between two texts of a step: in no UTF-8, so that no hit goes across
_LAYOUT = b" \n"  # what laying JSON out puts between its signs


class Seeker:
    """The searches in one trace."""

    def __init__(self, trace_id: str) -> None:
        self.trace_id = trace_id
        self._kept: dict[int, bytes] = {}
        self._room = ROOM

    def seek(
        self, reading: Reading, asked: Sought, first: int, last: int, seconds: float = SLICE
    ) -> tuple[dict[int, int], int]:
        """Hits by step from step `first` on, for about so long; and where to go on (beyond `last`: done)."""
        found: dict[int, int] = {}
        until = monotonic() + seconds
        count, n = _Count(asked), first
        while n <= last and (n == first or monotonic() < until):
            if n in self._kept:
                n = self._seek_kept(reading, count, n, last, found)
            else:
                n = self._seek_read(reading, count, n, last, until, found)
        return found, n

    def _seek_kept(self, reading: Reading, count: _Count, n: int, last: int, found: dict[int, int]) -> int:
        """Through some steps whose texts are at hand; they cost microseconds."""
        end, left = min(last, n + 200), 5
        while n <= end and left and (hay := self._kept.get(n)) is not None:
            hits = count.hits(hay)
            if not hits and count.perhaps_laid_out(hay):
                hits, left = _laid_out(reading.step(self.trace_id, n), count.asked), left - 1
            if hits:
                found[n] = min(hits, MOST)
            n += 1
        return n

    def _seek_read(
        self, reading: Reading, count: _Count, n: int, last: int, until: float, found: dict[int, int]
    ) -> int:
        """Through steps that are read from the store."""
        for step in reading.steps(self.trace_id, n, last - n + 1):
            hay = _APART.join(plain(text).encode("utf-8", "surrogatepass") for text in _texts(step))
            if self._room > 0 and step.n not in self._kept:
                self._kept[step.n] = hay
                self._room -= len(hay) + 100
            hits = count.hits(hay)
            if not hits and count.perhaps_laid_out(hay):
                hits = _laid_out(step, count.asked)
            if hits:
                found[step.n] = min(hits, MOST)
            n = step.n + 1
            if monotonic() > until:
                return n
        return max(n, last + 1)


class _Count:
    """How often something stands in the texts of a step."""

    def __init__(self, asked: Sought) -> None:
        self.asked = asked
        self._ascii = asked.pattern.isascii()
        low = folded(asked.pattern) if asked.ignore_case else asked.pattern
        self._needle = b"" if asked.regex else low.encode("utf-8", "surrogatepass")
        self._squeezed = self._needle.translate(None, _LAYOUT)
        # laid out, JSON has other white space and letters for their numbers, but no other words
        self._word = asked.regex or (self._ascii and asked.pattern.isalnum())
        small = asked.regex and asked.ignore_case and caseless(asked.pattern)
        self._small = compiled(asked.pattern, regex=True, ignore_case=False) if small else None
        self._pattern = compiled(asked.pattern, regex=asked.regex, ignore_case=asked.ignore_case)
        # looked for in texts made small where any case will do
        letters = needed(asked.pattern) if asked.regex else ""
        self._needed = (letters.lower() if asked.ignore_case else letters).encode()
        self._in_lines = asked.regex and in_lines(asked.pattern)

    def hits(self, hay: bytes) -> int:
        """In the texts as they stand."""
        needle, asked = self._needle, self.asked
        if needle and not asked.ignore_case:
            return hay.count(needle)
        if self._ascii and not (asked.ignore_case and odd(hay)):
            low = hay.lower() if asked.ignore_case else hay
            return low.count(needle) if needle else self._matches(hay, low)
        return sum(asked.tally(text.decode("utf-8", "surrogatepass")) for text in hay.split(_APART))

    def _matches(self, hay: bytes, low: bytes) -> int:
        """Of a regular expression; `low`: the texts with the letters that it asks for."""
        if self._needed not in low:
            return 0
        pattern, texts, holds = self._pattern, hay, b""
        if self._small is not None or not self.asked.ignore_case:
            pattern, texts, holds = self._small or pattern, low, self._needed
        hits, alone = 0, self._in_lines and holds
        for text in texts.split(_APART):
            if text and holds in text:
                for piece in lines_with(text, holds) if alone and few(text, holds) else (text,):
                    hits += tally(pattern, piece.decode("utf-8", "surrogatepass"), MOST)
        return hits

    def perhaps_laid_out(self, hay: bytes) -> bool:
        """Whether there may be hits in JSON once it is laid out for reading, though there are none before."""
        if self._word or not (b"{" in hay or b"[" in hay):
            return False
        if b"\\u" in hay:
            return True
        squeezed = hay.translate(None, _LAYOUT)
        return (squeezed.lower() if self.asked.ignore_case else squeezed).count(self._squeezed) > 0


def _laid_out(step: Step, asked: Sought) -> int:
    """How often it stands in a step as the screen shows it."""
    return sum(asked.tally(plain(part.text)) for part in searched(parts_of(step)))


def _texts(step: Step) -> Iterator[str]:
    """The texts that `parts_of` shows of a step, nothing laid out; arguments as their lines."""
    yield from (step.message, step.reasoning)
    for call in step.calls:
        yield f"call {call.name}"
        yield from (part.raw or part.text for part in argument_parts(call.arguments))
    yield from (result.content for result in step.results)
    if step.extra:
        yield from (part.raw or part.text for part in argument_parts(step.extra))
