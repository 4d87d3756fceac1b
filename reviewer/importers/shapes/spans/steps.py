"""From the spans of one trace, in the order of time, to its steps.

Each model span re-sends the whole talk, so only what was not there before makes a step: a message counts as
known as often as it was already seen. A tool's span brings the result to the call that the model made, else
the next model span does. Knows no dialect and no file.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from reviewer.importers.opening.values import as_str, iso, parsed, shown
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.spans.messages import Message, Warner
from reviewer.importers.shapes.spans.reading import Reading
from reviewer.importers.shapes.spans.span import Span, first
from reviewer.trace import Json, Result, ToolCall, canonical

# What stands in a user's name and was typed by nobody.
INJECTED = (
    "<system-reminder>",
    "<system_notification>",
    "<environment_context>",
    "<environment_details>",
    "<user_instructions>",
    "<current_datetime>",
    "<reminder>",
    "# AGENTS.md instructions",
)


class Steps:
    """Takes spans in order; `drafts` are the steps so far."""

    def __init__(self, warn: Warner) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.seen: Counter[str] = Counter()
        self.answers: dict[str, str] = {}
        self.words: set[str] = set()
        self._silent: Draft | None = None

    def model(self, span: Span, reading: Reading, agent: str) -> None:
        """A model's turn: what it heard for the first time, and what it said."""
        self._hear(span, reading.heard)
        draft = self._draft(span, reading, agent)
        for message in reading.said:
            draft.say(message.text)
            draft.think(message.thoughts)
            for call in message.calls:
                draft.call(self._named(call, span, draft))
            self.seen.update(self._atoms(message))
        draft.model = reading.model or reading.asked
        draft.metrics = reading.metrics
        if reading.finish:
            draft.extra["finish_reason"] = reading.finish
        self._fault(draft, span)
        self.drafts.add(draft)
        for message in reading.said:
            for index, result in enumerate(message.results):
                self._result(span, result, index, Counter())
        self._silent = draft if reading.silent else None

    def tool(self, span: Span, reading: Reading, agent: str) -> None:
        """A tool's run: to the call it belongs to, else to the last silent turn, else a step of its own."""
        call = reading.call or ToolCall("unknown")
        found = self._waiting(call)
        about: dict[str, Json] = {"name": span.name, "at": span.at, "seconds": span.seconds, **span.extra}
        if found is None:
            call = self._numbered(call, span)
            draft = self._silent or self.drafts.add(Draft("agent", [span.source_id], at=span.at))
            draft.call(call)
            self.drafts.note(draft)
            self.seen[_call(call)] += 1
        else:
            draft, own = found
            if own.name != call.name:
                about["tool"] = call.name
            if call.arguments is not None and _same(own.arguments) != _same(call.arguments):
                about["arguments"] = call.arguments
            call = own
        text, error = reading.result, _error(span)
        if reading.failed or error:
            text = text or error or span.status or "failed"
        if text is not None:
            self.drafts.answer(Result(text, call.id, error=reading.failed), span.source_id)
            self.answers[call.id] = text
        if span.source_id not in draft.ids:
            draft.ids.append(span.source_id)
        draft.name = agent or draft.name
        more = {**about, **reading.rest, **_noted(span, set())}
        more |= {"error": error} if error and error != text else {}
        if span.status and span.status not in (text or "") and span.status not in error:
            more["status"] = span.status
        draft.extra[f"tool span {span.source_id}"] = {k: v for k, v in more.items() if v not in (None, "")}

    def notice(self, span: Span, reading: Reading, agent: str) -> None:
        """Something that is neither a turn nor a tool: a search for documents, a guard, a judge."""
        draft = self._draft(span, reading, agent)
        draft.source, draft.kind = "system", "notice"
        draft.say(reading.text or span.name)
        draft.model, draft.metrics = reading.model or reading.asked, reading.metrics
        self._fault(draft, span)
        self.drafts.add(draft)

    def task(self, span: Span, text: str) -> None:
        """What an agent was asked, where no message says it."""
        self.drafts.all.insert(0, Draft("user", [f"{span.source_id}/task"], text, at=span.at))
        self.words.add(_plain(text))

    def answer(self, span: Span, text: str, fault: bool) -> None:
        """What an agent answered, where no turn says it."""
        at = iso(span.end) if span.end is not None else span.at
        self.drafts.add(Draft("agent", [f"{span.source_id}/answer"], text, at=at, fault=fault))
        self.words.add(_plain(text))

    def knows(self, text: str) -> bool:
        """Whether somebody said just this."""
        return _plain(text) in self.words

    def _draft(self, span: Span, reading: Reading, agent: str) -> Draft:
        draft = Draft("agent", [span.source_id], at=span.at, seconds=span.seconds)
        draft.extra = {"span": span.name} if span.name else {}
        draft.name = agent or draft.name
        draft.extra |= reading.rest | span.extra | _noted(span, {"exception"})
        return draft

    def _fault(self, draft: Draft, span: Span) -> None:
        error = _error(span)
        draft.fault = span.failed or bool(error)
        if error or (span.failed and span.status):
            error = error or span.status
            if draft.message or draft.calls:
                draft.extra["error"] = error
            else:
                draft.say(error)
        if span.status and span.status not in error:
            draft.extra["status"] = span.status

    def _named(self, call: ToolCall, span: Span, draft: Draft) -> ToolCall:
        """A call with an id: without one, calls that run side by side could not be told apart."""
        return call if call.id else replace(call, id=f"{span.source_id}:{len(draft.calls) + 1}")

    def _numbered(self, call: ToolCall, span: Span) -> ToolCall:
        return call if call.id else replace(call, id=span.source_id)

    def _waiting(self, call: ToolCall) -> tuple[Draft, ToolCall] | None:
        """The unanswered call that a tool's run belongs to: by id, else by name and arguments, or name."""
        waiting = [
            (draft, draft.calls[place]) for draft in reversed(self.drafts.all) for place in draft.waiting
        ]
        if call.id:
            named = next((pair for pair in waiting if pair[1].id == call.id), None)
            if named is not None:
                return named
            waiting = [pair for pair in waiting if _made_up(pair[1].id)]
        alike = [pair for pair in waiting if pair[1].name == call.name]
        same = [pair for pair in alike if _same(pair[1].arguments) == _same(call.arguments)]
        if same or alike:
            best = same or alike
            last = best[0][0]
            return next(pair for pair in best if pair[0] is last)
        return None

    def _hear(self, span: Span, messages: list[Message]) -> None:
        """What a turn was sent: only what is new becomes steps."""
        local: Counter[str] = Counter()
        for index, message in enumerate(messages):
            for result in message.results:
                self._result(span, result, index, local)
            fresh: list[str] = []
            for atom in self._atoms(message):
                local[atom] += 1
                if local[atom] > self.seen[atom]:
                    fresh.append(atom)
            if fresh:
                self._new(span, message, set(fresh), index)
            for atom in fresh:
                self.seen[atom] = local[atom]

    def _new(self, span: Span, message: Message, fresh: set[str], index: int) -> None:
        draft = Draft(message.source, [f"{span.source_id}/{index}"], at=span.at)
        if _text(message) in fresh:
            draft.say(message.text)
        draft.think(message.thoughts)
        for call in message.calls:
            if _call(call) in fresh:
                draft.call(self._named(call, span, draft))
        if draft.source == "user" and draft.message.lstrip().startswith(INJECTED):
            draft.kind = "injected"
        self.drafts.add(draft)

    def _atoms(self, message: Message) -> list[str]:
        """What a message consists of: its words and its calls, each of which may be known or not."""
        if message.text:
            self.words.add(_plain(message.text))
        return [*([_text(message)] if message.text else []), *map(_call, message.calls)]

    def _result(self, span: Span, result: Result, index: int, local: Counter[str]) -> None:
        """A result that came with the next messages: known from the tool's span, or new."""
        source_id = f"{span.source_id}/{index}"
        if result.call_id in self.answers and result.call_id:
            if _same(self.answers[result.call_id]) != _same(result.content):
                self._differs(result)
            return
        atom = f"result:{result.call_id}:{_plain(result.content)}"
        local[atom] += 1
        if local[atom] <= self.seen[atom]:
            return
        self.seen[atom] = local[atom]
        if not result.call_id and any(_same(text) == _same(result.content) for text in self.answers.values()):
            return
        draft = self.drafts.answer(self._addressed(result), source_id)
        if draft is None:
            self.warn("a tool result whose call is not in the trace is shown as a step of its own")
            draft = self.drafts.add(Draft("user", [source_id], kind="notice", at=span.at))
            draft.results.append(result)
        if result.call_id:
            self.answers[result.call_id] = result.content

    def _addressed(self, result: Result) -> Result:
        """Without an id a result answers the first call that waits for one."""
        last = next((draft for draft in reversed(self.drafts.all) if draft.waiting), None)
        if last is None:
            return result
        known = {draft.calls[place].id for draft in self.drafts.all for place in draft.waiting}
        if result.call_id in known or (result.call_id and not _made_up(last.calls[last.waiting[0]].id)):
            return result
        return replace(result, call_id=last.calls[last.waiting[0]].id)

    def _differs(self, result: Result) -> None:
        """What the model was told is not what the tool gave back."""
        for draft in reversed(self.drafts.all):
            if any(call.id == result.call_id for call in draft.calls):
                draft.extra[f"result as the model read it {result.call_id}"] = result.content
                return


