"""The treasure: events are append-only, conditions are worked out by the store, undo is an event."""

import sqlite3
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.errors import LabelRefused, StoreDamaged
from reviewer.label import EventKind, Exposure, LabelEvent
from reviewer.store import Store

NUMBERS = count()
TRACE = "t1-" + "a" * 32
AT = "2026-01-01T00:00:00Z"


def event(
    kind: EventKind = "label", mode: str = "", who: str = "ana", trace: str = TRACE, **more: object
) -> LabelEvent:
    made = LabelEvent(
        *(f"e{next(NUMBERS)}", kind, trace, who, AT, "test", "test"),
        taxonomy="tax",
        taxonomy_hash="h",
        mode=mode,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def undo(store: Store, who: str = "ana") -> LabelEvent | None:
    again = lambda old: replace(old, id=f"u{next(NUMBERS)}", origin="undo")  # noqa: E731
    return store.labels.undo((who, "tax", 1), again)


def current(store: Store, who: str = "ana") -> list[str]:
    return [e.mode for e in store.labels.heads("tax", 1) if e.annotator == who and e.kind == "label"]


def blind(store: Store, who: str = "ana") -> list[str]:
    return [e.mode for e in store.labels.blind_heads("tax", 1) if e.annotator == who]


def expose(store: Store, kind: str = "suggestion", who: str = "ana") -> None:
    store.labels.expose([Exposure(f"x{next(NUMBERS)}", who, TRACE, kind, "s1", AT)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET mode = 'other'",
        "DELETE FROM events",
        "REPLACE INTO events SELECT * FROM events",
        "INSERT INTO events SELECT * FROM events",
        "UPDATE supersedes SET old = 'x'",
        "DELETE FROM supersedes",
        "DELETE FROM exposures",
    ],
)
def test_no_sql_reaches_what_was_said(store: Store, sql: str) -> None:
    store.labels.record(event(mode="a"))
    store.labels.record(event(mode="b"))
    expose(store)
    with sqlite3.connect(store.path) as other, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute(sql)
    assert [e.mode for e in store.labels.events()] == ["a", "b"]


@pytest.mark.parametrize("change", ["DROP TRIGGER events_no_update", "DROP TRIGGER supersedes_no_delete"])
def test_a_store_without_its_guards_is_refused(store: Store, change: str) -> None:
    with sqlite3.connect(store.path) as other:
        other.execute(change)
    with pytest.raises(StoreDamaged, match="guard"):
        Store.open(store.path)


def test_a_known_id_is_refused_and_nothing_changes(store: Store) -> None:
    first = store.labels.record(event(mode="a"))
    with pytest.raises(LabelRefused, match=first.id):
        store.labels.record(replace(event(mode="b"), id=first.id))
    assert current(store) == ["a"]


def test_a_label_supersedes_the_one_before_and_says_so(store: Store) -> None:
    first = store.labels.record(event(mode="a"))
    second = store.labels.record(event(mode="b"))
    assert second.supersedes == (first.id,)
    assert current(store) == ["b"]
    assert store.labels.events()[1] == second


def test_people_rounds_and_taxonomies_do_not_supersede_each_other(store: Store) -> None:
    store.labels.record(event(mode="a"))
    store.labels.record(event(mode="b", who="ben"))
    store.labels.record(event(mode="c", round=2))
    store.labels.record(event(mode="d", taxonomy="other"))
    store.labels.record(event("adjudicate", mode="e"))
    assert [e.supersedes for e in store.labels.events()] == [()] * 5


def test_two_current_labels_of_one_person_are_kept_until_settled(store: Store) -> None:
    with store.write():
        store.labels.insert(event(mode="a", condition="blind"))
        store.labels.insert(event(mode="b", condition="blind"))
    assert current(store) == ["a", "b"]
    settled = store.labels.record(event(mode="c"))
    assert len(settled.supersedes) == 2
    assert current(store) == ["c"]


def test_the_condition_is_what_was_shown_before(store: Store) -> None:
    assert store.labels.record(event(mode="a", condition="peers")).condition == "blind"
    expose(store, "outcome")
    assert store.labels.record(event(mode="a")).condition == "blind"
    expose(store)
    saved = store.labels.record(event(mode="b", condition="blind"))
    assert (saved.condition, saved.shown) == ("suggestion", ("s1",))
    expose(store, "peers")
    assert store.labels.record(event(mode="c")).condition == "peers"
    assert store.labels.record(event(mode="c", who="ben")).condition == "blind"


def test_agreement_counts_the_blind_label_although_a_later_one_was_assisted(store: Store) -> None:
    store.labels.record(event(mode="a"))
    store.labels.record(event(mode="b"))
    expose(store)
    store.labels.record(event(mode="c"))
    assert (current(store), blind(store)) == (["c"], ["b"])


def test_a_retraction_takes_the_blind_label_out_too(store: Store) -> None:
    store.labels.record(event(mode="a"))
    expose(store)
    store.labels.record(event(mode="b"))
    store.labels.record(event("retract"))
    assert (current(store), blind(store)) == ([], [])
    with pytest.raises(LabelRefused, match="nothing of yours"):
        store.labels.record(event("retract"))


def test_undo_walks_back_and_leaves_every_event(store: Store) -> None:
    for mode in "abc":
        store.labels.record(event(mode=mode))
    store.labels.record(event("note", note="hm"))
    store.labels.record(event(mode="z", who="ben"))
    seen = []
    while undo(store):
        seen.append(current(store))
    assert seen == [["c"], ["b"], ["a"], []]
    assert current(store, "ben") == ["z"]
    assert len(store.labels.events()) == 5 + 4
    assert not [e for e in store.labels.heads("tax", 1) if e.annotator == "ana"]


def test_undo_of_a_retraction_and_of_a_flag(store: Store) -> None:
    store.labels.record(event(mode="a"))
    store.labels.record(event("retract"))
    undo(store)
    assert current(store) == ["a"]
    store.labels.record(event("flag"))
    store.labels.record(event("unflag"))
    undo(store)
    assert [e.kind for e in store.labels.heads("tax", 1)] == ["label", "flag"]


def test_an_assisted_relabel_that_is_undone_restores_the_label_but_not_its_blindness(store: Store) -> None:
    store.labels.record(event(mode="a"))
    expose(store)
    store.labels.record(event(mode="b"))
    restored = undo(store)
    assert restored is not None
    assert (restored.mode, restored.condition) == ("a", "suggestion")
    assert (current(store), blind(store)) == (["a"], ["a"])


STEPS = st.lists(st.sampled_from(["a", "b", "clear", "undo", "note", "flag", "seen"]), max_size=14)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_history_only_grows_and_undoing_everything_leaves_no_label(tmp_path: Path, steps: list[str]) -> None:
    path = tmp_path / f"{next(NUMBERS)}.db"
    with Store.open(path, create=True) as store:
        before: list[LabelEvent] = []
        for step in steps:
            if step == "undo":
                undo(store)
            elif step == "seen":
                expose(store)
            elif step == "clear":
                if current(store):
                    store.labels.record(event("retract"))
            elif step in ("note", "flag"):
                store.labels.record(event(step, note="n"))  # type: ignore[arg-type]
            else:
                store.labels.record(event(mode=step))
            after = store.labels.events()
            assert after[: len(before)] == before
            assert len(current(store)) <= 1
            before = after
        for _ in range(len(before) + 1):
            undo(store)
        assert undo(store) is None
        assert current(store) == []
