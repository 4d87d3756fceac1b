"""From the messages that went to the model (`api_conversation_history.json`, the SDK's) to steps.

Calls are native blocks or XML in the text, results come back as blocks or as texts that begin with the name
of the tool. What the editor adds about itself stays in `extra`. Knows nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from reviewer.importers.formats.cline_roo.xml import reply, result_of
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
    parsed,
    shown,
    total,
)
from reviewer.importers.shapes.content import readable, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

ENVIRONMENT = "<environment_details>"
# Beginnings of texts in the user's name that the program put there.
INJECTED = (
    "[ERROR] You did not use a tool",
    "[TASK RESUMPTION]",
    "[NOTE]",
    "<explicit_instructions",
    "<system-reminder>",
    "<SYSTEM_NOTICE>",
    "<hook_context",
    "# Task Progress",
    "# task_progress",
    "# TODO LIST",
)
COMPLETES = {"attempt_completion", "submit_and_exit"}
_TASK = re.compile(r"\A\s*<(task|user_message|feedback)>\n?(.*?)\n?</\1>\s*\Z", re.DOTALL)
MODEL = re.compile(r"<model>([^<\n]{1,200})</model>")
_EXIT = re.compile(r"\bExit code: (-?\d{1,6})\b")
_FAILED = re.compile(
    r"\A\s*(?:The tool execution failed|<error>|\[ERROR\]|Missing value for"
    r"|Error (?:executing|reading|writing))"
)
_DENIED = re.compile(r"\A\s*(?:The user denied this operation|The user rejected|\{\"status\":\s*\"denied\")")
MESSAGE = {"role", "content", "ts", "id", "modelInfo", "metrics", "isSummary", "type", "text", "summary"}


class History:
    """Reads the messages once, in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.ended: Ended = "unknown"
        self.n_native = 0
        self.times: list[Json] = []
        self._ids: set[str] = set()

    def take(self, messages: Sequence[Json]) -> None:
        for index, message in enumerate(messages):
            if not isinstance(message, dict):
                self.warn(f"a message that is {kind_of(message)}, not an object, is shown as it stands", 0)
                self.drafts.add(Draft("system", [f"#{index}"], shown(message) or "null", kind="notice"))
                continue
            own = as_id(message.get("id"))
            key = own if own and own not in self._ids else f"#{index}"
            self._ids.add(key)
            self.times.append(message.get("ts"))
            if message.get("role") == "assistant":
                self._assistant(message, key)
            else:
                self._user(message, key)

    def system(self, prompt: Json) -> None:
        """The system prompt, where the file has it."""
        self.drafts.add(Draft("system", ["system_prompt"], shown(prompt)))

    def _unknown(self, reason: str) -> None:
        self.warn(reason, 0)

    def _draft(self, source: Any, message: dict[str, Any], key: str) -> Draft:
        draft = Draft(source, [key], at=iso(message.get("ts")))
        draft.extra |= {name: item for name, item in message.items() if name not in MESSAGE}
        return draft

    def _assistant(self, message: dict[str, Any], key: str) -> None:
        draft = self._draft("agent", message, key)
        info = as_dict(message.get("modelInfo"))
        draft.model = as_str(info.get("modelId")) or as_str(info.get("id"))
        self.model = draft.model or self.model
        draft.metrics = _metrics(as_dict(message.get("metrics")))
        if message.get("isSummary") is True:
            draft.kind = "compaction"
        if message.get("type") == "reasoning":
            draft.think(shown(message.get("text")) or text_of(message.get("summary"), self._unknown))
        content = message.get("content")
        for block in content if isinstance(content, list) else [content]:
            self._said(draft, block)
        called = {call.name for call in draft.calls}
        self.ended = "submitted" if called & COMPLETES else "unknown"
        self.drafts.add(draft)

    def _said(self, draft: Draft, block: Json) -> None:
        value = as_dict(block)
        kind = value.get("type")
        if kind == "tool_use":
            self.n_native += 1
            draft.call(
                ToolCall(as_str(value.get("name")) or "unknown", value.get("input"), as_id(value.get("id")))
            )
        elif kind in ("thinking", "reasoning"):
            draft.think(shown(value.get("thinking") or value.get("text")))
            draft.think(text_of(value.get("summary"), self._unknown))
        elif kind == "redacted_thinking":
            draft.think("[thinking that the provider hides]")
        elif kind == "thoughtSignature":
            return
        elif isinstance(block, str) or kind == "text":
            found = reply(block if isinstance(block, str) else shown(value.get("text")))
            draft.think(found.thought)
            draft.say(found.said)
            for name, arguments in found.calls:
                draft.call(ToolCall(name, arguments))
        elif block is not None:
            draft.say(text_of([block], self._unknown))

    def _user(self, message: dict[str, Any], key: str) -> None:
        """A message in the user's name: results, what the editor adds, words of a person."""
        draft = self._draft("user", message, key)
        if message.get("role") != "user":
            self.warn(f"unknown role {shown(message.get('role'))[:80]!r} is shown as the user", 0)
        content = message.get("content")
        said: list[str] = []
        added: list[str] = []  # by the program
        pending: tuple[str, list[str]] | None = None  # a result in several texts
        for block in content if isinstance(content, list) else [content]:
            if as_dict(block).get("type") == "tool_result":
                self._result(as_dict(block), draft, key)
                continue
            text = self._environment(_shown(block, self._unknown), draft)
            if (found := result_of(text)) is not None:
                self._answer(pending, draft, key)
                pending = (found[0], [found[1]])
            elif pending is not None:
                pending[1].append(text)
            elif text.lstrip().startswith(INJECTED) or _is_file(block):
                added.append(text)
            elif text.strip():
                told = _TASK.match(text)
                said.append(told[2] if told else text)
        self._answer(pending, draft, key)
        self._words(message, draft, "\n\n".join(said), "\n\n".join(added), key)

    def _words(self, message: dict[str, Any], draft: Draft, text: str, added: str, key: str) -> None:
        """The step of the user, unless all of it went to the calls that it answers."""
        answered = next((one for one in self.drafts.all if key in one.ids), None)
        if answered is not None and not (text or added or draft.results):
            answered.extra |= {f"{name} {key}": item for name, item in draft.extra.items()}
            return
        draft.message = text or added
        if message.get("isSummary") is True or _compacts(message):
            draft.kind = "compaction"
        elif not text and not draft.results:
            draft.kind = "injected"
        elif text and not self.task:
            self.task = text
        if answered is not None:
            draft.ids = [f"{key}#words"]
        self.ended = "unknown" if text and not draft.kind else self.ended
        self.drafts.add(draft)
        if text and added:
            self.drafts.add(Draft("user", [f"{key}#context"], added, kind="injected", at=draft.at))

    def _environment(self, text: str, draft: Draft) -> str:
        """The text without the note on the editor's state, which goes to `extra`."""
        cut = text.find(ENVIRONMENT)
        if cut < 0:
            return text
        note = text[cut + len(ENVIRONMENT) :].strip().removesuffix("</environment_details>").strip()
        draft.extra["environment"] = note
        if not self.model and (found := MODEL.search(note)):
            self.model = found[1]
        return text[:cut].rstrip()

    def _result(self, block: dict[str, Any], draft: Draft, key: str) -> None:
        text, failed = _outcome(block.get("content"), self._unknown)
        text, failed = self._environment(text, draft), failed or block.get("is_error") is True
        self._place(judged(text, as_id(block.get("tool_use_id")), failed), draft, key)

    def _answer(self, pending: tuple[str, list[str]] | None, draft: Draft, key: str) -> None:
        """A result in texts; it belongs to the call of the same name in the reply before."""
        if pending is None:
            return
        name, texts = pending
        result = judged("\n".join(text for text in texts if text).strip("\n"), "", False)
        last = self.drafts.last
        if last is not None and any(last.calls[place].name == name for place in last.waiting):
            place = next(place for place in last.waiting if last.calls[place].name == name)
            last.waiting.remove(place)
            last.results.append(result)
            if key not in last.ids:
                last.ids.append(key)
            return
        self._place(result, draft, key)

    def _place(self, result: Result, draft: Draft, key: str) -> None:
        if self.drafts.answer(result, key) is None:
            self.warn("a tool result whose call is not in the file is shown where it stands", 0)
            draft.results.append(result)


