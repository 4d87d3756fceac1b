"""Another store into this one: its people's labels verbatim, then its traces, outcomes and suggestions.

What comes out does not depend on who merges whom, nor on how often: values are told apart by their ids
alone, nothing that is here is changed, and two current labels of one person stay two (a conflict). Labels
come first and in one transaction, so that revisions they refer to are kept when the traces follow.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from reviewer.counting import count
from reviewer.errors import ReviewerError
from reviewer.store import assignments, codes, maps
from reviewer.store.foreign_store import Bad, ForeignStore
from reviewer.store.foreign_traces import Lineage, Revision, has_bodies, lineages, trace_of
from reviewer.store.history import Item, Places
from reviewer.store.outcomes import OutcomeRow
from reviewer.store.tally import Received
from reviewer.trace import trace_id

if TYPE_CHECKING:
    from reviewer.store import Store

T = TypeVar("T")

_BATCH = 0.25  # seconds of work between two commits


def merge(
    store: Store, other: ForeignStore, *, now: str, progress: Callable[[str], None] = lambda _: None
) -> Received:
    """Take in what `other` has; each row that cannot be used costs itself and is named."""
    received = Received()
    items = _items(other, received)
    progress("labels")
    with store.write():
        store.history.receive(items, received, now=now)
    said = {item.trace_id for _, item in items if hasattr(item, "trace_id")}
    traces = _Traces(store, other, received, now)
    traces.take_all(said, progress)
    outcomes = list(_good(other.outcomes(), "outcomes", received))
    suggestions = list(_good(other.suggestions(), "suggestions", received))
    progress("suggestions")
    with store.write():
        for row, outcome in outcomes:
            received.count("outcomes", row, _outcome, store, outcome, traces.renamed)
        for row, suggestion in suggestions:
            home = traces.renamed.get(suggestion.trace_id, suggestion.trace_id)
            moved = replace(suggestion, trace_id=home)
            received.count("suggestions", row, store.suggestions.receive, moved)
    with store.write():
        for row, draw in _good(assignments.draws_of(other), "draws", received):
            received.count("draws", row, store.assignments.receive_draw, draw)
        for row, one in _good(assignments.assignments_of(other), "assignments", received):
            received.count("assignments", row, store.assignments.receive, one)
        for row, code in _good(codes.codes_of(other), "codes", received):
            received.count("codes", row, store.codes.receive, code)
        for row, edge in _good(other.maps(), "maps", received):
            received.count("maps", row, maps.receive, store.settings, edge, received.told, now)
    progress("")
    return received


def _items(other: ForeignStore, received: Received) -> Places:
    """Everything of the history that can be read; `receive` brings it into order."""
    found: list[tuple[int, Item]] = []
    found += _good(other.taxonomies(), "taxonomies", received)
    found += _good(other.annotators(), "annotators", received)
    found += _good(other.events(), "events", received)
    found += _good(other.exposures(), "exposures", received)
    found += _good(other.links(), "links", received)
    return found


def _good(rows: Iterator[tuple[int, T | Bad]], kind: str, received: Received) -> Iterator[tuple[int, T]]:
    for number, value in rows:
        if isinstance(value, Bad):
            received.refuse(kind, number, f"row {number} of {kind}: {value.reason}")
        else:
            yield number, value


def _outcome(store: Store, row: OutcomeRow, renamed: dict[str, str]) -> bool:
    """A row as it is; where its trace became a second one here, the grade goes there."""
    home = renamed.get(row[1])
    return store.outcomes.receive(row if home is None else store.outcomes.moved(row, home))


class _Traces:
    """The traces of one merge. `renamed` maps an id there to the id of the second trace here."""

    def __init__(self, store: Store, other: ForeignStore, received: Received, now: str) -> None:
        self.store, self.other, self.received, self.now = store, other, received, now
        self.known = store.revisions.all()
        self.wanted = store.revisions.labelled_without_steps()
        self.labelled = store.history.contents()
        self.renamed: dict[str, str] = {}

    def take_all(self, said: set[str], progress: Callable[[str], None]) -> None:
        pending = list(_good(lineages(self.other), "traces", self.received))
        at = 0
        while at < len(pending):
            started = time.monotonic()
            with self.store.write():
                while at < len(pending) and time.monotonic() - started < _BATCH:
                    row, lineage = pending[at]
                    self.received.count("traces", row, self._one, lineage, said)
                    at += 1
            progress(f"{at:,} of {count(len(pending), 'trace')}")

    def _one(self, lineage: Lineage, said: set[str]) -> bool:
        """Whether anything of the trace was new here."""
        full_id, content = lineage.info.trace_id, lineage.newest.content_hash
        second = trace_id([full_id, content])
        if second in self.known and content not in self.known.get(full_id, ()):
            self.renamed[full_id] = second
        before = {id: set(self.known.get(id, ())) for id in (full_id, second)}, self.renamed.get(full_id)
        try:
            with self.store.whole():
                return self._whole(lineage, said)
        except ReviewerError:  # nothing of it was kept, so nothing of it is known
            self.known.update(before[0])
            self.renamed.pop(full_id, None)
            if before[1] is not None:
                self.renamed[full_id] = before[1]
            raise

    def _whole(self, lineage: Lineage, said: set[str]) -> bool:
        full_id = lineage.info.trace_id
        home = self.renamed.get(full_id, full_id)
        fresh = bool(self._missing(lineage, home)) and self._put(lineage, said)
        home = self.renamed.get(full_id, full_id)
        older = [self._older(lineage, one, home) for one in self._missing(lineage, home)]
        refilled = [self._refill(lineage, one, home) for one in lineage.revisions]
        return fresh or any(older) or any(refilled)

    def _missing(self, lineage: Lineage, home: str) -> list[Revision]:
        """The revisions that are not here; newest first, since older ones are numbered downwards."""
        here = self.known.get(home, set()) | self.known.get(lineage.info.trace_id, set())
        return [one for one in reversed(lineage.revisions) if one.content_hash not in here]

    def _put(self, lineage: Lineage, said: set[str]) -> bool:
        """The newest revision, where it is not here; like an import it is new, a growth or a clash."""
        full_id, newest = lineage.info.trace_id, lineage.newest
        if newest.content_hash in self.known.get(self.renamed.get(full_id, full_id), ()):
            return False
        trace = trace_of(self.other, lineage, newest)
        parent = self.renamed.get(trace.info.parent_id, trace.info.parent_id)
        put = self.store.traces.put(replace(trace, info=replace(trace.info, parent_id=parent)), now=self.now)
        if put.trace_id != full_id:
            self.renamed[full_id] = put.trace_id
        if put.kind == "unchanged":  # an older copy of a session that has grown here
            return False
        self.known.setdefault(put.trace_id, set()).add(newest.content_hash)
        if put.kind == "clash":
            labels = "; labels there were given on that other content" if full_id in said else ""
            self.received.told.append(
                f"trace {full_id} is here already with another content: kept as {put.trace_id}{labels}"
            )
        return True

    def _older(self, lineage: Lineage, revision: Revision, home: str) -> bool:
        content = revision.content_hash
        steps = (home, content) in self.labelled and has_bodies(self.other, lineage, revision)
        trace = trace_of(self.other, lineage, revision) if steps else None
        self.store.revisions.keep_older(home, content, revision.records, trace, now=self.now)
        self.known.setdefault(home, set()).add(content)
        return True

    def _refill(self, lineage: Lineage, revision: Revision, home: str) -> bool:
        """A revision whose steps were dropped here, before a label that refers to it came from there."""
        key = (home, revision.content_hash)
        if key not in self.wanted or not has_bodies(self.other, lineage, revision):
            return False
        self.store.revisions.refill(*key, trace_of(self.other, lineage, revision))
        self.wanted.discard(key)
        return True
