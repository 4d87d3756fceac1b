"""The messages of an Inspect sample, folded into steps.

An assistant message, its calls and the tool messages that answer them are one step; when it was said and
what it cost comes from the model event of the same message. Knows nothing of files and scores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.formats.inspect.pool import compactions, model_events, reply
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    kind_of,
    shown,
    total,
)
from reviewer.importers.shapes.content import readable, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

READ = {"id", "role", "content", "source", "tool_calls", "tool_call_id", "function", "error", "model"}


class Messages:
    """Reads the messages of one sample once, in order."""

    def __init__(self, messages: list[Json], sample: dict[str, Any], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.n_calls = 0
        self._events = {as_str(reply(event).get("id")): event for event in model_events(sample)}
        self._compactions = compactions(sample)
        self._n_compactions = 0
        self._sourced = any("source" in as_dict(message) for message in messages)
        for index, message in enumerate(messages):
            self._message(message, f"#{index}")
        for left in [event for waiting in self._compactions.values() for event in waiting]:
            self._compacted(left)

    def _compacted(self, event: dict[str, Any]) -> None:
        """The context was shortened before the model went on; what it was told instead is not kept."""
        self._n_compactions += 1
        before, after = as_int(event.get("tokens_before")), as_int(event.get("tokens_after"))
        text = "the context was compacted"
        if before is not None and after is not None:
            text += f" from {before} to {after} tokens"
        source = as_str(event.get("source"))
        text += f" by {source}" if source else ""
        own = as_id(event.get("uuid")) or f"compaction {self._n_compactions}"
        at = iso(event.get("timestamp"))
        self.drafts.add(Draft("system", [own], text, kind="compaction", at=at))

    def notice(self, source_id: str, text: str, fault: bool) -> None:
        self.drafts.add(Draft("system", [source_id], text, kind="notice", fault=fault))

    def _message(self, message: Json, place: str) -> None:
        if not isinstance(message, dict):
            self.warn(f"an entry that is {kind_of(message)}, not a message, is shown as it stands")
            self.notice(place, shown(message) or "null", fault=False)
            return
        source_id = as_id(message.get("id")) or place
        extra = {key: item for key, item in message.items() if key not in READ and item is not None}
        role = message.get("role")
        lost = self._tool(message, source_id, extra) if role == "tool" else None
        if role == "tool" and lost is None:
            return
        for event in self._compactions.pop(source_id, []):
            self._compacted(event)
        draft = Draft("system", [source_id], extra=extra)
        if role == "assistant":
            draft.source = "agent"
            self._agent(draft, message)
        elif role == "user":
            self._user(draft, message)
        elif lost is not None:
            draft.kind = "notice"
            draft.results.append(lost)
        else:
            self._content(draft, message.get("content"))
            if role != "system":
                self._strange(draft, role)
        self.drafts.add(draft)

    def _strange(self, draft: Draft, role: Json) -> None:
        draft.kind = "notice"
        draft.extra["role"] = role
        self.warn(f"unknown role {shown(role)[:80]!r} is shown as a notice")

    def _user(self, draft: Draft, message: dict[str, Any]) -> None:
        """A person speaks in the input only, or as the operator; the rest is the scaffold's."""
        draft.source = "user"
        self._content(draft, message.get("content"))
        began = any(before.source == "agent" for before in self.drafts.all)
        if self._sourced and began and message.get("source") not in ("input", "operator"):
            draft.kind = "injected"
        else:
            self.task = self.task or draft.message

    def _agent(self, draft: Draft, message: dict[str, Any]) -> None:
        draft.model = as_str(message.get("model"))
        self._content(draft, message.get("content"))
        calls = message.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            self.warn(f"tool_calls that are {kind_of(calls)} are shown as they stand")
            draft.extra["tool_calls"] = calls
        for call in as_list(calls):
            self.n_calls += 1
            self._call(draft, call)
        event = self._events.get(draft.ids[0])
        if event is not None:
            draft.at = iso(event.get("timestamp"))
            draft.seconds = as_float(event.get("working_time", as_dict(event.get("output")).get("time")))
            usage = as_dict(as_dict(event.get("output")).get("usage"))
            if usage:
                draft.metrics = Metrics(tokens_in(usage), as_int(usage.get("output_tokens")))

    def _call(self, draft: Draft, call: Json) -> None:
        if not isinstance(call, dict):
            self.warn(f"a tool call that is {kind_of(call)} is shown as it stands")
            draft.call(ToolCall("unknown", call))
            return
        named = as_dict(call.get("function"))  # an object where OpenAI's own shape was kept
        name, arguments = (
            (named.get("name"), named.get("arguments"))
            if named
            else (call.get("function"), call.get("arguments"))
        )
        draft.call(ToolCall(as_str(name) or "unknown", arguments, as_id(call.get("id"))))
        if call.get("parse_error"):
            draft.fault = True
            draft.extra["parse_error"] = call["parse_error"]

    def _content(self, draft: Draft, content: Json) -> None:
        for part in content if isinstance(content, list) else [content]:
            block = as_dict(part)
            kind = block.get("type")
            if kind == "reasoning":
                hidden = shown(block.get("summary")) or "[thinking that the provider hides]"
                draft.think(hidden if block.get("redacted") else shown(block.get("reasoning")))
            elif kind == "tool_use":
                self._server_tool(draft, block)
            elif kind == "data":
                draft.say(readable(block.get("data")))
            elif part is not None:
                draft.say(text_of(part if isinstance(part, str) else [part], self.warn))

    def _server_tool(self, draft: Draft, part: dict[str, Any]) -> None:
        """A tool that ran on the provider's side: call and result in one."""
        call_id = as_id(part.get("id"))
        draft.call(ToolCall(as_str(part.get("name")) or "unknown", part.get("arguments"), call_id))
        draft.waiting.pop()
        error = part.get("error")
        text = "\n".join(item for item in (shown(part.get("result")), shown(error)) if item)
        draft.results.append(Result(text, call_id, error=bool(error)))

    def _tool(self, message: dict[str, Any], source_id: str, extra: dict[str, Json]) -> Result | None:
        """A tool message joins the step whose call it answers; one that answers none is given back."""
        error = as_dict(message.get("error"))
        text = text_of(message.get("content"), self.warn)
        said = shown(error.get("message"))
        if said and said not in text:
            text = f"{text}\n{said}" if text else said
        kind = as_str(error.get("type"))
        denied = kind == "approval"  # whoever approves calls said no
        result = Result(
            text, as_id(message.get("tool_call_id")), error=bool(error) and not denied, denied=denied
        )
        draft = self.drafts.answer(result, source_id)
        if draft is None:
            self.warn("a tool message without a call is shown as a step of its own")
            extra |= {key: message[key] for key in ("function", "error") if message.get(key)}
            return result
        kept = {**extra, **({"error": kind} if kind else {})}
        if kept:
            draft.extra[f"result {source_id}"] = kept
        return None


def tokens_in(usage: dict[str, Any]) -> int | None:
    """All tokens that went in, from the cache or not."""
    keys = ("input_tokens", "input_tokens_cache_write", "input_tokens_cache_read")
    return total(as_int(usage.get(key)) for key in keys)
