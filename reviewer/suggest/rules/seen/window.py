"""Quotes from a text: a window of whole words round the deciding ones, its beginning; a call as it was made.

Each is a piece of one text of a step, in one line: white space aside it stands there word for word, and is
found again there. Knows no signal.
"""

from __future__ import annotations

import re

from reviewer.facts.texts import pairs, spelled, strings
from reviewer.trace import Step, ToolCall

WIDTH = 160  # two rows of a narrow screen
_LEAST = 24
_MOST_OF = 0.6  # of the arguments: a text that long is the call itself, as a command is
_BLANK = re.compile(r"\s")


def window(text: str, start: int, end: int, width: int = WIDTH) -> str:
    """The words of `text` from `start` to `end` with those around, at most about `width` characters.

    It keeps to the lines that the words stand in, unless those are shorter than a quote should be. Where the
    words alone are longer than `width`, their end is kept: it is there that a value stands.
    """
    if end - start > width:
        return _line(text[_next_word(text, end - width, end) : end])
    low, high = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    high = len(text) if high < 0 else high
    if high - low < _LEAST:
        low, high = max(0, start - _LEAST), min(len(text), end + _LEAST)
    room = width - (end - start)
    begin = max(low, start - room // 2)
    stop = min(high, end + room - (start - begin))
    begin = max(low, min(begin, stop - width))
    if begin and not _BLANK.match(text[begin - 1]):
        begin = _next_word(text, begin, start)
    if stop < len(text) and not _BLANK.match(text[stop]):
        stop = _last_word(text, end, stop)
    return _line(text[begin:stop])


def head(text: str, width: int = WIDTH) -> str:
    """The beginning of a text, from its first word on, whole words."""
    start = len(text) - len(text.lstrip())
    if len(text) - start <= width:
        return _line(text[start:])
    return _line(text[start : _last_word(text, start + 1, start + width)])


def called(step: Step, width: int = WIDTH, failed: bool = False) -> str:
    """The first call of a step as a quote (`failed`: the first one whose result is an error)."""
    made = [call for call, result in pairs(step) if not failed or (result is not None and result.error)]
    made = made or list(step.calls)
    return head(_call_text(made[0]), width) if made else ""


def _call_text(call: ToolCall) -> str:
    """What was called, as it stands in the step: a command, else the arguments, else the name of the tool."""
    whole = spelled(call.arguments) if call.arguments else ""
    longest = max(strings(call.arguments), key=len, default="")
    command = (
        longest if len(longest) > 1 and len(longest) >= _MOST_OF * len(whole) and " " in longest else whole
    )
    return command or call.name


def _line(text: str) -> str:
    return " ".join(text.split())


def _next_word(text: str, start: int, limit: int) -> int:
    """Where the first whole word from `start` on begins; `limit` where there is none before it."""
    blank = _BLANK.search(text, start, limit)
    return blank.end() if blank is not None else start if limit - start >= WIDTH else limit


def _last_word(text: str, limit: int, stop: int) -> int:
    """Where the last whole word before `stop` ends; `stop` where none ends after `limit`."""
    for at in range(stop, limit - 1, -1):
        if _BLANK.match(text[at : at + 1]):
            return at
    return stop if stop - limit > _LEAST else limit
