"""Quotes out of a step, word for word: round the deciding words, a sentence, a beginning, an end, a call.

Each is a piece of one text, at most `WIDTH` characters, in whole words and in one line: white space aside it
is found there again. It holds the words that decide, whatever else has to go. Knows no signal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from reviewer.facts.texts import pairs, spelled, strings
from reviewer.trace import Result, Step, ToolCall

Quote = tuple[int, str, str]  # a step, words that stand there, what they are to show

# A careful person reads five words in a second: a suggestion, from the sentence to what speaks against it, is
# to be read in seven or eight, with the rest of ten left to decide.
WORDS, CHARACTERS = 38, 280
WIDTH = 110  # what is read at a glance
BRIEF = 80  # of what another quote shows already
LEAST = 40  # of a sentence that is to say something
_SHORT = 24  # of a line that says nothing alone
_FAR = 2_000  # characters to either side in which a sentence begins and ends
_MOST_OF = 0.6  # of the arguments: a text that long is the call itself, as a command is
_REST = re.compile(r"\w{1,12}\b")
_BLANK = re.compile(r"\s")
_ENDS = re.compile(r"[.!?](?=\s)|\n")
_BEGINS = re.compile(  # a sentence, or a member of an object
    r'(?<=[.!?])\s{1,4}(?=\S)|(?<=["}\]\d]),\s?(?=[{"])'
)
_PARTS = re.compile(r"[.!?\n—–;:,]\s*(?:and|but|so|then)?\s+|[—–]|\n|\s(?:and|but) ")  # of a sentence
_HANGS = re.compile(  # at the cut end of a part: words that say nothing without what followed
    r"(?:\s(?:to|for|from|of|on|with|in|that|which|who|except|because)(?:\s\S+){0,2})?"
    r"(?:[\s,;:—–]+(?:the|an?|my|your|and|or|as|is|are|be|they|it|I|we|you|just|so))*[\s,;:—–]*\Z",
    re.IGNORECASE,
)
_VALUE_ENDS = re.compile(  # of JSON: before the comma or bracket that follows one
    r'(?:["}\]]|(?<=[:\s,\[])(?:-?\d[\d.eE+-]*|true|false|null))(?=\s*[,}\]])'
)
_VALUE = 120  # characters back in which a value of JSON ends
_NUMERIC = frozenset("0123456789.,")
_STATE = re.compile(r'"status":\s*"[^"]{1,60}"')


def around(text: str, start: int, end: int, width: int = WIDTH) -> str:
    """The words from `start` to `end` with those around, from where a sentence begins if one does.

    It keeps to the lines that they stand in, unless those are shorter than a quote should be. Where the words
    alone are longer than `width`, their end is kept: it is there that a value stands.
    """
    start = max(start, 0)
    end = min(max(end, start), len(text))
    rest = _REST.match(text, end)  # of a word that a stem stands for
    end = rest.end() if rest is not None and end > start and text[end - 1].isalnum() else end
    if end - start > width:
        return _line(text[_next_word(text, end - width, end, end - width) : end])
    low, high = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    high = len(text) if high < 0 else high
    if high - low < _SHORT:
        low, high = max(0, start - _SHORT), min(len(text), end + _SHORT)
    first = max(low, min(start - (width - (end - start)) // 2, high - width))
    if first and text[first - 1] != "\n":
        *_, begins = (None, *_BEGINS.finditer(text, first, start + 1))  # with the sign that it looks ahead to
        first = begins.end() if begins else _next_word(text, first, start, start)
    return _line(text[first : _last_word(text, end, min(high, first + width))])


def sentence(text: str, at: int, width: int = WIDTH, least: int = 0) -> str:
    """The sentence or line round a place, of a long one a part; shorter than `least`, with the next one."""
    start = max((match.end() for match in _ENDS.finditer(text, max(0, at - _FAR), at)), default=-1)
    start = start if start >= 0 else max(0, at - _FAR)
    start += len(text[start:at]) - len(text[start:at].lstrip())
    after = _ENDS.search(text, max(at, start + least - 1), at + _FAR)
    end = after.end() if after else min(at + _FAR, len(text))
    whole = text[start:end].strip()
    return whole if len(whole) <= width else around(text[start:end], at - start, at - start + 1, width)


def clause(text: str, start: int, end: int, width: int = WIDTH) -> str:
    """The words from `start` to `end`, from where their part of a sentence begins to where it ends."""
    low = max(0, start - _FAR)
    begins = [match.end() for match in _PARTS.finditer(text, low, start)]
    first = begins[-1] if begins else low if not low else start
    first = first if end - first <= width else start
    after = _ENDS.search(text, end, end + _FAR)
    stop = after.end() if after else min(len(text), end + _FAR)
    if stop - first > width:
        stop = _last_word(text, min(end, first + width), first + width)
        stops = [match.start() for match in _PARTS.finditer(text, end, stop)]
        stop = stops[-1] if stops else stop
        return _HANGS.sub("", _line(text[first:stop]))
    return _line(text[first:stop])


def readable(says: str, quotes: Iterable[str]) -> bool:
    """Whether a sentence and its quotes are read in the time that a suggestion gets."""
    texts = [says, *quotes]
    return sum(map(len, texts)) <= CHARACTERS and sum(len(text.split()) for text in texts) <= WORDS


def head(text: str, width: int = WIDTH) -> str:
    """The beginning of a text, from its first word on."""
    start = len(text) - len(text.lstrip())
    return _line(text[start : _last_word(text, start + 1, min(start + width, len(text)))])


def tail(text: str, width: int = WIDTH) -> str:
    """The end of a text, of a long one from the beginning of a sentence or a word on."""
    text = text.strip()
    if len(text) > width:
        begins = _ENDS.search(text, len(text) - width, len(text) - LEAST)
        text = text[begins.end() if begins else _next_word(text, at := len(text) - width, len(text), at) :]
    return _line(text)


def shortened(text: str, width: int) -> str:
    """A text in one line for a sentence, with a sign where it is cut: no quote."""
    line = _line(text)
    words = line[:width].rpartition(" ")[0]
    return line if len(line) <= width else f"{words if 2 * len(words) > width else line[:width]} …"


def called(step: Step, width: int = WIDTH, failed: bool = False) -> str:
    """The first call of a step as a quote (`failed`: the first one whose result is an error)."""
    made = [call for call, result in pairs(step) if not failed or (result is not None and result.error)]
    made = made or list(step.calls)
    return given_to(made[0], "", width) if made else ""


def call_made(step: Step, about: str, tool: str, width: int = WIDTH) -> tuple[str, str]:
    """What the call of this tool, if need be one that names the thing or the tool, was given and answered."""
    pair = answered_call(step, about, tool)
    if pair is None:
        return "", ""
    answer = pair[1].content if pair[1] is not None else ""
    state = _STATE.search(answer)
    return given_to(pair[0], about, width), around(answer, *state.span()) if state else head(answer)


def answered_call(step: Step, about: str, tool: str) -> tuple[ToolCall, Result | None] | None:
    """The call of this tool, if need be one that names the thing or the tool, with its result."""
    own = [pair for pair in pairs(step) if pair[0].name == tool]
    named = [pair for pair in own or pairs(step) if _naming(pair[0], about or tool)]
    return next(iter(named or own), None)


def given_to(call: ToolCall, about: str, width: int) -> str:
    """What was called, as it stands in the step: a command, else the arguments, else the name of the tool.

    Of a long one the beginning, or the part in which the thing stands that it is `about`.
    """
    whole = spelled(call.arguments) if call.arguments else ""
    longest = max(strings(call.arguments), key=len, default="")
    command = len(longest) > 1 and len(longest) >= _MOST_OF * len(whole) and " " in longest
    text = (longest if command else whole) or call.name
    if about not in text:
        fits = len(whole) <= width and "\\n" not in whole
        text = whole if fits else min(_naming(call, about), key=len, default=text)
    at = text.find(about)
    return around(text, at, at + len(about), width) if about and at >= 0 else head(text, width)


def _naming(call: ToolCall, about: str) -> list[str]:
    """The texts of a call in which a thing is named."""
    return [text for text in (*strings(call.arguments), spelled(call.arguments)) if about in text]


def _line(text: str) -> str:
    return " ".join(text.split())


def _next_word(text: str, at: int, limit: int, otherwise: int) -> int:
    """Where the first whole word from `at` on begins, if that is before `limit`."""
    if at == 0 or _BLANK.match(text[at - 1]):
        return at
    blank = _BLANK.search(text, at, limit)
    return blank.end() if blank is not None else otherwise


def _last_word(text: str, limit: int, stop: int) -> int:
    """Where the last whole word before `stop` ends, of JSON the last whole value; none after `limit`: that,
    or `stop` if far from it.
    """
    if stop >= len(text):
        return stop
    near = max(limit, stop - _VALUE)
    values = (
        list(_VALUE_ENDS.finditer(text, near, stop + 1)) if '":' in text[max(0, stop - _VALUE) : stop] else []
    )
    whole = [match.end() for match in values if match.end() <= stop]
    if whole:
        return whole[-1]
    for at in range(stop, limit - 1, -1):
        if _BLANK.match(text[at]):
            return at
    if stop - limit <= LEAST:
        return limit
    while stop > limit and text[stop - 1] in _NUMERIC and text[stop] in _NUMERIC:
        stop -= 1
    return stop
