"""Rows put aside under a key and taken back key by key: in memory, or in a file for what is too large.

For formats whose rows belong to traces that stand in each other. Knows no trace format.
"""

from __future__ import annotations

import json
import tempfile
import weakref
from array import array
from collections.abc import Iterator
from typing import BinaryIO, TypeAlias, cast

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.opening.values import as_int
from reviewer.trace import Json

Row: TypeAlias = tuple[int, Json, str]  # line, value, text (empty where only the value is known)


class Shelf:
    """Rows by their keys, the keys in the order in which they came; `large`: the rows go into a file."""

    def __init__(self, source: Source) -> None:
        self._path = source.path
        self._held: dict[str, list[Row]] = {}
        self._places: dict[str, array[int]] = {}
        self._file: BinaryIO | None = None
        if large(source):
            try:
                self._file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 (goes with the shelf)
                weakref.finalize(self, self._file.close)
            except OSError as error:
                raise self._full(error) from None

    def put(self, key: str, line: int, value: Json, text: str = "") -> None:
        if self._file is None:
            self._held.setdefault(key, []).append((line, value, text))
            return
        data = json.dumps([line, None if text else value, text]).encode()
        try:
            self._places.setdefault(key, array("q")).append(self._file.tell())
            self._file.write(data + b"\n")
        except OSError as error:
            raise self._full(error) from None

    def names(self) -> list[str]:
        return list(self._held) or list(self._places)

    def take(self, key: str) -> Iterator[Row]:
        """The rows of a key, in the order in which they came; each may be asked for once all are there."""
        if self._file is None:
            yield from self._held.get(key, ())
            return
        for place in self._places.get(key, ()):
            try:
                self._file.seek(place)
                data = self._file.readline()
            except OSError as error:
                raise self._full(error) from None
            line, value, text = json.loads(data)
            yield as_int(line) or 0, json.loads(text) if text else value, text

    def _full(self, error: OSError) -> InputError:
        return InputError(f"{self._path}: {temporary(error)}")


def large(source: Source) -> bool:
    """Whether a file is too large to be held: its rows are read from the disk."""
    return bool(source.parts) or not (source.is_json or isinstance(source.lines, tuple))


def temporary(error: OSError) -> str:
    """Why a file of our own cannot be written, and what helps."""
    why = error.strerror or error
    return (
        f"it cannot be written to the folder for temporary files ({why}): make room, or set TMPDIR to another"
    )
