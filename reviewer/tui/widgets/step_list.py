"""`StepList`: one line a step; only the lines that are seen are read and drawn.

Row 0 is the summary page; row n is step n, unless the list is narrowed to some of them. The rows come
in pages from a source, which may not have them yet. A click chooses a row and does nothing else. Knows no
trace and no store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Literal, Protocol

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from reviewer.text import safe_line
from reviewer.tui.widgets.shorten import shorten, shorten_middle
from reviewer.values import dataclass

PAGE = 300
# From this width on there is room for the size of a step, below that one not for what goes without saying.
WIDE, ROOMY = 44, 30
_FOLDER = re.compile(r"cd \S+ *&& *")

# What stands before the text of a row; the help page explains the same table.
NEW = "•"  # stands behind the number of a step that was not opened yet
SIGNS: dict[str, str] = {
    "summary": "≡",
    "error": "✗",
    "compaction": "≈",
    "injected": "~",
    "notice": "·",
    "system": "S",
    "user": "U",
    "agent": "A",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list. All texts may be foreign. `size`: characters of the step, 0 shows nothing.

    `marks` are a few signs that stand at the right edge (a decisive step, a flag, evidence); `new`: nobody
    has opened it yet; `shared` is the tool that most steps call: in few columns it stands in row 0 only.
    """

    n: int
    source: Literal["", "system", "user", "agent"] = ""
    head: str = ""
    tools: str = ""
    error: bool = False
    marks: str = ""
    size: int = 0
    kind: str = ""
    new: bool = False
    shared: str = ""


class Rows(Protocol):
    """Where the rows come from. What is not there yet is left out at the end and drawn as "…"."""

    def rows(self, first: int, count: int) -> Sequence[Row]:
        """The rows at `first`, `first` + 1, …, at most `count` of them."""


