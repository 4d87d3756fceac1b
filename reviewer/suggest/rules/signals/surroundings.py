"""The signals of what lies outside the agent: network, machine, provider, a filter, a site that says no.

A fault proves something only where it was still there at the end and was left in the open. Not known: whether
another way would have been reasonable.
"""

from __future__ import annotations

import re

from reviewer.facts import Error
from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.broken import (
    answer_of,
    answered_after,
    broken_off,
    expected_seen,
    final_answer,
    first_stands,
    noted_open,
    seen_before,
    yet_answered,
)
from reviewer.suggest.rules.seen.circles import notes
from reviewer.suggest.rules.seen.fitting import fitting, narrowed, tried_first
from reviewer.suggest.rules.seen.phrases import FAULT, REFUSES, SPOKEN, kind_of_fault
from reviewer.suggest.rules.seen.quoting import BRIEF, WIDTH, around, called, sentence, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, claimed, fired, of_budget
from reviewer.suggest.rules.signals.fabricated import made_up
from reviewer.suggest.rules.signals.invented import gone_twice, not_there
from reviewer.suggest.rules.signals.out_of_reach import one_thing

_NO = re.compile(
    r"captcha|verify (?:that )?you are (?:a )?human|unusual traffic|\b403\b[: ]{1,2}forbidden|access denied"
    r"|moderation|blocked by|content[ _]filter|permission denied|not permitted",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:we|I) can instead\b|\binstead,? (?:we|I)\b|\bfinal (?:answer|output)\b|\btherefore\b", re.I
)
_TWICE = 2
_NAME = 40  # characters of an answer that are read at a glance


def stopped_by_filter(scene: Scene) -> Fired | None:
    """A filter of the provider stands in the last words of the run, which was not lost before.

    An answer that is handed in all the same is the harness's, since no agent had a turn after the filter.
    Where the run had seen it before, and no record of its own says that the request was still open, or nobody
    knows whether it is right, it may be more than a guess: then it is a pointer. So it is where the expected
    answer had been seen, and another was handed in.
    """
    broken = broken_off(scene)
    if broken is None or not broken.filter or claimed(scene.facts) or _in_trouble(scene, broken.step):
        return None
    found, still = answered_after(scene), noted_open(scene, broken.step)
    seen = found is not None and seen_before(scene, broken.step, found[1])
    unknown = scene.facts.passed is None
    if found is not None and ((seen and unknown) or (still is None and (seen or unknown))):
        return None
    if found is not None and expected_seen(scene, broken.step) is not None:
        return None
    says = (
        f"provider block: a content filter refused the next call at {broken.step}; no agent had a turn after"
    )
    more, but = [], ""
    if found is not None:
        stood = first_stands(scene, broken.step, found[1])
        told = f" ({stood})" if stood else ""
        but = f"“{shortened(answer_of(found[1]), _NAME)}”{told} is handed in"
        more = [(*said, "handed in")] if (said := final_answer(scene)) is not None else []
    kept = fitting(says, but, [(broken.step, broken.quote, "refused")], more)
    return fired("stopped_by_filter", broken.step, says, 0.5, *kept, but=but)


def broken_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """What broke the run off, where it was in trouble before, or where an answer follows that passes over it:
    whether that was it, is for a reader.
    """
    broken = broken_off(scene) if scene.facts.passed is not True else None
    if broken is None:
        return None
    if answered_after(scene) is not None and (stood := expected_seen(scene, broken.step)) is not None:
        want = shortened(stood[1], _NAME)
        return stood[0], f"the expected “{want}” stands there; a {broken.what} ended the run at {broken.step}"
    if yet := yet_answered(scene):
        met = "refused" if broken.filter else "stands"
        return broken.step, f"a {broken.what} {met} there{yet}: a guess?"
    if not _in_trouble(scene, broken.step):
        return None
    return broken.step, f"a {broken.what} ended the run there, but it was in trouble before"


def fault_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """A fault that was never overcome, where nothing shows that no way round it was left."""
    faults = _faults(scene) if scene.facts.passed is not True else []
    if not faults:
        return None
    tried = "met once and not tried again" if len(faults) < _TWICE else f"met {len(faults)} times"
    return faults[0].step, f"a fault of the surroundings, {tried}; was another way open, and was it named?"


def _in_trouble(scene: Scene, n: int) -> bool:
    """Whether something stands before step `n` that may be the first departure: a loop that was noted twice
    or last, an error that was left, something invented.
    """
    found = [note for note in notes(scene) if note.step < n]
    if sum(note.loop for note in found) > 1 or (found and found[-1].loop):
        return True
    if any(error.step < n and error.kind == "tool" for error in scene.standing):
        return True
    return any(sign(scene) for sign in (gone_twice, not_there, made_up))


