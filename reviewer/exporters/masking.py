"""Takes secrets, personal data and names out of exported rows and traces, and counts what was taken.

What `redact` does not know stays. Modes, ids and numbers are left as they are. Annotators get a pseudonym
that is the same in every export, for who holds the store can turn it back anyway; annotators that came with a
published set are no persons of ours and keep their names.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from reviewer.label import FROM_SET, Annotator, Decision, LabelEvent, LabelledTrace, Suggestion
from reviewer.redact import Redacted, redact
from reviewer.trace import Json, Outcome, ToolCall, Trace, TraceInfo, digest

D = TypeVar("D", Decision, LabelEvent)
W = TypeVar("W", Decision, LabelEvent, Suggestion)


def pseudonym(id: str) -> str:
    """The id that stands for an annotator's."""
    return f"p-{digest(['pseudonym', id])[:10]}"


def of_sets(events: Iterable[LabelEvent]) -> frozenset[str]:
    """The annotators whose labels came with published sets."""
    return frozenset(event.annotator for event in events if event.origin.startswith(FROM_SET))


class Pseudonyms:
    """Numbers for names, in an order that tells nothing; `public` annotators keep theirs.

    A name that somebody wrote into a note or a reason becomes its number as well, if it stands there whole.
    """

    def __init__(self, known: Mapping[str, Annotator], public: frozenset[str] = frozenset()) -> None:
        hidden = sorted((id for id in known if id not in public), key=pseudonym)
        self._people = {
            id: Annotator(pseudonym(id), f"annotator {n}", tuple(map(pseudonym, known[id].also)))
            for n, id in enumerate(hidden, 1)
        }
        self._known = known
        self._called = {plain_name(known[id].name): self._people[id].name for id in reversed(hidden)}
        found = sorted((known[id].name for id in hidden if known[id].name.strip()), key=len, reverse=True)
        self._names = _words(found)

    def person(self, id: str) -> Annotator:
        return self._people.get(id) or self._known.get(id) or Annotator(pseudonym(id), "")

    def row(self, row: LabelledTrace) -> LabelledTrace:
        """The row with nobody's name in it."""
        people = {person.id: person for person in map(self.person, row.annotators)}
        decision = row.gold.decision
        return replace(
            row,
            annotators=people,
            labels=self.events(row.labels),
            blind=self.events(row.blind),
            history=self.events(row.history),
            gold=replace(row.gold, decision=self._worded(decision)) if decision else row.gold,
            suggestions=tuple(map(self._worded, row.suggestions)),
        )

    def events(self, events: Iterable[LabelEvent]) -> tuple[LabelEvent, ...]:
        """The events under pseudonyms, the names in their words too."""
        return tuple(
            replace(self._worded(event), annotator=self.person(event.annotator).id) for event in events
        )

    def text(self, text: str) -> str:
        """What somebody wrote, with the names of annotators in it, where they are words, replaced."""
        if self._names is None or not text:
            return text
        return self._names.sub(lambda found: self._called[plain_name(found[0])], text)

    def _worded(self, value: W) -> W:
        words = ("note", "reason", "rationale")
        said = {name: getattr(value, name) for name in words if hasattr(value, name)}
        masked = {name: self.text(text) for name, text in said.items()}
        return value if masked == said else replace(value, **masked)  # type: ignore[arg-type]


def plain_name(name: str) -> str:
    """Names that are the same to a reader. A single letter is one only as it is spelled: `a` is a word."""
    return name.casefold() if len(name) > 1 else name


def _words(names: Iterable[str]) -> re.Pattern[str] | None:
    """What finds these names, the first that fits, where they stand as words."""
    spelled = [f"(?i:{re.escape(name)})" if len(name) > 1 else re.escape(name) for name in names]
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)") if spelled else None


_MASK = "[masked value]"


