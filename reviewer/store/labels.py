"""Human labels: an append-only history of events, and what of it is current.

Every event names the events it supersedes; nothing is decided by a clock. What no event supersedes is
current. The condition under which a label was made (law 3) is worked out here, inside the transaction
that writes it, from the exposures committed before it: no caller can claim a label to be blind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from reviewer.errors import LabelRefused
from reviewer.label import AGAIN, Annotator, Condition, Exposure, ExposureKind, LabelEvent
from reviewer.store import codec
from reviewer.store.connection import Connection
from reviewer.store.event_rows import COLUMNS, columns, from_row, to_row
from reviewer.store.links import Links
from reviewer.store.persons import as_people, with_twins
from reviewer.values import dataclass

# Events of one group replace each other; a retraction or an undo belongs to the group of what it names.
GROUPS = {
    "label": "label",
    "adjudicate": "adjudicate",
    "note": "note",
    "flag": "flag",
    "unflag": "flag",
    "skip": "skip",
}
_GROUP_SQL = """CASE {0}.kind WHEN 'unflag' THEN 'flag' WHEN 'retract' THEN
  (SELECT CASE o.kind WHEN 'unflag' THEN 'flag' ELSE o.kind END
   FROM supersedes s JOIN events o ON o.id = s.old
   WHERE s.event = {0}.id AND o.kind <> 'retract' LIMIT 1) ELSE {0}.kind END"""


@dataclass(frozen=True, slots=True)
class Slot:
    """The place that holds at most one current decision of one person: what a new event supersedes in."""

    trace_id: str
    annotator: str
    taxonomy: str
    round: int


class Labels:
    """The label events, exposures and annotators of one store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db
        self.links = Links(connection)

    # -- in ------------------------------------------------------------------------------------

    def record(self, event: LabelEvent, *, group: str = "label") -> LabelEvent:
        """Append `event`, filled in with its content hash, condition, what was shown, what it supersedes.

        Durable when this returns. A `retract` takes back the current event of `group`; of a label also
        the blind one that agreement would still count. LabelRefused: the id is known already, or there
        is nothing to take back.
        """
        group = GROUPS.get(event.kind, group)
        slot = Slot(event.trace_id, event.annotator, event.taxonomy, event.round)
        with self._connection.write():
            old = self._heads(slot, group, living=event.kind == "retract")
            return self._append(event, [*old, *self._blind(slot, event.kind, group)])

    def undo(
        self,
        slot_of: tuple[str, str, int],
        make: Callable[[LabelEvent], LabelEvent],
        *,
        adjudications: bool = False,
    ) -> LabelEvent | None:
        """Take back the newest decision of (annotator, taxonomy, round) that still stands; None: none does.

        With `adjudications` the newest of those, else the newest of anything but those.

        Undo is an event: it puts the content of the one before back (`restores`), or retracts. `make`
        dresses a copy of the event to restore, or of the one to retract, with a new id, time and origin.
        """
        with self._connection.write():
            standing = self._standing(slot_of, adjudications)
            if standing is None:
                return None
            base, carrier = standing
            before = self._before(base)
            if before is None:
                slot = Slot(base.trace_id, base.annotator, base.taxonomy, base.round)
                blind = self._blind(slot, "retract", GROUPS.get(base.kind, "label"))
                retract = _emptied(make(base))
                return self._append(retract, [carrier, *blind])
            again = replace(make(before), restores=before.id, kind=before.kind, annotator=base.annotator)
            # the base too where an undo carries it: a blind one would be counted on
            return self._append(again, [carrier, base.id])

    def newest(self, slot_of: tuple[str, str, int], *, adjudications: bool = False) -> LabelEvent | None:
        """The decision that `undo` would take back."""
        with self._connection.told():
            standing = self._standing(slot_of, adjudications)
        return standing[0] if standing else None

    def _append(self, event: LabelEvent, old: Sequence[str]) -> LabelEvent:
        if event.kind == "retract" and not old:
            raise LabelRefused(f"there is nothing of yours on {event.trace_id} to take back")
        condition, shown = self._condition(event)
        content = event.content_hash or self._content_hash(event.trace_id)
        full = replace(
            event,
            content_hash=content,
            condition=condition if event.kind in ("label", "adjudicate") else None,
            shown=shown,
            supersedes=tuple(dict.fromkeys(old)),
        )
        self.insert(full)
        return full

    def insert(self, event: LabelEvent) -> None:
        """Write `event` exactly as it is; the caller holds the transaction."""
        marks = ", ".join("?" * len(COLUMNS))
        try:
            self._db.execute(f"INSERT INTO events({', '.join(COLUMNS)}) VALUES({marks})", to_row(event))
        except sqlite3.IntegrityError as error:
            raise LabelRefused(f"event {event.id} cannot be added: {error}") from error
        pairs = [(event.id, old) for old in event.supersedes]
        self._db.executemany("INSERT INTO supersedes VALUES(?, ?)", pairs)

    def expose(self, exposures: Sequence[Exposure]) -> None:
        """Remember what is about to be shown; durable when this returns, and then it may be painted."""
        sql = "SELECT 1 FROM exposures WHERE annotator = ? AND trace_id = ? AND kind = ? AND ref = ?"
        with self._connection.told():
            new = [
                (one.id, one.annotator, one.trace_id, one.kind, codec.text(one.ref), one.at)
                for one in exposures
                if not self._db.execute(
                    sql, (one.annotator, one.trace_id, one.kind, codec.text(one.ref))
                ).fetchone()
            ]
        if new:
            with self._connection.write() as db:
                rows = with_twins(db, self.links.people(), new)
                db.executemany("INSERT INTO exposures VALUES(?, ?, ?, ?, ?, ?)", rows)

    def meet(self, annotator: Annotator, *, now: str) -> None:
        """Know this annotator's name in this store."""
        with self._connection.told():
            known = self._db.execute("SELECT name FROM annotators WHERE id = ?", (annotator.id,)).fetchone()
        if known is None:
            with self._connection.write() as db:
                row = (annotator.id, codec.text(annotator.name), now)
                db.execute("INSERT INTO annotators VALUES(?, ?, ?) ON CONFLICT DO NOTHING", row)

    # -- what an event rests on ----------------------------------------------------------------

    def _condition(self, event: LabelEvent) -> tuple[Condition, tuple[str, ...]]:
        ids = self.links.people().ids(event.annotator)  # what I saw under another id, I saw
        sql = f"""SELECT kind, ref FROM exposures WHERE annotator IN ({_marks(ids)})
                  AND trace_id = ? AND kind IN ('suggestion', 'peers')"""
        rows = self._db.execute(sql, (*ids, event.trace_id)).fetchall()
        kinds = {kind for kind, _ in rows}
        condition: Condition = "peers" if "peers" in kinds else "suggestion" if kinds else "blind"
        return condition, tuple(sorted({ref for _, ref in rows}))

    def _content_hash(self, trace_id: str) -> str:
        row = self._db.execute("SELECT content_hash FROM traces WHERE trace_id = ?", (trace_id,)).fetchone()
        return row[0] if row else ""

    def _heads(self, slot: Slot, group: str, *, living: bool) -> list[str]:
        """The current events of a slot's group; with `living`, retractions left out."""
        ids = self.links.people().ids(slot.annotator)
        sql = f"""SELECT e.id FROM heads e
                  WHERE e.trace_id = ? AND e.annotator IN ({_marks(ids)}) AND e.taxonomy = ? AND e.round = ?
                  AND {_GROUP_SQL.format("e")} = ? AND NOT (? AND e.kind = 'retract')"""
        values = (slot.trace_id, *ids, slot.taxonomy, slot.round, group, living)
        return [row[0] for row in self._db.execute(sql, values)]

    def _blind(self, slot: Slot, kind: str, group: str) -> list[str]:
        """The blind labels that a retraction takes out together with the current one."""
        if kind != "retract" or group != "label":
            return []
        ids = self.links.people().ids(slot.annotator)
        sql = f"""SELECT id FROM blind_heads
                  WHERE trace_id = ? AND annotator IN ({_marks(ids)}) AND taxonomy = ? AND round = ?"""
        values = (slot.trace_id, *ids, slot.taxonomy, slot.round)
        return [row[0] for row in self._db.execute(sql, values)]

    def _standing(self, slot_of: tuple[str, str, int], adjudications: bool) -> tuple[LabelEvent, str] | None:
        """The newest event, undos left out, whose content is current; and the event that carries it now."""
        group = _GROUP_SQL.format("b")
        sql = f"""SELECT {columns("b")}, h.id FROM events b JOIN heads h ON h.id = b.id OR h.restores = b.id
                  WHERE b.annotator = ? AND b.taxonomy = ? AND b.round = ?
                  AND b.restores = '' AND b.origin <> 'undo' AND (coalesce({group}, '') = 'adjudicate') = ?
                  ORDER BY b.rowid DESC LIMIT 1"""
        row = self._db.execute(sql, (*slot_of, adjudications)).fetchone()
        return (from_row(row[:-1]), row[-1]) if row else None

    def _before(self, base: LabelEvent) -> LabelEvent | None:
        """What stood in the place of `base` before it, with undos followed to the event they restored."""
        sql = f"""SELECT {columns("e")} FROM supersedes s JOIN events o ON o.id = s.old
                  JOIN events e ON e.id = CASE o.restores WHEN '' THEN o.id ELSE o.restores END
                  WHERE s.event = ? AND e.kind <> 'retract' ORDER BY e.rowid DESC LIMIT 1"""
        row = self._db.execute(sql, (base.id,)).fetchone()
        return from_row(row) if row else None

    # -- out -----------------------------------------------------------------------------------

    def events(self, trace_id: str = "") -> list[LabelEvent]:
        """The history in the order it was written: of one trace, or of all."""
        return self._select(
            "events", "e.trace_id = ?" if trace_id else "TRUE", (trace_id,) if trace_id else ()
        )

    def heads(self, taxonomy: str = "", round: int | None = None, trace_id: str = "") -> list[LabelEvent]:
        """The events that nothing supersedes, retractions left out; several a slot are a conflict.

        Linked annotators are one person here, under the first of their ids (`links.people()`).
        """
        return self._some("heads", taxonomy, round, trace_id)

    def blind_heads(self, taxonomy: str, round: int) -> list[LabelEvent]:
        """What agreement counts: each person's last label before anything was revealed."""
        return self._some("blind_heads", taxonomy, round, "")

    def _some(self, table: str, taxonomy: str, round: int | None, trace_id: str) -> list[LabelEvent]:
        wanted = {"taxonomy": taxonomy or None, "round": round, "trace_id": trace_id or None}
        used = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(["e.kind <> 'retract'", *(f"e.{name} = ?" for name in used)])
        found = self._select(table, where, tuple(used.values()))
        with self._connection.told():
            return as_people(self._db, self.links.people(), found, trace_id, blind=table == "blind_heads")

    def _select(self, table: str, where: str, values: Sequence[Any]) -> list[LabelEvent]:
        order = "e.rowid" if table == "events" else "e.seq"
        sql = f"SELECT {columns('e')} FROM {table} e WHERE {where} ORDER BY {order}"
        with self._connection.told():
            return [from_row(row) for row in self._db.execute(sql, values)]

    def find(self, id: str) -> LabelEvent | None:
        """The event with this id, where this store has it."""
        return next(iter(self._select("events", "e.id = ?", (id,))), None)

    def exposures(self, annotator: str, trace_id: str) -> frozenset[tuple[ExposureKind, str]]:
        """What this annotator has been shown of this trace."""
        ids = self.links.people().ids(annotator)
        sql = f"SELECT kind, ref FROM exposures WHERE annotator IN ({_marks(ids)}) AND trace_id = ?"
        with self._connection.told():
            return frozenset(self._db.execute(sql, (*ids, trace_id)).fetchall())

    def seen(self, annotator: str) -> frozenset[str]:
        """The ids of all suggestions that this annotator has been shown."""
        ids = self.links.people().ids(annotator)
        sql = f"SELECT ref FROM exposures WHERE annotator IN ({_marks(ids)}) AND kind = 'suggestion'"
        with self._connection.told():
            return frozenset(row[0] for row in self._db.execute(sql, ids))

    def annotators(self) -> dict[str, Annotator]:
        """Everybody this store knows, by id, in order of acquaintance; linked ones name the others."""
        with self._connection.told():
            rows = self._db.execute("SELECT id, name FROM annotators ORDER BY rowid").fetchall()
        ids = self.links.people().ids
        return {id: Annotator(id, name, tuple(one for one in ids(id) if one != id)) for id, name in rows}

    def traceless(self) -> int:
        """How many traces have labels here while the trace itself was never imported."""
        sql = """SELECT count(DISTINCT trace_id) FROM heads WHERE kind IN ('label', 'adjudicate')
                 AND trace_id NOT IN (SELECT trace_id FROM traces)"""
        with self._connection.told():
            (count,) = self._db.execute(sql).fetchone()
        return int(count)

    def newest_round(self) -> int:
        """The newest round with something in it that was not taken back; 1 where there is none.

        Rounds in which people label their own traces a second time are no rounds of the study.
        """
        sql = "SELECT DISTINCT round FROM events WHERE round <= ? ORDER BY round DESC"
        with self._connection.told():
            rounds = self._db.execute(sql, (AGAIN,)).fetchall()
            for (round,) in rounds:
                living = "SELECT 1 FROM heads WHERE round = ? AND kind <> 'retract' LIMIT 1"
                if self._db.execute(living, (round,)).fetchone():
                    return int(round)
        return 1


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _emptied(event: LabelEvent) -> LabelEvent:
    """A retraction keeps who, where and when; nothing of what was decided."""
    empty = LabelEvent(
        event.id, "retract", event.trace_id, event.annotator, event.at, event.origin, event.app
    )
    return replace(empty, taxonomy=event.taxonomy, taxonomy_hash=event.taxonomy_hash, round=event.round)
