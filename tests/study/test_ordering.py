"""A queue for discovery: odd traces early, a random third beside them, and no rate without a warning."""

from __future__ import annotations

from collections.abc import Callable

from reviewer.label import Decision
from reviewer.session import ReviewSession
from reviewer.store import Store
from reviewer.study.ordering import EVERY, Order, strata, warning
from tests.conftest import Ran
from tests.desks import desk
from tests.history import put, say, session, suggest


def traces(store: Store, count: int = 9) -> list[str]:
    return [put(store, session([f"task {n}"], f"task {n}")) for n in range(count)]


def sitting(store: Store, order: Order | None, who: str = "ana") -> ReviewSession:
    return ReviewSession(desk(store, who), blind=True, order=order)


def order_of(session: ReviewSession) -> list[str]:
    return [item.info.trace_id for item in session.items]


def test_what_suggesters_differ_on_comes_before_what_they_agree_on(store: Store) -> None:
    ids = traces(store)
    for id in ids:
        suggest(store, id, "other", confidence=0.5)
        suggest(store, id, "other", suggester="claude")
    # the third of the ranked ones, so that it does not come first anyway
    ranked = [id for n, id in enumerate(order_of(sitting(store, "disagreement"))) if n % EVERY]
    suggest(store, ranked[3], "tool_misuse", suggester="claude")
    again = [id for n, id in enumerate(order_of(sitting(store, "disagreement"))) if n % EVERY]
    assert again[0] == ranked[3] and sorted(again) == sorted(ranked)
    assert order_of(sitting(store, None)) == ids


def test_the_unsure_come_before_the_sure_and_what_nobody_judged_last(store: Store) -> None:
    ids = traces(store)
    drawn = order_of(sitting(store, "uncertain"))[::EVERY]
    ranked = [id for id in ids if id not in drawn]
    for n, id in enumerate(ranked[:-1]):
        suggest(store, id, "other", confidence=0.9 - n / 10)
    found = [id for id in order_of(sitting(store, "uncertain")) if id in ranked]
    assert found == [*reversed(ranked[:-1]), ranked[-1]]


def test_the_random_third_does_not_depend_on_what_is_suggested(store: Store) -> None:
    ids = traces(store)
    before = order_of(sitting(store, "disagreement"))[::EVERY]
    for id in ids[:5]:
        suggest(store, id, "tool_misuse")
        suggest(store, id, "other", suggester="claude")
    assert order_of(sitting(store, "disagreement"))[::EVERY] == before
    assert len(before) == 3


def test_others_labels_do_not_move_the_queue(store: Store) -> None:
    ids = traces(store)
    before = order_of(sitting(store, "disagreement"))
    say(store, ids[4], mode="other", who="ben")
    assert order_of(sitting(store, "disagreement")) == before


def test_each_label_keeps_its_stratum_and_the_rates_carry_a_warning(
    store: Store, reviewer: Callable[..., Ran]
) -> None:
    traces(store)
    here = sitting(store, "disagreement")
    events = [here.label(place, Decision("other")) for place in range(4)]
    assert [event.assignment for event in events] == [
        "order:disagreement/random",
        *["order:disagreement/ranked"] * 2,
        "order:disagreement/random",
    ]
    assert strata(events) == {"ranked": 2, "random": 2}
    for command in ("agreement", "report"):
        ran = reviewer(command)
        assert ran.status == 0 and "2 labels come from a queue ordered" in ran.out, command
    assert not warning([event for event in events if event.assignment.endswith("random")])


def test_a_usual_queue_warns_of_nothing(store: Store, reviewer: Callable[..., Ran]) -> None:
    traces(store)
    event = sitting(store, None).label(0, Decision("other"))
    assert event.assignment == "" and "no rates" not in reviewer("agreement").out
