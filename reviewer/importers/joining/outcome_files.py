"""Outcomes from a table of somebody's own: CSV, JSON or JSON Lines, a row a trace.

A row names a trace (`trace`: its id or the beginning of one), a `file` or a `task` (with `attempt`,
`benchmark`, `model` where that is not enough), and says `passed`, `score`, or both. Other columns are
kept as the grader's detail. Rows that fit no trace, or more than one, are told by their line and set
nothing. Knows no store: traces come as their infos.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from reviewer.errors import InputError
from reviewer.importers.base import Line
from reviewer.importers.joining.origins import origin_of
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_id, as_int, as_score, dumped, parsed
from reviewer.trace import Json, Outcome, TraceInfo

# What a column may be called.
NAMES: dict[str, tuple[str, ...]] = {
    "trace": ("trace", "trace_id", "id"),
    "file": ("file", "filename", "path"),
    "task": ("task", "task_id", "instance_id", "sample_id"),
    "attempt": ("attempt", "trial", "epoch"),
    "benchmark": ("benchmark",),
    "model": ("model",),
    "passed": ("passed", "resolved", "success", "is_resolved", "correct"),
    "score": ("score", "reward"),
}
_YES, _NO = {"true", "yes", "1", "pass", "passed", "1.0"}, {"false", "no", "0", "fail", "failed", "0.0"}
LARGEST = 256 << 20  # bytes of a table or a list; what is larger, or never ends, is no such thing
_OPEN = {"", "null", "none", "nan", "unknown"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: where it stands, what it names, what it says."""

    line: int
    named: Mapping[str, str]
    attempt: int | None
    outcome: Outcome


def rows(path: Path) -> Iterator[Row | str]:
    """The rows of the file; a text says what is wrong with one. InputError: none can be read."""
    origin = origin_of(path.absolute().parent, path.name)
    found = list(_records(path))
    if not found:
        raise InputError(f"{path}: a table of outcomes without a row")
    keys = {key for _, record in found if isinstance(record, dict) for key in record}
    for needed in (("trace", "file", "task"), ("passed", "score")):
        if not keys & {name for key in needed for name in NAMES[key]}:
            raise InputError(f"{path}: no column is called {' or '.join(needed)}")
    for line, record in found:
        try:
            yield f"line {line}: {record}" if isinstance(record, str) else _row(line, record, origin)
        except ValueError as error:
            yield f"line {line}: {error}"


class Matcher:
    """Finds the one trace that a row names, among many."""

    def __init__(self, found: Iterable[TraceInfo]) -> None:
        infos = list(found)
        self._ids = sorted((_bare(info.trace_id), info) for info in infos)
        self._tasks: dict[str, list[TraceInfo]] = {}
        self._files: dict[str, list[TraceInfo]] = {}
        for info in infos:
            self._tasks.setdefault(info.task_id, []).append(info)
            self._files.setdefault(Path(info.source_path).name, []).append(info)
        self._said: dict[str, Row] = {}

    def match(self, row: Row) -> str | TraceInfo:
        """The trace, or why it is not one; a row that contradicts an earlier one sets nothing."""
        wanted = ", ".join(f"{key} {value}" for key, value in row.named.items())
        if row.attempt is not None:
            wanted += f", attempt {row.attempt}"
        fitting = [info for info in self._candidates(row.named) if _fits(row, info)]
        if not fitting:
            return f"line {row.line}: no trace here has {wanted}"
        if len(fitting) > 1:
            several = f"line {row.line}: {len(fitting)} traces have {wanted}"
            return f"{several}; name the attempt, the model or the trace"
        before = self._said.setdefault(fitting[0].trace_id, row)
        if before.outcome != row.outcome:
            return f"line {row.line}: says otherwise than line {before.line} of the same trace"
        return fitting[0]

    def _candidates(self, named: Mapping[str, str]) -> Iterable[TraceInfo]:
        if "trace" in named:
            begin = _bare(named["trace"])
            at = bisect_left(self._ids, begin, key=lambda item: item[0])
            return (info for _, info in takewhile(lambda item: item[0].startswith(begin), self._ids[at:]))
        if "file" in named:
            return self._files.get(Path(named["file"]).name, ())
        return self._tasks.get(named["task"], ())


