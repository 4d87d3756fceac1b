"""`export csv`: the labelled set as a table (`table.py` says what a row is), spelled for any CSV reader.

UTF-8, RFC 4180 (comma, double quotes, CRLF), one header row that is always the same. Lists and objects
are JSON in their cell, truths `true` or `false`, nothing is an empty cell. Text cells are written so that
no spreadsheet takes them for a formula and every reader can hold them, and `read_csv` turns that back:

- a text whose first visible character is one of `= + - @` (or a wide form of them), or that begins with
  a tab, a line break or `'`, gets one `'` in front;
- a NUL is written `\\u0000`, half of a surrogate pair `\\ud800` … `\\udfff`; backslashes directly before
  one of these, or before the same six characters standing there as text, are doubled.

Knows no store; only `read_csv` opens a file.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path

from reviewer.errors import InputError
from reviewer.exporters import WithTrace, strict
from reviewer.exporters.table import COLUMNS, JSON, TEXT, TRUTH, WITH_TRACE, Row, columns, table
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

_FORMULA = re.compile(r"[\s\ufeff\u200b-\u200f\u2060]*[=+\-@＝＋－＠]|[\t\r\n']")
_CODE = r"u(?:0000|d[89a-f][0-9a-f]{2})"
_HELD = re.compile(rf"(?<!\\)(\\*+)(?:([\0\ud800-\udfff])|({_CODE}))")
_WRITTEN = re.compile(rf"(?<!\\)(\\++)({_CODE})")
_SPECIAL = re.compile(r'[",\r\n]')
_FIELD = 2**31 - 1  # csv reads cells of at most 131,072 characters unless told otherwise


def lines(rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None) -> Iterator[str]:
    """The lines of the file; `with_trace` adds the task and the steps (as JSON) to every row."""
    header = columns(with_trace)
    yield _line(header)
    for row in table(rows, taxonomy, with_trace):
        yield _line(_cell(row[name], kind) for name, kind in header.items())


# -- cells ---------------------------------------------------------------------------------------------


def _line(cells: Iterable[str]) -> str:
    quoted = ('"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell for cell in cells)
    return ",".join(quoted) + "\r\n"


def _cell(value: Json, kind: str) -> str:
    if kind == TEXT:
        return protect(value)
    if value is None:
        return ""
    if kind == JSON:
        return strict.dumps(value)
    if kind == TRUTH:
        return "true" if value else "false"
    return str(strict.finite(value))


def _value(cell: str, kind: str) -> Json:
    if kind == TEXT:
        return unprotect(cell)
    if not cell:
        return None
    if kind == JSON:
        return json.loads(cell)
    if kind == TRUTH:
        return {"true": True, "false": False}[cell]
    number = float(cell)
    return int(cell) if math.isfinite(number) and re.fullmatch(r"-?\d+", cell) else number


def protect(text: str) -> str:
    """The cell that stands for `text`: no formula, no NUL, nothing that UTF-8 cannot hold."""
    safe = held(text)
    return "'" + safe if _FORMULA.match(safe) else safe


def unprotect(cell: str) -> str:
    """The text that a cell stands for."""
    return _WRITTEN.sub(_written, cell.removeprefix("'"))


def held(text: str) -> str:
    """`text` with what UTF-8 cannot hold, and NUL, written out."""
    return _HELD.sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    slashes, odd, code = found.groups()
    return slashes * 2 + (f"\\u{ord(odd):04x}" if odd else code)


def _written(found: re.Match[str]) -> str:
    slashes, code = found.groups()
    half = "\\" * (len(slashes) // 2)
    return half + (chr(int(code[1:], 16)) if len(slashes) % 2 else code)


# -- back ----------------------------------------------------------------------------------------------


def read_csv(file: str | PathLike[str]) -> list[Row]:
    """The rows of an exported file, by its path or by its text, as values; `InputError` names the line
    that cannot be read.

    A text has more than one line, or is the header: any other string is a path.
    """
    text = file if isinstance(file, str) and _is_text(file) else _read(Path(file))
    before = csv.field_size_limit(_FIELD)
    try:
        return _rows(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    except csv.Error as error:
        raise InputError(f"not a CSV file: {error}") from error
    finally:
        csv.field_size_limit(before)


def _is_text(given: str) -> bool:
    header = given.removeprefix("\ufeff").startswith(f"{next(iter(COLUMNS))},")
    return header or not given or "\n" in given or "\r" in given


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, too
        reason = (
            "it is no UTF-8" if isinstance(error, UnicodeError) else getattr(error, "strerror", "") or error
        )
        advice = "give a file by `reviewer export csv`, or its text"
        raise InputError(f"{path}: cannot be read: {reason}; {advice}") from None


def _rows(cells: Iterator[Sequence[str]]) -> list[Row]:
    header = list(next(cells, ()))
    known = next((one for one in (COLUMNS, COLUMNS | WITH_TRACE) if list(one) == header), None)
    if known is None:
        raise InputError("line 1: not the header of `reviewer export csv`")
    found = []
    for number, row in enumerate(cells, 2):
        try:
            values = zip(row, known.values(), strict=True)
            found.append(dict(zip(known, (_value(cell, kind) for cell, kind in values), strict=True)))
        except (ValueError, KeyError, RecursionError) as error:
            raise InputError(f"row {number}: a cell is damaged ({error})") from error
    return found
