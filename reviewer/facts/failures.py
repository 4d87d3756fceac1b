"""Failed checks: what a grader's own record calls failed, each as one line.

A walk over any JSON by the words that graders use: lists of failed tests, tests with a status, assertions
that are not met, parts of a score that are nought. It does not know what a check means, whether the grader
is right, or a word for "failed" that stands in none of the tables here; then the plain fields of the record
stand in for it, so that a run which is called failed never comes without a reason given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from reviewer.facts.shell import names
from reviewer.trace import Json, Outcome

UNCOUNTED = "(not part of the reward)"
MOST = 500
BUDGET = 20_000
LONG = 500
_LISTS = ("failed_checks", "failed_tests")  # where an importer has read the record, its words are better
_FAILED = names("failed fail failure error errored incorrect unresolved broken timeout false no i")
_STATUS = (
    *(
        "status",
        "result",
        "outcome",
        "met",
        "action_match",
        "db_match",
        "passed",
        "success",
        "correct",
        "state",
    ),
    *("resolved", "ok", "verdict"),
)
_NAME = (
    "name",
    "test",
    "check",
    "env_assertion",
    "nl_assertion",
    "action",
    "info",
    "id",
    "criterion",
    "title",
)
_WHY = (
    "message",
    "justification",
    "reason",
    "failure_reason",
    "explanation",
    "comment",
    "reasoning",
    "error",
)
# Where `false` says that nothing bad happened.
_GOOD_IF_FALSE = re.compile(
    r"fail|error|timeout|timed|empty|hallucinat|none|missing|invalid|skip|crash|cancel|truncat|is_|has_|flag",
    re.IGNORECASE,
)
_MEANS = {
    "r_actions": "the data are not as the expected calls leave them",
    "r_outputs": "not all that had to be said was said",
}
_SUCCESS = frozenset(
    (
        *("success", "base_success", "is_success", "succeeded", "passed", "correct", "is_correct"),
        *("resolved", "r_actions", "db_match"),
    )
)
_IDS = ("id", "traceId", "trace_id", "run_id")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}")


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """One thing that a grader calls failed: where in its record, and what it says; `origin` is the grader."""

    origin: str
    name: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.text}" if self.text else self.name

    @property
    def counts(self) -> bool:
        """Whether the grade rests on it; where not, the importer says so in these words."""
        return UNCOUNTED not in str(self)

    @property
    def brief(self) -> str:
        """What it says, without those words."""
        return str(self).replace(UNCOUNTED, "").rstrip()


def failed_checks(outcomes: Sequence[Outcome]) -> tuple[FailedCheck, ...]:
    """What the graders call failed; for an outcome that is not passed at least one line."""
    out: list[FailedCheck] = []
    for outcome in outcomes:
        if len(out) >= MOST:
            break
        own = list(dict.fromkeys(_of(outcome)))
        if outcome.passed is False and not own:
            own = [_plainly(outcome)]
        out += own[: MOST - len(out)]
    return tuple(out)


def graded_well(outcomes: Sequence[Outcome]) -> bool:
    """Whether the fields of a record that has no verdict say success, and none of them says failure.

    A score that is a mixture (efficiency, bonus) may leave a run unjudged that did all that was asked.
    """
    said: set[bool] = set()
    for outcome in outcomes:
        stack, budget = [outcome.detail], BUDGET
        while stack and budget > 0:
            value, budget = stack.pop(), budget - 1
            if isinstance(value, dict):
                told = (item for key, item in value.items() if key in _SUCCESS)
                said |= {bool(item) for item in told if isinstance(item, bool) or item in (0, 1)}
                stack += value.values()
            elif isinstance(value, list):
                stack += value
    return said == {True}


def _of(outcome: Outcome) -> Iterator[FailedCheck]:
    detail = outcome.detail
    if isinstance(detail, dict):
        for key in _LISTS:
            if isinstance(detail.get(key), list) and detail[key]:
                yield from (FailedCheck(outcome.origin, _short(item)) for item in detail[key][:MOST])
                return
    yield from _walk(outcome.origin, detail)


def _walk(origin: str, detail: Json) -> Iterator[FailedCheck]:
    stack: list[tuple[str, Json, bool]] = [("", detail, False)]
    budget = BUDGET
    while stack and budget > 0:
        path, value, failing = stack.pop()
        budget -= 1
        if isinstance(value, dict):
            said = _named(value)
            if said is not None:
                yield FailedCheck(origin, *said)
                continue
            stack += [
                (_at(path, str(key)), item, _fails(failing, str(key)))
                for key, item in reversed(list(value.items()))
            ]
        elif isinstance(value, list):
            stack += [(path, item, failing) for item in reversed(value)]
        else:
            yield from _leaf(origin, path, value, failing)


def _leaf(origin: str, path: str, value: Json, failing: bool) -> Iterator[FailedCheck]:
    key = path.rsplit(".", 1)[-1]
    if value is False:
        if not _GOOD_IF_FALSE.search(key):
            yield FailedCheck(origin, path, "false (not said)" if ".outputs." in f".{path}" else "false")
    elif isinstance(value, str):
        if failing and value and value.lower() not in ("false", "none", "null"):
            yield FailedCheck(origin, value[:LONG] if "to_pass" in path.lower() else path, _rest(path, value))
        elif value.lower() in ("failed", "failure", "incorrect", "unresolved"):
            yield FailedCheck(origin, path, value)
    elif not isinstance(value, bool) and isinstance(value, int | float) and value == 0 and key in _MEANS:
        yield FailedCheck(origin, path.rsplit(".", 1)[-1], f"0 ({_MEANS[key]})")


def _rest(path: str, value: str) -> str:
    """SWE-bench's lists hold names of tests: the name first, the list after it."""
    return path.removesuffix(".failure") if "to_pass" in path.lower() else value[:LONG]


