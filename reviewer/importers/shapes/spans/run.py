"""One trace out of its spans: what they say, in order, and all about it.

Knows no file format; the dialects say what each span means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reviewer.importers.base import Imported, Source
from reviewer.importers.shapes.spans import about, genai, openinference, vercel
from reviewer.importers.shapes.spans.reading import Reading, read
from reviewer.importers.shapes.spans.span import Span, first
from reviewer.importers.shapes.spans.steps import Steps
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo, digest, record_hashes, trace_id

DIALECTS = (openinference.read, vercel.read, genai.read)
FINISH: dict[str, Ended] = {
    "length": "limit",
    "max_tokens": "limit",
    "content_filter": "refused",
    "content-filter": "refused",
    "refusal": "refused",
}


@dataclass(frozen=True, slots=True)
class Form:
    """What a format is called, and what of it is not read."""

    name: str
    version: int
    ignored: Mapping[str, str]
    agent: str = ""


class Run:
    """One trace in the making."""

    def __init__(self, source: Source, form: Form, group: list[Span], mixed: set[int], dump: bool) -> None:
        self.source, self.form, self.group = source, form, group
        self.mixed = mixed  # lines that hold spans of several traces
        self.traced = bool(group[0].trace) and not dump
        self.others: Counter[str] = Counter()
        self.told: list[tuple[Span, Reading]] = []
        self.by_id = {span.id: span for span in group if span.id}
        for span in group:
            reading = read(span, DIALECTS, self.warn)
            if reading is None:
                self.others[span.name or "unnamed"] += 1
            else:
                self.told.append((span, reading))
        self._wrap()
        self.told.sort(key=self._order)
        self.readings = {span.source_id: reading for span, reading in self.told}
        self.tops = self._tops()
        self.name = first(reading.agent for _, reading in [*self.tops, *self.told])

    def warn(self, reason: str) -> None:
        self.source.warn(reason, self.group[0].line)

    def _order(self, pair: tuple[Span, Reading]) -> tuple[float, int, int]:
        """By time; a parent before its child; else as in the file."""
        span = pair[0]
        return (span.start or 0.0, len(self._above(span)), span.place)

    def _above(self, span: Span) -> list[Span]:
        """The spans around a span, the nearest first."""
        found: list[Span] = []
        known = {span.id}
        at = self.by_id.get(span.parent)
        while at is not None and at.id not in known:
            known.add(at.id)
            found.append(at)
            at = self.by_id.get(at.parent)
        return found

    def _wrap(self) -> None:
        """A model's span around other models' spans is an agent: they say the same in detail."""
        inside: set[str] = set()
        for span, reading in self.told:
            if reading.role == "llm":
                inside |= {above.id for above in self._above(span)}
        names = {vercel.operation(span) for span, _ in self.told}
        for span, reading in self.told:
            inner = reading.outer and any(name.startswith(f"{reading.outer}.do") for name in names)
            if inner or (reading.role == "llm" and span.id and span.id in inside):
                reading.role = "agent"

    def _agent(self, span: Span, reading: Reading) -> str:
        """The agent that a span belongs to, where it is not the one that the trace is of."""
        own = reading.agent if reading.role != "tool" else ""
        around = (self.readings.get(above.source_id) for above in self._above(span))
        named = own or first(r.agent for r in around if r is not None and r.role == "agent")
        return named if named != self.name else ""

    def _tops(self) -> list[tuple[Span, Reading]]:
        """The agents that stand in no other agent."""
        agents = {span.source_id for span, reading in self.told if reading.role == "agent"}
        return [
            (span, reading)
            for span, reading in self.told
            if reading.role == "agent" and not any(above.source_id in agents for above in self._above(span))
        ]

    def imported(self, index: int, alone: bool, asked: dict[str, set[str]]) -> Imported:
        steps = Steps(self.warn)
        for span, reading in self.told:
            match reading.role:
                case "llm":
                    steps.model(span, reading, self._agent(span, reading))
                case "tool":
                    steps.tool(span, reading, self._agent(span, reading))
                case "rest":
                    steps.notice(span, reading, self._agent(span, reading))
        self._frame(steps)
        made = steps.drafts.steps()
        session = first(reading.session for _, reading in self.told)
        users = [s.message for s in made if s.source == "user" and not s.kind and s.message]
        before = asked.setdefault(session, set()) if session else set()
        top = first(reading.task for _, reading in self.tops)
        task = top or first(text for text in users if text not in before) or first(reversed(users))
        before |= set(users)
        named, mark = task_of(self.group[0].trace if self.traced else "", self.source.path.name, index, alone)
        sums = totals(made)
        if sums["tokens_in"] is None and sums["tokens_out"] is None and self.tops:
            sums |= {"tokens_in": self.tops[0][1].tokens_in, "tokens_out": self.tops[0][1].tokens_out}
        info = TraceInfo(
            **self._identity(),
            format=self.form.name,
            importer=self.form.version,
            source_path=str(self.source.path),
            source_index=index,
            task_id=named,
            task=task,
            model=self._model(),
            agent=self.name or self.form.agent,
            ended=self._ended(),
            n_messages=len(self.group),
            n_tool_calls=sum(reading.role == "tool" for _, reading in self.told),
            **sums,
            **about.times(self.group),
            meta=self._meta(steps, session) | mark,
        )
        records = record_hashes([span.record for span in self.group]) if self.traced else b""
        raw = about.raw(self.source, self.group, alone, self.mixed)
        outcomes = about.outcomes(self.group, self.warn)
        return Imported(Trace(info, made, raw, records), (), outcomes, self.form.ignored)

    def _frame(self, steps: Steps) -> None:
        """What the outermost agents were asked and answered, as far as no step says it."""
        if not any(draft.source == "user" and not draft.kind for draft in steps.drafts.all):
            for span, reading in self.tops[:1]:
                if reading.task:
                    steps.task(span, reading.task)
        for span, reading in self.tops:
            text = reading.answer or (first((span.status,)) if span.failed else "")
            if text and not steps.knows(text):
                steps.answer(span, text, span.failed)

    def _identity(self) -> dict[str, Any]:
        every = [[span.home, span.record] for span in self.group]
        if not self.traced:
            return ids(every)
        begin = self.group[0]
        return {
            "trace_id": trace_id([self.form.name, begin.trace, begin.record]),
            "content_hash": digest(every),
        }

    def _model(self) -> str:
        turns = [reading for _, reading in self.told if reading.role == "llm"]
        every = [*turns, *(reading for _, reading in self.told if reading.role != "rest")]
        return first(reading.asked or reading.model for reading in every)

    def _ended(self) -> Ended:
        if any(span.failed for span, _ in self.tops):
            return "error"
        turns = [(span, reading) for span, reading in self.told if reading.role == "llm"]
        if not turns:
            return "unknown"
        span, reading = turns[-1]
        return "error" if span.failed and not self.tops else FINISH.get(reading.finish.lower(), "unknown")

    def _meta(self, steps: Steps, session: str) -> dict[str, Json]:
        """Whence the spans come, what was noted of the agents, what else ran."""
        meta: dict[str, Json] = {
            "session": session,
            **about.home(self.group),
            "agents": [about.agent(steps, *told) for told in self.told if told[1].role == "agent"],
            "other_spans": dict(self.others),
        }
        return {key: item for key, item in meta.items() if item}
