"""What Vercel's AI SDK writes: its spans (`ai.*`), the messages of its chats, the events of its harness.

Spans become traces as those of every dialect do; chats and events have files of their own here.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.vercel_ai import chats, harness
from reviewer.importers.formats.vercel_ai.ignored import IGNORED
from reviewer.importers.shapes.spans.run import Form
from reviewer.importers.shapes.spans.shapes import peek
from reviewer.importers.shapes.spans.traces import traces
from reviewer.importers.shapes.spans.vercel import known

FORMAT = "vercel_ai"
ABOUT = "Vercel AI SDK: spans, chats of UI messages, harness events (`.harness-observability/…/events.jsonl`)"
VERSION = 1
GRADER_FIELDS = ("annotations",)


def sniff(source: Source) -> bool:
    """Spans of the SDK, UI messages, or rows of its harness."""
    if source.is_text or source.is_database or source.is_zip:
        return False
    return chats.sniff(source) or harness.sniff(source) or any(map(known, peek(source)))


def read(source: Source) -> Iterator[Imported]:
    """Each trace, each chat, or the session of a harness."""
    form = Form(FORMAT, VERSION, IGNORED)
    if harness.sniff(source):
        yield harness.read(source, form)
    elif chats.sniff(source):
        yield from chats.read(source, form)
    else:
        yield from traces(source, form)