class StepList(ScrollView, can_focus=False, inherit_bindings=False):
    """The steps of a trace with a cursor row."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("steps--text", "steps--number", "steps--tools", "steps--marks", "steps--size", "steps--cursor"),
        *(f"steps--{name}" for name in SIGNS),
    }
    DEFAULT_CSS = """
    StepList {
        overflow-y: scroll;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        width: 36;
        height: 1fr;
        background: $background;
        color: $foreground;

        & > .steps--number { color: $text-muted; }
        & > .steps--tools { color: $text-primary; }
        & > .steps--marks { color: $text-warning; text-style: bold; }
        & > .steps--size { color: $text-muted; }
        & > .steps--cursor { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .steps--summary { color: $text-accent; }
        & > .steps--error { color: $text-error; text-style: bold; }
        & > .steps--system { color: $text-muted; }
        & > .steps--user { color: $text-success; }
        & > .steps--agent { color: $text-primary; }
        & > .steps--injected { color: $text-muted; }
        & > .steps--notice { color: $text-muted; }
        & > .steps--compaction { color: $text-warning; }
    }
    """

    class Chosen(Message):
        """A row was clicked."""

        def __init__(self, step_list: StepList, n: int) -> None:
            super().__init__()
            self.step_list = step_list
            self.n = n

        @property
        def control(self) -> StepList:
            return self.step_list

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.cursor = 0
        self.total = 0
        self._highest = 0
        self._source: Rows | None = None
        self._page: tuple[int, int, Sequence[Row]] = (0, 0, ())  # first, asked for, got

    # -- content -----------------------------------------------------------------------------------

    def show(self, source: Rows | None, total: int, cursor: int = 0, highest: int | None = None) -> None:
        """Show `total` rows (the summary page included) of a source; `highest`: the last number in it."""
        self._source = source
        self.total = total
        self._highest = total - 1 if highest is None else highest
        self.cursor = max(0, min(cursor, total - 1))
        self.reload()
        self._scroll_to_cursor(always=True)

    def reload(self) -> None:
        """Read the rows anew: the source got more of them, or their marks changed."""
        self._page = (0, 0, ())
        size = Size(self.scrollable_content_region.width, self.total)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)  # setting it plainly asks for a layout pass
            self._scroll_update(size)
        self.refresh()

    def renew(self, n: int) -> None:
        """The marks of row `n` changed; it is read anew when it is drawn next."""
        first, count, rows = self._page
        if self._source is not None and first <= n < first + len(rows):
            at = n - first
            self._page = (first, count, [*rows[:at], *self._source.rows(n, 1), *rows[at + 1 :]])

    def row(self, n: int) -> Row | None:
        """A row from the page at hand or the one around it; None if the source has it not yet."""
        first, count, rows = self._page
        if not first <= n < first + count and self._source is not None:
            first = max(0, n - PAGE // 3)
            count = min(PAGE, self.total - first)
            rows = self._source.rows(first, count)
            self._page = (first, count, rows)
        return rows[n - first] if first <= n < first + len(rows) else None

    # -- moving ------------------------------------------------------------------------------------

    def go(self, n: int) -> None:
        """Put the cursor on row `n`; draws two lines anew, or the whole view if it has to scroll."""
        n = max(0, min(n, self.total - 1))
        old, self.cursor = self.cursor, n
        if not self._scroll_to_cursor():
            for row in {old, n}:
                if 0 <= row - self.scroll_offset.y < self.size.height:
                    self.refresh_line(row)

    def _scroll_to_cursor(self, *, always: bool = False) -> bool:
        top, height = self.scroll_offset.y, max(1, self.size.height)
        if top <= self.cursor < top + height and not always:
            return False
        row = max(0, min(self.cursor - height // 2, self.total - height))
        if row != top:
            self.scroll_to(y=row, animate=False, force=True)
        self.refresh()
        return True

    def on_resize(self, event: events.Resize) -> None:
        """The cursor stays in sight."""
        self._scroll_to_cursor()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the mouse, nothing else."""
        event.stop()
        n = event.y + self.scroll_offset.y
        row = self.row(n) if 0 <= n < self.total else None
        if row is not None and event.x < self.scrollable_content_region.width:
            self.post_message(self.Chosen(self, row.n))

    # -- drawing -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        n = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base = self.get_component_rich_style("steps--text")
        if n >= self.total:
            return Strip.blank(width, base)
        cursor = self.get_component_rich_style("steps--cursor") if n == self.cursor else None
        row = self.row(n)
        cells = [("…", "text")] if row is None else self._cells(row, width)
        segments = [Segment(text, cursor or self._style(name)) for text, name in cells]
        return Strip(segments).adjust_cell_length(width, cursor or base)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"steps--{name}")

    def _cells(self, row: Row, width: int) -> list[tuple[str, str]]:
        """(text, style name) from left to right: number, sign, tools, head … size, marks."""
        number = str(row.n) if row.n else ""
        left = f"{number:>{len(str(max(1, self._highest)))}}"
        kind = sign_of(row)
        right = f" {_short(row.size)}" if row.size and width >= WIDE else ""
        marks = shorten(safe_line(row.marks, 8), 8)
        marks = f" {marks}" if marks else ""
        room = max(0, width - len(left) - 3 - len(right) - cell_len(marks))
        tools, head = (row.tools, _placeless(row.head)) if width >= ROOMY else _brief(row)
        spare = room - cell_len(shorten(head, room)) - bool(head)
        tools = shorten_middle(tools, max(room // 2, spare))  # a short head leaves it the rest
        head = shorten(head, room - cell_len(tools) - bool(tools))
        body = f" {head}" if tools else head
        return [
            (left, "number"),
            (NEW if row.new else " ", "size"),
            (f"{SIGNS[kind]} ", kind),
            (tools, "tools"),
            (set_cell_size(body, room - cell_len(tools)), "error" if row.error else "text"),
            (right, "size"),
            (marks, "marks"),
        ]


def _brief(row: Row) -> tuple[str, str]:
    """Tools and head of a row where there is little room: without the common tool."""
    if not row.n:
        return row.tools, row.head + (f" · else {row.shared}" if row.shared else "")
    tools = "" if row.head and row.tools == row.shared else row.tools
    return tools, _placeless(row.head)


def _placeless(head: str) -> str:
    """A command without the folder that it goes to first: in many runs all rows begin alike with it."""
    return _FOLDER.sub("…", head, count=1) if head.startswith("cd ") else head


def sign_of(row: Row) -> str:
    """Which sign of `SIGNS` a row carries: an error before its kind, its kind before its source."""
    if not row.n:
        return "summary"
    if row.error:
        return "error"
    return row.kind if row.kind in SIGNS else row.source if row.source in SIGNS else "agent"


def _short(size: int) -> str:
    """A size in at most four characters."""
    for unit in ("", "k", "M", "G"):
        if size < 1000:
            return f"{size}{unit}"
        size //= 1000
    return f"{size}T"
