"""One opencode session, wherever it was stored: its info, its messages, their parts. All places hold the
same objects: an export, the events that plugins see, the lines of `opencode run`, folders, a database.

Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.opening.values import as_dict, as_float, as_id
from reviewer.trace import Json, trace_id

FORMAT = "opencode"


@dataclass(slots=True)
class Message:
    """One message: its info, its parts in order, the line it was first met on (0: no JSON Lines)."""

    id: str
    info: dict[str, Any]
    parts: list[Json] = field(default_factory=list)
    line: int = 0

    @property
    def role(self) -> str:
        role = self.info.get("role")
        return role if isinstance(role, str) else ""


@dataclass(slots=True)
class Session:
    """One session. `raw` is its verbatim text where it has one of its own."""

    id: str
    info: dict[str, Any] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    errors: list[tuple[Json, int]] = field(
        default_factory=list
    )  # what failed outside a message, and its line
    raw: str = ""
    content: Json = None  # what the content hash is taken over, where it is not the export

    @property
    def parent(self) -> str:
        return as_id(self.info.get("parentID"))

    @property
    def trace_id(self) -> str:
        """The same wherever the session was read: the session and the message it began with."""
        first = self.messages[0] if self.messages else Message("", {})
        began = as_float(as_dict(first.info.get("time")).get("created"))
        return trace_id([FORMAT, self.id, first.id, first.role, began])

    def exported(self) -> Json:
        """The session as `opencode export` would write it."""
        rows = [{"info": message.info, "parts": message.parts} for message in self.messages]
        return {"info": self.info, "messages": rows}

    def reverted(self) -> set[str]:
        """The ids of messages that a person took back."""
        start = as_id(as_dict(self.info.get("revert")).get("messageID"))
        ids = [message.id for message in self.messages]
        return set(ids[ids.index(start) :]) if start in ids else set()

    def calls(self) -> int:
        return sum(as_dict(part).get("type") == "tool" for message in self.messages for part in message.parts)

    def starts(self) -> dict[str, str]:
        """The sessions that `task` calls started, each with the stable id of the first such step."""
        found: dict[str, str] = {}
        for message in self.messages:
            for id, parts in requests(message):
                for part in parts:
                    state = as_dict(as_dict(part).get("state"))
                    child = as_dict(state.get("metadata")).get("sessionId")
                    if isinstance(child, str):
                        found.setdefault(child, id)
        return found


def requests(message: Message) -> list[tuple[str, list[Json]]]:
    """The requests to the model inside a message, each with its id: a `step-start` begins a further one."""
    found: list[tuple[str, list[Json]]] = [(message.id, [])]
    started = False
    for part in message.parts:
        if as_dict(part).get("type") == "step-start":
            if started:
                found.append((as_id(part.get("id")) or f"{message.id}#{len(found)}", []))
            started = True
        else:
            found[-1][1].append(part)
    return found


def from_rows(info: dict[str, Any], rows: list[Json]) -> Session:
    """A session from its info and `{info, parts}` rows; what is no such row is left out."""
    found = Session(as_id(info.get("id")), info)
    seen: set[str] = set()
    for place, row in enumerate(rows):
        about = as_dict(row).get("info")
        if isinstance(about, dict):
            found.id = found.id or as_id(about.get("sessionID"))
            key = as_id(about.get("id"))
            key = key if key and key not in seen else f"{key}#{place}"
            seen.add(key)
            parts = row.get("parts")
            parts = parts if isinstance(parts, list) else [] if parts is None else [parts]
            found.messages.append(Message(key, about, parts))
    return found


def families(sessions: list[Session]) -> Iterator[list[Session]]:
    """Each session that none of the others started, followed by those that it did."""
    known = {session.id: session for session in sessions}
    children: dict[str, list[Session]] = {}
    for session in sessions:
        own = session.parent in known and session.parent != session.id
        children.setdefault(session.parent if own else "", []).append(session)
    placed: set[int] = set()
    # What starts itself in a circle has no beginning and comes last, each for itself.
    for root in (*children.get("", []), *sessions):
        family: list[Session] = []
        waiting = [root]
        while waiting:
            session = waiting.pop()
            if id(session) not in placed:
                placed.add(id(session))
                family.append(session)
                waiting += reversed(children.get(session.id, []) if session.id else [])
        if family:
            yield family
