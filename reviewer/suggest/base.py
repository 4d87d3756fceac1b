"""What every suggester gets and gives: a trace in, a proposal out, never an exception for its own no.

A `Proposal` is a suggestion before it has an id, a time and a place in a store; `runner` adds those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from reviewer.label import Evidence, SuggestionStatus
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a suggester answers. `status` other than `ok` means no mode, and `reason` says why.

    `confidence` is the suggester's own, 0 to 1, and means what its module says it means. `step_n` is
    the decisive step. `evidence` comes unverified; the runner checks every quote against the trace.
    """

    status: SuggestionStatus = "ok"
    mode: str = ""
    runner_up: str = ""
    rationale: str = ""
    confidence: float | None = None
    step_n: int | None = None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    model: str = ""
    prompt_hash: str = ""
    omitted: str = ""
    usage: Mapping[str, Json] = field(default_factory=dict)
    cost: float | None = None


class Suggester(Protocol):
    """Something that proposes modes.

    `settings` is everything besides name and version that the answer depends on; it is stored with
    the suggestion and goes into the request hash. `settings["outcome"]` is `"used"` or `"withheld"`:
    whether the suggester looks at what the benchmark said.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Json]: ...

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal: ...


@runtime_checkable
class Closing(Protocol):
    """A suggester that holds something open, such as a connection; whoever made it closes it."""

    def close(self) -> None: ...


def abstain(reason: str) -> Proposal:
    """No mode, and why."""
    return Proposal(status="abstained", reason=reason)
