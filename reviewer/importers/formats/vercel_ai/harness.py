"""Events of the AI SDK's harness (`events.jsonl` of its file reporter): turns, steps, tools, errors.

A file is one session, which grows. A step's tools are noted before what the model said in it.
"""

from __future__ import annotations

from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import (
    as_dict,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    kind_of,
    shown,
    span,
)
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import objects, rows
from reviewer.importers.shapes.spans.messages import (
    Message,
    Warner,
    arguments_of,
    message_of,
    messages_of,
    words,
)
from reviewer.importers.shapes.spans.run import FINISH, Form
from reviewer.importers.shapes.spans.steps import INJECTED
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import (
    Ended,
    Json,
    Metrics,
    Result,
    ToolCall,
    Trace,
    TraceInfo,
    digest,
    record_hashes,
    trace_id,
)

KINDS = {
    "turn-start",
    "turn-finish",
    "step-start",
    "step-finish",
    "tool-start",
    "tool-end",
    "error",
    "diagnostic",
}


def sniff(source: Source) -> bool:
    """Rows with a `kind` of the reporter, most of them, and a turn among them."""
    seen = list(objects(source, 40))
    ours = [row for row in seen if as_str(row.get("kind")) in KINDS and "ts" in row]
    return 2 * len(ours) > len(seen) and any("callId" in row for row in ours)


def read(source: Source, form: Form) -> Imported:
    """The session."""
    source.hold()
    alone = isinstance(source.value, dict)  # a session of one event
    found = [(0, source.value, source.text)] if alone else list(rows(source))
    every = [(line, as_dict(value)) for line, value, _ in found]
    for line, value, _ in found:
        if not isinstance(value, dict):
            source.warn(f"a row that is {kind_of(value)}, not an object, is not shown", line)
    if not any(row for _, row in every):
        raise InputError(f"{source.path}: no event in it")
    steps = Steps()
    for index, (line, row) in enumerate(every):
        if row:
            steps.take(row, f"#{index}", _warner(source, line))
    made = steps.drafts.steps()
    values = [value for _, value, _ in found]
    task_id, mark = task_of("", source.path.name)
    started, seconds = span(row.get("ts") for _, row in every)
    info = TraceInfo(
        trace_id=trace_id([form.name, values[0]]),
        content_hash=digest(values),
        format=form.name,
        importer=form.version,
        source_path=str(source.path),
        task_id=task_id,
        task=next((step.message for step in made if step.source == "user" and not step.kind), ""),
        model=steps.first_model,
        agent=steps.agent,
        ended=steps.ended,
        n_messages=len(values),
        n_tool_calls=steps.n_calls,
        **totals(made),
        started=started,
        seconds=seconds,
        meta={"turns": steps.turns, **mark},
    )
    if source.is_json:
        raw = source.text.strip(" \t\r\n")
    else:
        texts = [dumped(line.text) if line.bad else line.text for line in source.lines]
        raw = "[" + ",\n".join(texts) + "]"
    return Imported(Trace(info, made, raw, record_hashes(values)), ignored=form.ignored)


def _warner(source: Source, line: int) -> Warner:
    return lambda reason: source.warn(reason, line)


