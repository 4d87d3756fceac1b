"""What an abstention of the rules rests on: what was looked at, and that it was not there.

Facts only, each with its count; whether anything is wrong with the run does not follow from any of them. And
where to start reading, with what is to be seen there: a pointer is no mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.facts import first_appearance
from reviewer.suggest.differing import first_difference
from reviewer.suggest.scene import Scene, claimed
from reviewer.suggest.signals import declined, policy
from reviewer.suggest.undone import handing_over, open_call

_SAID = 120


_WORD = 3  # characters: a shorter answer stands in any text


def nothing_found(scene: Scene) -> tuple[str, int | None]:
    """A sentence for people, and the step to start at."""
    said = f"no signal fired: {', '.join(_looked(scene))}"
    found = None if scene.facts.passed is True or scene.well else next(_pointers(scene), None)
    if found is None:
        return said, None
    step, why = found
    return f"{said}. Start at step {step}: {why}", step


def _pointers(scene: Scene) -> Iterator[tuple[int, str]]:
    """Where a reader may begin, the most telling first."""
    facts, refusal, rule = scene.facts, declined(scene), policy(scene)
    if refusal is not None:
        more = f" (whether the policy in step {rule[0]} asks for it is yours to tell)" if rule else ""
        yield refusal[0], f"it declines there{more}"
    if (gap := open_call(scene)) is not None:
        yield gap
    if facts.passed is False and (began := scene.first_finding) is not None:
        yield began, "the first step that did something; among several agents an early error is handed on"
    if facts.passed is not True and (apart := first_difference(facts)) is not None:
        made = apart.made.strip() if not apart.step else ""
        place = first_appearance(scene.trace, made, ignore_case=True) if len(made) >= _WORD else None
        if place is not None and place.step:
            by = "in the agent's own words" if place.origin == "agent" else "as something given"
            yield place.step, f"what was found, “{made[:_SAID]}”, first stands there, {by}; {apart.says}"
        elif facts.claim is not None or apart.step:
            yield apart.step or (facts.claim.step if facts.claim else 0), apart.says
    if scene.standing:
        error = scene.standing[0]
        yield error.step, f"an error was left there: {error.quote[:_SAID]}"
    if (handed := handing_over(scene)) is not None:
        yield handed[0], f"it hands over there: {handed[1][:_SAID]}"
    if scene.ran_out and scene.limit is not None:
        yield scene.limit[0], f"the budget ran out there: {scene.limit[1][:_SAID]}"
    if facts.claim is not None and facts.passed is False:
        yield facts.claim.step, "the last words, to be held against the task"


def _looked(scene: Scene) -> Iterator[str]:
    facts = scene.facts
    calls = sum(used.calls for used in facts.tools)
    yield f"{_count(calls, 'call')} in {_count(len(scene.trace.steps), 'step')}"
    left, errors = len(facts.unrecovered), len(facts.errors)
    if left:
        yield f"{_count(left, 'error')} left, but none that points to a mode"
    else:
        yield "each error followed by a call of its kind that went through" if errors else "no error"
    went = sum(write.counts for write in facts.writes)
    yield f"{_count(went, 'write')} went through" if facts.writes else "nothing written"
    checks = [check.state for check in facts.checks]
    failing = checks.count("failed")
    if checks:
        empty = checks.count("vacuous")
        said = [f"{failing} of them failed"] * bool(failing) + [f"{empty} checked nothing"] * bool(empty)
        yield ", ".join([_count(len(checks), "check"), *(said or ["none failed"])])
    else:
        yield "nothing checked"
    if facts.claim is None:
        yield "no last words of the agent"
    else:
        yield "success claimed" if claimed(facts) else "no words of success or refusal at the end"
    yield _outcome(scene)


def _outcome(scene: Scene) -> str:
    facts = scene.facts
    if facts.passed is None:
        return "outcome unknown"
    failed = next((str(check) for check in facts.failed_checks), "")
    more = f" ({failed[:_SAID]}{'…' if len(failed) > _SAID else ''})" if failed and not facts.passed else ""
    return f"outcome {'passed' if facts.passed else 'failed'}{more}"


def _count(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
