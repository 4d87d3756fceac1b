"""Parquet files: each row is a record, as it would stand in JSON Lines. Needs pyarrow, an extra.

Rows are read in small batches, again whenever somebody goes through them. A text column that holds a JSON
object or list is that value. Knows no trace format.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from reviewer.errors import InputError
from reviewer.importers.base import Line, Source
from reviewer.importers.opening.loading import MAX_DEPTH, too_deep
from reviewer.importers.opening.zips import RATIO, UNSUSPECTED
from reviewer.trace import Json

PARQUET = b"PAR1"
ROWS = 16  # at a time


def parquet_file(path: Path) -> Source:
    """The file with its rows as lines; InputError: it is damaged, or pyarrow is missing."""
    return Source(path, "", False, lines=ParquetRows(path))


class ParquetRows:
    """The rows of one file."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
        except ImportError:
            raise InputError(
                f'{path}: a Parquet file: reading it needs pyarrow (.venv/bin/pip install -e ".[parquet]")'
            ) from None
        self._path = path
        self._odd: tuple[type[Exception], ...] = (pyarrow.ArrowException, ValueError, OverflowError)
        self._errors = (OSError, *self._odd)
        self.position = 0
        if not next(iter(self), None):
            raise InputError(f"{path}: a Parquet file without a row")

    def __iter__(self) -> Iterator[Line]:
        from pyarrow import parquet

        try:
            with parquet.ParquetFile(self._path) as file:
                rows = (row for batch in self._batches(file) for row in self._rows(batch))
                for number, row in enumerate(rows, 1):
                    yield _line(number, row)
        except self._errors as error:
            reason = " ".join(str(error).split())
            raise InputError(f"{self._path}: a damaged Parquet file: {reason}") from None

    def _batches(self, file: Any) -> Iterator[Any]:
        """A few rows at a time, one where they are packed tightly: one value may stand in all rows."""
        about = file.metadata
        packed = self._path.stat().st_size
        whole = sum(about.row_group(place).total_byte_size for place in range(about.num_row_groups))
        self._check(whole, packed)
        out = 0
        for batch in file.iter_batches(ROWS if whole * ROWS <= packed * RATIO else 1):
            out += batch.nbytes
            self._check(out, packed)
            yield batch

    def _check(self, out: int, packed: int) -> None:
        if out > UNSUSPECTED and out > RATIO * packed:
            raise InputError(
                f"{self._path}: refused: {packed} bytes unpack to more than {out // 1_000_000} MB, "
                f"over the limit of {RATIO} times their size"
            )

    def _rows(self, batch: Any) -> list[dict[str, Any]]:
        """The rows as Python's values; where one of them has none, value by value."""
        try:
            return cast(list[dict[str, Any]], batch.to_pylist())
        except self._odd:
            columns = [[self._value(item) for item in column] for column in batch.columns]
            return [dict(zip(batch.schema.names, row, strict=True)) for row in zip(*columns, strict=True)]

    def _value(self, item: Any) -> Any:
        """A value; what Python cannot hold (a time too far away, or to the nanosecond) as its text."""
        import pyarrow

        try:
            return item.as_py()
        except self._odd:
            pass
        if isinstance(item, pyarrow.StructScalar):
            return {name: self._value(inner) for name, inner in item.items()}
        if isinstance(item, pyarrow.DictionaryScalar):
            return self._value(item.value)
        if isinstance(item, pyarrow.ListScalar | pyarrow.FixedSizeListScalar):  # maps are lists, too
            return [self._value(inner) for inner in item.values]
        try:
            text = str(item.cast(pyarrow.string()).as_py())
        except self._odd:
            text = "<"
        return str(item.value) if text.startswith("<") else text


def _line(number: int, row: dict[str, Any]) -> Line:
    value = {name: _opened(_plain(item)) for name, item in row.items()}
    if too_deep(value):
        return Line(number, "", bad=f"it is nested more than {MAX_DEPTH} levels deep")
    return Line(number, json.dumps(value, ensure_ascii=False), value)


def _plain(value: Any) -> Json:
    """What JSON can hold; a time, a decimal and the like as their text."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _opened(value: Json) -> Json:
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        opened = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return opened if isinstance(opened, dict | list) else value
