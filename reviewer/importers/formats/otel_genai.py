"""OpenTelemetry spans with the GenAI semantic conventions, as OTLP JSON or as an SDK prints them.

A trace id is a trace. OpenLLMetry (Traceloop) and other writers of `gen_ai.*` are read as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, Source
from reviewer.importers.shapes.spans import shapes
from reviewer.importers.shapes.spans.genai import known
from reviewer.importers.shapes.spans.ignored import IGNORED
from reviewer.importers.shapes.spans.run import Form
from reviewer.importers.shapes.spans.shapes import peek
from reviewer.importers.shapes.spans.traces import traces

FORMAT = "otel_genai"
ABOUT = "OpenTelemetry spans with GenAI attributes, OpenLLMetry too (`*.json`, `*.jsonl` of a file exporter)"
VERSION = 1
STREAMS = shapes.STREAMS
GRADER_FIELDS = ("annotations",)


def sniff(source: Source) -> bool:
    """A span with an attribute of the conventions."""
    return (
        not source.is_text and not source.is_database and any(known(span.attributes) for span in peek(source))
    )


def read(source: Source) -> Iterator[Imported]:
    """Each trace of the file."""
    return traces(source, Form(FORMAT, VERSION, IGNORED))
