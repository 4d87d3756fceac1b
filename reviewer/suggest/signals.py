"""Named signs of failure that can be found without reading for meaning, each with its step and quote.

A signal says what it saw, not which mode that is: `rules` maps signals to the modes of a taxonomy.
Each `weight` (0 to 1) orders the signals by how seldom they were misleading in the traces they were
written on; none is a probability. Not known to any of them: whether what the agent did was right.
"""

from __future__ import annotations

from collections.abc import Callable

from reviewer.facts import Error, Repeat, first_appearance
from reviewer.facts.calls import paths_written
from reviewer.facts.texts import first_line, line_of, step_texts, strings
from reviewer.suggest.claims import (
    checked_and_wrong,
    claim_against_check,
    claim_of_failed_write,
    claim_unchecked,
    passed_clean,
    said_it_failed,
    user_objected,
)
from reviewer.suggest.differing import first_difference
from reviewer.suggest.phrases import ARGUMENTS, DANGER, HANDS_OVER, NOT_THERE, REFUSES
from reviewer.suggest.scene import Fired, Scene, fired, of_budget
from reviewer.suggest.spoken import (
    error_left,
    file_not_there,
    first_finding,
    made_up,
    says_it_is_stuck,
    stopped_by_filter,
)
from reviewer.trace import Step

MOST_ERRORS = 20  # looked at for invented names: each one searches all earlier texts


def _missing_name(step: Step, error: Error) -> str:
    """The name that the error says is not there, if the step's own call used it."""
    match = NOT_THERE.search(error.quote)
    name = next((group for group in match.groups() if group), "") if match else ""
    name = name.strip(".:")
    if any(name in path for call in step.calls for path, _ in paths_written(call)):
        return ""  # to write a new file is no belief that it is there
    used = (
        any(name in text for place, text in step_texts(step) if place == "call") if len(name) > 2 else False
    )
    return name if used else ""


def _steps(repeat: Repeat) -> str:
    """`steps 3, 5, 8 …`"""
    return f"steps {', '.join(map(str, repeat.steps[:5]))}{' …' if len(repeat.steps) > 5 else ''}"


def never_acted(scene: Scene) -> Fired | None:
    """No completed turn of the agent."""
    if scene.facts.first_action is not None:
        return None
    return fired("never_acted", scene.last, "the agent never completed a turn", 0.9, *scene.words(scene.last))


def refused(scene: Scene) -> Fired | None:
    """Words of refusal in the last message, and no work done."""
    claim = scene.facts.claim
    match = REFUSES.search(claim.quote[:4000]) if claim else None
    if claim is None or match is None or scene.facts.last_write is not None:
        return None
    reason = bool(DANGER.search(claim.quote[:4000])) or scene.trace.info.ended == "refused"
    says = "the last message declines" + (" and gives danger or policy as the reason" if reason else "")
    quote = line_of(claim.quote, match.start())
    return fired("refused", claim.step, says, 0.65 if reason else 0.35, (claim.step, quote))


def blocked(scene: Scene) -> Fired | None:
    """The run was ended as refused without a refusal in the agent's words: somebody else said no."""
    facts = scene.facts
    if scene.trace.info.ended != "refused" or (facts.claim and REFUSES.search(facts.claim.quote[:4000])):
        return None
    says = "the run ended as refused, without words of refusal by the agent"
    return fired("blocked", scene.last, says, 0.5, *scene.words(scene.last))


def failed_again_and_again(scene: Scene) -> Fired | None:
    """The same call, failing in the same way, three times or more, and never put right."""
    open_errors = {error.step for error in scene.facts.unrecovered}
    loops = [r for r in scene.facts.repeats if r.failed and len(r.steps) >= 3 and r.steps[-1] in open_errors]
    if not loops:
        return None
    loop = max(loops, key=lambda repeat: len(repeat.steps))
    says = f"the same call failed in the same way {len(loop.steps)} times ({_steps(loop)})"
    return fired("failed_again_and_again", loop.steps[1], says, 0.55, (loop.steps[1], loop.reply))


def bad_arguments(scene: Scene) -> Fired | None:
    """A tool complained of the arguments, and the call never went through."""
    error = next((e for e in scene.facts.unrecovered if e.kind == "tool" and ARGUMENTS.search(e.quote)), None)
    if error is None:
        return None
    says = f"{error.tool or 'a tool'} refused its arguments, and this was never put right"
    return fired("bad_arguments", error.step, says, 0.45, (error.step, error.quote))


