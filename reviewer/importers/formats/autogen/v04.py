"""Messages of AutoGen 0.4 and later, each with its `type`: those of models and those of teams of agents.

A call event and its execution event are one step; the summary that repeats the result is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, iso, kind_of, shown
from reviewer.importers.shapes.content import readable, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

_TEXTS = {
    "UserMessage",
    "AssistantMessage",
    "SystemMessage",
    "TextMessage",
    "MultiModalMessage",
    "StopMessage",
}
_TEXTS |= {"ThoughtEvent", "HandoffMessage", "StructuredMessage", "CodeGenerationEvent"}
_CALLS = {"ToolCallRequestEvent", "ToolCallMessage"}
_RESULTS = {"FunctionExecutionResultMessage", "ToolCallExecutionEvent", "ToolCallResultMessage"}
_NOTICES = {"MemoryQueryEvent", "UserInputRequestedEvent", "SelectSpeakerEvent", "SelectorEvent"}
_NOTICES |= {"CodeExecutionEvent"}
_SUMMARY, _CHUNK = "ToolCallSummaryMessage", "ModelClientStreamingChunkEvent"
TYPES = _TEXTS | _CALLS | _RESULTS | _NOTICES | {_SUMMARY, _CHUNK}
_USERS = {"user", "user_proxy", "human", "userproxy", "userproxyagent", "human_user"}
_READ = {"type", "content", "source", "thought", "models_usage", "created_at", "id", "metadata", "tool_calls"}
_READ |= {"results", "full_message_id", "target", "context", "format_string"}


def is_typed(row: Json) -> bool:
    row = as_dict(row)
    return as_str(row.get("type")) in TYPES and bool({"content", "source"} & row.keys())


def calls_in(message: Json) -> int:
    """How many calls a message makes."""
    message = as_dict(message)
    makes = message.get("type") in ("AssistantMessage", *_CALLS)
    return sum(map(_is_call, as_list(message.get("content")))) if makes else 0


def _is_call(item: Json) -> bool:
    return {"name", "arguments"} <= as_dict(item).keys()


class Reader:
    """Goes through the messages once; `model` is the first that some message names."""

    def __init__(self, messages: Sequence[Json], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.model = ""
        self.times: list[Json] = []
        self._chunks: list[str] = []
        self._last = ""  # what the last chunks said together
        for index, message in enumerate(messages):
            if isinstance(message, dict):
                self._message(message, as_id(message.get("id")) or f"#{index}", f"#{index}")
            else:
                warn(f"a message that is {kind_of(message)} is shown as it stands")
                self.drafts.add(Draft("system", [f"#{index}"], shown(message), kind="notice"))
        self._flush("#end")

    def _message(self, message: dict[str, Any], key: str, place: str) -> None:
        kind = as_str(message.get("type"))
        if any(key in draft.ids for draft in self.drafts.all[-40:]):
            key = f"{key} {place}"
        self.times.append(message.get("created_at"))
        about = as_dict(message.get("metadata"))
        self.model = self.model or as_str(about.get("model") or about.get("model_name"))
        if kind == _CHUNK:
            self._chunks.append(as_str(message.get("content")))
            return
        if self._chunks:
            if as_str(message.get("content")) != "".join(self._chunks):
                self._flush(f"{key} chunks")
            self._chunks.clear()
        if kind in _RESULTS:
            self._results(message, key)
        elif kind == _SUMMARY:
            self._summary(message, key)
        elif kind == "ThoughtEvent":
            draft = self._draft(message, key)
            draft.think(text_of(message.get("content"), self.warn))
            self.drafts.add(draft)
        elif kind in _TEXTS | _CALLS:
            self._said(message, key)
        else:
            if kind not in _NOTICES:
                self.warn(f"unknown message type {kind[:60]!r} is shown as a notice")
            self._notice(message, key, kind)

    def _flush(self, key: str) -> None:
        if text := "".join(self._chunks):
            self.drafts.add(Draft("agent", [key], text))
        self._chunks.clear()

    def _draft(self, message: dict[str, Any], key: str) -> Draft:
        source = as_str(message.get("source"))
        draft = Draft("agent", [key], at=iso(message.get("created_at")))
        if message.get("type") == "SystemMessage":
            draft.source = "system"
        elif message.get("type") == "UserMessage" or source.lower() in _USERS:
            draft.source = "user"
        usage = as_dict(message.get("models_usage"))
        if usage:
            tokens = as_int(usage.get("prompt_tokens")), as_int(usage.get("completion_tokens"))
            draft.metrics = Metrics(*tokens)
        draft.extra = {name: item for name, item in message.items() if name not in _READ and item is not None}
        draft.name = source
        draft.extra |= {key: message[key] for key in ("metadata", "target", "context") if message.get(key)}
        if message.get("models_usage") and not usage:
            draft.extra["models_usage"] = message["models_usage"]
        return draft

    def _said(self, message: dict[str, Any], key: str) -> None:
        content = message.get("content")
        calls = [item for item in as_list(content) if _is_call(item)]
        draft, last = self._draft(message, key), self.drafts.last
        if last is not None and last.reasoning and not (last.message or last.calls) and _same(last, draft):
            # A thought is an event of its own before what was thought.
            last.ids.append(key)
            last.metrics, last.at, last.extra = (
                draft.metrics or last.metrics,
                last.at or draft.at,
                draft.extra,
            )
            draft = last
        rest = [item for item in as_list(content) if not _is_call(item)] if calls else content
        if rest or not calls:
            draft.say(_words(rest, self.warn))
        draft.think(as_str(message.get("thought")))
        for call in calls:
            draft.call(
                ToolCall(as_str(call.get("name")) or "unknown", call["arguments"], as_id(call.get("id")))
            )
        if draft is last:
            self.drafts.note(draft)
        else:
            self.drafts.add(draft)

    def _results(self, message: dict[str, Any], key: str) -> None:
        for item in as_list(message.get("content")):
            given = as_dict(item)
            text = text_of(given.get("content"), self.warn) if given else shown(item)
            result = Result(text, as_id(given.get("call_id")), error=given.get("is_error") is True)
            if self.drafts.answer(result, key) is None:
                place = f"{key} result {len(self.drafts.all)}"
                self.drafts.add(Draft("system", [place], kind="notice", results=[result]))

    def _summary(self, message: dict[str, Any], key: str) -> None:
        """The results of the last calls in the agent's name: shown only where they say something else."""
        text, last = as_str(message.get("content")), self.drafts.last
        if (
            last is not None
            and last.calls
            and text.strip() == "\n".join(r.content for r in last.results).strip()
        ):
            last.ids.append(key)
            return
        self._said(message, key)

    def _notice(self, message: dict[str, Any], key: str, kind: str) -> None:
        draft = self._draft(message, key)
        content = message.get("content", message.get("result"))
        text = content if isinstance(content, str) else readable(content) if content is not None else ""
        draft.message = f"{kind}: {text}" if text else kind
        draft.source, draft.kind = "system", "notice"
        self.drafts.add(draft)


def _same(one: Draft, other: Draft) -> bool:
    return one.source == other.source and one.extra.get("source") == other.extra.get("source")


def _words(content: Json, warn: Callable[[str], None]) -> str:
    """A text, a list of texts and pictures, or what a structured message holds."""
    if isinstance(content, list):
        plain = [
            "[image]" if isinstance(item, dict) and "data" in item and "type" not in item else item
            for item in content
        ]
        return text_of(plain, warn)
    return content if isinstance(content, str) else "" if content is None else readable(content)
