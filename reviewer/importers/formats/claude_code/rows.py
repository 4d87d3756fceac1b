"""The rows of a Claude Code session: which there are, which are doubles, and which path is the session.

Rows form a tree by `parentUuid`. After a rewind the session is the path to the last message; what hangs
on it without being a turn of its own (parallel calls, their results) belongs to it. Knows nothing of
steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.opening.values import as_dict, as_list, as_str, kind_of
from reviewer.importers.shapes.content import calls_in

CONVERSATION = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the file: its place among the rows, its line, its verbatim text, its object."""

    index: int
    line: int
    text: str
    value: dict[str, Any]

    @property
    def kind(self) -> str:
        return as_str(self.value.get("type"))

    @property
    def uuid(self) -> str:
        return as_str(self.value.get("uuid"))

    @property
    def parent(self) -> str:
        return as_str(self.value.get("parentUuid")) or as_str(self.value.get("logicalParentUuid"))

    @property
    def id(self) -> str:
        """The stable id of the row: its uuid, else its place."""
        return self.uuid or f"#{self.index}"

    @property
    def sidechain(self) -> bool:
        return self.value.get("isSidechain") is True

    @property
    def message(self) -> dict[str, Any]:
        message = self.value.get("message")
        return message if isinstance(message, dict) else {"content": message}

    @property
    def talk(self) -> bool:
        """Whether this is a record of the conversation."""
        return self.kind in CONVERSATION

    @property
    def session(self) -> str:
        return as_str(self.value.get("sessionId"))


def values(source: Source) -> list[tuple[int, str, Any]]:
    """Line, text and value of all rows, bad lines too (their value is None and `bad` was warned of)."""
    if not source.is_json:
        return [(line.number, line.text, line.value) for line in source.lines if not line.bad]
    value = source.value
    if isinstance(value, dict) and isinstance(value.get("loglines"), list):
        value = value["loglines"]
    return [(0, "", row) for row in (value if isinstance(value, list) else [value])]


def rows(source: Source) -> list[Row]:
    """The objects of the file in order, each uuid once."""
    kept: list[Row] = []
    seen: set[str] = set()
    for index, (line, text, value) in enumerate(values(source)):
        if not isinstance(value, dict):
            source.warn(f"a row that is {kind_of(value)}, not an object, is skipped", line)
            continue
        row = Row(index, line, text, value)
        if row.uuid and row.uuid in seen:
            source.warn("duplicate row: its uuid stood in the file already, the first one counts", line)
            continue
        seen.add(row.uuid)
        kept.append(row)
    return kept


def path(shown: Sequence[Row], every: Sequence[Row]) -> list[Row]:
    """The rows of `shown` that belong to the path to the last message, in file order.

    `every` are all rows that can stand between them in the tree. Rows without a uuid have no place in
    the tree and always belong.
    """
    nodes = {row.uuid: row for row in every if row.uuid}
    before = _before(every) if any(row.parent in nodes for row in shown) else None
    if before is None:
        return list(shown)
    on_path: set[str] = set()
    at = next((row for row in reversed(shown) if row.uuid and row.talk), None)
    while at is not None and at.uuid not in on_path:
        on_path.add(at.uuid)
        parent = nodes.get(at.parent)
        at = parent if parent is not None else _across(at, before[at.uuid])
    kept = [
        row
        for row in shown
        if not row.uuid or row.uuid in on_path or (not row.talk and row.parent in on_path)
    ]
    return _with_siblings(shown, kept) if len(kept) < len(shown) else kept


def _before(every: Sequence[Row]) -> dict[str, Row | None]:
    """For each row the conversation row with a uuid that stands before it in the file."""
    found: dict[str, Row | None] = {}
    last: Row | None = None
    for row in every:
        if row.uuid:
            found[row.uuid] = last
            last = row if row.talk else last
    return found


def _across(row: Row, previous: Row | None) -> Row | None:
    """Where the path goes on above a row whose parent is not in the file.

    A lost parent, a compaction, another session that was resumed into this file leave a gap, and what
    stands before it belongs to the session. A person's prompt that says it has no parent, in the same
    session, is a rewind to the start: nothing stands before it.
    """
    if previous is None:
        return None
    rewound = (
        row.kind == "user"
        and "parentUuid" in row.value
        and row.value["parentUuid"] is None
        and row.session == previous.session
        and not row.value.get("isCompactSummary")
        and not row.value.get("isMeta")
        and not row.sidechain
    )
    return None if rewound else previous


def _with_siblings(shown: Sequence[Row], kept: list[Row]) -> list[Row]:
    """Add what belongs to a kept row without leading to the last: other parts and results of its message."""
    ids = {row.index for row in kept}
    grew = True
    while grew:
        messages = {as_str(row.message.get("id")) for row in kept if row.kind == "assistant"} - {""}
        calls = {as_str(block.get("id")) for row in kept for block in calls_in(row.message.get("content"))}
        ids = {row.index for row in shown if row.index in ids or _belongs(row, messages, calls)}
        grew = len(ids) > len(kept)
        kept = [row for row in shown if row.index in ids]
    return kept


def _belongs(row: Row, messages: set[str], calls: set[str]) -> bool:
    if row.kind == "assistant":
        return as_str(row.message.get("id")) in messages
    answered = [
        as_str(as_dict(block).get("tool_use_id"))
        for block in as_list(row.message.get("content"))
        if as_dict(block).get("type") == "tool_result"
    ]
    return bool(answered) and all(call in calls for call in answered)


def sidechains(every: Sequence[Row]) -> list[list[Row]]:
    """The rows of sub-agents inside a session, a list for each sub-agent, in the order they began."""
    main = {row.uuid for row in every if row.uuid and not row.sidechain}
    groups: dict[str, list[Row]] = {}
    home: dict[str, str] = {}
    agents: dict[str, str] = {}  # an agent's id may stand in some of its rows only
    latest = ""
    chained = [row for row in every if row.sidechain]
    linked = any(row.parent for row in chained)  # a parent that is left out is null
    for row in chained:
        agent = as_str(row.value.get("agentId"))
        key = home.get(row.parent, "")
        if agent:
            free = key if key not in agents.values() else ""
            key = agents.setdefault(agent, free or f"agent {agent}")
        if not key:
            # A row under none of its kind starts a sub-agent; one whose parent is lost goes with the last.
            lost = row.parent not in main if row.parent else not linked and "parentUuid" not in row.value
            key = latest if latest and lost else f"row {row.id}"
        if row.uuid:
            home[row.uuid] = key
        groups.setdefault(key, []).append(row)
        latest = key
    return [group for group in groups.values() if any(row.talk for row in group)]
