"""What an adjudication rests on: other labels make it stale, their return does not; who settled their own."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.label import LabelEvent
from reviewer.study.basis import mark, overrides, own, stale
from reviewer.study.gold import gold
from tests.history import event


def label(who: str, mode: str = "other", **more: Any) -> LabelEvent:
    return event("t1-a", "label", mode, who, condition="blind", **more)


def over(
    labels: list[LabelEvent], *, mine: bool = False, mode: str = "other", who: str = "ana"
) -> LabelEvent:
    return event("t1-a", "adjudicate", mode, who, condition="peers", assignment=mark(labels, own=mine))


ONE, TWO = label("ana"), label("ben", "no_failure")


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ([ONE, TWO], False),
        ([TWO, ONE], False),  # in whichever order they came
        ([ONE, label("ben", "no_failure")], True),  # the same said again is said anew
        ([ONE], True),
        ([], True),
        ([ONE, TWO, label("ben")], True),
        ([ONE, replace(TWO, id="u1", restores=TWO.id)], False),  # an undo brought it back
    ],
    ids=["same", "order", "relabelled", "taken back", "all taken back", "a new one", "undone"],
)
def test_an_adjudication_is_stale_when_its_labels_are_others(now: list[LabelEvent], changed: bool) -> None:
    made = over([ONE, TWO])
    found = gold([*now, made], ())
    assert (found.status, found.stale, found.settled_by) == ("adjudicated", changed, "person")
    assert found.decision is not None
    assert found.decision.mode == "other"  # gold stays, marked


def test_one_adjudication_made_anew_is_enough() -> None:
    fresh = over([ONE], who="ben")
    assert not gold([ONE, over([ONE, TWO]), fresh], ()).stale
    assert gold([ONE, over([ONE, TWO])], ()).stale


@pytest.mark.parametrize("assignment", ["", "a7", "order:disagreement/random"])
def test_an_adjudication_without_a_mark_is_never_called_stale(assignment: str) -> None:
    made = replace(over([ONE, TWO]), assignment=assignment)
    assert (stale(made, []), own(made)) == (False, False)


def test_own_stands_in_the_event_and_goes_when_a_third_person_settles_it_too() -> None:
    mine = over([ONE, TWO], mine=True)
    assert own(mine)
    assert not stale(mine, [ONE, TWO])
    assert gold([ONE, TWO, mine], ()).own
    assert not gold([ONE, TWO, mine, over([ONE, TWO], who="ben")], ()).own
    assert not own(replace(ONE, assignment=mark([ONE], own=True)))  # a label settles nothing


def test_a_unanimous_trace_is_settled_by_rule_and_no_event_is_made_for_it() -> None:
    heads = [label("ana"), label("ben")]
    found = gold(heads, heads)
    assert (found.settled_by, found.stale, found.own) == ("rule", False, False)
    assert set(found.events) == {one.id for one in heads}
    assert gold([ONE], [ONE]).settled_by == ""


@given(st.sets(st.text("abc123", min_size=1), max_size=5), st.sets(st.text("abc123", min_size=1), max_size=5))
def test_a_mark_tells_two_sets_of_labels_apart(these: set[str], those: set[str]) -> None:
    first, second = ([replace(ONE, id=id) for id in ids] for ids in (these, those))
    assert (mark(first) == mark(second)) is (these == those)
    assert " " not in mark(first, own=True)  # a label file takes words only


def test_a_mode_overrides_everybody_only_where_somebody_said_something() -> None:
    assert overrides("task_broken", [ONE, TWO])
    assert not overrides("no_failure", [ONE, TWO])
    assert not overrides("other", [])
