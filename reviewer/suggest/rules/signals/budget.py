"""The signals of a budget that ran out: over the same call again and again, or over distinct work.

Where something wrong was done before and stands, the loop only follows it, and neither fires. Not known:
whether the distinct calls served the goal, and whether there was reason to call once more.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from reviewer.facts import Repeat, first_appearance
from reviewer.facts.calls import target
from reviewer.facts.texts import spelled
from reviewer.facts.tools import named_read
from reviewer.label import telling
from reviewer.suggest.rules.seen.asked import request, waiting
from reviewer.suggest.rules.seen.broken import handed_in
from reviewer.suggest.rules.seen.circles import Loop, loop_to_end
from reviewer.suggest.rules.seen.earlier import departed
from reviewer.suggest.rules.seen.fitting import Quote, fitting
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, LIMIT
from reviewer.suggest.rules.seen.quoting import (
    LEAST,
    answered_call,
    around,
    called,
    head,
    readable,
    shortened,
)
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
_CALL = 60  # of a call that the sentence names
_ASKED = 50  # of a request beside what was done
_THING = 24  # of an id
_LONG = 2_000
_LONG_REPLY = 20_000
_BACK = 50  # steps back in which a value of an answer is looked for
_UNTIL = " until the run hit its limit"
_MEMBER = re.compile(r'"[^"\n]{2,30}":\s?(?P<value>"[^"\n]{1,30}"|-?\d[\d.]*)')
_FEW = 8  # numbers of an answer: each is looked for in the whole run
_VALUES = 60  # of an answer that are looked at


def ran_out_in_circles(scene: Scene) -> Fired | None:
    """The budget ran out while the run repeated one call, to the end, with no chance of a new answer.

    Of its quotes the first has to be there.
    """
    loop = loop_to_end(scene) if scene.ran_out else None
    if loop is None or loop.waits or departed(scene, loop.steps[0]) is not None:
        return None
    says, quotes = (_deed if _does(scene, loop) else _look)(scene, loop)
    return fired("ran_out_in_circles", loop.steps[0], says, 0.5, *fitting(says, "", quotes[:1], quotes[1:]))


def _look(scene: Scene, loop: Loop) -> tuple[str, list[Quote]]:
    """A look that is repeated: what the user waits for, or has asked, and the call as it is made at last."""
    again, last, times = loop.steps[0], loop.steps[-1], len(loop.steps)
    what = _named_call(scene, loop)
    if loop.only:
        says = f"off-goal loop: steps {again} to {last} only repeat {what} ({times} times, same answer)"
    else:
        says = f"off-goal loop: {times} of the {loop.of} turns from {again} on repeat {what} (same answer)"
    waits = waiting(scene, again)
    says += " while the user waits" if waits else _UNTIL
    call = called(scene.step(last), _CALL)
    if waits and not readable(says, (call, waits[1])):
        waits = waiting(scene, again, LEAST)
    asked = waits or request(scene, again, _ASKED)
    quotes: list[Quote] = [(*asked, "user waits" if waits else "asked")] if asked else []
    return says, [(last, call, "still called"), *quotes]


def _named_call(scene: Scene, loop: Loop) -> str:
    """The first call in plain words: of one that only names a thing, that thing; else the tool."""
    call, _ = answered_call(scene.step(loop.first), "", loop.tool) or (None, None)
    given = call.arguments if call is not None else None
    thing = target(call) if call is not None and isinstance(given, dict) and len(given) == 1 else ""
    if thing and len(thing) <= _THING and " " not in thing and named_read(loop.tool):
        return f"the look-up of {thing} at {loop.first}"
    return f"the {shortened(_named(loop), LEAST)} call at {loop.first}"


def _deed(scene: Scene, loop: Loop) -> tuple[str, list[Quote]]:
    """A deed that is repeated though once is enough: what it answered when it was done, and what at last."""
    again, last = loop.steps[0], loop.steps[-1]
    done, answer = loop.first, _answer(scene, loop)
    first: Quote = (done, answer, "its answer")
    if HANDS_OVER.search(loop.tool):
        says = (
            f"off-goal loop: the same hand-over {len(loop.steps) + 1} times ({done} to {last}, same answer)"
        )
        says += _UNTIL
        asked = request(scene, again, _ASKED)
        return says, [first, (last, answer, "same answer"), *([(*asked, "asked")] if asked else [])]
    says = f"off-goal loop: {shortened(_named(loop), LEAST)} made the change at {done}; the same call "
    says += f"came {len(loop.steps)} times more ({again} to {last}, same answer){_UNTIL}"
    return says, [first, (last, answer, "same answer")]


def _named(loop: Loop) -> str:
    """The tool without the server that it is from."""
    return loop.tool.rsplit("__", 1)[-1]


def _answer(scene: Scene, loop: Loop) -> str:
    """What shows in an answer that a deed was done: a value that no earlier one holds, else its beginning."""
    pair = answered_call(scene.step(loop.first), "", loop.tool)
    if pair is None or pair[1] is None or not pair[1].content.strip():
        return called(scene.step(loop.first), LEAST)
    reply = pair[1].content
    seen = [
        result.content[:_LONG_REPLY]
        for step in scene.trace.steps[: loop.first][-_BACK:]
        for result in step.results
        if result is not pair[1]
    ]
    given = spelled(pair[0].arguments)
    for match in islice(_MEMBER.finditer(reply[:_LONG_REPLY]), _VALUES):
        new = not any(match[0] in text for text in seen) and match["value"] not in given
        if new and telling(match[0]):
            return match[0]
    return head(reply, LEAST)


def _does(scene: Scene, loop: Loop) -> bool:
    """Whether the call changes or hands over something, so that once is enough."""
    writes = any(write.step == loop.first and write.tool == loop.tool for write in scene.facts.writes)
    return writes or HANDS_OVER.search(loop.tool) is not None


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
    alike = f"the last {len(calls)} calls all differ" if len(calls) > 1 else "the last call was a new one"
    went = f", {bad} of them failed" if bad else ""
    says = f"budget exhausted: {alike}{went}"
    early = _left_before(scene, steps[0].n)
    but = f"up to step {early.steps[-1]} it repeated the same call {len(early.steps)} times" if early else ""
    must = [(steps[-1].n, _purpose(steps[-1]), "at work"), (words[0], _brief(words[1]), "ended")]
    may: list[Quote] = []
    if early:
        must.append((early.steps[-1], called(scene.step(early.steps[-1]), LEAST), "but"))
    elif asked := request(scene, width=_ASKED):
        may.append((*asked, "asked"))
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


def _left_before(scene: Scene, n: int) -> Repeat | None:
    """The call that was repeated most before step `n`, if one was."""
    early = [one for one in scene.facts.repeats if len(one.steps) >= _AGAIN and one.steps[-1] < n]
    return max(early, key=lambda one: len(one.steps), default=None)


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
