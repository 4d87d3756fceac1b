"""What an abstention of the rules says: where to start reading and why, then what was looked at.

Facts only, each with its count; whether anything is wrong with the run does not follow from any of them. A
pointer is no mode. The whole is one or two lines of a narrow screen, the pointer first.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.facts import first_appearance
from reviewer.label import telling
from reviewer.suggest.rules.pointers.end_state import first_difference
from reviewer.suggest.rules.pointers.open_calls import open_call
from reviewer.suggest.rules.seen.broken import final_answer
from reviewer.suggest.rules.seen.quoting import shortened
from reviewer.suggest.rules.seen.scene import Scene, claimed, failing_after
from reviewer.suggest.rules.signals.admissions import admission
from reviewer.suggest.rules.signals.attempts import declined, policy
from reviewer.suggest.rules.signals.budget import circles_in_doubt
from reviewer.suggest.rules.signals.claims import objection
from reviewer.suggest.rules.signals.fabricated import called_made_up
from reviewer.suggest.rules.signals.loops import loop_in_doubt
from reviewer.suggest.rules.signals.out_of_reach import given_up_early
from reviewer.suggest.rules.signals.spoiled import spoiled
from reviewer.suggest.rules.signals.surroundings import broken_in_doubt, fault_in_doubt
from reviewer.suggest.rules.signals.unread import unread_in_doubt

_SAID = 100
_WHOLE = 240
_SEEN = ". Seen: "
_SEVERAL = 2  # agents
_WORD = 3  # characters: a shorter answer stands in any text


def nothing_found(scene: Scene) -> tuple[str, int | None]:
    """A sentence for people, and the step to start at."""
    well = scene.facts.passed is True or scene.well
    found = spoiled(scene) if well else next(_pointers(scene), None)
    step, why = found or (None, _nowhere(scene))
    start = f"Start at step {step}: {why}" if step is not None else why
    return _fitting(start.rstrip(". "), list(_looked(scene))), step


def _nowhere(scene: Scene) -> str:
    """What is said where no step is to be named."""
    if scene.facts.passed is True:
        return "only the grader says that it passed, and nothing in the run shows it"
    return "the grader's own words say success" if scene.well else "nothing that points to a mode"


def _fitting(start: str, looked: list[str]) -> str:
    """The pointer, and as much of what was looked at as is read in a moment; the outcome in any case."""
    *parts, outcome = looked
    seen = _SEEN.removeprefix(".") if start.endswith("?") else _SEEN
    while parts and len(start) + len(", ".join([*parts, outcome])) + len(seen) > _WHOLE:
        parts.pop()
    whole = start + seen + ", ".join([*parts, outcome])
    return whole if len(whole) <= _WHOLE else f"{whole[: _WHOLE - 2].rpartition(' ')[0]} …"


def checked_and_wrong(scene: Scene) -> tuple[int, str] | None:
    """Where a test after the last write passed, though the outcome is failed: why, does not follow."""
    facts = scene.facts
    good = next((check for check in reversed(facts.checks_after) if check.state == "passed"), None)
    if facts.passed is not False or good is None or failing_after(facts) or facts.last_write is None:
        return None
    if good.kind not in ("test", "script") or not good.quote:
        return None  # a build or a linter tests nothing of what was asked, and a bare exit code shows nothing
    return good.step, "its own test passed there, and it is wrong all the same: what does the test leave out?"


_LOOKS = (  # the most telling first
    circles_in_doubt,
    checked_and_wrong,
    given_up_early,
    open_call,
    unread_in_doubt,
    called_made_up,
    loop_in_doubt,
    broken_in_doubt,
    fault_in_doubt,
)


def _pointers(scene: Scene) -> Iterator[tuple[int, str]]:
    """Where a reader may begin, the most telling first."""
    yield from _spoken(scene)
    facts = scene.facts
    for look in _LOOKS:
        if (found := look(scene)) is not None:
            yield found
    if facts.passed is False and (began := _first_of_several(scene)) is not None:
        yield began, "the first that did something; among several agents an early error is handed on"
    if facts.passed is not True and (apart := first_difference(facts)) is not None:
        made = apart.made.strip() if not apart.step else ""
        place = first_appearance(scene.trace, made, ignore_case=True) if len(made) >= _WORD else None
        if place is not None and place.step:
            by = "in the agent's own words" if place.origin == "agent" else "in what the agent was given"
            instead = f"with which it ended instead of “{apart.want}”" if apart.want else "as it ended"
            yield place.step, f"“{shortened(made, _SAID)}”, {instead}, comes up there first, {by}"
        elif facts.claim is not None or apart.step:
            yield apart.step or (facts.claim.step if facts.claim else 0), apart.says
    if (error := next((one for one in scene.standing if telling(one.quote)), None)) is not None:
        yield error.step, f"an error was left there: {shortened(error.quote, _SAID)}"
    if scene.ran_out and scene.limit is not None:
        yield scene.limit[0], f"the budget ran out there: {shortened(scene.limit[1], _SAID)}"
    if facts.claim is not None and facts.passed is False:
        yield facts.claim.step, "the last words, to be held against the task"
    elif facts.passed is False and facts.last_agent is not None:
        yield facts.last_agent, "it ends there without a word"


def _first_of_several(scene: Scene) -> int | None:
    """In a run of several agents the first step that did something, else the first that says something.

    Thoughts and orders (`A (-> B)`) are neither. None where one agent works alone: there the beginning says
    nothing, while among several an early error is handed on.
    """
    own = [step for step in scene.trace.steps if step.source == "agent" and not step.kind]
    if len({step.name.split(" (")[0] for step in own if step.name}) < _SEVERAL:
        return None
    spoken = [step.n for step in own if step.message.strip() and "->" not in step.name]
    did = (step.n for step in own if step.calls or step.results or "```" in step.message)
    return next(did, next(iter(spoken), None))


def _spoken(scene: Scene) -> Iterator[tuple[int, str]]:
    """Words that decline, deny or admit."""
    facts, refusal, rule = scene.facts, declined(scene), policy(scene)
    against, admits = objection(scene), admission(scene)
    if refusal is not None:
        more = f"; does the policy in step {rule[0]} ask for it?" if rule else ""
        yield refusal[0], f"it declines there{more}"
    if against is not None and facts.passed is not True:
        yield against[0][0], f"success is said there, and the user objects at {against[1][0]}"
    if admits is not None and facts.user_turns == ():
        yield admits[0], f"it says there what is not done: “{shortened(admits[1], _SAID)}”"


def _looked(scene: Scene) -> Iterator[str]:
    facts = scene.facts
    calls = sum(used.calls for used in facts.tools)
    yield _count(calls, "call")
    left, errors = len(facts.unrecovered), len(facts.errors)
    yield f"{_count(left, 'error')} left" if left else "each error put right" if errors else "no error"
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
    if claimed(facts):
        yield "success claimed"
    elif final_answer(scene) is not None:
        yield "an answer handed in"
    else:
        yield "no last words of the agent" if facts.claim is None else "no word of success at the end"
    yield _outcome(scene)


def _outcome(scene: Scene) -> str:
    facts = scene.facts
    if facts.passed is None:
        return "outcome unknown"
    failed = next((str(check) for check in facts.failed_checks), "")[: 2 * _SAID]
    failed = failed.removeprefix("not passed").removeprefix(": ")
    more = f" ({shortened(failed, _SAID)})" if failed and not facts.passed else ""
    return f"outcome {'passed' if facts.passed else 'failed'}{more}"


def _count(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
