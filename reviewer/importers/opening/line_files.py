"""JSON Lines that are too large to be held: lines are read from the disk whenever somebody goes through them.

A file is taken so only where its first line tells that it cannot be anything else; all others are read
whole. What is said of a line is said once, however often it is read. Knows no trace format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from reviewer.errors import InputError
from reviewer.importers.base import Line, Source, Warn
from reviewer.importers.opening.decode import MAGIC, MARKS, ZIP, no_text
from reviewer.importers.opening.json_lines import BLANK, PADDING, bare, lines_of
from reviewer.importers.opening.loading import Loader

# From this size a file is not held: Python's values take about five times the room of their text.
LARGE = 16_000_000
# A longer first line is no reason to look at it twice.
FIRST = 8_000_000
# What sniffers look at is kept: they all begin at the beginning.
HEAD_LINES, HEAD_BYTES = 200, 2_000_000
_MISSING = "\ufffd"


def line_file(path: Path, held: Path | None = None) -> Source | None:
    """The file with lines that are read when asked for; None for a file that has to be read whole.

    `held` is where the lines lie, when that is not the file they are told of by.
    """
    place = held or path
    try:
        size = place.stat().st_size
        if size < LARGE or not place.is_file():
            return None
        with place.open("rb") as file:
            script = _script(file)
            if script is None or not _begins(file, path, script, size):
                return None
    except (OSError, ValueError):  # is told of by whoever reads it whole
        return None
    warnings: list[Warn] = []
    return Source(path, "", False, lines=LineFile(path, place, script, size, warnings), warnings=warnings)


@dataclass(frozen=True, slots=True)
class Script:
    """How the text of a file is written: its encoding, and where it begins, after the mark of it."""

    encoding: str = "utf-8"
    start: int = 0

    def line(self, file: BinaryIO, most: int) -> bytes:
        """The next line with its end, of at most `most` bytes, give or take a character."""
        end = "\n".encode(self.encoding)
        raw = file.readline(most)
        if len(end) == 1:
            return raw
        found = bytearray(raw)
        while raw and len(found) < most:  # the byte of a line feed may be a part of another character
            found += file.read(-len(found) % len(end))
            if found.endswith(end):
                break
            found += (raw := file.readline(most - len(found)))
        return bytes(found)

    def ended(self, raw: bytes) -> bool:
        """Whether a line has an end."""
        return raw.endswith("\n".encode(self.encoding))

    def text(self, raw: bytes) -> tuple[str, int]:
        """The text of a line, without its end, and how many of its bytes are none."""
        try:
            return raw.decode(self.encoding).removesuffix("\n"), 0
        except UnicodeDecodeError:
            text = raw.decode(self.encoding, errors="replace").removesuffix("\n")
            return text, max(1, text.count(_MISSING) - raw.count(_MISSING.encode(self.encoding)))


def _script(file: BinaryIO) -> Script | None:
    """How the text is written, the file standing at its beginning; None where it is none."""
    head = file.read(16)
    if head.startswith((ZIP, *(magic for magic, _ in MAGIC))):
        return None
    mark, name = next((one for one in MARKS if head.startswith(one[0])), (b"", "utf-8"))
    file.seek(len(mark))
    return Script(name, len(mark))


def _begins(file: BinaryIO, path: Path, script: Script, size: int) -> bool:
    """Whether the first line is a value of its own and more follows it, which no single JSON value has."""
    part = ""
    while not part:
        raw = script.line(file, FIRST)
        if not script.ended(raw) or file.tell() >= size:
            return False
        part = script.text(raw)[0].strip(BLANK)
    loader = Loader(path, [])
    first = lines_of(loader, 0, bare(loader, 0, part) or part)[0]
    return not first.bad and isinstance(first.value, dict | list) and _more(file, script)


def _more(file: BinaryIO, script: Script) -> bool:
    blank = f"{BLANK}\n{PADDING}"  # NUL bytes at the end are no further line
    return any(script.text(raw)[0].strip(blank) for raw in iter(lambda: script.line(file, FIRST), b""))


class LineFile:
    """The lines of one file, as long as it was when it was first met: what is added later is not read."""

    def __init__(self, path: Path, place: Path, script: Script, size: int, warnings: list[Warn]) -> None:
        self._path = path
        self._place = place
        self._script = script
        self._size = size
        self._warnings = warnings
        self._loader = Loader(path, warnings)
        self._told = 0  # the line up to which all was said
        self._odd = 0  # bytes that are no text, up to that line
        self.position = 0  # how far the last walk through the file is
        self._head: list[Line] = []
        self._at, self._number = script.start, 0  # where the lines after the head begin
        for lines, number, at in self._read():
            self._head += lines
            self._at, self._number = at, number
            if len(self._head) >= HEAD_LINES or at - script.start >= HEAD_BYTES:
                break

    def __iter__(self) -> Iterator[Line]:
        yield from self._head
        for lines, _, _ in self._read():
            yield from lines

    def _read(self) -> Iterator[tuple[list[Line], int, int]]:
        """What stands in each line after the head, with its number and the place where it ends."""
        number, at = self._number, self._at
        try:
            with self._place.open("rb") as file:
                file.seek(at)
                while at < self._size:
                    raw = self._script.line(file, self._size - at)
                    if not raw:
                        raise InputError(f"{self._path}: has become shorter while it was read")
                    number, at = number + 1, at + len(raw)
                    self.position = at
                    if part := self._text(raw, number).strip(BLANK):
                        yield self._lines(part, number), number, at
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read: {error.strerror or error}") from None
        if self._odd:
            self._warnings.append(no_text(self._script.encoding, self._odd))
            self._odd = 0

    def _text(self, raw: bytes, number: int) -> str:
        text, odd = self._script.text(raw)
        if number > self._told:
            self._odd += odd
        return text

    def _lines(self, part: str, number: int) -> list[Line]:
        kept = bare(self._loader, number, part)
        lines = lines_of(self._loader, number, kept) if kept else []
        if number > self._told:
            self._told = number
            for line in lines:
                self._loader.skip(line)
        return lines
