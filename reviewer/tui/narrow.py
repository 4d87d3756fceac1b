"""The rows of the step list while it is narrowed to some of the steps.

The summary page and the step that is open have a row as well, so that the list always says where one is.
Rows are read when they are drawn: of a hundred thousand steps only those in sight. Knows no store.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from reviewer.trace import OutlineRow
from reviewer.tui.outline import row_of
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.step_list import Row


class NarrowRows:
    """Implements `Rows` for the steps `kept`."""

    def __init__(self, sheet: Sheet, kept: Iterable[int], fetch: Callable[[list[int]], None]) -> None:
        self._sheet = sheet
        self._kept = sorted({0, *kept})
        self._fetch = fetch
        self._known: dict[int, OutlineRow] = {}
        self._asked: set[int] = set()
        self.numbers: Sequence[int] = self._kept
        self.follow(sheet.n)

    def of(self, sheet: Sheet) -> NarrowRows:
        """The same rows for the same trace in a new state."""
        rows = NarrowRows(sheet, self._kept, self._fetch)
        rows.add(self._known.values())
        return rows

    @property
    def total(self) -> int:
        return len(self.numbers)

    def follow(self, n: int) -> bool:
        """Have a row for the open step; whether other rows are there now."""
        place = bisect_left(self._kept, n)
        numbers = self._kept if self.keeps(n) else [*self._kept[:place], n, *self._kept[place:]]
        changed = numbers is not self.numbers and numbers != self.numbers
        self.numbers = numbers
        return changed

    def keeps(self, n: int) -> bool:
        """Whether step `n` is one of the steps kept, and not only open."""
        place = bisect_left(self._kept, n)
        return place < len(self._kept) and self._kept[place] == n

    def place(self, n: int) -> int:
        """The row of step `n`, which is kept or open."""
        return bisect_left(self.numbers, n)

    def beside(self, n: int, direction: int) -> int | None:
        """The kept step after (1) or before (-1) step `n`."""
        place = bisect_left(self._kept, n)
        if direction > 0:
            place += self.keeps(n)
            return self._kept[place] if place < len(self._kept) else None
        return self._kept[place - 1] if place else None

    def add(self, rows: Iterable[OutlineRow]) -> None:
        """Take in rows that were asked for."""
        self._known.update((row.n, row) for row in rows)

    def rows(self, first: int, count: int) -> list[Row]:
        wanted = self.numbers[first : first + count]
        missing = [n for n in wanted if n and n not in self._known and n not in self._asked]
        if missing:
            self._asked.update(missing)
            self._fetch(missing)
        found: list[Row] = []
        for n in wanted:
            if n and n not in self._known:
                break
            found.append(row_of(self._sheet, n, self._known.get(n)))
        return found
