"""GitHub Copilot: event logs of its command line, and the spans that Visual Studio writes.

An event log is a session, which grows: one trace, and one more for each sub-agent whose events stand in it.
Of spans a trace id is a trace; requests of one conversation share the `session` in their `meta`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.copilot_cli import sessions
from reviewer.importers.formats.copilot_cli.ignored import IGNORED
from reviewer.importers.formats.copilot_cli.old import is_old, read_old
from reviewer.importers.shapes.spans.run import Form
from reviewer.importers.shapes.spans.shapes import peek
from reviewer.importers.shapes.spans.span import Span
from reviewer.importers.shapes.spans.traces import traces

FORMAT = "copilot_cli"
ABOUT = "GitHub Copilot CLI sessions (`~/.copilot/session-state/<id>/events.jsonl`), Visual Studio's spans"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()  # neither holds anything that a grader wrote


def sniff(source: Source) -> bool:
    """Events of a session, an old session in one object, or spans that Copilot wrote."""
    if source.is_text or source.is_database or source.is_zip:
        return False
    return is_old(source) or sessions.sniff(source) or any(map(_ours, peek(source)))


def _ours(span: Span) -> bool:
    return any(key.startswith(("copilot_chat.", "github.copilot.")) for key in span.attributes) or (
        "copilot" in str(span.resource.get("service.name", "")).lower()
    )


def read(source: Source) -> Iterator[Imported]:
    """The session and its sub-agents, or each trace of the spans."""
    if is_old(source):
        yield from read_old(source, FORMAT, VERSION)
    elif sessions.sniff(source):
        yield from sessions.read(source, FORMAT, VERSION)
    else:
        yield from traces(source, Form(FORMAT, VERSION, IGNORED))
