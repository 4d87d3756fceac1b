"""Assignments and groups of notes travel with a merge: whoever merges whom, how often; nothing is trusted."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import LabelRefused
from reviewer.store import Store
from reviewer.store.assignments import Assignment, Draw
from reviewer.store.codes import Code
from tests.history import NUMBERS, now, put, session
from tests.store.test_merge import copied, new


def studied(store: Store, *people: str) -> list[Assignment]:
    trace = put(store, session(["x"]))
    draw = Draw(f"d{next(NUMBERS)}", "new", 1, {"seed": "a", "annotators": []}, now())
    made = [
        Assignment(f"i{next(NUMBERS)}", draw.id, trace, who, 1, 0, True, "big \ud800", 0.25) for who in people
    ]
    store.assignments.add(draw, made, len(store.assignments.all(1)))
    return made


def known(store: Store) -> dict[str, Any]:
    return {
        "draws": sorted(store.assignments.draws(), key=lambda one: one.id),
        "assignments": sorted(store.assignments.all(), key=lambda one: one.id),
        "codes": store.codes.all(),
    }


def test_merging_commutes_and_a_second_time_changes_nothing(tmp_path: Path) -> None:
    with new(tmp_path) as one, new(tmp_path) as two:
        studied(one, "a1-ana", "name:ben")
        studied(two, "a1-cem")
        one.codes.put([Code("e1", "old", "a1-ana", "2026-01-01"), Code("e2", "alone", "a1-ana", "2026")])
        two.codes.put([Code("e1", "new", "a1-cem", "2026-01-02")])
        with copied(one) as left, copied(two) as right:
            received = left.merge(two.path, now=now())
            right.merge(one.path, now=now())
            assert known(left) == known(right)
            assert received.counts["assignments"].new == received.counts["draws"].new == 1
            assert left.codes.all()["e1"].code == "new"
            before = known(left)
            again = left.merge(right.path, now=now())
            assert known(left) == before and not again.lost
            assert again.counts["assignments"].known == 3 and not again.counts["codes"].new


def test_what_would_change_an_assignment_is_refused(tmp_path: Path) -> None:
    with new(tmp_path) as one:
        (made, *_) = studied(one, "a1-ana")
        with copied(one) as two:
            with two.write():
                two._connection.db.execute("UPDATE assignments SET annotator = 'a1-mallory'")
            received = one.merge(two.path, now=now())
            assert received.lost and "another content" in received.refused[0].reason
            assert [kept.annotator for kept in one.assignments.all()] == [made.annotator]
            with pytest.raises(LabelRefused), one.write():
                one.assignments.receive(two.assignments.all()[0])


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("UPDATE assignments SET blind = 7", "assignments"),
        ("UPDATE assignments SET probability = 9e999", "assignments"),
        ("UPDATE assignments SET probability = 0", "assignments"),
        ("UPDATE assignments SET round = 0", "assignments"),
        ("UPDATE assignments SET annotator = 'name:a' || char(10) || 'b'", "assignments"),
        ("UPDATE assignments SET annotator = 'name:'", "assignments"),
        ("UPDATE assignments SET place = -1", "assignments"),
        ("UPDATE assignments SET trace_id = 'a b'", "assignments"),
        ("UPDATE draws SET settings = '{'", "draws"),
        ("UPDATE draws SET settings = '[1]'", "draws"),
        ("UPDATE draws SET round = 0", "draws"),
        ("UPDATE codes SET event = ''", "codes"),
        ("UPDATE codes SET code = hex(zeroblob(500))", "codes"),
    ],
)
def test_a_row_that_cannot_be_used_costs_itself(tmp_path: Path, change: str, kind: str) -> None:
    with new(tmp_path) as one:
        studied(one, "a1-ana")
        one.codes.put([Code("e1", "loops", "a1-ana", now())])
        path = one.path
    with sqlite3.connect(path) as db:
        db.execute(change)
    with new(tmp_path) as two:
        received = two.merge(path, now=now())
        assert [refusal.kind for refusal in received.refused] == [kind]
        counts = {name: received.counts[name].new for name in ("draws", "assignments", "codes")}
        assert counts == {name: int(name != kind) for name in counts}


def test_where_two_draws_meet_a_trace_stands_once_in_a_queue_and_blind_if_either_says_so(
    store: Store,
) -> None:
    studied(store, "a1-ana")
    trace = store.assignments.all()[0].trace_id
    draw = Draw("d-other", "new", 1, {}, now())
    with store.write():
        store.assignments.receive_draw(draw)
        store.assignments.receive(Assignment("i-0", "d-other", trace, "a1-ana", 1, 0, False, "", 1.0))
    (one,) = store.assignments.of(["a1-ana"], 1)
    assert one.blind