class Steps:
    """Takes rows in order."""

    def __init__(self) -> None:
        self.drafts = Drafts()
        self.model = self.first_model = self.agent = ""
        self.ended: Ended = "unknown"
        self.n_calls = 0
        self.turns: list[Json] = []
        self._open: Draft | None = None
        self._heard: set[str] = set()
        self._began: Json = None

    def take(self, row: dict[str, Any], source_id: str, warn: Warner) -> None:
        match row.get("kind"):
            case "turn-start":
                self._turn(row, source_id, warn)
            case "step-start":
                self._open = self.drafts.add(self._draft(row, source_id))
                self._began = row.get("ts")
            case "step-finish":
                self._finish(row, source_id, warn)
            case "tool-start":
                self._call(row, source_id)
            case "tool-end":
                self._result(row, source_id, warn)
            case "turn-finish":
                self._end(row)
            case "error":
                text = _error(row.get("error"))
                self.drafts.add(
                    Draft("system", [source_id], text, kind="notice", fault=True, at=iso(row.get("ts")))
                )
                self.ended = "error"
            case "diagnostic":
                self._diagnostic(row, source_id)
            case kind:
                warn(f"unknown event {shown(kind)[:80]!r} is not shown (it stays in the raw record)")

    def _draft(self, row: dict[str, Any], source_id: str) -> Draft:
        return Draft(
            "agent", [source_id], at=iso(row.get("ts")), model=as_str(row.get("modelId")) or self.model
        )

    def _turn(self, row: dict[str, Any], source_id: str, warn: Warner) -> None:
        self.ended = "unknown"
        self._open = None
        self.model = as_str(row.get("modelId")) or self.model
        self.first_model = self.first_model or self.model
        self.agent = self.agent or as_str(row.get("provider"))
        self.turns.append({k: row[k] for k in ("callId", "provider", "modelId") if row.get(k) is not None})
        given = as_dict(row.get("input"))
        messages = [
            *messages_of(given.get("instructions"), warn, "system"),
            *messages_of(given.get("messages"), warn),
        ]
        for index, message in enumerate(messages):
            key = f"{message.source}:{message.text}"
            newest = index == len(messages) - 1 and message.source == "user"
            if message.text and (newest or key not in self._heard):
                draft = Draft(message.source, [f"{source_id}/{index}"], message.text, at=iso(row.get("ts")))
                if message.source == "user" and message.text.lstrip().startswith(INJECTED):
                    draft.kind = "injected"
                self.drafts.add(draft)
            self._heard.add(key)

    def _finish(self, row: dict[str, Any], source_id: str, warn: Warner) -> None:
        draft = self._open or self.drafts.add(self._draft(row, source_id))
        message: Message = message_of({"role": "assistant", "content": as_list(row.get("output"))}, warn)
        draft.say(message.text)
        draft.think(message.thoughts)
        self._heard.add(f"agent:{message.text}")
        for call in message.calls:
            if all(call.id != known.id or not call.id for known in draft.calls):
                draft.call(call)
        self.drafts.note(draft)
        for result in message.results:
            if all(result.call_id != known.call_id for known in draft.results):
                self.drafts.answer(result, source_id)
        usage = as_dict(row.get("usage"))
        sent, got = _tokens(usage.get("inputTokens")), _tokens(usage.get("outputTokens"))
        if sent is not None or got is not None:
            draft.metrics = Metrics(sent, got)
        times = span([self._began, row.get("ts")])[1] if self._open else None
        draft.seconds = times
        if source_id not in draft.ids:
            draft.ids.append(source_id)
        self._open = None

    def _call(self, row: dict[str, Any], source_id: str) -> None:
        self.n_calls += 1
        draft = self._open or self.drafts.add(self._draft(row, source_id))
        given = arguments_of(row.get("input"))
        draft.call(ToolCall(as_str(row.get("toolName")) or "unknown", given, as_id(row.get("toolCallId"))))
        self.drafts.note(draft)
        draft.extra[f"started {as_id(row.get('toolCallId'))}"] = iso(row.get("ts"))

    def _result(self, row: dict[str, Any], source_id: str, warn: Warner) -> None:
        output = row.get("output")
        failed = row.get("isError") is True
        text = _error(output) if failed else words(output, warn)
        result = Result(text, as_id(row.get("toolCallId")), error=failed)
        draft = self.drafts.answer(result, source_id)
        if draft is None:
            warn("a tool result without a call is shown as a step of its own")
            draft = self.drafts.add(Draft("user", [source_id], kind="notice"))
            draft.results.append(result)
        draft.extra[f"ended {result.call_id}"] = iso(row.get("ts"))

    def _end(self, row: dict[str, Any]) -> None:
        reason = row.get("finishReason")
        name = as_str(as_dict(reason).get("unified")) or as_str(reason)
        if self.ended != "error":
            self.ended = "error" if name == "error" else FINISH.get(name, "unknown")
        if self.turns:
            usage = as_dict(row.get("usage"))
            tokens = [_tokens(usage.get("inputTokens")), _tokens(usage.get("outputTokens"))]
            self.turns[-1] |= {"finished": iso(row.get("ts")), "finish_reason": name, "tokens": tokens}

    def _diagnostic(self, row: dict[str, Any], source_id: str) -> None:
        said = as_dict(row.get("diagnostic"))
        text = as_str(said.get("message")) or readable(row.get("diagnostic"))
        rest = {key: item for key, item in said.items() if key != "message"}
        fault = said.get("level") == "error"
        at = iso(row.get("ts"))
        self.drafts.add(Draft("system", [source_id], text, kind="notice", fault=fault, at=at, extra=rest))


def _tokens(value: Json) -> int | None:
    return as_int(value.get("total") if isinstance(value, dict) else value)


def _error(value: Json) -> str:
    inner = as_dict(value)
    text = ": ".join(filter(None, (as_str(inner.get("name")), as_str(inner.get("message")))))
    return text or shown(value)
