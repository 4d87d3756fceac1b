"""What of a long text stays visible when it is folded: its head, its tail, and how much lies between.

Looks only at head and tail, and counts the rest. Knows no widget and no width.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from reviewer.counting import count
from reviewer.tui.widgets.layout import outside_code

HEAD_LINES, TAIL_LINES = 40, 20
HEAD_SIZE, TAIL_SIZE = 8_000, 4_000
# Hiding less than this would save nothing.
MIN_LINES, MIN_SIZE = 10, 4_000


class Gap(NamedTuple):
    """The hidden part of a text, `first` up to `last`; nothing is hidden where they are equal."""

    first: int
    last: int

    def __bool__(self) -> bool:
        return self.last > self.first

    def around(self, text: str) -> list[tuple[int, int]]:
        """The stretches of `text` that stay visible; an empty text is one that is."""
        size = len(text)
        if not self:
            return [(0, size)]
        return [(start, end) for start, end in ((0, self.first), (self.last, size)) if start < end]


OPEN = Gap(0, 0)
Gaps: TypeAlias = tuple[Gap, ...]  # of one part, in order, none of them empty


def gap_of(text: str) -> Gap:
    """The middle of a long text; `OPEN` for one that is short enough to be shown."""
    size = len(text)
    if size <= HEAD_SIZE + TAIL_SIZE + MIN_SIZE and text.count("\n") < HEAD_LINES + TAIL_LINES + MIN_LINES:
        return OPEN
    first = 0
    for _ in range(HEAD_LINES):
        end = text.find("\n", first, HEAD_SIZE)
        if end < 0:
            first = outside_code(text, min(HEAD_SIZE, size))
            break
        first = end + 1
    last = size - 1 if text.endswith("\n") else size  # a final line end begins no line
    for _ in range(TAIL_LINES):
        end = text.rfind("\n", max(first, size - TAIL_SIZE), last)
        if end < 0:
            last = outside_code(text, max(first, size - TAIL_SIZE))
            return Gap(first, last)
        last = end
    return Gap(first, last + 1)


def whole_of(text: str) -> Gap:
    """Everything: a short text that somebody closes."""
    return Gap(0, len(text))


def gap_text(text: str, gap: Gap, items: int = 0) -> str:
    """The line that stands for what is hidden; `items`: so many entries, where that can be said."""
    lines = text.count("\n", gap.first, gap.last)
    if gap.last == len(text) and not text.endswith("\n"):
        lines += 1
    if lines > 1:
        indent = len(text[gap.first : gap.first + 200]) - len(text[gap.first : gap.first + 200].lstrip(" "))
        of = f"{count(items, 'entry')}, " if items else ""
        return f"{' ' * indent if items else ''}… {of}{count(lines, 'line')} hidden (z opens)"
    return f"… {gap.last - gap.first:,} characters hidden (z opens)"
