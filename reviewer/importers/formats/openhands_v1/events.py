"""The events of the OpenHands SDK folded into steps. Calls of one reply of the model are one step.

Results find their call by the id of the action, then by that of the tool call. Knows no files, no grades.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reviewer.importers.formats.openhands_v1.kinds import ANSWERS, QUIET
from reviewer.importers.formats.openhands_v1.results import blocks, result_of
from reviewer.importers.joining.openhands import PRODDING, ended_by
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    parsed,
    shown,
)
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

_ENDS: dict[str, Ended] = {
    "finished": "submitted",
    "error": "error",
    "stuck": "error",
    "paused": "user_stop",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One event with the id it has in its trace: its own, else its place."""

    id: str
    value: dict[str, Any]

    @property
    def kind(self) -> str:
        return as_str(self.value.get("kind"))


def events_of(history: Sequence[Json], warn: Callable[[str], None]) -> list[Event]:
    """All events in order."""
    found: list[Event] = []
    seen: set[str] = set()
    for index, value in enumerate(history):
        if not isinstance(value, dict):
            warn("an event that is no object is skipped")
            continue
        own = as_id(value.get("id")) or f"#{index}"
        own = f"{own} #{index}" if own in seen else own
        seen.add(own)
        found.append(Event(own, value))
    return found


