"""The annotators of a store: what each has labelled, who is linked with whom, who might be one person.

Counts stand under the id that made the labels, linked or not; every other number of the study counts linked
annotators as one person (`store/persons.py`). Knows names only to read and to find somebody by.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

from reviewer.errors import InputError, NotFound
from reviewer.label import Annotator, Link
from reviewer.store import Store
from reviewer.store.links import People, current
from reviewer.values import dataclass

_SHORT = 11  # characters of an id that people are shown: `a1-0123abcd`


class Unknown(NotFound):
    """Nobody is called so."""


@dataclass(frozen=True, slots=True)
class Made:
    """How many current labels of one annotator stand in one round under one condition."""

    taxonomy: str
    round: int
    condition: str
    n: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One annotator: `person` is the id that stands for them, `made` what was labelled under this one."""

    annotator: Annotator
    person: str
    made: tuple[Made, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """Everybody a store knows.

    `said` are the current statements, `torn` those of pairs on which they contradict each other: these link
    nobody. `alike` are ids of different people with one name.
    """

    standings: tuple[Standing, ...]
    said: tuple[Link, ...]
    torn: tuple[tuple[Link, ...], ...]
    alike: tuple[tuple[str, tuple[str, ...]], ...]


def everybody(store: Store, here: Mapping[str, str]) -> dict[str, Annotator]:
    """Everybody who labelled or was shown anything, in order of acquaintance.

    Names that did not come along are those known on this machine (`here`, by id), else empty.
    """
    people = store.labels.links.people()
    found = store.labels.annotators()
    for id in sorted({*store.history.said(), *store.history.looked()} - found.keys()):
        found[id] = Annotator(id, here.get(id, ""), tuple(one for one in people.ids(id) if one != id))
    return found


def meant(store: Store, here: Mapping[str, str], asked: str) -> Annotator:
    """The annotator that `asked` names in this store, else on this machine; NotFound says which there are."""
    known = everybody(store, here)
    try:
        return find(known, asked)
    except Unknown:
        others = {id: Annotator(id, name) for id, name in here.items() if id not in known}
        return find({**known, **others}, asked)


def roll(store: Store, here: Mapping[str, str]) -> Roll:
    """Everybody, also who labelled or was shown something and has no name; `here` as in `everybody`."""
    made: dict[str, list[Made]] = defaultdict(list)
    for annotator, taxonomy, round, condition, n in store.history.tally():
        made[annotator].append(Made(taxonomy, round, condition, n))
    people, links = store.labels.links.people(), store.labels.links.all()
    known = everybody(store, here)
    said = [link for heads in current(links).values() for link in heads]
    return Roll(
        tuple(Standing(one, people.person(id), tuple(made[id])) for id, one in known.items()),
        tuple(said),
        people.torn,
        _alike([one for one in known.values() if one.name], people),
    )


def _alike(known: Iterable[Annotator], people: People) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(name, one id of each) of the names that several people have."""
    by_name: dict[str, list[Annotator]] = defaultdict(list)
    for one in known:
        if people.person(one.id) == one.id:
            by_name[_plain(one.name)].append(one)
    return tuple((same[0].name, tuple(one.id for one in same)) for same in by_name.values() if len(same) > 1)


def find(known: Mapping[str, Annotator], asked: str) -> Annotator:
    """The annotator with this id, this name, or an id that begins so; NotFound says which there are."""
    if not asked.strip():
        raise InputError("say who is meant: an annotator's name, or an id or the beginning of one")
    if asked in known:
        return known[asked]
    name = _plain(asked)
    for found in (
        [one for one in known.values() if _plain(one.name) == name],
        [one for one in known.values() if one.id.startswith((asked, f"a1-{asked}"))],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(short(one.id, known) for one in found)
            what = "are called" if _plain(found[0].name) == name else "have an id that begins with"
            raise NotFound(f"{len(found)} annotators {what} {asked}: {ids}; name one of them by its id")
    names = ", ".join(sorted({one.name for one in known.values() if one.name})) or "nobody yet"
    raise Unknown(f"nobody here is called {asked}, and no id begins so; this store knows {names}")


def short(id: str, known: Iterable[str]) -> str:
    """The beginning of an id, long enough to name it here."""
    for length in range(_SHORT, len(id)):
        if sum(other.startswith(id[:length]) for other in known) < 2:
            return id[:length]
    return id


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()
