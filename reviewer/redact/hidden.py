"""Names and secrets written so that a search does not see them: with signs that nobody sees, or letters of
another script that look like ours. Pure.

Not known here: a word of which every letter is of another script, and what looks alike by its picture only.
"""

from __future__ import annotations

import re

_SIGNS = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef"
)
_CYRILLIC, _AS_OURS = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u0458", "aeopcyxisdj"
_CAPITALS, _AS_CAPITALS = "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425", "ABEKMHOPCTX"
_GREEK, _AS_LATIN = "\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba", "aopvik"
_OTHERS = _CYRILLIC + _CAPITALS + _GREEK
_ALIKE = str.maketrans(_OTHERS, _AS_OURS + _AS_CAPITALS + _AS_LATIN)
_WIDE = str.maketrans({code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)})
_ANY_WIDE = re.compile("[\uff01-\uff5e]")
_ANY_SIGN = re.compile(f"[{_SIGNS}]")
_MIXED = re.compile(
    rf"[A-Za-z]+[{_OTHERS}][A-Za-z{_OTHERS}]*|[{_OTHERS}]+[A-Za-z][A-Za-z{_OTHERS}]*",
)
_WITHIN = re.compile(rf"(?<=[A-Za-z0-9_-])[{_SIGNS}]+(?=[A-Za-z0-9_-])")
# What a text holds in which something may be hidden; for a first look at one that is not ASCII.
HIDDEN = re.compile(rf"[{_SIGNS}{_OTHERS}\uff01-\uff5e]")


def without_unseen(text: str) -> str:
    """The text without the signs that nobody sees, where they stand within a word of ours."""
    return text if text.isascii() or not _ANY_SIGN.search(text) else _WITHIN.sub("", text)


def plain(text: str) -> str:
    """The text, as long as it is, with our letters for those of another script within a word of ours."""
    if text.isascii():
        return text
    if _ANY_WIDE.search(text):
        text = text.translate(_WIDE)
    if any(sign in text for sign in _OTHERS):
        text = _MIXED.sub(lambda word: word.group().translate(_ALIKE), text)
    return text
