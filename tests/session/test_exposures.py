"""What is shown is on the disk before it is shown, and stays what a later label is counted by."""

import json
import sqlite3
from collections.abc import Callable

import pytest

from reviewer import settings
from reviewer.errors import StoreBusy
from reviewer.label import Decision, Evidence
from reviewer.store import Store, connection
from reviewer.study.agreement import agreement
from reviewer.trace import Outcome
from tests.conftest import SAMPLES, Ran
from tests.desks import settling, shown, sitting
from tests.history import SIX, put, say, session, suggest

GRADED = Outcome(passed=False, expected_state={"a": 1})


def test_opening_records_outcome_expected_state_and_siblings(store: Store) -> None:
    one = put(store, session(["a"], "one", task_id="t7", benchmark="b"), GRADED)
    other = put(store, session(["a"], "two", task_id="t7", benchmark="b"))
    suggest(store, one)
    at = sitting(store)
    assert shown(store, one) == set()
    view = at.open(0)
    assert [info.trace_id for info, _ in view.siblings] == [other]
    assert shown(store, one) == {"outcome", "expected_state", "sibling", "facts"}
    assert shown(store, other) == set()
    assert shown(store, one, "ben") == set()
    assert at.label(0, Decision("other")).condition == "blind"


def test_an_outcome_without_an_answer_is_none(store: Store) -> None:
    id = put(store, session(["a"]), Outcome())
    sitting(store).open(0)
    assert shown(store, id) == {"facts"}


def test_assisted_work_records_the_suggestion_before_it_is_given_out(store: Store) -> None:
    id = put(store, session(["a"]))
    made = suggest(store, id)
    at = sitting(store, blind=False)
    assert [one.id for one in at.open(0).suggestions] == [made.id]
    assert shown(store, id) == {"suggestion", "facts"}
    saved = at.label(0, Decision("other"))
    assert (saved.condition, saved.shown) == ("suggestion", (made.id,))


def test_blind_work_records_it_when_the_label_is_in(store: Store) -> None:
    id = put(store, session(["a"]))
    suggest(store, id)
    at = sitting(store)
    view = at.open(0)
    assert (view.withheld, view.suggestions, shown(store, id)) == (True, (), {"facts"})
    assert at.label(0, Decision("other")).condition == "blind"
    assert at.open(0).suggestions
    assert shown(store, id) == {"suggestion", "facts"}
    assert at.label(0, Decision("no_failure")).condition == "suggestion"


@pytest.mark.parametrize("status", ["abstained", "refused", "failed", "malformed", "truncated"])
def test_that_there_is_no_suggestion_is_none(store: Store, status: str) -> None:
    id = put(store, session(["a"]))
    suggest(store, id, "", status=status, reason="too little to go by")
    at = sitting(store, blind=False)
    assert len(at.open(0).suggestions) == 1
    assert shown(store, id) == {"facts"}
    assert at.label(0, Decision("other")).condition == "blind"


def test_an_abstention_that_says_where_to_start_is_shown_like_a_suggestion(store: Store) -> None:
    id = put(store, session(["a", "b"]))
    made = suggest(store, id, "", status="abstained", reason="Start at step 2: it ends there", step_n=2)
    at = sitting(store)
    assert (at.open(0).withheld, at.open(0).suggestions, shown(store, id)) == (True, (), {"facts"})
    helped = sitting(store, "ben", blind=False)
    assert [one.id for one in helped.open(0).suggestions] == [made.id]
    assert shown(store, id, "ben") == {"suggestion", "facts"}
    saved = helped.label(0, Decision("other"))
    assert (saved.condition, saved.shown) == ("suggestion", (made.id,))
    assert at.label(0, Decision("other")).condition == "blind"
    found = agreement(store, SIX, 1)
    assert (len(found.pairs), len(found.assisted), found.suggesters) == (0, 1, ())
    assert at.open(0).suggestions  # revealed: from now on she has seen it, too
    assert at.label(0, Decision("no_failure")).condition == "suggestion"
    assert [(one.annotator, one.mode) for one in store.labels.blind_heads(SIX.id, 1)] == [("a1-ana", "other")]


