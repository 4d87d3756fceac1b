"""Steps while they are being put together: results arrive later than the calls they belong to.

Results are paired by call id, and where there is none by order. Knows no format and no file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
            for name in ("source", "message", "reasoning", "kind", "fault", "at", "seconds", "model", "metrics")
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

    def waiting(self) -> bool:
        """Whether the last step that calls something still waits for a result."""
        return self._last_calling is not None and bool(self._last_calling.waiting)

    def answer(self, result: Result, source_id: str) -> bool:
        """Put `result` to its call; False when there is no call that it could belong to."""
        draft = self._by_call.get(result.call_id) if result.call_id else self._last_calling
        if draft is None:
            return False
        place = next(
            (i for i in draft.waiting if not result.call_id or draft.calls[i].id == result.call_id), None
        )
        if place is not None:
            draft.waiting.remove(place)
        elif not result.call_id:
            return False
        draft.results.append(result)
        if source_id not in draft.ids:
            draft.ids.append(source_id)
        return True

    def steps(self) -> tuple[Step, ...]:
        return tuple(draft.step(n) for n, draft in enumerate(self.all, 1))
