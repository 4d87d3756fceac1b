"""JSON texts to values, with the mends that real files need: each one is told, once a file.

Knows no file's layout and no trace format.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from reviewer.errors import InputError
from reviewer.importers.base import Line, Warn
from reviewer.trace import Json

# Deeper values would break whoever walks or writes them later, at a place that cannot name the file.
MAX_DEPTH = 300
# Python's own default limit for reading whole numbers; here it holds whatever the process has set.
MAX_DIGITS = 4300
NAMED = 20  # bad lines of a file that are told of one by one


class Loader:
    """`json.loads` that climbs down: strict, then with the mends that real files need, each one told."""

    def __init__(self, path: Path, warnings: list[Warn]) -> None:
        self.path = path
        self.warnings = warnings
        self.told: set[str] = set()
        self.mended = False  # the text in hand is not strict JSON
        self._skipped = self._rest = 0

    def tell(self, reason: str, line: int) -> None:
        if reason not in self.told:
            self.told.add(reason)
            self.warnings.append(Warn(line, reason))

    def skip(self, line: Line) -> None:
        """Say of a bad line that it is skipped; of the first few by their number, of the others together."""
        if not line.bad:
            return
        self._skipped += 1
        more = self._skipped - NAMED
        if more <= 0:
            self.warnings.append(Warn(line.number, f"line {line.number} is skipped: {line.bad}"))
        elif more == 1:
            self._rest = len(self.warnings)
            self.warnings.append(Warn(line.number, "further lines are skipped, from this one on"))
        else:
            self.warnings[self._rest] = replace(self.warnings[self._rest], count=more)

    def whole(self, text: str) -> Json:
        """The value of a whole file; one that is nested too deeply is refused by name."""
        try:
            return self.load(text, 0)
        except RecursionError:
            raise InputError(f"{self.path}: refused: the JSON is nested too deeply to be read") from None

    def load(self, text: str, line: int) -> Json:
        self.mended = False
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            value = lenient(text)
            self.mended = True
            self.tell(
                "raw control characters inside JSON texts were kept (the file is not strict JSON)", line
            )
        except ValueError:
            value = lenient(text)
            self.tell(f"a whole number of more than {MAX_DIGITS} digits is kept as text", line)
        return value


def _int(digits: str) -> Json:
    """A whole number, or its text where it has so many digits that reading them takes quadratic time."""
    return int(digits) if len(digits) <= MAX_DIGITS else digits


LENIENT = json.JSONDecoder(strict=False, parse_int=_int)


def lenient(text: str) -> Json:
    """The value of a JSON text that may hold raw control characters and huge numbers."""
    return LENIENT.decode(text)


def strictly(text: str) -> str:
    """The same JSON text with the raw control characters inside its strings escaped."""
    return _STRING.sub(lambda string: _CONTROL.sub(_escape, string[0]), text)


def _escape(control: re.Match[str]) -> str:
    return f"\\u{ord(control[0]):04x}"


# A run of plain characters at a time: one alternative a character would remember each of them.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")


def too_deep(value: Json) -> bool:
    """Whether containers stand in each other more than `MAX_DEPTH` times; counted level by level.

    Every value of every file is looked at here: the exact types of the JSON reader are the fastest question.
    """
    containers = (dict, list)
    level = [value] if type(value) in containers else []
    for _ in range(MAX_DEPTH + 1):
        level = [
            child
            for node in level
            for child in (node.values() if type(node) is dict else node)
            if type(child) in containers
        ]
        if not level:
            return False
    return True
