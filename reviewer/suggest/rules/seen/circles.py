"""Going in circles, to be seen: what the agents of a run note of loops, and what was done again and again.

No signal of its own. Not known: whether there was reason to do the same once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reviewer.facts.texts import ends, step_texts
from reviewer.facts.tools import named_read
from reviewer.suggest.rules.seen.quoting import around, called, head
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

_NOTE = re.compile(r'"\w*loop\w*":\s*(?:\{[^{}]{0,800}?"answer":\s*)?(?P<loop>true|false)\b', re.IGNORECASE)
_PROGRESS = re.compile(r'"\w*progress\w*":\s*(?:\{[^{}]{0,800}?"answer":\s*)?true\b', re.IGNORECASE)
_REASON = re.compile(r'"reason":\s*"(?P<why>[^"\n]{12,})')
_SAID = re.compile(
    r"\bstuck in a (?:loop|cycle)\b|\b(?:going|running|went) (?:round )?in circles\b"
    r"|\bkeep (?:repeating|running into|getting) the same\b",
    re.IGNORECASE,
)
_DENIED = re.compile(  # `no indication that it is`, `to prevent getting`
    r"\b(?:no|not|never|without|if|prevent|avoid|instead of|risk of)\b[^.\n]{0,60}\Z", re.IGNORECASE
)
_TIMES = 3
_AFTER = 2  # turns that may follow a loop which lasts to the end
_HALF = 2
_WAITS = re.compile(r"\b(?:sleep|wait|poll)\w*\b", re.IGNORECASE)
_PENDING = re.compile(
    r"\b(?:pending|in[ _-]progress|queued|not (?:yet )?ready|still running|processing|please wait|loading"
    r"|try again (?:later|in))\b",
    re.IGNORECASE,
)
_REPLY = 400  # characters of an answer


@dataclass(frozen=True, slots=True)
class Note:
    """One entry of the agents' own record: whether they hold that they go in circles."""

    step: int
    loop: bool
    progress: bool
    quote: str


@dataclass(frozen=True, slots=True)
class Loop:
    """One call, made again and again to the end of the run, always with the same answer.

    `steps` are the repetitions from the first that had no chance of a new answer: since the call at `first`
    nothing was changed, and nobody spoke who may have changed something. `of`: the turns from there on.
    `waits`: the call or its answer speaks of something that is yet to come, so that there was a chance.
    """

    tool: str
    first: int
    steps: tuple[int, ...]
    of: int
    reply: str
    waits: bool

    @property
    def only(self) -> bool:
        return len(self.steps) == self.of


def loop_to_end(scene: Scene) -> Loop | None:
    """The call that at least half of the turns in the last third of the run repeat, up to its end."""
    steps = scene.trace.steps
    third = len(steps) * 2 // 3
    turns = [step.n for step in steps if step.source == "agent" and not step.kind]
    late = [n for n in turns if n > third]
    circle = max(scene.facts.repeats, key=lambda one: sum(n > third for n in one.steps), default=None)
    times = sum(n > third for n in circle.steps) if circle is not None else 0
    if circle is None or times < _TIMES or _HALF * times < len(late):
        return None
    if sum(n > circle.steps[-1] for n in turns) > _AFTER:
        return None  # it was left
    for k, (before, n) in enumerate(pairwise(circle.steps), 1):
        if not _changed(steps[before : n - 1]):
            again = circle.steps[k:]
            words = called(scene.step(n), _REPLY)
            waits = bool(_WAITS.search(words) or _PENDING.search(circle.reply[:_REPLY]))
            return Loop(circle.tool, before, again, sum(m >= n for m in turns), circle.reply, waits)
    return None


def _changed(between: Sequence[Step]) -> bool:
    """Whether the user spoke, and may have changed something: all that they are seen to do is no look."""
    theirs = [step for step in between if step.source == "user" and not step.kind]
    names = [call.name for step in theirs for call in step.calls]
    return bool(theirs) and not (names and all(map(named_read, names)))


def notes(scene: Scene) -> list[Note]:
    """What the agents noted of loops, in order: entries of a record, and plain sentences."""
    return [note for step in scene.trace.steps for note in _of_step(step)]


def _of_step(step: Step) -> Iterator[Note]:
    if step.source != "agent" or step.kind:
        return
    for place, whole in step_texts(step):
        if place == "result":
            continue
        text = ends(whole)
        if (entry := _NOTE.search(text)) is not None:
            loop, progress = entry["loop"].lower() == "true", _PROGRESS.search(text) is not None
            why = _REASON.search(entry[0])
            yield Note(step.n, loop, progress, why["why"] if why is not None else head(entry[0]))
            return
        said = _SAID.search(text)
        if said is not None and not _DENIED.search(text[max(0, said.start() - 80) : said.start()]):
            yield Note(step.n, True, False, around(text, *said.span()))
            return
