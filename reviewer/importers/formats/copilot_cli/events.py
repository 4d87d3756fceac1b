"""From the events of one Copilot session (or one of its sub-agents) to steps.

A message of the assistant asks for tools; that they ran, also some that nobody asked for, is said by events
of their own. Knows nothing of files and identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.counting import count
from reviewer.importers.formats.copilot_cli.ignored import NOTICES, QUIET
from reviewer.importers.formats.copilot_cli.rows import Event
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    shown,
    span,
)
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.spans.messages import arguments_of, words
from reviewer.importers.shapes.spans.span import first
from reviewer.importers.shapes.spans.steps import INJECTED
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

_EXIT = re.compile(r"(?:exited with )?exit code:? (-?\d{1,6})\b", re.IGNORECASE)
# How Copilot says that a person or a rule did not let a tool run.
DENIED = {"denied", "rejected", "permission_denied", "user_rejected"}
CALL = {"toolCallId", "name", "toolName", "arguments", "type"}
OURS = {"interactionId", "turnId", "requestId", "parentToolCallId", "toolTelemetry"}
SAID = OURS | {"messageId", "content", "toolRequests", "reasoningText", "outputTokens", "model"}
SAID |= {"reasoningOpaque", "encryptedContent", "reasoningId"}
DONE = OURS | {"toolCallId", "success", "result", "error", "model", "toolName"}


class Steps:
    """Takes events in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self._warn = warn
        self.drafts = Drafts()
        self.task = self.model = ""
        self.ended: Ended = "unknown"
        self.meta: dict[str, Json] = {}
        self._current = ""
        self._thought = ""
        self._messages: dict[str, Draft] = {}
        self._starts: dict[str, Json] = {}

    def take(self, row: Event) -> None:
        known: dict[str, Callable[[Event], None]] = {
            "session.start": self._start,
            "session.model_change": self._model_change,
            "session.shutdown": self._shutdown,
            "session.error": self._error,
            "session.task_complete": self._complete,
            "session.compaction_complete": self._compaction,
            "session.snapshot_rewind": self._rewind,
            "system.message": self._system,
            "system.notification": self._system,
            "skill.invoked": self._skill,
            "user.message": self._user,
            "assistant.message": self._assistant,
            "assistant.reasoning": self._reasoning,
            "assistant.usage": self._usage,
            "tool.user_requested": self._asked_by_user,
            "tool.execution_start": self._began,
            "tool.execution_complete": self._done,
            "abort": self._abort,
            "result": self._result_of_run,
        }
        if row.kind in known:
            known[row.kind](row)
        elif row.kind in NOTICES:
            self._notice(row)
        elif row.kind not in QUIET:
            self._warn(f"unknown event {row.kind[:80]!r} is not shown (it stays in the raw record)", row.line)

    def _draft(self, row: Event, **fields: Any) -> Draft:
        return self.drafts.add(Draft(ids=[row.id], at=iso(row.value.get("timestamp")), **fields))

    def _says(self, row: Event) -> Callable[[str], None]:
        return lambda reason: self._warn(reason, row.line)

    def _start(self, row: Event) -> None:
        data = row.data
        self._current = as_str(data.get("selectedModel")) or as_str(data.get("model")) or self._current
        self.meta |= {k: v for k, v in data.items() if k not in ("sessionId", "startTime", "version") and v}

    def _model_change(self, row: Event) -> None:
        before, self._current = self._current, as_str(row.data.get("newModel")) or self._current
        old = as_str(row.data.get("previousModel")) or before
        rest = {k: v for k, v in row.data.items() if k not in ("newModel", "previousModel") and v is not None}
        if old or rest:
            text = f"model: {old} → {self._current}" if old else f"model: {self._current}"
            self._draft(row, source="system", message=text, kind="notice", extra=rest)

    def _shutdown(self, row: Event) -> None:
        quiet = ("modelMetrics", "sessionStartTime")
        self.meta["shutdown"] = {k: v for k, v in row.data.items() if k not in quiet and v is not None}

    def _error(self, row: Event) -> None:
        text = ": ".join(filter(None, (as_str(row.data.get("errorType")), shown(row.data.get("message")))))
        rest = {k: v for k, v in row.data.items() if k not in ("errorType", "message")}
        self._draft(row, source="system", message=text, kind="notice", fault=True, extra=rest)
        self.ended = "error"

    def _complete(self, row: Event) -> None:
        """The agent says that it is done; whether it is right, nobody says."""
        text = shown(row.data.get("summary"))
        rest = {"task_complete": {k: v for k, v in row.data.items() if k != "summary"}}
        self._draft(row, source="system", message=text or "task complete", kind="notice", extra=rest)
        self.ended = "submitted"

    def _compaction(self, row: Event) -> None:
        text = (
            shown(row.data.get("summaryContent"))
            or shown(row.data.get("error"))
            or "the context was compacted"
        )
        rest = {k: v for k, v in row.data.items() if k != "summaryContent"}
        fault = row.data.get("success") is False
        self._draft(row, source="user", message=text, kind="compaction", fault=fault, extra=rest)

    def _rewind(self, row: Event) -> None:
        """A person went back: what came after the named event is not part of the talk any more."""
        upto = as_id(row.data.get("upToEventId"))
        place = next((i for i, draft in enumerate(self.drafts.all) if upto in draft.ids), None)
        if upto and place is not None:
            lost = len(self.drafts.all) - place
            self.drafts.all = self.drafts.all[:place]
            words = count(lost, "step", "before a rewind is", "before a rewind are")
            self._warn(f"{words} not shown (kept in the raw record)", row.line)
        self._notice(row)

    def _system(self, row: Event) -> None:
        text = words(row.data.get("content"), self._says(row))
        rest = {k: v for k, v in row.data.items() if k not in ("content", "role")}
        if row.kind == "system.notification":
            self._draft(row, source="user", message=text, kind="injected", extra=rest)
        else:
            self._draft(row, source="system", message=text, extra=rest)

    def _skill(self, row: Event) -> None:
        text = shown(row.data.get("content"))
        rest = {k: v for k, v in row.data.items() if k != "content"}
        self._draft(row, source="user", message=text, kind="injected", extra=rest)

    def _user(self, row: Event) -> None:
        data = row.data
        text = words(data.get("content"), self._says(row))
        rest = {
            k: v for k, v in data.items() if k not in ("content", "interactionId") and v not in (None, [], "")
        }
        if rest.get("transformedContent") == data.get("content"):
            rest.pop("transformedContent", None)
        draft = self._draft(row, source="user", message=text, extra=rest)
        source = as_str(data.get("source"))
        if (source and source != "user") or text.lstrip().startswith(INJECTED) or not text.strip():
            draft.kind = "injected"
        elif not self.task:
            self.task = text
        self.ended = "unknown"

    def _assistant(self, row: Event) -> None:
        data = row.data
        key = as_id(data.get("messageId"))
        draft = self._messages.get(key) if key else None
        if draft is None:
            draft = self._draft(row, source="agent")
            if key:
                self._messages[key] = draft
        else:
            draft.ids.append(row.id)
        draft.say(words(data.get("content"), self._says(row)))
        draft.think(as_str(data.get("reasoningText")) or self._thought)
        self._thought = ""
        for request in as_list(data.get("toolRequests")):
            self._request(draft, as_dict(request))
        self.drafts.note(draft)
        draft.model = as_str(data.get("model")) or self._current
        self.model = self.model or draft.model
        tokens = as_int(data.get("outputTokens"))
        if tokens is not None:
            draft.metrics = Metrics(None, tokens)
        if not isinstance(data.get("toolRequests"), list | None):
            draft.extra["toolRequests"] = data["toolRequests"]
        draft.extra |= {k: v for k, v in data.items() if k not in SAID and v not in (None, "", [], {})}
        self.ended = "unknown"

    def _request(self, draft: Draft, request: dict[str, Any]) -> None:
        name = first((as_str(request.get("name")), as_str(request.get("toolName")))) or "unknown"
        call = ToolCall(name, arguments_of(request.get("arguments")), as_id(request.get("toolCallId")))
        if all(call.id != known.id or not call.id for known in draft.calls):
            draft.call(call)
        if rest := {k: v for k, v in request.items() if k not in CALL and v not in (None, "")}:
            draft.extra[f"call {call.id}"] = rest

    def _reasoning(self, row: Event) -> None:
        """Thoughts come before or after the message they belong to."""
        text = shown(row.data.get("content"))
        last = self.drafts.last
        if last is not None and last.source == "agent" and not last.reasoning and not last.results:
            last.think(text)
        elif last is None or text not in last.reasoning:
            self._thought = text

    def _usage(self, row: Event) -> None:
        last = next((draft for draft in reversed(self.drafts.all) if draft.source == "agent"), None)
        if last is not None:
            data = row.data
            cost = as_float(data.get("costUsd"))
            last.metrics = Metrics(as_int(data.get("inputTokens")), as_int(data.get("outputTokens")), cost)
            last.model = last.model or as_str(data.get("model"))
            self.model = self.model or last.model

    def _asked_by_user(self, row: Event) -> None:
        """A person ran a tool."""
        draft = self._draft(row, source="user")
        self._request(draft, row.data)
        self.drafts.note(draft)

    def _began(self, row: Event) -> None:
        """A tool runs; one that no message asked for is a call of the step that was open."""
        data = row.data
        call_id = as_id(data.get("toolCallId"))
        self._starts[call_id] = row.value.get("timestamp")
        if call_id and any(call.id == call_id for draft in self.drafts.all for call in draft.calls):
            return
        last = self.drafts.last
        if last is None or last.source != "agent":
            last = self._draft(row, source="agent", model=self._current)
        self._request(last, data)
        self.drafts.note(last)

    def _done(self, row: Event) -> None:
        data = row.data
        call_id = as_id(data.get("toolCallId"))
        value, error = data.get("result"), data.get("error")
        inner = as_dict(value)
        text = words(inner.get("content", value), self._says(row))
        code = as_str(as_dict(error).get("code"))
        if error is not None:
            text = text or shown(as_dict(error).get("message")) or shown(error)
        denied = code.lower() in DENIED or (error is not None and "denied by" in text.lower()[:200])
        failed = data.get("success") is False or (error is not None and data.get("success") is not True)
        found = _EXIT.search(text[-200:]) if "exit code" in text[-200:].lower() else None
        exit_code = int(found[1]) if found else None
        result = Result(text, call_id, (failed or bool(exit_code)) and not denied, denied, exit_code)
        draft = self.drafts.answer(result, row.id)
        if draft is None:
            self._warn("a tool result whose call is not in the file is shown as a step of its own", row.line)
            draft = self._draft(row, source="user", kind="notice")
            draft.results.append(result)
        more = {k: v for k, v in data.items() if k not in DONE and v not in (None, "", [], {})}
        more |= {
            k: v for k, v in inner.items() if k != "content" and v not in (None, "", inner.get("content"))
        }
        more |= {"code": code} if code else {}
        if call_id in self._starts:
            more["seconds"] = span([self._starts[call_id], row.value.get("timestamp")])[1]
        if more:
            draft.extra[f"result {call_id}"] = more
        if not draft.model and draft.source == "agent":
            draft.model = as_str(data.get("model")) or self._current
        self.model = self.model or as_str(data.get("model"))

    def _abort(self, row: Event) -> None:
        text = f"aborted: {shown(row.data.get('reason'))}".removesuffix(": ")
        self._draft(row, source="user", message=text, kind="notice")
        self.ended = "user_stop"

    def _result_of_run(self, row: Event) -> None:
        """The last line of a run without a screen."""
        self.meta["result"] = {k: v for k, v in row.value.items() if k not in ("type", "sessionId")}
        if row.value.get("exitCode") not in (0, None):
            self.ended = "error"

    def _notice(self, row: Event) -> None:
        data = row.data
        keys = ("message", "error", "question", "answer", "agentDescription", "summary")
        text = first(shown(data.get(key)) for key in keys)
        rest = {k: v for k, v in data.items() if k not in keys or shown(v) != text}
        head = row.kind if not text else f"{row.kind}: {text}"
        fault = row.kind == "subagent.failed"
        self._draft(row, source="system", message=head, kind="notice", fault=fault, extra=rest)
