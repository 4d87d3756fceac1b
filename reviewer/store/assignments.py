"""Who is to label what in a round, and how it was drawn: for each trace and person the chance of it.

A draw keeps its settings and its seed, so that it can be made again; an assignment is never changed or taken
away, a later draw adds. Who an assignment is for is the id of an annotator, or, for somebody who is not known
here yet, `name:` and the name under which they will label. Knows no label.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from reviewer.errors import InputError, LabelRefused
from reviewer.label import AGAIN, Annotator
from reviewer.store import codec
from reviewer.store.connection import Connection
from reviewer.trace import Json
from reviewer.values import dataclass

if TYPE_CHECKING:
    from reviewer.store.foreign_store import ForeignStore, Rows

DrawKind: TypeAlias = Literal["new", "again"]
NAMED = "name:"  # how the key of somebody begins who is known by name only
DRAW = ("id", "kind", "round", "settings", "at")
COLUMNS = ("id", "draw", "trace_id", "annotator", "round", "place", "blind", "stratum", "probability")


@dataclass(frozen=True, slots=True)
class Draw:
    """One call of `assign`: everything that makes it repeatable."""

    id: str
    kind: DrawKind
    round: int
    settings: Mapping[str, Json]
    at: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """One trace for one person in one round, at a place in their order.

    `blind`: the suggestion stays hidden until the label is in, however this person works. `probability`: with
    which chance this trace came to this person in this draw.
    """

    id: str
    draw: str
    trace_id: str
    annotator: str
    round: int
    place: int
    blind: bool
    stratum: str
    probability: float


def by_name(name: str) -> str:
    """The key of somebody who is known by this name only."""
    return NAMED + unicodedata.normalize("NFC", name).strip()


def alike(name: str) -> str:
    """Names that are alike are one name: those that differ in case or form of their letters."""
    return unicodedata.normalize("NFKC", name.removeprefix(NAMED)).casefold().strip()


class Assignments:
    """The draws and assignments of one store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    # -- out -----------------------------------------------------------------------------------

    def draws(self) -> list[Draw]:
        """Every draw, in an order that does not depend on arrival."""
        sql = f"SELECT {', '.join(DRAW)} FROM draws ORDER BY at, id"
        with self._connection.told():
            return [_draw(row) for row in self._db.execute(sql)]

    def any(self) -> bool:
        """Whether anything is assigned to anybody."""
        with self._connection.told():
            return self._db.execute("SELECT 1 FROM assignments LIMIT 1").fetchone() is not None

    def all(self, round: int | None = None) -> list[Assignment]:
        """The assignments of a round, or of all: each person's in their order."""
        where, values = ("WHERE round = ?", (round,)) if round is not None else ("", ())
        return self._select(where, values)

    def keys(self, annotator: Annotator, ids: Iterable[str] = ()) -> frozenset[str]:
        """Everything that an assignment for this person may stand under: their ids, and their name."""
        sql = "SELECT DISTINCT annotator FROM assignments WHERE annotator >= ? AND annotator < ?"
        with self._connection.told():
            named = [row[0] for row in self._db.execute(sql, (NAMED, NAMED[:-1] + ";"))]
        mine = [key for key in named if alike(key) == alike(annotator.name)]
        return frozenset((annotator.id, *ids, *mine))

    def of(self, keys: Collection[str], round: int) -> list[Assignment]:
        """What is assigned to a person in a round, in their order; a trace stands there once."""
        marks = ", ".join("?" * len(keys))
        found = self._select(f"WHERE annotator IN ({marks}) AND round = ?", (*keys, round))
        found.sort(key=lambda one: (one.place, one.draw, one.id))
        first: dict[str, Assignment] = {}
        for one in found:
            known = first.setdefault(one.trace_id, one)
            if one.blind and not known.blind:  # two draws that met in a merge: the stricter one holds
                first[one.trace_id] = one
        return list(first.values())

    def absent(self, round: int) -> frozenset[str]:
        """The traces that are assigned in a round and were never imported here."""
        sql = "SELECT DISTINCT trace_id FROM assignments WHERE round = ? AND trace_id NOT IN "
        with self._connection.told():
            rows = self._db.execute(f"{sql} (SELECT trace_id FROM traces)", (round,)).fetchall()
        return frozenset(row[0] for row in rows)

    def revealed(self, ids: Collection[str]) -> frozenset[str]:
        """The traces of which a person (by all their ids) was shown a suggestion or what others said.

        No label that they give from then on is blind.
        """
        marks = ", ".join("?" * len(ids))
        sql = f"""SELECT DISTINCT trace_id FROM exposures
                  WHERE annotator IN ({marks}) AND kind IN ('suggestion', 'peers')"""
        with self._connection.told():
            return frozenset(row[0] for row in self._db.execute(sql, tuple(ids)))

    def rounds(self, keys: Collection[str] | None = None) -> list[int]:
        """The rounds that something was assigned in (to this person), the newest first."""
        where, values = ("", [])
        if keys is not None:
            where, values = f"AND annotator IN ({', '.join('?' * len(keys))})", [*keys]
        sql = f"SELECT DISTINCT round FROM assignments WHERE round <= ? {where} ORDER BY round DESC"
        with self._connection.told():
            return [row[0] for row in self._db.execute(sql, (AGAIN, *values))]

    def _select(self, where: str, values: Sequence[Any]) -> list[Assignment]:
        sql = f"SELECT {', '.join(COLUMNS)} FROM assignments {where} ORDER BY round, annotator, place, id"
        with self._connection.told():
            return [_assignment(row) for row in self._db.execute(sql, values)]

    # -- in ------------------------------------------------------------------------------------

    def add(self, draw: Draw, made: Sequence[Assignment], seen: int) -> None:
        """Keep a draw with its assignments, whole or not at all.

        `seen` counts the assignments of the round that the draw was made in view of. InputError: there are
        others by now.
        """
        with self._connection.write():
            sql = "SELECT count(*) FROM assignments WHERE round = ?"
            if self._db.execute(sql, (draw.round,)).fetchone()[0] != seen:
                raise InputError("somebody else assigned traces of this round meanwhile; try again")
            self._insert("draws", DRAW, _draw_row(draw))
            for one in made:
                self._insert("assignments", COLUMNS, _row(one))

    def receive_draw(self, draw: Draw) -> bool:
        """Keep a draw from elsewhere as it is; the caller holds the transaction. LabelRefused: it differs."""
        return self._receive("draws", DRAW, _draw_row(draw))

    def receive(self, one: Assignment) -> bool:
        """The same for an assignment."""
        return self._receive("assignments", COLUMNS, _row(one))

    def _receive(self, table: str, columns: Sequence[str], row: tuple[Any, ...]) -> bool:
        known = self._db.execute(
            f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", (row[0],)
        ).fetchone()
        if known is None:
            self._insert(table, columns, row)
        elif known != row:
            raise LabelRefused(
                f"{row[0]} of {table} is here already with another content; what is here stays"
            )
        return known is None

    def _insert(self, table: str, columns: Sequence[str], row: tuple[Any, ...]) -> None:
        sql = f"INSERT INTO {table}({', '.join(columns)}) VALUES({', '.join('?' * len(columns))})"
        self._db.execute(sql, row)


