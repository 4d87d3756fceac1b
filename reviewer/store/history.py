"""The whole history of labels: out as it is, and that of others in, verbatim.

What comes in was checked (`reviewer.foreign`) and is written exactly as it is: nothing is worked out
anew, no id is given, nothing that is here is changed. The same value again is known; another value under
a known id is refused. So the order of arrivals does not matter, and a second arrival changes nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from reviewer.errors import LabelRefused
from reviewer.label import FROM_SET, Annotator, Exposure, LabelEvent, Link
from reviewer.store import codec, maps
from reviewer.store.connection import Connection
from reviewer.store.event_rows import as_stored
from reviewer.store.labels import Labels
from reviewer.store.settings import Settings
from reviewer.store.tally import Received
from reviewer.taxonomy import Edge, Taxonomy

Item: TypeAlias = Taxonomy | Annotator | LabelEvent | Exposure | Link | Edge
Places: TypeAlias = Sequence[tuple[int, Item]]  # the line or row that each item stands in


class History:
    """All that people said, and what they had been shown, of one store."""

    def __init__(self, connection: Connection, labels: Labels, settings: Settings) -> None:
        self._connection = connection
        self._db = connection.db
        self._labels = labels
        self._settings = settings

    # -- out -----------------------------------------------------------------------------------

    def exposures(self) -> list[Exposure]:
        """Everything that was ever shown to anybody, in the order it was written."""
        sql = "SELECT id, annotator, trace_id, kind, ref, at FROM exposures ORDER BY rowid"
        with self._connection.told():
            return [Exposure(*row) for row in self._db.execute(sql)]

    def taxonomies(self) -> list[Taxonomy]:
        """Every taxonomy in use, in the order they came."""
        found = (self._settings.taxonomy(hash) for hash in self._settings.taxonomies())
        return [taxonomy for taxonomy in found if taxonomy is not None]

    def contents(self) -> set[tuple[str, str]]:
        """(trace id, content hash) of everything that a label was given on."""
        with self._connection.told():
            return set(self._db.execute("SELECT DISTINCT trace_id, content_hash FROM events").fetchall())

    def tally(self) -> list[tuple[str, str, int, str, int]]:
        """(annotator, taxonomy, round, condition, how many) current labels, under the ids that made them."""
        sql = """SELECT annotator, taxonomy, round, condition, count(*) FROM heads WHERE kind = 'label'
                 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"""
        with self._connection.told():
            return self._db.execute(sql).fetchall()

    def looked(self) -> list[str]:
        """The ids of everybody who was shown something, whether they labelled or not."""
        with self._connection.told():
            rows = self._db.execute("SELECT DISTINCT annotator FROM exposures ORDER BY annotator").fetchall()
        return [row[0] for row in rows]

    def said(self) -> dict[str, int]:
        """How many events each annotator has in the history, whatever became of them."""
        with self._connection.told():
            rows = self._db.execute("SELECT annotator, count(*) FROM events GROUP BY annotator").fetchall()
        return dict(rows)

    def last(self) -> int:
        """The number of the last event that was written here; 0 where there is none."""
        with self._connection.told():
            return int(self._db.execute("SELECT coalesce(max(rowid), 0) FROM events").fetchone()[0])

    def replaced(self, annotator: str, last: int) -> int:
        """How many labels of an annotator, written by `last`, events of theirs replace that came after it."""
        sql = """SELECT count(DISTINCT o.id) FROM events n JOIN supersedes s ON s.event = n.id
                 JOIN events o ON o.id = s.old AND o.kind = 'label' AND o.rowid <= ?2
                 WHERE n.annotator = ?1 AND o.annotator = ?1 AND n.rowid > ?2"""
        with self._connection.told():
            return int(self._db.execute(sql, (annotator, last)).fetchone()[0])

    # -- in ------------------------------------------------------------------------------------

    def receive(self, items: Places, received: Received, *, now: str) -> None:
        """Take in what is new; the caller holds the transaction. Refusals stand in `received`."""
        events = [(place, item) for place, item in items if isinstance(item, LabelEvent)]
        taxonomies = [(place, item) for place, item in items if isinstance(item, Taxonomy)]
        sets = _of_sets(event for _, event in events)
        for place, taxonomy in _by_last_use(taxonomies, [event for _, event in events]):
            received.count("taxonomies", place, self._taxonomy, taxonomy, now, taxonomy.hash not in sets)
        for place, item in items:
            if isinstance(item, Annotator):
                received.count("annotators", place, self._annotator, item, received.told, now)
        for index in in_order([event for _, event in events]):
            place, event = events[index]
            received.count("events", place, self._event, event)
        for place, item in items:
            if isinstance(item, Exposure):
                received.count("exposures", place, self._exposure, item)
            elif isinstance(item, Link):
                received.count("links", place, self._labels.links.receive, item)
            elif isinstance(item, Edge):
                received.count("maps", place, maps.receive, self._settings, item, received.told, now)

    def _taxonomy(self, taxonomy: Taxonomy, now: str, use: bool) -> bool:
        """One from elsewhere goes before one's own; a store that had none labels under it, if of `use`."""
        row = (taxonomy.hash, taxonomy.id, taxonomy.version, codec.text(taxonomy.toml), taxonomy.data)
        sql = """INSERT INTO taxonomies(rowid, hash, id, version, toml, data)
                 VALUES((SELECT coalesce(min(rowid), 1) - 1 FROM taxonomies), ?, ?, ?, ?, ?)
                 ON CONFLICT DO NOTHING"""
        new = self._db.execute(sql, row).rowcount > 0
        if use:
            first = "INSERT INTO settings VALUES('taxonomy', ?, ?) ON CONFLICT DO NOTHING"
            self._db.execute(first, (taxonomy.hash, now))
        return new

    def _annotator(self, annotator: Annotator, told: list[str], now: str) -> bool:
        row = self._db.execute("SELECT name FROM annotators WHERE id = ?", (annotator.id,)).fetchone()
        if row is None:
            self._db.execute("INSERT INTO annotators VALUES(?, ?, ?)", (annotator.id, annotator.name, now))
            return True
        if row[0] != annotator.name:
            told.append(
                f"annotator {annotator.id} is called {row[0]} here and {annotator.name} there; "
                "the name here stays"
            )
        return False

    def _event(self, event: LabelEvent) -> bool:
        known = self._labels.find(event.id)
        if known is not None:
            _same(f"event {event.id}", as_stored(known), as_stored(event))
            return False
        self._labels.insert(event)
        return True

    def _exposure(self, exposure: Exposure) -> bool:
        row = (exposure.id, exposure.annotator, exposure.trace_id, exposure.kind)
        full = (*row, codec.text(exposure.ref), exposure.at)
        sql = "SELECT id, annotator, trace_id, kind, ref, at FROM exposures WHERE id = ?"
        known = self._db.execute(sql, (exposure.id,)).fetchone()
        if known is not None:
            _same(f"exposure {exposure.id}", Exposure(*known), Exposure(*full))
            return False
        self._db.execute("INSERT INTO exposures VALUES(?, ?, ?, ?, ?, ?)", full)
        return True


