"""What a grader found other than expected and did not count: which check that was, and beside it the calls.

Compares the lists of calls that one outcome holds, expected and made, whoever made them. That a call is
missing or was made otherwise is told as a fact of its own, not as the cause. Not known: the cause, and
whether what was left out of the grade did any harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reviewer.facts import FailedCheck
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.quoting import shortened
from reviewer.trace import Json, Outcome, canonical

_MOST = 500
_NAME, _VALUE, _CHECK = 40, 24, 60
_MUCH = 3  # words
_BOTH = 2

Call = tuple[str, Json]  # which tool, with what


def uncounted(check: FailedCheck) -> bool:
    """Whether the grader found the data other than expected, and did not count it."""
    return not check.counts and "database" in str(check)


def ungraded(outcomes: Sequence[Outcome], checks: Sequence[FailedCheck]) -> str:
    """The check that failed and does not count, the whole-database one first, with what the calls show."""
    left = [check for check in checks if not check.counts]
    graded = next((outcome for outcome in outcomes if outcome.passed is True), None)
    if not left or graded is None:
        return ""
    want, had = list(_calls(graded.expected_state)), list(_calls(graded.final_state))
    missing = _missing(want, had) if want else ""
    if any(map(uncounted, left)):
        told = missing or _otherwise(want, had) or _all_made(want, had)
        failed = "the whole-database check failed"
        return f"{failed} (not graded); {told}" if told else f"{failed}; it is not graded"
    if missing:
        return f"{missing}; that is not graded"
    if (other := next(_altered(want, had), None)) is not None:
        of = "the hand-over's exact words" if HANDS_OVER.search(other[0]) else _values_of(other[0])
        return f"the failed check on {of} is not graded"
    return f"not graded: {shortened(left[0].brief, _CHECK)}"


def _values_of(name: str) -> str:
    return f"the exact values of {shortened(name, _NAME)}"


def _missing(want: list[Call], had: list[Call]) -> str:
    made, wanted = Counter(name for name, _ in had), Counter(name for name, _ in want)
    for name, times in (wanted - made).items():
        if not made[name]:
            return f"{shortened(name, _NAME)} was expected and never made"
        return f"{shortened(name, _NAME)} was made {made[name]} of {made[name] + times} expected times"
    return ""


def _altered(want: list[Call], had: list[Call]) -> Iterator[Call]:
    """What was expected and made only with other values."""
    left = Counter(map(canonical, map(list, had)))
    for call in want:
        if left[key := canonical(list(call))]:
            left[key] -= 1
        else:
            yield call


def _otherwise(want: list[Call], had: list[Call]) -> str:
    """Of the first call that was made otherwise the short value that differs."""
    for name, wanted in _altered(want, had):
        for given in (given for other, given in had if other == name):
            for key, value in wanted.items() if isinstance(wanted, dict) else ():
                found = given.get(key) if isinstance(given, dict) else None
                if found != value and _short(value) and _short(found):
                    return f"{shortened(key, _NAME)} was {found}, not the expected {value}"
        return f"{shortened(name, _NAME)} was called otherwise than expected"
    return ""


def _all_made(want: list[Call], had: list[Call]) -> str:
    if not want or any(_altered(want, had)):
        return ""
    only = len(had) == len(want)
    if len(want) == 1:
        return "the one expected call was made" + (", no other" if only else "")
    more = list(Counter(name for name, _ in had) - Counter(name for name, _ in want))
    if 0 < len(more) <= _BOTH and len(want) > 1:
        return f"beyond the {len(want)} expected calls only {', '.join(more)}"
    every = f"exactly the {len(want)}" if only else "both" if len(want) == _BOTH else f"all {len(want)}"
    return f"{every} expected calls were made"


def _short(value: Json) -> bool:
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return plain and len(str(value)) <= _VALUE and len(str(value).split()) <= _MUCH


def _calls(state: Json) -> Iterator[Call]:
    found = state.get("actions") if isinstance(state, dict) else None
    for call in found[:_MOST] if isinstance(found, list) else ():
        if isinstance(call, dict) and isinstance(name := call.get("name"), str):
            yield name, call.get("arguments")
