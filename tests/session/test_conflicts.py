"""Two current labels of one person: they count nowhere, blind stays blind, a new label settles it."""

import json
from collections.abc import Callable

import pytest

from reviewer import settings
from reviewer.label import Decision
from reviewer.store import Store
from reviewer.study.agreement import agreement
from reviewer.study.conflicts import conflicts
from reviewer.study.current import current
from reviewer.study.disagreements import cases
from reviewer.study.rows import labelled_traces
from tests.conftest import Ran
from tests.desks import shown, sitting, torn
from tests.history import SIX, event, put, say, session, suggest


@pytest.fixture
def trace(store: Store) -> str:
    """A trace with a suggestion, two labels of ana's that exclude each other, and one of ben's."""
    id = put(store, session(["a", "b"]))
    suggest(store, id)
    torn(store, id, "other", "no_failure")
    say(store, id, mode="other", who="ben")
    return id


def test_it_is_one_conflict_of_one_person(store: Store, trace: str) -> None:
    (found,) = conflicts(store, SIX.id)
    assert (found.trace_id, found.annotator, found.kind) == (trace, "a1-ana", "label")
    assert {event.mode for event in found.events} == {"other", "no_failure"}
    assert conflicts(store, "another") == []
    assert conflicts(store) == [found]


def test_people_kinds_and_rounds_do_not_conflict_with_each_other(store: Store) -> None:
    say(store, "t1-a")
    say(store, "t1-a", mode="no_failure", who="ben")
    say(store, "t1-a", mode="no_failure", round=2)
    say(store, "t1-a", "adjudicate", "no_failure")
    say(store, "t1-a", "note", note="hm")
    assert conflicts(store) == []


def test_a_conflict_is_in_no_number(store: Store, trace: str) -> None:
    found = agreement(store, SIX, 1)
    assert (found.pairs, found.assisted, found.conflicts) == ((), (), 1)
    assert found.all.n == 0
    assert [one.n_blind for one in found.suggesters] == [1]  # ben's
    assert [event.annotator for event in current(store, SIX, 1).blind] == ["a1-ben"]
    assert [row.gold.status for row in labelled_traces(store, SIX, 1)] == ["conflict"]
    assert [row.gold.decision for row in labelled_traces(store, SIX, 1)] == [None]
    assert [case.gold.status for case in cases(store, SIX, 1)] == ["conflict"]


def test_labels_of_the_same_mode_are_a_conflict_as_well(store: Store) -> None:
    id = put(store, session(["a"]))
    torn(store, id, "other", "other")
    say(store, id, who="ben")
    assert agreement(store, SIX, 1).pairs == ()
    assert next(labelled_traces(store, SIX, 1)).gold.status == "conflict"


def test_blind_work_shows_no_suggestion_until_the_conflict_is_settled(store: Store, trace: str) -> None:
    view = sitting(store).open(0)
    assert (view.withheld, view.suggestions, view.condition) == (True, (), "blind")
    assert (view.label, len(view.labels), view.item.done) == (None, 2, "conflict")
    assert "suggestion" not in shown(store, trace)


def test_a_new_label_settles_it_and_is_blind(store: Store, trace: str) -> None:
    at = sitting(store)
    at.open(0)
    saved = at.label(0, Decision("other"))
    assert (saved.condition, len(saved.supersedes)) == ("blind", 2)
    assert conflicts(store) == []
    (pair,) = agreement(store, SIX, 1).pairs
    assert pair.items == [(trace, "other", "other")]
    assert next(labelled_traces(store, SIX, 1)).gold.status == "unanimous"
    after = at.open(0)
    assert (after.item.done, after.withheld, len(after.suggestions)) == ("labelled", False, 1)


def test_who_had_seen_the_suggestion_settles_it_assisted(store: Store, trace: str) -> None:
    sitting(store, blind=False).open(0)
    at = sitting(store)
    assert at.label(0, Decision("other")).condition == "suggestion"
    assert conflicts(store) == []
    assert agreement(store, SIX, 1).pairs == ()  # which of the two blind ones was meant is not known


def test_nobody_else_settles_it(store: Store, trace: str) -> None:
    sitting(store, "ben").label(0, Decision("no_failure"))
    assert len(conflicts(store)) == 1


def test_a_conflict_of_a_lead_over_adjudications_leaves_their_blind_label_alone(store: Store) -> None:
    id = put(store, session(["a"]))
    say(store, id)
    say(store, id, who="ben")
    with store.write():
        for mode in ("other", "no_failure"):
            store.labels.insert(event(id, "adjudicate", mode, condition="peers"))
    assert [one.kind for one in conflicts(store)] == ["adjudicate"]
    (pair,) = agreement(store, SIX, 1).pairs
    assert pair.found.n == 1


def test_the_command_line_tells_of_it(store: Store, trace: str, reviewer: Callable[..., Ran]) -> None:
    ran = reviewer("agreement")
    assert "1 label in conflict, left out until settled" in ran.out
    (row,) = map(json.loads, reviewer("export", "jsonl").out.splitlines())
    assert (row["status"], row["gold"]) == ("conflict", None)
    settings.identity("nobody")
    assert json.loads(reviewer("traces", "--as", "nobody", "--json").out)[0]["label"] is None
