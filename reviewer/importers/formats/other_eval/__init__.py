"""Result files of smaller evaluations: Letta evals, and the paths of ChatDev's puppeteer.

Such a file is one run of a suite and is taken as one trace. In it each sample of Letta evals is a child with
a grade of its own; a file of one sample is that sample. A puppeteer's path says which agent did what, and
not which question was asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.other_eval import letta, puppeteer
from reviewer.importers.shapes.records import sample

FORMAT = "other_eval"
ABOUT = "Letta evals (`results.jsonl`), paths of ChatDev's puppeteer (`logs/<run>/path_*.jsonl`)"
VERSION = 1
GRADER_FIELDS = letta.GRADER_FIELDS


def sniff(source: Source) -> bool:
    """Results of Letta evals, or the records of a path."""
    rows = sample(source)
    return any(letta.is_result(row) for row in rows) or puppeteer.is_path(rows)


def read(source: Source) -> Iterator[Imported]:
    """The run, and its samples where it has several."""
    rows = sample(source)
    if any(letta.is_result(row) for row in rows):
        yield from letta.read(source, FORMAT, VERSION)
    elif puppeteer.is_path(rows):
        yield puppeteer.read(source, FORMAT, VERSION)
    else:
        raise InputError(f"{source.path}: no results of an evaluation that is known here")
