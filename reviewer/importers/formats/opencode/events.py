"""opencode sessions out of events: what a plugin's hooks recorded, the event stream, `opencode run`'s lines.

An event repeats the whole message or part, the last one counts at the place of the first; a delta adds to
a part until it is repeated. The lines of `run` hold finished parts, and no word of the user.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.formats.opencode.session import Message, Session
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.trace import Json

RUN = {"step_start", "step_finish", "text", "tool_use", "reasoning", "error"}
# Hooks and events that are known and hold nothing of the conversation.
QUIET_HOOKS = {
    "tool.definition": "the tools offered to the model",
    "experimental.chat.system.transform": "the system prompt as plugins may change it",
    "experimental.chat.messages.transform": "the messages once more, as plugins may change them",
    "chat.params": "the settings of a request",
    "chat.headers": "the headers of a request",
    "tool.execute.before": "a call before it runs; the parts hold it",
    "tool.execute.after": "a call after it ran; the parts hold it",
    "permission.ask": "a question to the person; the result of the call says the answer",
    "config": "settings of the program",
}
QUIET_EVENTS = tuple(
    f"{subject}."
    for subject in (
        *("session", "server", "permission", "question", "file", "lsp", "todo", "tui", "storage", "command"),
        *("installation", "ide", "vcs", "pty", "project", "global", "mcp", "worktree", "workspace"),
        *("catalog", "models-dev", "plugin", "integration"),
    )
)


def event_of(value: Json) -> tuple[str, dict[str, Any]]:
    """The type and the properties of an event, however it is wrapped; "" where there is none."""
    if isinstance(value, list):
        if not value or not isinstance(value[0], str):
            return "", {}
        if value[0] != "event":
            return value[0], {"hook": value[1:]}
        value = value[1] if len(value) > 1 else None
    for key in ("payload", "event"):
        inner = as_dict(value).get(key)
        value = inner if isinstance(inner, dict) else value
    row = as_dict(value)
    kind = as_str(row.get("type"))
    if isinstance(row.get("properties"), dict):
        return kind, row["properties"]
    return (kind, row) if kind in RUN and "sessionID" in row else ("", {})


class Folded:
    """The sessions of a file, in the order in which they were met."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.sessions: dict[str, Session] = {}
        self._messages: dict[str, Message] = {}
        self._parts: dict[str, tuple[Message, int]] = {}

    def take(self, value: Json, line: int) -> None:
        kind, given = event_of(value)
        if kind in RUN and "hook" not in given:
            self._run(kind, given, line)
        elif kind == "chat.message":
            self._hook(given, line)
        elif kind in ("session.created", "session.updated"):
            info = as_dict(given.get("info"))
            session = self._session(as_id(info.get("id")) or as_id(given.get("sessionID")))
            session.info = info or session.info
        elif kind == "message.updated":
            self._info(as_dict(given.get("info")), line)
        elif kind == "message.part.updated":
            self._part(given.get("part"), line)
        elif kind == "message.part.delta":
            self._delta(given)
        elif kind in ("message.removed", "message.part.removed"):
            self._removed(given)
        elif kind == "session.error":
            self._session(as_id(given.get("sessionID"))).errors.append((given.get("error"), line))
        elif kind not in QUIET_HOOKS and not kind.startswith(QUIET_EVENTS):
            self.warn(f"unknown event {kind[:80]!r} is not shown (it stays in the raw record)", line)

    def _session(self, id: str) -> Session:
        return self.sessions.setdefault(id, Session(id))

    def _message(self, id: str, session: str, line: int) -> Message:
        known = self._messages.get(id)
        if known is None:
            known = self._messages[id] = Message(id, {}, line=line)
            self._session(session).messages.append(known)
        return known

    def _info(self, info: dict[str, Any], line: int) -> None:
        id = as_id(info.get("id"))
        if not id:
            self.warn("a message without an id is skipped", line)
            return
        self._message(id, as_id(info.get("sessionID")), line).info = info

    def _hook(self, given: dict[str, Any], line: int) -> None:
        """A hook that gets a message of the user with its parts."""
        held = as_dict(given["hook"][1]) if len(as_list(given.get("hook"))) > 1 else {}
        if isinstance(held.get("message"), dict):
            self._info(held["message"], line)
        for part in as_list(held.get("parts")):
            self._part(part, line)

    def _part(self, part: Json, line: int) -> None:
        value = as_dict(part)
        id, owner = as_id(value.get("id")), as_id(value.get("messageID"))
        if not owner:
            self.warn("a part that names no message is skipped", line)
            return
        message = self._message(owner, as_id(value.get("sessionID")), line)
        place = self._parts.get(id)
        if id and place is not None and place[0] is message:
            message.parts[place[1]] = value
            return
        if id:
            self._parts[id] = (message, len(message.parts))
        message.parts.append(value)

    def _delta(self, given: dict[str, Any]) -> None:
        """More text for a part; said again in whole when the part is done."""
        place = self._parts.get(as_id(given.get("partID")))
        name, delta = as_str(given.get("field")), given.get("delta")
        if place is None or not name or not isinstance(delta, str):
            return
        part = dict(place[0].parts[place[1]])
        part[name] = as_str(part.get(name)) + delta
        place[0].parts[place[1]] = part

    def _removed(self, given: dict[str, Any]) -> None:
        part = self._parts.pop(as_id(given.get("partID")), None)
        if part is not None:
            part[0].parts[part[1]] = None
        elif "partID" not in given:
            gone = self._messages.pop(as_id(given.get("messageID")), None)
            for session in self.sessions.values():
                session.messages = [message for message in session.messages if message is not gone]

    def _run(self, kind: str, given: dict[str, Any], line: int) -> None:
        """A line of `opencode run --format json`."""
        session = as_id(given.get("sessionID"))
        if kind == "error":
            self._session(session).errors.append((given.get("error"), line))
            return
        part = as_dict(given.get("part"))
        owner = as_id(part.get("messageID"))
        self._part({"sessionID": session, **part}, line)
        if owner and not self._messages[owner].info:
            time = {"created": given.get("timestamp")}
            self._messages[owner].info = {
                "id": owner,
                "role": "assistant",
                "sessionID": session,
                "time": time,
            }
