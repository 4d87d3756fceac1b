"""Named signs of failure that can be found without reading for meaning, each with its step and quote.

A signal says what it saw, not which mode that is: `rules` maps signals to the modes of a taxonomy.
Each `weight` (0 to 1) orders the signals by how seldom they were misleading in the traces they were
written on; none is a probability. Not known to any of them: whether what the agent did was right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from reviewer.facts import Error, first_appearance
from reviewer.facts.calls import paths_written, target
from reviewer.facts.texts import first_line, line_of, spelled, step_texts
from reviewer.label import telling
from reviewer.suggest.admitted import checked_and_wrong, held_up, said_it_failed
from reviewer.suggest.claims import (
    claim_against_check,
    claim_of_failed_write,
    claim_unchecked,
    user_objected,
)
from reviewer.suggest.passed import passed_clean
from reviewer.suggest.phrases import ADMITS, ARGUMENTS, DANGER, NEGATED, NOT_THERE, POLICY, REFUSES
from reviewer.suggest.scene import Fired, Scene, claimed, fired, of_budget
from reviewer.suggest.spoken import (
    error_left,
    file_not_there,
    made_up,
    says_it_is_stuck,
    stopped_by_filter,
)
from reviewer.suggest.undone import (
    extra_call,
    handed_over,
    never_called,
    out_of_order,
    refused_call,
    wrong_value,
)
from reviewer.trace import Step

_ALIKE = 60  # characters by which two errors count as the same
_AGAIN = 3
MOST_ERRORS = 20  # looked at for invented names: each one searches all earlier texts


def _missing_name(step: Step, error: Error) -> str:
    """The name that the error says is not there, as the step's own call used it."""
    match = NOT_THERE.search(error.quote)
    name = next((group for group in match.groups() if group), "") if match else ""
    name = name.rstrip(".:").lstrip(":")
    if any(name in path for call in step.calls for path, _ in paths_written(call)):
        return ""  # to write a new file is no belief that it is there
    used = (
        any(name in text for place, text in step_texts(step) if place == "call") if len(name) > 2 else False
    )
    return name if used else ""


def _built_on(scene: Scene, name: str, after: int) -> tuple[int, str] | None:
    """Where the agent goes on as if the name were there: in a later call, or in its last words."""
    whole = re.compile(rf"(?<![\w/]){re.escape(name)}(?!\w|[.-]\w)")
    for step in scene.trace.steps[after:]:
        for place, text in step_texts(step) if step.source == "agent" else ():
            if place == "call" and (found := whole.search(text)):
                return step.n, line_of(text, found.start())
    claim = scene.facts.claim
    found = whole.search(claim.quote) if claim is not None and claim.step > after else None
    if claim is None or found is None or ADMITS.search(claim.quote[:8000]):
        return None
    line = line_of(claim.quote, found.start())
    return None if NEGATED.search(line) else (claim.step, line)


def _steps(steps: Sequence[int]) -> str:
    """`steps 3, 5, 8 …`"""
    return f"steps {', '.join(map(str, steps[:5]))}{' …' if len(steps) > 5 else ''}"


def never_acted(scene: Scene) -> Fired | None:
    """No completed turn of the agent."""
    if scene.facts.first_action is not None:
        return None
    return fired("never_acted", scene.last, "the agent never completed a turn", 0.9, *scene.words(scene.last))


def refused(scene: Scene) -> Fired | None:
    """The last message declines and gives danger as the reason, no work was done, and no policy of the task
    is there that may have asked for it: whether one did is for a reader to tell.
    """
    found = declined(scene)
    if found is None or scene.facts.last_write is not None or policy(scene) is not None:
        return None
    n, sentence = found
    if not DANGER.search(sentence) and scene.trace.info.ended != "refused":
        return None
    says = "the last message declines and gives danger or policy as the reason; no policy of the task asks so"
    return fired("refused", n, says, 0.6, (n, sentence))


