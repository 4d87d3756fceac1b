"""How the modes of one taxonomy read under another: `crosswalk.toml`, in both directions.

A reading, never a count by itself: only `exact` and `narrower` say one mode for certain. Knows no store.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from reviewer.errors import NotFound
from reviewer.trace import Json
from reviewer.values import dataclass

Sure: TypeAlias = Literal["exact", "narrower", "broader", "none"]
FILE = Path(__file__).parent / "crosswalk.toml"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a mode is under the other taxonomy: `to` is empty where `sure` is `none`."""

    mode: str
    to: tuple[str, ...]
    sure: Sure
    why: str = ""

    @property
    def certain(self) -> str:
        """The one mode that every such run has there; empty where none is certain."""
        return self.to[0] if self.sure in ("exact", "narrower") else ""


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """The readings from one taxonomy to another, by mode, and where they come from."""

    start: str
    end: str
    source: str
    turned: bool
    readings: Mapping[str, Reading]


@cache
def pairs() -> tuple[Crosswalk, ...]:
    """Every table of the file, as it stands there."""
    import tomllib

    data = tomllib.loads(FILE.read_text("utf-8"))
    return tuple(_read(table) for table in data["pair"])


def _read(table: Mapping[str, Json]) -> Crosswalk:
    readings = {}
    for mode, given in table["modes"].items():
        to = given.get("to", [])
        ids = (to,) if isinstance(to, str) else tuple(to)
        if given["sure"] not in get_args(Sure):
            raise ValueError(f"{mode}: sure = {given['sure']!r}")
        readings[mode] = Reading(mode, ids, given["sure"], given.get("why", ""))
    return Crosswalk(table["from"], table["to"], table["source"], False, readings)


def crosswalk(start: str, end: str) -> Crosswalk:
    """From the modes of one taxonomy to those of another; NotFound where nobody has said how."""
    for one in pairs():
        if (one.start, one.end) == (start, end):
            return one
    for one in pairs():
        if (one.end, one.start) == (start, end):
            return turned(one)
    known = ", ".join(f"{one.start} and {one.end}" for one in pairs())
    raise NotFound(f"no crosswalk between {start} and {end}; known are {known}")


def turned(one: Crosswalk) -> Crosswalk:
    """The same readings the other way: a mode that several read as holds them all, and maybe more."""
    back: dict[str, list[Reading]] = {}
    for reading in one.readings.values():
        for id in reading.to:
            back.setdefault(id, []).append(reading)
    readings = {id: _turned(id, found) for id, found in back.items()}
    return Crosswalk(one.end, one.start, one.source, True, readings)


def _turned(id: str, found: list[Reading]) -> Reading:
    """`exact` only where the one reading that leads here is; else its runs are spread over those modes."""
    exact = [reading for reading in found if reading.sure == "exact"]
    if exact and len(found) == 1:
        return Reading(id, (exact[0].mode,), "exact", exact[0].why)
    return Reading(id, tuple(reading.mode for reading in found), "broader")
