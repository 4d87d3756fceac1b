"""Which round is meant where none is named: for the study, and for one annotator.

A round begins with its first assignment or its first label. What is said about a round (agreement, gold,
exports) is about the newest with labels; whoever labels is in the newest that has something waiting for them.
A round is labelled under the codebook that it was assigned under, whatever is in use by then, or elsewhere.
"""

from __future__ import annotations

from reviewer.errors import InputError
from reviewer.label import AGAIN, Annotator
from reviewer.store import Store
from reviewer.store.assignments import Draw
from reviewer.study.assigning_people import assigned, keys
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which codebook a round was assigned under."""

    id: str
    version: str
    hash: str

    @classmethod
    def of(cls, one: Taxonomy) -> Stamp:
        return cls(one.id, one.version, one.hash)

    @classmethod
    def kept(cls, draw: Draw) -> Stamp | None:
        """That of a draw; None where it names none (draws come from other stores as well)."""
        said = draw.settings.get("taxonomy")
        values = [said.get(name) for name in cls.__slots__] if isinstance(said, dict) else []
        words = [value for value in values if isinstance(value, str) and value]
        return cls(*words) if len(words) == len(cls.__slots__) else None

    @property
    def record(self) -> dict[str, Json]:
        return {"id": self.id, "version": self.version, "hash": self.hash}

    @property
    def words(self) -> str:
        """`six-modes 2 (ae20709c)`."""
        return f"{self.id} {self.version} ({self.hash[:8]})"


def stamps(store: Store) -> dict[int, tuple[Stamp, ...]]:
    """The codebooks that each round was assigned under, the newest last; more than one only by a merge."""
    found: dict[int, dict[Stamp, None]] = {}
    for draw in store.assignments.draws():
        if (stamp := Stamp.kept(draw)) is not None:
            mine = found.setdefault(draw.round, {})
            mine.pop(stamp, None)
            mine[stamp] = None
    return {round: tuple(mine) for round, mine in found.items()}


def codebook(store: Store, round: int, in_use: Taxonomy) -> Taxonomy:
    """What this round is labelled under: the codebook it was assigned under, else the one in use.

    InputError: its text is not in this store.
    """
    mine = stamps(store).get(round, ())
    if not mine or in_use.hash in {stamp.hash for stamp in mine}:
        return in_use
    known = store.settings.taxonomy(mine[-1].hash)
    if known is None or known.hash != mine[-1].hash:
        raise InputError(
            f"round {round} was assigned under {mine[-1].words}, which this store does not have: merge the "
            "store that assigned it, or take the file into use (`reviewer taxonomy use FILE`)"
        )
    return known


def newest(store: Store) -> int:
    """The newest round that somebody labelled in or is to label in; 1 where there is none."""
    return max([store.labels.newest_round(), *store.assignments.rounds()[:1]])


def own(store: Store, annotator: Annotator, taxonomy: str) -> int:
    """The round in which this annotator labels where none is named."""
    for round in store.assignments.rounds(keys(store, annotator))[:1]:
        if waiting(store, annotator, book_id(store, round, taxonomy), round):
            return round
    return store.labels.newest_round()


def book_id(store: Store, round: int, in_use: str) -> str:
    """The id of the codebook that a round is labelled under."""
    ids = [stamp.id for stamp in stamps(store).get(round, ())]
    return in_use if not ids or in_use in ids else ids[-1]


def waiting(store: Store, annotator: Annotator, taxonomy: str, round: int) -> int:
    """How many of the traces that are assigned to this annotator in a round have no label of theirs.

    In open coding (`notes_only`) a note does it as well.
    """
    mine = {one.trace_id for one in assigned(store, annotator, round)}
    person = store.labels.links.people().person(annotator.id)
    heads = store.labels.heads(taxonomy, round) if mine else []
    does = ("label", "note") if mine and notes_only(store, round) else ("label",)
    return len(mine - {one.trace_id for one in heads if one.kind in does and one.annotator == person})


def notes_only(store: Store, round: int) -> bool:
    """Whether a round is one of open coding: somebody wrote notes in it, and nobody gave a label."""
    kinds = {one.kind for one in store.labels.heads("", round)}
    return "note" in kinds and not kinds & {"label", "adjudicate"}


def checked(store: Store, round: int | None) -> int | None:
    """`round` where it is one, or the next to begin. InputError: it is further away."""
    if round is not None and round <= AGAIN and round > newest(store) + 1:
        last = newest(store)
        raise InputError(f"--round {round}: the newest is {last}, so the next one is {last + 1}")
    return round
