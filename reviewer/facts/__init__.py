"""Facts of a trace: what can be computed from it and shown without a verdict.

`facts(trace, outcomes)` gives them all; `is_write`, `is_check` say what a call is for; `first_appearance`
and `diff_states` answer single questions. Pure, linear in the steps, never raises on odd values. Each
value in `model` says what it does not know.
"""

from __future__ import annotations

from reviewer.facts.calls import check_kind, is_check, is_write
from reviewer.facts.compared import Compared, compared
from reviewer.facts.failures import FailedCheck, failed_checks, graded_well
from reviewer.facts.first import Appearance, first_appearance
from reviewer.facts.gaps import Gap
from reviewer.facts.gather import facts
from reviewer.facts.model import Changed, Check, Error, Facts, Patch, Repeat, Said, Used, Write
from reviewer.facts.patches import PatchedFile
from reviewer.facts.sides import Line
from reviewer.facts.states import Difference, StateDiff, agreed, diff_states

__all__ = [
    "Appearance",
    "Changed",
    "Check",
    "Compared",
    "Difference",
    "Error",
    "Facts",
    "FailedCheck",
    "Gap",
    "Line",
    "Patch",
    "PatchedFile",
    "Repeat",
    "Said",
    "StateDiff",
    "Used",
    "Write",
    "agreed",
    "check_kind",
    "compared",
    "diff_states",
    "facts",
    "failed_checks",
    "first_appearance",
    "graded_well",
    "is_check",
    "is_write",
]
