"""Reads what no importer knows, by a map (`import --map`): each record becomes plain JSON, then a trace.

The trace is named after the record itself, without what is usually called a grade: so a corrected map, or
a new grade, makes no new trace. Its raw source is the record. What the map does not name is kept beside
it. Knows no format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from reviewer.errors import InputError
from reviewer.importers import names
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats import plain
from reviewer.importers.joining.outcome_files import truth
from reviewer.importers.maps import Map, Paths, every, first
from reviewer.importers.opening.values import as_id, dumped, shown
from reviewer.importers.shapes.entries import READ
from reviewer.importers.shapes.records import Record, rows
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, digest

VERSION = 1
GUESSED = {
    **dict.fromkeys(("user", "human", "customer", "client"), "user"),
    **dict.fromkeys(("assistant", "agent", "ai", "bot", "model", "gpt"), "agent"),
    **dict.fromkeys(("system", "developer", "environment"), "system"),
    **dict.fromkeys(("tool", "function", "observation", "tool_result", "result"), "result"),
}
# What a grade is usually called; left out of what a trace is named after, wherever it stands outside a list.
GRADES = {
    *(
        "passed",
        "resolved",
        "success",
        "solved",
        "correct",
        "is_correct",
        "ok",
        "points",
        "verdict",
        "outcome",
    ),
    *("score", "scores", "reward", "grade", "grades", "graded", "grader", "evaluation", "eval_result"),
    *("final_state", "expected_state"),
}
_LISTED = re.compile(r"\A([^.\[\]]+)\[\]\Z")  # the path to a list, of which each element is a trace
_PLAIN = {"user": "user", "agent": "assistant", "system": "system"}


class Mapped:
    """An importer made of a map."""

    def __init__(self, map: Map) -> None:
        if map.format in names():
            raise InputError(
                f"the map calls its format {map.format!r}, which is one of ours; choose another name"
            )
        self.map = map
        self.FORMAT = map.format
        self.ABOUT = "read by a map of its own"
        inside = _LISTED.match(map.trace)
        self.STREAMS = (inside[1],) if inside and not map.group and map.lines == "each" else ()
        self.VERSION = VERSION << 24 | int(digest(repr(map))[:6], 16)  # a corrected map reads anew

    def sniff(self, source: Source) -> bool:
        """A map is given, never guessed."""
        return False

    def read(self, source: Source) -> Iterator[Imported]:
        """The traces that the map finds in the file."""
        repeats = Repeats(source)
        found, unfound = False, _fields(self.map)
        for record in _records(source, self.map):
            value = translated(self.map, record.value, source.warn)
            _look(self.map, record.value, unfound)
            if not value["trajectory"]:
                source.lose(f"no step at {self.map.steps!r} in a record", record.line)
                continue
            found = True
            one = plain.imported(source, replace(record, value=value), "trajectory")
            yield from repeats.once(self._own(one, record, source), record.line)
        for field, paths in unfound.items():
            source.warn(f"{field} = {', '.join(map(repr, paths))} leads to nothing in this file")
        if not found:
            raise InputError(f"{source.path}: the map finds no trace in it: look at its trace and steps")

    def _own(self, one: Imported, record: Record, source: Source) -> Imported:
        """The trace under its own format, with the ids of the record as it stands in the file."""
        own = ungraded(record.value)
        info = one.trace.info
        task_id, mark = task_of(info.task_id, source.path.name, record.index, alone=False)
        about = replace(
            info,
            format=self.FORMAT,
            importer=self.VERSION,
            task_id=task_id,
            meta={**info.meta, **mark},
            **ids(own),
        )
        return replace(one, trace=replace(one.trace, info=about, raw=record.raw), ignored={})


def ungraded(value: Json) -> Json:
    """The same value without what is usually called a grade."""
    if not isinstance(value, dict):
        return value
    return {key: ungraded(item) for key, item in value.items() if key.lower() not in GRADES}


def _fields(map: Map) -> dict[str, Paths]:
    """Every field that the map has paths for."""
    tables = (("info", map.info), ("step", map.step), ("outcome", map.outcome))
    return {f"{table}.{key}": paths for table, fields in tables for key, paths in fields.items()}


def _look(map: Map, record: dict[str, Any], unfound: dict[str, Paths]) -> None:
    """Take out of `unfound` what this record has; nothing is looked for twice."""
    if not unfound:
        return
    lines = record.get("")
    steps = list(lines or every(record, map.steps))
    for field, paths in list(unfound.items()):
        places = steps if field.startswith("step.") else [lines[0] if lines else record]
        if any(first(place, paths) is not None for place in places):
            del unfound[field]


def _records(source: Source, map: Map) -> Iterator[Record]:
    """The traces, each with the text of its own part of the file."""
    if map.group or map.lines == "one":
        groups: dict[str, list[Json]] = {}
        for _, value, _ in _all(source):
            groups.setdefault(dumped(first(value, (map.group,) if map.group else ())), []).append(value)
        for index, group in enumerate(groups.values()):
            yield Record(index, 0, {"": group}, json.dumps(group))
        return
    index = 0
    for line, value, raw in _all(source):
        listed = source.each(map.trace[:-2]) if source.parts else every(value, map.trace)
        for trace in listed:
            if isinstance(trace, dict):
                text = raw if trace is value else json.dumps(trace)
                yield Record(index, line, trace, text)
                index += 1
            else:
                source.lose("what the map calls a trace is no object", line)


def _all(source: Source) -> Iterator[tuple[int, Json, str]]:
    if source.is_json and not isinstance(source.value, list):
        yield 0, source.value, source.text.strip()
        return
    yield from rows(source)


def translated(map: Map, record: dict[str, Any], warn: Callable[[str], None]) -> dict[str, Json]:
    """The record as plain JSON. What the map names no path for is kept under its own key."""
    lines = record.get("")
    about = lines[0] if lines else record
    named = [path for paths in (*map.info.values(), *map.outcome.values()) for path in paths]
    value = _rest(about, (*named, map.steps), plain.READ) if not lines else {}
    for name, path in {**map.info, **map.outcome}.items():
        if (found := first(about, path)) is not None:
            value[name] = found
    if isinstance(value.get("passed"), str):
        try:
            value["passed"] = truth(value["passed"])
        except ValueError as error:
            warn(f"outcome.{error}")
    if "ended" in value:
        value["ended"] = map.ended.get(shown(value["ended"]), value["ended"])
    if "task_id" in value:
        value["task_id"] = as_id(value["task_id"]) or shown(value["task_id"])
    entries = (_entry(map, step, warn) for step in lines or every(record, map.steps))
    return {**value, "trajectory": [entry for entry in entries if entry is not None]}


def _rest(value: Json, paths: Iterable[str], taken: Collection[str]) -> dict[str, Json]:
    """What no path begins with; a key that plain JSON would read as its own gets a name beside it."""
    if not isinstance(value, dict):
        return {}
    named = {path.partition(".")[0].partition("[")[0] for path in paths}
    rest = {key: item for key, item in value.items() if key not in named}
    return {f"source.{key}" if key in taken else key: item for key, item in rest.items()}


def _entry(map: Map, step: Json, warn: Callable[[str], None]) -> dict[str, Json] | None:
    """One step as an entry of plain JSON; None: the map leaves it out."""
    found = {name: first(step, path) for name, path in map.step.items()}
    role = _role(map, shown(found.get("role")), warn)
    if role == "skip":
        return None
    text, result, call_id = found.get("text"), found.get("result"), as_id(found.get("call_id"))
    given = {"exit_code": found.get("exit_code"), "error": found.get("error"), "timestamp": found.get("at")}
    entry = _rest(step, (path for paths in map.step.values() for path in paths), READ)
    entry |= {key: item for key, item in given.items() if item not in (None, "")}
    if role == "result":
        return {
            **entry,
            "role": "tool",
            "content": shown(text if result is None else result),
            "tool_call_id": call_id,
        }
    entry |= {"role": _PLAIN[role], "content": shown(text)}
    if found.get("reasoning") is not None:
        entry["reasoning"] = shown(found["reasoning"])
    if found.get("tool") is not None:
        entry["action"] = {"tool": shown(found["tool"]), "arguments": found.get("arguments"), "id": call_id}
    if result is not None:
        entry["observation"] = shown(result)
    return entry


def _role(map: Map, word: str, warn: Callable[[str], None]) -> str:
    role = map.roles.get(word) or GUESSED.get(word.lower())
    if role is None and word:
        warn(f"the role {word[:40]!r} is not in the map's [roles]: taken for the agent's")
    return role or "agent"
