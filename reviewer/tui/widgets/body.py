"""`BodyDocument`: a step laid out for reading, without a widget.

Long parts are folded to their head and tail, so that a step of megabytes costs no more than a short one
until somebody opens it; what is open is laid out slice by slice. Nothing is left out silently: a fold
says how much it hides. Positions are those of the raw text, so hits and quotes stay where they are
whatever the width.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice
from time import monotonic
from typing import Literal, TypeAlias

from reviewer.trace import Step
from reviewer.tui.widgets.blocks import Block
from reviewer.tui.widgets.document import Piece
from reviewer.tui.widgets.finding import Haystack, Range, compiled, laid_out, occurrences, quote_in
from reviewer.tui.widgets.folding import Gaps, gap_text, whole_of
from reviewer.tui.widgets.json_folds import entries, folds_of, seen, without
from reviewer.tui.widgets.layout import Mark, apart
from reviewer.tui.widgets.part import Part, verbatim
from reviewer.tui.widgets.parts import parts_of

FIRST = 1 << 16
HUGE = 2_000_000
SLICE = 1 << 14
# Text that is slow to measure (all wide, all tabs) ends the first slice early.
PATIENCE = 0.02
Anchor: TypeAlias = tuple[int, int]  # part, offset in its raw text
Folds: TypeAlias = tuple[Gaps, ...]  # what is hidden of each part
MarkName: TypeAlias = Literal["hit", "current", "evidence", "chosen"]

_BLANK = -1


class BodyDocument:
    """The parts of a step as rows; implements `Document`.

    `hits` are the occurrences of the last `search` (`more_hits`: there are more than were collected).
    """

    def __init__(self, parts: Sequence[Part], *, wrap: bool = True) -> None:
        self.parts = tuple(parts)
        self.hits: list[Range] = []
        self.more_hits = False
        self._wrap = wrap
        self._width = 80
        self._gaps = [folds_of(part) for part in self.parts]
        self._hays: dict[int, Haystack] = {}
        self._marks: dict[int, list[Mark]] = {}
        self._blocks: list[Block] = []
        self._starts: list[int] = []  # the first row of each block that is laid out, and of the next one
        self._build()

    @classmethod
    def of(cls, step: Step, *, wrap: bool = True) -> BodyDocument:
        """The body of a step."""
        return cls(parts_of(step), wrap=wrap)

    @property
    def huge(self) -> bool:
        """Whether it holds so much text that nobody should keep it without need."""
        return sum(len(part.text) for part in self.parts) > HUGE

    # -- layout ------------------------------------------------------------------------------------

    @property
    def wrap(self) -> bool:
        return self._wrap

    def set_wrap(self, wrap: bool) -> None:
        """Whether long lines go on in the next row; else they run out of the view to the right."""
        self._wrap = wrap
        self._restart()

    def fit(self, width: int) -> None:
        width = max(2, width)  # a wide character needs two cells
        if width != self._width or not self._starts:
            self._width = width
            self._restart()

    def __len__(self) -> int:
        return self._starts[-1] + (0 if self._complete else len(self._current.rows))

    def more(self, seconds: float = 0.01) -> bool:
        until = monotonic() + seconds
        while not self._complete and monotonic() < until:
            self._advance(SLICE)
        return not self._complete

    @property
    def _complete(self) -> bool:
        return len(self._starts) > len(self._blocks)

    @property
    def _current(self) -> Block:
        return self._blocks[len(self._starts) - 1]

    def _restart(self) -> None:
        """Lay everything out anew."""
        for block in self._blocks:
            block.reset()
        self._begin()

    def _begin(self) -> None:
        """Lay out a first slice of what is not laid out yet."""
        self._starts = [0]
        until = monotonic() + PATIENCE
        for _ in range(FIRST // SLICE):
            self._advance(SLICE)
            if monotonic() > until:
                break

    def _advance(self, budget: int) -> None:
        """Lay out about `budget` further code points."""
        width = self._width if self._wrap else None
        while not self._complete and budget > 0:
            block = self._current
            before = block.position
            block.extend(before + budget, width)
            budget -= block.position - before + 1
            if block.done:
                self._starts.append(self._starts[-1] + len(block.rows))

    def _build(self) -> None:
        """Make the blocks after the folds changed; those that stay keep their rows."""
        known = {
            (block.part, block.start, block.end): block
            for block in self._blocks
            if block.style != "fold" and block.part != _BLANK and block.text is self.parts[block.part].text
        }
        self._blocks = []
        for number, part in enumerate(self.parts):
            if part.head and number:
                self._blocks.append(Block(_BLANK, "", "text"))
            mine = [
                known.get((number, start, end))
                or Block(number, part.text, part.style, start, end, look=part.look, hang=part.hang)
                for start, end in seen(part.text, self._gaps[number])
            ]
            for gap in self._gaps[number]:
                items = entries(part.text, gap) if part.look == "json" else 0
                mine.append(Block(number, gap_text(part.text, gap, items), "fold", origin=gap.first))
            self._blocks += sorted(mine, key=lambda block: block.origin)
        self._begin()

    # -- rows --------------------------------------------------------------------------------------

    def line(self, row: int, columns: int) -> list[Piece]:
        """The pieces of one row; without wrapping those within the first `columns` cells."""
        index, inside = self._find(row)
        block = self._blocks[index]
        marks = () if block.style == "fold" else self._marks.get(block.part, ())
        return block.pieces(inside, None if self._wrap else columns, marks)

    def _find(self, row: int) -> tuple[int, int]:
        index = min(bisect_right(self._starts, row), len(self._blocks)) - 1
        return index, row - self._starts[index]

    def is_fold(self, row: int) -> bool:
        """Whether the row says how much is hidden."""
        return self._blocks[self._find(row)[0]].style == "fold"

    def anchor(self, row: int) -> Anchor:
        """What stands at the beginning of a row, to find it again in another layout."""
        index, inside = self._find(row)
        if self._blocks[index].part == _BLANK:  # the row above the part that follows
            return self._blocks[index + 1].part, -1
        block = self._blocks[index]
        begun = block.style != "fold" and block.rows
        return block.part, block.rows[inside] if begun else block.origin

    def row_at(self, part: int, offset: int) -> int:
        """The row in which an offset of a part stands; laid out up to there if need be.

        Hidden text stands in the row of its fold.
        """
        if offset < 0:
            return self.row_at(part, 0) - 1
        index = max(
            index for index, block in enumerate(self._blocks) if block.part == part and block.origin <= offset
        )
        block = self._blocks[index]
        while len(self._starts) <= index or (not block.done and block.position <= offset):
            self._advance(FIRST)
        return self._starts[index] + (0 if block.style == "fold" else block.row_of(offset))

    # -- folds -------------------------------------------------------------------------------------

    @property
    def folds(self) -> Folds:
        """What is hidden of each part now."""
        return tuple(self._gaps)

    def set_folds(self, folds: Folds) -> None:
        """Hide again what was hidden before; nothing happens if the parts are others by now."""
        fits = all(
            gaps[-1].last <= len(part.text) for gaps, part in zip(folds, self.parts, strict=False) if gaps
        )
        if fits and len(folds) == len(self.parts) and list(folds) != self._gaps:
            self._gaps = list(folds)
            self._build()

    def toggle_fold(self, row: int) -> bool:
        """Open or close the part at a row (at a title: the one below it); False if there is none."""
        index = self._find(row)[0]
        number = next((block.part for block in self._blocks[index:] if block.part != _BLANK), _BLANK)
        if number == _BLANK:
            return False
        while not self.parts[number].foldable:
            number += 1
            if number == len(self.parts) or self.parts[number].head:
                return False
        part, gaps, block = self.parts[number], self._gaps[number], self._blocks[index]
        if block.style == "fold":
            self._gaps[number] = without(part, gaps, next(gap for gap in gaps if gap.first == block.origin))
        else:
            self._gaps[number] = () if gaps else folds_of(part) or (whole_of(part.text),)
        self._build()
        return True

    def fold_all(self, close: bool) -> None:
        """Close every long part to its head and tail, or open everything."""
        for number, part in enumerate(self.parts):
            if part.foldable:
                self._gaps[number] = folds_of(part) if close else ()
        self._build()

    def reveal(self, found: Range) -> int:
        """The row of a range; a fold that hides it is opened."""
        gaps = self._gaps[found.part]
        left = tuple(gap for gap in gaps if found.start >= gap.last or found.end <= gap.first)
        if left != gaps:
            self._gaps[found.part] = left
            self._build()
        return self.row_at(found.part, found.start)

    # -- finding -----------------------------------------------------------------------------------

    def search(
        self, pattern: str, *, regex: bool = False, ignore_case: bool = True, limit: int = 10_000
    ) -> list[Range]:
        """All places of `pattern` in what the trace wrote, hidden ones included; kept in `hits`."""
        if regex:
            compiled(pattern, regex=True, ignore_case=ignore_case)  # also when there is nothing to search
        for number in [n for n in self._searched() if self.parts[n].raw]:
            if next(occurrences(Haystack(self.parts[number].raw), pattern, regex=regex), None) and not next(
                occurrences(self._hay(number), pattern, regex=regex), None
            ):
                self.turn(number)
        every = (
            Range(number, start, end)
            for number in self._searched()
            for start, end in occurrences(self._hay(number), pattern, regex=regex, ignore_case=ignore_case)
        )
        self.hits = list(islice(every, limit))
        self.more_hits = next(every, None) is not None
        return self.hits

    def locate(self, quote: str) -> Range | None:
        """Where a quote stands, white space aside, and the signs of JSON that is laid out for reading."""
        numbers = self._searched()
        tries = ((find, number) for find in (quote_in, laid_out) for number in numbers)
        found = next((Range(n, *at) for find, n in tries if (at := find(self._hay(n), quote))), None)
        if found is None:  # as it stands in the source only: with escapes, say
            of_raw = (n for n in numbers if (raw := self.parts[n].raw) and quote_in(Haystack(raw), quote))
            if (n := next(of_raw, None)) is not None:
                self.turn(n)
                return self.locate(quote)
        return found

    def turn(self, number: int) -> None:
        """Show a part that was indented for reading as it stands, or the other way round."""
        part = verbatim(self.parts[number])
        self.parts = (*self.parts[:number], part, *self.parts[number + 1 :])
        self._gaps[number] = folds_of(part)
        self._hays.pop(number, None)
        self._build()

    def _searched(self) -> list[int]:
        """The parts that the trace wrote; titles that are our own words are not searched."""
        named = ("call", "key")
        return [n for n, part in enumerate(self.parts) if part.foldable or part.style in named]

    def _hay(self, number: int) -> Haystack:
        if number not in self._hays:
            self._hays[number] = Haystack(self.parts[number].text)
        return self._hays[number]

    def mark(self, ranges: Iterable[tuple[Range, MarkName]]) -> None:
        """Draw these ranges, and no others, with a mark; where two overlap, the one that begins first."""
        marks: dict[int, list[Mark]] = {}
        for found, name in ranges:
            marks.setdefault(found.part, []).append((found.start, found.end, name))
        self._marks = {part: apart(found) for part, found in marks.items()}
