"""What every importer gives and gets: the source it reads, the traces it yields, the notes it leaves.

An importer is a module with `FORMAT` (its name), `ABOUT` (one line: what it is, where such files lie),
`VERSION` (raised when its output changes), `sniff(source) -> bool` (by content, never by extension) and
`read(source) -> Iterator[Imported]`.
It never touches the store, and raises nothing but `InputError`.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from reviewer.errors import InputError
from reviewer.label_file import Item
from reviewer.trace import Json, Outcome, Trace


class NotATrace(InputError):
    """A file that is known to lie beside traces and to hold none (reports, patches, indexes).

    Met in a folder it is passed over; named by somebody it is an error like any other.
    """


@dataclass(frozen=True, slots=True)
class Warn:
    """Something in a file that was worth a word; `line` 0 means the whole file."""

    line: int
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a JSON Lines file: its number (from 1), its text, its value; `bad` says why it has none.

    An element of a list or an object is a line without a number (0); `name` is its key in the object.
    """

    number: int
    text: str
    value: Json = None
    bad: str = ""
    name: str = ""


@dataclass(slots=True)
class Source:
    """One input file, decoded once.

    Exactly one of `value` (the whole file is one JSON value, `is_json`) or `lines` (JSON Lines) is
    filled, and neither for a text that is no JSON (`is_text`), an SQLite database
    (`is_database`) or a zip archive (`is_zip`). `no_json` says why a text is no JSON, or what is damaged
    in it. An archive is read piece by piece, through `open`, and only what came through a pipe stands in
    `data`. The lines of a large file are read anew each time they
    are gone through, and its `text` is empty; `hold` keeps them. Of one large object `value` holds only the
    first elements of what stands in `parts`; `each` gives all of them. `path` is for names and siblings, not
    for deciding what the file is. Importers leave what they have to say in `warnings` through `warn`, where
    equal reasons are counted; `lost` counts the traces of the file that could not be read.
    """

    path: Path
    text: str
    is_json: bool
    value: Json = None
    lines: Iterable[Line] = ()
    is_zip: bool = False
    is_text: bool = False
    is_database: bool = False
    no_json: str = ""
    data: bytes = b""
    parts: Mapping[str, Iterable[Line]] = field(default_factory=dict)  # large members, by their keys
    pieces: object = None  # where they come from
    reread: Callable[[], Source] | None = None  # gives the same object whole
    kept: object = None  # what the lines are read from, where it has to go away with them
    warnings: list[Warn] = field(default_factory=list)
    lost: int = 0
    _counted: Counter[str] = field(default_factory=Counter)
    _first: dict[str, int] = field(default_factory=dict)

    def hold(self) -> None:
        """Keep all of the file in memory, for a format that needs all of it at once."""
        if self.reread:
            whole = self.reread()
            self.value, self.text, self.parts, self.reread = whole.value, whole.text, {}, None
        self.lines = tuple(self.lines)

    def each(self, key: str) -> Iterator[Json]:
        """The elements of a list in the one object of the file; of a large one each as it is read."""
        if key not in self.parts:
            listed = self.value.get(key) if isinstance(self.value, dict) else None
            yield from listed if isinstance(listed, list) else ()
            return
        for line in self.parts[key]:
            if line.bad:
                self.lost += 1  # and was named when the file was first gone through
            else:
                yield line.value

    def warn(self, reason: str, line: int = 0) -> None:
        """Say `reason` once for the file, with the first line it was seen on and how often."""
        self._counted[reason] += 1
        self._first.setdefault(reason, line)

    def lose(self, reason: str, line: int = 0) -> None:
        """Say `reason` and count a trace that is lost by it (a line or row that was one)."""
        self.lost += 1
        self.warn(reason, line)

    @property
    def position(self) -> int:
        """How many bytes of a file that is read line by line are gone through; 0 for any other."""
        return max(getattr(part, "position", 0) for part in (self.lines, *self.parts.values()))

    def open(self) -> BinaryIO:
        """The bytes of an archive, from its beginning; whoever opens it closes it."""
        if self.data:
            return io.BytesIO(self.data)
        try:
            return self.path.open("rb")
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror or error}") from None

    def notes(self) -> tuple[Warn, ...]:
        """Everything that was warned of, counted."""
        return (
            *self.warnings,
            *(Warn(self._first[reason], reason, n) for reason, n in self._counted.items()),
        )


@dataclass(frozen=True, slots=True)
class Imported:
    """One trace with what came along: labels, outcomes, what was not understood.

    `labels` are the people's labels of a labelled set as they go into a label file: the taxonomy, the
    annotators, the events. Their ids are the same at every import. `ignored` maps a path in the source
    (`messages[].extra.response`) to the reason it is not read.
    """

    trace: Trace
    labels: tuple[Item, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    ignored: Mapping[str, str] = field(default_factory=dict)


class Importer(Protocol):
    """The shape of an importer module."""

    FORMAT: str
    ABOUT: str
    VERSION: int

    def sniff(self, source: Source) -> bool: ...

    def read(self, source: Source) -> Iterator[Imported]: ...


class Changing:
    """An importer that reads as another does, and changes each trace."""

    def __init__(self, importer: Importer, change: Callable[[Imported], Imported]) -> None:
        self.FORMAT, self.ABOUT, self.VERSION = importer.FORMAT, importer.ABOUT, importer.VERSION
        self.sniff: Callable[[Source], bool] = importer.sniff
        self._read, self._change = importer.read, change

    def read(self, source: Source) -> Iterator[Imported]:
        """The traces of the file, changed."""
        return map(self._change, self._read(source))
