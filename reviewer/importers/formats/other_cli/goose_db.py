"""Goose's own database, `sessions.db`: a trace a session, its messages in the shape that the files have.

Only read, and only the tables that hold sessions and messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.opening.databases import database
from reviewer.importers.opening.values import as_id, kind_of, parsed

SESSIONS, MESSAGES = "sessions", "messages"
OWN = "session_id = ?1 OR session_id = CAST(?1 AS BLOB)"


def is_goose(source: Source) -> bool:
    """A database with sessions, and messages whose content is JSON."""
    with database(source.path) as opened:
        tables = opened.columns()
    return "id" in tables.get(SESSIONS, ()) and {"session_id", "role", "content_json"} <= tables.get(
        MESSAGES, set()
    )


def sessions(source: Source) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each session with its messages, oldest first."""
    with database(source.path, source.warn) as opened:
        dated = "created_timestamp" in opened.columns().get(MESSAGES, ())
        order = "created_timestamp, rowid" if dated else "rowid"
        for session in list(opened.rows(f"SELECT * FROM {SESSIONS} ORDER BY rowid")):
            query = f"SELECT * FROM {MESSAGES} WHERE {OWN} ORDER BY {order}"
            rows = opened.rows(query, (session["id"],))
            yield dict(session), [_message(source, row) for row in rows]


def _message(source: Source, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a message of the files; content that is no JSON is shown as it stands."""
    content = parsed(row["content_json"])
    if not isinstance(content, list):
        source.warn(
            f"the content of a message is {kind_of(content)}, not a list of blocks: shown as it stands"
        )
        content = [{"type": "text", "text": as_id(row["content_json"])}]
    return {
        "id": row.get("message_id"),
        "role": row["role"],
        "created": row.get("created_timestamp"),
        "content": content,
    }
