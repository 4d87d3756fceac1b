"""Recognises a label file (`reviewer export labels`) among the files to import, and reads it line by line.

It holds no trace, so it is no trace format: `read` yields nothing, `items` yields what stands in it. A
line that is damaged, cut short or edited into something else costs that line, named by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from reviewer import label_file
from reviewer.errors import InputError
from reviewer.importers.base import Imported, Line, Source
from reviewer.label_file import Item

FORMAT = "labels"
ABOUT = "label files of `reviewer export labels`"
VERSION = label_file.VERSION
_MARKER = re.compile(r"(<{7}|={7}|>{7}|\|{7})( |$)")  # where git could not merge two branches


def sniff(source: Source) -> bool:
    return any(label_file.is_line(line.value) for line in islice(_lines(source), 200))


def read(source: Source) -> Iterator[Imported]:
    """No traces: labels may come before their traces do."""
    return iter(())


def items(source: Source) -> Iterator[tuple[int, Item | str]]:
    """(line number, what it says, or why it cannot be used); InputError: the whole file is too new."""
    lines = _lines(source)
    headers = [line.value for line in lines if label_file.is_header(line.value)]
    for header in headers:
        try:
            label_file.check_header(header)
        except InputError as error:
            raise InputError(f"{source.path}: {error}") from None
    if not headers:
        source.warn(f"the first line is missing; taken as version {VERSION}")
    markers = set[int]()
    for line in lines:
        if line.bad and _MARKER.match(line.text):
            markers.add(line.number)
        elif not label_file.is_header(line.value):
            yield line.number, _item(line)
    if markers:  # a history only grows: what two branches added is what both say
        source.warnings[:] = [warning for warning in source.warnings if warning.line not in markers]
        source.warn("git's conflict markers are passed over; what both sides say was read", min(markers))


def _item(line: Line) -> Item | str:
    if line.bad:
        return line.bad
    if "\ufffd" in line.text:  # an export is ASCII: these were bytes that somebody's editor broke
        return "bytes in it are not UTF-8"
    try:
        return label_file.read(line.value)
    except InputError as error:
        return str(error)


def _lines(source: Source) -> Iterable[Line]:
    """The lines; a file of a single one is a JSON value of its own."""
    return (Line(1, source.text, source.value),) if source.is_json else source.lines
