"""The signals of things that neither task nor observation had given and that a run was built on.

Not known: whether the agent knew the thing from elsewhere, and whether another spelling of it had been given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from reviewer.facts import Error, first_appearance
from reviewer.facts.calls import arguments_of, paths_written
from reviewer.facts.texts import ends, line_of, step_texts, strings
from reviewer.suggest.rules.seen.broken import final_answer
from reviewer.suggest.rules.seen.fetched import reopened
from reviewer.suggest.rules.seen.phrases import ADMITS, NEGATED, missing
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around, called, head, readable, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_GONE = re.compile(r"\bfile not found: ?['\"]?(?P<path>[^\n'\"]{3,300})", re.IGNORECASE)
_KEPT = re.compile(r"\b(?:saved|downloaded|wrote|written|extracted|created)\b[^\n]{0,240}", re.IGNORECASE)
_UNNAMED = re.compile(r"\b(?:\w+ not found|no such \w+|\w+ (?:does not|doesn't) exist)\b", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[#\w][\w.@#-]{5,80}")
_MADE_UP = re.compile(
    r"\b(?:simulat(?:e|ed|ing)|hypothetical|placeholder|mock(?:ed)?|dummy|fictional|made[- ]up|fabricated)"
    r"\b.{0,60}\b(?:data(?:set)?|results?|values?|prices?"
    r"|distances?|address(?:es)?|responses?|answers?|numbers?)\b"
    r"|\bfor (?:demonstration|illustration|demo)(?: purposes)?\b",
    re.IGNORECASE,
)
_HONEST = re.compile(
    r"simulat|hypothetical|placeholder|mock|dummy|fictional|made[- ]up|fabricat|assum|illustrat|estimat"
    r"|approximat",
    re.IGNORECASE,
)
_LITERAL = re.compile(
    r"[=:]\s*(?P<value>\[[^\[\]\n]{3,160}\]|\{[^{}\n]{3,160}\}|-?\d+(?:\.\d+)?)(?=[\s,;)}\]]|$)"
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)*(?![\w])")
_CALL_AS_TEXT = re.compile(r'function_call|tool_call|"(?:action|tool|function|name)":\s*"', re.IGNORECASE)
_LONG = 20_000  # characters of a message in which a call may stand
_REACH = 1_200  # characters after words of invention in which the value has to stand
_NAME = 40  # characters of a file's name that are read at a glance
MOST_ERRORS = 20  # looked at for invented names: each one searches all earlier texts


def not_there(scene: Scene) -> Fired | None:
    """Something was used that nothing before had mentioned; it is not there, and the agent goes on."""
    candidates = [error for error in scene.facts.unrecovered if error.kind == "tool"][:MOST_ERRORS]
    for error in candidates:
        step = scene.step(error.step)
        value = "" if (name := _missing_name(step, error)) else _missing_value(step, error)
        plain = (name or value).removeprefix("./").lstrip("#")
        if not plain or first_appearance(scene.trace, plain, error.step, given=True, ignore_case=bool(value)):
            continue
        on = _built_on(scene, plain, error.step)
        if on is not None:
            if written_call(scene, error.step) is not None:
                return None  # that call, which was never made, is the earlier departure
            says = (
                f"{name or value} is nowhere: neither task nor output before step {error.step} names it, the "
                f"tool does not know it, and step {on[0]} goes on with it"
            )
            quotes = ((error.step, _used(step, plain), "used"), (error.step, error.quote, "answered"))
            return fired("not_there", error.step, says, 0.56, *quotes, (*on, "goes on"))
    return None


def _missing_name(step: Step, error: Error) -> str:
    """The name that the error says is not there, as the step's own call used it."""
    name = missing(error.quote)
    if any(name in path for call in step.calls for path, _ in paths_written(call)):
        return ""  # to write a new file is no belief that it is there
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")  # `user` is not named by `user_id`
    given = (text for call in step.calls for text in strings(call.arguments))
    return name if len(name) > 2 and any(whole.search(text) for text in given) else ""


def _missing_value(step: Step, error: Error) -> str:
    """The one value that a call was given, where the error says without a name that it is not there."""
    given = [text for call in step.calls for text in strings(arguments_of(call))]
    if len(given) != 1 or not _UNNAMED.search(error.quote) or not _IDENTIFIER.fullmatch(given[0]):
        return ""
    return given[0] if re.search(r"[\d_#@]", given[0]) else ""


