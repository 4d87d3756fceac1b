"""What an undo took back, in words that a person knows it by. Knows the history; writes nothing."""

from __future__ import annotations

from reviewer.label import LabelEvent
from reviewer.store.labels import Labels

_CALLED = {
    "label": "label {mode}",
    "adjudicate": "decision {mode}",
    "note": "note",
    "flag": "flag",
    "unflag": "taking the flag away",
    "skip": "skip",
    "retract": "taking back",
}


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
