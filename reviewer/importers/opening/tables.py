"""CSV files with JSON in their cells, as tracing services export them: each row is a record, as it would
stand in JSON Lines.

An empty cell is null; a cell that holds an object, a list or a quoted text is that value, any other is text.
Rows are cut out anew whenever somebody goes through them. Knows no trace format.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from itertools import islice

from reviewer.importers.base import Line, Source, Warn
from reviewer.importers.opening.loading import MAX_DEPTH, too_deep
from reviewer.importers.opening.values import parsed
from reviewer.trace import Json

_NAME = re.compile(r"[A-Za-z_][\w .\-/]{0,79}")
_LONGEST = 2**31 - 1  # of a cell; the module's own limit is that of a spreadsheet
_LOOKED_AT = 20  # rows, of which one has to hold JSON
LARGE = 16_000_000  # characters, from which the rows are not held


def table(source: Source) -> Source | None:
    """The rows of a text as lines; None for a text that is no such table."""
    head = source.text[: source.text.find("\n") + 1][:20_000]
    delimiter = max(",;\t", key=head.count)
    warnings = list(source.warnings)
    rows = Rows(source.text, delimiter, warnings)
    if len(rows.names) < 2 or not any(
        isinstance(cell, dict | list) for line in islice(rows, _LOOKED_AT) for cell in _cells(line)
    ):
        return None
    lines = rows if len(source.text) > LARGE else tuple(rows)
    return Source(source.path, "", False, lines=lines, warnings=warnings)


def _cells(line: Line) -> list[Json]:
    return list(line.value.values()) if isinstance(line.value, dict) else []


class Rows:
    """The rows of one table after its head; `names` is empty where it has none."""

    def __init__(self, text: str, delimiter: str, warnings: list[Warn]) -> None:
        self._text = text
        self._delimiter = delimiter
        self._warnings = warnings
        self._told = 1  # the line up to which everything was said
        self.names: list[str] = []
        _, names = next(self._rows(), (0, None))
        if names and len(set(names)) == len(names) and all(map(_NAME.fullmatch, names)):
            self.names = names

    def __iter__(self) -> Iterator[Line]:
        for number, cells in islice(self._rows(), 1, None):
            if cells == []:
                continue
            line = self._line(number, cells)
            if line.bad and number > self._told:
                self._told = number
                self._warnings.append(Warn(number, f"line {number} is skipped: {line.bad}"))
            yield line

    def _rows(self) -> Iterator[tuple[int, list[str] | None]]:
        """Each row with the line it begins on; None where the text is no table any more, and then no more."""
        reader = csv.reader(io.StringIO(self._text, newline=""), delimiter=self._delimiter)
        while True:
            number = reader.line_num + 1
            limit = csv.field_size_limit(_LONGEST)
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield number, None
                return
            finally:
                csv.field_size_limit(limit)
            yield number, cells

    def _line(self, number: int, cells: list[str] | None) -> Line:
        if cells is None:
            return Line(number, "", bad="it is no row of the table, and what comes after it is lost")
        if len(cells) != len(self.names):
            return Line(number, "", bad=f"it has {len(cells)} cells, the head of the table {len(self.names)}")
        value = {name: _value(cell) for name, cell in zip(self.names, cells, strict=True)}
        if too_deep(value):
            return Line(number, "", bad=f"it is nested more than {MAX_DEPTH} levels deep")
        return Line(number, json.dumps(value, ensure_ascii=False), value)


def _value(cell: str) -> Json:
    if not cell:
        return None
    if cell[0] not in '{["':
        return cell
    value = parsed(cell)
    return value if isinstance(value, dict | list | str) else cell
