"""Conversations in the shape of OpenAI's Responses API: responses, exchanges, streams, items, run states.

Responses that name one another as previous are one conversation, and so are requests that repeat all
before them. In a stream the last event holds the whole response; the deltas before it are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers import importer
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.openai_responses import states
from reviewer.importers.formats.openai_responses.calls import readable_error
from reviewer.importers.formats.openai_responses.forms import Talk, events_in, form, talks
from reviewer.importers.formats.openai_responses.ignored import IGNORED
from reviewer.importers.formats.openai_responses.items import Items
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, iso, shown, span
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.records import mostly, peeked, values
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.importers.shapes.wrappings import stranger
from reviewer.trace import Ended, Json, Metrics, Trace, TraceInfo

FORMAT = "openai_responses"
ABOUT = (
    "OpenAI Responses: responses, requests, streams, saved runs of the Agents SDK (wherever you logged them)"
)
VERSION = 2
GRADER_FIELDS: tuple[str, ...] = ()  # neither requests nor responses hold a grade
REASONS: dict[str, Ended] = {"max_output_tokens": "limit", "content_filter": "refused"}
STATUS: dict[str, Ended] = {"failed": "error", "cancelled": "user_stop"}
SETTINGS = ("status", "incomplete_details", "metadata", "conversation", "reasoning")


def sniff(source: Source) -> bool:
    """A response, a run state, or mostly such records; among items one at least that only this API has."""
    if source.is_text:
        return any(form(row) == "event" for row in events_in(source.text[:20_000]))
    forms = [form(row) for row in values(source, 40)]
    return mostly(bool, forms) and any(what not in ("", "message") for what in forms)


def read(source: Source) -> Iterator[Imported]:
    """Each conversation of the file."""
    source.hold()  # a stream, and a list of items, is a whole
    repeats = Repeats(source)
    found = False
    alone, every = peeked(talks(source))
    for talk in every:
        found = True
        if talk.other:
            row = (talk.line, talk.record, talk.raw)
            read_as = stranger(source, importer(talk.other), row, talk.index, alone)
        else:
            read_as = iter([_imported(source, talk, alone)])
        for imported in read_as:
            yield from repeats.once(imported, talk.line)
    if not found:
        raise InputError(f"{source.path}: no response of the Responses API in it")


class Told:
    """The steps of one conversation, and what its record says besides."""

    def __init__(self, source: Source, talk: Talk) -> None:
        self.items = Items(lambda reason: source.warn(reason, talk.line))
        self.messages = self.calls = 0
        self.task = ""
        self.ended: Ended = "unknown"
        self._seen: set[str] = set()
        self._count = 0
        instructions = talk.request.get("instructions") or next(
            (response.get("instructions") for response in talk.responses), None
        )
        self.instruct(instructions)
        for item in talk.heard:
            self.take(item)
            self._counted(item)
        for response in talk.responses:
            self._response(response)
        for event in talk.failed:
            self._fail(event)
        if talk.state:
            self._state(talk.state)

    def instruct(self, instructions: Json) -> None:
        if isinstance(instructions, list):
            for item in instructions:
                self.take(item)
        elif instructions:
            self.items.drafts.add(Draft("system", ["instructions"], shown(instructions)))

    def take(self, item: Json, at: str = "") -> Draft | None:
        """Fold an item in, under its own id where that is one of a kind."""
        own = as_id(as_dict(item).get("id"))
        source_id = own if own and own not in self._seen else f"#{self._count}"
        self._seen.add(source_id)
        self._count += 1
        draft = self.items.take(item, source_id, at)
        if draft is not None and draft.source == "user" and not draft.kind and not self.task:
            self.task = draft.message
        return draft

    def _counted(self, item: Json) -> None:
        self.messages += 1
        self.calls += as_str(as_dict(item).get("type")).endswith("_call")

    def _response(self, response: dict[str, Any]) -> None:
        self.items.model = as_str(response.get("model")) or self.items.model
        at = iso(response.get("created_at"))
        self.items.close()
        before = self.items.speaking
        for item in as_list(response.get("output")):
            self.take(item, at)
            self._counted(item)
        usage, draft = as_dict(response.get("usage")), self.items.speaking
        if usage and draft is not None and draft is not before:
            draft.metrics = Metrics(as_int(usage.get("input_tokens")), as_int(usage.get("output_tokens")))
        reason = as_str(as_dict(response.get("incomplete_details")).get("reason"))
        status = as_str(response.get("status"))
        self.ended = (
            REASONS.get(reason) or STATUS.get(status) or ("refused" if self.items.refused else "unknown")
        )
        if response.get("error"):
            self._fail(response["error"])

    def _fail(self, error: Json) -> None:
        text = readable_error(error)
        inner = as_dict(error).get("error")
        if inner and not as_dict(error).get("message"):
            text = readable_error(inner)
        self.items.close()
        self.items.drafts.add(Draft("system", [f"error #{self._count}"], text, kind="notice", fault=True))
        self._count += 1
        self.ended = "error"

    def _state(self, state: dict[str, Any]) -> None:
        given = states.get(state, "original_input")
        for item in given if isinstance(given, list) else [{"role": "user", "content": given}]:
            self.take(item)
        self.items.model = states.model(state)
        current = as_str(as_dict(states.get(state, "current_agent")).get("name"))
        for entry in states.entries(state):
            self.messages += 1
            self.calls += as_str(entry.get("type")) in states.CALLS
            draft = self.take(states.item_of(entry))
            agent = states.agent_of(entry)
            if draft is not None and agent and agent != current:
                draft.extra["agent"] = agent
        self.ended = states.ended(state)


def _imported(source: Source, talk: Talk, alone: bool) -> Imported:
    told = Told(source, talk)
    steps = told.items.drafts.steps()
    first = talk.responses[0] if talk.responses else {}
    task_id, mark = task_of(_named(talk, first), source.path.name, talk.index, alone)
    started, seconds = span(
        response.get(key) for response in talk.responses for key in ("created_at", "completed_at")
    )
    sums: dict[str, Any] = totals(steps)
    if talk.state:
        usage = states.usage(talk.state)
        sums["tokens_in"], sums["tokens_out"] = (
            as_int(usage["input_tokens"]),
            as_int(usage["output_tokens"]),
        )
    info = TraceInfo(
        **ids(talk.record),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=talk.index,
        task_id=task_id,
        task=told.task,
        model=as_str(first.get("model")) or as_str(talk.request.get("model")) or told.items.model,
        agent=as_str(as_dict(states.get(talk.state, "current_agent")).get("name")),
        ended=told.ended,
        n_messages=told.messages,
        n_tool_calls=told.calls,
        **sums,
        started=started,
        seconds=seconds or None,
        meta=_meta(talk) | mark,
    )
    return Imported(Trace(info, steps, talk.raw), ignored=IGNORED)


def _named(talk: Talk, first: dict[str, Any]) -> str:
    """What names the conversation: the id of its first response."""
    return as_id(first.get("id"))


def _meta(talk: Talk) -> dict[str, Json]:
    """Settings and status, the last that is told; of a run state all that is no conversation."""
    if talk.state:
        read = {
            "generated_items",
            "original_input",
            "model_responses",
            "last_model_response",
            "current_agent",
        }
        read |= {"last_processed_response", "session_items", "generatedItems", "originalInput"}
        read |= {"modelResponses", "lastModelResponse", "currentAgent", "lastProcessedResponse"}
        return {key: item for key, item in talk.state.items() if key not in read}
    last_first = talk.responses[::-1]
    found = {key: next((part[key] for part in last_first if part.get(key)), None) for key in SETTINGS}
    return {key: item for key, item in found.items() if item is not None}
