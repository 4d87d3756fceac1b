"""From the messages of one Gemini CLI chat to steps: calls carry their results, thoughts their subjects.

Knows nothing of files and identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from reviewer.importers.formats.gemini_cli.log import Message
from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    kind_of,
    shown,
    total,
)
from reviewer.importers.shapes.content import placeholder, readable, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

AGENT = {"gemini", "model", "assistant"}
NOTICES = {"info", "warning", "error"}
# Beginnings of texts in the user's name that the program put there.
INJECTED = (
    "<session_context>",
    "<hook_context>",
    "<system-reminder>",
    "This is the Gemini CLI. We are setting up the context",
    "System: ",
)
SUMMARY = "<state_snapshot>"
CANCELLED = "Request cancelled."
# The shell tool says so inside its text, in lines of its own (or in what was once lines).
_EXIT = re.compile(r"(?:\A|\n|\\n)Exit Code: (-?\d{1,6})\b")
READ = {"id", "timestamp", "type", "content", "displayContent", "parts", "thoughts", "tokens", "model"}
READ |= {"toolCalls", "role"}


class Steps:
    """Takes messages in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.failed = False
        self.cancelled = False
        self.n_calls = 0

    def take(self, messages: Iterable[Message]) -> None:
        for message in messages:
            kind = as_str(message.value.get("type"))
            if kind in AGENT:
                self._agent(message)
            elif kind == "user":
                self._user(message)
            else:
                self._notice(message, kind)

    def _draft(self, source: Any, message: Message) -> Draft:
        draft = Draft(source, [message.id], at=iso(message.value.get("timestamp")))
        draft.extra |= {key: item for key, item in message.value.items() if key not in READ}
        return draft

    def _unknown(self, message: Message) -> Callable[[str], None]:
        return lambda reason: self.warn(reason, message.line)

    def _notice(self, message: Message, kind: str) -> None:
        if kind not in NOTICES:
            self.warn(f"unknown message type {kind[:80]!r} is shown as a notice", message.line)
        draft = self._draft("system", message)
        self._say(draft, message.value.get("content", message.value.get("parts")), message)
        draft.kind, draft.fault = "notice", kind == "error"
        draft.extra["type"] = kind
        self.failed = draft.fault
        self.cancelled = draft.message.strip() == CANCELLED
        self.drafts.add(draft)

    def _user(self, message: Message) -> None:
        value = message.value
        draft = self._draft("user", message)
        answers = self._say(draft, value.get("content", value.get("parts")), message)
        typed = _text(value.get("displayContent"))
        if typed and typed != draft.message:
            draft.extra["typed"] = typed
        for answer in answers:
            self._answer(draft, answer, message)
        if answers and not draft.message and not draft.results:
            return  # the answers stand in the steps of their calls
        text = draft.message.lstrip()
        if SUMMARY in text[:2000]:
            draft.kind = "compaction"
        elif text.startswith(INJECTED) or not text:
            draft.kind = "injected"
        elif not self.task:
            self.task = typed or draft.message
        self.failed = self.cancelled = False
        self.drafts.add(draft)

    def _answer(self, draft: Draft, answer: dict[str, Any], message: Message) -> None:
        """A result that stands in a message of its own; the call may carry the same already."""
        call_id = as_id(answer.get("id"))
        if any(call_id and call_id == result.call_id for one in self.drafts.all for result in one.results):
            return
        content, failed = _response(answer.get("response"))
        if self.drafts.answer(Result(content, call_id, error=failed), message.id) is None:
            self.warn("a tool result whose call is not in the file is shown where it stands", message.line)
            draft.results.append(Result(content, call_id, error=failed))

    def _agent(self, message: Message) -> None:
        value = message.value
        draft = self._draft("agent", message)
        draft.model = as_str(value.get("model"))
        self.model = self.model or draft.model
        self.failed = self.cancelled = False
        thoughts = value.get("thoughts")
        for thought in thoughts if isinstance(thoughts, list) else [thoughts]:
            draft.think(_thought(thought))
        self._say(draft, value.get("content"), message)
        self._say(draft, value.get("parts"), message)
        draft.metrics = _metrics(as_dict(value.get("tokens")))
        if not isinstance(value.get("tokens"), dict | None):
            draft.extra["tokens"] = value["tokens"]
        calls = value.get("toolCalls")
        if calls is not None and not isinstance(calls, list):
            self.warn(f"toolCalls that are {kind_of(calls)} are shown as they stand", message.line)
            draft.extra["toolCalls"] = calls
        for call in as_list(calls):
            self._call(draft, call, message)
        self.n_calls += len(draft.calls)
        self.drafts.add(draft)

    def _say(self, draft: Draft, content: Json, message: Message) -> list[dict[str, Any]]:
        """Take what a message says; gives back the tool results in it."""
        answers: list[dict[str, Any]] = []
        carried = {as_id(as_dict(call).get("id")) for call in as_list(message.value.get("toolCalls"))}
        for part in content if isinstance(content, list) else [content]:
            value = as_dict(part)
            if isinstance(value.get("functionResponse"), dict):
                answers.append(value["functionResponse"])
            elif isinstance(value.get("functionCall"), dict):
                call = value["functionCall"]
                if as_id(call.get("id")) not in carried or not carried:
                    name = as_str(call.get("name")) or "unknown"
                    draft.call(ToolCall(name, call.get("args"), as_id(call.get("id"))))
            elif value.get("thought") is True:
                if as_str(value.get("text")) not in draft.reasoning:
                    draft.think(as_str(value.get("text")))
            else:
                draft.say(_part(part, self._unknown(message)))
        return answers

    def _call(self, draft: Draft, call: Json, message: Message) -> None:
        if not isinstance(call, dict):
            self.warn(f"a tool call that is {kind_of(call)} is shown as it stands", message.line)
            draft.calls.append(ToolCall("unknown", call))
            return
        name, call_id = as_str(call.get("name")) or "unknown", as_id(call.get("id"))
        place = len(draft.calls)
        draft.call(ToolCall(name, call.get("args"), call_id))
        status = as_str(call.get("status"))
        result = call_result(call, self._unknown(message))
        if result is None:
            if status and status not in ("success", "error", "cancelled"):
                draft.extra[f"status of {call_id or name}"] = status
            return
        draft.waiting.remove(place)
        draft.results.append(result)


