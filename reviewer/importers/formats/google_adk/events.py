"""From the events of a session of Google's Agent Development Kit to steps; both spellings of their keys.

An event is a message: of the user, of an agent with its calls, or what its tools gave back. Knows nothing
of files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, iso, kind_of
from reviewer.importers.shapes.content import placeholder, readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

_CAMEL = re.compile(r"(?<=[a-z0-9])([A-Z])")
_FINISH: dict[str, Ended] = {
    "MAX_TOKENS": "limit",
    **dict.fromkeys(("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"), "refused"),
}
# Fields that are read, and those that say nothing about what happened.
_READ = {"id", "author", "content", "timestamp", "invocation_id", "usage_metadata", "actions", "partial"}
_READ |= {"error_code", "error_message", "finish_reason", "model_version", "turn_complete", "interrupted"}
_READ |= {"avg_logprobs", "logprobs_result", "cache_metadata"}
_EMPTY: tuple[Json, ...] = (None, "", [], {}, False)


def snake(value: Json) -> dict[str, Any]:
    """An object with its own keys in snake_case; what is inside keeps its names."""
    return {
        _CAMEL.sub(lambda found: "_" + found[1].lower(), key): item for key, item in as_dict(value).items()
    }


def is_event(row: Json) -> bool:
    row = as_dict(row)
    return "author" in row and bool({"invocation_id", "invocationId"} & row.keys())


def parts_of(event: dict[str, Any]) -> list[Json]:
    return as_list(as_dict(event.get("content")).get("parts"))


def calls_in(event: Json) -> int:
    """How many functions an event calls."""
    return sum("function_call" in snake(part) for part in parts_of(as_dict(event)))


class Reader:
    """Goes through the events once; `logs` are what was noted of a model call, by the event it made."""

    def __init__(
        self, events: Sequence[Json], logs: Mapping[str, dict[str, Any]], warn: Callable[[str], None]
    ) -> None:
        self.warn = warn
        self.logs = logs
        self.drafts = Drafts()
        self.ended: Ended = "unknown"
        self.model = ""
        self.agent = ""
        whole = [snake(event) for event in events]
        for index, event in enumerate(whole):
            if not isinstance(events[index], dict):
                warn(f"an event that is {kind_of(events[index])} is not shown (it stays in the raw record)")
            elif not _piece(event, whole[index + 1 :]):
                self._event(event, index)

    def _event(self, event: dict[str, Any], index: int) -> None:
        key = as_id(event.get("id"))
        if not key or any(key in draft.ids for draft in self.drafts.all):
            key = f"#{index}" if not key else f"{key} #{index}"
        author = as_str(event.get("author"))
        draft = Draft("user" if author == "user" else "agent", [key], at=iso(event.get("timestamp")))
        results = self._parts(event, draft)
        self._model(event, draft)
        self._about(event, draft)
        if author != "user":
            self.agent = self.agent or author
            draft.name = author
        if results and not (draft.message or draft.reasoning or draft.calls or draft.fault):
            self._answers(results, draft)
            return
        self.drafts.add(draft)
        for result in results:  # an agent that runs code says so in one event
            if self.drafts.answer(result, key) is None:
                draft.results.append(result)

    def _parts(self, event: dict[str, Any], draft: Draft) -> list[Result]:
        results: list[Result] = []
        for part in parts_of(event):
            given = snake(part)
            if isinstance(given.get("function_call"), dict):
                call = given["function_call"]
                draft.call(
                    ToolCall(as_str(call.get("name")) or "unknown", call.get("args"), as_id(call.get("id")))
                )
            elif isinstance(given.get("function_response"), dict):
                results.append(_response(given["function_response"]))
            elif isinstance(given.get("executable_code"), dict):
                code = given["executable_code"]
                draft.call(ToolCall(as_str(code.get("language")).lower() or "code", code.get("code")))
            elif isinstance(given.get("code_execution_result"), dict):
                ran = given["code_execution_result"]
                failed = as_str(ran.get("outcome")) not in ("OUTCOME_OK", "")
                results.append(Result(as_str(ran.get("output")), error=failed))
            elif isinstance(given.get("text"), str):
                draft.think(given["text"]) if given.get("thought") is True else draft.say(given["text"])
            elif data := as_dict(given.get("inline_data")) or as_dict(given.get("file_data")):
                draft.say(_data(snake(data)))
            elif part is not None:
                self.warn("a part of an unknown kind is shown as JSON")
                draft.say(readable(part))
        return results

    def _model(self, event: dict[str, Any], draft: Draft) -> None:
        log = self.logs.get(as_id(event.get("id")), {})
        reply = snake(log.get("model_response"))
        usage = snake(event.get("usage_metadata")) or snake(reply.get("usage_metadata"))
        if usage:
            thought = as_int(usage.get("thoughts_token_count")) or 0
            out = as_int(usage.get("candidates_token_count"))
            tokens = out + thought if out is not None else thought or None
            draft.metrics = Metrics(as_int(usage.get("prompt_token_count")), tokens)
        asked = as_str(as_dict(log.get("model_request")).get("model"))
        if draft.source == "agent":
            draft.model = as_str(event.get("model_version")) or asked
            self.model = self.model or draft.model
        reason = as_str(event.get("finish_reason"))
        if draft.source == "agent":
            self.ended = _FINISH.get(reason, "unknown")
        if reason not in ("", "STOP"):
            draft.extra["finish_reason"] = reason

    def _about(self, event: dict[str, Any], draft: Draft) -> None:
        """What an event says besides its words: an error, changed state, the hand-over to another agent."""
        if event.get("error_code") not in _EMPTY or event.get("error_message") not in _EMPTY:
            draft.fault, self.ended = True, "error"
            said = [as_str(event.get("error_code")), as_str(event.get("error_message"))]
            draft.say(": ".join(filter(None, said)))
        if event.get("interrupted") is True:
            draft.extra["interrupted"], self.ended = True, "user_stop"
        actions = {key: item for key, item in snake(event.get("actions")).items() if item not in _EMPTY}
        packed = snake(actions.pop("compaction", None))
        if packed:
            draft.kind = "compaction"
            texts = [
                as_str(as_dict(part).get("text"))
                for part in parts_of({"content": packed.get("compacted_content")})
            ]
            draft.say("\n".join(filter(None, texts)))
        draft.extra |= {f"actions.{key}": item for key, item in actions.items()}
        options = event.get("options")
        if isinstance(options, dict):
            options = {key: item for key, item in options.items() if item not in _EMPTY}
        parts = (
            as_dict(event.get("content")).get("parts")
            if as_dict(event.get("content"))
            else event.get("content")
        )
        if parts not in _EMPTY and not isinstance(parts, list):
            draft.extra["content"] = parts
        kept = {
            key: item for key, item in event.items() if key not in _READ | {"options"} and item not in _EMPTY
        }
        draft.extra |= kept | ({"options": options} if options else {})

    def _answers(self, results: list[Result], draft: Draft) -> None:
        key = draft.ids[0]
        for number, result in enumerate(results):
            step = self.drafts.answer(result, key)
            if step is None:
                self.warn("a function's response without a call is shown as a step of its own")
                alone = Draft("system", [f"{key} {number}"], kind="notice", results=[result], at=draft.at)
                self.drafts.add(alone)
                step = alone
            more = dict(draft.extra)
            if more:
                step.extra[f"result {key}"] = more


def _piece(event: dict[str, Any], later: Sequence[dict[str, Any]]) -> bool:
    """Whether an event is a piece of a stream whose whole follows."""
    if event.get("partial") is not True:
        return False
    whole = next(
        (
            other
            for other in later
            if other.get("author") == event.get("author") and other.get("partial") is not True
        ),
        None,
    )
    return whole is not None and whole.get("invocation_id") == event.get("invocation_id")


def _response(given: dict[str, Any]) -> Result:
    """What a function gave back: an `error` in the place of a result is one."""
    response = given.get("response")
    inner = as_dict(response)
    only = (
        inner["result"]
        if inner.keys() == {"result"}
        else inner["error"]
        if inner.keys() == {"error"}
        else response
    )
    text = only if isinstance(only, str) else "" if only is None else readable(only)
    failed = inner.get("error") not in _EMPTY or inner.get("isError") is True or inner.get("is_error") is True
    return Result(text, as_id(given.get("id")), error=failed)


def _data(data: dict[str, Any]) -> str:
    source = {"media_type": data.get("mime_type"), "data": data.get("data"), "url": data.get("file_uri")}
    return placeholder({"type": "file", "source": {key: item for key, item in source.items() if item}})
