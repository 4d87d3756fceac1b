"""What broke a run off in its last words, and whether an answer stands there all the same.

A filter of the provider, or a fault of network or machine. An answer that follows one without a word of it
may be a guess or may have been found before: which of them, is for a reader. Knows no signal and no mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.phrases import FAULT
from reviewer.suggest.rules.seen.quoting import BRIEF, around, shortened
from reviewer.suggest.rules.seen.scene import Scene

_FILTER = re.compile(
    r"\bcontent_filter\b|content management policy|ResponsibleAIPolic\w+|\bcontent policy violation"
    r"|flagged (?:as|by) .{0,40}(?:policy|moderation)",
    re.IGNORECASE,
)
_REPORTED = re.compile(  # it happened, and is not only spoken of
    r"error code: ?\d|\w+Error:|['\"]code['\"]: ?['\"]content_filter|\bwas filtered|filtered due"
    r"|['\"]filtered['\"]: ?true",
    re.IGNORECASE,
)
_DECIDING = re.compile(  # of a filter's words those that say which one it was
    r"'\w+': \{'filtered': True[^{}]{0,60}(?:\}+, 'code': 'content_filter')?|filtered due to[^.\n]{0,120}"
    r"|\"\w+\": ?\{\"filtered\": ?true[^{}]{0,60}"
    r"|flagged (?:as|by) .{0,40}(?:policy|moderation)",
)
_EXIT = re.compile(
    r"\bEXITED WITH CODE:? [1-9]\d*|\bexit(?:ed|s)?(?: with)?(?: code| status)?:? [1-9]\d*", re.I
)
_CLEAR = 40  # characters that need none around them
_ANSWER = re.compile(r"^[ \t*#]*final[ _]answer\b[ \t*]*:[ \t]*\S.{0,160}", re.MULTILINE | re.IGNORECASE)
_TRACEBACK = re.compile(r"^(?:[\w.]+(?:Error|Exception)|\w+\.Timeout)\b.{0,2000}$", re.MULTILINE)
_SATISFIED = re.compile(
    r'"\w*(?:satisfied|complete|solved|finished)\w*":\s*(?:\{[^{}]{0,800}?"answer":\s*)?(?P<done>true|false)\b',
    re.IGNORECASE,
)
_BACK = 12  # steps in which the last entry of such a record stands
_LABEL = re.compile(r"^[ \t*#]*final[ _]answer\b[ \t*]*:", re.IGNORECASE)
_PARTS = re.compile(r"[,;\n]")
_MOST = 20  # parts of an answer, and words of a part
_SHORT = 3  # characters of an answer that stands anywhere
_LONG = 200_000
_LATE = 3  # steps in which a final answer stands, if any
_SAID = 60


@dataclass(frozen=True, slots=True)
class Broken:
    """What broke a run off in its last words: a filter or a fault, and the code of exit after a fault."""

    step: int
    filter: bool
    quote: str
    after: str = ""

    @property
    def what(self) -> str:
        return "provider's content filter" if self.filter else "fault of the network or machine"


def broken_off(scene: Scene) -> Broken | None:
    """The filter or fault of the surroundings that stands at the end of the run, in its last words."""
    last = scene.facts.last_agent
    if last is None:
        return None
    for n in range(last, len(scene.trace.steps) + 1):
        for _, whole in step_texts(scene.step(n)):
            text = ends(whole)
            if (broken := _fault_at_end(n, text) or _filter_at_end(n, text)) is not None:
                return broken
    return None


def final_answer(scene: Scene) -> tuple[int, str] | None:
    """The line that gives the final answer, in the last words of the run: its step and the words."""
    for step in reversed(scene.trace.steps[-_LATE:]):
        for place, whole in step_texts(step):
            found = [] if place == "call" else list(_ANSWER.finditer(ends(whole)))
            if found:
                return step.n, " ".join(found[-1][0].split())
    return None


def answered_after(scene: Scene) -> tuple[Broken, str] | None:
    """What broke the run off, and the answer that was given all the same: in its words, or handed in."""
    broken = broken_off(scene)
    if broken is None:
        return None
    said = final_answer(scene)
    answer = said[1] if said is not None and said[0] >= broken.step else handed_in(scene)
    return (broken, answer) if answer else None


def answer_of(line: str) -> str:
    """The answer alone, of a line that gives it."""
    return _LABEL.sub("", line, count=1).strip(" \t*#.")


def seen_before(scene: Scene, broken: Broken, line: str) -> bool:
    """Whether an answer, or one of several, stood in what the run had found before it was broken off.

    What the agents planned, thought or ordered does not count; one of a letter or two is taken for seen,
    since it stands anywhere.
    """
    for part in _PARTS.split(answer_of(line))[:_MOST]:
        words = re.findall(r"\w+", part)
        if 0 < sum(map(len, words)) < _SHORT:
            return True
        spelled = r"\W*".join(map(re.escape, words[:_MOST]))
        whole = re.compile(rf"(?<!\w){spelled}(?!\w)", re.IGNORECASE)
        if words and any(whole.search(text) for text in _found(scene, broken)):
            return True
    return False


def noted_open(scene: Scene, n: int) -> int | None:
    """The step before `n` at which the agents' own record last says that what was asked is not yet done."""
    for step in reversed(scene.trace.steps[max(0, n - _BACK) : n - 1]):
        for place, text in step_texts(step):
            told = (
                list(_SATISFIED.finditer(ends(text))) if step.source == "agent" and place != "result" else []
            )
            if told:
                return step.n if told[-1]["done"].lower() == "false" else None
    return None


def _found(scene: Scene, broken: Broken) -> Iterator[str]:
    """What agents said and tools returned up to the words that broke the run off."""
    for step in scene.trace.steps[: broken.step]:
        if step.source == "agent" and not step.kind and "->" not in step.name:
            for place, whole in step_texts(step):
                told = _REPORTED.search(whole) if step.n == broken.step else None
                if place in ("message", "result"):
                    yield whole[: told.start() if told else _LONG]


def yet_answered(scene: Scene) -> str:
    """In words, that an answer follows what broke the run off; empty where none does."""
    found = answered_after(scene)
    if found is None:
        return ""
    told = " (seen before)" if seen_before(scene, found[0], found[1]) else ""
    return f", yet “{shortened(found[1], _SAID)}”{told} follows without a word of it"


def handed_in(scene: Scene) -> str:
    """The answer that the file keeps as the final state of the run."""
    for outcome in scene.outcomes:
        state = outcome.final_state
        answer = state.get("answer") if isinstance(state, dict) else None
        if isinstance(answer, str) and answer.strip():
            return answer.strip()
    return ""


def _filter_at_end(n: int, text: str) -> Broken | None:
    found = _FILTER.search(text)
    if found is None or not _REPORTED.search(text):
        return None
    deciding = _DECIDING.search(text) or found
    return Broken(n, True, deciding[0] if len(deciding[0]) >= _CLEAR else around(text, *deciding.span()))


def _fault_at_end(n: int, text: str) -> Broken | None:
    """The last error of a text, where it is one of network or machine and a code of exit follows."""
    raised = list(_TRACEBACK.finditer(text))[-1:]
    if not raised or (fault := FAULT.search(raised[0][0])) is None:
        return None
    stopped = _EXIT.search(text, raised[0].end())
    if stopped is None:
        return None
    at = raised[0].start()
    quote = around(text, at + fault.start(), at + fault.end())
    return Broken(n, False, quote, around(text, *stopped.span(), BRIEF))