class Events:
    """Reads the events once, in order, and keeps what the trace needs to know of them."""

    def __init__(self, events: Sequence[Event], warn: Callable[[str], None], metrics: dict[str, Any]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = self.spoke = self.status = ""
        self.ended: Ended = "unknown"
        self.n_calls = 0
        self._usage = _by_reply(metrics.get("token_usages"))
        self._latency = _by_reply(metrics.get("response_latencies"))
        self._reply, self._calling = "", None  # type: str, Draft | None
        self._homes: dict[str, tuple[Draft, str]] = {}
        for event in events:
            self._event(event)

    def _event(self, event: Event) -> None:
        kind, value = event.kind, event.value
        if kind == "ActionEvent":
            self._action(event)
        elif kind in ANSWERS:
            self._answer(event)
        elif kind == "MessageEvent":
            self._message(event)
        elif kind == "SystemPromptEvent":
            self._add(event, Draft("system", [event.id], blocks(value.get("system_prompt"), self.warn)))
            if more := blocks(value.get("dynamic_context"), self.warn):
                self._add(event, Draft("system", [f"{event.id} context"], more, kind="injected"))
        elif kind in ("Condensation", "CondensationSummaryEvent"):
            forgotten = len(as_list(value.get("forgotten_event_ids")))
            text = shown(value.get("summary")) or f"[events forgotten: {forgotten}]"
            self._add(event, Draft("system", [event.id], text, kind="compaction"))
        elif kind == "ACPToolCallEvent":
            self._other_agent(event)
        elif kind == "ConversationStateUpdateEvent":
            self._state(value)
        elif kind not in QUIET:
            self._notice(event)

    def _add(self, event: Event, draft: Draft) -> Draft:
        draft.at = iso(event.value.get("timestamp"))
        return self.drafts.add(draft)

    def _message(self, event: Event) -> None:
        value = event.value
        message = as_dict(value.get("llm_message"))
        text = blocks(message.get("content"), self.warn)
        agent = value.get("source") == "agent" or message.get("role") == "assistant"
        draft = self._add(event, Draft("agent" if agent else "user", [event.id], text))
        draft.think(_reasoning(message, self.warn))
        self.spoke, self.ended = ("agent" if agent else "user"), "unknown"
        if agent:
            self._spend(draft, as_id(value.get("llm_response_id")))
        elif PRODDING.match(text):
            draft.kind = "injected"
        elif not self.task:
            self.task = text
        if value.get("sender"):
            draft.extra["sender"] = value["sender"]
        if more := blocks(value.get("extended_content"), self.warn):
            self._add(event, Draft("user", [f"{event.id} extended"], more, kind="injected"))

    def _action(self, event: Event) -> None:
        value = event.value
        self.n_calls += 1
        made = as_id(value.get("llm_response_id"))
        draft = self._calling if made and made == self._reply else None
        if draft is None or draft is not self.drafts.last:
            draft = self._add(event, Draft("agent", [event.id]))
            self._spend(draft, made)
        else:
            draft.ids.append(event.id)
        thought, reasoning = blocks(value.get("thought"), self.warn), _reasoning(value, self.warn)
        draft.say("" if thought in draft.message else thought)
        draft.think("" if reasoning in draft.reasoning else reasoning)
        self._reply, self._calling = made, draft
        call = _call(value)
        own = call.id if call.id and call.id not in self._homes else event.id
        draft.call(ToolCall(call.name, call.arguments, own))
        self.drafts.note(draft)
        self._homes[event.id] = (draft, own)
        if call.id:
            self._homes[call.id] = (draft, own)
        for key in ("summary", "security_risk", "critic_result"):
            if value.get(key) not in (None, "", "UNKNOWN", as_dict(call.arguments).get(key)):
                draft.extra[key if key not in draft.extra else f"{key} {own}"] = value[key]
        kind = as_dict(value.get("action")).get("kind")
        finished = kind == "FinishAction" or (value.get("tool_name") == "finish" and value.get("action"))
        self.spoke, self.ended = "agent", "submitted" if finished else "unknown"
        self.spoke = "" if not finished else self.spoke

    def _answer(self, event: Event) -> None:
        value = event.value
        home = self._homes.get(as_id(value.get("action_id"))) or self._homes.get(
            as_id(value.get("tool_call_id"))
        )
        if home is None:
            result = result_of(value, "", self.warn)
            fault = event.kind == "AgentErrorEvent"
            draft = Draft("system", [event.id], kind="notice", fault=fault)
            draft.message = result.content
            self._add(event, draft)
            return
        draft, call_id = home
        draft.results.append(result_of(value, call_id, self.warn))
        draft.ids.append(event.id)
        if value.get("rejection_source") not in (None, "user"):
            draft.extra["rejection_source"] = value["rejection_source"]

    def _other_agent(self, event: Event) -> None:
        """A call that another agent made on its own; it is told anew whenever its state changes."""
        value = event.value
        call_id = as_id(value.get("tool_call_id")) or event.id
        home = self._homes.get(call_id)
        if home is None:
            draft = self._add(event, Draft("agent", [event.id]))
            name = as_str(value.get("tool_kind")) or shown(value.get("title")) or "unknown"
            draft.say(shown(value.get("title")))
            draft.call(ToolCall(name, value.get("raw_input"), call_id))
            self.n_calls += 1
            self._homes[call_id] = (draft, call_id)
        else:
            draft = home[0]
            draft.ids.append(event.id)
        output = value.get("raw_output")
        if output is None:
            output = value.get("content")
        if output not in (None, [], ""):
            text = output if isinstance(output, str) else readable(output)
            failed = value.get("is_error") is True or value.get("status") == "failed"
            draft.results[:] = [Result(text, call_id, failed)]

    def _state(self, value: dict[str, Any]) -> None:
        """Of the states of the conversation only how it stands is read."""
        state = value.get("value")
        key = as_str(value.get("key"))
        if key in ("execution_status", "agent_status"):
            self.status = as_str(state)
        elif key == "full_state":
            full = as_dict(state)
            self.status = as_str(full.get("execution_status") or full.get("agent_status")) or self.status

    def _notice(self, event: Event) -> None:
        value, kind = event.value, event.kind
        draft = Draft("system", [event.id], kind="notice")
        if kind in ("ConversationErrorEvent", "ServerErrorEvent"):
            draft.message = ": ".join(filter(None, (shown(value.get("code")), shown(value.get("detail")))))
            draft.fault, self.ended = True, ended_by(draft.message)
        elif kind in ("PauseEvent", "InterruptEvent"):
            draft.message, self.ended = kind.removesuffix("Event"), "user_stop"
        else:
            if kind != "HookExecutionEvent":
                self.warn(f"unknown event kind {kind[:80]!r} is shown as it stands")
            own = ("kind", "id", "timestamp", "source")
            rest = {key: item for key, item in value.items() if key not in own}
            draft.message = f"{kind}\n{dumped(rest)}" if rest else kind
        self._add(event, draft)

    def _spend(self, draft: Draft, reply: str) -> None:
        """Tokens and time of a reply, which a row keeps apart from its events."""
        used = self._usage.get(reply, {})
        tokens_in, tokens_out = as_int(used.get("prompt_tokens")), as_int(used.get("completion_tokens"))
        if reply and (tokens_in is not None or tokens_out is not None):
            draft.metrics = Metrics(tokens_in, tokens_out)
        draft.seconds = as_float(self._latency.get(reply, {}).get("latency")) if reply else None

    def stopped(self, alone: bool) -> Ended:
        """How it ended; in a run without people (`alone`) a message that calls nothing ends it too."""
        if self.ended != "unknown":
            return self.ended
        if self.status in _ENDS:
            return _ENDS[self.status]
        return "submitted" if alone and self.spoke == "agent" else "unknown"


def _by_reply(rows: Json) -> dict[str, dict[str, Any]]:
    return {as_id(as_dict(row).get("response_id")): as_dict(row) for row in as_list(rows)}


def _call(value: dict[str, Any]) -> ToolCall:
    """The call as the model wrote it; where that is not kept, the action that was made of it."""
    asked = as_dict(value.get("tool_call"))
    function = as_dict(asked.get("function")) or asked
    given = function.get("arguments")
    arguments = parsed(given) if isinstance(given, str) else given
    if not isinstance(arguments, dict):
        action = {key: item for key, item in as_dict(value.get("action")).items() if key != "kind"}
        arguments = given if isinstance(given, str) else action
    name = as_str(value.get("tool_name")) or as_str(function.get("name")) or "unknown"
    return ToolCall(name, arguments, as_id(value.get("tool_call_id")) or as_id(asked.get("id")))


def _reasoning(value: dict[str, Any], warn: Callable[[str], None]) -> str:
    """The model's reasoning: as a text, else from its blocks, else from an item of the Responses API."""
    if text := blocks(value.get("reasoning_content"), warn):
        return text
    thinking = [shown(as_dict(block).get("thinking")) for block in as_list(value.get("thinking_blocks"))]
    if any(thinking):
        return "\n\n".join(filter(None, thinking))
    item = as_dict(value.get("responses_reasoning_item"))
    parts = [*as_list(item.get("summary")), *as_list(item.get("content"))]
    return "\n\n".join(filter(None, (shown(as_dict(part).get("text", part)) for part in parts)))
