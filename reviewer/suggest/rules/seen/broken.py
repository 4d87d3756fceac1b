"""What broke a run off in its last words, and whether an answer stands there all the same.

A filter of the provider, or a fault of network or machine. An answer that follows one without a word of it
may be a guess or may have been found before: which of them, is for a reader. Knows no signal and no mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.facts.results import crash
from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.phrases import FAULT, THOUSANDS
from reviewer.suggest.rules.seen.quoting import BRIEF, around, head, shortened
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
_SENTENCE = re.compile(  # a plain sentence of it tells a reader more
    r"\b(?:The|Your) (?:response|request|prompt|input|output|content) (?:was|has been) "
    r"(?P<what>filtered|flagged|blocked|rejected)[^.\n\"\\]{0,120}",
    re.IGNORECASE,
)
_EXIT = re.compile(
    r"\bEXITED WITH CODE:? [1-9]\d*|\bexit(?:ed|s)?(?: with)?(?: code| status)?:? [1-9]\d*", re.I
)
_TOLD = 12  # words of a sentence that is quoted whole
_ANSWER = re.compile(r"^[ \t*#]*final[ _]answer\b[ \t*]*:[ \t]*\S.{0,160}", re.MULTILINE | re.IGNORECASE)
_TRACEBACK = re.compile(r"^(?:[\w.]+(?:Error|Exception)|\w+\.Timeout)\b.{0,2000}$", re.MULTILINE)
_SATISFIED = re.compile(
    r'"\w*(?:satisfied|complete|solved|finished)\w*":\s*(?:\{[^{}]{0,800}?"answer":\s*)?(?P<done>true|false)\b',
    re.IGNORECASE,
)
_BACK = 12  # steps in which the last entry of such a record stands
_LABEL = re.compile(r"^[ \t*#]*final[ _]answer\b[ \t*]*:", re.IGNORECASE)
_PARTS = re.compile(r"[,;\n]")
_HEADING = re.compile(r"^[ \t]{0,4}#{1,6} .{1,200}$", re.MULTILINE)
_GUESS = re.compile(r"\bguess", re.IGNORECASE)
_MOST = 20  # parts of an answer, and words of a part
_SHORT = 3  # characters of an answer that stands anywhere
_LONG = 200_000
_NOWHERE = "seen nowhere before"
_LATE = 3  # steps in which a final answer stands, if any
_SAID = 60


@dataclass(frozen=True, slots=True)
class Broken:
    """What broke a run off in its last words: a filter or a fault, and the code of exit after it, if any."""

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


def _filter_at_end(n: int, text: str) -> Broken | None:
    found = _FILTER.search(text)
    if found is None or not _REPORTED.search(text):
        return None
    if (plain := _SENTENCE.search(text)) is not None:
        told = plain[0] if len(plain[0].split()) <= _TOLD else plain[0][plain[0].find(plain["what"]) :]
        return Broken(n, True, head(told))
    return Broken(n, True, around(text, *found.span()))


def _fault_at_end(n: int, text: str) -> Broken | None:
    """The last error of a text, where it is one of network or machine and the text ends in its traceback, or
    a code of exit follows."""
    raised = list(_TRACEBACK.finditer(text))[-1:]
    if not raised or (fault := FAULT.search(raised[0][0])) is None:
        return None
    stopped = _EXIT.search(text, raised[0].end())
    if stopped is None and not crash(text):
        return None
    at = raised[0].start()
    quote = around(text, at + fault.start(), at + fault.end())
    return Broken(n, False, quote, around(text, *stopped.span(), BRIEF) if stopped else "")


def final_answer(scene: Scene) -> tuple[int, str] | None:
    """The line that gives the final answer, in the last words of the run: its step and the words."""
    for step in reversed(scene.trace.steps[-_LATE:]):
        for place, whole in step_texts(step):
            found = [] if place == "call" else list(_ANSWER.finditer(ends(whole)))
            if found:
                return step.n, " ".join(found[-1][0].split())
    return None


def handed_in(scene: Scene) -> str:
    """The answer that the file keeps as the final state of the run."""
    for outcome in scene.outcomes:
        state = outcome.final_state
        answer = state.get("answer") if isinstance(state, dict) else None
        if isinstance(answer, str) and answer.strip():
            return answer.strip()
    return ""


def answered_after(scene: Scene) -> tuple[Broken, str] | None:
    """What broke the run off, and the answer that was given all the same: in its words, or handed in."""
    broken = broken_off(scene)
    if broken is None:
        return None
    said = final_answer(scene)
    answer = said[1] if said is not None and said[0] >= broken.step else handed_in(scene)
    return (broken, answer) if answer else None


def yet_answered(scene: Scene) -> str:
    """In words, that an answer follows what broke the run off; empty where none does."""
    found = answered_after(scene)
    if found is None:
        return ""
    stood = first_stands(scene, found[0].step, found[1])
    told = f" ({stood})" if stood else ""
    return f", yet “{shortened(found[1], _SAID)}”{told} follows without a word of it"


def answer_of(line: str) -> str:
    """The answer alone, of a line that gives it."""
    return _LABEL.sub("", line, count=1).strip(" \t*#.")


def seen_before(scene: Scene, n: int, line: str) -> bool:
    """Whether an answer, or one of several, stood in what the run had found before it was given at step `n`.

    What the agents planned, thought or ordered does not count; one of a letter or two is taken for seen if it
    stands anywhere.
    """
    parts = _parts(answer_of(line))
    seen = any(_short(words) or _seen_at(scene, n, words) is not None for words in parts)
    return seen and first_stands(scene, n, line) != _NOWHERE


def first_stands(scene: Scene, n: int, line: str) -> str:
    """In words, where an answer that is given at step `n` first stood: in a plan, a question, a finding.

    Empty for one of a letter or two, where that stands somewhere: a place of it says nothing.
    """
    parts = _parts(answer_of(line))
    places = [place for words in parts if (place := _first_place(scene, n, _spelled(words))) is not None]
    if not places:
        return _NOWHERE
    if any(map(_short, parts)):
        return ""
    if len(places) < len(parts):
        return f"only in part seen before, at {min(places)[0]}"
    at, guessed = max(places)
    return f"a guess at {at}" if guessed else f"first seen at {at}"


def _first_place(scene: Scene, n: int, whole: re.Pattern[str]) -> tuple[int, bool] | None:
    """The first step with such words, and whether they stand there under a heading that says guess."""
    for step in scene.trace.steps[:n]:
        for _, said in step_texts(step):
            text = _until(said, step.n == n)
            if (found := whole.search(text)) is not None:
                *_, heading = ("", *(match[0] for match in _HEADING.finditer(text, 0, found.start())))
                return step.n, _GUESS.search(heading) is not None
    return None


def _spelled(words: list[str]) -> re.Pattern[str]:
    """These words, however they are parted; `1148` is `1,148` too."""
    whole = r"\W*".join(
        THOUSANDS.sub(",?", word) if word.isdecimal() else re.escape(word) for word in words[:_MOST]
    )
    return re.compile(rf"(?<!\w){whole}(?!\w)", re.IGNORECASE)


def _until(text: str, last: bool) -> str:
    """A text, of the step that gives the answer as far as to what broke the run off and the answer."""
    ends_at = [found.start() for form in (_REPORTED, _ANSWER) if last and (found := form.search(text))]
    return text[: min(ends_at, default=_LONG)][:_LONG]


def noted_open(scene: Scene, n: int) -> int | None:
    """The step before `n` at which the agents' own record last says that what was asked is not yet done."""
    for step in reversed(scene.trace.steps[max(0, n - _BACK) : n - 1]):
        for place, text in step_texts(step):
            mine = step.source == "agent" and place != "result"
            told = list(_SATISFIED.finditer(ends(text))) if mine else []
            if told:
                return step.n if told[-1]["done"].lower() == "false" else None
    return None


