"""The exports: each one file that turns `LabelledTrace` rows into text; a registry that is a dict."""

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

# Adding an export is one file with a function `lines` and one entry here. The lines of an export that is
# made of labelled traces; the history of labels (`labels`) has a source of its own.
EXPORTS: dict[str, str] = {"jsonl": "reviewer.exporters.jsonl", "csv": "reviewer.exporters.csv"}
HISTORY = "labels"


def exporter(name: str) -> Exporter:
    """The function that yields the lines (with their line ends) of the export `name`."""
    if name not in EXPORTS:
        raise NotFound(f"no export {name!r}; there are {', '.join(EXPORTS)}")
    lines: Exporter = import_module(EXPORTS[name]).lines
    return lines
