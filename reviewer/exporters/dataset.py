"""`export dataset`: a folder that `datasets.load_dataset` reads, with a card on what the labels are worth.

Two configurations: `traces`, a row a trace with its gold and its steps, and `labels`, a row a label. A file
a split, Parquet or JSON Lines. Writes into a new, empty folder that it is given; knows no store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reviewer.exporters import WithTrace, columns, parquet, strict
from reviewer.exporters.card import Part
from reviewer.exporters.columns import Schema
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

TRACES, LABELS = "traces", "labels"
WHOLE = "train"  # what the hub calls the only split of a dataset that is not split


def write(
    folder: Path,
    rows: Sequence[LabelledTrace],
    taxonomy: Taxonomy,
    with_trace: WithTrace | None,
    *,
    splits: Sequence[str] = (),
    lines: bool = False,
    labels: bool = True,
) -> list[Part]:
    """Write the files of the data (`lines`: as JSON Lines), none without a row; what stands in which."""
    traces = columns.TRACES if with_trace is None else columns.STEPS
    schemas = {TRACES: traces} | ({LABELS: columns.LABELS} if labels else {})
    parts = []
    for name, schema in schemas.items():
        (folder / "data" / name).mkdir(parents=True)
        files, counts = {}, {}
        for split in splits or (WHOLE,):
            chosen = [row for row in rows if not splits or row.split == split]
            if name == TRACES:
                values = columns.traces(chosen, taxonomy, with_trace)
            else:
                values = _said(columns.labels(chosen, taxonomy, None))
            file = f"data/{name}/{split}.{'jsonl' if lines else 'parquet'}"
            counts[split] = _put(folder / file, values, schema, lines)
            if counts[split]:
                files[split] = file
            else:
                (folder / file).unlink()  # `datasets` refuses a split without a row
        parts.append(Part(name, files, counts, schema))
    return [part for part in parts if part.files]


def _said(rows: Iterable[dict[str, Json]]) -> Iterator[dict[str, Json]]:
    """The rows that are labels; a trace without one stands in the other configuration."""
    return (row for row in rows if row["kind"])


def _put(file: Path, values: Iterable[dict[str, Json]], schema: Schema, lines: bool) -> int:
    if not lines:
        with file.open("xb") as stream:
            return parquet.put(stream, values, schema)
    count = 0
    with file.open("x", encoding="utf-8", newline="") as text:
        for value in values:
            text.write(strict.dumps(value, beyond=False) + "\n")  # a column of numbers holds no text
            count += 1
    return count
