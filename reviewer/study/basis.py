"""What an adjudication rests on: the labels that stood when it was made, and whether they stand still.

An adjudication keeps in its `assignment` a mark of those labels (`over:` and a hash of their ids) and, with
`+own`, that whoever settled the trace had labelled it, which has to be allowed. Nothing here asks a clock
or the order of a store: after a merge the same labels give the same mark. An undo that brings a label back
brings its mark back. An adjudication of before these marks, or of somewhere else, is never called stale.
Pure; knows no store.
"""

from __future__ import annotations

from collections.abc import Iterable

from reviewer.label import LabelEvent
from reviewer.trace import digest

_OVER, _OWN = "over:", "+own"
_LENGTH = 32


def mark(labels: Iterable[LabelEvent], *, own: bool = False) -> str:
    """The `assignment` of an adjudication made over these labels; `own`: by somebody who gave one."""
    ids = sorted({event.restores or event.id for event in labels})
    return f"{_OVER}{digest(ids)[:_LENGTH]}{_OWN * own}"


def own(event: LabelEvent) -> bool:
    """Whether somebody settled here a trace that they had labelled themselves."""
    return (
        event.kind == "adjudicate" and event.assignment.startswith(_OVER) and event.assignment.endswith(_OWN)
    )


def stale(event: LabelEvent, labels: Iterable[LabelEvent]) -> bool:
    """Whether the labels of the trace are others now than when this adjudication was made."""
    kept = event.assignment.removesuffix(_OWN)
    return kept.startswith(_OVER) and kept != mark(labels)


def overrides(mode: str, labels: Iterable[LabelEvent]) -> bool:
    """Whether this mode is one that nobody gave, where somebody gave one."""
    said = {event.mode for event in labels}
    return bool(said) and mode not in said
