"""The entries of a pi session as a tree: which path is the session, which branches were left.

Each entry names its parent (`parentId`, since version 2); the session is the path to the last entry. What
hangs beside it without being a message (settings, injected context) belongs to it, unless it hangs on a
message that was left. Sessions of version 1 have no parents and are a list. Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.importers.base import Source
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.importers.shapes.records import Record

HEADERS = ("session", "session_start")


def kind(row: Record) -> str:
    return as_str(row.value.get("type"))


def own_id(row: Record) -> str:
    """The stable id of an entry: its own, else its place."""
    return as_id(row.value.get("id")) or f"#{row.index}"


def role(row: Record) -> str:
    return as_str(as_dict(row.value.get("message")).get("role"))


def unique(source: Source, rows: Sequence[Record]) -> list[Record]:
    """Each entry once: of those with the same id the first."""
    kept: list[Record] = []
    seen: set[str] = set()
    for row in rows:
        if (key := own_id(row)) in seen:
            source.warn("duplicate entry: its id stood in the file already, the first one is shown", row.line)
            continue
        seen.add(key)
        kept.append(row)
    return kept


def path(rows: Sequence[Record]) -> list[Record]:
    """The entries that belong to the path to the last one, in file order; headers are left out."""
    roots = {own_id(row) for row in rows if kind(row) in HEADERS}
    entries = [row for row in rows if kind(row) not in HEADERS]
    nodes = {own_id(row): place for place, row in enumerate(entries) if row.value.get("id") is not None}
    if not any("parentId" in row.value for row in entries) or not nodes:
        return entries
    before = _parents(entries, nodes, roots)
    on: set[int] = set()
    at: int | None = max(nodes.values())
    while at is not None and at not in on:
        on.add(at)
        at = before[at]
    left: dict[int, bool] = {}
    kept = [
        row for place, row in enumerate(entries) if place in on or not _left(place, entries, before, on, left)
    ]
    return _with_results(entries, kept)


def _parents(entries: Sequence[Record], nodes: dict[str, int], roots: set[str]) -> list[int | None]:
    """The place of each entry's parent. Where it is lost or not said, the entry before goes on; a parent
    that is null, or the header, is the root: nothing stands before."""
    found: list[int | None] = []
    last: int | None = None
    for place, row in enumerate(entries):
        parent = row.value.get("parentId")
        if "parentId" in row.value and (parent is None or as_id(parent) in roots):
            found.append(None)
        else:
            known = nodes.get(as_id(parent))
            found.append(last if known is None or known == place else known)
        if row.value.get("id") is not None:
            last = place
    return found


def _left(
    place: int, entries: Sequence[Record], before: Sequence[int | None], on: set[int], known: dict[int, bool]
) -> bool:
    """Whether an entry beside the path is or hangs on a message that was left."""
    trail: list[int] = []
    at: int | None = place
    while at is not None and at not in on and at not in known and at not in trail:
        trail.append(at)
        if kind(entries[at]) == "message" and entries[at].value.get("id") is not None:
            known[at] = True
            break
        at = before[at]
    answer = known.get(at, False) if at is not None else False
    known |= dict.fromkeys(trail, answer)
    return answer


def _with_results(entries: Sequence[Record], kept: list[Record]) -> list[Record]:
    """Add the results of kept calls that lead nowhere themselves."""
    calls = {as_id(block.get("id")) for row in kept if role(row) == "assistant" for block in calls_in(row)}
    places = {row.index for row in kept}
    return [
        row
        for row in entries
        if row.index in places
        or (role(row) == "toolResult" and as_id(row.value["message"].get("toolCallId")) in calls - {""})
    ]


def calls_in(row: Record) -> list[dict[str, object]]:
    """The blocks of a message that call a tool."""
    content = as_dict(row.value.get("message")).get("content")
    return [block for block in as_list(content) if as_dict(block).get("type") in ("toolCall", "tool_use")]