def _shown(block: Json, unknown: Callable[[str], None]) -> str:
    """The text of a block; a file that was named in the prompt with its path."""
    if _is_file(block):
        return f"{shown(block.get('path'))}\n{block['content']}"
    return text_of(block if isinstance(block, str) or block is None else [block], unknown)


def _is_file(block: Json) -> bool:
    value = as_dict(block)
    return value.get("type") == "file" and isinstance(value.get("content"), str)


def _compacts(message: dict[str, Any]) -> bool:
    return as_str(as_dict(message.get("metadata")).get("kind")).startswith("compaction")


def _outcome(content: Json, unknown: Callable[[str], None]) -> tuple[str, bool]:
    """The text of a result and whether it failed; the SDK's tools answer each query with its success."""
    value = parsed(content) if isinstance(content, str) else content
    rows = value if isinstance(value, list) else [value]
    if rows and all(isinstance(row, dict) and {"query", "result", "success"} <= row.keys() for row in rows):
        texts = (shown(row["result"]) or shown(row.get("error")) for row in rows)
        return "\n".join(filter(None, texts)), any(row["success"] is False for row in rows)
    return readable(content) if isinstance(content, dict) else text_of(content, unknown), False


def judged(text: str, call_id: str, failed: bool) -> Result:
    found = _EXIT.search(text[:400])
    code = as_code(found[1]) if found else None
    denied = bool(_DENIED.match(text))
    failed = failed or bool(_FAILED.match(text)) or bool(code)
    return Result(text, call_id, error=failed and not denied, denied=denied, exit_code=code)


def _metrics(value: dict[str, Any]) -> Metrics | None:
    """What a reply took. The SDK's `inputTokens` hold what was cached, the extension's `prompt` does not."""
    tokens = as_dict(value.get("tokens")) or value
    went = total(as_int(tokens.get(key)) for key in ("inputTokens", "prompt", "cached"))
    came = total(as_int(tokens.get(key)) for key in ("outputTokens", "completion"))
    cost = as_float(value.get("cost"))
    return None if went is None and came is None and cost is None else Metrics(went, came, cost)


def rows_of(value: Json) -> list[Json]:
    """The messages of a file: a list, or inside the object that the SDK writes."""
    return value if isinstance(value, list) else as_list(as_dict(value).get("messages"))
