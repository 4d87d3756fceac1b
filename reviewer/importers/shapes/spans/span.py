"""One span with its attributes, whoever wrote it: ids, times, names and a flat map of attributes.

Attributes may be flat (`llm.model_name`), nested (`{"llm": {"model_name": …}}`), lists of key and value, or
one key an element (`llm.input_messages.0.message.role`). Knows no dialect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.opening.values import as_float, as_int, iso, moment, parsed
from reviewer.trace import Json

MOST = 10_000  # elements of a list that is spread over keys; a larger index is no index


@dataclass(frozen=True, slots=True)
class Event:
    """Something noted inside a span: a message, an exception."""

    name: str
    at: str
    attributes: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Span:
    """A span as it stands in the file; `place` is its number there, `record` what identity is taken over."""

    place: int
    line: int
    trace: str
    id: str
    parent: str
    name: str
    kind: str
    start: float | None
    end: float | None
    failed: bool
    status: str
    attributes: dict[str, Json]
    events: tuple[Event, ...] = ()
    resource: dict[str, Json] = field(default_factory=dict)
    scope: str = ""
    extra: dict[str, Json] = field(default_factory=dict)
    annotations: tuple[Json, ...] = ()
    record: Json = None
    home: Json = None  # the resource and the scope around it, as they stand in the file
    loose: bool = False  # of a dump that says of no span whose child it is

    @property
    def source_id(self) -> str:
        return self.id or f"#{self.place}"

    @property
    def at(self) -> str:
        return iso(self.start) if self.start is not None else ""

    @property
    def seconds(self) -> float | None:
        if self.start is None or self.end is None or self.end < self.start:
            return None
        return round(self.end - self.start, 3)


class Attributes:
    """The attributes of one span, which remember what was read of them."""

    def __init__(self, values: dict[str, Json]) -> None:
        self.values = values
        self.read: set[str] = set()

    def has(self, *keys: str) -> bool:
        return any(self.values.get(key) is not None for key in keys)

    def get(self, *keys: str) -> Json:
        """The value of the first of these keys that has one; others that say the same count as read."""
        found: Json = None
        for key in keys:
            value = self.values.get(key)
            if value is None:
                continue
            if found is None:
                found = value
            if found == value:
                self.read.add(key)
        return found

    def text(self, *keys: str) -> str:
        value = self.get(*keys)
        return value if isinstance(value, str) else ""

    def count(self, *keys: str) -> int | None:
        value = self.get(*keys)
        return as_int(parsed(value) if isinstance(value, str) else value)

    def number(self, *keys: str) -> float | None:
        value = self.get(*keys)
        return as_float(parsed(value) if isinstance(value, str) else value)

    def tree(self, prefix: str) -> Json:
        """What stands under `prefix`: its value, JSON in a text decoded, or its keys put together again."""
        value = self.get(prefix)
        if value is not None:
            return unpacked(value)
        under = {
            key[len(prefix) + 1 :]: item for key, item in self.values.items() if key.startswith(f"{prefix}.")
        }
        self.read |= {f"{prefix}.{key}" for key in under}
        return grown(under) if under else None

    def skip(self, *keys: str) -> None:
        """Take keys for read: they say nothing that is not said elsewhere."""
        self.read |= set(keys)

    def skip_under(self, *prefixes: str) -> None:
        self.read |= {key for key in self.values if key.startswith(prefixes)}

    def rest(self) -> dict[str, Json]:
        """What nobody has read."""
        return {
            key: value
            for key, value in self.values.items()
            if key not in self.read and value not in (None, "", [], {})
        }


def unpacked(value: Json) -> Json:
    """An object or a list that was written as a text (once or twice), else the value as it is."""
    for _ in range(2):
        if not (isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"')):
            return value
        inner = parsed(value)
        if not isinstance(inner, dict | list | str):
            return value
        value = inner
    return value


def flat(value: Json) -> dict[str, Json]:
    """Nested objects as one map of dotted keys; lists and single values are the leaves."""
    found: dict[str, Json] = {}
    if not isinstance(value, dict):
        return found
    for key, item in value.items():
        if isinstance(item, dict) and item:
            found |= {f"{key}.{inner}": leaf for inner, leaf in flat(item).items()}
        else:
            found[key] = item
    return found


def grown(values: dict[str, Json]) -> Json:
    """Dotted keys as objects and lists again: `0.role` is the role of the first element."""
    root: dict[str, Any] = {}
    for key, value in values.items():
        at = root
        *way, last = key.split(".")
        for part in way:
            inner = at.get(part)
            if not isinstance(inner, dict):
                inner = at[part] = {} if inner is None else {"": inner}
            at = inner
        at[last] = {**at[last], "": value} if isinstance(at.get(last), dict) else value
    return _listed(root)


def _listed(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    inner = {key: _listed(item) for key, item in value.items()}
    if inner and all(key.isascii() and key.isdecimal() and len(key) < 6 for key in inner):
        return [inner[key] for key in sorted(inner, key=int)[:MOST]]
    return inner


def seconds_of(value: Json) -> float | None:
    """A time in seconds since 1970: nanoseconds, microseconds, milliseconds, `[seconds, nanos]`, ISO 8601."""
    if isinstance(value, list) and len(value) == 2:
        whole, nanos = as_float(value[0]), as_float(value[1])
        return None if whole is None or nanos is None else whole + nanos / 1e9
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 25:
        value = int(value)
    number = as_float(value)
    if number is not None:
        for bound, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
            if number > bound:
                number /= unit
                break
        return number if 0 < number < 1e11 and moment(number) else None
    when = moment(value)
    return when.timestamp() if when else None


def duration_of(value: Json) -> float | None:
    """How long something took, in seconds: `PT1M2.5S`, or a number of microseconds."""
    if isinstance(value, str) and (found := _DURATION.match(value)):
        hours, minutes, rest = (float(part or 0) for part in found.groups())
        return 3600 * hours + 60 * minutes + rest
    number = as_float(value)
    return number / 1e6 if number is not None and number >= 0 else None


_DURATION = re.compile(r"\APT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?\Z")


def first(values: Iterable[str]) -> str:
    """The first of these texts that is not empty."""
    return next((value for value in values if value), "")
