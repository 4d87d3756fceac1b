"""OpenInference spans (Arize, Phoenix): OTLP JSON, Phoenix exports, trees of child spans, maps of attributes.

A trace id is a trace; notes of programs and models at its spans are its outcome.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, Source
from reviewer.importers.shapes.spans import shapes
from reviewer.importers.shapes.spans.ignored import IGNORED
from reviewer.importers.shapes.spans.openinference import known
from reviewer.importers.shapes.spans.run import Form
from reviewer.importers.shapes.spans.shapes import peek
from reviewer.importers.shapes.spans.traces import traces

FORMAT = "openinference"
ABOUT = "OpenInference spans: OTLP JSON and exports of Phoenix (`get_spans`, data frames, pages of its API)"
VERSION = 2
STREAMS = shapes.STREAMS
GRADER_FIELDS = ("annotations",)


def sniff(source: Source) -> bool:
    """A span with an attribute of the conventions."""
    return not source.is_text and not source.is_database and any(known(span) for span in peek(source))


def read(source: Source) -> Iterator[Imported]:
    """Each trace of the file."""
    return traces(source, Form(FORMAT, VERSION, IGNORED))
