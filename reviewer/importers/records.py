"""The records of a file in which each record is a trace of its own: one object, a list, or JSON Lines.

Each record comes with its verbatim text. Rows that cannot be a record are named and passed over. Knows
no format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.decode import elements
from reviewer.importers.values import kind_of


@dataclass(frozen=True, slots=True)
class Record:
    """One object of the file: its place (from 0), its line (0: no JSON Lines), its verbatim text."""

    index: int
    line: int
    value: dict[str, Any]
    raw: str


def records(source: Source) -> Iterator[Record]:
    """All objects of the file in order."""
    if source.is_json and isinstance(source.value, dict):
        yield Record(0, 0, source.value, source.text.strip(" \t\r\n"))
        return
    if source.is_json:
        texts = elements(source)
        rows = [(0, value, text) for value, text in zip(source.value, texts, strict=True)]
    else:
        rows = [(line.number, line.value, line.text) for line in source.lines if not line.bad]
    for index, (line, value, raw) in enumerate(rows):
        if isinstance(value, dict):
            yield Record(index, line, value, raw)
        else:
            source.warn(f"a row that is {kind_of(value)}, not an object, is skipped", line)


def sample(source: Source, most: int = 40) -> list[dict[str, Any]]:
    """The first objects of the file, for sniffing."""
    if source.is_json:
        rows = [source.value] if isinstance(source.value, dict) else source.value[: 4 * most]
    else:
        rows = [line.value for line in source.lines[: 4 * most] if not line.bad]
    return [row for row in rows if isinstance(row, dict)][:most]
