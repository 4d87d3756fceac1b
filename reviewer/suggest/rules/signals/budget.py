"""The signals of a budget that ran out: over the same call again and again, or over distinct work.

Where something wrong was done before and stands, the loop only follows it, and neither fires. Not known:
whether the distinct calls served the goal, and whether there was reason to call once more.
"""

from __future__ import annotations

import re
from collections import Counter

from reviewer.facts import first_appearance
from reviewer.facts.calls import target
from reviewer.facts.texts import spelled
from reviewer.label import telling
from reviewer.suggest.rules.seen.asked import request, waiting
from reviewer.suggest.rules.seen.broken import handed_in
from reviewer.suggest.rules.seen.circles import Loop, loop_to_end
from reviewer.suggest.rules.seen.earlier import departed, never_made
from reviewer.suggest.rules.seen.excuses import excuse
from reviewer.suggest.rules.seen.fitting import Quote, fitting
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around, call_made, called, head, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_AGAIN = 3
_CODE = re.compile(r"max_?\w{2,12}|timeout\w{0,8}", re.IGNORECASE)
_AIM = re.compile(
    r"\*\*(?:step|next)\b[^*\n]{0,12}:?\*\*:?\s*(?P<step>[^\n]{12,})"
    r"|(?P<plan>\b(?:let['’]?s|let me|I(?:['’]ll| will| need to| am going to)|next,? I|now,? I)\b[^\n]{8,})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*\d(?!\w)")
_SHORT = 60  # characters of an answer that is looked for as a whole
_SAID = 60
_RULE = 60  # characters of what is due next
_ASKED = 50  # of a request beside it
_LONG = 2_000
_FEW = 8  # numbers of an answer: each is looked for in the whole run


def ran_out_in_circles(scene: Scene) -> Fired | None:
    """The budget ran out while the run repeated one call, to the end, with no chance of a new answer."""
    loop = loop_to_end(scene) if scene.ran_out else None
    if loop is None or loop.waits or departed(scene, loop.steps[0]) is not None:
        return None
    again, last = loop.steps[0], loop.steps[-1]
    turns = f"steps {again} to {last} only repeat"
    if not loop.only:
        turns = f"{len(loop.steps)} of the last {loop.of} turns (from {again} on) repeat"
    does, open_ = _does(scene, loop), never_made(scene)
    told = f"{loop.tool} was done at {loop.first}; {turns} it" if does else f"{turns} {loop.tool}"
    says = f"off-goal loop: {told} until the budget ran out{_code(scene)}"
    if open_:
        more = f" and {len(open_) - 1} more" if len(open_) > 1 else ""
        says += f"; expected, and never made: {open_[0].name}{more}"
    waits = waiting(scene, again)
    but = _speaks_for_earlier(scene, loop) if does or not waits else ""
    must, may = _quotes(scene, loop, does)
    may += [(*waits, "user waits")] if waits and not does else []
    may += [(*scene.limit, "ended")] if scene.limit else []
    return fired("ran_out_in_circles", again, says, 0.5, *fitting(says, but, must, may), but=but)


def _quotes(scene: Scene, loop: Loop, does: bool) -> tuple[list[Quote], list[Quote]]:
    """What was asked and what was repeated; and what was due instead, if there is room."""
    again = loop.steps[0]
    asked = request(scene, again, _ASKED if does else BRIEF)
    must: list[Quote] = [(*asked, "asked")] if asked else []
    if does:
        must += [(n, _deed(scene, loop, n), shows) for n, shows in ((loop.first, "done"), (again, "again"))]
        return must, _due(scene, loop)
    given, answer = _call(scene, loop, again)
    return [*must, (again, given, f"called {loop.tool}"), (again, answer, "same answer")], []


def _call(scene: Scene, loop: Loop, n: int, width: int = BRIEF) -> tuple[str, str]:
    """What the call of a loop was given in step `n`, and the beginning of its answer."""
    given, _ = call_made(scene.step(n), "", loop.tool, width)
    return given or called(scene.step(n), width), head(loop.reply, width)


def _deed(scene: Scene, loop: Loop, n: int) -> str:
    """What shows a deed: its answer, if that is short; else what it was given."""
    given, answer = _call(scene, loop, n, BRIEF if n == loop.first else LEAST)
    return answer if answer and len(loop.reply) <= LEAST else given


