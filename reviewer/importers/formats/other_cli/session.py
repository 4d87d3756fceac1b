"""A session of a command-line agent while it is read: its steps, and what the rows say about the whole.

Knows no dialect.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from reviewer.importers.opening.values import (
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
)
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, Source, ToolCall


class Session:
    """Steps in the making. `messages` and `calls` count what the file holds, doubles included."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.messages = self.calls = 0
        self.task = self.first = self.model = self.id = ""
        self.ids: set[str] = set()
        self.made: Counter[str] = Counter()
        self.times: list[Json] = []
        self.meta: dict[str, Json] = {}
        self.thoughts: list[tuple[str, str]] = []  # reasoning that stands before the answer it belongs to
        self.here = self.parent = ""

    def place(self, own: Json, index: int) -> str:
        """The id of a row: its own where that is one, else its place in the file."""
        id = as_id(own)
        self.here = id if id and id not in self.ids and not id.startswith("#") else f"#{index}"
        self.ids.add(self.here)
        return self.here

    def add(self, source: Source, text: str = "", at: Json = None) -> Draft:
        """A new step for the row at hand; thoughts that wait go into the agent's."""
        draft = Draft(source, [self._fresh()], text)
        if iso(at):
            draft.at = iso(at)
            self.times.append(at)
        if self.thoughts and source == "agent":
            draft.ids[:0] = [id for id, _ in self.thoughts]
            for _, thought in self.thoughts:
                draft.think(thought)
            self.thoughts = []
        else:
            self.settle()
        return self.drafts.add(draft)

    def _fresh(self) -> str:
        """The id of a new step: that of its row, marked where the row made a step before."""
        self.made[self.here] += 1
        n = self.made[self.here]
        return self.here if n == 1 else f"{self.here}/{n}"

    def typed(self, kind: Json, text: str, at: Json) -> Draft:
        """A new step for a row of this type; one of a type never met is shown as a notice."""
        draft = self.add(_TYPES.get(kind, "system") if isinstance(kind, str) else "system", text, at)
        if draft.source == "system" and kind != "system":
            draft.kind = "notice"
            draft.extra["type"] = kind
            self.warn(f"unknown row type {shown(kind)[:80]!r} is shown as a notice")
        return draft

    def settle(self) -> None:
        """Thoughts after which no answer came are a step of their own."""
        for id, thought in self.thoughts:
            self.drafts.add(Draft("agent", [id], reasoning=thought, model=self.model))
        self.thoughts = []

    def asked(self, draft: Draft, request: str = "") -> None:
        """Take the first real request of a person as the task."""
        if draft.kind == "":
            self.task = self.task or request or draft.message

    def call(self, draft: Draft, call: ToolCall) -> None:
        draft.call(call)
        self.calls += 1
        self.drafts.note(draft)

    def functions(self, draft: Draft, calls: Json) -> None:
        """The calls of a message; what is no list of them stays with the step."""
        for call in as_list(calls):
            self.function(draft, call)
        if calls and not isinstance(calls, list):
            draft.extra["tool_calls"] = calls

    def function(self, draft: Draft, call: Json) -> None:
        """A call as chat APIs write it, or flat."""
        value = as_dict(call)
        inner = as_dict(value.get("function")) or value
        if not isinstance(inner.get("name"), str):
            self.warn(f"a tool call that names no function ({kind_of(call)}) is shown as it stands")
            self.call(draft, ToolCall("unknown", call))
            return
        self.call(draft, ToolCall(inner["name"], inner.get("arguments"), as_id(value.get("id"))))

    def answer(self, result: Result, loose: bool = False) -> Draft:
        """Put a result to its call; `loose`: to the agent's last step where no call stands written."""
        draft = self.drafts.answer(result, self.here)
        last = self.drafts.last
        if draft is None and loose and last is not None and last.source == "agent":
            last.results.append(result)
            last.ids.append(self.here)
            draft = last
        if draft is None:
            self.warn("a result without a call is shown as a step of its own")
            draft = self.drafts.add(Draft("system", [self._fresh()], kind="notice"))
            draft.results.append(result)
        return draft

    def text(self, content: Json) -> str:
        return text_of(content, self.warn)

    def spent(self, draft: Draft, usage: Mapping[str, Any], cost: Json = None) -> None:
        """Tokens under the names that providers give them."""
        tokens_in = _first(usage, "input_tokens", "prompt_tokens", "promptTokenCount", "inputTokens")
        tokens_out = _first(
            usage, "output_tokens", "completion_tokens", "candidatesTokenCount", "outputTokens"
        )
        money = as_float(cost)
        if (tokens_in, tokens_out, money) != (None, None, None):
            draft.metrics = Metrics(tokens_in, tokens_out, money)

    def by(self, draft: Draft, model: Json) -> None:
        """The model of a step, and of the session."""
        draft.model = as_str(model)
        self.model = self.model or draft.model

    def keep(self, draft: Draft, row: Mapping[str, Any], read: set[str]) -> None:
        """What is not read of a row stays with its step."""
        draft.extra |= {key: item for key, item in row.items() if key not in read and item is not None}


_TYPES: dict[str, Source] = {"user": "user", "assistant": "agent"}


def _first(usage: Mapping[str, Any], *names: str) -> int | None:
    return next((number for name in names if (number := as_int(usage.get(name))) is not None), None)


def written_calls(text: str, mark: Any) -> list[ToolCall]:
    """Calls that a message holds as text: `@name(id): {…}`, where `mark` finds the part before the object."""
    calls, decoder = [], json.JSONDecoder()
    for found in mark.finditer(text):
        try:
            arguments, _ = decoder.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            continue
        calls.append(ToolCall(found["name"], arguments, found["id"] or ""))
    return calls


def decoded(arguments: Json) -> Json:
    """Arguments whose values are JSON written as text, read one level deep."""
    if not isinstance(arguments, dict):
        return arguments
    return {key: item if (value := parsed(item)) is None else value for key, item in arguments.items()}


def joined(parts: Json, key: str = "text") -> str:
    """The texts under `key` of a list of objects."""
    return "\n".join(filter(None, (as_str(as_dict(part).get(key)) for part in as_list(parts))))
