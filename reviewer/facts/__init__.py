"""Facts of a trace: what can be computed from it and shown without a verdict.

`facts(trace, outcomes)` gives them all; `is_write`, `is_check` say what a call is for; `first_appearance`
and `diff_states` answer single questions. Pure, linear in the steps, never raises on odd values. Each
value in `model` says what it does not know.
"""

from __future__ import annotations

from reviewer.facts.calls import check_kind, is_check, is_write
from reviewer.facts.first import Appearance, first_appearance
from reviewer.facts.gather import facts
from reviewer.facts.model import Changed, Check, Error, Facts, Repeat, Said, Write
from reviewer.facts.states import Difference, StateDiff, agreed, diff_states, grader_failures

__all__ = [
    "Appearance",
    "Changed",
    "Check",
    "Difference",
    "Error",
    "Facts",
    "Repeat",
    "Said",
    "StateDiff",
    "Write",
    "agreed",
    "check_kind",
    "diff_states",
    "facts",
    "first_appearance",
    "grader_failures",
    "is_check",
    "is_write",
]