def not_there(scene: Scene) -> Fired | None:
    """Something was used that nothing before had mentioned, it is not there, and it was not put right."""
    candidates = [error for error in scene.facts.unrecovered if error.kind == "tool"][:MOST_ERRORS]
    for error in candidates:
        name = _missing_name(scene.step(error.step), error)
        if name and first_appearance(scene.trace, name, before=error.step, given=True) is None:
            says = f"{name} is not there, and neither task nor any earlier output mentions it"
            return fired("not_there", error.step, says, 0.5, (error.step, error.quote))
    return None


def environment(scene: Scene) -> Fired | None:
    """A fault of network, machine or provider that was still there at the end; a budget that ends is none."""
    facts = scene.facts
    ended = scene.trace.info.ended == "error"
    faults = [error for error in facts.unrecovered if error.kind == "environment" and not of_budget(error)]
    if faults:
        late = ended or faults[-1].step >= (facts.last_agent or 0) - 2
        says = "a fault of the surroundings" + (
            " was still there at the end" if late else " was never overcome"
        )
        first = faults[-1] if late else faults[0]
        return fired("environment", first.step, says, 0.6 if late else 0.3, (first.step, first.quote))
    if not ended or facts.unrecovered:
        return None
    says = "the run ended in error, without an error of the agent's to explain it"
    return fired("environment", scene.last, says, 0.4, *scene.words(scene.last))


def ran_out_in_circles(scene: Scene) -> Fired | None:
    """The budget of turns or time ran out, and the last third of the run repeats itself."""
    if not scene.ran_out:
        return None
    third = len(scene.trace.steps) * 2 // 3
    circles = [r for r in scene.facts.repeats if sum(n > third for n in r.steps) >= 3]
    if not circles:
        return None
    circle = max(circles, key=lambda repeat: len(repeat.steps))
    times = f"{len(circle.steps)} times ({_steps(circle)})"
    says = f"the budget ran out while the same call brought the same answer {times}"
    return fired("ran_out_in_circles", circle.steps[1], says, 0.5, (circle.steps[1], circle.reply))


def ran_out_at_work(scene: Scene) -> Fired | None:
    """The budget of turns or time ran out, without circles in the last third."""
    if not scene.ran_out or ran_out_in_circles(scene):
        return None
    last = scene.facts.last_agent or scene.last
    step = scene.departure(last)  # that a budget ends is no departure; what used it up lies before
    says = "the budget ran out during distinct calls"
    return fired("ran_out_at_work", step, says, 0.45 if step == last else 0.25, *scene.words(last))


def handed_over(scene: Scene) -> Fired | None:
    """The agent handed the task to somebody else, and the outcome is failed."""
    if scene.facts.passed is not False:
        return None
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name):
                reason = next((text for text in strings(call.arguments) if text.strip()), "")
                quotes = ((step.n, call.name), (step.n, first_line(reason)))
                return fired("handed_over", step.n, f"the agent handed over; {scene.failed}", 0.4, *quotes)
    return None


def wrong_state(scene: Scene) -> Fired | None:
    """Writes went through, and the final state is not the expected one, looks and failed calls aside."""
    facts = scene.facts
    found = first_difference(facts)
    if facts.passed is True or found is None or facts.last_write is None:
        return None
    step = found.step or facts.last_write.step
    says = f"the state differs from the expected one, first: {found.says}"
    quote = found.quote(scene.step(step))
    if not found.step and quote not in (found.made, found.name) and facts.claim is not None:
        step, quote = (
            facts.claim.step,
            first_line(facts.claim.quote),
        )  # no call: what was said, or left unsaid
    return fired("wrong_state", step, says, 0.3, (step, quote))


SIGNALS: tuple[Callable[[Scene], Fired | None], ...] = (
    never_acted,
    passed_clean,
    claim_against_check,
    refused,
    claim_unchecked,
    environment,
    claim_of_failed_write,
    failed_again_and_again,
    not_there,
    ran_out_in_circles,
    blocked,
    stopped_by_filter,
    file_not_there,
    bad_arguments,
    user_objected,
    checked_and_wrong,
    ran_out_at_work,
    handed_over,
    said_it_failed,
    wrong_state,
    made_up,
    says_it_is_stuck,
    error_left,
    first_finding,
)
