"""The events of OpenHands V0 folded into steps: actions, and the observations that they are the cause of.

Calls of one reply of the model are one step. Results find their call by `cause`, then by the id of the tool
call (which models without native calls repeat: `toolu_01`), then by order. Knows no files and no grades.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reviewer.importers.formats.openhands_v0.calls import call_of, response, said, usage
from reviewer.importers.formats.openhands_v0.results import images, recalled, result_of
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
    shown,
)
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Metrics, Result, Step, ToolCall

QUIET = {"null", "recall", "change_agent_state", "agent_state_changed", "condensation_request"}
# Actions that are no calls of a tool.
NOISE = QUIET | {"system", "condensation", "message"}
STATES: dict[str, Ended] = {"error": "error", "rejected": "refused", "stopped": "user_stop"}


@dataclass(frozen=True, slots=True)
class Event:
    """One event with the id it has in its trace: its own, else its place in the history."""

    id: str
    value: dict[str, Any]


def is_event(value: Json) -> bool:
    """An action with its arguments or an observation with its content; both at once is another format."""
    if not isinstance(value, dict) or "kind" in value:
        return False
    action, observation = value.get("action"), value.get("observation")
    if isinstance(action, str) and observation is None:
        return isinstance(value.get("args"), dict)
    return isinstance(observation, str) and action is None and {"content", "extras"} <= value.keys()


def events_of(history: Sequence[Json], warn: Callable[[str], None]) -> list[Event]:
    """All events in order, those of [action, observation] pairs too."""
    found: list[Event] = []
    seen: set[str] = set()
    for index, item in enumerate(history):
        for place, value in enumerate(item if isinstance(item, list) else [item]):
            if not isinstance(value, dict):
                warn("an event that is no object is skipped")
                continue
            default = f"#{index}.{place}" if isinstance(item, list) else f"#{index}"
            own = as_id(value.get("id")) or default
            own = f"{own} {default}" if own in seen else own
            seen.add(own)
            found.append(Event(own, value))
    return found


def delegations(events: Sequence[Event]) -> tuple[list[Event], list[tuple[Event, list[Event]]]]:
    """The agent's own events, and those of each agent it delegated to, with the action that did so."""
    own: list[Event] = []
    others: list[tuple[Event, list[Event]]] = []
    at = 0
    while at < len(events):
        own.append(events[at])
        end = _returns(events, at) if events[at].value.get("action") == "delegate" else 0
        if end > at + 1:
            others.append((events[at], list(events[at + 1 : end])))
        at = max(end, at + 1)
    return own, others


def _returns(events: Sequence[Event], start: int) -> int:
    """Where the agent that was delegated to at `start` hands back, or 0."""
    depth = 0
    for at in range(start, len(events)):
        depth += events[at].value.get("action") == "delegate"
        depth -= events[at].value.get("observation") == "delegate"
        if depth == 0:
            return at
    return 0


def is_call(event: dict[str, Any]) -> bool:
    return isinstance(event.get("action"), str) and event["action"] not in NOISE


