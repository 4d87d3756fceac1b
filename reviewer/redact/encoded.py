"""Secrets in base 64 and in the escapes of a URL: text in which something would be masked if it were plain.

Pure. What can be text in base 64 is taken for that and looked at, up to three times within itself; in a URL
the part between two signs such as `&` and `=` is. Not known here: other ways to encode (base 32, hexadecimal,
what is packed before), base 64 under twenty letters, and a password that stands alone: decoded it is a word
like any other.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from urllib.parse import unquote_plus

# Stands for "text in base 64" among the literals that a text may hold.
BASE64 = "text in base 64"
NEEDS = (BASE64, "%25", "%22", "%3A", "%3a", "%40")
# Text in base 64 has hardly another sign than letters and digits: only `?` and `>` make `/` and `+`.
_PIECE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{16,}")
_RUN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_NEXT = re.compile(r"(?:\r?\n|\\{1,4}n)(?=[A-Za-z0-9+/]{4,76}(?![A-Za-z0-9+/_-]))")  # a line of several
_WIDTHS = (60, 64, 72, 76)
_READABLE = re.compile(rb"[\t\r\n -~]{10}")
_LEAST, _LONGEST, _LONGEST_URL = 20, 40_000, 4_000
_LOOKED = 4_000  # letters of a piece in which something must be readable
_APART = frozenset(" \t\r\n\"'<>?&=;#`|,(){}[]\\")
_ROUNDS = 4


def encoded_in(words: Iterable[str]) -> list[str]:
    """Those of the words (of what stands between blanks) that may hold text in base 64."""
    return [
        word
        for word in words
        if len(word) >= _LEAST
        and not word.islower()
        and any(_offset(one) >= 0 for one in _PIECE.findall(word))
    ]


def without_encoded(
    text: str,
    counts: Counter[str],
    secret: Callable[[str], bool],
    holding: Collection[str] | None = None,
) -> str:
    """Masks what says, decoded, what is `secret`; `holding`: those of NEEDS that can be there."""
    if holding is None or BASE64 in holding:
        text = _masked(text, counts, secret, _runs(text))
    needs = NEEDS[1:] if holding is None else [need for need in NEEDS[1:] if need in holding]
    places = sorted({place for need in needs if need in text for place in _places(text, need)})
    return _masked(text, counts, secret, _parts(text, places)) if places else text


def _masked(
    text: str, counts: Counter[str], secret: Callable[[str], bool], found: Iterable[tuple[int, int, str]]
) -> str:
    """Without those spans whose meaning is a secret."""
    out: list[str] = []
    done = 0
    for begin, end, said in found:
        if secret(said):
            counts["encoded secret"] += 1
            out += (text[done:begin], "[masked encoded secret]")
            done = end
    return "".join((*out, text[done:])) if out else text


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Where text in base 64 stands, and what it says."""
    looked = 0
    for piece in _PIECE.finditer(text):
        begin = end = piece.start()
        offset = _offset(piece.group()) if begin >= looked else -1
        if offset < 0:
            continue
        while begin > looked and text[begin - 1] in _RUN and piece.start() - begin < _LONGEST:
            begin -= 1
        lines, end = _lines(text, begin, piece.end())
        looked = end
        run = "".join(lines)[(piece.start() + offset - begin) % 4 :]
        if len(run) >= _LEAST and (said := _decoded(run)):
            padding = text[end : end + 2]
            yield begin, end + len(padding) - len(padding.lstrip("=")), said


def _lines(text: str, begin: int, at: int) -> tuple[list[str], int]:
    """The lines of a run that begins there and goes on at `at`, and where it ends."""
    lines: list[str] = []
    while True:
        end = at
        while end < len(text) and text[end] in _RUN and end - at < _LONGEST:
            end += 1
        lines.append(text[begin:end])
        more = _NEXT.match(text, end) if len(lines[-1]) in _WIDTHS else None
        if more is None or len(lines) * _WIDTHS[-1] > _LONGEST:
            return lines, end
        begin = at = more.end()


def _offset(piece: str) -> int:
    """By how many letters a piece is shifted if it is text in base 64; less than 0: it is none.

    Of hashes, names and paths nothing can be read.
    """
    if piece.islower() or piece.isupper() or (piece.isalpha() and len(piece) < 2 * _LEAST):
        return -1
    for shift in range(4):
        size = min(len(piece) - shift, _LOOKED) // 4 * 4
        if _READABLE.search(base64.b64decode(piece[shift : shift + size])):
            return shift
    return -1


def _decoded(run: str) -> str:
    """The text that a run of base 64 stands for; empty where it is none."""
    plain = run.replace("-", "+").replace("_", "/")
    data = base64.b64decode(plain[: len(plain) // 4 * 4] + _rest(plain))
    said = data.decode("utf-8", "replace")
    odd = sum(sign == "\ufffd" or (sign < " " and sign not in "\t\r\n") for sign in said)
    return said if odd * 4 <= len(said) else ""


def _rest(plain: str) -> str:
    left = plain[len(plain) // 4 * 4 :]
    return left + "=" * (4 - len(left)) if len(left) > 1 else ""


def _parts(text: str, places: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Where parts of a URL stand that hold these escapes, and what they say."""
    looked = 0
    for place in places:
        if place < looked:
            continue
        begin, end = place, place
        while begin > looked and text[begin - 1] not in _APART and place - begin < _LONGEST_URL:
            begin -= 1
        while end < len(text) and text[end] not in _APART and end - place < _LONGEST_URL:
            end += 1
        looked = end
        said = part = text[begin:end]
        for _ in range(_ROUNDS):
            part, said = said, unquote_plus(said)
            if part == said:
                break
        yield begin, end, said


def _places(text: str, need: str) -> Iterator[int]:
    place = text.find(need)
    while place >= 0:
        yield place
        place = text.find(need, place + 1)
