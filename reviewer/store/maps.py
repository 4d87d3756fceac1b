"""The changes of the codebook that a store knows, each with the map that was given for it.

They are kept as a setting, the only one that travels: labels that came along are read by them (`--carry`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from reviewer import foreign_links
from reviewer.errors import InputError
from reviewer.store.settings import Settings
from reviewer.taxonomy import Edge
from reviewer.trace import Json

KEY = "codebook maps"


def edges(settings: Settings) -> list[Edge]:
    """The changes that this store knows, the newest last."""
    return [edge(one) for one in json.loads(settings.get(KEY) or "[]")]


def edge(value: Json) -> Edge:
    """One change as it is kept. InputError: it is none."""
    if not isinstance(value, list) or len(value) != 3:
        raise InputError("must be two hashes and a map")
    return foreign_links.edge(dict(zip(("old", "new", "map"), value, strict=True)))


def keep(settings: Settings, one: Edge, *, now: str) -> None:
    """Remember a change of the codebook; the same change again replaces what was said of it.

    The caller holds the transaction.
    """
    known = [other for other in edges(settings) if (other.old, other.new) != (one.old, one.new)]
    settings.put(KEY, json.dumps([[kept.old, kept.new, kept.map] for kept in (*known, one)]), now=now)


def receive(settings: Settings, one: Edge, told: list[str], now: str) -> bool:
    """Take in a change that somebody else's store knows; whether it is new. What was said here stays."""
    here = {(other.old, other.new): other.map for other in edges(settings)}
    known = here.get((one.old, one.new))
    if known is None:
        keep(settings, one, now=now)
        return True
    if known != one.map:
        change = f"{one.old[:12]} to {one.new[:12]}"
        told.append(f"the codebooks {change} have another map there; the one here stays")
    return False


def rows(text: str) -> Iterator[tuple[int, Json]]:
    """The changes of another store, unchecked, with their places. ValueError: they are no list."""
    found = json.loads(text or "[]")
    if not isinstance(found, list):
        raise ValueError("must be a list")
    yield from enumerate(found, 1)
