"""What a grader found other than expected and did not count, by its name: calls beyond those, calls left out.

Compares the lists of calls that one outcome holds, expected and made. Not known: whether what was left out
of the grade did any harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reviewer.suggest.rules.seen.quoting import shortened
from reviewer.trace import Json, Outcome

_MOST = 500
_NAME, _VALUE = 40, 24
_MUCH = 3  # words

Call = tuple[str, str]  # by whom, which tool


def ungraded(outcomes: Sequence[Outcome], database: bool) -> str:
    """That the `database` came out otherwise, with the first difference; else only a call that is missing."""
    for outcome in outcomes:
        if outcome.passed is not True:
            continue
        want, had = list(_calls(outcome.expected_state)), list(_calls(outcome.final_state))
        missing = _missing(want, had) if want and had else ""
        if not database:
            return f"{missing}, though expected; it is not graded" if missing else ""
        told = missing or (_beyond(want, had) or _otherwise(want, had) if want and had else "")
        return f"the database differs{f' ({told})' if told else ''}, which is not graded"
    return ""


def _missing(want: list[tuple[Call, Json]], had: list[tuple[Call, Json]]) -> str:
    left = Counter(call for call, _ in want) - Counter(call for call, _ in had)
    return next((f"no {_named(call)} call" for call in left), "")


def _beyond(want: list[tuple[Call, Json]], had: list[tuple[Call, Json]]) -> str:
    more = Counter(call for call, _ in had) - Counter(call for call, _ in want)
    if not more:
        return ""
    call, times = max(more.items(), key=lambda one: one[1])
    if (count := more.total()) > times:
        return f"{count} extra calls, such as {_named(call)}"
    by, name = call
    by = " by the user" if by == "user" else ""
    return f"{times} extra {shortened(name, _NAME)} call{'s' * (times > 1)}{by}"


def _otherwise(want: list[tuple[Call, Json]], had: list[tuple[Call, Json]]) -> str:
    """The first short value that differs between calls of one name."""
    for call, wanted in want:
        same = [given for name, given in had if name == call]
        if wanted in same or not isinstance(wanted, dict):
            continue
        for given in same:
            for key, value in wanted.items() if isinstance(given, dict) else ():
                if given.get(key) != value and _short(value) and _short(given.get(key)):
                    return f"{shortened(key, _NAME)} was {given.get(key)}, not the expected {value}"
    return ""


def _short(value: Json) -> bool:
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return plain and len(str(value)) <= _VALUE and len(str(value).split()) <= _MUCH


def _named(call: Call) -> str:
    return shortened(call[1], _NAME)


def _calls(state: Json) -> Iterator[tuple[Call, Json]]:
    found = state.get("actions") if isinstance(state, dict) else None
    for call in found[:_MOST] if isinstance(found, list) else ():
        if isinstance(call, dict) and isinstance(name := call.get("name"), str):
            by = call.get("requestor")
            yield (by if isinstance(by, str) else "", name), call.get("arguments")
