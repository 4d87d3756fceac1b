"""Desks for tests of sessions: ana, ben or lea at a store, with the clock of `history` and the six modes."""

from __future__ import annotations

from reviewer.label import Annotator, ExposureKind, LabelEvent
from reviewer.session import AdjudicationSession, Desk, ReviewSession
from reviewer.store import Store
from tests.history import NUMBERS, PEOPLE, SIX, event, now

LEA = Annotator("a1-lea", "lea")


def desk(store: Store, who: str = "ana") -> Desk:
    def new_id() -> str:
        return f"d{next(NUMBERS)}"

    return Desk(store, PEOPLE.get(who, LEA), SIX, 1, now, new_id, "test")


def sitting(store: Store, who: str = "ana", *, blind: bool = True) -> ReviewSession:
    return ReviewSession(desk(store, who), blind=blind)


def settling(store: Store) -> AdjudicationSession:
    return AdjudicationSession(desk(store, "lea"))


def torn(store: Store, trace: str, *modes: str, who: str = "ana", **more: str) -> list[LabelEvent]:
    """Several current labels of one person, as a merge of two stores leaves them."""
    store.labels.meet(PEOPLE[who], now=now())
    store.settings.keep_taxonomy(SIX)
    made = [event(trace, "label", mode, who, condition="blind", **more) for mode in modes]
    with store.write():
        for one in made:
            store.labels.insert(one)
    return made


def shown(store: Store, trace: str, who: str = "ana") -> set[ExposureKind]:
    """What is on the disk, read through a second connection: only what is committed."""
    with Store.open(store.path) as other:
        return {kind for kind, _ in other.labels.exposures(PEOPLE.get(who, LEA).id, trace)}
