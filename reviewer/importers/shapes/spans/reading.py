"""What one span says, in the words of all dialects: a model's turn, a tool's run, an agent around them.

Each dialect gives a `Reading` for a span it knows and None for any other. Knows no dialect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from reviewer.importers.shapes.spans.messages import Message, Warner
from reviewer.importers.shapes.spans.span import Attributes, Span
from reviewer.trace import Json, Metrics, ToolCall

Role = Literal["llm", "tool", "agent", "rest"]


@dataclass(slots=True)
class Reading:
    """One span, understood; `rest` are the attributes that nobody understood.

    `outer` names the operation whose inner spans say the same in detail (the AI SDK's `ai.generateText`):
    such a span is a model's turn only where those are not there.
    """

    role: Role
    heard: list[Message] = field(default_factory=list)
    said: list[Message] = field(default_factory=list)
    model: str = ""
    asked: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    call: ToolCall | None = None
    result: str | None = None
    failed: bool = False
    agent: str = ""
    session: str = ""
    task: str = ""
    answer: str = ""
    finish: str = ""
    outer: str = ""
    text: str = ""
    rest: dict[str, Json] = field(default_factory=dict)

    @property
    def metrics(self) -> Metrics | None:
        if self.tokens_in is None and self.tokens_out is None and self.cost is None:
            return None
        return Metrics(self.tokens_in, self.tokens_out, self.cost)

    @property
    def silent(self) -> bool:
        """Whether nothing of what was said was recorded, as is usual where nobody asked for it."""
        return all(message.empty for message in self.said)


Dialect = Callable[[Span, Attributes, Warner], Reading | None]


def read(span: Span, dialects: tuple[Dialect, ...], warn: Warner) -> Reading | None:
    """The reading of the first dialect that knows the span."""
    attributes = Attributes(span.attributes)
    for dialect in dialects:
        reading = dialect(span, attributes, warn)
        if reading is not None:
            reading.rest = attributes.rest()
            return reading
    return None


def task_text(messages: list[Message]) -> str:
    """The first words of a user among these."""
    return next((message.text for message in messages if message.source == "user" and message.text), "")


def answer_text(messages: list[Message]) -> str:
    """The last words among these."""
    return next((message.text for message in reversed(messages) if message.text), "")
