"""The signal of a last reply that the harness could not read, where the task had told its form.

It fires where the difference is to be seen: how the reply begins, beside how it was told to begin. By form,
English only. Not known: what else in the reply the harness did not take.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.phrases import FAULT
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, WIDTH, around, head, readable
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.trace import Step

_FORM = re.compile(
    r"(?:\byou )?\b(?:must|should|always)\b[^.\n]{0,80}\bformat\b[^\n]{0,160}"
    r"(?:\n(?!\d+[.)])[^\n]{1,120}){0,2}"
    r"|\brespon(?:d|se|ses)\b[^.\n]{0,60}\b(?:in|with|as)\b[^.\n]{0,40}\b(?:format|JSON)\b[^\n]{0,160}",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\bformat\b|\bJSON\b", re.IGNORECASE)
_BEGINS = re.compile(r"(?:of|as|is|:)[\s`\"']*(?:\([^()\n]{1,80}\)\s*)?(?P<word>[A-Za-z<\[{][\w<\[{]*\(?)")
_TOLD = re.compile(  # one line of a form: this one or the next
    r"\s*(?:of|as|is|:)?[^\S\n]*(?:\([^()\n]{1,80}\)[^\S\n]*)?\n?[^\n]+"
)
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_LOUD = frozenset(("MUST", "ALWAYS", "SHOULD", "NOT", "JSON"))
_DATA = re.compile(r'^(?:```\w*)?\s*\{\s*"(?!function|tool|action|name)', re.IGNORECASE)  # a record, no call
_OF_DATA = re.compile(r"\b(?:payload|data|JSON)\b", re.IGNORECASE)
_FENCED = re.compile(r"\A\s*```\w*")
_OPENING = re.compile(r"[\[{(<\n]")
_FENCE = 3  # characters by which two replies begin alike
_LINE = 24  # of a line that was told
_GIVEN = 48  # characters of a reply beside the form that was told


def answer_not_taken(scene: Scene) -> Fired | None:
    """The last turn could not be read by the harness, and begins otherwise than the task had told."""
    last = _unread(scene)
    found = _form(scene, last.message) if last is not None else None
    if last is None or found is None or not _complete(last.message) or _read_before(scene, last) is not None:
        return None
    n, told = found
    unlike = _unlike(told, last.message)
    if not unlike:
        return None
    says = f"wrong reply format: {unlike}; {_ended(scene)}"
    rule, given = _shown(told, WIDTH), _given(told, last.message)
    rule = rule if readable(says, (rule, given)) else _shown(told, BRIEF)
    given = given if readable(says, (rule, given)) else head(given, _GIVEN)
    return fired("answer_not_taken", last.n, says, 0.5, (n, rule, "told"), (last.n, given, "reply begins"))


def _ended(scene: Scene) -> str:
    """How the run ended there: where its file has a word for an act that was not taken, with that."""
    status = scene.facts.errors[-1].status if scene.facts.errors else ""
    return f"the run ended as “{status}”" if status else "the run ended there"


def unread_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """A last turn that could not be read, where the form that was told does not show why."""
    last = _unread(scene)
    if last is None or answer_not_taken(scene) is not None:
        return None
    if not _complete(last.message):
        return last.n, "its reply breaks off there and could not be read: cut short, or an attempt?"
    if (read := _read_before(scene, last)) is not None:
        return last.n, f"its reply could not be read there, though step {read}, which begins alike, was"
    return last.n, "its reply could not be read there: has it the form that the task asks for?"


def _unread(scene: Scene) -> Step | None:
    """The last step, if it is a turn of the agent that the harness could not read."""
    last = scene.trace.steps[-1] if scene.trace.steps else None
    if last is None or last.source != "agent" or not last.fault or not last.message.strip():
        return None
    return None if FAULT.search(last.message) or scene.facts.passed is True else last


def _read_before(scene: Scene, last: Step) -> int | None:
    """The first turn that begins like the last one and was read: then its form alone is not at fault."""
    begins = last.message.lstrip()[:_FENCE]
    for step in scene.trace.steps[: last.n - 1]:
        read = step.source == "agent" and step.calls and not step.fault
        if read and step.message.lstrip().startswith(begins):
            return step.n
    return None


def _complete(message: str) -> bool:
    """Whether a reply was brought to its end: no bracket and no fence of code is left open."""
    closed = all(message.count(one) <= message.count(other) for one, other in ("{}", "[]", "()"))
    return closed and message.count("```") % 2 == 0


def _unlike(told: re.Match[str], message: str) -> str:
    """What of a reply is otherwise than the form that was told, in words; empty where that is not seen."""
    named = _NAMED.search(told[0])
    if named is None:
        return ""
    message = message.strip()
    first = message.split(None, 1)[0][:LEAST]
    if named[0].lower() == "json":
        return f"the reply begins with “{first}” and is no JSON" if first[0] not in "{[`" else ""
    found = _BEGINS.match(told[0], named.end() + 1)
    if found is None:
        return ""
    word = found["word"]
    if message.startswith(word):
        return ""
    line = head(_OPENING.split(told[0][found.start("word") :], maxsplit=1)[0], _LINE)
    return _wrapped(word, line, message) or f"the reply begins with “{first}”, not with “{word}”"


def _wrapped(word: str, line: str, message: str) -> str:
    """What is wrong with a reply in a fence or in JSON, where a line was told that begins with a word."""
    inside = _FENCED.sub("", message, count=1).lstrip()
    if inside.startswith(word):
        return "the call came inside a code block" if inside != message else ""
    if inside[:1] not in ("{", "["):
        return ""
    verb = word.rstrip("([{< ")
    if not re.search(rf"(?<!\w){re.escape(verb)}(?!\w)", inside):
        return f"the reply lacks the line “{line}”"
    return f"the {verb} call came wrapped in JSON"


def _given(told: re.Match[str], message: str) -> str:
    """The beginning of a reply, up to the word of the form that was told if that stands near."""
    named = _NAMED.search(told[0])
    found = _BEGINS.match(told[0], named.end() + 1) if named is not None else None
    line = found["word"].rstrip("([{< ") if found is not None else ""
    at = message.find(line) if line and _FENCED.sub("", message).lstrip()[:1] in ("{", "[") else -1
    start = len(message) - len(message.lstrip())
    ends = re.compile(r'[^"\n]{0,60}"?').match(message, at + len(line)) if at > start else None
    if ends is not None and len(" ".join(message[start : ends.end()].split())) <= WIDTH:
        return " ".join(message[start : ends.end()].split())
    return head(message, _GIVEN)


def _form(scene: Scene, answer: str) -> tuple[int, re.Match[str]] | None:
    """Where the task or its system message tells the form that the answer should have had: of several the
    one that shares most words in capitals with it, else the first.
    """
    words = set(_CAPITALS.findall(answer))
    found = list(scene.policy(_FORM, task=True))
    data = _DATA.search(answer) is not None

    def unlike(one: tuple[int, re.Match[str]]) -> tuple[int, bool]:
        shared = words & (set(_CAPITALS.findall(one[1][0])) - _LOUD)
        return -len(shared), data and _OF_DATA.search(one[1][0]) is None

    return min(found, key=unlike, default=None)


def _shown(told: re.Match[str], width: int) -> str:
    """The words that tell a form, with the line that it begins with; of long ones the end."""
    named = _NAMED.search(told[0])
    line = _TOLD.match(told[0], named.end()) if named is not None else None
    words = told[0][: line.end() if line is not None else None]
    return around(words, named.start() if named is not None else 0, len(words), width)
