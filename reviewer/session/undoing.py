"""What an undo took back or would, in words that a person knows it by. Knows the history; writes nothing."""

from __future__ import annotations

from reviewer.label import LabelEvent
from reviewer.session.desk import Desk
from reviewer.store.labels import Labels
from reviewer.values import dataclass

_CALLED = {
    "label": "label {mode}",
    "adjudicate": "decision {mode}",
    "note": "note",
    "flag": "flag",
    "unflag": "taking the flag away",
    "skip": "skip",
    "retract": "taking back",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """The decision that an undo would take back. `seen`: a blind label whose suggestion was shown since, so
    that a new one cannot be blind."""

    event_id: str
    trace_id: str
    words: str
    seen: bool


def standing(desk: Desk, *, adjudications: bool = False) -> Standing | None:
    """What an undo at this desk would take back; None: there is nothing."""
    labels, me = desk.store.labels, desk.annotator.id
    event = labels.newest((me, desk.taxonomy.id, desk.round), adjudications=adjudications)
    if event is None:
        return None
    kinds = {kind for kind, _ in labels.exposures(me, event.trace_id)}
    seen = event.kind == "label" and event.condition == "blind" and bool(kinds & {"suggestion", "peers"})
    return Standing(event.id, event.trace_id, event.mode or _CALLED[event.kind], seen)


def undone(labels: Labels, made: LabelEvent) -> str:
    """`label tool_misuse`, `note`, …: what `made`, an undo, put an end to, and what stands again instead."""
    gone = labels.find(made.supersedes[0]) or made
    words = _CALLED[gone.kind].format(mode=gone.mode)
    if not made.restores or gone.kind in ("flag", "unflag"):
        return words
    if gone.kind == "retract":
        return f"{words} of the {_CALLED[made.kind].format(mode=made.mode)}"
    if made.mode == gone.mode:
        return f"change of the {words}"
    return f"{words}, so {made.mode} stands again"
