"""Colour codes of tool output (SGR escape sequences) as values, so that no escape reaches a terminal.

Only SGR is understood. Every other escape sequence is left in the text, where `reviewer.text` makes it
inert and visible. Tricks that would hide text are not followed: "conceal" and "blink" are dropped, and a
background that equals the foreground is dropped. Knows no terminal library and no theme: whether a colour
can be read on a given background is the business of the screens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from reviewer.text import safe, shown
from reviewer.values import dataclass

Rgb: TypeAlias = tuple[int, int, int]
Colour: TypeAlias = int | Rgb  # 0-255 of the xterm palette, or red, green, blue

# Longer parameter lists than this are no colour: they stay visible, and work stays bounded.
SGR = re.compile(r"\x1b\[([0-9;:]{0,96})m")
_CONTROL = re.compile(r"\x1b\[[0-?]{0,96}[ -/]{0,8}[@-~]")  # colours, and what moves a cursor or wipes a line
# The intensity levels of the 6x6x6 cube of the xterm palette.
_CUBE = (0, 95, 135, 175, 215, 255)
_SIXTEEN: tuple[Rgb, ...] = (
    *((0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0)),
    *((0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)),
    *((127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0)),
    *((92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)),
)


@dataclass(frozen=True, slots=True)
class Ink:
    """How a piece of tool output asked to be drawn; None and False leave it as it is."""

    fg: Colour | None = None
    bg: Colour | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    reverse: bool = False

    def readable(self) -> Ink:
        """The same without a background that hides the text."""
        if self.fg is None or self.bg is None or rgb(self.fg) != rgb(self.bg):
            return self
        return replace(self, bg=None)


PLAIN = Ink()


@dataclass(frozen=True, slots=True)
class Span:
    """`ink` from code point `start` up to `end` of the visible text."""

    start: int
    end: int
    ink: Ink


class Run(NamedTuple):
    """Raw text from `start` up to `end` (no SGR in it), to be drawn with `ink`."""

    start: int
    end: int
    ink: Ink


def rgb(colour: Colour) -> Rgb:
    """The colour of the xterm palette, or the true colour itself."""
    if isinstance(colour, tuple):
        return colour
    if colour < 16:
        return _SIXTEEN[colour]
    if colour < 232:
        colour -= 16
        return _CUBE[colour // 36], _CUBE[colour // 6 % 6], _CUBE[colour % 6]
    grey = 8 + 10 * (colour - 232)
    return grey, grey, grey


def without_codes(text: str) -> str:
    """The text without colours and moves of the cursor, for a few words out of it: in place they are seen."""
    return _CONTROL.sub("", text)


def ansi_spans(text: str) -> tuple[str, tuple[Span, ...]]:
    """The safe text without its colour codes, and where which colour was asked for."""
    if "\x1b[" not in text:
        return safe(text), ()
    text = text.replace("\r\n", "\n")
    pieces: list[str] = []
    spans: list[Span] = []
    at = 0
    for run in ansi_runs(text):
        piece = text[run.start : run.end]
        pieces.append(piece)
        if run.ink != PLAIN:
            spans.append(Span(at, at + len(piece), run.ink))
        at += len(piece)
    return shown("".join(pieces)), tuple(spans)


def ansi_runs(text: str, start: int = 0, end: int | None = None, ink: Ink = PLAIN) -> Iterator[Run]:
    """The stretches of `text[start:end]` between colour codes, each with the ink that applies."""
    end = len(text) if end is None else end
    for match in SGR.finditer(text, start, end):
        if match.start() > start:
            yield Run(start, match.start(), ink.readable())
        ink = after_sgr(ink, match.group(1))
        start = match.end()
    if start < end:
        yield Run(start, end, ink.readable())


def ink_at(text: str, start: int, end: int) -> Ink:
    """The ink that applies at `end` when nothing did at `start`."""
    ink = PLAIN
    for match in SGR.finditer(text, start, end):
        ink = after_sgr(ink, match.group(1))
    return ink


_SWITCHES: dict[int, dict[str, bool]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    7: {"reverse": True},
    9: {"strike": True},
    21: {"underline": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    27: {"reverse": False},
    29: {"strike": False},
}


def after_sgr(ink: Ink, parameters: str) -> Ink:
    """`ink` changed by one colour code, given its parameters ("1;31", "38:2::255:0:0", "")."""
    items = parameters.split(";")
    position = 0
    while position < len(items):
        item = items[position]
        position += 1
        if ":" in item:
            ink = _colon(ink, item.split(":"))
            continue
        code = _number(item)
        if code in (38, 48):
            colour, used = _extended([_number(value) for value in items[position : position + 4]])
            position += used
            ink = _coloured(ink, code, colour) if colour is not None else ink
        else:
            ink = _simple(ink, code)
    return ink


def _number(item: str) -> int:
    # Five digits are more than any code has; `int` of a long digit string would be slow.
    return int(item[:5]) if item else 0


def _simple(ink: Ink, code: int) -> Ink:
    if code == 0:
        return PLAIN
    if code in _SWITCHES:
        return replace(ink, **_SWITCHES[code])
    if 30 <= code <= 37:
        return replace(ink, fg=code - 30)
    if 40 <= code <= 47:
        return replace(ink, bg=code - 40)
    if 90 <= code <= 97:
        return replace(ink, fg=code - 82)
    if 100 <= code <= 107:
        return replace(ink, bg=code - 92)
    if code == 39:
        return replace(ink, fg=None)
    if code == 49:
        return replace(ink, bg=None)
    return ink


def _extended(values: list[int]) -> tuple[Colour | None, int]:
    """The colour after 38 or 48 and how many parameters it took: 5;n or 2;r;g;b."""
    if len(values) >= 2 and values[0] == 5:
        return (values[1] if values[1] < 256 else None), 2
    if len(values) >= 4 and values[0] == 2:
        red, green, blue = values[1:4]
        return ((red, green, blue) if max(red, green, blue) < 256 else None), 4
    return None, len(values)


def _colon(ink: Ink, parts: list[str]) -> Ink:
    """The form with colons: 4:3 (a curly underline), 38:5:n, 38:2:r:g:b and 38:2::r:g:b."""
    numbers = [_number(part) for part in parts]
    if numbers[0] == 4:
        return replace(ink, underline=numbers[1] != 0)
    if numbers[0] not in (38, 48):
        return ink
    values = numbers[1:]
    if values[0] == 2 and len(values) >= 5:  # the second part names a colour space
        values = [2, *values[2:5]]
    colour, _ = _extended(values)
    return ink if colour is None else _coloured(ink, numbers[0], colour)


def _coloured(ink: Ink, code: int, colour: Colour) -> Ink:
    return replace(ink, fg=colour) if code == 38 else replace(ink, bg=colour)