def _made_up(call_id: str) -> bool:
    """Whether an id is ours: the span's and a number."""
    return bool(re.search(r":\d+\Z", call_id))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _text(message: Message) -> str:
    return f"{message.source}:{_plain(message.text)}"


def _call(call: ToolCall) -> str:
    return f"call:{call.name}:{_same(call.arguments)}"


def _same(value: Json) -> str:
    """One spelling for what is the same JSON, whether it is written as a text or not."""
    inner = parsed(value)
    if inner is not None and not isinstance(inner, str):
        value = inner
    return _plain(value if isinstance(value, str) else canonical(value).decode())


def _error(span: Span) -> str:
    """The exception that a span noted."""
    for event in span.events:
        if event.name == "exception":
            values = event.attributes
            parts = (as_str(values.get("exception.type")), shown(values.get("exception.message")))
            return ": ".join(filter(None, parts))
    return first((span.status,)) if span.failed else ""


def _noted(span: Span, quiet: set[str]) -> dict[str, Json]:
    """The events of a span that say something else than the messages that were read out of them."""
    kept = []
    for event in span.events:
        skipped = event.name in quiet or event.name.startswith("gen_ai.")
        values = {key: item for key, item in event.attributes.items() if not skipped}
        if event.name == "exception":
            values = {
                k: v for k, v in event.attributes.items() if k not in ("exception.type", "exception.message")
            }
        if values or not skipped:
            kept.append({"name": event.name, "at": event.at, **values})
    return {"events": kept} if kept else {}
