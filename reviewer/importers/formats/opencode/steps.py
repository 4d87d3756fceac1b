"""From the messages of one opencode session to steps: a step for each request to the model.

Early versions put several requests into one message, each begun by a `step-start`. Knows nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from reviewer.importers.formats.opencode.session import Message, requests
from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    kind_of,
    moment,
    shown,
    total,
)
from reviewer.importers.shapes.content import placeholder, readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

# How a result says that a person or a permission rule stopped the call.
_DENIED = re.compile(
    r"user rejected permission|user dismissed|rejected by (?:the )?user|Tool execution aborted"
    r"|rule which prevents you from using this",
    re.IGNORECASE,
)
# What a failed message is called, and how the session ended by it.
ERRORS: dict[str, Ended] = {
    "MessageAbortedError": "user_stop",
    "MessageOutputLengthError": "limit",
    "ContextOverflowError": "limit",
    "ContentFilterError": "refused",
}
FINISHES: dict[str, Ended] = {"length": "limit", "content-filter": "refused", "error": "error"}
QUIET_PARTS = {"snapshot", "step-finish"}


class Steps:
    """Takes messages in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.ended: Ended = "unknown"

    def take(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if message.role == "user":
                self._user(message)
            else:
                if message.role != "assistant":
                    self.warn(f"unknown role {message.role[:80]!r} is shown as the agent", message.line)
                self._assistant(message)

    def failed(self, error: Json, line: int) -> None:
        """Something that failed outside a message."""
        name, text = _error(error)
        stopped = ERRORS.get(name) == "user_stop"
        ids = [f"error#{len(self.drafts.all)}"]
        known = any(draft.extra.get("error") == error for draft in self.drafts.all)
        if not known:
            self.drafts.add(
                Draft("system", ids, text or "the session failed", kind="notice", fault=not stopped)
            )
        self.ended = ERRORS.get(name, "error")

    def _user(self, message: Message) -> None:
        said: list[str] = []
        context: list[str] = []
        compacted = False
        for part in message.parts:
            value = as_dict(part)
            compacted = compacted or value.get("type") == "compaction"
            nobodys = value.get("synthetic") is True or value.get("ignored") is True
            (context if nobodys else said).append(self._shown(part, message))
        words, added = ("\n\n".join(filter(None, texts)) for texts in (said, context))
        at = iso(as_dict(message.info.get("time")).get("created"))
        self.model = self.model or as_str(as_dict(message.info.get("model")).get("modelID"))
        system = message.info.get("system")
        if added:
            ids = [f"{message.id}#context" if words else message.id]
            self.drafts.add(Draft("user", ids, added, kind="injected", at=at))
        if words or not added:
            draft = Draft("user", [message.id], words, at=at)
            draft.kind = "compaction" if compacted else "" if words else "injected"
            if not self.task and not draft.kind:
                self.task = words
            self.drafts.add(draft)
            if system:
                draft.extra["system"] = system
        self.ended = "unknown"

    def _shown(self, part: Json, message: Message) -> str:
        """What a part says that is neither a call nor a thought."""
        value = as_dict(part)
        kind = value.get("type")
        if kind == "text":
            return shown(value.get("text"))
        if kind == "file":
            return _file(value)
        if kind == "agent":
            return f"[agent {shown(value.get('name'))}]"
        if kind == "subtask":
            texts = (value.get("description"), value.get("prompt"), value.get("command"))
            return f"[task for {shown(value.get('agent')) or 'an agent'}]\n" + "\n".join(
                filter(None, map(shown, texts))
            )
        if kind == "compaction":
            return "[the conversation is summarised here]"
        if part is None or as_str(kind) in QUIET_PARTS:
            return ""
        if value:
            self.warn(f"unknown part type {shown(kind)[:80]!r} is shown as JSON", message.line)
        else:
            self.warn(f"a part that is {kind_of(part)} is shown as JSON", message.line)
        return readable(part)

    def _assistant(self, message: Message) -> None:
        info = message.info
        time = as_dict(info.get("time"))
        begun, done = moment(time.get("created")), moment(time.get("completed"))
        drafts: list[Draft] = []
        for id, parts in requests(message):
            draft = Draft("agent", [id], model=_model(info))
            for part in parts:
                self._part(draft, part, message)
            drafts.append(draft)
        first = drafts[0]
        first.at = iso(time.get("created"))
        if len(drafts) == 1 and begun and done and done >= begun:
            first.seconds = round((done - begun).total_seconds(), 3)
        if not any(item.metrics for item in drafts):
            first.metrics = _metrics(info)
        self.model = first.model or self.model
        for item in drafts:
            if info.get("summary") is True:
                item.kind = "compaction"
            self.drafts.add(item)
        self.ended = FINISHES.get(as_str(info.get("finish")), "unknown")
        if info.get("error"):
            self._fault(drafts[-1], info["error"])

    def _fault(self, draft: Draft, error: Json) -> None:
        name, text = _error(error)
        self.ended = ERRORS.get(name, "error")
        draft.fault = self.ended != "user_stop"
        draft.extra["error"] = error
        if not (draft.message or draft.reasoning or draft.calls):
            draft.source, draft.kind, draft.message = "system", "notice", text

    def _part(self, draft: Draft, part: Json, message: Message) -> None:
        value = as_dict(part)
        kind = value.get("type")
        if kind == "reasoning":
            draft.think(shown(value.get("text")))
        elif kind == "tool":
            self._tool(draft, value, message)
        elif kind == "step-finish":
            draft.metrics = _metrics(value)
        elif kind == "patch":
            draft.extra["patch"] = value.get("files")
        elif kind == "retry":
            draft.extra.setdefault("retries", []).append(value.get("error"))
        else:
            draft.say(self._shown(part, message).strip("\n"))

    def _tool(self, draft: Draft, part: dict[str, Any], message: Message) -> None:
        state = as_dict(part.get("state"))
        place, call_id = len(draft.calls), as_id(part.get("callID"))
        draft.call(ToolCall(as_str(part.get("tool")) or "unknown", state.get("input"), call_id))
        metadata = as_dict(state.get("metadata"))
        if metadata.get("sessionId"):
            draft.extra.setdefault("sessions", []).append(metadata["sessionId"])
        status = as_str(state.get("status"))
        if status not in ("completed", "error"):
            draft.extra[f"status of {call_id or place}"] = status or "unknown"
            return
        failed = status == "error"
        text = shown(state.get("error") if failed else state.get("output"))
        texts = [text, *(_file(as_dict(item)) for item in as_list(state.get("attachments")))]
        code = as_code(metadata.get("exit"))
        denied = failed and bool(_DENIED.search(text))
        draft.waiting.remove(place)
        draft.results.append(
            Result(
                "\n".join(filter(None, texts)),
                call_id,
                error=(failed or bool(code)) and not denied,
                denied=denied,
                exit_code=code,
            )
        )


def _model(info: dict[str, Any]) -> str:
    return as_str(info.get("modelID")) or as_str(as_dict(info.get("model")).get("modelID"))


def _error(error: Json) -> tuple[str, str]:
    """The name of an error and what it says."""
    value = as_dict(error)
    text = shown(as_dict(value.get("data")).get("message") or value.get("message"))
    return as_str(value.get("name")), text or (shown(error) if not value else as_str(value.get("name")))


def _metrics(value: dict[str, Any]) -> Metrics | None:
    """`input` leaves out the cache, `output` leaves out what was thought."""
    tokens = as_dict(value.get("tokens"))
    cost = as_float(value.get("cost"))
    if not tokens and cost is None:
        return None
    cache = as_dict(tokens.get("cache"))
    went = (as_int(tokens.get("input")), as_int(cache.get("read")), as_int(cache.get("write")))
    came = (as_int(tokens.get("output")), as_int(tokens.get("reasoning")))
    return Metrics(total(went), total(came), cost)


def _file(part: dict[str, Any]) -> str:
    return placeholder({"type": "file", "source": {"media_type": part.get("mime"), "url": part.get("url")}})