def call_result(call: dict[str, Any], unknown: Callable[[str], None]) -> Result | None:
    """What came back for a call: what the model got, else what the terminal showed; None when nothing."""
    status = as_str(call.get("status"))
    failed = False
    texts: list[str] = []
    parts = call.get("result")
    for part in parts if isinstance(parts, list) else [] if parts is None else [parts]:
        answer = as_dict(as_dict(part).get("functionResponse"))
        if answer:
            text, wrong = _response(answer.get("response"))
            failed = failed or wrong
            texts.append(text)
            texts += [_part(inner, unknown) for inner in as_list(answer.get("parts"))]
        else:
            texts.append(_part(part, unknown))
    if not texts and call.get("resultDisplay") not in (None, ""):
        texts.append(_displayed(call["resultDisplay"]))
    if not texts and status not in ("error", "cancelled"):
        return None
    content = "\n".join(text for text in texts if text)
    found = _EXIT.search(content)
    code = as_code(found[1]) if found else None
    denied = status == "cancelled"
    return Result(
        content,
        as_id(call.get("id")),
        error=not denied and (status == "error" or failed or bool(code)),
        denied=denied,
        exit_code=code,
    )


def _response(response: Json) -> tuple[str, bool]:
    """The text of a function's response, and whether it is an error."""
    if not isinstance(response, dict):
        return shown(response), False
    if set(response) == {"output"}:
        return shown(response["output"]), False
    if set(response) == {"error"}:
        return shown(response["error"]), True
    return readable(response), "error" in response


def _displayed(display: Json) -> str:
    """What the terminal showed: a text, a change of a file, or lines of coloured tokens."""
    if isinstance(display, dict):
        return shown(display["fileDiff"]) if "fileDiff" in display else readable(display)
    if isinstance(display, list) and all(isinstance(line, list) for line in display):
        return "\n".join("".join(as_str(as_dict(token).get("text")) for token in line) for line in display)
    return shown(display) if isinstance(display, str) else readable(display)


def _part(part: Json, unknown: Callable[[str], None]) -> str:
    """The text of one part; pictures and files as placeholders."""
    value = as_dict(part)
    if isinstance(value.get("inlineData"), dict):
        data = value["inlineData"]
        source = {"media_type": data.get("mimeType"), "data": data.get("data")}
        return placeholder({"type": "file", "source": source})
    if isinstance(value.get("fileData"), dict):
        source = {"media_type": value["fileData"].get("mimeType"), "url": value["fileData"].get("fileUri")}
        return placeholder({"type": "file", "source": source})
    return text_of(part if isinstance(part, str) or part is None else [part], unknown)


def _text(content: Json) -> str:
    """The plain text in a content, nothing else."""
    parts = content if isinstance(content, list) else [content]
    texts = (part if isinstance(part, str) else as_str(as_dict(part).get("text")) for part in parts)
    return "\n\n".join(text for text in texts if text)


def _thought(thought: Json) -> str:
    value = as_dict(thought)
    if not value:
        return shown(thought)
    return ": ".join(filter(None, (shown(value.get("subject")), shown(value.get("description")))))


def _metrics(tokens: dict[str, Any]) -> Metrics | None:
    """`input` holds what came from the cache; what was thought is output, prompts of tools are input."""
    if not tokens:
        return None
    known = {key: as_int(tokens.get(key)) for key in ("input", "tool", "output", "thoughts")}
    return Metrics(total((known["input"], known["tool"])), total((known["output"], known["thoughts"])))
