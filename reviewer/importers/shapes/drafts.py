"""Steps while they are being put together: results arrive later than the calls they belong to.

Results are paired by call id, and where there is none by order. Knows no format and no file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reviewer.trace import Json, Metrics, Result, Source, Step, ToolCall


@dataclass(slots=True)
class Draft:
    """A step that may still grow; `step(n)` freezes it."""

    source: Source
    ids: list[str]
    message: str = ""
    reasoning: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    kind: Literal["", "injected", "compaction", "notice"] = ""
    fault: bool = False
    at: str = ""
    seconds: float | None = None
    model: str = ""
    metrics: Metrics | None = None
    number: str = ""
    name: str = ""
    extra: dict[str, Json] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Add a paragraph to the message."""
        self.message = f"{self.message}\n\n{text}" if self.message and text else self.message or text

    def think(self, text: str) -> None:
        """Add a paragraph to the reasoning."""
        self.reasoning = f"{self.reasoning}\n\n{text}" if self.reasoning and text else self.reasoning or text

    def call(self, call: ToolCall) -> None:
        self.waiting.append(len(self.calls))
        self.calls.append(call)

    def step(self, n: int) -> Step:
        fields: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "source",
                "name",
                "message",
                "reasoning",
                "kind",
                "fault",
                "at",
                "seconds",
                "model",
                "metrics",
            )
        }
        return Step(
            n,
            **fields,
            calls=tuple(self.calls),
            results=tuple(self.results),
            source_ids=tuple(self.ids),
            number=self.number,
            extra=self.extra,
        )


class Drafts:
    """The steps of one trace in the making."""

    def __init__(self) -> None:
        self.all: list[Draft] = []
        self._last_calling: Draft | None = None
        self._by_call: dict[str, Draft] = {}

    def add(self, draft: Draft) -> Draft:
        self.all.append(draft)
        self.note(draft)
        return draft

    def note(self, draft: Draft) -> None:
        """Take notice of the calls of `draft`, again whenever it got more of them."""
        for call in draft.calls:
            if call.id:
                self._by_call[call.id] = draft
        if draft.calls:
            self._last_calling = draft

    @property
    def last(self) -> Draft | None:
        return self.all[-1] if self.all else None

    def waiting(self) -> int:
        """How many calls of the last step that calls something wait for a result."""
        return len(self._last_calling.waiting) if self._last_calling else 0

    def answer(self, result: Result, source_id: str) -> Draft | None:
        """Put `result` to its call and give back that step; None when it can belong to no call."""
        draft = self._by_call.get(result.call_id) or self._last_calling
        if draft is None:
            return None
        exact = result.call_id in self._by_call
        place = next((i for i in draft.waiting if _fits(draft.calls[i].id, result.call_id, exact)), None)
        if place is not None:
            draft.waiting.remove(place)
            result = replace(result, call_id=draft.calls[place].id)
        elif not exact:
            return None
        draft.results.append(result)
        if source_id not in draft.ids:
            draft.ids.append(source_id)
        return draft

    def steps(self) -> tuple[Step, ...]:
        return tuple(draft.step(n) for n, draft in enumerate(self.all, 1))


def _fits(call_id: str, wanted: str, exact: bool) -> bool:
    """By id where both sides have one, else whichever call comes first."""
    return call_id == wanted if exact else not (call_id and wanted)
