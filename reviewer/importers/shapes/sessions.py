"""Files in which one trace is the whole file and which grow at their end: their rows, their raw record.

A row keeps its place, which is its stable id where the format gives none. Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Source
from reviewer.importers.opening.values import dumped, kind_of
from reviewer.importers.shapes.records import Record
from reviewer.trace import Json


def session_rows(source: Source) -> list[Record]:
    """The objects of the file in order; what is no object is named and passed over."""
    kept: list[Record] = []
    for index, (line, text, value) in enumerate(_values(source)):
        if isinstance(value, dict):
            kept.append(Record(index, line, value, text))
        else:
            source.warn(f"a row that is {kind_of(value)}, not an object, is skipped", line)
    return kept


def _values(source: Source) -> Iterator[tuple[int, str, Json]]:
    if source.is_json:
        value = source.value
        yield from ((0, "", row) for row in (value if isinstance(value, list) else [value]))
        return
    yield from ((line.number, line.text, line.value) for line in source.lines if not line.bad)


def session_content(source: Source) -> list[Json]:
    """The whole record: all rows, also doubles and lines that are no JSON (as text)."""
    if source.is_json:
        return [source.value]
    return [line.text if line.bad else line.value for line in source.lines]


def session_raw(source: Source) -> str:
    """The rows as they stand in the file; a line that is no JSON as a JSON text."""
    if source.is_json:
        return source.text.strip(" \t\r\n")
    return "[" + ",\n".join(dumped(line.text) if line.bad else line.text for line in source.lines) + "]"
