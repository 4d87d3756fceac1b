"""Records that stand in lists or maps inside an object that no format knows: `{"results": […]}`,
`{"trajectories": {"id": {…}}}`, `{"id": {…}}`.

They are read as JSON Lines of the same records would be, where one of them is known as a file of its own.
The key of a map names the task where the record names none. What stands beside them is named. Knows no
trace format.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from reviewer.importers import LABELS
from reviewer.importers.base import Changing, Imported, Importer, Line, Source
from reviewer.importers.opening.loading import Loader
from reviewer.importers.opening.object_files import SELF, ObjectFile
from reviewer.importers.opening.object_parts import Part, elements
from reviewer.importers.opening.sliding import Text
from reviewer.importers.shapes.task_ids import KEY, MARK, instance
from reviewer.importers.shapes.wrappings import LOOKED_AT, as_file, together
from reviewer.trace import Json

Known = Callable[[Source], Importer | None]
FEWEST = 5  # members of a large map of records; one of fewer may be a record
LOOKED_INTO = 20  # members of the object
NAMED = 8  # keys that stand beside the records


def within(source: Source, known: Known) -> tuple[Importer, Source] | None:
    """Who reads the records inside, and the source that they are."""
    value = source.value
    if not source.is_json or not isinstance(value, dict):
        return None
    keys = [SELF] if _all_objects(source, value) and _holds(source, SELF, known) else []
    keys = keys or [key for key in _keys(source, value) if _holds(source, key, known)]
    if not keys:
        return None
    lines = Inside([_lines(source, key) for key in keys])
    whole = source.pieces
    lost = source.lost + (whole.beside(keys) if isinstance(whole, ObjectFile) else 0)
    inner = replace(source, is_json=False, value=None, text="", lines=lines, parts={}, lost=lost)
    importer = known(inner) or together(inner, known)
    if importer is None or importer.FORMAT in LABELS:
        return None
    if again := lines.again():
        more = f" and {len(again) - NAMED} more" if len(again) > NAMED else ""
        twice = ", ".join(map(repr, again[:NAMED])) + more
        source.warn(f"keys that stand more than once, each time with a record that is read: {twice}")
    others = [key for key in value if key not in keys and value[key] not in (None, "", [], {})]
    if others and keys != [SELF]:
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        beside = ", ".join(map(repr, others[:NAMED])) + more
        source.warn(
            f"read are the records in {', '.join(map(repr, keys))}, not what stands beside them: {beside}"
        )
    return Changing(importer, partial(_keyed, lines=lines)), inner


def _all_objects(source: Source, value: dict[str, Json]) -> bool:
    """Whether the object may be a map of records; a large one is where it has more members than are kept."""
    whole = source.pieces
    if isinstance(whole, ObjectFile) and not (whole.full and (whole.refused or len(whole.members) >= FEWEST)):
        return False
    return bool(value) and all(isinstance(item, dict) for item in value.values())


def _keys(source: Source, value: dict[str, Json]) -> list[str]:
    """The lists and maps in the object, of a large one those that are large; the first few at most."""
    found = (key for key, item in value.items() if key and item and isinstance(item, dict | list))
    whole = source.pieces
    if isinstance(whole, ObjectFile):
        many = {
            name for name, member in whole.members.items() if member.opened == "[" or member.taken >= FEWEST
        }
        found = (key for key in found if key in source.parts and key in many)
    return list(islice(found, LOOKED_INTO))


def _holds(source: Source, key: str, known: Known) -> bool:
    """Whether one of the first elements is known as a file of its own."""
    first = (line for line in islice(_lines(source, key), LOOKED_AT) if isinstance(line.value, dict))
    return any(line.value and known(as_file(source, line.value, line.text)) for line in first)


def _lines(source: Source, key: str) -> Iterable[Line]:
    """The elements of one member, or the members of the object."""
    if isinstance(source.pieces, ObjectFile):
        return source.pieces.part(key)
    text, loader = Text(io.BytesIO(source.text.encode(errors="replace")).read), Loader(source.path, [])
    if key == SELF:
        return list(elements(text, -1, (), loader))
    found: list[Line] = []
    for name in text.inside():
        if name == key and text.next() in ("[", "{"):
            found = [text.take(loader, inner) for inner in text.inside()]
        else:
            _, text.at = text.element()
    return found


class Inside:
    """The elements of several members, one after the other; remembers the keys of those that can be read."""

    def __init__(self, parts: list[Iterable[Line]]) -> None:
        self._parts = parts
        self.names: list[str] = []

    @property
    def position(self) -> int:
        return max(getattr(part, "position", 0) for part in self._parts)

    def again(self) -> list[str]:
        """The keys that stand in a map more than once."""
        return sorted({key for part in self._parts for key in _again(part)})

    def __iter__(self) -> Iterator[Line]:
        names: list[str] = []
        self.names = names
        for line in chain.from_iterable(self._parts):
            if not line.bad:
                names.append(line.name)
            yield line


def _again(part: Iterable[Line]) -> Iterable[str]:
    if isinstance(part, Part):
        return part.again
    counts = Counter(line.name for line in part if line.name)
    return [name for name, count in counts.items() if count > 1]


def _keyed(imported: Imported, lines: Inside) -> Imported:
    """The trace, its task named by the key of its map where its record names none."""
    info = imported.trace.info
    name = lines.names[info.source_index] if info.source_index < len(lines.names) else ""
    return _named(imported, name) if name and (MARK in info.meta or not info.task_id) else imported


def _named(imported: Imported, name: str) -> Imported:
    """The trace with the key of its record as its task."""
    info = imported.trace.info
    meta = {key: value for key, value in info.meta.items() if key != MARK}
    meta |= {} if instance(name) else {MARK: KEY}
    return replace(imported, trace=replace(imported.trace, info=replace(info, task_id=name, meta=meta)))
