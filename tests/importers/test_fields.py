"""Every field of a sample is read, or listed as ignored with a reason.

One field after the other is changed. When nothing in the trace changes (but its raw text and its hashes)
and no entry of `ignored` covers the field, it would be lost without a word.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import Imported, Source
from reviewer.importers.finding.files import open_source
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.zips import Archive
from reviewer.label import LabelEvent
from tests.importers.reading import zipped
from tests.importers.test_samples import traces


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    else:
        yield path


def _changed(value: Any, path: tuple[Any, ...]) -> Any:
    changed = copy.deepcopy(value)
    at = changed
    for key in path[:-1]:
        at = at[key]
    old = at[path[-1]]
    if isinstance(old, bool):
        new: Any = not old
    elif isinstance(old, int | float):
        new = old + 1
    elif isinstance(old, str) and re.match(r"\d{4}-\d\d-\d\dT", old):
        new = "2031-05-06T07:08:09.000Z"
    else:
        new = f"{old} changed" if isinstance(old, str) else "changed"
    at[path[-1]] = new
    return changed


def _name(path: tuple[Any, ...]) -> str:
    parts = ["[]" if isinstance(key, int) else f".{key}" for key in path]
    return "".join(parts).lstrip(".")


def _covered(name: str, kind: str, ignored: dict[str, str]) -> bool:
    """Whether an entry names the field or something around it; rows of a session begin with their kind."""
    if kind:
        inner, main = name.removeprefix("[]."), kind.partition(".")[0]
        names = [main, kind, f"{main}.{inner}", f"*.{inner}"]
    else:
        names = [re.sub(r"^\[\]\.", "", name)]
    return any(
        full == entry or full.startswith((f"{entry}.", f"{entry}[")) for full in names for entry in ignored
    )


def _essence(imported: list[Imported]) -> Any:
    found = []
    for item in imported:
        info = replace(item.trace.info, trace_id="", content_hash="", parent_id="")
        said = [
            replace(label, id="", trace_id="", content_hash="") if isinstance(label, LabelEvent) else label
            for label in item.labels
        ]
        found.append((info, item.trace.steps, item.outcomes, said))
    return found


def _parse(path: Path, value: Any, lines: bool) -> list[Imported]:
    importer, source = open_source(path)
    if source.is_zip:
        return list(importer.read(decode(path, zipped(value))))
    text = "\n".join(json.dumps(row) for row in value) if lines else json.dumps(value)
    return list(importer.read(decode(path, text.encode())))


def _value(source: Source) -> Any:
    """What stands in the file: a value, a list of lines, or an object of the members of an archive."""
    if source.is_zip:
        with source.open() as file:
            archive = Archive(file)
            return {name: json.loads(archive.read(name)) for name in archive.members}
    return source.value if source.is_json else [line.value for line in source.lines]


def _every_line_counts(path: Path, text: str) -> None:
    """The same of a text: a word more on any of its lines is seen."""
    importer, _ = open_source(path)
    before = _essence(list(importer.read(decode(path, text.encode()))))
    rows = text.split("\n")
    for index, row in enumerate(rows):
        if row.strip("> "):
            other = "\n".join([*rows[:index], f"{row.rstrip()} changed  ", *rows[index + 1 :]])
            assert _essence(list(importer.read(decode(path, other.encode())))) != before, row


@pytest.mark.parametrize("path", traces(), ids=lambda path: path.name)
def test_every_field_counts_or_is_listed(path: Path) -> None:
    _, source = open_source(path)
    if source.is_text:
        _every_line_counts(path, source.text)
        return
    lines = not source.is_json and not source.is_zip
    value = _value(source)
    before = _parse(path, value, lines)
    ignored = dict(before[0].ignored)
    essence = _essence(before)
    lost: set[tuple[str, str]] = set()
    seen: set[tuple[str, str]] = set()
    for field in _leaves(value):
        row = value[field[0]] if lines else {}
        kind = f"{row['type']}.{row.get('subtype', '')}" if isinstance(row, dict) and "type" in row else ""
        name = _name(field[1:] or field if source.is_zip else field)
        if _covered(name, kind, ignored) or (kind, name) in seen:
            continue
        if _essence(_parse(path, _changed(value, field), lines)) == essence:
            lost.add((kind, name))
        else:
            seen.add((kind, name))
    assert not lost - seen  # the first of the lines of one message repeats what the last one says


@pytest.mark.parametrize("path", traces(), ids=lambda path: path.name)
def test_reasons_are_given(path: Path) -> None:
    importer, source = open_source(path)
    for imported in importer.read(source):
        assert all(reason.strip() for reason in imported.ignored.values())