def _named(value: dict[str, Json]) -> tuple[str, str] | None:
    """A test or an assertion that is told with its status: its name, and why."""
    total, got = value.get("total"), value.get("result")
    if _number(total) and _number(got) and got < total:
        return _label(value) or "checkpoint", f"{_short(got)} of {_short(total)}"
    name = _label(value)
    if not name:
        return None
    for key in _STATUS:
        state = value.get(key)
        if state is False or (isinstance(state, str) and state.lower() in _FAILED):
            why = next((value[k] for k in _WHY if isinstance(value.get(k), str) and value[k]), "")
            return name, f"{key} {_short(state)}" + (f"; {why[:LONG]}" if why else "")
    return None


def _label(value: dict[str, Json]) -> str:
    return next((value[key][:LONG] for key in _NAME if isinstance(value.get(key), str) and value[key]), "")


def _plainly(outcome: Outcome) -> FailedCheck:
    """The verdict with the plain fields of the record, where nothing in it names a check."""
    words = [] if outcome.score is None else [f"score {outcome.score:g}"]
    detail = outcome.detail
    if isinstance(detail, dict):
        words += [
            f"{str(key)[:80]} {_short(value)}"
            for key, value in list(detail.items())[:12]
            if key not in _IDS and _plain(value)
        ]
    elif _plain(detail):
        words.append(_short(detail))
    return FailedCheck(outcome.origin, "not passed", "; ".join(words)[:LONG])


def _plain(value: Json) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) for item in value[:5])
    return isinstance(value, str | int | float) and value != ""


def _number(value: Json) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(value: Json) -> str:
    """A plain value in a few words."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(value[:5])[:LONG] + (" …" if len(value) > 5 else "")
    try:
        return str(value)[:LONG]
    except ValueError:  # an integer of more digits than a decimal text may have
        return "a number of very many digits"


def _at(path: str, key: str) -> str:
    name = key if _PLAIN_KEY.fullmatch(key) else f'"{key[:200]}"'
    return f"{path}.{name}" if path else name


def _fails(outer: bool, key: str) -> bool:
    """SWE-bench nests `FAIL_TO_PASS: {success: […], failure: […]}`: the innermost word decides."""
    word = key.lower()
    if word in ("success", "passed", "pass"):
        return False
    if "to_pass" in word or "to_fail" in word:
        return False
    return outer or "fail" in word
