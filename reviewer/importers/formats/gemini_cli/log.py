"""The messages of a Gemini CLI chat: the single JSON of old, or the log of updates since 0.40, folded.

In the log the same id is written again whenever a message grows (the last wins, at the first place);
`$set` patches the header, `$rewindTo` takes back a message and all after it. `$set.messages` is what the
model gets to see: what it holds and was never written as a message is taken from it; what a compression
leaves out was said all the same, and stays. Knows nothing of steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, kind_of
from reviewer.importers.shapes.sessions import session_rows
from reviewer.trace import Json


@dataclass(slots=True)
class Message:
    """One message: its id (or its place), its first and its last wording, whether it was taken back."""

    id: str
    line: int
    first: dict[str, Any]
    value: dict[str, Any]
    rewound: bool = False


@dataclass(slots=True)
class Chat:
    """The header and the messages, in the order in which they were first written."""

    source: Source
    header: dict[str, Any] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    _by_id: dict[str, Message] = field(default_factory=dict)

    @property
    def kept(self) -> list[Message]:
        return [message for message in self.messages if not message.rewound]

    def write(self, value: Json, line: int) -> None:
        """A message, new or once more."""
        if not isinstance(value, dict):
            self.source.warn(f"a message that is {kind_of(value)}, not an object, is skipped", line)
            return
        own = as_id(value.get("id"))
        old = self._by_id.get(own) if own else None
        if old is not None and not old.rewound:
            old.value = value
            return
        key = own if own and old is None else f"{own}#{len(self.messages)}"
        message = Message(key, line, value, value)
        self.messages.append(message)
        if own:
            self._by_id[own] = message

    def rewind(self, target: str, line: int) -> None:
        """Take back the message `target` and what follows it."""
        first = self._by_id.get(target)
        if first is None or first.rewound:
            self.source.warn("a rewind to a message that is not in the file changes nothing", line)
            return
        start = next(place for place, message in enumerate(self.messages) if message is first)
        for message in self.messages[start:]:
            message.rewound = True

    def sync(self, values: list[Json], line: int) -> None:
        """What the model sees from here on: new messages are added, copies under new ids are not."""
        known = any(as_id(as_dict(value).get("id")) in self._by_id for value in values)
        said = {_words(message.value) for message in self.messages}
        for value in values:
            if as_id(as_dict(value).get("id")) in self._by_id or (not known and _words(value) in said):
                continue
            self.write(value, line)


def folded(source: Source) -> Chat:
    """The chat of a file."""
    chat = Chat(source)
    for record in session_rows(source):
        row, line = record.value, record.line
        if isinstance(row.get("$rewindTo"), str):
            chat.rewind(row["$rewindTo"], line)
        elif isinstance(row.get("$set"), dict):
            _patch(chat, row["$set"], line)
        elif "type" in row and "messages" not in row:
            chat.write(row, line)
        elif isinstance(row.get("messages"), list) or "sessionId" in row:
            _patch(chat, row, line)
        elif isinstance(row.get("id"), str):
            chat.write(row, line)
        else:
            source.warn("a line that is no message and no update is skipped", line)
    return chat


def _patch(chat: Chat, values: dict[str, Any], line: int) -> None:
    """The header, or a change of it."""
    chat.header |= {key: value for key, value in values.items() if key != "messages"}
    messages = as_list(values.get("messages"))
    if messages and chat.messages:
        chat.sync(messages, line)
        return
    for message in messages:
        chat.write(message, line)


def _words(value: Json) -> str:
    """What a message says and calls: by it a copy under another id is known."""
    message = as_dict(value)
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    said = [as_str(as_dict(part).get("text")) if isinstance(part, dict) else as_str(part) for part in parts]
    used = [
        as_id(as_dict(as_dict(part).get(key)).get("id"))
        for part in parts
        for key in ("functionCall", "functionResponse")
    ]
    used += [as_id(as_dict(call).get("id")) for call in as_list(message.get("toolCalls"))]
    return repr((message.get("type"), "".join(said).strip(), sorted({*used} - {""})))
