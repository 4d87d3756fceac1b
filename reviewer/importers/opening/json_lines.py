"""Values that follow each other in one text: JSON Lines, and what is written in their place.

Several values on one line, values laid out over many lines one after the other, JSON text sequences (RFC
7464): each value becomes a line. Knows no trace format.
"""

from __future__ import annotations

import json
import re
from itertools import chain

from reviewer.importers.base import Line
from reviewer.importers.opening.loading import LENIENT, MAX_DEPTH, Loader, strictly, too_deep

# White space of JSON but the line feed, which ends a line.
BLANK = " \t\r"
# What a file system leaves where nothing was written, and the sign before each text of a sequence.
NUL, RECORD = "\0", "\x1e"
PADDING = NUL + RECORD
MARK = "\ufeff"  # begins a file on Windows, and each of those that somebody put together
NULS = "NUL bytes around the text are passed over"
# As long as a sector of a disk: where one is inside a value, what stood there is gone, and the ends of two
# values may have become one.
GAP = NUL * 512
HOLED = "a long run of NUL bytes stands in it, as after a crash: what was written there is lost"
_BETWEEN = BLANK + "\n," + PADDING + MARK
_AGAIN = re.compile(f"{RECORD}|\n(?={{)")  # where the next value of a run may begin after a damaged one
FEW = 3  # damaged values after which a text is no run of values


def json_lines(text: str, loader: Loader) -> tuple[Line, ...]:
    """The lines of JSON Lines, none where it is not; split at "\\n" only, since U+2028 is text in JSON."""
    parts = [(number, part) for number, raw in enumerate(text.split("\n"), 1) if (part := raw.strip(BLANK))]
    lines = list(
        chain.from_iterable(
            lines_of(loader, number, kept) for number, part in parts if (kept := bare(loader, number, part))
        )
    )
    if not lines:
        return ()
    good = [line for line in lines if not line.bad]
    damaged = lines[0].bad and 2 * len(good) < len(lines)
    if damaged or not any(isinstance(line.value, dict | list) for line in good):
        return _whole_run(loader, text)
    for line in lines:
        loader.skip(line)
    return tuple(lines)


def bare(loader: Loader, number: int, part: str) -> str:
    """A line without the padding around it; NUL bytes are told of."""
    part = part.strip(MARK + BLANK) if MARK in (part[0], part[-1]) else part
    if not part or (part[0] not in PADDING and part[-1] not in PADDING):
        return part
    kept = part.strip(PADDING + BLANK)
    if NUL in part[: len(part) - len(part.lstrip(PADDING))] + part[len(part.rstrip(PADDING)) :]:
        loader.tell(NULS, number)
    return kept


def lines_of(loader: Loader, number: int, part: str) -> list[Line]:
    """The values of one line, each as a line; `part` has no white space around it."""
    line = line_of(loader, number, part)
    if not line.bad.startswith("damaged JSON (Extra data") or not (run := _run(loader, number, part)):
        return [line]
    loader.tell("values that share a line are read one by one", number)
    return run


def line_of(loader: Loader, number: int, part: str) -> Line:
    """The line with the text `part`, which holds one value and has no white space around it."""
    try:
        value = loader.load(part, number)
    except json.JSONDecodeError as error:
        return Line(number, part, bad=f"damaged JSON ({error.msg}, column {error.colno})")
    except RecursionError:
        return Line(number, part, bad="its JSON is nested too deeply to be read")
    if loader.mended and GAP in part:
        return Line(number, part, bad=HOLED)
    if too_deep(value):
        return Line(number, part, bad=f"its JSON is nested more than {MAX_DEPTH} levels deep")
    return Line(number, strictly(part) if loader.mended else part, value)


def _whole_run(loader: Loader, text: str) -> tuple[Line, ...]:
    """The values of a text in which they stand one after the other, laid out over several lines each."""
    run = _run(loader, 1, text)
    bad = [line for line in run if line.bad]
    if len(run) - len(bad) < 2:
        return ()
    loader.tell("values that stand one after the other and not in lines are read one by one", 1)
    for line in bad:
        loader.skip(line)
    return tuple(run)


def _run(loader: Loader, number: int, text: str) -> list[Line]:
    """The objects and lists that a text consists of; none where something else stands between them."""
    found: list[Line] = []
    damaged = 0
    at, counted = _next(text, 0), 0
    while at < len(text):
        number, counted = number + text.count("\n", counted, at), at
        if text[at] not in "{[":
            return []
        try:
            _, end = LENIENT.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            damaged += 1
            if damaged > FEW:
                return []
            again = _AGAIN.search(text, at + 1)
            end = again.end() if again else len(text)
        found.append(line_of(loader, number, text[at:end].strip(BLANK + PADDING + "\n")))
        at = _next(text, end)
    return found if any(not line.bad for line in found) else []


def _next(text: str, at: int) -> int:
    """The place of the next character that does not stand between values."""
    while at < len(text) and text[at] in _BETWEEN:
        at += 1
    return at
