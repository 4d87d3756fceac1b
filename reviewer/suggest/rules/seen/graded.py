"""What the graders checked of a run that passed, and how it went, in a few words.

Reads the records of the outcomes that say passed. Not known: whether a grader is right, what it left
unchecked, and any record whose words stand in none of the tables here; of that only the score is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from reviewer.trace import Json, Outcome

_BUDGET = 2_000  # values of one record
_WIDE = 100
_NAMED = 64  # characters of what was asserted
_FEW = 2  # what is told of a grade
_PAIR = 2
_STATUS = ("met", "action_match", "passed", "success", "ok", "correct", "status", "result")
_GOOD = frozenset(("passed", "pass", "success", "succeeded", "ok", "true", "met", "correct"))
_BAD = frozenset(("failed", "fail", "failure", "error", "errored", "false", "timeout", "incorrect"))
ASSERTED, TOLD = "checked: ", "required facts told"
_MEANS = {
    "db_match": "database as expected",
    "r_actions": "data as expected",
    "r_outputs": TOLD,
    "resolved": "resolved",
}
_LISTS = {
    "checkpoints": "unnamed checkpoints",
    "env_assertions": "checks of the end state",
    "action_checks": "expected calls",
    "nl_assertions": "assertions on its words",
    "communicate_checks": "facts told",
    "parser_results": "tests",
}
_BASIS = {  # the records that a grade may rest on, and by which names it says so
    "db_check": "DB",
    "env_assertions": "ENV_ASSERTION",
    "action_checks": "ACTION",
    "communicate_checks": "COMMUNICATE",
    "nl_assertions": "NL_ASSERTION",
}
_VAGUE = ("unnamed checkpoints",)
_ASSERTION = re.compile(r"\bassert_(?P<name>\w+)(?:\((?P<given>\{.*\})\))?")
_SPELLED = frozenset(("mms", "sms", "apn", "sim", "vpn", "id"))
_DOES = frozenset(("can", "has", "is", "no"))
_SHORT = 24  # characters of a value that was asserted


def graded(outcomes: Sequence[Outcome]) -> str:
    """`database as expected, checked: can send MMS`; empty for a bare verdict."""
    told: dict[str, None] = {}
    for outcome in outcomes:
        if outcome.passed is True:
            parts = dict.fromkeys(_of(outcome.detail))
            if outcome.score is not None and (outcome.score != 1 or not parts):
                told[f"score {outcome.score:g}"] = None  # a full one says what passed says
            told |= parts
    said = ""
    named = [part for part in told if _LISTS["action_checks"] not in part]
    for part in (named or list(told))[:_FEW]:
        if len(said) + len(part) < _WIDE or not said:
            said = f"{said}, {part}" if said else part
    return said


def names_what(told: str) -> bool:
    """Whether the words of `graded` say what was compared, not only how it came out."""
    return any(what in told for what in (ASSERTED, *_MEANS.values(), *_LISTS.values()) if what not in _VAGUE)


def answer(outcomes: Sequence[Outcome]) -> str:
    """The answer that was expected, where one outcome that says passed holds a single one."""
    for outcome in outcomes:
        wanted = outcome.expected_state if outcome.passed is True else None
        if isinstance(wanted, dict) and list(wanted) == ["answer"]:
            wanted = wanted["answer"]
        if isinstance(wanted, str | int | float) and not isinstance(wanted, bool) and str(wanted).strip():
            return str(wanted).strip()
    return ""


def to_be_said(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """The texts that had to be said to the user, and were, as the graders that say passed record them."""
    stack = [outcome.detail for outcome in outcomes if outcome.passed is True]
    found: dict[str, None] = {}
    budget = _BUDGET
    while stack and budget > 0:
        value = stack.pop()
        budget -= 1
        if isinstance(value, list):
            stack += value
        if not isinstance(value, dict):
            continue
        if isinstance(said := value.get("outputs"), dict):
            found |= dict.fromkeys(text for text, met in said.items() if met is True)
        if value.get("met") is True and isinstance(text := value.get("info"), str):
            found[text] = None
        stack += value.values()
    return tuple(text for text in found if text.strip())


def expected(outcomes: Sequence[Outcome]) -> frozenset[str] | None:
    """The names of the calls that an outcome expected; None where none of them holds such a list."""
    found: set[str] | None = None
    for outcome in outcomes:
        state = outcome.expected_state
        calls = state.get("actions") if isinstance(state, dict) else None
        if outcome.passed is True and isinstance(calls, list):
            names = (call.get("name") for call in calls[:_BUDGET] if isinstance(call, dict))
            found = (found or set()) | {name for name in names if isinstance(name, str)}
    return None if found is None else frozenset(found)


def _of(detail: Json) -> Iterator[str]:
    stack: list[tuple[str, Json]] = [("", detail)]
    budget = _BUDGET
    while stack and budget > 0:
        key, value = stack.pop()
        budget -= 1
        if isinstance(value, dict):
            if (count := _tests(value)) or (count := _ratio(value)):
                what = "tests" if "test" in key or "TO_PASS" in key else key.replace("_", " ")
                yield f"{count} {_LISTS.get(key, what)}".strip()
            else:
                stack += reversed([pair for pair in value.items() if _rests_on(value, pair[0])])
        elif isinstance(value, list):
            yield from _listed(key, value)
        elif key in _MEANS and (value is True or value == 1):
            yield _MEANS[key]


def _listed(key: str, items: list[Json]) -> Iterator[str]:
    states = [_state(item) for item in items[:_BUDGET] if isinstance(item, dict)]
    known = [state for state in states if state is not None]
    if known and len(known) == len(items):
        what = _LISTS.get(key, key.replace("_", " ") or "checks")
        exact = " to the letter" if key == "action_checks" and not all(known) else ""
        named = _named(items) if all(known) else ""
        yield named or f"{sum(known)} of {len(known)} {what}{exact}"


def _rests_on(record: Mapping[str, Json], key: str) -> bool:
    """Whether the grade rests on this part of its record, where it says on which it does."""
    basis = record.get("reward_basis")
    return not isinstance(basis, list) or not basis or _BASIS.get(key) in (None, *basis)


def _named(items: Sequence[Json]) -> str:
    """What was asserted of the end state, with its values, where the assertions have names."""
    texts = [item.get("env_assertion", "") for item in items if isinstance(item, dict)]
    found = [match for text in texts if isinstance(text, str) and (match := _ASSERTION.search(text))]
    names = ""
    for name in dict.fromkeys(_stated(match["name"], match["given"] or "") for match in found):
        if len(names) + len(name) <= _NAMED:
            names = f"{names}, {name}" if names else name
    return f"{ASSERTED}{names}" if names else ""


def _stated(name: str, given: str) -> str:
    """`service status is “no service”`, `can send MMS`, `mobile data status is on`."""
    words = " ".join(word.upper() if word in _SPELLED else word for word in name.split("_"))
    try:
        values = json.loads(given)
    except ValueError:
        return words
    pairs = values.items() if isinstance(values, dict) else ()
    value = next((value for key, value in pairs if key.startswith("expected_")), None)
    if isinstance(value, bool):
        does = words.split()[0] in _DOES
        if does:
            return words if value else f"{words}: no"
        return f"{words} is {'on' if value else 'off'}"
    if isinstance(value, str) and 0 < len(value) <= _SHORT:
        return f"{words} is “{value.replace('_', ' ')}”"
    return f"{words} is {value:g}" if isinstance(value, int | float) else words


def _state(item: Mapping[str, Json]) -> bool | None:
    total, got = item.get("total"), item.get("result")
    if isinstance(total, int | float) and isinstance(got, int | float) and not isinstance(got, bool):
        return got >= total
    for key in _STATUS:
        value = item.get(key)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in _GOOD | _BAD:
            return value.lower() in _GOOD
    return None


def _tests(value: Mapping[str, Json]) -> str:
    """`3 of 3` of a table of tests with their states, or of two lists: of those that passed and failed."""
    good, bad = value.get("success"), value.get("failure")
    if isinstance(good, list) and isinstance(bad, list):
        return f"{len(good)} of {len(good) + len(bad)}" if good or bad else ""
    states = [item.lower() for item in value.values() if isinstance(item, str)]
    if not states or len(states) != len(value) or not all(state in _GOOD | _BAD for state in states):
        return ""
    return f"{sum(state in _GOOD for state in states)} of {len(states)}"


def _ratio(value: Mapping[str, Json]) -> str:
    """The parts of a score: `{"total": 4, "result": 4}`."""
    total, got = value.get("total"), value.get("result")
    plain = isinstance(total, int | float) and isinstance(got, int | float)
    return f"{got:g} of {total:g}" if plain and not isinstance(got, bool) and len(value) == _PAIR else ""
