"""The page of a source record: read, found and laid out in the thread that reads the store.

A record may have tens of megabytes, and three shapes: the text of the file, its values, the text for reading.
No more than two of them are in memory at a time. Knows no screen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from reviewer.session import Reading
from reviewer.session.records import record_of, signs_of, speaks
from reviewer.trace import Json
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.part import Part
from reviewer.tui.widgets.pretty import pretty
from reviewer.values import dataclass

_LAID_OUT = 2_000_000  # characters of a record that is indented for reading


@dataclass(frozen=True, slots=True)
class SourcePage:
    """`whole`: not of one step, of `size` characters. `speaks`: a judge or a person says something in it."""

    document: BodyDocument
    whole: bool
    size: int
    speaks: bool


def source_page(
    reader: Reading, trace_id: str, n: int, opinions: Sequence[Json], *, hidden: bool, wrap: bool
) -> SourcePage:
    """The record of step `n` (0: of all), if that can be told; the whole one only if not `hidden`."""
    signs = signs_of(reader.step(trace_id, n)) if n else None
    record = record_of(reader.raw(trace_id), signs)
    said, whole, size, values = speaks(record, opinions), record.whole, len(record.text), [*record.values]
    texts = [] if hidden or not whole else [_indented(record.text) if size <= _LAID_OUT else record.text]
    del record  # and each value as its text is made
    while values:
        texts.append(pretty(values.pop(0)))
    parts = [Part(text, "json", foldable=len(text) <= _LAID_OUT, head=True, look="json") for text in texts]
    return SourcePage(BodyDocument(parts, wrap=wrap), whole, size, said)


def _indented(raw: str) -> str:
    try:
        return pretty(json.loads(raw, strict=False))
    except (ValueError, RecursionError):
        return raw
