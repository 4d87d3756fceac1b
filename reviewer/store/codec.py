"""How values become columns: JSON text, compressed bodies in parts, text that SQLite accepts.

SQLite takes neither a lone surrogate nor an integer beyond 64 bits. JSON goes in as ASCII, which
carries both; plain text columns (heads, names, paths) get a visible escape instead.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from reviewer.errors import StoreDamaged

PLAIN, ZLIB = 0, 1
PART = 256 * 1024
_SMALL = 1024


def dumps(value: Any) -> str:
    """ASCII JSON; NaN and Infinity stay as Python writes them (the store is not an export)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:  # no text at all, or nested without end
        raise StoreDamaged(f"a row of the store holds no JSON: {error}; run `reviewer check`") from error


def text(value: str) -> str:
    """`value` with lone surrogates spelled out (`\\udcb2`), so that it can be stored as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


def integer(value: int | None) -> int | None:
    """`value` where SQLite can hold it, else None: never a rounded number."""
    return value if value is not None and -(1 << 63) <= value < 1 << 63 else None


def pack(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(part, codec, bytes) rows for `data`; each part is compressed by itself."""
    for part, start in enumerate(range(0, max(len(data), 1), PART)):
        piece = data[start : start + PART]
        yield (part, PLAIN, piece) if len(data) < _SMALL else (part, ZLIB, zlib.compress(piece, 1))


def unpack(rows: Iterable[tuple[int, bytes]]) -> bytearray:
    """The bytes of (codec, data) rows in order of their parts; no part is held beside all of them."""
    whole = bytearray()
    try:
        for codec, data in rows:
            whole += zlib.decompress(data) if codec == ZLIB else data
        return whole
    except zlib.error as error:
        raise StoreDamaged(f"a body in the store is broken ({error}); run `reviewer check`") from error
