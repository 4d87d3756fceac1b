"""What a regular expression can be known for without running it, so that a long trace is searched fast.

The engine skips ahead only where it ignores no case, and hardly where a pattern begins with anything. So a
pattern in small letters is run over small letters where that is the same, and not at all where a text lacks
letters that each match holds; where few lines hold them, over these lines alone. All of it is read off the
pattern's own signs; where they are in doubt, the answer is no. Knows no widget.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_SIGN = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\\\]])*\])|(?P<perhaps>[*?]|\{\d*(?:,\d*)?\})"
    r"|(?P<open>\()|(?P<close>\))|(?P<either>\|)|(?P<any>[.^$+])|(?P<letter>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_FLAGS = re.compile(r"\(\?[aiLmsux#-]")  # change what the signs mean, or are a comment
_OF_A_LINE = frozenset("dwSbB")  # escapes that take no line end
_KNOWN = frozenset("dDsSwWbBAZnrtfva")  # escapes that name no letter, or none with a case
_SPAN = re.compile(r"(?<!\\)(?:[a-z]-[a-z]|[0-9]-[0-9])(?!-)")
_ALIKE = tuple((letter.encode()[-1:], letter.encode()) for letter in "ı\u0130ſ\u212a")  # i, I, s, K
_SAMPLE, _DENSE = 512, 1  # bytes, and how often the letters may stand in so many
_FEW = 1 << 16  # characters whose hits are held at once


def _signs(pattern: str) -> Iterator[tuple[str, str]]:
    for sign in _SIGN.finditer(pattern):
        yield str(sign.lastgroup), sign[0]


def needed(pattern: str) -> str:
    """The longest run of ASCII letters that stands in each match of a valid pattern; "": none is known."""
    if _FLAGS.search(pattern):
        return ""
    runs, run, depth = [""], "", 0
    for kind, sign in _signs(pattern):
        letter = ""
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "escape" and sign[1].isalnum() and sign[1] not in _KNOWN:
            return ""  # a letter by its number: it may go on after these two signs
        elif kind == "either" and not depth:
            return ""
        elif not depth and kind in ("letter", "escape") and not (kind == "escape" and sign[1].isalnum()):
            letter = sign[-1] if sign.isascii() else ""
        if kind == "perhaps" and not depth:
            run = run[:-1]  # the letter before it may come no time
        if letter:
            run += letter
        else:
            runs.append(run)
            run = ""
    return max(*runs, run, key=len)


def caseless(pattern: str) -> bool:
    """Whether a valid pattern without capitals finds in a text in small letters what it finds, ignoring case.

    In a text without `odd` letters, that is, of which only ASCII letters were made small.
    """
    if _FLAGS.search(pattern) or not pattern.isascii():
        return False
    return all(_closed(sign) if kind == "set" else _known(sign) for kind, sign in _signs(pattern))


def _closed(chosen: str) -> bool:
    """Whether a set has no letter without its other case."""
    inside = chosen[1:-1].removeprefix("^")
    spans = _SPAN.sub("", inside.removeprefix("-").removesuffix("-"))
    return "-" not in spans and all(map(_known, _ESCAPE.findall(inside)))


def in_lines(pattern: str) -> bool:
    """Whether no match of a valid pattern takes a line end, or depends on what stands beyond its line."""
    if _FLAGS.search(pattern) or "\n" in pattern:
        return False
    for kind, sign in _signs(pattern):
        escapes = _ESCAPE.findall(sign) if kind == "set" else [sign] if kind == "escape" else []
        if any(escape[1].isalnum() and escape[1] not in _OF_A_LINE for escape in escapes):
            return False
        if sign in ("^", "$") or (kind == "set" and (sign.startswith("[^") or not _closed(sign))):
            return False
    return True


def few(text: bytes, letters: bytes) -> bool:
    """Whether it pays to look at the lines with these letters one by one, by how a text begins."""
    return text.count(letters, 0, _SAMPLE) <= _DENSE


def lines_with(text: bytes, letters: bytes) -> Iterator[bytes]:
    """The lines of a text that hold the letters."""
    at = text.find(letters)
    while at >= 0:
        end = text.find(b"\n", at)
        end = len(text) if end < 0 else end
        yield text[text.rfind(b"\n", 0, at) + 1 : end]
        at = text.find(letters, end)


def _known(sign: str) -> bool:
    """Whether a sign is no letter by its number, and no capital."""
    return sign[1] in _KNOWN or not sign[1].isalnum() if sign[0] == "\\" else sign == sign.lower()


def odd(hay: bytes) -> bool:
    """Whether a text in UTF-8 holds a letter beyond ASCII that is an ASCII one in the other case."""
    return any(last in hay and letter in hay for last, letter in _ALIKE)  # a single byte is found at once


def tally(pattern: re.Pattern[str], text: str, most: int) -> int:
    """How many matches in `text` are not empty; no more than `most` are counted in a long one."""
    if len(text) <= _FEW and not pattern.groups:
        found = pattern.findall(text)
        return len(found) - found.count("")
    full = (match for match in pattern.finditer(text) if match.end() > match.start())
    return sum(1 for _ in islice(full, most))
