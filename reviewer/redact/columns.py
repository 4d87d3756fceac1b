"""Secrets in a column: under a heading such as `password`, in a table with commas, tabs, bars or wide blanks.

Pure. Only the first line of a table is a heading, and a value has to look like no word and no plain number.
Not known here: a password of letters alone, a table without a heading, a cell that has a line break in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reviewer.redact.looks import PLAIN, looks_random

_LONGEST = 4_000  # characters of a line
# Where a line ends and another begins: as it is, as JSON spells it, from one text of a list to the next.
_BREAKS = ("\n", "\\n", '", "', '\\", \\"')
_BEGINS = (*_BREAKS, '": "', '["', '\\": \\"', '[\\"')
_ENDS = (*_BREAKS, '"}', '"]', '\\"}', '\\"]')
_WORDS = r"(?:[a-z0-9]{1,20}[ _-]){0,4}"
_OWN = re.compile(rf"{_WORDS}(?:passw(?:or)?d|pwd|passphrase|passcode|passwort|kennwort|contraseña)\Z", re.I)
_KEY = re.compile(
    rf"{_WORDS}(?:secret|token|(?:api|access|secret|private|auth|signing)[ _-]?key|client[ _-]?secret)\Z",
    re.I,
)
_AFTER = re.compile(r"[\\\"' )]{0,4}(?:[,;|\t\r\n]|  |\\[nrt]|\Z)")  # behind the last word of a heading
_HEADING = re.compile(r"[^\W\d][\w .()-]{0,40}\Z")
_TYPE = re.compile(
    r"(?:var)?char|varying|integer|serial|timestamp|\A(?:str(?:ing)?|int|bool(?:ean)?|float|bytes|any|null|yes|no"
    r"|required|optional)\Z",
    re.I,
)
_RULE = re.compile(r"[\s|+:=-]+\Z")
_NUMBER = re.compile(r"[0-9]{1,5}\Z|[0-9]+(?:[.,:/-][0-9]+)+%?\Z")
_MARKS = "\\\"' \t\r"


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the cells of a line stand apart: `apart` is between two and holds one of `signs`; `edge` goes."""

    signs: tuple[str, ...]
    apart: re.Pattern[str]
    edge: str = ""


_KINDS = (
    _Kind(("|",), re.compile(r"[ \t]*\|[ \t]*"), "| \t"),
    _Kind(("\t", "\\t"), re.compile(r"\t|\\{1,4}t")),
    _Kind((",",), re.compile(r",(?! )")),
    _Kind((";",), re.compile(r";(?! )")),
    _Kind(("  ", "\t"), re.compile(r"[ \t]{2,}"), " \t"),
)


def by_column(text: str, seen: str, names: Iterable[re.Match[str]], counts: Counter[str]) -> str:
    """Masks what stands under a heading that announces a secret; `names` are those in `seen`."""
    if not any(sign in text for sign in _BREAKS):
        return text
    found: list[tuple[int, int]] = []
    done = 0
    for name in names:
        heads = name.start() >= done and _AFTER.match(seen, name.end())
        line = _line(text, name.start()) if heads else None
        if line is not None:
            done = _table(text, seen, line, found)
    out, end = [], 0
    for begin, stop in found:
        counts["value in a secret's column"] += 1
        out += [text[end:begin], "[masked value]"]
        end = stop
    return "".join((*out, text[end:])) if out else text


def _line(text: str, place: int) -> tuple[int, int] | None:
    """The line that holds this place; None where it is longer than any row."""
    start, end = low, high = max(0, place - _LONGEST), min(len(text), place + _LONGEST)
    for sign in _BEGINS:  # each only nearer than those before it
        at = text.rfind(sign, start, place)
        start = start if at < 0 else at + len(sign)
    for sign in _ENDS:
        at = text.find(sign, place, end)
        end = end if at < 0 else at
    return None if (start == low > 0) or (end == high < len(text)) else (start, end)


def _next(text: str, line: tuple[int, int]) -> tuple[int, int] | None:
    """The line after this one, if another follows in the same text or list."""
    sign = next((sign for sign in _BREAKS if text.startswith(sign, line[1])), None)
    start = line[1] + len(sign) if sign else len(text)
    return _line(text, start) if start < len(text) else None


def _before(text: str, line: tuple[int, int]) -> tuple[int, int] | None:
    sign = next((sign for sign in _BREAKS if text.endswith(sign, 0, line[0])), None)
    return _line(text, line[0] - len(sign)) if sign else None


def _table(text: str, seen: str, line: tuple[int, int], found: list[tuple[int, int]]) -> int:
    """Notes the secrets under a line, if it is a heading; the end of what was looked at."""
    for kind in _KINDS:
        heads = [seen[slice(*cell)].strip(_MARKS) for cell in _cells(seen, line, kind)]
        if len(heads) < 2 or not all(_HEADING.match(head) and not _TYPE.search(head) for head in heads):
            continue
        columns = [at for at, head in enumerate(heads) if _OWN.match(head) or _KEY.match(head)]
        before = _before(text, line)
        if not columns or (before and len(_cells(seen, before, kind)) == len(heads)):
            continue  # nothing, or the row of a table that has begun before
        row = _next(text, line)
        while row is not None:
            cells = _cells(text, row, kind)
            if len(cells) != len(heads) and not _RULE.match(text[slice(*row)]):
                return row[0]
            spans = [_bare(text, *cells[at]) for at in columns if len(cells) == len(heads)]
            named = zip(columns, spans, strict=False)
            found += [span for at, span in named if _secret(heads[at], text[slice(*span)])]
            line, row = row, _next(text, row)
    return line[1]


def _cells(text: str, line: tuple[int, int], kind: _Kind) -> list[tuple[int, int]]:
    """Where the cells of a line stand; one where it is no row of such a table."""
    start, end = line
    if (
        end - start > _LONGEST
        or all(text.find(sign, start, end) < 0 for sign in kind.signs)
        or _RULE.match(text[start:end])
    ):
        return [line]
    while kind.edge and start < end and text[start] in kind.edge:
        start += 1
    while kind.edge and start < end and text[end - 1] in kind.edge:
        end -= 1
    cells = []
    for apart in kind.apart.finditer(text, start, end):
        if text.count('"', start, apart.start()) % 2 == 0:  # else it stands within a text in quotes
            cells.append((start, apart.start()))
            start = apart.end()
    return [*cells, (start, end)]


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A cell without blanks and quotes around it."""
    while start < end and text[start] in _MARKS:
        start += 1
    while start < end and text[end - 1] in _MARKS:
        end -= 1
    return start, end


def _secret(head: str, value: str) -> bool:
    if (
        PLAIN.match(value)
        or _NUMBER.match(value)
        or not 4 <= len(value) <= 400
        or set(value) & set(" ()[]<>")
    ):
        return False
    if _OWN.match(head):
        return any(letter.isdigit() or letter in "!@#$%^&*" for letter in value)
    return looks_random(value, 8 if head.lower().endswith("secret") else 12)
