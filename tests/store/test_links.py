"""Who is one person: statements about pairs, never decided by a clock; and what they change in numbers."""

import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.errors import LabelRefused
from reviewer.label import Annotator, Exposure, LabelEvent, Link
from reviewer.store import Store
from reviewer.store.links import MOST, People, people_of
from reviewer.study.agreement import agreement
from reviewer.study.conflicts import conflicts
from reviewer.study.current import current
from reviewer.study.gold import golds
from reviewer.study.queue import queue
from tests.desks import sitting
from tests.history import NUMBERS, PEOPLE, SIX, event, link, now, put, say, session, show, suggest, take_back

PEOPLE["ana2"] = Annotator("a1-elsewhere-ana", "ana")
PEOPLE["cleo"] = Annotator("a1-cleo", "cleo")
ANA = PEOPLE["ana"].id


def stated(a: str, b: str, *, same: bool = True, old: tuple[str, ...] = (), id: str = "") -> Link:
    return Link(id or f"l{next(NUMBERS)}", a, b, same, "x", "2026-01-01T00:00:00Z", old)


def modes(events: list[LabelEvent]) -> list[tuple[str, str]]:
    return [(one.annotator, one.mode) for one in events]


# -- statements ----------------------------------------------------------------------------------------


def test_links_go_on_and_a_circle_is_harmless() -> None:
    pairs = [("a", "b"), ("c", "b"), ("c", "a"), ("x", "y")]
    people = people_of([stated(*pair) for pair in pairs])
    assert people.ids("c") == ("a", "b", "c")
    assert people.person("c") == people.person("b") == "a"
    assert people.ids("y") == ("x", "y")
    assert people.ids("nobody") == ("nobody",)


def test_what_is_said_in_view_of_another_word_replaces_it_whatever_the_clock_says() -> None:
    yes = stated("a", "b", id="1")
    no = stated("b", "a", same=False, old=("1",), id="0")  # the pair is the same, whoever is named first
    assert people_of([no, yes]).groups == {}
    again = stated("a", "b", old=("0",))
    assert people_of([again, no, yes]).ids("a") == ("a", "b")


def test_two_that_contradict_each_other_link_nobody_and_are_listed() -> None:
    yes, no = stated("a", "b"), stated("a", "b", same=False)
    people = people_of([yes, no])
    assert people.groups == {}
    assert {one.id for one in people.torn[0]} == {yes.id, no.id}
    assert people_of([yes, no, stated("a", "b", old=(yes.id, no.id))]).torn == ()


def test_a_statement_on_another_pair_replaces_nothing() -> None:
    assert people_of([stated("a", "b", id="1"), stated("c", "d", same=False, old=("1",))]).ids("a") == (
        "a",
        "b",
    )


