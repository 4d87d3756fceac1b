"""The decisive step is a step and not a number: it is found again where a session that grew has it."""

from dataclasses import replace

import pytest

from reviewer.errors import InputError, LabelRefused
from reviewer.label import Annotator, Decision
from reviewer.store import Store
from reviewer.trace import Step, Trace, digest, record_hashes, renumbered
from tests.desks import desk, settling, sitting
from tests.history import PEOPLE, put, say, session

OLD = session(["a", "b", "c"])


def grown() -> Trace:
    """The same session with one more record, and a summary page of it that our importer now shows first."""
    more = session(["a", "b", "c", "d"])
    first = Step(0, "system", "resumed", source_ids=("resumed",))
    steps = renumbered([first, *more.steps])
    return replace(more, steps=steps, info=replace(more.info, n_steps=len(steps)))


def test_a_step_is_pinned_by_its_own_id(store: Store) -> None:
    id = put(store, OLD)
    pinned = desk(store).pinned(id, Decision("other", step_n=2))
    assert (pinned.step_n, pinned.step_source) == (2, "b")
    assert desk(store).pinned(id, Decision("other")).step_source == ""
    known = Decision("other", step_n=9, step_source="b")
    assert desk(store).pinned(id, known) == known


@pytest.mark.parametrize("n", [-1, 0, 4, 10**12])
def test_a_step_that_is_not_there_is_refused_and_nothing_is_saved(store: Store, n: int) -> None:
    put(store, OLD)
    at = sitting(store)
    with pytest.raises(InputError, match="no step"):
        at.label(0, Decision("other", step_n=n))
    assert store.labels.events() == []


@pytest.mark.parametrize(
    ("mode", "other", "said"),
    [
        ("no_failure", "tool_misuse", "no_failure is no failure"),
        ("other", "no_failure", "no_failure is no failure"),
        ("cannot_tell", "other", "cannot_tell is no failure"),
    ],
)
def test_a_secondary_mode_is_what_else_failed(store: Store, mode: str, other: str, said: str) -> None:
    put(store, session(["a", "b"]))
    sat = sitting(store)
    with pytest.raises(LabelRefused, match=said):
        sat.label(0, Decision(mode, secondary=(other,)))
    assert store.labels.events() == []
    assert sat.label(0, Decision("other", secondary=("tool_misuse",))).secondary == ("tool_misuse",)


def test_a_session_that_grew_shows_the_mark_where_the_step_is_now(store: Store) -> None:
    id = put(store, OLD)
    saved = sitting(store).label(0, Decision("other", step_n=2))
    assert put(store, grown()) == id
    assert store.traces.info(id).n_steps == 5
    label = sitting(store).open(0).label
    assert label is not None
    assert (label.step_n, label.step_source) == (3, "b")
    assert store.labels.events() == [saved]  # the event itself is as it was said
    assert saved.step_n == 2
    moved = sitting(store).label(0, Decision("other", step_n=label.step_n))
    assert moved.step_source == "b"


def test_a_case_to_settle_shows_the_marks_of_both_where_the_steps_are_now(store: Store) -> None:
    id = put(store, OLD)
    sitting(store).label(0, Decision("other", step_n=1))
    sitting(store, "ben").label(0, Decision("no_failure", step_n=3))
    put(store, grown())
    case = settling(store).open(0).case
    assert case is not None
    assert {(one.mode, one.step_n) for one in case.labels} == {("other", 2), ("no_failure", 4)}
    decided = settling(store).adjudicate(id, Decision("other", step_n=4, reason="rule 1"))
    assert decided.step_source == "c"


@pytest.mark.parametrize(
    ("ana", "ben", "eve", "taken"),
    [(2, 2, None, 2), (2, None, None, 2), (None, 3, None, None), (2, 3, 1, None), (2, 2, 2, 2)],
)
def test_gold_takes_the_one_step_that_those_marked_who_gave_its_mode(
    store: Store, ana: int | None, ben: int | None, eve: int | None, taken: int | None
) -> None:
    id = put(store, OLD)
    PEOPLE["eve"] = Annotator("a1-eve", "eve")
    for who, mode, n in (("ana", "other", ana), ("ben", "tool_misuse", ben), ("eve", "other", eve)):
        sitting(store, who).label(0, Decision(mode, step_n=n))
    decided = settling(store).adjudicate(id, Decision("other", reason="rule 1"))
    assert (decided.step_n, decided.step_source) == (taken, "" if taken is None else "abc"[taken - 1])
    again = settling(store).adjudicate(id, Decision("other", step_n=1, reason="rule 1"))
    assert again.step_n == 1, "who settles it has the last word"


def test_gold_takes_a_step_where_it_stands_now_and_one_that_is_not_here_as_it_was_said(store: Store) -> None:
    id = put(store, OLD)
    sitting(store).label(0, Decision("other", step_n=2))
    say(store, id, mode="no_failure", who="ben", step_n=7, step_source="elsewhere")
    put(store, grown())
    found = settling(store).adjudicate(id, Decision("other", reason="r"))
    assert (found.step_n, found.step_source) == (3, "b")
    found = settling(store).adjudicate(id, Decision("no_failure", reason="r"))
    assert (found.step_n, found.step_source) == (7, "elsewhere")


def test_a_step_that_this_store_does_not_have_keeps_the_number_it_was_said_with(store: Store) -> None:
    id = put(store, OLD)
    say(store, id, step_n=7, step_source="elsewhere")
    label = sitting(store).open(0).label
    assert label is not None
    assert (label.step_n, label.step_source) == (7, "elsewhere")


def test_the_session_of_these_tests_did_grow(store: Store) -> None:
    put(store, OLD)
    with store.write():
        assert store.traces.put(grown(), now="now").kind == "updated"
    assert grown().records.startswith(record_hashes(["a", "b", "c"]))
    assert grown().info.content_hash != digest(["one", ["a", "b", "c"]])
