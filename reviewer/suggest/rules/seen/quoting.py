"""Cuts quotes out of a step, verbatim: around the words that decide, whole words only; a call as it was made.

Knows no signal.
"""

from __future__ import annotations

import re

from reviewer.facts.texts import pairs, spelled, step_texts
from reviewer.trace import Step

WIDE = 240
_STOPS = (". ", "! ", "? ", "\n", '", ', "}, ", "], ")
_MEMBER = ', "'
_ENDS = re.compile(r"[.!?](?=\s)|\n")
_LEAST = 40
_STATE = re.compile(r'"status":\s*"[^"]{1,60}"')


def cut(text: str, start: int, end: int, width: int = WIDE) -> str:
    """The words from `start` to `end` with what stands around them, at most `width` characters.

    It begins with the sentence or the member of an object in which they begin, where that is near.
    """
    start, end = max(start, 0), min(max(end, start), len(text))
    end = min(end, start + width)
    first = max(start - (width - (end - start)) // 2, 0)
    stops = [text.rfind(stop, first, start) + len(stop) for stop in _STOPS if stop in text[first:start]]
    if (member := text.rfind(_MEMBER, first, start + 1)) >= 0:
        stops.append(member + 2)
    if stops:
        first = max(stops)
    elif first and not text[first - 1].isspace():
        blank = text.find(" ", first, start)
        first = blank + 1 if blank >= 0 else start
    last = min(first + width, len(text))
    if last < len(text) and not text[last].isspace():
        last = max(text.rfind(" ", end, last), end)
    return text[first:last].strip()


def sentence(text: str, start: int, end: int) -> str:
    """As `cut`, and no further than the sentence goes, or the next one where that is very short."""
    quote = cut(text, start, end)
    at = max(quote.find(text[start:end].strip()), 0) + (end - start)
    stop = _ENDS.search(quote, max(at - 1, _LEAST))
    return quote[: stop.end()].strip() if stop else quote


def call_made(step: Step, target: str, tool: str) -> tuple[str, str]:
    """What the call of this tool, or on this thing, was given and what it answered, as they stand there."""
    for call, result in pairs(step):
        texts = [text for place, text in step_texts(step) if place == "call" and text != call.name]
        named = [text for text in texts if target and target in text]
        if call.name != tool and not named:
            continue
        whole = spelled(call.arguments)
        if isinstance(call.arguments, dict | list) and len(whole) <= WIDE and "\\n" not in whole:
            given = whole if len(call.arguments) > 1 else next(iter(named), whole)
        else:
            words = min(named, key=len, default=whole)
            at = max(words.find(target), 0) if target else 0
            given = cut(words, at, at + len(target))
        return given, cut(result.content, *_place(result.content)) if result is not None else ""
    return "", ""


def _place(answer: str) -> tuple[int, int]:
    """Where an answer says what has become of the thing; else its beginning."""
    found = _STATE.search(answer)
    if found:
        return found.span()
    start = len(answer) - len(answer.lstrip())
    return start, start + 1
