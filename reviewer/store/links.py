"""Who is one person: statements that link annotators, and what of them holds.

The same name on two machines is two annotators until somebody says that they are one. A statement names
those on the same pair that it was made in view of; what none supersedes is current. Two current ones that
contradict each other (a merge can leave them so) link nobody until somebody says it again: never the clock.
Knows no label.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reviewer.errors import LabelRefused
from reviewer.label import Link
from reviewer.store import codec
from reviewer.store.connection import Connection
from reviewer.values import dataclass

COLUMNS = ("id", "a", "b", "same", "said_by", "at", "supersedes")

MOST = 500  # statements from elsewhere; all are read wherever labels are, and somebody may mean harm


@dataclass(frozen=True, slots=True)
class People:
    """Which annotators are one person. `groups` holds the linked ones only, under the first of their ids.

    `torn` are the current statements of each pair that contradict each other: they link nobody.
    """

    groups: Mapping[str, tuple[str, ...]]
    first: Mapping[str, str]
    torn: tuple[tuple[Link, ...], ...] = ()

    def person(self, id: str) -> str:
        """The one id that stands for all of this person's."""
        return self.first.get(id, id)

    def ids(self, id: str) -> tuple[str, ...]:
        """All ids of this person, this one among them."""
        return self.groups.get(self.person(id), (id,))


NOBODY = People({}, {})


def current(links: Iterable[Link]) -> dict[tuple[str, str], list[Link]]:
    """What is said of each pair now: the statements that no other on the same pair supersedes."""
    pairs: dict[tuple[str, str], list[Link]] = defaultdict(list)
    for link in links:
        pairs[link.pair].append(link)
    found = {}
    for pair, said in sorted(pairs.items()):
        gone = {old for link in said for old in link.supersedes}
        found[pair] = sorted((link for link in said if link.id not in gone), key=lambda link: link.id)
    return found


def people_of(links: Iterable[Link]) -> People:
    """The people that statements amount to; those in a circle of links are one all the same."""
    first: dict[str, str] = {}

    def root(id: str) -> str:
        while first.get(id, id) != id:
            id = first[id]
        return id

    torn = []
    for pair, said in current(links).items():
        if len({link.same for link in said}) > 1:
            torn.append(tuple(said))
        elif said and said[0].same:
            low, high = sorted(map(root, pair))
            first[low] = first[high] = low
    groups: dict[str, list[str]] = defaultdict(list)
    every = {id for link in links for id in link.pair if id in first} if first else set[str]()
    for id in sorted(every):
        groups[root(id)].append(id)
    known = {key: tuple(ids) for key, ids in groups.items() if len(ids) > 1}
    return People(known, {id: key for key, ids in known.items() for id in ids}, tuple(torn))


class Links:
    """The statements of one store. They are append-only, like labels."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    def all(self) -> list[Link]:
        """Every statement in the order it was written, those that no longer hold among them."""
        sql = f"SELECT {', '.join(COLUMNS)} FROM links ORDER BY rowid"
        with self._connection.told():
            return [_link(row) for row in self._db.execute(sql)]

    def people(self) -> People:
        """Who is one person now."""
        links = self.all()
        return people_of(links) if links else NOBODY

    def say(self, link: Link) -> bool:
        """Keep a statement, in view of what is said of the pair now; False: that is said already."""
        if link.a == link.b:
            raise LabelRefused("an annotator is one person with themselves; name another one")
        with self._connection.write():
            said = current(self.all()).get(link.pair, [])
            if {one.same for one in said or [replace(link, same=False)]} == {link.same}:
                return False  # two of whom nothing is said are not linked
            self._insert(replace(link, supersedes=tuple(one.id for one in said)))
        return True

    def receive(self, link: Link) -> bool:
        """Keep a statement from elsewhere exactly as it is; the caller holds the transaction.

        LabelRefused: the id is known with another content.
        """
        sql = f"SELECT {', '.join(COLUMNS)} FROM links WHERE id = ?"
        row = self._db.execute(sql, (link.id,)).fetchone()
        if row is None:
            if self._db.execute("SELECT count(*) FROM links").fetchone()[0] >= MOST:
                raise LabelRefused(f"more than {MOST:,} statements about who is one person are not believed")
            self._insert(link)
        elif _link(row) != link:
            raise LabelRefused(f"link {link.id} is here already with another content; what was said stays")
        return row is None

    def _insert(self, link: Link) -> None:
        row = (
            link.id,
            link.a,
            link.b,
            link.same,
            link.said_by,
            link.at,
            codec.dumps(sorted(link.supersedes)),
        )
        self._db.execute(f"INSERT INTO links({', '.join(COLUMNS)}) VALUES(?, ?, ?, ?, ?, ?, ?)", row)


def _link(row: Sequence[Any]) -> Link:
    id, a, b, same, said_by, at, supersedes = row
    return Link(id, a, b, bool(same), said_by, at, tuple(codec.loads(supersedes)))
