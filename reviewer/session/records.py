"""The source record of a trace, and which part of it belongs to a step.

Found by the ids of a step, whatever the format: an element whose id is one of them, or, for `#3`, the
element at that place of a list, if the words of the step stand in it. Pure; knows no store and no screen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from reviewer.trace import Json, Step
from reviewer.values import dataclass

_DEPTH = 6  # levels at which lists of records are looked for
_WORDS = 80  # of a text of the step that have to stand in its record
_PLACES = 200_000  # more elements are not looked through


@dataclass(frozen=True, slots=True)
class Record:
    """JSON from the source: `values` of one step, or (`whole`) `text`, the record as it stands."""

    whole: bool
    text: str = ""
    values: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Signs:
    """By what the record of a step is known: its ids, and the first words of its texts."""

    ids: tuple[str, ...]
    words: tuple[str, ...]


def signs_of(step: Step) -> Signs:
    """No more of a step than this is needed, so that its megabytes are not held beside the record."""
    words = (" ".join(text[: 4 * _WORDS].split())[:_WORDS] for text in _texts(step))
    return Signs(tuple(step.source_ids), tuple(filter(None, words)))


def record_of(raw: str, signs: Signs | None) -> Record:
    """The part of a raw record that belongs to a step, else the whole."""
    if signs is not None and signs.ids:
        try:
            value: Json = json.loads(raw, strict=False)
        except (ValueError, RecursionError):
            return Record(True, raw)
        if found := _found(value, signs):
            return Record(False, values=tuple(found))
    return Record(True, raw)


def speaks(record: Record, said: Sequence[Json]) -> bool:
    """Whether something of what was said stands in the record of a step: its words, or an object of it.

    A single word says nothing by itself, nor does a number; the object in which it stands does.
    """
    texts = (text for one in said for text in _strings(one))
    words = [" ".join(text.split())[:_WORDS] for text in texts if len(text.split()) > 1]
    if any(_says(value, words) for value in record.values):
        return True
    objects = [one for opinion in said for one in _objects(opinion) if one]
    nodes = (node for value in record.values for node in _objects(value)) if objects else ()
    return any(_holds(node, one) for node in nodes for one in objects)


def _objects(value: Json) -> Iterator[Mapping[str, Json]]:
    """Every object in a value, itself among them."""
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _holds(node: Mapping[str, Json], said: Mapping[str, Json]) -> bool:
    """Whether an object has all fields of another; of a single field it has to be that object."""
    items = [(key, item) for key, item in said.items() if item not in (None, "", [], {})]
    if len(items) < 2:
        return bool(items) and node == said
    return all(node.get(key) == item for key, item in items)


def _found(value: Json, signs: Signs) -> list[Json]:
    lists = sorted(_lists(value), key=len, reverse=True)
    words = signs.words
    found = [element for id in signs.ids if (element := _one(lists, id, words)) is not None]
    return found if any(_says(element, words) for element in found) or not words else []


def _one(lists: Sequence[list[Json]], id: str, words: Sequence[str]) -> Json:
    """The element that an id names; for a place in a list, in the list where the words stand."""
    if id.startswith("#") and id[1:].isdecimal() and len(id) < 12:
        places = [rows[int(id[1:])] for rows in lists if int(id[1:]) < len(rows)]
        return next((element for element in places if _says(element, words)), None)
    named = (element for rows in lists for element in rows if _named(element, id))
    return next(named, None)


def _lists(value: Json) -> Iterator[list[Json]]:
    """All lists of objects near the top."""
    level: list[Json] = [value]
    seen = 0
    for _ in range(_DEPTH):
        below: list[Json] = []
        for node in level:
            if isinstance(node, list) and any(isinstance(item, dict) for item in node[:50]):
                yield node
            children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
            below += (child for child in children if isinstance(child, dict | list))
        seen += len(below)
        if seen > _PLACES:
            return
        level = below


def _named(element: Json, id: str) -> bool:
    """Whether one of its fields, or of those of an object in it, is the id."""
    if not isinstance(element, dict):
        return False
    inner = (value for value in element.values() if isinstance(value, dict))
    return id in map(_scalar, element.values()) or any(id in map(_scalar, one.values()) for one in inner)


def _scalar(value: Json) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _says(element: Json, words: Sequence[str]) -> bool:
    """Whether words of the step stand in an element."""
    return any(word in " ".join(text.split()) for text in _strings(element) for word in words)


def _strings(value: Json) -> Iterator[str]:
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            yield node[:1_000_000]
        elif isinstance(node, dict | list):
            todo += node.values() if isinstance(node, dict) else node


def _texts(step: Step) -> Iterator[str]:
    yield from filter(None, (step.message, step.reasoning))
    for call in step.calls:
        arguments = call.arguments
        values = arguments.values() if isinstance(arguments, Mapping) else [arguments]
        yield from (value for value in values if isinstance(value, str))
    yield from (result.content for result in step.results if result.content)