def _used(step: Step, name: str) -> str:
    for place, text in step_texts(step):
        if place == "call" and name in text and " " in text:
            return around(text, text.find(name), text.find(name) + len(name))
    return called(step)


def _built_on(scene: Scene, name: str, after: int) -> tuple[int, str] | None:
    """Where the agent goes on as if the name were there: in its last later call, or in its last words."""
    whole = re.compile(rf"(?<![\w/]){re.escape(name)}(?!\w|[.-]\w)")
    for step in reversed(scene.trace.steps[after:]):
        for call in step.calls if step.source == "agent" else ():
            for text in (call.name, *strings(call.arguments)):
                if name in text and (found := whole.search(text)):  # `in` first: it is much faster
                    return step.n, around(text, *found.span())
    claim = scene.facts.claim
    found = whole.search(claim.quote) if claim is not None and claim.step > after else None
    if claim is None or found is None or ADMITS.search(claim.quote[:8000]):
        return None
    line = line_of(claim.quote, found.start())
    return None if NEGATED.search(line) else (claim.step, line)


def written_call(scene: Scene, before: int | None = None) -> tuple[int, str] | None:
    """A call that stands in a message as text, and so was never made, of a tool that never went through."""
    if scene.facts.passed is True:
        return None
    tools = [used.tool for used in scene.facts.tools if used.tool and used.errors == used.calls]
    for step in scene.trace.steps if before is None else scene.trace.steps[: before - 1]:
        text = step.message[:_LONG] if step.source == "agent" and not step.kind and not step.calls else ""
        if _CALL_AS_TEXT.search(text):
            name = next((name for name in tools if f'"{name}"' in text), "")
            if name:
                return step.n, f"a call of {name} stands there as text, so that nothing answered it"
    return None


@dataclass(frozen=True, slots=True)
class Unfetched:
    """A file that was opened as if it had been saved: where that was first believed, and what it came to."""

    name: str
    opened: tuple[tuple[int, str], ...]
    believed: tuple[tuple[int, str, str], ...]

    @property
    def step(self) -> int:
        return self.believed[0][0] if self.believed else self.opened[0][0]


def not_fetched(scene: Scene) -> Unfetched | None:
    """A local file that is opened twice or more, that is not there, that nothing says was saved, and that was
    not opened in another way later.
    """
    gone: dict[str, list[tuple[int, str]]] = {}
    for step in scene.trace.steps:
        for name, words in _files_gone(step):
            gone.setdefault(name, []).append((step.n, words))
    for name, found in gone.items():
        first = found[0][0]
        if len(found) < 2 or scene.facts.passed is True or _was_kept(scene, name, first):
            continue
        if not reopened(scene, name, first, found[-1][0]):
            return Unfetched(name, tuple(found), tuple(_order(scene, first)))
    return None


def file_not_there(scene: Scene) -> Fired | None:
    """One local file is opened twice or more, nothing before says that it was saved, and it is not there.

    The step is the first at which it is spoken of as there: what ended the run later, and an answer that was
    given all the same, only follow from it.
    """
    found = not_fetched(scene)
    if found is None:
        return None
    first, last = found.opened[0], found.opened[-1]
    says = (
        f"wrong path: {shortened(found.name, _NAME)} is taken for a saved file at {found.step}; nothing "
        f"says it was saved; not there {len(found.opened)} times (steps {first[0]} to {last[0]})"
    )
    answer = final_answer(scene)
    says += "; yet an answer is given" if answer is not None else ""
    quotes = [*found.believed, (*first, "answered")]
    ended = None if answer is None else (answer[0], head(answer[1], BRIEF), "ended")
    quotes.append(ended or (*last, "once more"))
    return fired("file_not_there", found.step, says, 0.5, *quotes)


def _files_gone(step: Step) -> Iterator[tuple[str, str]]:
    """The names of files that a step found missing, each with the words that say so."""
    if step.source != "agent" or step.kind:
        return
    for place, whole in step_texts(step):
        text = ends(whole) if place in ("message", "result") else ""
        found = _GONE.search(text) if "not found" in text.lower() else None  # much faster than the pattern
        if found is not None:
            name = unquote(unquote(found["path"].strip())).rstrip("/").rsplit("/", 1)[-1]
            yield name, around(text, *found.span(), BRIEF)


