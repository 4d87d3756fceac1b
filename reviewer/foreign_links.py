"""Statements as they come from elsewhere: that annotators are one person, what modes of a codebook are in the
next; see `foreign`."""

from __future__ import annotations

from collections.abc import Mapping

from reviewer import foreign
from reviewer.errors import InputError
from reviewer.label import Link
from reviewer.taxonomy import Edge
from reviewer.trace import Json

_LINK: dict[str, foreign.Rule] = {
    **dict.fromkeys(("id", "a", "b", "said_by", "at"), foreign.word),
    "same": foreign.truth,
    "supersedes": foreign.many(foreign.word),
}
LINK_FIELDS = tuple(_LINK)
_EDGE: dict[str, foreign.Rule] = {
    **dict.fromkeys(("old", "new"), foreign.word),
    "map": lambda value: tuple(map(_mode, foreign.many(lambda one: one)(value))),
}


def edge(value: Mapping[str, Json]) -> Edge:
    """A change of the codebook with its map; InputError names the field that does not fit."""
    checked = foreign.fields(_EDGE, value)
    for key in _EDGE:
        if key not in checked:
            raise InputError(f"{key!r} is missing")
    return Edge(**checked)


def _mode(value: Json) -> tuple[str, tuple[str, ...]]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("must be pairs of a mode and what it is now")
    return foreign.name(value[0]), foreign.many(foreign.name)(value[1])


def link(value: Mapping[str, Json]) -> Link:
    """A statement exactly as it was made; InputError names the field that does not fit."""
    checked = foreign.fields(_LINK, value)
    for key in _LINK:
        if key not in checked and key != "supersedes":
            raise InputError(f"{key!r} is missing")
    made = Link(**{**checked, "supersedes": tuple(sorted(set(checked.get("supersedes", ()))))})
    if made.a == made.b:
        raise InputError("'b' is the same annotator as 'a'")
    if made.id in made.supersedes:
        raise InputError("a statement cannot replace itself")
    return made
