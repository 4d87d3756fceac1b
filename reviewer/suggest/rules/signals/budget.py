"""The signals of a budget that ran out: over the same call again and again, or over distinct work.

Not known: whether the distinct calls served the goal, and whether there was reason to call once more.
"""

from __future__ import annotations

from collections import Counter

from reviewer.facts.calls import target
from reviewer.facts.texts import spelled
from reviewer.label import telling
from reviewer.suggest.rules.seen.quoting import BRIEF, called, head
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_AGAIN = 3
_PART = 60  # characters of each of three calls that are unlike


def ran_out_in_circles(scene: Scene) -> Fired | None:
    """The budget of turns or time ran out, and the last third of the run repeats itself."""
    if not scene.ran_out:
        return None
    third = len(scene.trace.steps) * 2 // 3
    circles = [r for r in scene.facts.repeats if sum(n > third for n in r.steps) >= _AGAIN]
    if not circles:
        return None
    circle = max(circles, key=lambda repeat: len(repeat.steps))
    again, last = circle.steps[1], circle.steps[-1]
    late = sum(n > third for n in circle.steps)
    where = f"steps {circle.steps[0]} to {last}, {late} of the last {len(scene.trace.steps) - third}"
    says = (
        f"off-goal loop: {circle.tool} was called alike {len(circle.steps)} times ({where}), always with the "
        f"same answer, until the budget ran out"
    )
    call, reply = called(scene.step(again), BRIEF), head(circle.reply, BRIEF)
    once_more = call if telling(call) and call == called(scene.step(last), BRIEF) else reply
    quotes = [(again, call, "called"), (again, reply, "answered"), (last, once_more, "once more")]
    ended = [(*scene.limit, "ended")] if scene.limit else []
    return fired("ran_out_in_circles", again, says, 0.5, *quotes, *ended)


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
    says = (
        f"budget exhausted: the last third made {len(calls)} calls, no two alike, {bad} of them failed; then "
        f"the budget ran out"
    )
    work = [(step.n, called(step, _PART), "at work") for step in steps[-_AGAIN:]]
    return fired("ran_out_at_work", steps[-1].n, says, 0.4, *work, (*words, "ended"))