def expected_seen(scene: Scene, n: int) -> tuple[int, str] | None:
    """Where the run had seen the expected answer, or each of several, before step `n`, and that answer.

    What stands in plans, thoughts and orders does not count, nor an answer of a letter or two.
    """
    for outcome in scene.outcomes:
        state = outcome.expected_state
        answer = state.get("answer") if isinstance(state, dict) else None
        parts = _parts(answer) if isinstance(answer, str) else []
        steps = [None if _short(words) else _seen_at(scene, n - 1, words) for words in parts]
        if isinstance(answer, str) and steps and all(steps):
            return max(filter(None, steps)), answer.strip()
    return None


def _seen_at(scene: Scene, n: int, words: list[str]) -> int | None:
    """The first step up to `n` that found these words."""
    whole = _spelled(words)
    return next((at for at, text in _found(scene, n) if whole.search(text)), None)


def _parts(answer: str) -> list[list[str]]:
    """The words of an answer, or of each of several."""
    return [words for part in _PARTS.split(answer)[:_MOST] if (words := re.findall(r"\w+", part))]


def _short(words: list[str]) -> bool:
    return sum(map(len, words)) < _SHORT


def _found(scene: Scene, n: int) -> Iterator[tuple[int, str]]:
    """What agents said and tools returned up to the words that broke the run off, or the answer."""
    for step in scene.trace.steps[:n]:
        if step.source == "agent" and not step.kind and "->" not in step.name:
            for place, whole in step_texts(step):
                if place in ("message", "result"):
                    yield step.n, _until(whole, step.n == n)
