"""opencode sessions where the program keeps them: in folders of small files, or in a database.

The session's file is the trace; its messages and their parts lie in folders beside it. In the database a
child session follows its parent. Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.formats.opencode.session import Message, Session, families
from reviewer.importers.opening.beside import LARGEST, plain_name, read_beside, regular
from reviewer.importers.opening.databases import Database, database
from reviewer.importers.opening.loading import lenient, strictly, too_deep
from reviewer.importers.opening.values import as_dict, as_id
from reviewer.trace import Json

NEEDED = {
    "session": {"id", "parent_id"},
    "message": {"id", "session_id", "data"},
    "part": {"message_id", "data"},
}


def is_session_file(value: Json) -> bool:
    """The file of a session in the storage folder."""
    row = as_dict(value)
    if {"messages", "sessionID", "role", "messageID", "worktree", "parts"} & row.keys():
        return False
    dated = "created" in as_dict(row.get("time"))
    return isinstance(row.get("id"), str) and dated and bool({"directory", "projectID"} & row.keys())


def from_folder(source: Source) -> Session:
    """The session of a session file, with the messages and parts beside it."""
    info = as_dict(source.value)
    session = Session(as_id(info.get("id")), info)
    texts = [source.text.strip()]
    messages, parts = _folders(source.path, session.id)
    for path in _files(messages, session.id) or _files(messages, source.path.stem):
        about = _read(source, path, texts)
        if about:
            session.messages.append(Message(as_id(about.get("id")) or path.stem, about))
    for message in session.messages:
        for path in _files(parts, message.id):
            if part := _read(source, path, texts):
                message.parts.append(part)
        inline = message.info.get("parts")
        message.parts += inline if isinstance(inline, list) and not message.parts else []
    session.raw = "[" + ",\n".join(texts) + "]"
    return session


def parent_of(source: Source, session: Session) -> Session | None:
    """The session that started this one, when its file lies beside it."""
    if session.parent == session.id or not plain_name(session.parent):
        return None
    path = source.path.with_name(f"{session.parent}.json")
    if not regular(path):
        return None
    quiet = Source(path, "", True, value={})
    if not (info := _read(quiet, path, [])):
        return None
    return from_folder(Source(path, "", True, value=info))


def _folders(path: Path, session: str) -> tuple[Path, Path]:
    """Where the folders of a session's messages lie, and those of their parts; two layouts were used."""
    if path.parent.name == "info":  # project/<name>/storage/session/info/
        home = path.parent.parent
        return home / "message", home / "part" / (session if plain_name(session) else path.stem)
    home = path.parent.parent.parent  # storage/session/<project>/
    return home / "message", home / "part"


def _files(folder: Path, id: str) -> list[Path]:
    """The files in the folder of an id, in the order of their own ids, which grow with time."""
    try:
        within = (folder / id).iterdir() if plain_name(id) else ()
        return sorted(path for path in within if path.suffix == ".json")
    except OSError:
        return []


def _read(source: Source, path: Path, texts: list[str]) -> dict[str, Any]:
    """The object in a file beside the session; what cannot be read is named."""
    data = read_beside(path)
    if data is None:
        source.warn(f"{path.name} is skipped: no file of at most {LARGEST:,} bytes to be read")
        return {}
    try:
        text = data.decode("utf-8", errors="replace")
        value, raw = lenient(text), strictly(text)
    except (ValueError, RecursionError):
        source.warn(f"{path.name} is skipped: damaged JSON")
        return {}
    if not isinstance(value, dict) or too_deep(value):
        source.warn(f"{path.name} is skipped: no object, or one that is nested too deeply")
        return {}
    texts.append(raw.strip())
    return value


def is_store(path: Path) -> bool:
    """Whether a database has the tables of opencode."""
    try:
        with database(path) as opened:
            columns = opened.columns()
    except InputError:
        return False
    return all(needed <= columns.get(table, set()) for table, needed in NEEDED.items())


def from_database(source: Source) -> Iterator[list[Session]]:
    """The families of sessions, one after the other."""
    with database(source.path, source.warn) as opened:
        columns = opened.columns()
        order = "time_created, id" if "time_created" in columns["session"] else "id"
        rows = opened.rows(f"SELECT * FROM session ORDER BY {order}")
        for family in families([Session(as_id(row["id"]), _about(dict(row))) for row in rows]):
            for session in family:
                _fill(
                    source,
                    opened,
                    session,
                    "time_created, id" if "time_created" in columns["message"] else "id",
                )
            yield family


def _about(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table of sessions as the info that an export has."""
    time = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    names = {"directory": "directory", "title": "title", "version": "version", "slug": "slug"}
    info = {"id": row.get("id"), "parentID": row.get("parent_id"), "projectID": row.get("project_id")}
    info |= {key: row.get(column) for key, column in names.items()}
    revert = row.get("revert")
    info["revert"] = _value(revert) if isinstance(revert, str) else None
    return {key: value for key, value in {**info, "time": time}.items() if value is not None}


def _fill(source: Source, opened: Database, session: Session, order: str) -> None:
    """Read the messages and parts of a session; the ids of parts grow with time."""
    messages: dict[str, Message] = {}
    own = "session_id = ?1 OR session_id = CAST(?1 AS BLOB)"
    for row in opened.rows(f"SELECT * FROM message WHERE {own} ORDER BY {order}", (session.id,)):
        about = _value(row["data"])
        if isinstance(about, dict):
            key = as_id(row["id"])
            messages[key] = Message(key, {"id": key, "sessionID": session.id, **about})
        else:
            source.warn("a message whose data is no JSON object is skipped")
    query = f"SELECT * FROM part WHERE message_id IN (SELECT id FROM message WHERE {own}) ORDER BY id"
    for row in opened.rows(query, (session.id,)):
        part, owner = _value(row["data"]), messages.get(as_id(row["message_id"]))
        if not isinstance(part, dict):
            source.warn("a part whose data is no JSON object is skipped")
        elif owner is not None:
            owner.parts.append({"id": row.get("id"), "messageID": owner.id, **part})
    session.messages = list(messages.values())


def _value(text: Json) -> Json:
    """The value of a JSON text of a column; None for any other."""
    try:
        value = lenient(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return None if too_deep(value) else value
