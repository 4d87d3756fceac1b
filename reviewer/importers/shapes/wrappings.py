"""The same records as another file may hold them: one object as one line, a list as lines, lines as a list,
the data of server-sent events as lines, the rows of a table as lines.

What no importer knows as it stands is shown to them again in another wrapping, and at last record by record:
files of one trace each that somebody put together. Knows no trace format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Importer, Line, Source
from reviewer.importers.opening.decode import elements
from reviewer.importers.opening.tables import table
from reviewer.importers.opening.values import kind_of, parsed
from reviewer.importers.shapes.records import peeked, rows
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.task_ids import FILE, MARK, ROW
from reviewer.trace import Json

LOOKED_AT = 5  # records, of which one has to be known


def wrappings(source: Source) -> Iterator[Source]:
    """The file in other wrappings; lines that are not held (a large file) stay as they are."""
    if source.is_json and isinstance(source.value, list):
        texts = elements(source)
        lines = tuple(Line(0, text, value) for text, value in zip(texts, source.value, strict=True))
        yield replace(source, is_json=False, value=None, lines=lines)
    elif source.is_json:
        line = Line(1, source.text.strip(" \t\r\n"), source.value)
        yield replace(source, is_json=False, value=None, lines=(line,))
    elif isinstance(source.lines, tuple) and source.lines:
        good = [line for line in source.lines if not line.bad]
        text = "[" + ",\n".join(line.text for line in good) + "]"
        yield replace(source, is_json=True, value=[line.value for line in good], lines=(), text=text)
    elif source.is_text and (lines := _sent(source.text)):
        yield replace(source, is_text=False, no_json="", lines=lines)
    elif source.is_text and (rows_of_it := table(source)):
        yield rows_of_it


def _sent(text: str) -> tuple[Line, ...]:
    """The data of server-sent events, those that are objects; none where the text is something else."""
    found = enumerate(text.split("\n"), 1)
    data = [(number, line[5:].strip()) for number, line in found if line.startswith("data:")]
    lines = (Line(number, part, parsed(part)) for number, part in data if part.startswith("{"))
    return tuple(line for line in lines if isinstance(line.value, dict))


def together(source: Source, known: Callable[[Source], Importer | None]) -> Importer | None:
    """An importer for a file of many records that are a file of their own each, if they are `known`."""
    if not (source.lines or (source.is_json and isinstance(source.value, list))):
        return None
    for _, value, text in islice(rows(replace(source)), LOOKED_AT):
        if isinstance(value, dict) and (importer := known(as_file(source, value, text))):
            return Together(importer, known)
    return None


def as_file(source: Source, value: Json, text: str) -> Source:
    """A record as the file of its own that it may have been."""
    return Source(source.path, text, True, value=value)


class Together:
    """Reads each record of a file as a file of its own; `known` finds who reads those of another format."""

    def __init__(self, importer: Importer, known: Callable[[Source], Importer | None]) -> None:
        self.importer = importer
        self.known = known
        self.FORMAT = importer.FORMAT
        self.ABOUT = importer.ABOUT
        self.VERSION = importer.VERSION

    def sniff(self, source: Source) -> bool:
        """Several of its files in one, a record each."""
        first = islice(rows(source), LOOKED_AT)
        return any(self.importer.sniff(as_file(source, value, text)) for _, value, text in first)

    def read(self, source: Source) -> Iterator[Imported]:
        """The traces of all records; a record that cannot be read is named and costs itself."""
        alone, found = peeked(rows(source))
        repeats = Repeats(source)
        index = 0
        for number, (line, value, text) in enumerate(found):
            if not isinstance(value, dict):
                source.warn(f"a row that is {kind_of(value)}, not an object, is skipped", line)
                continue
            single = as_file(source, value, text)
            importer = self.importer
            if not importer.sniff(single):
                importer = self.known(single) or importer
            for imported in record_of(source, importer, single, number, line):
                yield from repeats.once(_placed(imported, index, "" if alone else str(number)), line)
                index += 1


def record_of(
    source: Source, importer: Importer, single: Source, number: int, line: int
) -> Iterator[Imported]:
    """The traces of one record of a file, read as a file of its own; what it says goes to the file."""
    try:
        yield from importer.read(single)
    except InputError as error:
        source.lose(f"record {number}: {str(error).removeprefix(f'{source.path}: ')}", line)
    for note in single.notes():
        source.warn(note.reason, line or note.line)
    source.lost += single.lost


def stranger(
    source: Source, importer: Importer, row: tuple[int, Json, str], index: int, alone: bool
) -> Iterator[Imported]:
    """The traces of a row of another format than its file's, at the place it has among the others."""
    line, value, text = row
    for imported in record_of(source, importer, as_file(source, value, text), index, line):
        yield _placed(imported, index, "" if alone else str(index))


def _placed(imported: Imported, index: int, row: str) -> Imported:
    """The trace at its place; where the file's name was its task, the number of the record is."""
    info = imported.trace.info
    if row and info.meta.get(MARK) == FILE:
        info = replace(info, task_id=row, meta={**info.meta, MARK: ROW})
    return replace(imported, trace=replace(imported.trace, info=replace(info, source_index=index)))
