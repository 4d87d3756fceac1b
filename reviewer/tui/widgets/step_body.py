"""`StepBody`: one step for reading, with folds, search hits and evidence.

It has methods, no keys: which key does what is the business of the screens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from reviewer.tui.widgets.body import BodyDocument, MarkName
from reviewer.tui.widgets.finding import Range
from reviewer.tui.widgets.lines import LineView
from reviewer.tui.widgets.part import Part


class StepBody(LineView):
    """A `BodyDocument` on the screen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("view--text", "view--header", "view--title", "view--reasoning", "view--call", "view--command"),
        *("view--key", "view--json", "view--error", "view--denied", "view--fold"),
        *("view--hit", "view--current", "view--evidence", "view--chosen"),
        *("view--added", "view--removed", "view--hunk", "view--file", "view--name", "view--string"),
        *("view--number", "view--keyword", "view--comment"),
    }
    DEFAULT_CSS = """
    StepBody {
        width: 1fr;
        height: 1fr;
        background: $surface;
        color: $foreground;

        & > .view--header { color: $text-accent; text-style: bold; }
        & > .view--title { color: $text-muted; text-style: bold; }
        & > .view--reasoning { color: $text-muted; text-style: italic; }
        & > .view--call { color: $text-primary; text-style: bold; }
        & > .view--command { color: $text-primary; }
        & > .view--key { color: $text-muted; }
        & > .view--error { color: $text-error; text-style: bold; }
        & > .view--denied { color: $text-warning; text-style: bold; }
        & > .view--fold { color: $text-muted; background: $boost; text-style: italic; }
        & > .view--added { color: $text-success; }
        & > .view--removed { color: $text-error; }
        & > .view--hunk { color: $text-accent; }
        & > .view--file { color: $text-primary; text-style: bold; }
        & > .view--name { color: $text-primary; }
        & > .view--string { color: $text-success; }
        & > .view--number { color: $text-warning; }
        & > .view--keyword { color: $text-accent; }
        & > .view--comment { color: $text-muted; text-style: italic; }
        & > .view--hit { color: $text; background: $warning 40%; }
        & > .view--current { color: $text; background: $warning; text-style: bold; }
        & > .view--evidence { color: $text; background: $success 40%; }
        & > .view--chosen { color: $text; background: $primary 50%; text-style: bold; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._body: BodyDocument | None = None
        self._hit = -1
        self._evidence: list[Range] = []
        self._chosen: Range | None = None
        self._aim: Range | None = None  # what was gone to last
        self._height = 0  # rows in sight before the size changed

    @property
    def parts(self) -> Sequence[Part]:
        """The parts of the body that is shown."""
        return self._body.parts if self._body is not None else ()

    @property
    def body(self) -> BodyDocument | None:
        return self._body

    @property
    def hit_number(self) -> tuple[int, int]:
        """Which hit is the current one, from 1, and of how many; (0, 0) without hits."""
        hits = self._body.hits if self._body is not None else []
        return (self._hit + 1, len(hits)) if hits else (0, 0)

    def show_body(self, body: BodyDocument | None, row: int = 0) -> None:
        """Show another step, from `row` on."""
        self._body = body
        self._hit, self._evidence = -1, []
        self._chosen = self._aim = None
        self.show(body, row)

    # -- layout ------------------------------------------------------------------------------------

    def _resized(self) -> None:
        """What stood at the top stands there again, unless what was gone to would leave the sight."""
        body, aim = self._body, self._aim
        anchor = body.anchor(self.top) if body is not None and len(body) else None
        seen = body and aim and 0 <= body.row_at(aim.part, aim.start) - self.top < self._height
        self._relayout(anchor)
        if body and aim and seen:
            near = min(aim.end - 1, aim.start + 2 * self.columns_seen)  # of a long one the beginning will do
            for offset in (near, aim.start):
                self.go_to(body.row_at(aim.part, offset))
        self._height = self.rows_seen

    def _relayout(self, anchor: tuple[int, int] | None) -> None:
        """After the rows changed: what stood at the top stands there again."""
        if self._body is None or anchor is None:
            self._refit(self.top)
            return
        if self.columns_seen:
            self._body.fit(self.columns_seen)
        row = self._body.row_at(*anchor) if anchor != (0, 0) else 0
        self._refit(row)

    def toggle_wrap(self) -> bool:
        """Wrap long lines or let them run out to the right; returns whether they are wrapped now."""
        if self._body is None:
            return True
        anchor = self._body.anchor(self.top)
        self.left = 0
        self._body.set_wrap(not self._body.wrap)
        self._relayout(anchor)
        return self._body.wrap

    def toggle_fold(self, row: int | None = None) -> bool:
        """Open or close: at `row`, else the first fold in sight, else the part at the top."""
        if self._body is None or not len(self._body):
            return False
        if row is None:
            seen = range(self.top, min(self.top + self.rows_seen, len(self._body)))
            row = next((row for row in seen if self._body.is_fold(row)), self.top)
        anchor = self._body.anchor(self.top)
        if not self._body.toggle_fold(row):
            return False
        self._relayout(anchor)
        return True

    def fold_all(self, close: bool) -> None:
        """Close all long parts to head and tail, or open everything."""
        if self._body is not None:
            anchor = self._body.anchor(self.top)
            self._body.fold_all(close)
            self._relayout(anchor)

    # -- a chosen line -----------------------------------------------------------------------------

    def sees(self, part: int) -> bool:
        """Whether a part begins in sight."""
        return self._body is not None and 0 <= self._body.row_at(part, 0) - self.top < self.rows_seen

    def choose(self, part: int, *, go: bool = True) -> None:
        """Draw a part as the chosen one, and make it visible."""
        if self._body is None or part >= len(self.parts):
            return
        self._chosen = Range(part, 0, len(self.parts[part].text))
        self._mark()
        if go:
            self._go_to_range(self._chosen)
        else:
            self.redraw()

    # -- search and evidence -----------------------------------------------------------------------

    def find(
        self,
        pattern: str,
        *,
        regex: bool = False,
        ignore_case: bool = True,
        land: int = 0,
        go: bool = True,
    ) -> int:
        """Mark all places of `pattern`, go to the first at or below the top; how many there are.

        `land`: go to the very first (1) or the last (-1) instead. Not `go`: mark them only.
        """
        if self._body is None:
            return 0
        hits = self._body.search(pattern, regex=regex, ignore_case=ignore_case)
        top = Range(*self._body.anchor(self.top), 0) if len(self._body) else Range(0, 0, 0)
        self._hit = next((number for number, hit in enumerate(hits) if hit >= top), 0) if hits else -1
        if hits and land:
            self._hit = 0 if land > 0 else len(hits) - 1
        elif not go and not self.top:
            self._hit = -1  # none of them is shown yet
        if go or not hits:
            self._show_hit()
        else:
            self._mark()
            self.redraw()
        return len(hits)

    def find_next(self, step: Literal[1, -1] = 1) -> bool:
        """To the next or the previous hit, around the end; False if there are none."""
        if self._body is None or not self._body.hits:
            return False
        self._hit = (self._hit + step) % len(self._body.hits)
        self._show_hit()
        return True

    def clear_find(self) -> None:
        """Take the marks of the search away."""
        if self._body is not None:
            self._body.hits.clear()
            self._hit = -1
            self._mark()
            self.redraw()

    def show_quotes(self, quotes: Sequence[str], *, go: int | None = 0) -> int:
        """Mark the quotes that stand in this step and go to one of them (None: stay); how many do."""
        body = self._body
        self._evidence = sorted({one for q in quotes if body and (one := body.locate(q)) is not None})
        self._mark()
        if self._evidence and go is not None:
            self._go_to_range(self._evidence[go])
        else:
            self.redraw()
        return len(self._evidence)

    def show_place(self, text: str) -> None:
        """Mark the first place of a text and go to it; hits and evidence stay marked."""
        found = self._body.locate(text) if self._body is not None else None
        if found is not None:
            self._chosen = found
            self._mark()
            self._go_to_range(found)

    def show_error(self, quotes: Sequence[str]) -> None:
        """Go to the result that is an error, and in it to the one of `quotes` that stands there."""
        body = self._body
        if body is None:
            return
        found = next((one for quote in quotes if (one := body.locate(quote)) is not None), None)
        heads = [n for n, part in enumerate(self.parts) if n and part.style in ("error", "denied")]
        if not heads and found is not None:  # no flag, but the output begins by naming an error
            heads = [n for n in range(1, found.part + 1) if self.parts[n].head][-1:]
        for head in heads[:1]:
            self._go_to_range(Range(head, 0, len(self.parts[head].text)))
        self._chosen = found
        self._mark()
        if found is not None:
            self._go_to_range(found)
        self.redraw()

    def marked(self) -> str:
        """The text of the current hit, else of the evidence that is marked; empty if nothing is."""
        if self._body is None:
            return ""
        ranges = [self._body.hits[self._hit]] if 0 <= self._hit < len(self._body.hits) else self._evidence
        return "\n".join(self._body.parts[one.part].text[one.start : one.end] for one in ranges)

    def turn_all(self) -> bool:
        """Show JSON that was laid out as it stands, or the other way round; False if there is none."""
        body = self._body
        numbers = [n for n, part in enumerate(body.parts) if part.raw] if body is not None else []
        if body is None or not numbers:
            return False
        anchor = body.anchor(self.top)
        for number in numbers:
            body.turn(number)
        self._evidence, self._aim = [], None
        self.clear_find()
        self._relayout((anchor[0], 0) if anchor[0] in numbers else anchor)
        return True

    def _show_hit(self) -> None:
        self._mark()
        if self._body is not None and self._hit >= 0:
            self._go_to_range(self._body.hits[self._hit])
        else:
            self.redraw()

    def _mark(self) -> None:
        if self._body is None:
            return
        marks: list[tuple[Range, MarkName]] = [(found, "evidence") for found in self._evidence]
        if self._chosen is not None:
            marks.append((self._chosen, "chosen"))
        for number, hit in enumerate(self._body.hits):
            marks.append((hit, "current" if number == self._hit else "hit"))
        self._body.mark(marks)

    def _go_to_range(self, found: Range) -> None:
        if self._body is None:
            return
        self._aim, row = found, self._body.reveal(found)
        self.redraw()
        self._go_on()
        self.go_to(row)
        if not self._body.wrap:
            self._show_column(found, row)

    def _show_column(self, found: Range, row: int) -> None:
        """Scroll sideways so that a range in an unwrapped line is seen."""
        if self._body is None:
            return
        column = found.start - self._body.anchor(row)[1]
        if not self.left <= column < self.left + self.columns_seen - 1:
            self.scroll_columns(column - self.columns_seen // 3 - self.left)
        elif self.left and column < self.columns_seen // 2:
            self.scroll_columns(-self.left)