def declined(scene: Scene) -> tuple[int, str] | None:
    """The sentence of the last message that declines, and the one after it."""
    claim = scene.facts.claim
    match = REFUSES.search(claim.quote[:4000]) if claim else None
    if claim is None or match is None:
        return None
    line = line_of(claim.quote, match.start())
    rest = claim.quote[match.start() : match.start() + 400]
    two = rest.split("\n\n", 1)[0].rstrip()
    return claim.step, line if DANGER.search(line) else two


def policy(scene: Scene) -> tuple[int, str] | None:
    """The first line in which the task or its system message speaks of what is not to be done."""
    for step in scene.trace.steps[:4]:
        if step.source == "system" and (match := POLICY.search(step.message)):
            return step.n, line_of(step.message, match.start())
    return None


def blocked(scene: Scene) -> Fired | None:
    """The run was ended as refused without a refusal in the agent's words: somebody else said no."""
    facts = scene.facts
    if scene.trace.info.ended != "refused" or (facts.claim and REFUSES.search(facts.claim.quote[:4000])):
        return None
    says = "the run ended as refused, without words of refusal by the agent"
    return fired("blocked", scene.last, says, 0.5, *scene.words(scene.last))


def failed_again_and_again(scene: Scene) -> Fired | None:
    """The same call, or one tool on one thing, failing alike three times or more, never put right."""
    open_errors = {error.step for error in scene.facts.unrecovered}
    loops = [r for r in scene.facts.repeats if r.failed and len(r.steps) >= 3 and r.steps[-1] in open_errors]
    if loops:
        loop = max(loops, key=lambda repeat: len(repeat.steps))
        says = f"the same call failed in the same way {len(loop.steps)} times ({_steps(loop.steps)})"
        quotes = ((loop.steps[1], loop.reply), (loop.steps[-1], loop.reply))
        return fired("failed_again_and_again", loop.steps[1], says, 0.55, *quotes)
    alike: dict[tuple[str, str, str], list[Error]] = {}
    for error in scene.standing:
        if error.kind == "tool" and error.tool and error.quote:
            alike.setdefault((error.tool, error.target, error.quote[:_ALIKE]), []).append(error)
    most = max(alike.values(), key=len, default=[])
    if len(most) < 3:
        return None
    steps = tuple(error.step for error in most)
    about = f" on {most[0].target}" if most[0].target else ""
    times = f"{len(steps)} times ({_steps(steps)})"
    says = f"{most[0].tool}{about} failed with the same words {times}, never put right"
    quotes = ((steps[1], most[1].quote), (steps[-1], most[-1].quote))
    return fired("failed_again_and_again", steps[1], says, 0.5, *quotes)


def bad_arguments(scene: Scene) -> Fired | None:
    """A tool complained of the arguments, it never went through, and the run was lost or ended there."""
    error = next((e for e in scene.facts.unrecovered if e.kind == "tool" and ARGUMENTS.search(e.quote)), None)
    if error is None:
        return None
    later = any(step.calls and step.results and not step.error for step in scene.trace.steps[error.step :])
    if scene.facts.passed is not False and later:
        return None  # it got on without
    says = f"{error.tool or 'a tool'} refused its arguments, and this was never put right"
    says += f"; {scene.failed}" if scene.facts.passed is False else "; no call went through after it"
    return fired("bad_arguments", error.step, says, 0.45, (error.step, scene.widened(error)))


def not_there(scene: Scene) -> Fired | None:
    """Something was used that nothing before had mentioned; it is not there, and the agent goes on."""
    candidates = [error for error in scene.facts.unrecovered if error.kind == "tool"][:MOST_ERRORS]
    for error in candidates:
        name = _missing_name(scene.step(error.step), error)
        plain = name.removeprefix("./")
        if not name or first_appearance(scene.trace, plain, before=error.step, given=True) is not None:
            continue
        on = _built_on(scene, plain, error.step)
        if on is not None:
            says = (
                f"{name} is not there (step {error.step}), neither task nor any earlier output mentions it, "
                f"and step {on[0]} goes on with it"
            )
            return fired("not_there", error.step, says, 0.5, (error.step, error.quote), on)
    return None


