"""From the observations of one Langfuse trace to its steps.

Model calls (generations) make the conversation; the runs of tools answer them. A generation around another
(the Vercel SDK logs both) is the inner one. Spans that only hold others are not shown, unless they failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reviewer.importers.formats.langfuse.observations import TYPES, Observation, within
from reviewer.importers.opening.values import as_dict, as_str, shown
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.conversation import Conversation, metrics_of, words
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.model_messages import recognised, said
from reviewer.importers.shapes.model_parts import Said, unwrapped
from reviewer.trace import Ended, Json, Result, Step, ToolCall

# What these do is a call with a result, though no model asked for it.
_RUNS = {"RETRIEVER", "EMBEDDING", "GUARDRAIL", "EVALUATOR"}
_FINISH: dict[str, Ended] = {
    "length": "limit",
    "max_tokens": "limit",
    "MAX_TOKENS": "limit",
    "content_filter": "refused",
    "content-filter": "refused",
    "refusal": "refused",
    "SAFETY": "refused",
}
QUIET = (None, "DEFAULT", "DEBUG")
_REASONS = ("finish_reason", "finishReason", "stop_reason", "ai.response.finishReason")


def generations(every: Sequence[Observation]) -> list[Observation]:
    """The model calls themselves, without those that only hold another."""
    return [item for item in every if item.kind == "GENERATION" and not within(item, "GENERATION")]


class Steps:
    """Goes through the observations once, in order."""

    def __init__(
        self, every: Sequence[Observation], trace: dict[str, Any], warn: Callable[[str], None]
    ) -> None:
        self.warn = warn
        self.calls = {id(item) for item in generations(every)}
        self.ended: Ended = "unknown"
        self.spoke = False
        told = {id(item): said(item.input, "user", warn) for item in every if id(item) in self.calls}
        heard = {text.strip() for items in told.values() for text in words(items, "user")}
        request = self._request(every, trace)
        self.talk = Conversation(words(request, "user"))
        if request and not self.talk.typed & heard:
            self.talk.hear(request, "trace")
        for item in every:
            self._observation(item, told.get(id(item), []))
        self._answer(every, trace)
        asked = words(request, "user")
        self.task = asked[0] if asked else self._first_user() or readable_or_none(trace.get("input"))

    def _request(self, every: Sequence[Observation], trace: dict[str, Any]) -> list[Said]:
        """What the user asked for, as the trace or the observation around everything says it."""
        roots = [item.input for item in every if not item.row.get("parentObservationId")]
        for given in (trace.get("input"), *roots[:1]):
            if found := recognised(given):
                return found
        return []

    def _first_user(self) -> str:
        users = [draft for draft in self.talk.drafts.all if draft.source == "user" and draft.message]
        return next((draft.message for draft in users if not draft.kind), users[0].message if users else "")

    def _observation(self, item: Observation, told: list[Said]) -> None:
        if id(item) in self.calls:
            self._generation(item, told)
        elif item.tool or item.kind in _RUNS:
            self._run(item)
        elif _speaks(item):
            self._notice(item)

    def _generation(self, item: Observation, told: list[Said]) -> None:
        self.talk.hear(told, item.id, item.at)
        draft = Draft("agent", [item.id], at=item.at, seconds=item.seconds, fault=item.failed)
        draft.model = as_str(item.row.get("model"))
        tokens = metrics_of(*item.usage())
        draft.metrics = tokens.get("metrics")
        draft.extra = about(item)
        gave = said(item.output, "agent", self.warn)
        self.spoke = self.spoke or bool(gave)
        self.talk.reply(gave, draft)
        reason = _reason(item)
        self.ended = "error" if item.failed else _FINISH.get(reason, "unknown")
        if _FINISH.get(reason):
            draft.extra["finish_reason"] = reason

    def _run(self, item: Observation) -> None:
        given, gave = item.asked(), item.gave()
        call = ToolCall(item.tool_name, given, item.call_id)
        text = _text(gave)
        if item.failed:
            text = text or as_str(item.row.get("statusMessage"))
        status = as_dict(gave).get("status") if as_dict(gave).get("type") == "tool" else ""
        failed = item.failed or status == "error" or as_dict(gave).get("is_error") is True
        done = gave is not None or item.failed or bool(item.row.get("endTime"))
        result = Result(text, item.call_id, error=failed) if done else None
        draft = Draft("agent", [item.id], at=item.at, seconds=item.seconds, extra=about(item))
        if not item.tool:
            draft.source, draft.kind = "system", "notice"
            draft.call(call)
            draft.results.extend([result] if result else [])
            self.talk.note(draft)
        else:
            self.talk.run(call, result, draft)

    def _notice(self, item: Observation) -> None:
        gave = item.output if item.output is not None else item.input
        text = f"{item.name}: {_text(gave)}" if gave is not None else item.name
        draft = Draft("system", [item.id], text, kind="notice", at=item.at, seconds=item.seconds)
        draft.fault, draft.extra = item.failed, about(item)
        self.talk.note(draft)

    def _answer(self, every: Sequence[Observation], trace: dict[str, Any]) -> None:
        """The answer of a trace whose model calls say nothing: lists come without what was said."""
        if self.spoke:
            return
        roots = [item.output for item in every if not item.row.get("parentObservationId")]
        for given in (trace.get("output"), *roots[:1]):
            if found := said(given, "agent", lambda _: None):
                self.talk.reply(found[-1:], Draft("agent", ["trace output"]))
                return

    def steps(self) -> tuple[Step, ...]:
        return self.talk.drafts.steps()


def about(item: Observation) -> dict[str, Json]:
    """What a person may want to know of an observation besides what it says."""
    row = item.row
    kept: dict[str, Json] = {}
    if row.get("level") not in QUIET:
        kept["level"] = row["level"]
    if item.kind not in TYPES:
        kept["type"] = row.get("type")
    for key in ("statusMessage", "promptName", "promptVersion"):
        if row.get(key) is not None:
            kept[key] = row[key]
    if item.kind == "GENERATION" and item.name:
        kept["name"] = item.name
    return kept


def _speaks(item: Observation) -> bool:
    """Whether something that is neither a model call nor a run of a tool says more than what it holds."""
    if item.kind == "EVENT" or item.kind not in TYPES or item.row.get("level") not in QUIET:
        return True
    return not item.inner and item.kind in ("SPAN", "CHAIN") and item.output is not None


def readable_or_none(value: Json) -> str:
    value = unwrapped(value)
    return "" if value is None else readable(value) if not isinstance(value, str) else value


def _text(value: Json) -> str:
    """What came back, in words: the content of a tool's message rather than the message."""
    inner = as_dict(value)
    if inner.get("type") == "tool" and isinstance(inner.get("content"), str):
        return str(inner["content"])
    return shown(value) if not isinstance(value, dict | list) else readable(value)


def _reason(item: Observation) -> str:
    """Why the model stopped, wherever the framework writes it."""
    output, given = item.output, item.attributes
    reply = as_dict(output[-1]) if isinstance(output, list) and output else as_dict(output)
    choice = reply.get("choices")
    inner = as_dict(choice[0]) if isinstance(choice, list) and choice else {}
    generated = reply.get("response_metadata")
    for holder in (reply, inner, as_dict(generated), given):
        for key in _REASONS:
            if isinstance(holder.get(key), str):
                return str(holder[key])
    return ""
