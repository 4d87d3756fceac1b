"""The signals of a budget that ran out: over the same call again and again, or over distinct work.

Where something wrong was done before and stands, the loop only follows it, and neither fires. Not known:
whether the distinct calls served the goal, and whether there was reason to call once more.
"""

from __future__ import annotations

from collections import Counter

from reviewer.facts.calls import target
from reviewer.facts.texts import spelled
from reviewer.facts.tools import named_read
from reviewer.suggest.rules.seen.asked import request, waiting
from reviewer.suggest.rules.seen.broken import handed_in
from reviewer.suggest.rules.seen.circles import Loop, loop_to_end
from reviewer.suggest.rules.seen.earlier import departed
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.quoting import LEAST, Quote, answered_call, called, head, readable, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_AGAIN = 3
_SAID = 60
_CALL = 60  # of a call that the sentence names
_ASKED = 50  # of a request beside what was done
_THING = 24  # of an id


def ran_out_in_circles(scene: Scene) -> Fired | None:
    """The budget ran out, or a failed run ended without a word, while it repeated one call, to the end, with
    no chance of a new answer.

    Shown are the call as it is made at last and, of a look, what the user waits for or has asked, of a deed
    its first answer.
    """
    silent = scene.facts.passed is False and scene.facts.claim is None
    loop = loop_to_end(scene) if scene.ran_out or silent else None
    if loop is None or loop.waits or departed(scene, loop.steps[0]) is not None:
        return None
    again, last, times = loop.steps[0], loop.steps[-1], len(loop.steps)
    what = _named_call(scene, loop)
    if loop.only:
        says = f"loop: steps {again} to {last} only repeat {what} ({times} times, same answer)"
    else:
        says = f"loop: {times} of the {loop.of} turns from {again} on repeat {what} (same answer)"
    looks = named_read(loop.tool)
    waits = waiting(scene, again) if looks else None
    end = " until the run hit its limit" if scene.ran_out else " until it ended without a word"
    says += " while the user waits" if waits else end
    call = called(scene.step(last), _CALL)
    if waits and not readable(says, (call, waits[1])):
        waits = waiting(scene, again, LEAST)
    asked = waits or (request(scene, again, _ASKED) if looks else None)
    more: Quote = (loop.first, head(loop.reply, _ASKED), "its answer")
    more = (*asked, "user waits" if waits else "asked") if asked else more
    quotes = fitting(says, "", [(last, call, "still called")], [more])
    return fired("ran_out_in_circles", again, says, 0.5, *quotes)


def _named_call(scene: Scene, loop: Loop) -> str:
    """The first call in plain words: of a look that only names a thing, that thing; else the tool."""
    call, _ = answered_call(scene.step(loop.first), "", loop.tool) or (None, None)
    given = call.arguments if call is not None else None
    thing = target(call) if call is not None and isinstance(given, dict) and len(given) == 1 else ""
    if thing and len(thing) <= _THING and " " not in thing and named_read(loop.tool):
        return f"the look-up of {thing} at {loop.first}"
    tool = loop.tool.rsplit("__", 1)[-1]  # without the server that it is from
    return f"the {shortened(tool, LEAST)} call at {loop.first}"


def circles_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """Where to begin for a budget that ran out in circles, if something went wrong before, or it waited."""
    loop = loop_to_end(scene) if scene.ran_out and scene.facts.passed is not True else None
    if loop is None:
        return None
    again = loop.steps[0]
    if (before := departed(scene, again)) is not None:
        n, what = before
        return n, f"{what}; the loop of {loop.tool} that used up the budget follows at {again}"
    if loop.waits:
        answer = shortened(loop.reply, _SAID)
        return again, f"{loop.tool} is called alike from there to the end: was it waiting (“{answer}”)?"
    return None


def ran_out_at_work(scene: Scene) -> Fired | None:
    """The harness says that a budget ran out, while the last third of the calls were different ones that
    mostly went through.
    """
    words = scene.limit
    if not scene.ran_out or words is None or loop_to_end(scene):
        return None
    third = len(scene.trace.steps) * 2 // 3
    steps = [step for step in scene.trace.steps[third:] if step.source == "agent" and step.calls]
    calls = [(call.name, spelled(call.arguments)) for step in steps for call in step.calls]
    bad = sum(step.error for step in steps)
    targets = Counter(target(call) for step in steps for call in step.calls)
    again = max((count for thing, count in targets.items() if thing), default=0)
    if not calls or len(set(calls)) < len(calls) or 3 * bad >= len(steps) or again >= _AGAIN:
        return None
    if departed(scene, len(scene.trace.steps)) is not None:
        return None
    alike = f"the last {len(calls)} calls all differ" if len(calls) > 1 else "the last call was a new one"
    says = f"budget exhausted: {alike}" + (f", {bad} of them failed" if bad else "")
    must = [(steps[-1].n, called(steps[-1], _CALL), "at work"), (words[0], head(words[1], _CALL), "ended")]
    asked = request(scene, width=_ASKED)
    but = "an answer is handed in all the same" if handed_in(scene) else ""
    quotes = fitting(says, but, must, [(*asked, "asked")] if asked else [])
    return fired("ran_out_at_work", steps[-1].n, says, 0.4, *quotes, but=but)