def _fits(row: Row, info: TraceInfo) -> bool:
    named = row.named
    if row.attempt not in (None, info.attempt):
        return False
    file = Path(named.get("file", "")).parts
    if file and Path(info.source_path).parts[-len(file) :] != file:
        return False
    same = {"task": info.task_id, "benchmark": info.benchmark, "model": info.model}
    return all(named.get(key, value) == value for key, value in same.items())


def _bare(trace_id: str) -> str:
    return trace_id.removeprefix("t1-")


def _records(path: Path) -> Iterator[tuple[int, dict[str, Json] | str]]:
    """Line and values of each row; a text says why a line is none."""
    source = decode(path, whole(path))
    if source.is_zip:
        raise InputError(f"{path}: a zip archive, not a table; unpack it first")
    if source.is_text:
        yield from _csv(path, source.text)
        return
    if source.is_json:
        every = source.value if isinstance(source.value, list) else [source.value]
        lines = [Line(number, "", value) for number, value in enumerate(every, 1)]
    else:
        lines = list(source.lines)
    for line in lines:
        yield line.number, line.value if isinstance(line.value, dict) else line.bad or "no object"


def whole(path: Path) -> bytes:
    """What stands in a file that somebody wrote beside the traces; InputError: unreadable, or without end."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise InputError(f"{path}: more than {LARGEST >> 20} MB; give it in parts")
    return data


def _csv(path: Path, text: str) -> Iterator[tuple[int, dict[str, Json] | str]]:
    """The rows of a table with commas, semicolons or tabs between its cells."""
    head = text.partition("\n")[0]
    limit = csv.field_size_limit(2**31 - 1)
    table = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), restkey="", strict=True
    )
    try:
        for row in table:
            cells = {key.strip().lower(): (value or "").strip() for key, value in row.items() if key}
            yield table.line_num, {key: value for key, value in cells.items() if value}
    except csv.Error as error:
        raise InputError(f"{path}: damaged CSV at line {table.line_num}: {error}") from None
    finally:
        csv.field_size_limit(limit)


def _row(line: int, record: dict[str, Json], origin: str) -> Row:
    left = dict(record)
    taken = {key: _take(left, names) for key, names in NAMES.items()}
    names = ("trace", "file", "task", "benchmark", "model")
    named = {key: name for key in names if (name := as_id(taken[key]))}
    if not {"trace", "file", "task"} & named.keys():
        raise ValueError("it names no trace, file or task")
    passed, score = truth(taken["passed"]), _number(taken["score"])
    if taken["passed"] is None and taken["score"] is None:
        raise ValueError("it says neither passed nor score")
    outcome = Outcome(passed, score, left or None, origin=origin)
    return Row(line, named, _attempt(taken["attempt"]), outcome)


def _take(record: dict[str, Json], names: Sequence[str]) -> Json:
    """The value of the first of these columns that has one, taken out."""
    values = [record.pop(name) for name in names if name in record]
    return next((value for value in values if value is not None), None)


def truth(value: Json) -> bool | None:
    """A verdict as people write it; None leaves it open. ValueError: it is no verdict."""
    if value is None or isinstance(value, bool):
        return value
    word = dumped(value).strip('"').strip().lower()
    if word in _OPEN:
        return None
    if word in _YES or word in _NO:
        return word in _YES
    raise ValueError(f"passed is {word[:40]!r}, neither true nor false")


def _number(value: Json) -> float | None:
    if value is None or (isinstance(value, str) and value.strip().lower() in _OPEN):
        return None
    score = as_score(parsed(value) if isinstance(value, str) else value)
    if score is None:
        raise ValueError(f"score is {dumped(value)[:40]}, no number")
    return score


def _attempt(value: Json) -> int | None:
    number = as_int(parsed(value) if isinstance(value, str) else value)
    if number is None and value not in (None, ""):
        raise ValueError(f"attempt is {dumped(value)[:40]}, no whole number")
    return number