def _same(name: str, here: LabelEvent | Exposure, there: LabelEvent | Exposure) -> None:
    changed = [field for field in here.__slots__ if getattr(here, field) != getattr(there, field)]
    if changed:
        raise LabelRefused(f"{name} is here already with another {', '.join(changed)}; what was said stays")


def _of_sets(events: Iterable[LabelEvent]) -> set[str]:
    """The taxonomies under which only published sets labelled: a store does not go on under one of them."""
    own, sets = set[str](), set[str]()
    for event in events:
        (sets if event.origin.startswith(FROM_SET) else own).add(event.taxonomy_hash)
    return sets - own


def _by_last_use(
    taxonomies: Sequence[tuple[int, Taxonomy]], events: Iterable[LabelEvent]
) -> list[tuple[int, Taxonomy]]:
    """Last labelled under first: a new store goes on labelling under that one."""
    used: dict[str, str] = {}
    for event in events:
        used[event.taxonomy_hash] = max(event.at, used.get(event.taxonomy_hash, ""))
    return sorted(taxonomies, key=lambda one: (used.get(one[1].hash, ""), one[1].hash), reverse=True)


def in_order(events: Sequence[LabelEvent]) -> list[int]:
    """Where the events stand in the order to write them: by time, but none before what it replaces.

    An undo goes back in the order of writing, so clocks that differ must not turn a history around. A
    second event with the same id, and events that replace each other in a circle, come last.
    """
    place: dict[str, int] = {}
    for index, event in enumerate(events):
        place.setdefault(event.id, index)
    waits, wakes = dict[str, set[str]](), dict[str, list[str]]()
    for id, index in place.items():
        waits[id] = {old for old in (*events[index].supersedes, events[index].restores) if old in place}
        for old in waits[id]:
            wakes.setdefault(old, []).append(id)
    ready = [(events[place[id]].at, id) for id, olds in waits.items() if not olds]
    heapq.heapify(ready)
    ordered: list[int] = []
    while ready:
        _, id = heapq.heappop(ready)
        ordered.append(place[id])
        for other in wakes.get(id, ()):
            waits[other].discard(id)
            if not waits[other]:
                heapq.heappush(ready, (events[place[other]].at, other))
    return [*ordered, *sorted(set(range(len(events))) - set(ordered))]
