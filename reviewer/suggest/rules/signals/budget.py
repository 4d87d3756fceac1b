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
from reviewer.suggest.rules.seen.fitting import Quote, fitting
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, LIMIT
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, answered_call, around, called, head, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_AGAIN = 3
_AIM = re.compile(
    r"\*\*(?:step|next)\b[^*\n]{0,12}:?\*\*:?\s*(?P<step>[^\n]{12,})"
    r"|(?P<plan>\b(?:let['’]?s|let me|I(?:['’]ll| will| need to| am going to)|next,? I|now,? I)\b[^\n]{8,})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*\d(?!\w)")
_SHORT = 60  # characters of an answer that is looked for as a whole
_SAID = 60
_RULE = 48  # characters of what must follow
_CALL = 60  # of a call that is shown twice
_ASKED = 50  # of a request beside what was done
_LONG = 2_000
_FEW = 8  # numbers of an answer: each is looked for in the whole run


def ran_out_in_circles(scene: Scene) -> Fired | None:
    """The budget ran out while the run repeated one call, to the end, with no chance of a new answer."""
    loop = loop_to_end(scene) if scene.ran_out else None
    if loop is None or loop.waits or departed(scene, loop.steps[0]) is not None:
        return None
    says, but, quotes = _deed(scene, loop) if _does(scene, loop) else _look(scene, loop)
    shown = fitting(says, but, quotes[-1:], quotes[:-1])
    return fired("ran_out_in_circles", loop.steps[0], says, 0.5, *shown, but=but)


def _look(scene: Scene, loop: Loop) -> tuple[str, str, list[Quote]]:
    """A look that is repeated: what was asked, or what the user waits for, and the call twice."""
    again, last = loop.steps[0], loop.steps[-1]
    times, tool = len(loop.steps), _named(loop)
    says = f"off-goal loop: steps {again} to {last} only repeat {tool} ({times} times, same answer)"
    if not loop.only:
        says = f"off-goal loop: {times} of the {loop.of} turns from {again} on repeat {tool} (same answer)"
    waits = waiting(scene, again)
    says += " while the user waits" if waits else " until the budget ran out"
    if open_ := never_made(scene):
        says += f"; expected and never made: {open_[0].name.rsplit('__', 1)[-1]}"
    asked = request(scene, again, BRIEF)
    quotes: list[Quote] = [(*waits, "user waits")] if waits else [(*asked, "asked")] if asked else []
    return says, "", [*quotes, *((n, called(scene.step(n), _CALL), shows) for n, shows in _twice(loop))]


def _deed(scene: Scene, loop: Loop) -> tuple[str, str, list[Quote]]:
    """A deed that is repeated though once is enough: where it was done, and again, or what had to follow."""
    again, last = loop.steps[0], loop.steps[-1]
    over = HANDS_OVER.search(loop.tool) is not None
    done = f"it handed over at {loop.first}" if over else f"{_named(loop)} went through at {loop.first}"
    says = f"off-goal loop: {done}, then {len(loop.steps)} times more ({again} to {last})"
    quotes: list[Quote] = [(n, _shows(scene, loop, n), shows) for n, shows in _twice(loop)]
    due = _due(scene, loop)
    if due is not None:
        says += ", and never sent the message that must follow"
        quotes = [(*due, "policy" if scene.step(due[0]).source == "system" else "task"), *quotes[1:]]
    elif not any(step.source == "agent" and step.message.strip() for step in scene.trace.steps[loop.first :]):
        says += "; the user was never told"
    if over:
        return says, f"step {loop.first} may be a premature stop", quotes
    wanted = scene.wanted is not None and not scene.wanted.open and loop.tool in scene.wanted.names
    return says, f"the work itself was done at {loop.first}" if wanted else "", quotes


def _named(loop: Loop) -> str:
    """The tool without the server that it is from."""
    return loop.tool.rsplit("__", 1)[-1]


def _twice(loop: Loop) -> tuple[tuple[int, str], tuple[int, str]]:
    """The steps of a call and of its first repetition, with their captions."""
    return (loop.first, f"called {_named(loop)}"), (loop.steps[0], "again")


def _shows(scene: Scene, loop: Loop, n: int) -> str:
    """What shows a deed in step `n`: its answer, if that is short; else the thing it was done to."""
    if loop.reply.strip() and len(loop.reply) <= LEAST:
        return head(loop.reply, LEAST)
    call, _ = answered_call(scene.step(n), "", loop.tool) or (None, None)
    thing = target(call) if call is not None else ""
    whole = spelled(call.arguments) if call is not None else ""
    named = re.search(rf'"[^"]{{1,40}}":\s?"{re.escape(thing)}"', whole) if thing else None
    return named[0] if named and len(whole) > LEAST else called(scene.step(n), LEAST)


def _does(scene: Scene, loop: Loop) -> bool:
    """Whether the call changes or hands over something, so that once is enough."""
    writes = any(write.step == loop.first and write.tool == loop.tool for write in scene.facts.writes)
    return writes or HANDS_OVER.search(loop.tool) is not None


def _due(scene: Scene, loop: Loop) -> tuple[int, str] | None:
    """The words of the policy that tell which message comes after this call, if nobody sent it."""
    form = (
        rf"{re.escape(loop.tool)}\b[^.\n]{{0,30}}\b"
        r"(then\b[^.\n'\"“‘]{0,40}['\"“‘](?P<said>[^'\"”’\n]{8,200}))"
    )
    for n, match in scene.policy(re.compile(form), task=True):
        said = " ".join(match["said"].split()).lower()
        after = (step for step in scene.trace.steps[loop.first - 1 :] if step.source == "agent")
        if any(said in " ".join(step.message.split()).lower() for step in after):
            return None
        return n, head(match[1], _RULE)
    return None


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
    says = f"budget exhausted: {alike}{went}"
    asked, but = request(scene, width=_ASKED), _left_before(scene, steps[0].n)
    may: list[Quote] = [(*asked, "asked")] if asked else []
    must = [(steps[-1].n, _purpose(steps[-1]), "at work"), (words[0], _brief(words[1]), "ended")]
    return fired("ran_out_at_work", steps[-1].n, says, 0.4, *fitting(says, but, must, may), but=but)


def _brief(words: str) -> str:
    """The words with which a run says that a budget is used up, out of a long line."""
    found = LIMIT.search(words)
    return around(words, *found.span(), LEAST) if found else head(words, LEAST)


def _purpose(step: Step) -> str:
    """What a step was for, in its own words; else what it called or, where that says nothing, what it got."""
    if match := _AIM.search(step.message[:_LONG]):
        words = head(match["step"] or match["plan"], _CALL)
        if telling(words):
            return words
    got = next((head(result.content, _CALL) for result in step.results if telling(result.content)), "")
    return called(step, _CALL) if telling(called(step, _CALL)) or not got else got


def _left_before(scene: Scene, n: int) -> str:
    """A call that was repeated before the end, if one was."""
    early = [one for one in scene.facts.repeats if len(one.steps) >= _AGAIN and one.steps[-1] < n]
    most = max(early, key=lambda one: len(one.steps), default=None)
    return f"up to step {most.steps[-1]} it repeated the same call of {most.tool}" if most else ""


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
