"""Where a raw text breaks into rows of at most so many cells, and the pieces of one such row.

Works on offsets into the raw text and looks at one row at a time, so that neither a million lines nor
one line of megabytes is ever laid out as a whole. Breaks after a space where one is near, else anywhere
but inside a cluster (a base with its joiners and selectors) or a colour code. Knows no widget.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from reviewer.ansi import PLAIN, SGR, ansi_runs, ink_at
from reviewer.text import shown
from reviewer.tui.widgets.document import Piece

TAB = 8
# A row ends after so many code points per cell even if they take no room (combining marks, colours).
DENSITY = 8
# … and so many more: at least one colour code, however long, always fits.
SLACK = 128
# How far back from the start of a row the colour that is still on is looked for.
LOOK_BACK = 4096

# Letters and signs that are one cell each and join nothing: what hardly any text beyond ASCII goes beyond.
_NARROW = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e"
    "\u20a0-\u20c0\u2190-\u22ff\u2500-\u25fc\u2701-\u2704\u2706-\u2709\u270c-\u2727]*"
)
_TABS = re.compile(r"\t|[^\t]+")
_EXTENDS = frozenset("\u200d\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")

Mark = tuple[int, int, str]  # start, end, name; sorted, not overlapping


def is_plain(text: str) -> bool:
    """One code point is one cell: no tabs, no colours; controls of ASCII are drawn as pictures."""
    if text.isascii():
        return "\t" not in text and "\x1b" not in text
    return _NARROW.fullmatch(text) is not None


def next_row(text: str, start: int, end: int, width: int) -> int:
    """Where the row after the one at `start` begins; `end` is the end of the line."""
    chunk = text[start : min(end, start + width + 1)]
    if is_plain(chunk):
        return end if len(chunk) <= width else start + _word_break(chunk, width)
    # Hardly any row needs more than its first code points; only combining marks and colours take no room.
    for limit in (start + width + 40, start + DENSITY * width + SLACK):
        chunk = text[start : min(end, outside_code(text, limit))]
        count = _fitting(chunk, width)
        if count < len(chunk):
            return start + _word_break(chunk, count)
        if end <= limit:
            return end
    return start + max(1, len(chunk))


def outside_code(text: str, at: int) -> int:
    """`at`, or the beginning of the colour code that `at` would cut in two."""
    escape = text.rfind("\x1b[", max(0, at - 100), at)
    if escape >= 0 and (code := SGR.match(text, escape)) and code.end() > at:
        return escape
    return at


def _word_break(chunk: str, count: int) -> int:
    """How much of `chunk`, of which `count` code points fit, goes into the row: up to a space if near."""
    if chunk[count] == " ":
        return count + 1  # it hangs over the edge, where it is not missed
    space = chunk.rfind(" ", 0, count)
    return space + 1 if space > count // 3 else max(1, count)


def _fitting(chunk: str, width: int) -> int:
    """How many code points of `chunk` (colour codes and tabs included) fit into `width` cells."""
    column = 0
    for start, piece in _tokens(chunk):
        if piece == "\t":
            step = TAB - column % TAB
            if column + step > width and column:
                return start
            column += step
            continue
        room = width - column
        size = cell_len(piece)
        if size <= room:
            column += size
            continue
        return start + _clusters(piece, room)
    return len(chunk)


def _tokens(chunk: str) -> Iterator[tuple[int, str]]:
    """(offset, "\\t") or (offset, text as it is shown), without the colour codes."""
    for run in ansi_runs(chunk):
        for match in _TABS.finditer(shown(chunk[run.start : run.end])):
            yield run.start + match.start(), match.group()


def _clusters(text: str, room: int) -> int:
    """How many code points of `text` fit into `room` cells without cutting a cluster."""
    at, length = 0, len(text)
    while at < length:
        after = at + 1
        while after < length and (text[after] in _EXTENDS or text[after - 1] == "\u200d"):
            after += 1
        room -= cell_len(text[at:after])
        if room < 0:
            return at
        at = after
    return length


def row_pieces(
    text: str,
    line: int,
    start: int,
    end: int,
    style: str,
    *,
    marks: Sequence[Mark] = (),
    spans: Sequence[Mark] = (),
) -> list[Piece]:
    """The pieces of the row `text[start:end]` of the line that begins at `line`.

    `spans` have a style of their own, unless the text asks for colours itself.
    """
    ink = PLAIN if start == line else ink_at(text, max(line, start - LOOK_BACK), start)
    pieces: list[Piece] = []
    column = 0
    for run in ansi_runs(text, start, end, ink):
        visible = shown(text[run.start : run.end])
        for match in _TABS.finditer(visible):
            for first, last, mark in _cut(run.start + match.start(), run.start + match.end(), marks):
                for a, b, look in _cut(first, last, spans if run.ink is PLAIN else ()):
                    part = visible[a - run.start : b - run.start]
                    if part == "\t":
                        part = " " * (TAB - column % TAB)
                    pieces.append(Piece(part, look or style, run.ink, mark))
                    column += cell_len(part)
    return pieces


def _cut(start: int, end: int, marks: Sequence[Mark]) -> Iterator[tuple[int, int, str]]:
    """`start`…`end` cut at the marks that touch it, each part with the name of its mark or ""."""
    index = max(0, bisect_right(marks, start, key=lambda mark: mark[0]) - 1)
    for first, last, name in marks[index:]:
        if first >= end:
            break
        if last <= start:
            continue
        if first > start:
            yield start, first, ""
            start = first
        yield start, min(last, end), name
        start = min(last, end)
    if start < end:
        yield start, end, ""


def apart(marks: list[Mark]) -> list[Mark]:
    """The marks in order of place, without those that overlap one before them."""
    taken: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: mark[0]):
        if not taken or mark[0] >= taken[-1][1]:
            taken.append(mark)
    return taken
