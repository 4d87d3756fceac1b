"""Statements that annotators are one person, as they come from elsewhere; see `foreign`."""

from __future__ import annotations

from collections.abc import Mapping

from reviewer import foreign
from reviewer.errors import InputError
from reviewer.label import Link
from reviewer.trace import Json

_LINK: dict[str, foreign.Rule] = {
    **dict.fromkeys(("id", "a", "b", "said_by", "at"), foreign.word),
    "same": foreign.truth,
    "supersedes": foreign.many(foreign.word),
}
LINK_FIELDS = tuple(_LINK)


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
