"""What a grader found other than expected and did not count: which check that was, and beside it the calls.

Compares the lists of calls that one outcome holds, expected and made, whoever made them. That a call is
missing or was made otherwise is told as a fact of its own, not as the cause. Not known: the cause, and
whether what was left out of the grade did any harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reviewer.facts import FailedCheck
from reviewer.suggest.rules.seen.quoting import shortened
from reviewer.trace import Json, Outcome, canonical

_MOST = 500
_NAME, _CHECK = 40, 60
_FEW = 2  # names of calls that are told


def uncounted(check: FailedCheck) -> bool:
    """Whether the grader found the data other than expected, and did not count it."""
    return not check.counts and "database" in str(check)


def ungraded(outcomes: Sequence[Outcome], checks: Sequence[FailedCheck]) -> str:
    """The check that failed and does not count, the whole-database one first, with what the calls show."""
    left = [check for check in checks if not check.counts]
    graded = next((outcome for outcome in outcomes if outcome.passed is True), None)
    if not left or graded is None:
        return ""
    if not any(map(uncounted, left)):
        return f"not graded: {shortened(left[0].brief, _CHECK)}"
    told = _beside(_calls(graded.expected_state), _calls(graded.final_state))
    return f"the database differs from the expected one (not graded){told and f'; {told}'}"


def _beside(want: Counter[str], had: Counter[str]) -> str:
    """A call that is missing or was made otherwise, else those that were made beyond the expected ones."""
    made = [name.partition(" ")[0] for name in had]
    for name in (one.partition(" ")[0] for one in want - had):
        how = "made otherwise than expected" if name in made else "expected and never made"
        return f"{shortened(name, _NAME)} was {how}"
    more = list(dict.fromkeys(name.partition(" ")[0] for name in had - want))
    if not want or len(more) > _FEW:
        return ""
    beyond = f"beyond the expected calls only {', '.join(more)}"
    return beyond if more else "all calls as expected"


def _calls(state: Json) -> Counter[str]:
    """Each call of a list as one text: its name and what it was given."""
    found = state.get("actions") if isinstance(state, dict) else None
    calls = [call for call in found[:_MOST] if isinstance(call, dict)] if isinstance(found, list) else []
    return Counter(f"{call.get('name')} {canonical(call.get('arguments')).decode()}" for call in calls)
