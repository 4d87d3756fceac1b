"""The objects of JSON in which results show a value, and of a long one the part that says it.

Verbatim, so that a quote can be verified. Braces inside texts are not told from those of objects:
what does not read as JSON then is no record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.suggest.rules.seen.quoting import WIDTH, head
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json

_REACH = 6_000  # characters to either side in which an object begins and ends
_STEPS, _TEXTS, _TRIES = 400, 30, 40  # steps back, results with a value, places in each
_LONG = 200_000  # characters of a result that are searched
_LEAVES = 60
_BRACE = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class Record:
    """An object that a result holds; `leaves`: its plain values by their keys, of inner objects too."""

    step: int
    text: str
    leaves: dict[str, str]

    def quote(self, *keys: str) -> str:
        """The object, or of a long one the part from the first of these values to the last."""
        if len(self.text) <= WIDTH:
            return self.text
        found = [span for key in keys if (span := self._place(key)) is not None]
        if not found:
            return head(self.text)
        start, end = min(found)[0], max(end for _, end in found)
        if end - start > WIDTH:  # too far apart: the last, which is the one that decides
            start, end = found[-1]
        return self.text[start:end] if end - start <= WIDTH else head(self.text[start:])

    def _place(self, key: str) -> tuple[int, int] | None:
        value = re.escape(self.leaves.get(key, ""))
        match = re.search(rf'"{re.escape(key)}": ?"?{value}"?(?![\w.])', self.text, re.IGNORECASE)
        return match.span() if match else None


def record(scene: Scene, value: Json, before: int) -> Record | None:
    """The smallest object that names this value, in the latest result before a step that shows one."""
    if not isinstance(value, str) or len(value) < 2:
        return None
    seen = 0
    for step in reversed(scene.trace.steps[max(0, before - 1 - _STEPS) : before - 1]):
        for text in (result.content for result in step.results):
            if text.find(value, 0, _LONG) < 0:
                continue
            seen += 1
            found = [one for at in _places(text, value) if (one := _object(text, at, value))]
            if found:
                whole, leaves = min(found, key=lambda pair: len(pair[0]))
                return Record(step.n, whole, leaves)
            if seen >= _TEXTS:
                return None
    return None


def _places(text: str, value: str) -> Iterator[int]:
    at, tries = text.find(f'"{value}"', 0, _LONG), 0
    while at >= 0 and tries < _TRIES:
        yield at
        at, tries = text.find(f'"{value}"', at + 1, _LONG), tries + 1


def _object(text: str, at: int, value: str) -> tuple[str, dict[str, str]] | None:
    """The innermost object round a place, if it has the value itself: not as a key, not in a list."""
    depth, start = 0, -1
    for brace in reversed(list(_BRACE.finditer(text, max(0, at - _REACH), at))):
        depth += 1 if brace[0] == "}" else -1
        if depth < 0:
            start = brace.start()
            break
    if start < 0:
        return None
    depth = 0
    for brace in _BRACE.finditer(text, start, start + 2 * _REACH):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return _read(text[start : brace.end()], value)
    return None


def _read(text: str, value: str) -> tuple[str, dict[str, str]] | None:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict) or value not in [one for one in read.values() if isinstance(one, str)]:
        return None
    return text, dict(list(_leaves(read))[:_LEAVES])


def _leaves(value: dict[str, Json]) -> Iterator[tuple[str, str]]:
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _leaves(item)
        elif item is not None and not isinstance(item, list):
            yield key, item if isinstance(item, str) else json.dumps(item)
