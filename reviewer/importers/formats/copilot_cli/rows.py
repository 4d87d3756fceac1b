"""One event of a Copilot session, as it stands in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_str


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its line, its text, its value."""

    index: int
    line: int
    text: str
    value: dict[str, Any]

    @property
    def kind(self) -> str:
        return as_str(self.value.get("type"))

    @property
    def data(self) -> dict[str, Any]:
        return as_dict(self.value.get("data"))

    @property
    def id(self) -> str:
        return as_id(self.value.get("id")) or f"#{self.index}"
