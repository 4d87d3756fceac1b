"""The signals of things that neither task nor observation had given and that a run was built on.

Not known: whether the agent knew the thing from elsewhere, and whether another spelling of it had been given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote

from reviewer.facts import Error, first_appearance
from reviewer.facts.calls import arguments_of, paths_written
from reviewer.facts.texts import ends, line_of, step_texts, strings
from reviewer.suggest.rules.seen.broken import broken_off, final_answer, seen_before
from reviewer.suggest.rules.seen.fetched import reopened
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.narrowing import narrowed
from reviewer.suggest.rules.seen.phrases import ADMITS, NEGATED, missing, own_words
from reviewer.suggest.rules.seen.quoting import BRIEF, around, called, clause, head, shortened
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_GONE = re.compile(r"\bfile not found: ?['\"]?(?P<path>[^\n'\"]{3,300})", re.IGNORECASE)
_KEPT = re.compile(r"\b(?:saved|downloaded|wrote|written|extracted|created)\b[^\n]{0,240}", re.IGNORECASE)
_AS_SAVED = re.compile(r"\bthe (?P<how>downloaded|saved|extracted) \w+", re.IGNORECASE)
_UNNAMED = re.compile(r"\b(?:\w+ not found|no such \w+|\w+ (?:does not|doesn't) exist)\b", re.IGNORECASE)
_SYMBOL = re.compile(
    r"command not found|\battribute\b|\bnot defined\b|no module|\bimport\b|\b(?:function|option|method)\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[#\w][\w.@#-]{5,80}")
_CALL_AS_TEXT = re.compile(r'function_call|tool_call|"(?:action|tool|function|name)":\s*"', re.IGNORECASE)
_LONG = 20_000  # characters of a message in which a call may stand
_NAME = 40  # characters of a file's name that are read at a glance
_ORDER = 40  # of an order, whose words the sentence holds too
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
            return narrowed(partial(_nowhere, scene, error, name or value, on))
    return None


def _nowhere(scene: Scene, error: Error, name: str, on: tuple[int, str], width: int) -> Fired:
    """The thing that nothing gave, the words that it is not there, and where it is used again."""
    submode = "fabricated function" if _SYMBOL.search(error.quote) else "wrong path"
    says = (
        f"{submode}: nothing before step {error.step} names {shortened(name, _NAME)}; it is not found, yet "
    )
    says += f"step {on[0]} goes on with it"
    name = name.removeprefix("./").lstrip("#")
    at = error.quote.find(name)
    found = around(error.quote, at, at + len(name), width) if at >= 0 else head(error.quote, width)
    at = on[1].find(name)
    again = around(on[1], at, at + len(name), width) if at >= 0 else head(on[1], width)
    used = [(error.step, _used(scene.step(error.step), name), "used")]
    kept = fitting(says, "", [(error.step, found, "answered"), (on[0], again, "goes on")], used)
    return fired(
        "not_there", error.step, says, 0.56, *sorted(kept, key=lambda one: (one[0], one[2] != "used"))
    )


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
    if claim is None or found is None or ADMITS.search(own_words(claim.quote[:8000])):
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
    if found is None or file_in_doubt(scene) is not None:
        return None
    first, last = found.opened[0], found.opened[-1]
    it, how = _spoken_of(found)
    says = f"wrong path: {it} opened ({found.step}), but no step had {how} one"
    answer, broken = final_answer(scene), broken_off(scene)
    quotes = [*found.believed, (*(last if found.step == first[0] else first), "answered")]
    more = [] if answer is None else [(answer[0], head(answer[1], BRIEF), "still answered")]
    but = ""
    if broken is not None:
        what = "content filter" if broken.filter else broken.what
        but = f"a {what} cut it off at {broken.step}, the file still missing"
    return fired("file_not_there", found.step, says, 0.5, *fitting(says, but, quotes, more), but=but)


def _spoken_of(found: Unfetched) -> tuple[str, str]:
    """What is opened as if it were there, in the words that order it, and what nobody had done with it."""
    match = _AS_SAVED.search(found.believed[0][1]) if found.believed else None
    if match is None:
        return f"{shortened(found.name, _NAME)} is", "saved"
    return f"it orders “{match[0]}”", match["how"].lower()


def file_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """A file that was never saved, where the answer was had from elsewhere or a filter ended the run: which
    of them it was, is for a reader. Where the outcome is failed, the first of them is: the file.
    """
    found = not_fetched(scene)
    answer, broken = final_answer(scene), broken_off(scene)
    if found is None or scene.facts.passed is False:
        return None
    if answer is not None and seen_before(scene, answer[0], answer[1]):
        return found.step, f"{_gone(found)}; the answer stands elsewhere before: was the file needed?"
    if broken is not None and broken.filter:
        return found.step, f"{_gone(found)}; a content filter ended the run at {broken.step}: which was it?"
    return None


def _gone(found: Unfetched) -> str:
    first, last = found.opened[0][0], found.opened[-1][0]
    return f"{shortened(found.name, _NAME)} is not there ({first}, {last})"


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
            named = _AS_SAVED.search(step.message[:2_000]) or found
            return [(step.n, clause(step.message, *named.span(), _ORDER), "ordered")]
    return []
