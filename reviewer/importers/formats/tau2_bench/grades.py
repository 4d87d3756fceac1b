"""What the benchmark said of a simulation: the reward, every check, and expected against actual actions.

The grader's own verdict on an action decides whether it was done, whoever made it (in a run without a user
the agent makes the user's calls); without one, the calls are compared.
Reviews by a model are outcomes of their own, which leave open whether the task was done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewer.facts.calls import is_write
from reviewer.importers.opening.values import as_dict, as_list, as_score, as_str, parsed, shown, verdict
from reviewer.trace import Json, Outcome, Step, ToolCall, canonical

REVIEWS = ("review", "user_only_review", "auth_classification", "hallucination_check")
# The check of each kind of criterion: where it stands, and the key of its verdict.
CHECKS = {
    "env_assertions": ("env_assertions", "met"),
    "communicate_info": ("communicate_checks", "met"),
    "nl_assertions": ("nl_assertions", "met"),
}


def outcomes(value: dict[str, Any], task: dict[str, Any], steps: Sequence[Step]) -> tuple[Outcome, ...]:
    """The grade of the simulation, and the reviews of it."""
    return (*_grade(value, task, steps), *_reviews(value))


def _reviews(value: dict[str, Any]) -> tuple[Outcome, ...]:
    return tuple(
        Outcome(detail=value[key], origin=f"file: {key} by a model") for key in REVIEWS if value.get(key)
    )


def _grade(value: dict[str, Any], task: dict[str, Any], steps: Sequence[Step]) -> tuple[Outcome, ...]:
    graded = value.get("reward_info")
    criteria = as_dict(task.get("evaluation_criteria"))
    info = as_dict(graded)
    reward = info.get("reward", value.get("reward"))
    said = value.get("passed")
    if graded is None and reward is None and said is None and not criteria:
        return ()
    score = as_score(reward)
    passed = said if isinstance(said, bool) else verdict(reward)
    expected: dict[str, Json] = {}
    final: dict[str, Json] = {}
    left_out = _actions(expected, final, criteria, info, steps)
    unchecked = _criteria(expected, final, criteria, info)
    detail: dict[str, Json] = {}
    if failed := failures(info):
        detail["failed_checks"] = failed
    if graded is not None:
        detail["reward_info"] = _flat(graded)
    if reward is not None and score is None:
        detail["reward"] = reward
    detail |= unchecked | ({"reads_not_compared": left_out} if left_out else {})
    return (Outcome(passed, score, detail or None, final or None, expected or None),)


def _actions(
    expected: dict[str, Json],
    final: dict[str, Json],
    criteria: dict[str, Any],
    info: dict[str, Any],
    steps: Sequence[Step],
) -> int:
    """The actions expected, and the calls made in their places: null where one was not made, others after.

    Calls that change nothing and that nobody expected are no difference; they are left out, and counted.
    """
    checks = [as_dict(item) for item in as_list(info.get("action_checks"))]
    wanted = [as_dict(item) for item in as_list(criteria.get("actions"))]
    wanted = wanted or [as_dict(check.get("action")) for check in checks]
    if not wanted and not isinstance(criteria.get("actions"), list):
        return 0
    names = {shown(action.get("name")) for action in wanted}
    made = [
        (_made(step, call), call.name in names or is_write(call)) for step in steps for call in step.calls
    ]
    told = {canonical(_action(as_dict(check.get("action")))): check.get("action_match") for check in checks}
    places: list[Json] = []
    for action in wanted:
        done = told.get(canonical(_action(action)))
        match = next((item for item in made if _fits(action, item[0])), None)
        if match is None and done is True:  # the grader asks for the call, not for who made it
            match = next((item for item in made if _fits(action, item[0], anyone=True)), None)
        if done is False or (done is None and match is None):
            places.append(None)
            continue
        places.append(_action(action))
        if match is not None:
            made.remove(match)
    expected["actions"] = [_action(action) for action in wanted]
    others = [call for call, counts in made if counts]
    final["actions"] = [*places, *others]
    return len(made) - len(others)


def _made(step: Step, call: ToolCall) -> dict[str, Json]:
    who = "user" if step.source == "user" else "assistant"
    return {"requestor": who, "name": call.name, "arguments": _object(call.arguments)}


def _action(action: dict[str, Any]) -> dict[str, Json]:
    """What counts of an action: who does it, and the arguments that are compared."""
    counted = action.get("compare_args")
    arguments = action.get("arguments")
    if isinstance(counted, list) and isinstance(arguments, dict):
        arguments = {key: item for key, item in arguments.items() if key in counted}
    return {
        "requestor": as_str(action.get("requestor")) or "assistant",
        "name": action.get("name"),
        "arguments": arguments,
    }


def _fits(action: dict[str, Any], call: dict[str, Json], anyone: bool = False) -> bool:
    wanted = _action(action)
    if wanted["name"] != call["name"] or (wanted["requestor"] != call["requestor"] and not anyone):
        return False
    have, counted = call["arguments"], action.get("compare_args")
    if isinstance(counted, list) and isinstance(have, dict):
        have = {key: item for key, item in have.items() if key in counted}
    return bool(have == wanted["arguments"])


def _object(arguments: Json) -> Json:
    value = parsed(arguments)
    return arguments if value is None else value


def _criteria(
    expected: dict[str, Json], final: dict[str, Json], criteria: dict[str, Any], info: dict[str, Any]
) -> dict[str, Json]:
    """The other criteria and which of them were met; those that nobody checked are given back."""
    unchecked: dict[str, Json] = {}
    for key, (place, verdict_key) in CHECKS.items():
        given = criteria.get(key)
        wanted = [_criterion(item) for item in as_list(given)]
        checks = [as_dict(check) for check in as_list(info.get(place))]
        if given and (not wanted or len(wanted) != len(checks)):
            unchecked[f"expected_{key}"] = wanted or given
        if checks:
            expected[key] = wanted if len(wanted) == len(checks) else [_text(check) for check in checks]
            final[key] = [
                text if check.get(verdict_key) is True else None
                for text, check in zip(expected[key], checks, strict=True)
            ]
    match = as_dict(info.get("db_check")).get("db_match")
    if isinstance(match, bool) and _counts(info, "DB"):
        expected["database"], final["database"] = "as expected", "as expected" if match else "different"
    return unchecked


def failures(info: dict[str, Any]) -> list[Json]:
    """Each check that failed, in words."""
    found: list[str] = []
    if as_dict(info.get("db_check")).get("db_match") is False:
        found.append("the database is not as expected" + _weight(info, "DB"))
    for place, key, basis, what in (
        ("action_checks", "action_match", "ACTION", "action not done"),
        ("env_assertions", "met", "ENV_ASSERTION", "assertion not met"),
        ("nl_assertions", "met", "NL_ASSERTION", "assertion not met"),
        ("communicate_checks", "met", "COMMUNICATE", "not communicated"),
    ):
        for check in map(as_dict, as_list(info.get(place))):
            if check.get(key) is False:
                why = as_str(check.get("justification"))
                found.append(f"{what}: {_text(check)}" + (f" ({why})" if why else "") + _weight(info, basis))
    note = as_dict(info.get("info")).get("note")
    return [*found, *([note] if isinstance(note, str) and note else [])]


def _counts(info: dict[str, Any], basis: str) -> bool:
    """Whether a kind of check is part of the reward; all are where the file does not say."""
    named = info.get("reward_basis")
    return not isinstance(named, list) or basis in named


def _weight(info: dict[str, Any], basis: str) -> str:
    return "" if _counts(info, basis) else " (not part of the reward)"


def _criterion(item: Json) -> str:
    return _line(item) if isinstance(item, dict) else shown(item)


def _text(check: dict[str, Any]) -> str:
    """What a check is about, on one line."""
    for key in ("action", "env_assertion"):
        if isinstance(check.get(key), dict):
            return _line(check[key])
    for key in ("nl_assertion", "info", "assertion"):
        if check.get(key) is not None:
            return shown(check[key])
    return shown(check)


def _line(action: dict[str, Any]) -> str:
    """`user toggle_roaming({})`; an assertion that is to be false says so."""
    who = as_str(action.get("requestor") or action.get("env_type"))
    name = shown(action.get("name") or action.get("func_name"))
    arguments = action.get("arguments")
    given = canonical(arguments).decode() if arguments else ""
    wanted = "" if action.get("assert_value", True) is True else f" is {shown(action.get('assert_value'))}"
    return f"{who} {name}({given}){wanted}".strip()


def _flat(graded: Json) -> Json:
    """The grader's record with each action and assertion on one line: their arguments are no verdicts."""
    if not isinstance(graded, dict):
        return graded
    flat = dict(graded)
    for place in ("action_checks", "env_assertions"):
        if isinstance(flat.get(place), list):
            flat[place] = [
                {
                    key: _line(item)
                    if key in ("action", "env_assertion") and isinstance(item, dict)
                    else item
                    for key, item in check.items()
                }
                if isinstance(check, dict)
                else check
                for check in flat[place]
            ]
    return flat