def blocked(scene: Scene) -> Fired | None:
    """The run was ended as refused, and somebody else than the agent says no in its last words."""
    facts, last = scene.facts, scene.trace.steps[-1:]
    if scene.trace.info.ended != "refused" or (facts.claim and REFUSES.search(facts.claim.quote[:4000])):
        return None
    for step in last:
        for place, whole in step_texts(step):
            no = _NO.search(ends(whole)) if step.source != "agent" or place == "result" else None
            if no is not None:
                says = f"provider or site block: a refusal from outside ended the run at {step.n}"
                words = around(ends(whole), *no.span())
                return fired("blocked", step.n, says, 0.5, (step.n, words, "refused"))
    return None


def environment(scene: Scene) -> Fired | None:
    """A fault of network, machine or provider that was still there at the end and left in the open.

    Either no turn was left to name it, or it was met more than once and the last words name it. Where
    something had been written and no outcome is known, the work may be whole all the same. A budget that ends
    is no fault. Or one thing alone, which the expected result needs, was never to be had.
    """
    return _at_the_end(scene) or one_thing(scene)


def _at_the_end(scene: Scene) -> Fired | None:
    facts = scene.facts
    if (facts.passed is not False and facts.last_write is not None) or claimed(facts):
        return None
    broken = broken_off(scene)
    if broken is not None:
        if broken.filter or answered_after(scene) is not None or _in_trouble(scene, broken.step):
            return None
        kind = kind_of_fault(broken.quote)
        says = f"{kind}: a fault ended the run at {broken.step}; no turn was left to name it"
        ended = [(broken.step, broken.after, "ended")] if broken.after else []
        return fired("environment", broken.step, says, 0.6, (broken.step, broken.quote, "the fault"), *ended)
    faults = _faults(scene)
    if not faults or faults[-1].step < (facts.last_agent or 0) - 2:
        return None
    if faults[-1].step >= (facts.last_agent or 0):
        return _without_a_turn(scene, faults[-1])
    return _said_openly(scene, faults)


def _faults(scene: Scene) -> list[Error]:
    """The faults of the surroundings that were never overcome."""
    # a server that runs times out
    servers = {check.step for check in scene.facts.checks if check.kind == "server"}
    return [
        error
        for error in scene.facts.unrecovered
        if (error.kind == "environment" or (error.kind == "tool" and FAULT.search(error.quote)))
        and error.step not in servers
        and not of_budget(error)
    ]


def _without_a_turn(scene: Scene, fault: Error) -> Fired | None:
    """A fault that ended the run: the agent had no turn after it."""
    step = scene.step(fault.step)
    if step.source == "agent" and not FAULT.search(fault.quote):
        return None  # a reply that could not be read is the agent's
    says = f"{kind_of_fault(fault.quote)}: a fault ended the run at {fault.step}; no turn was left to name it"
    tried = [(fault.step, called(step, BRIEF, failed=True), "tried")] if step.calls else []
    kept = fitting(says, "", [(fault.step, _around(scene, fault), "the fault")], tried)
    return fired("environment", fault.step, says, 0.6, *tried_first(kept))


def _said_openly(scene: Scene, faults: list[Error]) -> Fired | None:
    """A fault that was met more than once, and that the last words of the agent name."""
    claim = scene.facts.claim
    spoken = SPOKEN.search(claim.quote[:8_000]) if claim and claim.step > faults[-1].step else None
    if claim is None or spoken is None or _GOES_ON.search(claim.quote[:8_000]):
        return None  # passed over, or an answer is given all the same
    if len(faults) < _TWICE:
        return None  # one other try was open
    first, last = faults[0], faults[-1]
    when = f"{len(faults)} times ({first.step} to {last.step})"
    says = f"{kind_of_fault(first.quote)}: a fault met {when}, never overcome"
    quote, at = claim.quote, spoken.start()

    def build(width: int) -> Fired:
        fault = (first.step, _around(scene, first, min(width, BRIEF)), "the fault")
        said = (claim.step, sentence(quote, at, min(width, BRIEF)), "said")
        return fired("environment", first.step, says, 0.6, fault, said)

    return narrowed(build)


def _around(scene: Scene, error: Error, width: int = WIDTH) -> str:
    """The words of an error with those around, as far as they stand in one text of the step."""
    for _, text in step_texts(scene.step(error.step)):
        at = text.find(error.quote) if error.quote else -1
        if at >= 0:
            fault = FAULT.search(text, at, at + len(error.quote))
            return around(text, *(fault.span() if fault else (at, at + min(len(error.quote), width))), width)
    return error.quote
