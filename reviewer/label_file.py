"""The label file: JSON Lines with the whole history of labels, for git and for other machines.

Line 1 is `{"reviewer": "labels", "version": 1}`. Every other line is one value and says which:
`{"reviewer": "event", …}`, likewise `taxonomy`, `map` (between two codebooks, where one was given),
`annotator`, `link` and `exposure`. An event stands exactly as it was made (id, what it replaces, condition,
time); a field that is empty is left out. Lines are sorted and spelled in one way only, so that a new label is
a new line and nothing else changes. Pure: reads and spells single lines; knows no file and no store.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING
from dataclasses import fields as fields_of
from typing import TypeAlias

from reviewer import foreign, foreign_links
from reviewer.errors import InputError
from reviewer.label import Annotator, Exposure, LabelEvent, Link
from reviewer.taxonomy import Edge, Taxonomy
from reviewer.trace import Json

TAG = "reviewer"
HEADER = "labels"
VERSION = 1

Item: TypeAlias = Taxonomy | Annotator | LabelEvent | Exposure | Link | Edge

_READERS: dict[str, Callable[[Mapping[str, Json]], Item]] = {
    "taxonomy": foreign.taxonomy,
    "annotator": foreign.annotator,
    "event": foreign.event,
    "exposure": foreign.exposure,
    "link": foreign_links.link,
    "map": foreign_links.edge,
}
_DEFAULTS: dict[str, Json] = {
    field.name: field.default if field.default_factory is MISSING else field.default_factory()
    for field in fields_of(LabelEvent)
}


def is_line(value: Json) -> bool:
    """Whether this value of a line is one of a label file."""
    kind = value.get(TAG) if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in (HEADER, *_READERS)


def is_header(value: Json) -> bool:
    return isinstance(value, dict) and value.get(TAG) == HEADER


def check_header(value: Mapping[str, Json]) -> None:
    """InputError: this version of reviewer cannot read what follows."""
    version = value.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InputError("the header names no version")
    if version > VERSION:
        raise InputError(
            f"label file of version {version}, this reviewer knows {VERSION}; upgrade reviewer to read it"
        )


def read(value: Json) -> Item:
    """The value of one line that is no header; InputError says what is wrong with it."""
    kind = value.get(TAG) if isinstance(value, dict) else None
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise InputError(f"no line of a label file (its {TAG!r} is none of {', '.join(_READERS)})")
    return reader({key: field for key, field in value.items() if key != TAG})


def name_of(item: Item) -> str:
    """What an item is called in a report: `event 5f0c…`."""
    if isinstance(item, Taxonomy):
        return f"taxonomy {item.id} {item.hash[:12]}"
    if isinstance(item, Edge):
        return f"map {item.old[:12]} to {item.new[:12]}"
    return f"{_kind(item)} {item.id}"


def _kind(item: Annotator | LabelEvent | Exposure | Link) -> str:
    kinds = {LabelEvent: "event", Exposure: "exposure", Annotator: "annotator", Link: "link"}
    return kinds[type(item)]


def lines(
    taxonomies: Iterable[Taxonomy],
    annotators: Iterable[Annotator],
    events: Iterable[LabelEvent],
    exposures: Iterable[Exposure],
    links: Iterable[Link] = (),
    maps: Iterable[Edge] = (),
) -> Iterator[str]:
    """The lines of a file, sorted: what is about one trace stands together, in the order it was said."""
    yield _line(HEADER, {"version": VERSION})
    for taxonomy in sorted(taxonomies, key=lambda one: (one.id, one.version, one.hash)):
        keys = ("id", "version", "hash", "toml")
        yield _line("taxonomy", {key: getattr(taxonomy, key) for key in keys})
    for edge in sorted(maps, key=lambda one: (one.old, one.new)):
        yield _line("map", {"old": edge.old, "new": edge.new, "map": edge.map})
    for annotator in sorted(annotators, key=lambda one: one.id):
        yield _line("annotator", {"id": annotator.id, "name": annotator.name})
    for link in sorted(links, key=lambda one: (one.pair, one.at, one.id)):
        spelled = {key: getattr(link, key) for key in foreign_links.LINK_FIELDS}
        yield _line("link", {**spelled, "supersedes": sorted(link.supersedes)})
    for event in sorted(events, key=lambda one: (one.trace_id, one.at, one.id)):
        yield _line("event", _spelled(event))
    for exposure in sorted(exposures, key=lambda one: (one.trace_id, one.at, one.id)):
        yield _line("exposure", {key: getattr(exposure, key) for key in foreign.EXPOSURE_FIELDS})


def _spelled(event: LabelEvent) -> dict[str, Json]:
    values = {field: getattr(event, field) for field in foreign.EVENT_FIELDS}
    kept = {key: value for key, value in values.items() if value != _DEFAULTS[key]}
    kept |= {key: sorted(kept[key]) for key in ("supersedes",) if key in kept}
    kept |= {key: dict(sorted(kept[key].items())) for key in ("facets",) if key in kept}
    return kept


def _line(kind: str, values: Mapping[str, Json]) -> str:
    text = json.dumps({TAG: kind, **values}, ensure_ascii=True, allow_nan=False)
    return text.replace("\x7f", "\\u007f")  # nothing in the file moves a terminal