class Masker:
    """Masks texts and remembers how many of each kind it masked; what stands in two places counts once."""

    def __init__(self) -> None:
        self.masked: Counter[str] = Counter()
        self._told: set[str] = set()  # texts that were counted

    def text(self, text: str) -> str:
        done = redact(text, personal=True)
        self._count(text, done)
        return done.text

    def value(self, value: Json) -> Json:
        """A JSON value, masked as its text, so that a secret's name beside it tells; else text by text."""
        if isinstance(value, str):
            return self.text(value)
        if not isinstance(value, dict | list):
            return value
        plain = json.dumps(value)
        done = redact(plain, personal=True)
        if not done.masked:
            return value
        try:
            masked: Json = json.loads(done.text)
        except ValueError:  # a pattern ran over the end of its text
            return self._parts(value)
        self._count(plain, done)
        return _fitted(value, masked)

    def _count(self, text: str, done: Redacted) -> None:
        if done.masked and text not in self._told:
            self._told.add(text)
            self.masked.update(done.masked)

    def _parts(self, value: Json) -> Json:
        if isinstance(value, dict):
            return {self.text(str(key)): self._parts(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._parts(inner) for inner in value]
        return self.text(value) if isinstance(value, str) else value

    def row(self, row: LabelledTrace) -> LabelledTrace:
        """The row with its notes, reasons, rationales, names of files and task masked."""
        decision = row.gold.decision
        gold = replace(row.gold, decision=self._decided(decision)) if decision else row.gold
        return replace(
            row,
            info=self.info(row.info),
            gold=gold,
            labels=tuple(map(self._decided, row.labels)),
            blind=tuple(map(self._decided, row.blind)),
            history=tuple(map(self._decided, row.history)),
            suggestions=tuple(map(self._suggestion, row.suggestions)),
            outcomes=tuple(map(self._outcome, row.outcomes)),
        )

    def info(self, info: TraceInfo) -> TraceInfo:
        texts = ("source_path", "task_id", "task", "model", "agent", "benchmark")
        masked = {name: self.text(getattr(info, name)) for name in texts}
        return replace(info, **masked, meta=self.value(dict(info.meta)))  # type: ignore[arg-type]

    def trace(self, trace: Trace) -> Trace:
        """The trace with its texts masked; the source record is left out of it."""
        steps = tuple(
            replace(
                step,
                message=self.text(step.message),
                reasoning=self.text(step.reasoning),
                name=self.text(step.name),
                model=self.text(step.model),
                calls=tuple(self._call(call) for call in step.calls),
                results=tuple(replace(one, content=self.text(one.content)) for one in step.results),
                extra=self.value(dict(step.extra)),
            )
            for step in trace.steps
        )
        return Trace(self.info(trace.info), steps)

    def _call(self, call: ToolCall) -> ToolCall:
        """The call with its tool, which may be anything that a model wrote there, and what it was given."""
        return replace(call, name=self.text(call.name), arguments=self.value(call.arguments))

    def _decided(self, value: D) -> D:
        return replace(value, note=self.text(value.note), reason=self.text(value.reason))

    def _outcome(self, one: Outcome) -> Outcome:
        return replace(
            one,
            detail=self.value(one.detail),
            final_state=self.value(one.final_state),
            expected_state=self.value(one.expected_state),
        )

    def _suggestion(self, one: Suggestion) -> Suggestion:
        evidence = tuple(
            replace(item, quote=self.text(item.quote), shows=self.text(item.shows)) for item in one.evidence
        )
        return replace(
            one, evidence=evidence, rationale=self.text(one.rationale), reason=self.text(one.reason)
        )


def _fitted(value: Json, masked: Json) -> Json:
    """What was masked, in the shape of what it was: where a mask took several values, each is masked."""
    if isinstance(value, dict) and isinstance(masked, dict) and len(value) == len(masked):
        pairs = zip(value.values(), masked.items(), strict=True)
        return {key: _fitted(inner, done) for inner, (key, done) in pairs}
    if isinstance(value, list) and isinstance(masked, list) and len(value) == len(masked):
        return [_fitted(inner, done) for inner, done in zip(value, masked, strict=True)]
    if not isinstance(value, dict | list) and not isinstance(masked, dict | list):
        return masked
    return _blank(value)


def _blank(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _blank(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_blank(inner) for inner in value]
    return value if value is None or isinstance(value, bool) else _MASK
