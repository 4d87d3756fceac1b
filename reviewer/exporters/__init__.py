"""The exports: each one file that turns `LabelledTrace` rows into a format; a registry that is a dict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TypeAlias

from reviewer.errors import NotFound
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Trace

WithTrace: TypeAlias = Callable[[str], Trace]
Exporter: TypeAlias = Callable[[Iterable[LabelledTrace], Taxonomy, WithTrace | None], Iterator[str]]

# Adding an export is one file and one entry here. What is text has a function `lines`; the history of labels
# and the whole store have sources of their own, and those that are no text are called by the command itself.
EXPORTS: dict[str, str] = {
    name: f"reviewer.exporters.{name}" for name in ("jsonl", "csv", "scout", "examples")
}
PARQUET, ATIF, DATASET = "parquet", "atif", "dataset"
HISTORY, STORE = "labels", "store"
WITH_STEPS = frozenset({"examples", ATIF, DATASET})  # what is nothing without the steps


def exporter(name: str) -> Exporter:
    """The function that yields the lines (with their line ends) of the export `name`."""
    if name not in EXPORTS:
        raise NotFound(f"no export {name!r}; there are {', '.join(EXPORTS)}")
    lines: Exporter = import_module(EXPORTS[name]).lines
    return lines
