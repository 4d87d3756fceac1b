"""Draws over a store: what stands stays, nobody gets a trace twice, whoever is meant finds their queue."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.label import AGAIN, Annotator, Decision
from reviewer.session import Desk, ReviewSession
from reviewer.store import Store
from reviewer.store.assignments import Assignment
from reviewer.study import rounds
from reviewer.study.again import pairs
from reviewer.study.assigning_people import Roster, assigned, resolve
from reviewer.study.assigning_progress import progress
from reviewer.study.assigning_round import Drawn, Wish, draw, draw_again
from tests.desks import desk, sitting
from tests.history import NUMBERS, PEOPLE, SIX, link, now, put, say, session, show, suggest

ANA, BEN = PEOPLE["ana"], PEOPLE["ben"]
CEM = Annotator("name:cem", "cem")
EVERYBODY = (ANA, BEN, CEM)
DECISION = Decision("other")


def new_id() -> str:
    return f"i{next(NUMBERS)}"


def filled(store: Store, count: int, start: int = 0) -> list[str]:
    return [put(store, session([f"step {n}"], first=f"task {n}")) for n in range(start, start + count)]


def assign(store: Store, people: Sequence[Annotator] = EVERYBODY, **more: Any) -> Drawn:
    drawn = draw(store, SIX, Wish(**{"round": 1, "people": tuple(people), **more}), now(), new_id)
    if drawn.made:
        drawn.keep(store)
    return drawn


def holders(store: Store, round: int = 1) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in store.assignments.all(round):
        found.setdefault(one.trace_id, []).append(Roster(store).person(one.annotator))
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 100), st.booleans()), min_size=1, max_size=4))
def test_further_calls_add_and_never_repeat(calls: list[tuple[int, int, bool]]) -> None:
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db", create=True) as store:
        before: dict[str, Assignment] = {}
        for number, (more, share, everybody) in enumerate(calls):
            filled(store, more, 10 * number)
            raters = "all" if everybody else "2"
            assign(store, overlap=share / 100, raters=raters, rest="blind", seed=str(number))
            now_there = {one.id: one for one in store.assignments.all()}
            assert before.items() <= now_there.items()
            before = now_there
            people = holders(store)
            assert all(len(set(who)) == len(who) for who in people.values())
            assert len(people) == len(store.traces.all())
            wanted = int(share / 100 * len(people) + 0.5)
            assert sum(len(who) > 1 for who in people.values()) >= wanted
        places = Counter((one.annotator, one.place) for one in before.values())
        assert not places or max(places.values()) == 1


def test_the_same_seed_draws_the_same_and_another_another(store: Store) -> None:
    filled(store, 40)

    def made(seed: str) -> list[tuple[Any, ...]]:
        wish = Wish(1, EVERYBODY, n=20, overlap=0.3, seed=seed)
        drawn = draw(store, SIX, wish, now(), new_id)
        return [(one.trace_id, one.annotator, one.place, one.blind, one.probability) for one in drawn.made]

    assert made("a") == made("a") != made("b")


def test_a_larger_overlap_gives_blind_traces_of_one_person_to_others_too(store: Store) -> None:
    filled(store, 20)
    assign(store, overlap=0.2, rest="blind")
    drawn = assign(store, overlap=0.5)
    assert len(drawn.made) == 6 and all(one.blind for one in drawn.made)
    assert Counter(len(who) for who in holders(store).values()) == {1: 10, 2: 10}
    assert {one.probability for one in drawn.made} == {6 / 16 * 1 / 2}


def test_what_may_be_assisted_gets_no_second_person(store: Store) -> None:
    filled(store, 10)
    assign(store, overlap=0.0)
    drawn = assign(store, overlap=0.5)
    assert not drawn.made and drawn.draw.settings["more_wanted"] == 5
    mine = assigned(store, ANA, 1)[0]
    say(store, mine.trace_id)
    assert [one.trace_id for one in assign(store, overlap=0.5).made] == [mine.trace_id]


def test_traces_that_somebody_labelled_without_an_assignment_are_left_out(store: Store) -> None:
    traces = filled(store, 5)
    say(store, traces[2], who="ana")
    drawn = assign(store, overlap=1.0)
    assert drawn.left_out == 1
    assert traces[2] not in holders(store)


def test_strata_are_drawn_in_their_shares_and_kept_with_the_assignment(store: Store) -> None:
    for n in range(30):
        put(store, session(["x"], first=f"t{n}", model="big" if n % 3 else "small", ended="limit"))
    drawn = assign(store, [ANA], n=9, stratify=("model", "ended"))
    assert Counter(one.stratum for one in drawn.made) == {"big / limit": 6, "small / limit": 3}
    assert {one.probability for one in drawn.made} == {9 / 30}


def test_suggestions_can_be_strata(store: Store) -> None:
    traces = filled(store, 4)
    suggest(store, traces[0], "other")
    drawn = assign(store, [ANA], stratify=("suggestion",))
    assert {one.trace_id: one.stratum for one in drawn.made}[traces[0]] == "other"
    assert Counter(one.stratum for one in drawn.made) == {"-": 3, "other": 1}


def test_two_who_assign_at_once_do_not_both_win(store: Store) -> None:
    filled(store, 4)
    late = draw(store, SIX, Wish(1, EVERYBODY, overlap=0.5), now(), new_id)
    assign(store)
    with pytest.raises(InputError, match="meanwhile"):
        late.keep(store)


def test_overlap_with_one_person_is_refused(store: Store) -> None:
    filled(store, 4)
    with pytest.raises(InputError, match="two annotators"):
        assign(store, [ANA], overlap=0.5)


# -- who is meant ------------------------------------------------------------------------------


def test_a_name_that_nobody_has_is_whoever_labels_under_it(store: Store) -> None:
    filled(store, 6)
    (who,) = resolve(store, ["Cem"], {})
    assign(store, [who])
    later = Annotator("a1-other-machine", "cem")
    assert len(assigned(store, later, 1)) == 6
    assert [one.annotator.name for one in progress(store, SIX)] == ["Cem"]
    store.labels.meet(later, now=now())
    assert resolve(store, ["cem"], {}) == [later]
    assert not assign(store, [later, ANA], overlap=0.0).made  # she has them all under her name
    filled(store, 2, 10)
    assign(store, [later])
    assert len(assigned(store, later, 1)) == 8
    assert [one.assigned for one in progress(store, SIX)] == [8]


def test_linked_annotators_are_one_person(store: Store) -> None:
    filled(store, 6)
    for one in (ANA, BEN):
        store.labels.meet(one, now=now())
    assign(store, [ANA])
    assert not assigned(store, BEN, 1)
    link(store, "ana", "ben")
    assert len(assigned(store, BEN, 1)) == 6
    with pytest.raises(InputError, match="twice"):
        resolve(store, ["ana", "ben"], {})


def test_a_name_that_two_people_have_is_asked_back(store: Store) -> None:
    for one in (ANA, Annotator("a1-second", "ana")):
        store.labels.meet(one, now=now())
    with pytest.raises(InputError, match="2 people are called 'ana'"):
        resolve(store, ["ana"], {})
    assert resolve(store, ["a1-sec"], {}) == [Annotator("a1-second", "ana")]
    with pytest.raises(InputError, match="2 people"):
        resolve(store, ["ben"], {"a1-x": "ben", "a1-y": "Ben"})


# -- the queue ---------------------------------------------------------------------------------


def test_the_queue_of_a_sitting_is_what_is_assigned_in_its_order(store: Store) -> None:
    traces = filled(store, 12)
    for trace in traces:
        suggest(store, trace)
    assign(store, [ANA, BEN], overlap=4 / 12)
    mine = assigned(store, ANA, 1)
    work = sitting(store, "ana", blind=False)
    assert [item.info.trace_id for item in work.items] == [one.trace_id for one in mine]
    assert 0 < len(mine) < 12
    for place, one in enumerate(mine):
        view = work.open(place)
        assert view.assigned and view.total == len(mine)
        assert view.blind == view.withheld == one.blind
        assert bool(view.suggestions) != one.blind
    saved = work.label(0, replace(DECISION))
    assert saved.assignment == mine[0].id
    assert saved.condition == ("blind" if mine[0].blind else "suggestion")
    assert [one.labelled for one in progress(store, SIX)] == [1, 0]


def test_without_assignments_the_queue_is_everything(store: Store) -> None:
    traces = filled(store, 3)
    assign(store, [BEN])
    work = sitting(store, "ana")
    assert [item.info.trace_id for item in work.items] == traces
    assert not work.open(0).assigned


def test_what_was_not_assigned_can_still_be_undone(store: Store) -> None:
    traces = filled(store, 4)
    assign(store, [ANA], n=2)
    (other,) = [trace for trace in traces if trace not in holders(store)][:1]
    say(store, other, who="ana")
    work = sitting(store, "ana")
    place = work.undo()
    assert place is not None and work.items[place].info.trace_id == other


def test_an_order_by_machines_does_not_go_with_assignments(store: Store) -> None:
    filled(store, 4)
    assign(store, [ANA])
    with pytest.raises(InputError, match="--order"):
        ReviewSession(desk(store), blind=True, order="uncertain")


def test_the_round_of_somebody_is_the_newest_that_waits_for_them(store: Store) -> None:
    traces = filled(store, 2)
    say(store, traces[0], who="ben")
    assign(store, [ANA], round=2)
    assert rounds.newest(store) == 2 and store.labels.newest_round() == 1
    assert rounds.own(store, ANA, SIX.id) == 2 and rounds.own(store, BEN, SIX.id) == 1
    for trace in traces:
        say(store, trace, who="ana", round=2)
    assert rounds.own(store, ANA, SIX.id) == rounds.own(store, BEN, SIX.id) == 2
    assert rounds.checked(store, 3) == 3
    with pytest.raises(InputError, match="the next one is 3"):
        rounds.checked(store, 4)


# -- again -------------------------------------------------------------------------------------


def again(store: Store, count: int) -> Drawn:
    drawn, _ = draw_again(store, SIX, ANA, 1, count, seed="s", now=now(), new_id=new_id)
    if drawn.made:
        drawn.keep(store)
    return drawn


def second(store: Store) -> ReviewSession:
    plain = desk(store)
    return ReviewSession(Desk(store, ANA, SIX, AGAIN + 1, plain.now, plain.new_id, "test"), blind=True)


def test_only_ones_own_blind_labels_that_were_never_revealed_come_again(store: Store) -> None:
    traces = filled(store, 6)
    for trace in traces[:4]:
        say(store, trace, who="ana")
    say(store, traces[4], who="ben")
    show(store, traces[0], "suggestion", "ana")
    show(store, traces[1], "peers", "ana")
    show(store, traces[2], "outcome", "ana")
    drawn = again(store, 60)
    assert {one.trace_id for one in drawn.made} == set(traces[2:4])
    assert not again(store, 60).made


def test_a_second_label_supersedes_nothing_shows_nothing_and_moves_no_round(store: Store) -> None:
    traces = filled(store, 3)
    work = sitting(store, "ana")
    for place, trace in enumerate(traces):
        work.note(place, f"first thoughts on {trace}")
        work.keep_draft(place, "begun")
        work.label(place, replace(DECISION, step_n=1))
        work.keep_place(place, 1)
    again(store, 2)
    later = second(store)
    assert len(later.items) == 2
    view = later.first()
    assert view.step == 0
    for place in range(2):
        view = later.open(place)
        assert view.label is None and not view.labels and not view.note and not view.draft
        assert view.item.done == "" and not view.item.mode and view.condition == "blind"
        later.label(place, replace(DECISION, mode="tool_misuse"))
    assert store.labels.newest_round() == 1
    found = pairs(store, SIX, 1)
    assert [(a.mode, b.mode) for a, b in found] == [("other", "tool_misuse")] * 2
    assert all(a.trace_id == b.trace_id and b.round == AGAIN + 1 for a, b in found)
    assert len(store.labels.blind_heads(SIX.id, 1)) == 3


def test_a_reveal_after_the_first_label_makes_no_pair(store: Store) -> None:
    (trace,) = filled(store, 1)
    say(store, trace, who="ana")
    again(store, 1)
    show(store, trace, "suggestion", "ana")
    second(store).label(0, DECISION)
    assert pairs(store, SIX, 1) == []


def test_without_reveal_the_suggestion_stays_hidden_after_the_label(store: Store) -> None:
    (trace,) = filled(store, 1)
    suggest(store, trace)
    work = ReviewSession(desk(store), blind=True, reveal=False)
    work.label(0, DECISION)
    view = work.open(0)
    assert view.withheld and not view.suggestions and not view.reveal
    assert [one.trace_id for one in again(store, 5).made] == [trace]
