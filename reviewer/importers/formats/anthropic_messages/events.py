"""The events of a managed agent (`client.beta.sessions…`), folded into steps.

What the client sends comes back in the stream when it is taken up, so it is read there; without a stream
it is read where it was sent. Events between two requests to the model are one step.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.formats.anthropic_messages.steps import RESULT_IDS, Talk, call_in, tokens_in
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, iso
from reviewer.importers.shapes.content import readable, text_of
from reviewer.importers.shapes.drafts import Draft
from reviewer.trace import Ended, Json, Metrics

PREFIX = "client.beta.sessions"
KINDS = ("agent.", "user.", "session.", "span.", "system.")
QUIET = (
    "session.status_running",
    "session.status_rescheduled",
    "session.thread",
    "session.updated",
    "span.",
    "agent.thread",
)
STOPS: dict[str, Ended] = {"retries_exhausted": "error", "max_tokens": "limit", "refusal": "refused"}


def event_of(row: Json) -> Json:
    """The event in a row: the row itself, or what stands behind the name of the client's method."""
    if isinstance(row, list) and len(row) == 2 and as_str(row[0]).startswith(PREFIX):
        return row[1]
    return row


def is_event(row: Json) -> bool:
    """Whether a row is one of a managed agent's session."""
    if isinstance(row, list):
        return event_of(row) is not row
    kind = as_str(as_dict(row).get("type"))
    return kind.startswith(KINDS) and "." in kind and "id" in as_dict(row)


class Events:
    """Reads the rows of a session once, in order."""

    def __init__(self, rows: list[Json], talk: Talk) -> None:
        self.talk = talk
        self.agent = ""
        self.session = ""
        self.times: list[Json] = []
        self.ended: Ended = "unknown"
        self._open: Draft | None = None
        streamed = any(as_str(as_dict(event_of(row)).get("type")).startswith("user.") for row in rows)
        for index, row in enumerate(rows):
            for event in _events(row, streamed):
                self._event(as_dict(event), f"#{index}")

    def _event(self, event: dict[str, Any], place: str) -> None:
        kind, source_id = as_str(event.get("type")), as_id(event.get("id")) or place
        at = event.get("processed_at") or event.get("created_at")
        if at:
            self.times.append(at)
        if kind == "session" or "environment_id" in event:
            self._session(event)
        elif kind in ("agent.message", "agent.thinking") or (
            kind.startswith("agent.") and kind.endswith("tool_use")
        ):
            self._turn(event, kind, source_id, at)
        elif kind.endswith("tool_result"):
            self._open = None
            self.talk.result(event, source_id)
        elif kind.startswith("span."):
            self._span(event, kind)
        elif kind.startswith(QUIET):
            return
        else:
            self._other(event, kind, source_id, at)

    def _session(self, event: dict[str, Any]) -> None:
        agent = as_dict(event.get("agent"))
        model = agent.get("model")
        self.agent = as_str(agent.get("name")) or self.agent
        self.session = as_id(event.get("id")) or self.session
        self.talk.model = as_str(as_dict(model).get("id")) or as_str(model) or self.talk.model
        self.talk.system(agent.get("system"))

    def _turn(self, event: dict[str, Any], kind: str, source_id: str, at: Json) -> None:
        draft = self._open
        if draft is None:
            draft = self._open = self.talk.drafts.add(Draft("agent", [source_id], at=iso(at)))
        elif source_id not in draft.ids:
            draft.ids.append(source_id)
        if kind == "agent.message":
            draft.say(text_of(event.get("content"), self.talk.warn))
        elif kind == "agent.thinking":
            draft.think(text_of(event.get("content", event.get("thinking")), self.talk.warn))
        else:
            self.talk.n_calls += 1
            draft.call(call_in(event))
            self.talk.drafts.note(draft)

    def _span(self, event: dict[str, Any], kind: str) -> None:
        if kind == "span.model_request_start":
            self._open = None
        usage = as_dict(event.get("model_usage"))
        last = self.talk.drafts.last
        if usage and last is not None and last.source == "agent":
            last.metrics = Metrics(tokens_in(usage), as_int(usage.get("output_tokens")))
            last.fault = last.fault or event.get("is_error") is True

    def _other(self, event: dict[str, Any], kind: str, source_id: str, at: Json) -> None:
        self._open = None
        if kind == "user.message":
            text = text_of(event.get("content"), self.talk.warn)
            self.talk.task = self.talk.task or text
            self.talk.drafts.add(Draft("user", [source_id], text, at=iso(at)))
            return
        if kind.startswith("session.status_idle"):
            stop = as_str(as_dict(event.get("stop_reason")).get("type"))
            self.ended = STOPS.get(stop, "unknown")
            return
        if kind == "user.interrupt":
            self.ended = "user_stop"
        elif kind in ("session.error", "session.status_terminated", "session.deleted"):
            self.ended = "error"
        elif kind not in ("user.tool_confirmation", "user.define_outcome", "agent.thread_context_compacted"):
            self.talk.warn(f"unknown event {kind[:80]!r} is shown as a notice")
        rest = {
            key: item for key, item in event.items() if key not in ("type", "id", "processed_at", *RESULT_IDS)
        }
        self.talk.drafts.add(
            Draft(
                "system",
                [source_id],
                f"{kind}\n{readable(rest)}" if rest else kind,
                kind="notice",
                fault=kind == "session.error",
                at=iso(at),
                extra={key: event[key] for key in RESULT_IDS if event.get(key)},
            )
        )


def _events(row: Json, streamed: bool) -> list[Json]:
    """The events in one row; a row of what was sent holds several, and repeats the stream."""
    event = event_of(row)
    sent = next((part for part in as_list(event) if "events" in as_dict(part)), None)
    if sent is not None:
        return [] if streamed else as_list(as_dict(sent)["events"])
    if isinstance(event, dict):
        return as_list(event.get("data")) if "data" in event and "type" not in event else [event]
    return []
