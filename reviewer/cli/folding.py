"""Lines for a terminal, broken between words at its width: by itself it breaks in the middle of one.

Words, paths and options stay whole, and so does a command between backticks where a line has room for it;
what is wider than the terminal runs over. Nothing is broken on the way into a file or a pipe.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TextIO

_NARROWEST, _USUAL = 20, 80
_COLUMN = 12  # the narrowest column that a sentence is folded in
_UNIT = re.compile(r"([^\S\n]*)((?:`[^`\n]{1,200}`|\S)+)")  # with the white space before it
_WORD = re.compile(r"([^\S\n]*)(\S+)")


def folded(text: str, stream: TextIO) -> str:
    """The text, each of its lines broken between words where `stream` is a terminal and it is too narrow."""
    if not stream.isatty():
        return text
    width = max(_NARROWEST, _columns(stream))
    return "\n".join(_line(line, width) for line in text.split("\n"))


def beside(head: str, text: str, stream: TextIO) -> str:
    """`head`, and beside it the text, one line: folded in the room that is left, where that is any."""
    inside = cells(head)
    if not text or not stream.isatty() or (room := _columns(stream) - inside) < _COLUMN:
        return head + text
    return head + _line(text, room).replace("\n", "\n" + " " * inside)


def stacked(header: Sequence[str], rows: Sequence[Sequence[str]], stream: TextIO) -> list[list[str]]:
    """The header of a table, in several lines where it is what makes the table wider than a terminal."""
    wide = [max((cells(row[n]) for row in rows), default=0) for n in range(len(header))]
    whole = sum(map(max, wide, map(cells, header))) + 2 * (len(header) - 1)
    if not stream.isatty() or whole <= _columns(stream):
        return [list(header)]
    broken = [_line(head, max(1, room)).split("\n") for head, room in zip(header, wide, strict=True)]
    deep = max(map(len, broken))
    return [list(line) for line in zip(*([""] * (deep - len(one)) + one for one in broken), strict=True)]


def _columns(stream: TextIO) -> int:
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and said.isascii() and int(said[:5]) > 0:
        return int(said[:5])
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL
    except (OSError, ValueError):  # no file of the system
        return _USUAL


def _line(line: str, width: int) -> str:
    """One line in as many as it takes; those after the first stand as far in as it does."""
    if cells(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    indent = indent if len(indent) < width // 2 else ""
    done, now = [], ""
    for space, unit in _UNIT.findall(line):
        wide = cells(indent + unit) > width
        for gap, word in _WORD.findall(space + unit) if wide else [(space, unit)]:
            if now.strip() and cells(now + gap + word) > width:
                done.append(now)
                now = indent + word
            else:
                now += gap + word
    return "\n".join([*done, now])


def cells(text: str) -> int:
    """How many columns the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
