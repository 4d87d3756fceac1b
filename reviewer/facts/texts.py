"""The texts of a step, and which result answers which call. Foreign text: anything may stand in it.

Knows no meaning: not what is a command, a check or an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.trace import Json, Result, Step, ToolCall, canonical

HEAD = 4_000
TAIL = 8_000  # verdicts of tools stand at the end of what they print, so the tail is the longer part
MAX_VALUES = 2_000


def ends(text: str) -> str:
    """Head and tail of a long text, with a line break between; short texts whole."""
    if len(text) <= HEAD + TAIL:
        return text
    return text[:HEAD] + "\n" + text[-TAIL:]


_PASTE = ("\x1b[?2004l", "\x1b[?2004h")  # a shell switches bracketed paste off and on: nothing to read
_COLOUR = re.compile(r"\x1b\[(?:[0-9;:]*m|\?2004[lh])")


def colourless(text: str) -> str:
    """A text without its colour codes, which stand inside words, and without the switches of a shell for
    bracketed paste: the same object if there are none."""
    return _COLOUR.sub("", text) if "\x1b[" in text else text


def as_printed(text: str, quote: str) -> str:
    """The line of `text`, colour codes and all, that reads as `quote` does; `quote` if it stands there."""
    if not quote or "\x1b[" not in text or quote in text:
        return quote
    return next((line.strip() for line in text.splitlines() if quote in _COLOUR.sub("", line)), quote)


def strings(value: Json, limit: int = MAX_VALUES) -> Iterator[str]:
    """Every text inside a JSON value, in order; keys excluded. Stops after `limit` values."""
    stack: list[Json] = [value]
    while stack and limit > 0:
        item = stack.pop()
        limit -= 1
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, list | tuple):
            stack.extend(reversed(item))


def spelled(value: Json) -> str:
    """One spelling of any value, for telling equal arguments from different ones."""
    if isinstance(value, str):
        return value
    try:
        return canonical(value).decode("ascii")
    except (TypeError, ValueError, RecursionError):
        return "\n".join(strings(value))


def step_texts(step: Step) -> Iterator[tuple[str, str]]:
    """Every text of a step with its place: message, reasoning, call (its arguments), result."""
    if step.message:
        yield "message", step.message
    if step.reasoning:
        yield "reasoning", step.reasoning
    for call in step.calls:
        if call.name:
            yield "call", call.name
        for text in strings(call.arguments):
            yield "call", text
        if not isinstance(call.arguments, str | None):
            yield "call", spelled(call.arguments)
    for result in step.results:
        if result.content:
            yield "result", result.content


def pairs(step: Step) -> list[tuple[ToolCall, Result | None]]:
    """Each call with its result: by id where the result names one, else by order."""
    named = {result.call_id: result for result in step.results if result.call_id}
    loose = [result for result in step.results if not result.call_id]
    out: list[tuple[ToolCall, Result | None]] = []
    for call in step.calls:
        result = named.get(call.id) if call.id else None
        if result is None and loose:
            result = loose.pop(0)
        out.append((call, result))
    return out


def orphans(step: Step) -> list[Result]:
    """The results of a step that answer none of its calls."""
    answered = {id(result) for _, result in pairs(step) if result is not None}
    return [result for result in step.results if id(result) not in answered]


def line_of(text: str, start: int, width: int = 240) -> str:
    """The line of `text` around `start`, verbatim; of a long one the sentence, at most `width` characters."""
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    if end - begin > width:
        ends = (text.rfind(stop, begin, start) for stop in (". ", "! ", "? "))
        begin = max([begin, *(end + 2 for end in ends if end >= 0)])
    if start - begin > width // 2:  # a long sentence: from a word on
        begin = text.find(" ", start - width // 2, start) + 1 or start
    if end - begin > width:
        end = max(text.rfind(" ", start, begin + width), 0) or begin + width
    return _without_paste(text[begin:end].strip()) or text[start : start + width].strip()


def first_line(text: str, width: int = 240) -> str:
    """The first line with words in it, verbatim, at most `width` characters."""
    for line in text[: HEAD * 2].splitlines():
        if bare := _without_paste(line.strip()):
            return bare[:width]
    return ""


def blank(text: str) -> bool:
    """Whether a text shows nothing: only blanks, colours, and the switches of a shell for bracketed paste."""
    return not colourless(text).strip()


def _without_paste(line: str) -> str:
    """A line without the switches for bracketed paste at its two ends: still a part of it, word for word."""
    while line.startswith(_PASTE):
        line = line[len(_PASTE[0]) :].lstrip()
    while line.endswith(_PASTE):
        line = line[: -len(_PASTE[0])].rstrip()
    return line
