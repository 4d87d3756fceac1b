"""opencode sessions: exports, recorded plugin hooks, `run --format json`, the storage folders, `opencode.db`.

A session is one trace, a child session (the `task` tool) one of its own that names its parent where both
are read together. The identity is the same wherever a session is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.opencode.events import QUIET_HOOKS, RUN, Folded, event_of
from reviewer.importers.formats.opencode.ignored import IGNORED
from reviewer.importers.formats.opencode.session import FORMAT, Session, families, from_rows
from reviewer.importers.formats.opencode.stores import (
    from_database,
    from_folder,
    is_session_file,
    is_store,
    parent_of,
)
from reviewer.importers.formats.opencode.traces import VERSION, traces
from reviewer.importers.opening.values import as_dict, as_list, kind_of
from reviewer.importers.shapes.records import values
from reviewer.importers.shapes.sessions import session_content, session_raw
from reviewer.trace import Json

ABOUT = "opencode sessions (`opencode export`, `~/.local/share/opencode/storage/session/`, `opencode.db`)"
GRADER_FIELDS: tuple[str, ...] = ()  # a session holds nothing that a grader wrote

__all__ = ["ABOUT", "FORMAT", "GRADER_FIELDS", "IGNORED", "VERSION", "read", "sniff"]


def sniff(source: Source) -> bool:
    """An export, a session file, rows of info and parts, events of a known type, or the tables."""
    if source.is_database:
        return is_store(source.path)
    if source.is_json and isinstance(source.value, dict):
        rows = as_list(source.value.get("messages"))
        exported = isinstance(source.value.get("info"), dict) and any(map(_is_row, rows[:40]))
        return exported or is_session_file(source.value) or _is_event(source.value)
    return any(_is_event(value) or _is_row(value) for value in values(source, 40))


def _is_row(value: Json) -> bool:
    info = as_dict(as_dict(value).get("info"))
    return isinstance(as_dict(value).get("parts"), list) and "role" in info


def _is_event(value: Json) -> bool:
    kind, given = event_of(value)
    if kind in RUN and "hook" not in given:
        return isinstance(given.get("part"), dict) or kind == "error"
    known = (*QUIET_HOOKS, "chat.message", "message.updated")
    return kind.startswith(("message.part.", "session.")) or (kind in known and "." in kind)


def read(source: Source) -> Iterator[Imported]:
    """The sessions of the file, a child after its parent."""
    place = 0
    found = False
    for family in _families(source):
        beside = source.is_json and is_session_file(source.value)
        parent = parent_of(source, family[0]) if beside else None
        for imported in traces(source, family, parent, place):
            found = True
            yield imported
        place += len(family)
    if not found:
        raise NotATrace(f"{source.path}: an opencode session without a message")


def _families(source: Source) -> Iterator[list[Session]]:
    """The sessions of the file: each that nobody started, with those that it did."""
    if source.is_database:
        yield from from_database(source)
        return
    if source.is_json and is_session_file(source.value):
        yield [from_folder(source)]
        return
    source.hold()
    whole = [source.value] if source.is_json and isinstance(source.value, dict) else None
    rows = [(line.number, line.value) for line in source.lines if not line.bad]
    rows = [(0, row) for row in whole or source.value] if source.is_json else rows
    if whole and "messages" in source.value:
        info, parts = as_dict(source.value.get("info")), as_list(source.value["messages"])
        sessions = [from_rows(info, _checked(source, [(0, row) for row in parts]))]
    elif any(_is_row(row) for _, row in rows):
        sessions = [from_rows({}, _checked(source, rows))]
    else:
        folded = Folded(source.warn)
        for line, row in rows:
            folded.take(row, line)
        sessions = list(folded.sessions.values())
    first = next((session for session in sessions if session.messages or session.errors), None)
    if first is not None:  # the whole file is its record
        first.raw, first.content = session_raw(source), session_content(source)
    yield from families(sessions)


def _checked(source: Source, rows: list[tuple[int, Json]]) -> list[Json]:
    """The messages; what is none is named."""
    for line, row in rows:
        if not isinstance(as_dict(row).get("info"), dict):
            source.warn(f"a row that is {kind_of(row)} without the info of a message is skipped", line)
    return [row for _, row in rows]
