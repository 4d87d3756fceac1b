"""The calls that a grader expected beside those that the run made: what was done, done otherwise, or never.

For outcomes whose expected state holds a list of calls. Looks are left out; the order of ids in a call does
not count; what a call was given beyond what was expected does not count either. Not known: whether a
difference matters to the grader, or whether the run could have known what was expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed, telling_line
from reviewer.facts.sides import arguments, in_order, is_call
from reviewer.facts.states import diff_states
from reviewer.facts.texts import ends, pairs
from reviewer.facts.tools import named_read, named_write
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.trace import Json, Outcome, Trace

_MOST = 200  # calls on either side
_DEEP = 40
_DATA_RIGHT = ("r_actions", "db_match")


@dataclass(frozen=True, slots=True)
class Made:
    """A call of the run with its step; `error` is what its result says, where that is an error."""

    step: int
    name: str
    given: Mapping[str, Json]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Apart:
    """An argument that was wanted with one value and given with another."""

    label: str
    want: Json
    given: Json


@dataclass(frozen=True, slots=True)
class Want:
    """An expected call that did not go through. `by`: who was to make it, if it was not the agent.

    `near`: the call of the same name that comes closest, `apart` how it differs; none: it was never tried.
    """

    name: str
    wanted: Mapping[str, Json]
    by: str = ""
    near: Made | None = None
    apart: tuple[Apart, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """`open` calls were expected and did not go through; `extra` went through and were not expected."""

    open: tuple[Want, ...]
    extra: tuple[Made, ...]
    made: tuple[Made, ...]  # every call of the run that does not only look
    names: frozenset[str]


def ids(given: Mapping[str, Json]) -> list[str]:
    """The ids that a call is given, of what it is about."""
    return [value for key, value in given.items() if key.endswith("id") and isinstance(value, str)]


def wanted(outcomes: Sequence[Outcome], trace: Trace) -> Wanted | None:
    """The comparison for the first failed outcome that expects calls; None where its data are as expected."""
    for outcome in outcomes:
        expected = [call for call in _calls(outcome.expected_state) if not named_read(str(call["name"]))]
        if outcome.passed is False and expected and not _data_right(outcome.detail):
            return _compare(expected[:_MOST], list(_made(trace))[:_MOST])
    return None


def _calls(state: Json) -> list[dict[str, Json]]:
    lists = state.values() if isinstance(state, dict) else [state]
    found = (item for items in lists if isinstance(items, list) for item in items)
    return [call for call in found if is_call(call)]


def _data_right(detail: Json) -> bool:
    """Whether the grader itself says that the data are as expected, so that no call can be at fault."""
    stack, budget = [detail], 2_000
    while stack and budget:
        value, budget = stack.pop(), budget - 1
        if isinstance(value, dict):
            if any(value.get(key) in (True, 1) for key in _DATA_RIGHT):
                return True
            stack += value.values()
    return False


def _made(trace: Trace) -> Iterator[Made]:
    for step in trace.steps:
        for call, result in pairs(step):
            given = arguments_of(call)
            error = telling_line(ends(result.content)) if result is not None and failed(result) else ""
            if not named_read(call.name):
                yield Made(step.n, call.name, given if isinstance(given, dict) else {}, error)


def _compare(expected: Sequence[dict[str, Json]], made: list[Made]) -> Wanted:
    rest, missing = list(made), []
    for call in expected:
        same = [one for one in rest if one.name == call["name"] and not one.error and not _apart(call, one)]
        if same:
            rest.remove(same[0])
        else:
            missing.append(call)
    gaps = []
    for call in missing:
        near = _nearest(call, rest)
        if near is not None and not near.error:
            rest.remove(near)
        who = call.get("requestor")
        by = who if isinstance(who, str) and who != "assistant" else ""
        gaps.append(Want(str(call["name"]), arguments(call), by, near, _apart(call, near) if near else ()))
    extra = tuple(one for one in rest if not one.error and named_write(one.name))
    return Wanted(tuple(gaps), extra, tuple(made), frozenset(str(call["name"]) for call in expected))


def _nearest(call: dict[str, Json], others: Sequence[Made]) -> Made | None:
    """The call of the same name with the same thing in hand, the latest one; else any that was refused."""
    alike = [one for one in others if one.name == call["name"]]
    went = [one for one in alike if not one.error]
    pool = went or alike
    return max(pool, key=lambda one: (-len(_apart(call, one)), one.step), default=None)


def _apart(call: Mapping[str, Json], made: Made) -> tuple[Apart, ...]:
    """The arguments that were expected and given otherwise; of a hand-over the words do not count."""
    if HANDS_OVER.search(made.name):
        return ()
    want = arguments(call)
    given = in_order(want, made.given)
    return tuple(
        Apart(key, want[key], given.get(key)) for key in want if not within(want[key], given.get(key))
    )


def within(want: Json, given: Json, depth: int = 0) -> bool:
    """Whether everything wanted was given: what an item holds beyond that is no difference."""
    if isinstance(want, dict) and isinstance(given, dict) and depth < _DEEP:
        return all(key in given and within(want[key], given[key], depth + 1) for key in want)
    if isinstance(want, list) and isinstance(given, list) and depth < _DEEP:
        pairs_ = zip(want, given, strict=False)
        return len(want) == len(given) and all(within(one, other, depth + 1) for one, other in pairs_)
    return diff_states(want, given).same
