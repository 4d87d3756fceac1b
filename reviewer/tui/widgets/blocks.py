"""A block: a stretch of one part's raw text with the offsets at which its rows begin, found bit by bit.

The only mutable thing of a body. Offsets take eight bytes a row; texts are never copied. Knows no widget.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from rich.cells import cell_len

from reviewer.text import shown
from reviewer.tui.widgets.colouring import Colouring
from reviewer.tui.widgets.document import Piece
from reviewer.tui.widgets.layout import (
    DENSITY,
    SLACK,
    TAB,
    Mark,
    is_plain,
    next_row,
    outside_code,
    row_pieces,
)


class Block:
    """`text[start:end]` of part number `part`, drawn in one `style`."""

    __slots__ = (
        "_colouring",
        "_inset",
        "_line",
        "_line_end",
        "_plain",
        "end",
        "hang",
        "origin",
        "part",
        "position",
        "rows",
        "start",
        "style",
        "text",
    )

    def __init__(
        self,
        part: int,
        text: str,
        style: str,
        start: int = 0,
        end: int | None = None,
        *,
        origin: int | None = None,
        look: str | None = None,
        hang: int = 0,
    ) -> None:
        """`look`: how it is coloured (see `Colouring`), None for not at all. `hang`: see `Part`."""
        self.part = part
        # Where the block stands in its part; a fold's own text is not the part's.
        self.origin = start if origin is None else origin
        self.text = text
        self.style = style
        self.hang = hang
        self.start = start
        self.end = len(text) if end is None else end
        # One code point is one cell. Looks no further than this block: most of a text may be folded.
        self._plain = (
            text.isascii() and text.find("\t", start, self.end) < 0 and text.find("\x1b", start, self.end) < 0
        )
        self._colouring = None if look is None else Colouring(text, look)
        self.reset()

    def reset(self) -> None:
        """Forget the rows: the width has changed."""
        self.rows = array("Q")
        self.position = self.start
        self._inset = 0
        self._line_end = -1

    @property
    def done(self) -> bool:
        return bool(self.rows) and self.position >= self.end

    def extend(self, until: int, width: int | None) -> None:
        """Find the rows up to offset `until`; without a width a line is a row."""
        text, position, end, line_end = self.text, self.position, self.end, self._line_end
        find, add, plain = text.find, self.rows.append, self._plain
        if self.start == end and not self.rows:
            add(self.start)
        until = min(until, end)
        self._inset = 0 if width is None else min(self.hang, width // 2)
        while position < until:
            fresh = position > line_end
            if fresh:
                line_end = find("\n", position, end)
                if line_end < 0:
                    line_end = end
            add(position)
            room = width if fresh or width is None else width - self._inset
            if room is None or (plain and line_end - position <= room):
                position = line_end + 1
                continue
            visible_end = line_end
            if line_end > position and text[line_end - 1 : line_end + 1] == "\r\n":
                visible_end -= 1
            if _fits(text, position, visible_end, room):
                position = line_end + 1
                continue
            after = next_row(text, position, visible_end, room)
            position = line_end + 1 if after >= visible_end else after
        self.position, self._line_end = position, line_end

    def row_of(self, offset: int) -> int:
        """The row, of those known, in which `offset` stands."""
        return max(0, bisect_right(self.rows, offset) - 1)

    def pieces(self, row: int, columns: int | None, marks: Sequence[Mark]) -> list[Piece]:
        """What stands in a row; of an unwrapped one what the first `columns` cells can hold."""
        start = self.rows[row]
        end = self.rows[row + 1] if row + 1 < len(self.rows) else min(self.position, self.end)
        if end > start and self.text[end - 1] == "\n":  # a CR is part of the line end only before LF
            end -= 2 if end - start > 1 and self.text[end - 2] == "\r" else 1
        if columns is not None and end - start > (limit := DENSITY * columns + SLACK):
            end = max(outside_code(self.text, start + limit), start + 1)
        line = self.text.rfind("\n", max(self.start, start - DENSITY * 1024), start) + 1
        line = max(line, self.start)
        spans = () if self._colouring is None else self._colouring.spans(line, start, self.start, self.end)
        pieces = row_pieces(self.text, line, start, end, self.style, marks=marks, spans=spans)
        if self._inset and start > line:
            pieces.insert(0, Piece(" " * self._inset, self.style))
        return pieces


def _fits(text: str, start: int, end: int, width: int) -> bool:
    """Whether a line is one row: a quick look before the exact one."""
    length = end - start
    if length > width:
        return False
    line = text[start:end]
    if "\x1b" in line:
        return False
    if tabs := line.count("\t"):
        return length + (TAB - 1) * tabs <= width and line.isascii()
    return is_plain(line) or 2 * length <= width or cell_len(shown(line)) <= width
