"""The records of a file in which each record is a trace of its own: one object, a list, or JSON Lines.

Each record comes with its verbatim text. Rows that cannot be a record are named and passed over. Knows
no format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

from reviewer.importers.base import Source
from reviewer.importers.opening.decode import elements
from reviewer.importers.opening.values import kind_of
from reviewer.trace import Json

T = TypeVar("T")


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
    for index, (line, value, raw) in enumerate(rows(source)):
        if isinstance(value, dict):
            yield Record(index, line, value, raw)
        else:
            source.warn(f"a row that is {kind_of(value)}, not an object, is skipped", line)


def rows(source: Source) -> Iterator[tuple[int, Json, str]]:
    """Line, value and text of the elements of a list or of the good lines; a bad line is a trace lost."""
    if source.is_json:
        for value, text in zip(source.value, elements(source), strict=True):
            yield 0, value, text
        return
    for line in source.lines:
        if line.bad:
            source.lost += 1  # and was named when it was read
        else:
            yield line.number, line.value, line.text


def peeked(items: Iterator[T]) -> tuple[bool, Iterable[T]]:
    """Whether there is one item at most, and the items."""
    first = list(islice(items, 2))
    return len(first) < 2, chain(first, items)


def mostly(test: Callable[[T], bool], items: Iterable[T]) -> bool:
    """Whether more than half of the items, and one at least, pass the test; holds none of them."""
    return sum(1 if test(item) else -1 for item in items) > 0


def sample(source: Source, most: int = 40) -> list[dict[str, Any]]:
    """The first objects of the file, for sniffing."""
    return list(objects(source, most))


def objects(source: Source, most: int) -> Iterator[dict[str, Any]]:
    """The first objects of the file, one at a time; what is no object costs none of them, up to a limit."""
    return islice((row for row in values(source, 4 * most) if isinstance(row, dict)), most)


def values(source: Source, most: int) -> Iterator[Json]:
    """The value of a file of one object, else the first elements of a list or values of the first lines."""
    if source.is_json:
        yield from islice(source.value, most) if isinstance(source.value, list) else [source.value]
        return
    for line in islice(source.lines, most):
        if not line.bad:
            yield line.value
