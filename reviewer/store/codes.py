"""Open coding: the group that each note was put in, before there is a codebook. No label, no event.

A row may be overwritten; where two stores meet, what was put last stays. Agreement and gold never look here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reviewer.errors import InputError
from reviewer.store import codec
from reviewer.store.connection import Connection
from reviewer.values import dataclass

if TYPE_CHECKING:
    from reviewer.store.foreign_store import ForeignStore, Rows

CODE_LENGTH = 120
_COLUMNS = ("event", "code", "annotator", "at")


@dataclass(frozen=True, slots=True)
class Code:
    """The group of one note (the id of its event), who put it there and when; no name: it is in none."""

    event: str
    code: str
    annotator: str
    at: str


class Codes:
    """The groups of one store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    def all(self) -> dict[str, Code]:
        """Everything that was ever put in a group, by the id of the note."""
        with self._connection.told():
            rows = self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM codes ORDER BY event").fetchall()
        return {row[0]: Code(*row) for row in rows}

    def put(self, codes: Iterable[Code]) -> None:
        """Put notes into groups, all of them or none."""
        with self._connection.write():
            for one in codes:
                self._put(one)

    def receive(self, one: Code) -> bool:
        """One from elsewhere; the caller holds the transaction. False: what is here is as new, or newer."""
        sql = f"SELECT {', '.join(_COLUMNS)} FROM codes WHERE event = ?"
        row = self._db.execute(sql, (one.event,)).fetchone()
        if row is not None and _age(Code(*row)) >= _age(one):
            return False
        self._put(one)
        return True

    def _put(self, one: Code) -> None:
        sql = """INSERT INTO codes(event, code, annotator, at) VALUES(?, ?, ?, ?) ON CONFLICT(event)
                 DO UPDATE SET code = excluded.code, annotator = excluded.annotator, at = excluded.at"""
        self._db.execute(sql, (one.event, codec.text(one.code), one.annotator, one.at))

    def replaced(self) -> Mapping[str, Sequence[str]]:
        """The notes that each note replaced: a note that was written anew keeps the group of the old one."""
        sql = """SELECT s.event, s.old FROM supersedes s JOIN events n ON n.id = s.event
                 WHERE n.kind = 'note' ORDER BY s.event, s.old"""
        found: dict[str, list[str]] = {}
        with self._connection.told():
            for event, old in self._db.execute(sql):
                found.setdefault(event, []).append(old)
        return found


def _age(one: Code) -> tuple[str, str, str]:
    """An order that all stores share, whoever merges whom."""
    return one.at, one.code, one.annotator


def codes_of(other: ForeignStore) -> Rows[Code]:
    """The groups of another store, each row checked."""
    from reviewer import foreign

    rules: dict[str, foreign.Rule] = {
        **dict.fromkeys(("event", "annotator", "at"), foreign.word),
        "code": foreign.text,
    }

    def make(row: Sequence[Any]) -> Code:
        one = Code(**foreign.fields(rules, dict(zip(_COLUMNS, row, strict=True))))
        if len(one.code) > CODE_LENGTH:
            raise InputError(f"'code' must be text of at most {CODE_LENGTH} characters")
        return one

    return other.read(f"SELECT rowid, {', '.join(_COLUMNS)} FROM codes ORDER BY rowid", make)
