"""From the bytes of a file to a `Source`: text, then one JSON value or JSON Lines. Any bytes may come.

The name of the file decides nothing. What had to be mended is said in a warning; what cannot be read
is an `InputError` of one line. Knows no trace format.
"""

from __future__ import annotations

import codecs
import json
from pathlib import Path

from reviewer.errors import InputError
from reviewer.importers.base import Source, Warn
from reviewer.importers.opening.json_lines import BLANK, GAP, HOLED, NUL, NULS, PADDING, json_lines
from reviewer.importers.opening.loading import LENIENT, MAX_DEPTH, Loader, strictly, too_deep
from reviewer.importers.opening.values import kind_of
from reviewer.trace import Json

# UTF-32 first: its little-endian mark begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ZIP = b"PK\x03\x04"
SQLITE = b"SQLite format 3\x00"
MAGIC = (
    (b"\x1f\x8b", "gzip data: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstandard data: unpack it first"),
    (b"BZh", "bzip2 data: unpack it first"),
    (b"\xfd7zXZ", "xz data: unpack it first"),
    (b"\x80\x04", "a Python pickle, which is never opened"),
    (b"\x80\x05", "a Python pickle, which is never opened"),
    (b"PAR1", "a Parquet file, which cannot come through a pipe: name the file"),
    (b"\x89PNG", "an image"),
    (b"\x7fELF", "a program"),
    (b"%PDF", "a PDF file"),
)


class DamagedJson(InputError):
    """The file is one JSON value, and damaged: its `text`, and what was `told` of it so far."""

    def __init__(self, message: str, text: str, told: tuple[Warn, ...]) -> None:
        super().__init__(message)
        self.text = text
        self.told = told


def decode(path: Path, data: bytes) -> Source:
    """The `Source` in `data`; `path` is only for naming it."""
    if data.startswith(ZIP):
        return Source(path, "", False, is_zip=True, data=data)
    if data.startswith(SQLITE):
        raise InputError(f"{path}: an SQLite database cannot come through a pipe; name its file")
    for magic, what in MAGIC:
        if data.startswith(magic):
            raise InputError(f"{path}: unknown format: this is {what}, not JSON or JSON Lines")
    warnings: list[Warn] = []
    text = _text(data, warnings)
    told = tuple(warnings)
    if not text.strip(PADDING).strip():
        raise InputError(f"{path}: the file is empty" + ("" if not data else " (only white space)"))
    loader = Loader(path, warnings)
    padded = text[0] in PADDING or text[-1] in PADDING
    inner = text.strip(f"{BLANK}\n{PADDING}") if padded else text
    try:
        value = loader.whole(inner)
    except json.JSONDecodeError as error:
        if lines := json_lines(text, loader):
            return Source(path, text, False, lines=lines, warnings=warnings)
        if (start := inner.lstrip()[:1]) in ("{", "["):
            raise DamagedJson(_damage(path, inner, error), inner, told) from None
        why = f"unknown format: neither JSON nor JSON Lines (it begins with {start!r})"
        return Source(path, text, False, is_text=True, no_json=why, warnings=warnings)
    if padded and NUL in text:
        loader.tell(NULS, 0)
    holed = loader.mended and GAP in inner
    if holed:
        loader.tell(HOLED, 0)
    text = strictly(inner) if loader.mended else inner
    return Source(path, text, True, value=_bounded(path, value), warnings=warnings, lost=int(holed))


def elements(source: Source) -> list[str]:
    """The verbatim texts of the elements of a file that is one JSON list, in order."""
    text = source.text
    found: list[str] = []
    at = text.index("[") + 1
    while True:
        at = _skip(text, at)
        if text[at] == "]":
            return found
        if text[at] == ",":
            at = _skip(text, at + 1)
        _, end = LENIENT.raw_decode(text, at)
        found.append(text[at:end])
        at = end


def _skip(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at


def _text(data: bytes, warnings: list[Warn]) -> str:
    encoding, start = "utf-8", 0
    for mark, name in MARKS:
        if data.startswith(mark):
            encoding, start = name, len(mark)
            break
    body = data[start:]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError:
        text = body.decode(encoding, errors="replace")
        meant = "\ufffd".encode(encoding)
        count = max(1, text.count("\ufffd") - body.count(meant))
        warnings.append(no_text(encoding, count))
        return text


def no_text(encoding: str, count: int) -> Warn:
    """What is said of bytes that are no text in `encoding`."""
    return Warn(0, f"bytes that are not {encoding.upper()} are shown as U+FFFD", count)


def _bounded(path: Path, value: Json) -> Json:
    if too_deep(value):
        raise InputError(f"{path}: refused: the JSON is nested more than {MAX_DEPTH} levels deep")
    return value


def _damage(path: Path, text: str, error: json.JSONDecodeError) -> str:
    where = f"line {error.lineno}, column {error.colno}: {error.msg}"
    cut = " (cut off?)" if error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg else ""
    return f"{path}: damaged JSON at {where}{cut}"


def hollow(value: Json) -> str:
    """Why a whole-file value cannot hold a trace, or ""."""
    if isinstance(value, dict | list):
        return "" if value else f"it holds nothing but an empty {'object' if value == {} else 'list'}"
    return f"it holds nothing but {kind_of(value)}"