def _was_kept(scene: Scene, name: str, before: int) -> bool:
    """Whether the task gives a file of this name, or a step before says that it was saved."""
    if first_appearance(scene.trace, name, before=before, given=True) is not None:
        return True
    for step in scene.trace.steps[: before - 1]:
        for _, text in step_texts(step):
            kept = (unquote(match[0]) for match in _KEPT.finditer(ends(text)))
            if name in unquote(ends(text)) and any(name in words for words in kept):
                return True
    return False


def _order(scene: Scene, n: int) -> list[tuple[int, str, str]]:
    """The last order before step `n` that asks for a file."""
    for step in reversed(scene.trace.steps[max(0, n - 6) : n - 1]):
        found = re.search(r"\b(?:file|PDF|paper|document|article|image|book)\b", step.message[:2_000])
        if step.source == "agent" and "->" in step.name and found:
            return [(step.n, around(step.message, *found.span(), BRIEF), "asked for")]
    return []


def made_up(scene: Scene) -> Fired | None:
    """Values are called made up, and what comes of them is given as the answer, which does not say so."""
    claim = scene.facts.claim
    if scene.facts.passed is not False or claim is None or _HONEST.search(claim.quote[:8_000]):
        return None
    for step, text, first in _inventions(scene):
        literal = _LITERAL.search(text, first.start(), first.end() + _REACH)
        if literal is None or step.n >= claim.step:
            continue
        *_, found = _MADE_UP.finditer(text, first.start(), max(first.end(), literal.start()))
        held = _held(scene, step, literal["value"], claim.quote[:8_000])
        if held is not None:
            says = (
                f"fabricated fact: {held[0]}, answered at step {claim.step} as found, comes of values called "
                f"made up at step {step.n}; the outcome is failed"
            )
            at = claim.quote.find(held[0])
            called_so = (step.n, around(text, *found.span(), BRIEF), "called made up")
            values = (step.n, around(text, *literal.span()), "the values")
            came = (step.n, held[1], "came of them")
            answered = (claim.step, around(claim.quote, at, at + len(held[0]), BRIEF), "answered")
            quotes = [called_so, values, came, answered]
            if held[1] and not readable(says, [words for _, words, _ in quotes]):
                quotes.remove(values)
            return fired("made_up", step.n, says, 0.4, *quotes)
    return None


def called_made_up(scene: Scene) -> tuple[int, str] | None:
    """Where values are first called made up, if nothing proves that the answer rests on them."""
    found = next(_inventions(scene), None) if scene.facts.passed is False else None
    if found is None:
        return None
    step, text, match = found
    words = around(text, *match.span(), BRIEF)
    return step.n, f"values are called made up there: “{words}”"


def _inventions(scene: Scene) -> Iterator[tuple[Step, str, re.Match[str]]]:
    for step in scene.trace.steps:
        if step.source != "agent" or step.kind:
            continue
        texts = sorted(step_texts(step), key=lambda text: text[0] != "call")  # a message may repeat a call
        for place, whole in texts:
            found = _MADE_UP.search(ends(whole)) if place in ("message", "call") else None
            if found is not None:
                yield step, ends(whole), found


def _held(scene: Scene, step: Step, literal: str, claim: str) -> tuple[str, str] | None:
    """A number of the invented values or of what came of them, in the answer, and given by nothing before."""
    answered = {_plain(match[0]): match[0] for match in _NUMBER.finditer(claim)}
    sources = [literal, *(result.content[-2_000:] for result in step.results)]
    for text in sources:
        for match in _NUMBER.finditer(text):
            said = answered.get(_plain(match[0]))
            if said is None or len(said.strip("-0.")) < 2:  # a single digit stands anywhere
                continue
            if first_appearance(scene.trace, match[0], before=step.n, given=True) is None:
                return said, around(text, *match.span(), LEAST) if text is not literal else ""
    return None


def _plain(number: str) -> str:
    """`0.660` and `0.66` are one."""
    return number.rstrip("0").rstrip(".") if "." in number else number
