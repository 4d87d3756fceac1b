"""What an Inspect sample keeps in other places than where it is said: attachments and pooled messages.

Long texts and pictures stand once in `attachments`; the inputs of model events point into a pool of
messages by half-open ranges. Knows nothing of steps and scores.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str
from reviewer.trace import Json

_REFERENCE = re.compile(r"attachment://([0-9a-f]{32})")
PREFIX = "attachment://"


class Pool:
    """The attachments and pooled messages of one sample."""

    def __init__(self, sample: dict[str, Any], warn: Callable[[str], None]) -> None:
        old = as_dict(as_dict(sample.get("transcript")).get("content"))
        self.attachments = {**old, **as_dict(sample.get("attachments"))}
        pool = as_dict(sample.get("events_data")).get("messages", sample.get("message_pool"))
        self.messages = as_list(pool)
        self.warn = warn

    def whole(self, value: Json) -> Json:
        """The value with every reference replaced by what it stands for."""
        if isinstance(value, str):
            return _REFERENCE.sub(self._text, value) if PREFIX in value else value
        if isinstance(value, list):
            return [self.whole(item) for item in value]
        if isinstance(value, dict):
            return {key: self.whole(item) for key, item in value.items()}
        return value

    def _text(self, found: re.Match[str]) -> str:
        text = self.attachments.get(found[1])
        if isinstance(text, str):
            return text
        self.warn("an attachment is missing in the file")
        return f"[attachment missing: {found[1]}]"

    def input_of(self, event: dict[str, Any]) -> list[Json]:
        """The messages that a model event got."""
        given = as_list(event.get("input"))
        if given:
            return given
        found: list[Json] = []
        for pair in as_list(event.get("input_refs")):
            if (
                isinstance(pair, list)
                and len(pair) == 2
                and all(type(end) is int and end >= 0 for end in pair)
            ):
                part = self.messages[pair[0] : pair[1]]
                if len(part) < pair[1] - pair[0]:
                    self.warn("a pooled message is missing in the file")
                found += part
        return found


def events(sample: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a sample, whichever version wrote them."""
    given = sample.get("events")
    if given is None:
        given = as_dict(sample.get("transcript")).get("events")
    return [event for event in as_list(given) if isinstance(event, dict)]


def model_events(sample: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in events(sample) if event.get("event") == "model" and not event.get("pending")]


def compactions(sample: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The compactions of the context, by the id of the message that the model said next ("" for none)."""
    found: dict[str, list[dict[str, Any]]] = {}
    waiting: list[dict[str, Any]] = []
    for event in events(sample):
        if event.get("event") == "compaction":
            waiting.append(event)
        elif waiting and event.get("event") == "model" and not event.get("pending"):
            said = as_str(reply(event).get("id"))
            if said:
                found.setdefault(said, []).extend(waiting)
                waiting = []
    if waiting:
        found.setdefault("", []).extend(waiting)
    return found


def reply(event: dict[str, Any]) -> dict[str, Any]:
    """The message that a model event gave back."""
    choice = next(iter(as_list(as_dict(event.get("output")).get("choices"))), None)
    return as_dict(as_dict(choice).get("message"))


def rebuilt(sample: dict[str, Any], pool: Pool) -> list[Json]:
    """The conversation of a sample that was cut off and keeps no messages: its longest model call."""
    best: list[Json] = []
    for event in model_events(sample):
        talk = pool.input_of(event)
        said = reply(event)
        if said and (said.get("content") or said.get("tool_calls")):
            talk = [*talk, said]
        if len(talk) >= len(best):
            best = talk
    return best
