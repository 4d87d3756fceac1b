"""The session of a managed agent as one trace. Knows what its events say, not how they are kept."""

from __future__ import annotations

from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.anthropic_messages.events import Events
from reviewer.importers.formats.anthropic_messages.ignored import IGNORED_EVENTS
from reviewer.importers.formats.anthropic_messages.steps import Talk
from reviewer.importers.opening.values import span
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo


def session(source: Source, rows: list[Json], version: int) -> Imported:
    """The events of a managed agent's session: one trace."""
    talk = Talk(source.warn)
    events = Events(rows, talk)
    steps = talk.drafts.steps()
    started, seconds = span(events.times)
    task_id, mark = task_of("", source.path.name)
    info = TraceInfo(
        **ids(rows),
        format="anthropic_messages",
        importer=version,
        source_path=str(source.path),
        task_id=task_id,
        task=talk.task,
        model=talk.model,
        agent=events.agent,
        ended=events.ended,
        n_messages=len(rows),
        n_tool_calls=talk.n_calls,
        **totals(steps),
        started=started,
        seconds=seconds,
        meta=({"session": events.session} if events.session else {}) | mark,
    )
    raw = (
        source.text.strip(" \t\r\n")
        if source.is_json
        else "[" + ",\n".join(line.text for line in source.lines if not line.bad) + "]"
    )
    return Imported(Trace(info, steps, raw), ignored=IGNORED_EVENTS)
