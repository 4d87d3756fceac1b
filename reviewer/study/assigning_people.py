"""Who is meant by a name when traces are assigned, and whose an assignment is.

Somebody who is known (to the store, or on this machine) is meant by their id. Anybody else is kept by name,
and is whoever comes to label under it. Links between annotators hold here as they do for labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reviewer.errors import InputError
from reviewer.label import Annotator
from reviewer.store import Store
from reviewer.store.assignments import NAMED, Assignment, alike, by_name

_ID = 35  # characters of an annotator's id


class Roster:
    """The people of a store, and `more` who are not in it yet; one key for each person."""

    def __init__(self, store: Store, more: Iterable[Annotator] = ()) -> None:
        self._people = store.labels.links.people()
        known = {**store.labels.annotators(), **{one.id: one for one in more if not one.id.startswith(NAMED)}}
        self._names: dict[str, str] = {}
        self._called: dict[str, set[str]] = {}
        for id, one in known.items():
            person = self._people.person(id)
            self._names.setdefault(person, one.name)
            self._called.setdefault(alike(one.name), set()).add(person)

    def person(self, key: str) -> str:
        """The one key of whoever an assignment or a label is by: an id, or a name that nobody has yet."""
        if not key.startswith(NAMED):
            return self._people.person(key)
        called = self._called.get(alike(key), set())
        if len(called) == 1:
            return next(iter(called))
        person = NAMED + alike(key)
        self._names.setdefault(person, key.removeprefix(NAMED))  # as it was typed first
        return person

    def name(self, key: str) -> str:
        """What to call a person."""
        person = self.person(key)
        return self._names.get(person, person)

    def called(self, name: str) -> list[str]:
        """The people of this name."""
        return sorted(self._called.get(alike(name), ()))

    def begins(self, start: str) -> list[str]:
        """The people whose key begins so."""
        return sorted(person for person in self._names if person.startswith(start))


def resolve(store: Store, names: Sequence[str], known_here: Mapping[str, str]) -> list[Annotator]:
    """The people meant by `names`, in this order; `known_here` are the names known on this machine, by id.

    InputError: a name that two people have, somebody named twice, or no name at all.
    """
    here = [Annotator(id, name) for id, name in known_here.items()]
    roster = Roster(store, here)
    found: dict[str, Annotator] = {}
    for name in names:
        one = _one(roster, name)
        key = roster.person(one.id)
        if key in found:
            raise InputError(f"{name!r} is named twice; name each annotator once")
        found[key] = one
    if not found:
        raise InputError("name the annotators: --annotators ana,ben")
    return list(found.values())


def _one(roster: Roster, name: str) -> Annotator:
    from reviewer.foreign import NAME_LENGTH  # not on the way to a first screen

    if not name.isprintable() or len(name) > NAME_LENGTH:
        raise InputError(f"{name!r:.90}: a name has 1 to {NAME_LENGTH} printable characters")
    if name.startswith("a1-"):
        matching = roster.begins(name)
        if not matching and len(name) == _ID:  # of somebody on another machine
            return Annotator(name, name)
        if len(matching) != 1:
            raise InputError(f"{name!r} is the beginning of {len(matching)} annotators; give more of the id")
        return Annotator(matching[0], roster.name(matching[0]))
    called = roster.called(name)
    if len(called) > 1:
        ids = ", ".join(id[:11] for id in called)
        raise InputError(
            f"{len(called)} people are called {name!r}: {ids}. Name one by the beginning of the id, or "
            "link them where they are one person (`reviewer annotators link`)"
        )
    return Annotator(called[0], roster.name(called[0])) if called else Annotator(by_name(name), name)


def assigned(store: Store, annotator: Annotator, round: int) -> list[Assignment]:
    """What this annotator is to label in a round, in their order: under any id of theirs, or their name."""
    return store.assignments.of(keys(store, annotator), round)


def keys(store: Store, annotator: Annotator) -> frozenset[str]:
    """Everything that an assignment for this annotator may stand under."""
    return store.assignments.keys(annotator, store.labels.links.people().ids(annotator.id))
