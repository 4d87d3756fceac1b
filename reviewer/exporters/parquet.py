"""`export parquet`: the table of `export csv` with types, as one Parquet file that pyarrow and others read.

The schema is written down in `columns.py` and the same for every store, the empty one too. Knows no store.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import IO, Any

from reviewer.errors import InputError
from reviewer.exporters import WithTrace, columns
from reviewer.exporters.columns import Schema, Type
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

INSTALL = '.venv/bin/pip install -e ".[parquet]"'
_ROWS = 64  # rows held at once: those with steps are large


def write(
    file: IO[bytes], rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None
) -> None:
    """Write the whole table; InputError: pyarrow is not installed."""
    schema = columns.LABELS if with_trace is None else columns.WITH_TRACE
    put(file, columns.labels(rows, taxonomy, with_trace), schema)


def put(file: IO[bytes], values: Iterable[dict[str, Json]], schema: Schema) -> int:
    """Write rows of `schema`; how many they were."""
    needed()
    import pyarrow
    from pyarrow import parquet

    fields = pyarrow.schema([pyarrow.field(name, _arrow(type)) for name, type in schema.items()])
    pending, count = iter(values), 0
    with parquet.ParquetWriter(file, fields, compression="zstd") as writer:
        while batch := list(islice(pending, _ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=fields))
            count += len(batch)
    return count


def installed() -> bool:
    """Whether pyarrow is there."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def needed() -> None:
    """InputError where pyarrow is not installed."""
    if not installed():
        raise InputError(f"writing Parquet needs pyarrow ({INSTALL}); jsonl and csv need nothing")


def _arrow(type: Type) -> Any:
    import pyarrow

    if isinstance(type, dict):
        return pyarrow.struct([pyarrow.field(name, _arrow(inner)) for name, inner in type.items()])
    if isinstance(type, list):
        return pyarrow.list_(_arrow(type[0]))
    return {
        "string": pyarrow.string(),
        "int64": pyarrow.int64(),
        "float64": pyarrow.float64(),
        "bool": pyarrow.bool_(),
    }[type]