def test_a_quote_of_an_abstention_leads_as_well(store: Store) -> None:
    id = put(store, session(["so it is"]))
    suggest(store, id, "", status="abstained", evidence=(Evidence(1, "so it is", "", True),))
    at = sitting(store, blind=False)
    at.open(0)
    assert at.label(0, Decision("other")).condition == "suggestion"


def test_coming_back_blind_after_having_seen_it_is_not_blind(store: Store) -> None:
    id = put(store, session(["a"]))
    suggest(store, id)
    sitting(store, blind=False).open(0)  # looks, labels nothing, quits
    with Store.open(store.path) as later:
        at = sitting(later)
        view = at.open(0)
        assert (view.withheld, view.condition) == (True, "suggestion")
        assert at.label(0, Decision("other")).condition == "suggestion"
        assert later.labels.blind_heads("six-modes", 1) == []
        assert sitting(later, "ben").open(0).condition == "blind"


@pytest.mark.parametrize("blind", [True, False])
def test_what_cannot_be_recorded_is_not_shown(
    store: Store, monkeypatch: pytest.MonkeyPatch, blind: bool
) -> None:
    id = put(store, session(["a"]), GRADED)
    suggest(store, id)
    at = sitting(store, blind=blind)
    monkeypatch.setattr(connection, "WAIT", 0.05)
    with sqlite3.connect(store.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            at.open(0)
        other.execute("ROLLBACK")
    assert shown(store, id) == set()
    at.open(0)
    assert "outcome" in shown(store, id)


def test_looking_twice_is_recorded_once(store: Store) -> None:
    id = put(store, session(["a"]), GRADED)
    at = sitting(store)
    at.open(0)
    at.open(0)
    assert len(store.history.exposures()) == 3
    assert shown(store, id) == {"outcome", "expected_state", "facts"}


def test_what_others_said_is_recorded_before_a_lead_reads_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = put(store, session(["a"]))
    suggest(store, id)
    mine, theirs = say(store, id), say(store, id, mode="no_failure", who="ben")
    noted = say(store, id, "note", who="ben", note="hm")
    at = settling(store)
    assert len(at.cases) == 1
    monkeypatch.setattr(connection, "WAIT", 0.05)
    with sqlite3.connect(store.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            at.open(0)
        other.execute("ROLLBACK")
    view = at.open(0)
    assert (view.suggestions, view.withheld) == ((), False)
    read = {("peers", one.id) for one in (mine, theirs, noted)}
    assert store.labels.exposures("a1-lea", id) == read | {("facts", "summary page")}


def test_a_lead_with_a_label_of_their_own_is_not_shown_the_suggestion_either(store: Store) -> None:
    id = put(store, session(["a"]))
    suggest(store, id)
    say(store, id, who="ben")
    sitting(store, "lea").label(0, Decision("no_failure"))
    view = settling(store).open(0)
    assert (view.suggestions, view.withheld, view.labels, view.note) == ((), False, (), "")


def test_a_list_for_somebody_records_the_grades_that_stand_in_it(reviewer: Callable[..., Ran]) -> None:
    reviewer("import", SAMPLES)
    settings.identity("ben")
    listed = json.loads(reviewer("traces", "--as", "ben", "--failed", "--json").out)
    rest = json.loads(reviewer("traces", "--json").out)
    graded = {row["id"] for row in listed}
    assert 0 < len(graded) < len(rest)
    with Store.open(settings.store_path(None)) as store:
        for name, wanted in (("ben", graded), ("ana", set())):
            me = settings.identity(name)[0]
            told = {row["id"] for row in rest if ("outcome", "list") in store.labels.exposures(me, row["id"])}
            assert told == wanted


def test_a_list_for_nobody_in_particular_records_nothing(reviewer: Callable[..., Ran]) -> None:
    reviewer("import", SAMPLES)
    reviewer("traces", "--failed")
    with Store.open(settings.store_path(None)) as store:
        assert list(store.history.exposures()) == []