def _draw(row: Sequence[Any]) -> Draw:
    id, kind, round, settings, at = row
    return Draw(id, kind, round, codec.loads(settings), at)


def _draw_row(draw: Draw) -> tuple[Any, ...]:
    return draw.id, draw.kind, draw.round, codec.dumps(dict(draw.settings)), draw.at


def _assignment(row: Sequence[Any]) -> Assignment:
    id, draw, trace_id, annotator, round, place, blind, stratum, probability = row
    return Assignment(id, draw, trace_id, annotator, round, place, bool(blind), stratum, probability)


def _row(one: Assignment) -> tuple[Any, ...]:
    who, stratum = codec.text(one.annotator), codec.text(one.stratum)
    fixed = (one.id, one.draw, one.trace_id, who, one.round, one.place)
    return *fixed, int(one.blind), stratum, float(one.probability)


# -- from another store ------------------------------------------------------------------------


def draws_of(other: ForeignStore) -> Rows[Draw]:
    """What another store drew, each row checked."""
    from reviewer import foreign

    rules: dict[str, foreign.Rule] = {
        **dict.fromkeys(("id", "at"), foreign.word),
        "kind": foreign.one_of(DrawKind),
        "round": foreign.count,
        "settings": lambda value: foreign.table(foreign.shallow(codec.loads(value))),
    }

    def make(row: Sequence[Any]) -> Draw:
        checked = foreign.fields(rules, dict(zip(DRAW, row, strict=True)))
        if not checked["round"]:
            raise InputError("'round' must be 1 or more")
        return Draw(**checked)

    return other.read(f"SELECT rowid, {', '.join(DRAW)} FROM draws ORDER BY rowid", make)


def assignments_of(other: ForeignStore) -> Rows[Assignment]:
    """What another store assigned, each row checked."""
    from reviewer import foreign

    rules: dict[str, foreign.Rule] = {
        **dict.fromkeys(("id", "draw", "trace_id"), foreign.word),
        "annotator": foreign.text,
        "round": foreign.count,
        "place": foreign.count,
        "blind": foreign.count,
        "stratum": foreign.text,
        "probability": foreign.number,
    }

    def make(row: Sequence[Any]) -> Assignment:
        checked = foreign.fields(rules, dict(zip(COLUMNS, row, strict=True)))
        if checked["blind"] not in (0, 1) or not 0 < (checked["probability"] or 0) <= 1:
            raise InputError("'blind' must be 0 or 1, 'probability' above 0 and at most 1")
        name = checked["annotator"].removeprefix(NAMED)
        if not checked["round"] or not name or not name.isprintable() or len(name) > foreign.NAME_LENGTH:
            raise InputError("'round' must be 1 or more, 'annotator' an id or a printable name")
        return Assignment(**{**checked, "blind": bool(checked["blind"])})

    return other.read(f"SELECT rowid, {', '.join(COLUMNS)} FROM assignments ORDER BY rowid", make)
