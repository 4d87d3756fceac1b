"""One JSON list of many records that is too large to be held: its elements are read one at a time.

A file is taken so only where its first elements are whole records (they hold messages or steps of their
own); a list that is one trace is read whole. A damaged element costs itself; where its end is not
known, what comes after it is lost, and said so. Knows no trace format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from reviewer.errors import InputError
from reviewer.importers.base import Line, Source, Warn
from reviewer.importers.opening import line_files
from reviewer.importers.opening.line_files import HEAD_BYTES, HEAD_LINES
from reviewer.importers.opening.loading import Loader
from reviewer.importers.opening.sliding import Damaged, Text
from reviewer.trace import Json

# What a record calls the list of what was said and done; with one of the other keys it is a part of a trace.
TALK = {"messages", "traj", "trajectory", "history", "steps", "conversations", "intermediate_steps"}
PART = {"mode", "stream", "request", "attributes"}


def array_file(path: Path, held: Path | None = None) -> Source | None:
    """The list with elements that are read when asked for; None for a file that has to be read whole.

    `held` is where the list lies, when that is not the file it is told of by.
    """
    place = held or path
    try:
        if place.stat().st_size < line_files.LARGE or not place.is_file():
            return None
        return records_in(path, lambda: place.open("rb"))
    except (OSError, ValueError, InputError):  # is told of by whoever reads it whole
        return None


def records_in(path: Path, opens: Callable[[], BinaryIO]) -> Source | None:
    """The same of a list that lies anywhere; InputError: it is no list."""
    warnings: list[Warn] = []
    elements = ArrayFile(path, opens, warnings)
    first = [line.value for line in islice(elements, 3)]
    if not first or not all(isinstance(value, dict) and _whole(value) for value in first):
        return None
    return Source(path, "", False, lines=elements, warnings=warnings)


def _whole(value: dict[str, Json]) -> bool:
    return bool(TALK & value.keys()) and not PART & value.keys()


class ArrayFile:
    """The elements of one list, as lines without a number; the first ones are kept, sniffers ask for them."""

    def __init__(self, path: Path, opens: Callable[[], BinaryIO], warnings: list[Warn]) -> None:
        self._path = path
        self._opens = opens
        self._loader = Loader(path, warnings)
        self._warnings = warnings
        self._told = self._odd_told = False
        self._named = 0  # elements up to which everything was said
        self._head: list[Line] = []
        self.position = 0  # bytes that the last walk through the file has read
        size = 0
        for line in self._read():
            self._head.append(line)
            size += len(line.text)
            if len(self._head) >= HEAD_LINES or size >= HEAD_BYTES:
                break

    def __iter__(self) -> Iterator[Line]:
        yield from self._head
        yield from islice(self._read(), len(self._head), None)

    def _read(self) -> Iterator[Line]:
        try:
            with self._opens() as file:
                yield from self._elements(Text(file.read, self._at))
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read: {error.strerror or error}") from None

    def _at(self, position: int) -> None:
        self.position = position

    def _elements(self, text: Text) -> Iterator[Line]:
        if text.next() != "[":
            raise InputError(f"{self._path}: no list")
        number = 0
        try:
            for _ in text.inside():
                line = text.take(self._loader)
                number += 1
                self._name(line, number)
                yield line
        except Damaged as damage:
            self._lost(number, str(damage))
            yield Line(0, "", bad=str(damage))
            return
        if not text.ends(self._loader):
            self._lost(number, "the list ends before the file does")
            yield Line(0, "", bad="it stands after the end of the list")
        if (text.odd or text.stray) and not self._odd_told:
            self._odd_told = True
            self._warnings += text.odd_bytes()

    def _name(self, line: Line, number: int) -> None:
        """Say once of an element that it cannot be read."""
        if number > self._named:
            self._named = number
            if line.bad:
                self._warnings.append(Warn(0, f"element {number} of the list is skipped: {line.bad}"))

    def _lost(self, number: int, why: str) -> None:
        if not self._told:
            self._told = True
            self._warnings.append(Warn(0, f"what comes after element {number} of the list is lost: {why}"))
