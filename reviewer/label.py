"""What people and machines say about a trace: label events, suggestions with evidence, exported rows.

A label is a person's decision; a suggestion never is one. Values only: nothing here knows a store.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NamedTuple, TypeAlias

from reviewer.trace import Json, Outcome, TraceInfo
from reviewer.values import dataclass

EventKind: TypeAlias = Literal["label", "note", "retract", "adjudicate", "flag", "unflag", "skip"]
Condition: TypeAlias = Literal["blind", "suggestion", "peers"]
ExposureKind: TypeAlias = Literal["suggestion", "peers", "outcome", "expected_state", "sibling", "facts"]
GoldStatus: TypeAlias = Literal[
    "adjudicated", "unanimous", "disagreed", "assisted", "single", "conflict", "none"
]
SuggestionStatus: TypeAlias = Literal["ok", "abstained", "refused", "truncated", "malformed", "failed"]

# How the origin of an event begins that came with a published labelled set: nobody labelled it here.
FROM_SET = "set "
# Added to the number of a round: the round in which the same people label the same traces a second time.
AGAIN = 1_000_000
# Begin the later parts of a rationale: what speaks against it, and what is not about the trace.
BUT, NOTE = "\n\nBut: ", "\n\nNote: "
_MARK = re.compile(r"\n(?=(?:But|Note): )")
_FEW, _SHORT = 3, 4
_DISTINCT = re.compile(r"\d|[/@#]|\w\.\w")


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person: a random id made once, a name that is only for reading, and other ids linked to it."""

    id: str
    name: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decides about a trace: everything of a label but who, when and under what."""

    mode: str
    submode: str = ""
    secondary: tuple[str, ...] = ()
    facets: Mapping[str, str] = field(default_factory=dict)
    step_source: str = ""
    step_n: int | None = None
    note: str = ""
    reason: str = ""
    confidence: str = ""
    guideline: bool = False


@dataclass(frozen=True, slots=True)
class LabelEvent:
    """One line of the append-only history. `supersedes` names the events it replaces; never by clock.

    `condition` and `shown` say what the annotator had been shown of this trace before (law 3).
    `restores` is set by an undo: the earlier event whose content this one puts back.
    """

    id: str
    kind: EventKind
    trace_id: str
    annotator: str
    at: str
    origin: str
    app: str
    content_hash: str = ""
    taxonomy: str = ""
    taxonomy_hash: str = ""
    round: int = 1
    assignment: str = ""
    mode: str = ""
    submode: str = ""
    secondary: tuple[str, ...] = ()
    facets: Mapping[str, str] = field(default_factory=dict)
    step_source: str = ""
    step_n: int | None = None
    note: str = ""
    reason: str = ""
    confidence: str = ""
    guideline: bool = False
    condition: Condition | None = None
    shown: tuple[str, ...] = ()
    seconds: float | None = None
    steps_opened: int | None = None
    restores: str = ""
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exposure:
    """Something about a trace was shown to an annotator; `ref` names what (a suggestion, an event)."""

    id: str
    annotator: str
    trace_id: str
    kind: ExposureKind
    ref: str
    at: str


@dataclass(frozen=True, slots=True)
class Link:
    """Somebody's word that two annotators are one person, or (`same` false) that they are not.

    `supersedes` names the statements on the same pair that this one was made in view of; never by clock.
    """

    id: str
    a: str
    b: str
    same: bool
    said_by: str
    at: str
    supersedes: tuple[str, ...] = ()

    @property
    def pair(self) -> tuple[str, str]:
        """The two, in an order of their own: it does not matter who was named first."""
        return min(self.a, self.b), max(self.a, self.b)


def telling(quote: str) -> bool:
    """Whether a quote has three words, or one with a digit, a slash or a dot in it, as ids and paths have.

    A single word of letters, such as the name of a tool, stands in too many places to prove anything."""
    if len(quote.split()) >= _FEW or (len(quote) > _SHORT and not quote.isascii()):
        return True
    return any(len(word) >= _SHORT and _DISTINCT.search(word) for word in quote.split())


class Rationale(NamedTuple):
    """The parts of a rationale: the reason, what speaks against the mode, and whatever is not about the
    trace. Shown before the quotes, behind them, and last.
    """

    reason: str
    but: str = ""
    note: str = ""

    def __str__(self) -> str:
        """As it is stored, `but` in one line. None of the parts can pass for another one."""
        reason, but, note = (_MARK.sub(" ", text.strip()) for text in self)
        but = " ".join(but.split())
        return reason + (BUT + but if but else "") + (NOTE + note if note else "")

    @classmethod
    def of(cls, text: str) -> Rationale:
        """The parts of a rationale as it is stored; one without marks is a reason."""
        rest, _, note = text.partition(NOTE)
        reason, _, but = rest.partition(BUT)
        return cls(reason, but, note)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim quote from a step; `verified` when it stands there.

    `shows`: the suggester's own few words on what the quote is to show, such as `asked` or `given`.
    """

    step_n: int
    quote: str
    step_source: str = ""
    verified: bool = False
    shows: str = ""

    @property
    def telling(self) -> bool:
        """Whether that it stands there proves anything: three words, or one that hardly stands anywhere."""
        return telling(self.quote)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a machine proposes, or (`status` not `ok`) why it proposes nothing.

    `request` hashes everything the answer depends on (content, taxonomy, suggester, prompt, settings),
    so that nothing is asked twice. `confidence` is the suggester's own, 0 to 1.
    """

    id: str
    request: str
    trace_id: str
    content_hash: str
    taxonomy_hash: str
    suggester: str
    status: SuggestionStatus
    at: str
    model: str = ""
    prompt_hash: str = ""
    settings: Mapping[str, Json] = field(default_factory=dict)
    reason: str = ""
    mode: str = ""
    runner_up: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)
    rationale: str = ""
    confidence: float | None = None
    step_source: str = ""
    step_n: int | None = None
    evidence: tuple[Evidence, ...] = ()
    omitted: str = ""
    usage: Mapping[str, Json] = field(default_factory=dict)
    cost: float | None = None

    @property
    def why(self) -> Rationale:
        return Rationale.of(self.rationale)

    @property
    def leads(self) -> bool:
        """Whether it may sway who sees it: it names a mode, a step or a quote, as an abstention may do that
        says where to start reading; one that only counts what is there does not. Its showing is an exposure.
        """
        return self.status == "ok" or self.step_n is not None or bool(self.evidence)


@dataclass(frozen=True, slots=True)
class Gold:
    """What a trace is taken to be, and what that rests on.

    `stale`: it was adjudicated over other labels than those that stand now. `own`: whoever adjudicated it
    had labelled it as well, which was allowed on purpose.
    """

    status: GoldStatus
    decision: Decision | None = None
    events: tuple[str, ...] = ()
    stale: bool = False
    own: bool = False

    @property
    def settled_by(self) -> str:
        """`person` (an adjudication), `rule` (independent blind labels that agree), or empty: not settled."""
        return {"adjudicated": "person", "unanimous": "rule"}.get(self.status, "")


@dataclass(frozen=True, slots=True)
class LabelledTrace:
    """The exporters' row: one trace, its gold, current labels, those agreement counts, suggestions."""

    info: TraceInfo
    passed: bool | None
    score: float | None
    gold: Gold
    labels: tuple[LabelEvent, ...]
    blind: tuple[LabelEvent, ...]
    suggestions: tuple[Suggestion, ...]
    annotators: Mapping[str, Annotator]
    history: tuple[LabelEvent, ...] = ()  # everything ever said of it, where that is asked for
    split: str = ""
    outcomes: tuple[Outcome, ...] = ()  # what graders said, each with its own record
    stale: frozenset[str] = frozenset()  # ids of adjudications over other labels than those that stand now
    own: frozenset[str] = frozenset()  # ids of adjudications by somebody who had labelled the trace