class Events:
    """Reads the events once, in order, and keeps what the trace needs to know of them."""

    def __init__(self, events: Sequence[Event], warn: Callable[[str], None], metrics: dict[str, Any]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = self.model = self.agent = self.version = ""
        self.ended: Ended = "unknown"
        self.spent: dict[str, Any] = {}  # the last running totals that an event holds
        self._latency = {
            as_id(as_dict(item).get("response_id")): as_float(as_dict(item).get("latency"))
            for item in as_list(metrics.get("response_latencies"))
        }
        self._reply, self._calling = "", None  # type: str, Draft | None
        self._cost = 0.0
        self._homes: dict[str, tuple[Draft, str]] = {}
        for event in events:
            self._event(event)

    def steps(self) -> tuple[Step, ...]:
        """The steps; the ids of the events, where they are numbers, as the source's own numbering."""
        for n, draft in enumerate(self.drafts.all, 1):
            numbers = [int(part) for part in draft.ids if part.isdecimal() and len(part) < 10]
            if numbers:
                first, last = min(numbers), max(numbers)
                number = str(first) if first == last else f"{first}–{last}"
                draft.number = "" if number == str(n) else number
        return self.drafts.steps()

    def _event(self, event: Event) -> None:
        value = event.value
        if isinstance(value.get("action"), str):
            self._action(event, value["action"], as_dict(value.get("args")))
        elif isinstance(value.get("observation"), str):
            self._observation(event, value["observation"])
        else:
            self.warn("an event that is neither an action nor an observation is shown as it stands")
            self._add(Draft("system", [event.id], dumped(value), kind="notice"), value)

    def _add(self, draft: Draft, value: dict[str, Any]) -> Draft:
        draft.at = iso(value.get("timestamp"))
        return self.drafts.add(draft)

    def _action(self, event: Event, kind: str, args: dict[str, Any]) -> None:
        value = event.value
        if kind == "message":
            self._message(event, args)
        elif kind == "system":
            self.version = as_str(args.get("openhands_version")) or self.version
            self.agent = as_str(args.get("agent_class")) or self.agent
            self._add(Draft("system", [event.id], shown(args.get("content"))), value)
        elif kind == "condensation":
            forgotten = len(as_list(args.get("forgotten_event_ids"))) or shown(
                args.get("forgotten_events_start_id")
            )
            text = shown(args.get("summary")) or f"[events forgotten: {forgotten}]"
            self._add(Draft("system", [event.id], text, kind="compaction"), value)
        elif kind not in QUIET:
            self._call(event, kind)

    def _message(self, event: Event, args: dict[str, Any]) -> None:
        value = event.value
        source = value.get("source") or ("agent" if args.get("wait_for_response") else "user")
        pictures = images([*_listed(args.get("image_urls")), *_listed(args.get("images_urls"))])
        text = "\n".join([shown(args.get("content")), *pictures])
        if source == "agent":
            draft = self._add(Draft("agent", [event.id], text), value)
            thought = shown(args.get("thought"))
            draft.think("" if thought in text else thought)
            self._spend(draft, value)
            self.ended = "unknown"
            return
        draft = self._add(Draft("user", [event.id], text), value)
        if source != "user" or PRODDING.match(text):
            draft.kind = "injected"
        elif not self.task:
            self.task = text

    def _call(self, event: Event, kind: str) -> None:
        value = event.value
        made = as_id(response(value).get("id"))
        draft = self._calling if made and made == self._reply else None
        if draft is None or draft is not self.drafts.last:
            source = "user" if value.get("source") == "user" else "agent"
            draft = self._add(Draft("user" if source == "user" else "agent", [event.id]), value)
            message, reasoning = said(value, self.warn)
            draft.say(message)
            draft.think(reasoning)
            draft.seconds = self._latency.get(made)
            draft.model = as_str(response(value).get("model"))
            self.model = self.model or draft.model
            self._spend(draft, value)
        else:
            draft.ids.append(event.id)
            thought = said(value, self.warn)[0]
            draft.say("" if thought in draft.message else thought)
        self._reply, self._calling = made, draft
        name, arguments = call_of(value)
        asked = as_id(as_dict(value.get("tool_call_metadata")).get("tool_call_id"))
        own = f"event {event.id}" if not asked or asked in self._homes else asked
        draft.call(ToolCall(name, arguments, own))
        self.drafts.note(draft)
        self._homes[f"event {event.id}"] = (draft, own)
        if asked:
            self._homes[asked] = (draft, own)
        self.ended = "submitted" if kind == "finish" else "refused" if kind == "reject" else "unknown"

    def _spend(self, draft: Draft, value: dict[str, Any]) -> None:
        """Tokens of the reply; of the cost only the running total is known."""
        spent = as_dict(value.get("llm_metrics"))
        total = as_float(spent.get("accumulated_cost"))
        cost = None if total is None else max(0.0, round(total - self._cost, 10))
        self._cost = self._cost if total is None else total
        draft.metrics = usage(value, cost) or (Metrics(cost=cost) if cost else None)
        self.spent = spent or self.spent

    def _observation(self, event: Event, kind: str) -> None:
        value = event.value
        extras = as_dict(value.get("extras"))
        if kind == "agent_state_changed":
            self._state(event, as_str(extras.get("agent_state")), shown(extras.get("reason")))
        elif kind == "recall":
            if text := recalled(value):
                self._add(Draft("system", [event.id], text, kind="injected"), value)
        elif kind == "condense":
            self._add(Draft("system", [event.id], shown(value.get("content")), kind="compaction"), value)
        elif kind != "null":
            self._result(event, kind)

    def _state(self, event: Event, state: str, reason: str) -> None:
        """The states of the controller are quiet, but for those that tell why it stopped."""
        if state in STATES:
            told = ended_by(reason)
            self.ended = STATES[state] if told in ("unknown", "error") else told
        if reason or state == "error":
            draft = Draft("system", [event.id], reason or state, kind="notice", fault=state == "error")
            self._add(draft, event.value)

    def _result(self, event: Event, kind: str) -> None:
        value = event.value
        asked = as_id(as_dict(value.get("tool_call_metadata")).get("tool_call_id"))
        cause = as_id(value.get("cause"))
        home = self._homes.get(f"event {cause}") or self._homes.get(asked)
        if home is None and not cause and not asked and self._calling and self._calling.waiting:
            home = (self._calling, self._calling.calls[self._calling.waiting[0]].id)
        if home is None:
            self._loose(event, kind, result_of(value, "", self.warn))
            return
        draft, call_id = home
        place = next((i for i in draft.waiting if draft.calls[i].id == call_id), None)
        if place is not None:
            draft.waiting.remove(place)
        draft.results.append(result_of(value, call_id, self.warn))
        draft.ids.append(event.id)

    def _loose(self, event: Event, kind: str, result: Result) -> None:
        """An observation that no action is the cause of: the harness speaks."""
        fault = kind == "error"
        draft = Draft("system", [event.id], kind="notice", fault=fault)
        if fault or kind in ("success", "message", "user_rejected", "loop_detection"):
            draft.message = result.content
        else:
            draft.results.append(result)
        if error_id := as_dict(event.value.get("extras")).get("error_id"):
            draft.extra["error_id"] = error_id
        self._add(draft, event.value)


def _listed(urls: Json) -> list[Json]:
    return [urls] if isinstance(urls, str) else as_list(urls)


def tokens(spent: dict[str, Any]) -> dict[str, int | None]:
    """The running totals of tokens, by their names in `TraceInfo`."""
    counted = as_dict(spent.get("accumulated_token_usage"))
    return {
        "tokens_in": as_int(counted.get("prompt_tokens")),
        "tokens_out": as_int(counted.get("completion_tokens")),
    }
