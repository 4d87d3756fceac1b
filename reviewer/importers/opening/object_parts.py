"""The elements of one member of a large object, read anew whenever somebody goes through them.

What is said of an element is said once. Knows the place of the member in the object, and no trace format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from reviewer.errors import InputError
from reviewer.importers.base import Line, Warn
from reviewer.importers.opening.loading import Loader
from reviewer.importers.opening.sliding import Damaged, Text

if TYPE_CHECKING:
    from reviewer.importers.opening.object_files import Member, ObjectFile


class Part:
    """The elements of one member, or the members of the object, as lines that are read when asked for."""

    def __init__(self, whole: ObjectFile, member: Member) -> None:
        self._whole = whole
        self._member = member
        self.again: Collection[str] = member.again  # keys that stand in it more than once
        self._head: list[Line] | None = None
        self._named = 0  # elements up to which everything was said
        self.position = 0  # bytes that the last walk through the file has read

    def __iter__(self) -> Iterator[Line]:
        if self._head is None:
            self._head = self._member.kept or list(self._first())
        return chain(self._head, islice(self._read(), len(self._head), None))

    def _first(self) -> Iterator[Line]:
        size = 0
        for line in self._read():
            yield line
            size += len(line.text)
            if size > self._whole.most:
                return

    def _read(self) -> Iterator[Line]:
        whole, member = self._whole, self._member
        try:
            with whole.opens() as file:
                text = Text(file.read, self._at)
                for number, line in enumerate(elements(text, member.place, whole.large, whole.loader), 1):
                    if line.bad and number > self._named:
                        what = f"element {number} of {member.name!r}" if member.name else line.name
                        whole.warnings.append(Warn(0, f"{what} is skipped: {line.bad}"))
                    self._named = max(self._named, number)
                    yield line
        except OSError as error:
            raise InputError(f"{whole.path}: cannot be read: {error.strerror or error}") from None
        except Damaged as damage:
            if whole.damage is None:
                raise InputError(f"{whole.path}: has changed while it was read") from None
            yield Line(0, "", bad=str(damage))

    def _at(self, position: int) -> None:
        self.position = position


def elements(text: Text, wanted: int, large: Collection[int], loader: Loader) -> Iterator[Line]:
    """The elements of the member of an object at this place; at -1 the members themselves."""
    if text.next() != "{":
        raise Damaged("no object")
    for place, name in enumerate(text.inside()):
        if wanted < 0:
            yield text.take(loader, name)
        elif place == wanted:
            yield from (text.take(loader, inner) for inner in text.inside())
            return
        elif place in large:
            for _ in text.inside():
                text.leave()
        else:
            text.leave()
