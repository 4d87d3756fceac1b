"""Careful reading of single JSON values: numbers, times, texts of whatever type turns up.

Every function takes anything that `json.loads` may return and never raises: what is not understood
is None or "". Knows no format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from reviewer.trace import Json

# What a database column and every other program can hold; a larger count is nonsense and stays in raw.
MAX_INT = 2**63 - 1


def as_dict(value: Json) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Any]:
    """`value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_str(value: Json) -> str:
    """`value` if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def as_id(value: Json) -> str:
    """An id as text: ids are numbers in some files. Types are kept apart by the trace id, not here."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, dict | list):
        return ""
    return dumped(value)


def as_int(value: Json) -> int | None:
    """A count: a whole number from 0 to 2**63-1, also when it is written as 3.0."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 <= value <= MAX_INT else None


def as_float(value: Json) -> float | None:
    """A finite number; NaN and the infinities are None (they stay in raw as they are written)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def as_score(value: Json) -> float | None:
    """A grade: any number, NaN and infinities included, so that they are told apart from missing."""
    if isinstance(value, float):
        return value
    return as_float(value)


def verdict(score: Json) -> bool | None:
    """Passed at exactly 1, failed at exactly 0; any other grade leaves that open."""
    if isinstance(score, int | float) and score in (0, 1):
        return bool(score)
    return None


def parsed(text: Json) -> Json:
    """The value of a JSON text, None for any other."""
    if not isinstance(text, str):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_code(value: Json) -> int | None:
    """An exit code: a small whole number, negative for a signal; a text of digits counts."""
    if isinstance(value, str) and len(value) < 8 and value.strip().lstrip("-").isdecimal():
        try:
            return int(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 2**32:
        return None
    return value


def total(numbers: Iterable[int | None]) -> int | None:
    """The sum of the numbers that are there; None when none is, or when it grows out of bounds."""
    known = [number for number in numbers if number is not None]
    return as_int(sum(known)) if known else None


def dumped(value: Json) -> str:
    """JSON for reading: not escaped to ASCII, indented as soon as it is an object or a list."""
    indent = 1 if isinstance(value, dict | list) and value else None
    return json.dumps(value, ensure_ascii=False, indent=indent)


def shown(value: Json) -> str:
    """A text as it is, nothing for null, everything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else dumped(value)


def kind_of(value: Json) -> str:
    """What JSON calls the type of `value`, for messages."""
    if value is None:
        return "null"
    for types, name in (
        (bool, "a boolean"),
        (int | float, "a number"),
        (str, "a text"),
        (list, "a list"),
        (dict, "an object"),
    ):
        if isinstance(value, types):
            return name
    return type(value).__name__


def moment(value: Json) -> datetime | None:
    """A point in time in UTC from ISO 8601 or from seconds (or milliseconds) since 1970."""
    try:
        if isinstance(value, str):
            when = datetime.fromisoformat(value.strip())
            return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
        number = as_float(value)
        if number is None:
            return None
        return datetime.fromtimestamp(number / 1000 if number > 1e11 else number, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def iso(value: Json) -> str:
    """The same as ISO 8601 text in UTC, or ""."""
    when = moment(value)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z") if when else ""


def span(values: Iterable[Json]) -> tuple[str, float | None]:
    """When the first of these times was, and how many seconds lie between the earliest and the latest."""
    moments = [when for when in map(moment, values) if when]
    if not moments:
        return "", None
    first, last = min(moments), max(moments)
    return iso(first.isoformat()), round((last - first).total_seconds(), 3)
