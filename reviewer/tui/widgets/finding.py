"""Finding text in the parts of a step: what the reader types, and the quotes of evidence.

Colour codes inside a word do not hide it: it is searched in the text as it is read, and found at offsets
of the raw text. Knows no widget.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from reviewer.ansi import SGR
from reviewer.errors import InputError

_SIGNS = r'[\s"{}\[\],:]'
_BARE = re.compile(r'[^\s"{}\[\],:]+')


class Range(NamedTuple):
    """`start` up to `end` of the raw text of part number `part`."""

    part: int
    start: int
    end: int


class Haystack:
    """A raw text without its colour codes, and the way back to raw offsets."""

    __slots__ = ("_folded", "_shifts", "_starts", "text")

    def __init__(self, raw: str) -> None:
        self._starts: list[int] = []  # offsets in `text` after which a code was taken out …
        self._shifts: list[int] = []  # … and how much was taken out up to there
        self._folded: str | None = None
        self.text = raw
        if "\x1b[" in raw:
            self._strip(raw)

    def _strip(self, raw: str) -> None:
        pieces: list[str] = []
        at = shift = 0
        for code in SGR.finditer(raw):
            pieces.append(raw[at : code.start()])
            self._starts.append(code.start() - shift)
            shift += code.end() - code.start()
            self._shifts.append(shift)
            at = code.end()
        self.text = "".join([*pieces, raw[at:]])

    def folded(self) -> str:
        if self._folded is None:
            self._folded = folded(self.text)
        return self._folded

    def raw(self, offset: int, *, end: bool = False) -> int:
        """The raw offset of `offset`; an end stands before the codes that follow it."""
        index = bisect_right(self._starts, offset - 1 if end else offset) - 1
        return offset + (self._shifts[index] if index >= 0 else 0)


def folded(text: str) -> str:
    """`text` in lower case, every code point in its place; empty where lower case is longer."""
    lowered = text.lower()
    if not lowered.isascii():
        lowered = lowered.replace("ς", "σ")  # a Σ is the one or the other by what follows it
    return lowered if len(lowered) == len(text) else ""


def compiled(pattern: str, *, regex: bool, ignore_case: bool) -> re.Pattern[str]:
    """The pattern a reader typed, or one line that says what is wrong with it."""
    try:
        return re.compile(pattern if regex else re.escape(pattern), re.IGNORECASE if ignore_case else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"not a regular expression: {error}") from error


def occurrences(
    hay: Haystack, pattern: str, *, regex: bool = False, ignore_case: bool = True
) -> Iterator[tuple[int, int]]:
    """Raw (start, end) of each occurrence of `pattern`, in order; empty ones are none."""
    if not pattern:
        return
    # Much faster than a regular expression that ignores case.
    text, needle = (hay.folded(), folded(pattern)) if ignore_case else (hay.text, pattern)
    if not regex and needle and (text or not hay.text):
        at = text.find(needle)
        while at >= 0:
            yield hay.raw(at), hay.raw(at + len(needle), end=True)
            at = text.find(needle, at + len(needle))
        return
    for match in compiled(pattern, regex=regex, ignore_case=ignore_case).finditer(hay.text):
        if match.end() > match.start():
            yield hay.raw(match.start()), hay.raw(match.end(), end=True)


def quote_in(hay: Haystack, quote: str) -> tuple[int, int] | None:
    """Where a quote stands verbatim, or else with any white space where it has some."""
    stripped = SGR.sub("", quote)
    words = stripped.split()
    if not words:
        return None
    at = hay.text.find(stripped)
    if at >= 0:
        return hay.raw(at), hay.raw(at + len(stripped), end=True)
    return _matched(hay, r"\s+".join(map(re.escape, words)))


def laid_out(hay: Haystack, quote: str) -> tuple[int, int] | None:
    """Where a quote from JSON stands in a text that lays JSON out: the signs of JSON aside."""
    words = _BARE.findall(SGR.sub("", quote))
    return _matched(hay, rf"{_SIGNS}+".join(map(re.escape, words))) if words and '"' in quote else None


def _matched(hay: Haystack, pattern: str) -> tuple[int, int] | None:
    match = re.search(pattern, hay.text)
    return (hay.raw(match.start()), hay.raw(match.end(), end=True)) if match else None