def _does(scene: Scene, loop: Loop) -> bool:
    """Whether the call changes or hands over something, so that once is enough."""
    writes = any(write.step == loop.first and write.tool == loop.tool for write in scene.facts.writes)
    return writes or HANDS_OVER.search(loop.tool) is not None


def _code(scene: Scene) -> str:
    """The grader's own word for the end of a budget."""
    match = _CODE.search(scene.failed) if scene.limit is None else None
    return f" ({match[0]})" if match else ""


def _due(scene: Scene, loop: Loop) -> list[Quote]:
    """The words of the policy that say what comes after this call."""
    then = re.compile(rf"{re.escape(loop.tool)}\b[^.\n]{{0,30}}\b(then\b[^.\n]{{0,60}})")
    found = [(n, around(match.string, *match.span(1), _RULE)) for n, match in scene.policy(then, task=True)]
    return [(n, words, "due next") for n, words in found[:1]]


def _speaks_for_earlier(scene: Scene, loop: Loop) -> str:
    """What was done before the loop, if it might be taken for the fault, and why it is none."""
    if HANDS_OVER.search(loop.tool):
        why = excuse(scene, loop.first)
        named = "named a policy" if why and "policy" in why else "gave a reason"
        return f"the first hand-over ({loop.first}) {named}; repeating it did nothing" if why else ""
    if scene.wanted is None:
        return ""
    if _does(scene, loop):
        right = not scene.wanted.open and loop.tool in scene.wanted.names
        only = f"the first call ({loop.first}) was the expected one; only the repeats are wrong"
        return only if right else ""
    of = len(scene.wanted.expected)
    done = of - len(scene.wanted.open)
    return f"before it the work was on course: {done} of {of} expected calls made" if done else ""


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
    if not scene.ran_out or words is None or loop_to_end(scene) or answer_after_limit(scene):
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
    alike = (
        f"the last {len(calls)} calls are no two alike" if len(calls) > 1 else "the last call was a new one"
    )
    went = f", {bad} of them failed" if bad else ""
    says = f"budget exhausted: {alike}{went}; then the budget ran out"
    asked, but = request(scene), _left_before(scene, steps[0].n)
    must: list[Quote] = [(*asked, "asked")] if asked else []
    must += [(steps[-1].n, _purpose(steps[-1]), "at work"), (*words, "ended")]
    may = [(step.n, _purpose(step), "at work") for step in reversed(steps[:-1])]
    return fired("ran_out_at_work", steps[-1].n, says, 0.4, *fitting(says, but, must, may[:1]), but=but)


def _purpose(step: Step) -> str:
    """What a step was for, in its own words; else what it called or, where that says nothing, what it got."""
    if match := _AIM.search(step.message[:_LONG]):
        words = head(match["step"] or match["plan"], BRIEF)
        if telling(words):
            return words
    got = next((head(result.content, BRIEF) for result in step.results if telling(result.content)), "")
    return called(step, BRIEF) if telling(called(step, BRIEF)) or not got else got


def _left_before(scene: Scene, n: int) -> str:
    """A call that was repeated before the end, if one was."""
    early = [one for one in scene.facts.repeats if len(one.steps) >= _AGAIN and one.steps[-1] < n]
    most = max(early, key=lambda one: len(one.steps), default=None)
    return f"{most.tool} was called alike up to {most.steps[-1]}; that was left" if most else ""


def answer_after_limit(scene: Scene) -> tuple[int, str] | None:
    """Where a budget ran out, and an answer is handed in with something that no step of the run holds."""
    answer = handed_in(scene) if scene.ran_out and scene.facts.passed is not True else ""
    limit = scene.limit
    if not answer or limit is None:
        return None
    told = _NUMBER.findall(answer[-_LONG:])[-_FEW:] if len(answer) > _SHORT else [answer]
    new = next((word for word in told[::-1] if first_appearance(scene.trace, word, given=True) is None), None)
    if new is None:
        return None
    said = shortened(new, _SAID)
    return limit[0], f"the budget ran out there; the answer handed in says “{said}”, which no step holds"
