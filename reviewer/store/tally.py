"""What became of values that came from elsewhere: how many were new, known, refused, and why refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import ParamSpec

from reviewer.errors import InputError, LabelRefused, StoreDamaged
from reviewer.values import dataclass

P = ParamSpec("P")

KINDS = (
    *("traces", "events", "exposures", "suggestions", "annotators", "taxonomies", "outcomes", "links"),
    *("draws", "assignments", "codes", "maps"),
)


@dataclass(slots=True)
class Counts:
    """How many values of one kind were new here, known already, refused."""

    new: int = 0
    known: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """One value that was not taken, where it stands (a line or row, 0: none) and why."""

    kind: str
    place: int
    reason: str


@dataclass(slots=True)
class Received:
    """The sum of an arrival. `told` is worth a word, but nothing was lost."""

    counts: dict[str, Counts] = field(default_factory=lambda: {kind: Counts() for kind in KINDS})
    refused: list[Refusal] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def count(
        self, kind: str, place: int, take: Callable[P, bool], *arguments: P.args, **named: P.kwargs
    ) -> None:
        """Count what `take` does: True is new, False known; one that does not fit is a refusal."""
        try:
            new = take(*arguments, **named)
        except (InputError, LabelRefused, StoreDamaged) as error:
            self.refuse(kind, place, str(error))
            return
        self.counts[kind].new += new
        self.counts[kind].known += not new

    def refuse(self, kind: str, place: int, reason: str) -> None:
        if kind in self.counts:  # a damaged line of a file has none
            self.counts[kind].refused += 1
        self.refused.append(Refusal(kind, place, reason))

    @property
    def lost(self) -> bool:
        return bool(self.refused)