STATEMENTS = st.lists(
    st.builds(
        stated,
        st.sampled_from("abc"),
        st.sampled_from("def"),
        same=st.booleans(),
        old=st.lists(st.sampled_from([f"n{n}" for n in range(8)]), max_size=3).map(tuple),
        id=st.sampled_from([f"n{n}" for n in range(8)]),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)


@given(STATEMENTS, st.randoms())
def test_the_order_of_arrival_does_not_matter(links: list[Link], random: Any) -> None:
    mixed = list(links)
    random.shuffle(mixed)
    first, second = people_of(links), people_of(mixed)
    assert first == second
    assert all(set(first.ids(id)) >= {id} for one in links for id in one.pair)


def test_what_is_said_already_is_not_said_again(store: Store) -> None:
    assert not link(store, "ana", "ana2", same=False)  # they are not linked as it is
    assert link(store, "ana", "ana2")
    assert not link(store, "ana2", "ana")
    assert link(store, "ana", "ana2", same=False)
    assert not store.labels.links.people().groups
    assert [len(one.supersedes) for one in store.labels.links.all()] == [0, 1]
    with pytest.raises(LabelRefused, match="themselves"):
        link(store, "ana", "ana")


@pytest.mark.parametrize(
    "sql", ["DELETE FROM links", "UPDATE links SET same = 0", "REPLACE INTO links SELECT * FROM links"]
)
def test_statements_are_append_only(store: Store, sql: str) -> None:
    link(store, "ana", "ana2")
    with sqlite3.connect(store.path) as db, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(sql)
    db.close()


def test_a_store_that_drowns_in_statements_is_not_believed(store: Store) -> None:
    with store.write():
        for n in range(MOST):
            assert store.labels.links.receive(stated(f"a{n}", "b"))
        with pytest.raises(LabelRefused, match="not believed"):
            store.labels.links.receive(stated("a", "b"))


# -- what is counted -----------------------------------------------------------------------------------


def test_nobody_agrees_with_themselves(store: Store) -> None:
    for n in range(3):
        for who in ("ana", "ana2", "ben"):
            say(store, f"t1-{n}", who=who)
    assert len(agreement(store, SIX, 1).pairs) == 3
    link(store, "ana", "ana2")
    found = agreement(store, SIX, 1)
    assert found.pairs == ()  # ana has two current labels on each trace
    assert found.conflicts == 3
    assert [one.name for one in found.annotators] == ["ana", "ben"]
    assert found.annotators[0].also == (PEOPLE["ana2"].id,)
    link(store, "ana", "ana2", same=False)
    assert len(agreement(store, SIX, 1).pairs) == 3


def test_labels_on_different_traces_are_those_of_one_person(store: Store) -> None:
    for n, who in enumerate(("ana", "ana2", "ana", "ana2")):
        say(store, f"t1-{n}", who=who)
        say(store, f"t1-{n}", who="ben")
    link(store, "ana", "ana2")
    (pair,) = agreement(store, SIX, 1).pairs
    assert ({pair.a.name, pair.b.name}, pair.found.n) == ({"ana", "ben"}, 4)


def test_two_linked_labels_are_not_gold(store: Store) -> None:
    say(store, "t1-a")
    say(store, "t1-a", who="ana2")
    counted = current(store, SIX, 1)
    assert golds(counted.heads, counted.blind)["t1-a"].status == "unanimous"
    link(store, "ana", "ana2")
    counted = current(store, SIX, 1)
    assert golds(counted.heads, counted.blind)["t1-a"].status == "conflict"
    (conflict,) = conflicts(store)
    assert conflict.annotator == store.labels.links.people().person(ANA)


def test_deciding_again_under_either_id_settles_it(store: Store) -> None:
    say(store, "t1-a")
    say(store, "t1-a", who="ana2", mode="no_failure")
    link(store, "ana", "ana2")
    settled = say(store, "t1-a", who="ana2", mode="other")
    assert len(settled.supersedes) == 2
    assert conflicts(store) == []
    assert [one.id for one in store.labels.heads()] == [settled.id]
    assert [one.id for one in store.labels.blind_heads(SIX.id, 1)] == [settled.id]
    link(store, "ana", "ana2", same=False)  # and nothing of it was lost
    assert len(store.labels.heads()) == 2


def test_taking_back_and_undoing_under_the_other_id(store: Store) -> None:
    first = say(store, "t1-a")
    link(store, "ana", "ana2")
    say(store, "t1-a", who="ana2", mode="no_failure")
    again = take_back(store, "ana2")
    assert again is not None
    assert (again.annotator, again.mode, again.restores) == (PEOPLE["ana2"].id, "other", first.id)
    assert [one.id for one in store.labels.heads()] == [again.id]
    say(store, "t1-a", "retract")
    assert store.labels.heads() == []
    assert store.labels.blind_heads(SIX.id, 1) == []


def test_a_stranger_takes_nothing_out(store: Store) -> None:
    """An event that claims to replace another person's does so only once somebody links the two."""
    mine = say(store, "t1-a")
    other = event("t1-a", who="cleo", mode="no_failure", condition="blind", supersedes=(mine.id,))
    with store.write():
        store.labels.insert(other)
    assert len(store.labels.heads()) == 2
    link(store, "ana", "cleo")
    assert [one.id for one in store.labels.heads()] == [other.id]


def test_what_i_labelled_under_my_other_id_is_mine(store: Store) -> None:
    ids = [put(store, session([name], name)) for name in "xy"]
    say(store, ids[0], who="ana2")
    link(store, "ana", "ana2")
    for who in ("ana", "ana2"):
        assert [one.done for one in queue(store, PEOPLE[who].id, SIX, 1)] == ["labelled", ""]
        view = sitting(store, who).open(0)
        assert [one.mode for one in view.labels] == ["other"]
        sitting(store, who).note(0, f"by {who}")
    assert [one.note for one in store.labels.heads() if one.kind == "note"] == ["by ana2"]


# -- blind ---------------------------------------------------------------------------------------------


def test_what_i_saw_under_my_other_id_i_saw(store: Store) -> None:
    show(store, "t1-a", who="ana2")
    link(store, "ana", "ana2")
    assert say(store, "t1-a").condition == "suggestion"
    assert store.labels.exposures(ANA, "t1-a") == {("suggestion", "s1")}
    assert store.labels.seen(ANA) == {"s1"}
    assert say(store, "t1-b").condition == "blind"


def at(label: LabelEvent, **later: float) -> str:
    return (datetime.fromisoformat(label.at) + timedelta(**later)).isoformat().replace("+00:00", "Z")


@pytest.mark.parametrize("kind", ["suggestion", "peers"])
@pytest.mark.parametrize(
    ("later", "blind"),
    [({"days": -1}, False), ({"minutes": 20}, False), ({"hours": 2}, True)],
    ids=["before", "within what clocks differ", "after"],
)
def test_a_label_after_the_other_id_had_seen_it_was_never_blind(
    store: Store, kind: str, later: dict[str, float], blind: bool
) -> None:
    said = say(store, "t1-a")
    say(store, "t1-b")
    seen = Exposure("x-1", PEOPLE["ana2"].id, "t1-a", kind, "s1", at(said, **later))  # type: ignore[arg-type]
    store.labels.expose([seen])
    assert len(store.labels.blind_heads(SIX.id, 1)) == 2
    link(store, "ana", "ana2")
    assert {one.trace_id for one in store.labels.blind_heads(SIX.id, 1)} == {"t1-b"} | (
        {"t1-a"} if blind else set()
    )
    (head,) = store.labels.heads(trace_id="t1-a")
    assert head.condition == ("blind" if blind else kind)
    assert store.labels.find(said.id) == said  # what was said stays as it was said


def test_an_own_reveal_after_the_label_leaves_it_blind(store: Store) -> None:
    say(store, "t1-a")
    show(store, "t1-a")
    link(store, "ana", "ana2")
    assert len(store.labels.blind_heads(SIX.id, 1)) == 1


def test_what_is_shown_under_the_other_id_once_they_are_linked_comes_after_the_label(store: Store) -> None:
    """A minute later, well within what clocks differ: the two were linked and the label stood already."""
    id = put(store, session(["x"]))
    suggest(store, id)
    say(store, id)
    link(store, "ana", "ana2")
    view = sitting(store, "ana2").open(0)
    assert [one.mode for one in view.suggestions] == ["other"]
    assert len(store.labels.blind_heads(SIX.id, 1)) == 1
    assert store.labels.heads()[0].condition == "blind"
    assert say(store, id, who="ana2").condition == "suggestion"
    link(store, "ana", "ana2", same=False)  # whoever it was has seen it
    assert say(store, id, who="ana2").condition == "suggestion"


def test_a_time_that_is_none_counts_as_before(store: Store) -> None:
    say(store, "t1-a")
    store.labels.expose([Exposure("x-1", PEOPLE["ana2"].id, "t1-a", "suggestion", "s1", "soon")])
    link(store, "ana", "ana2")
    assert store.labels.blind_heads(SIX.id, 1) == []


# -- several stores ------------------------------------------------------------------------------------

PLAYS = st.lists(
    st.tuples(
        st.sampled_from(["label", "link", "unlink", "show", "retract"]),
        st.sampled_from(["ana", "ana2", "ben"]),
        st.sampled_from(["ana", "ana2", "ben", "cleo"]),
        st.sampled_from("xy"),
    ),
    max_size=8,
)


def play(store: Store, steps: list[tuple[str, str, str, str]]) -> None:
    for kind, who, other, trace in steps:
        if kind in ("link", "unlink"):
            if who != other:
                link(store, who, other, same=kind == "link", by=who)
        elif kind == "show":
            show(store, f"t1-{trace}", who=who)
        elif kind == "label":
            say(store, f"t1-{trace}", who=who, mode="other" if other > "b" else "no_failure")
        else:
            person = store.labels.links.people().person(PEOPLE[who].id)
            heads = store.labels.heads(trace_id=f"t1-{trace}")
            if any(one.annotator == person and one.kind == "label" for one in heads):
                say(store, f"t1-{trace}", "retract", who=who)


def counted(store: Store) -> tuple[People, set[tuple[str, str, str]], set[str], list[Any], list[Any]]:
    heads, blind = store.labels.heads(), store.labels.blind_heads(SIX.id, 1)
    found = {(one.id, one.annotator, str(one.condition)) for one in heads}
    gold = sorted((trace, one.status) for trace, one in golds(heads, blind).items())
    return store.labels.links.people(), found, {one.id for one in blind}, conflicts(store), gold


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(a=PLAYS, b=PLAYS, c=PLAYS)
def test_merging_is_commutative_associative_and_idempotent(
    tmp_path: Path, a: list[Any], b: list[Any], c: list[Any]
) -> None:
    folder = tmp_path / f"{next(NUMBERS)}"
    folder.mkdir()
    paths = {}
    for name, steps in (("a", a), ("b", b), ("c", c)):
        paths[name] = folder / f"{name}.db"
        with Store.open(paths[name], create=True) as one:
            play(one, steps)
    orders = (
        ("a", "b", "c"),
        ("c", "b", "a"),
        ("b", "c", "a", "b", "c"),
        (("a", "b"), "c"),
        ("a", ("c", "b")),
    )
    found = []
    for order in orders:
        with Store.open(folder / f"m{next(NUMBERS)}.db", create=True) as whole:
            for part in order:
                if isinstance(part, tuple):
                    with Store.open(folder / f"p{next(NUMBERS)}.db", create=True) as inner:
                        for name in part:
                            inner.merge(paths[name], now=now())
                    whole.merge(inner.path, now=now())
                else:
                    whole.merge(paths[part], now=now())
            found.append(counted(whole))
    assert all(one == found[0] for one in found)


def test_a_crafted_link_is_taken_and_can_be_answered(store: Store, tmp_path: Path) -> None:
    """Nobody can prove who said it; it is listed, and a word against it made in view of it stands."""
    say(store, "t1-a")
    suggest(store, "t1-a")
    with Store.open(tmp_path / "other.db", create=True) as other:
        link(other, "ana", "ben")
    store.merge(other.path, now=now())
    assert store.labels.links.people().ids(ANA) == (ANA, PEOPLE["ben"].id)
    link(store, "ana", "ben", same=False)
    store.merge(other.path, now=now())
    assert store.labels.links.people().groups == {}