def environment(scene: Scene) -> Fired | None:
    """A fault of network, machine or provider that was still there at the end; a budget that ends is none.

    Where something had been written before and no outcome is known, the work may be whole all the same.
    """
    facts = scene.facts
    ended = scene.trace.info.ended == "error"
    if (facts.passed is not False and facts.last_write is not None) or claimed(facts):
        return None  # talked over, or the work may be whole
    servers = {check.step for check in facts.checks if check.kind == "server"}  # one that runs times out
    faults = [e for e in facts.unrecovered if e.kind == "environment" and e.step not in servers]
    faults = [error for error in faults if not of_budget(error)]
    late = ended or (bool(faults) and faults[-1].step >= (facts.last_agent or 0) - 2)
    left = "nothing had been written" if facts.last_write is None else scene.failed
    if faults and late:
        says = f"a fault of the surroundings was still there at the end; {left}"
        return fired("environment", faults[-1].step, says, 0.6, (faults[-1].step, faults[-1].quote))
    last = scene.trace.steps[-1:]
    if (
        faults
        or not ended
        or facts.unrecovered
        or not last
        or (last[0].source == "agent" and not last[0].fault)
    ):
        return None  # the last words of an agent do not show what ended it
    says = f"the run ended in error, without an error of the agent's to explain it; {left}"
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
    times = f"{len(circle.steps)} times ({_steps(circle.steps)})"
    says = f"the budget ran out while the same call brought the same answer {times}"
    given = [text for place, text in step_texts(scene.step(circle.steps[1])) if place == "call"]
    words = next((text for text in (circle.reply, circle.call, *given) if telling(text)), circle.reply)
    quotes = [(n, first_line(words)) for n in (circle.steps[1], circle.steps[-1])]
    return fired("ran_out_in_circles", circle.steps[1], says, 0.5, *quotes, *filter(None, (scene.limit,)))


def ran_out_at_work(scene: Scene) -> Fired | None:
    """The harness says that a budget ran out, while the last third of the calls were different ones that
    mostly went through.
    """
    words = scene.limit
    if not scene.ran_out or words is None or ran_out_in_circles(scene):
        return None
    third = len(scene.trace.steps) * 2 // 3
    steps = [step for step in scene.trace.steps[third:] if step.source == "agent" and step.calls]
    calls = [(call.name, spelled(call.arguments)) for step in steps for call in step.calls]
    bad = sum(step.error for step in steps)
    targets = Counter(target(call) for step in steps for call in step.calls)
    again = max((count for thing, count in targets.items() if thing), default=0)
    if not calls or len(set(calls)) < len(calls) or 3 * bad >= len(steps) or again >= _AGAIN:
        return None
    says = f"the budget ran out; the last third made {len(calls)} calls, all different, {bad} of them failed"
    at = steps[-1].n
    return fired("ran_out_at_work", at, says, 0.4, words, *scene.words(at))


SIGNALS: tuple[Callable[[Scene], Fired | None], ...] = (
    never_acted,
    passed_clean,
    claim_against_check,
    refused,
    claim_unchecked,
    environment,
    held_up,
    claim_of_failed_write,
    failed_again_and_again,
    not_there,
    ran_out_in_circles,
    blocked,
    stopped_by_filter,
    file_not_there,
    bad_arguments,
    out_of_order,
    refused_call,
    user_objected,
    checked_and_wrong,
    ran_out_at_work,
    handed_over,
    said_it_failed,
    wrong_value,
    never_called,
    extra_call,
    made_up,
    says_it_is_stuck,
    error_left,
)
