"""What is left of a damaged file that is held whole: as much as of one that is too large for that.

What stands after a whole value is lost, and nothing else. Inside one, the records of a list, or of
a list or map in an object, are read one at a time, so that it costs only what it struck; a trace that is
damaged itself is refused. Knows no trace format.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.opening import line_files
from reviewer.importers.opening.array_files import records_in
from reviewer.importers.opening.decode import DamagedJson, decode
from reviewer.importers.opening.loading import LENIENT
from reviewer.importers.opening.object_files import ObjectFile, object_in
from reviewer.importers.opening.sliding import Damaged, Text

_SHARE = (
    8  # a member is large that has at least this part of the object, as in one that is too large to be held
)


def decoded(path: Path, data: bytes) -> Source:
    """The `Source` in `data`; of a damaged one what can be read, with the damage told."""
    try:
        return decode(path, data)
    except DamagedJson as damage:
        source = _before_the_rest(path, damage) or _in_pieces(path, damage)
        if source is None:
            raise
        source.warnings[:0] = damage.told
        source.no_json = str(damage).removeprefix(f"{path}: ")  # is said where nobody knows what is left
        return source


def whole_again(source: Source) -> None:
    """Refuse a damaged object, of which only pieces can be read, where it has to be read whole."""
    if isinstance(source.pieces, ObjectFile) and source.pieces.refused:
        raise source.pieces.refused


def _before_the_rest(path: Path, damage: DamagedJson) -> Source | None:
    """The value with which the file begins, where it is whole and holds records."""
    begun = damage.text.lstrip()
    try:
        value, end = LENIENT.raw_decode(begun)
    except (ValueError, RecursionError):
        return None
    rows = value if isinstance(value, list) else [value]
    if not any(isinstance(row, dict) for row in rows) or _goes_on(value, begun[end:]):
        return None
    source = decode(path, begun[:end].encode(errors="replace"))
    what = "list" if isinstance(value, list) else "object"
    source.lose(f"what comes after the {what} is lost: it ends before the file does")
    return source


def _goes_on(value: object, rest: str) -> bool:
    """Whether another object of the same kind begins there: a run of values, of which none is the file."""
    text = Text(io.BytesIO(rest.encode(errors="replace")).read)
    try:
        other, _ = text.element()
    except Damaged:
        return False
    return isinstance(other, dict) and isinstance(value, dict) and bool(other.keys() & value.keys())


def _in_pieces(path: Path, damage: DamagedJson) -> Source | None:
    """The records around the damage; larger files were tried before they were read whole."""
    data = damage.text.encode(errors="replace")
    if len(data) >= line_files.LARGE:
        return None
    opens: Callable[[], BinaryIO] = partial(io.BytesIO, data)
    if damage.text.lstrip().startswith("["):
        with contextlib.suppress(InputError):
            return records_in(path, opens)
        return None
    size = len(data)
    source = object_in(path, opens, size // _SHARE, size)
    if source is None or _is_map(source.pieces):
        source = object_in(path, opens, size, 0) or source  # its own members are what is read one at a time
    if source is not None and isinstance(source.pieces, ObjectFile):
        source.pieces.refused = damage
    return source


def _is_map(whole: object) -> bool:
    """Whether there are objects in an object and nothing else."""
    members = whole.members.values() if isinstance(whole, ObjectFile) else ()
    return len(members) > 1 and all(member.opened == "{" for member in members)


def alone(source: Source) -> Source | None:
    """The one value of a file in which nothing but damaged lines stand behind it, as a file of its own."""
    if source.is_json or not isinstance(source.lines, tuple) or len(source.lines) < 2:
        return None
    first, *others = source.lines
    if first.bad or not all(line.bad for line in others):
        return None
    return replace(source, text=first.text, is_json=True, value=first.value, lines=())
