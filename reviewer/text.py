"""`safe()`: the only way foreign text reaches a terminal; `ansi_runs()`: colour codes as values.

Everything that is not our own source code passes through here before it is printed or drawn. A
terminal acts on control characters, lets bidi controls reorder what it shows and hides zero-width
characters; each of them becomes one sign that can be seen:

    C0 controls, DEL        their control picture: ESC ␛, CR ␍, BS ␈, NUL ␀, DEL ␡ (TAB, LF stay)
    C1 controls             ␦   (NEL, U+2028 and U+2029, which only look like line ends: ␤)
    bidi controls           ⇄
    zero-width, invisible   ◌   (also tags and stray variation selectors)
    lone surrogates         U+FFFD

One code point becomes one code point, so offsets in the raw text are offsets in the shown text. The
only exception is CR before LF: `safe` drops that CR (it is a line end, and shows as one). Who needs
offsets shows line by line and cuts the CR off himself. Joiners and variation selectors stay where
scripts and emoji need them: between two emoji or two letters of a joining script.

This module knows no terminal library; the screens measure with the tables of the library they draw with.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

ELLIPSIS = "…"

_BIDI = ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
_LINE_ENDS = ((0x85, 0x85), (0x2028, 0x2029))
_INVISIBLE = (
    (0xAD, 0xAD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # hangul fillers
    (0x17B4, 0x17B5),  # khmer inherent vowels
    (0x180B, 0x180F),  # mongolian separators and selectors
    (0x200B, 0x200B),
    (0x2060, 0x2065),
    (0x206A, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0D),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x13430, 0x1343F),  # hieroglyph joiners
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags, further variation selectors
)
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"  # depend on their neighbours


def _filled(ranges: Iterable[tuple[int, int]], sign: str) -> dict[int, str]:
    return {code: sign for first, last in ranges for code in range(first, last + 1)}


_TABLE: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)},
    0x7F: "␡",
    **_filled([(0x80, 0x9F)], "␦"),
    **_filled(_LINE_ENDS, "␤"),
    **_filled(_BIDI, "⇄"),
    **_filled(_INVISIBLE, "◌"),
    **_filled([(0xD800, 0xDFFF), (0xFFFE, 0xFFFF)], "\ufffd"),
}
_LINE_TABLE = {**_TABLE, 0x09: " ", 0x0A: "␤"}


def _character_class(codes: Iterable[int], extra: str = "") -> str:
    """A regular expression class of these code points, as ranges so that it stays small and fast."""
    ranges: list[list[int]] = []
    for code in sorted({*codes, *map(ord, extra)}):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"


@cache
def _suspect() -> re.Pattern[str]:
    return re.compile(_character_class(_TABLE, _JOINERS))


_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_SCRIPTS = (  # Arabic, Syriac, N'Ko, Indic, Tibetan, Myanmar, Khmer, Mongolian, Arabic forms
    "\u0620-\u065f\u066e-\u06ff\u0700-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff"
    "\u1820-\u18af\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc"
)


# A joiner or selector that is not between the neighbours it exists for.
@cache
def _stray() -> re.Pattern[str]:
    return re.compile(
        f"(?<![{_EMOJI}\ufe0f{_SCRIPTS}])[\u200c\u200d]|(?<=[{_EMOJI}\ufe0f])(?:\u200c|\u200d(?![{_EMOJI}]))"
        f"|(?<=[{_SCRIPTS}])[\u200c\u200d](?![{_SCRIPTS}])"
        f"|(?<![{_EMOJI}#*0-9])[\ufe0e\ufe0f]|(?<=[#*0-9])[\ufe0e\ufe0f](?!\u20e3)"
    )


_HAS_JOINER = re.compile(f"[{_JOINERS}]")


def safe(text: str) -> str:
    """`text` with nothing in it that a terminal acts on or hides; TAB and LF stay, CR LF becomes LF."""
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return shown(text)


def shown(text: str) -> str:
    """Like `safe`, but strictly one code point for one code point: a CR is always a visible ␍."""
    if text.isascii():  # `translate` is fastest on ASCII; nothing else to look at
        return text if text.isprintable() else text.translate(_TABLE)
    if not _suspect().search(text):
        return text
    return _joined(text).translate(_TABLE)


def safe_line(text: str, width: int | None = None) -> str:
    """One line: LF becomes ␤, TAB a space; at most `width` cells, shortened with an ellipsis.

    Never cuts through a wide character. Only the beginning that can be shown is looked at, so a huge
    text costs no more than a short one.
    """
    if width is not None and len(text) > 4 * width + 64:
        text = text[: 4 * width + 64]
    text = text.replace("\r\n", "\n")
    if not (text.isascii() and text.isprintable()):
        text = _joined(text).translate(_LINE_TABLE)
    if width is None or cells(text) <= width:
        return text
    return _head(text, width - 1) + ELLIPSIS if width > 0 else ""


def _joined(text: str) -> str:
    return _stray().sub("◌", text) if _HAS_JOINER.search(text) else text


def _head(text: str, width: int) -> str:
    """The longest beginning of `text` that is at most `width` cells wide."""
    used = 0
    for index, character in enumerate(text):
        used += _cell(character)
        if used > width:
            return text[:index]
    return text


def cells(text: str) -> int:
    """How many terminal cells `text` (already safe) takes, by the Unicode data of this Python."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 0 if unicodedata.category(character) in ("Mn", "Me", "Cf") else 1
