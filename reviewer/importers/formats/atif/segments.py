"""The segments of one ATIF run that was written into several files: each names the next by its file name.

A later segment begins with steps that are copied from before; what stood there already is not taken again.
Joined are files of one folder and one session; what names a file that is not there is a trace of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.opening.beside import plain_name, read_beside
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, shown
from reviewer.trace import Json

NEXT = "continued_trajectory_ref"
MOST = 100  # segments of a run, and files of a folder that are asked for the one before
_SCHEMA = re.compile(r"\AATIF-v\d", re.IGNORECASE)
_NUMBERED = re.compile(r"\A(?P<name>.+)\.cont-(?P<number>\d{1,9})(?P<ending>\.\w+)\Z")
_TOTALS = ("total_prompt_tokens", "total_completion_tokens", "total_cached_tokens")


@dataclass(frozen=True, slots=True)
class Segment:
    """One file of a run: its name, its trajectory, its verbatim text."""

    name: str
    value: dict[str, Any]
    raw: str


def is_trajectory(value: dict[str, Any]) -> bool:
    """Whether an object is a trajectory of ATIF."""
    return bool(_SCHEMA.match(as_str(value.get("schema_version")))) and "steps" in value


def following(path: Path, first: Segment) -> list[Segment]:
    """The run that begins in a file: its segments in order."""
    found = [first]
    while len(found) < MOST and (name := _next(found[-1].value)) not in {one.name for one in found}:
        segment = _read(path.with_name(name)) if name else None
        if segment is None or not _one_session(first.value, segment.value):
            break
        found.append(segment)
    return found


def begun_in(path: Path, value: dict[str, Any]) -> str:
    """The file that the run begins in of which this one is a later segment; "" where it begins here."""
    seen = [path.name]
    while len(seen) < MOST and (before := _before(path.with_name(seen[-1]), value)):
        if before.name in seen:  # they go round: the run begins in the first of them by name
            seen = [*seen, min(seen[seen.index(before.name) :])]
            break
        seen.append(before.name)
        value = before.value
    return seen[-1] if seen[-1] != path.name else ""


def joined(segments: Sequence[Segment]) -> dict[str, Any]:
    """One trajectory of all segments."""
    first, last = segments[0].value, segments[-1].value
    steps, seen = list(first["steps"]), {_said(step) for step in first["steps"]}
    for segment in segments[1:]:
        for step in segment.value["steps"]:
            if not (_copied(step) and _said(step) in seen):
                steps.append(step)
                seen.add(_said(step))
    children = [child for one in segments for child in as_list(one.value.get("subagent_trajectories"))]
    whole = {key: item for key, item in first.items() if key != NEXT}
    whole |= {"steps": steps, "final_metrics": _totals([one.value for one in segments])}
    whole |= {"subagent_trajectories": children} if children else {}
    return whole | ({NEXT: last[NEXT]} if last.get(NEXT) else {})


def _totals(values: Sequence[dict[str, Any]]) -> dict[str, Json]:
    """The totals of the run: those of the last segment where they go on counting, else all together."""
    totals = [as_dict(value.get("final_metrics")) for value in values]
    before, last = as_int(totals[-2].get(_TOTALS[0])) or 0, as_int(totals[-1].get(_TOTALS[0])) or 0
    own = (as_int(as_dict(as_dict(step).get("metrics")).get("prompt_tokens")) for step in values[-1]["steps"])
    if last >= before + sum(filter(None, own)):
        return totals[-1]
    return totals[-1] | {
        key: sum(one[key] for one in totals)
        for key in (*_TOTALS, "total_cost_usd")
        if all(isinstance(one.get(key), int | float) for one in totals)
    }


def _said(step: Json) -> tuple[str, str]:
    return as_str(as_dict(step).get("source")), shown(as_dict(step).get("message"))


def _copied(step: Json) -> bool:
    return as_dict(step).get("is_copied_context") is True


def _next(value: dict[str, Any]) -> str:
    """The name of the file that the run goes on in, as it is told."""
    name = as_str(value.get(NEXT)).rpartition("/")[2]
    return name if plain_name(name) else ""


def _before(path: Path, value: dict[str, Any]) -> Segment | None:
    """The segment that names this file as the next one."""
    extra = as_dict(as_dict(value.get("agent")).get("extra"))
    if not (extra.get("continuation_index") or any(map(_copied, as_list(value.get("steps"))))):
        return None
    for other in _candidates(path):
        data = read_beside(other) or b""
        segment = _segment(other, data) if NEXT.encode() in data else None
        if segment and _next(segment.value) == path.name and _one_session(segment.value, value):
            return segment
    return None


def _candidates(path: Path) -> Iterator[Path]:
    """Files that may go on in this one: the one that its number tells, else those of the folder, if few."""
    if found := _NUMBERED.match(path.name):
        number = int(found["number"])
        before = f".cont-{number - 1}" if number > 1 else ""
        yield path.with_name(f"{found['name']}{before}{found['ending']}")
    try:
        others = [other for other in sorted(path.parent.iterdir()) if other.suffix == path.suffix]
    except OSError:
        return
    yield from (other for other in others if other.name != path.name) if len(others) <= MOST else ()


def _one_session(first: dict[str, Any], second: dict[str, Any]) -> bool:
    names = {as_id(value.get("session_id")) for value in (first, second)} - {""}
    return len(names) < 2


def _read(path: Path) -> Segment | None:
    data = read_beside(path)
    return _segment(path, data) if data else None


def _segment(path: Path, data: bytes) -> Segment | None:
    try:
        source: Source = decode(path, data)
    except InputError:
        return None
    value = source.value
    if isinstance(value, dict) and is_trajectory(value) and isinstance(value["steps"], list):
        return Segment(path.name, value, source.text.strip(" \t\r\n"))
    return None
