"""Full text over all traces: filled in batches, after a stop gone on with, asked by words and phrases."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.store import Store, schema
from reviewer.store.fulltext import BATCH_STEPS
from reviewer.trace import Result, Step, ToolCall, Trace, TraceInfo

NOW = "2026-01-01T00:00:00Z"


def trace(name: str, *messages: str, records: bytes = b"", revision: str = "") -> Trace:
    steps = tuple(
        Step(
            n,
            "agent",
            text,
            source_ids=(f"s{n}",),
            calls=(ToolCall("bash", {"command": f"cat part_{n}.py"}),),
        )
        for n, text in enumerate(messages, 1)
    )
    info = TraceInfo(f"t1-{name}", f"hash {name}{revision}", "plain", n_steps=len(steps))
    return Trace(info, steps, records=records)


def put(store: Store, *traces: Trace) -> None:
    with store.write():
        for one in traces:
            store.traces.put(one, now=NOW)


def filled(store: Store) -> Store:
    while store.fulltext.fill():
        pass
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "reviews.db", create=True)


def found(store: Store, asked: str) -> list[tuple[str, int]]:
    return [(hit.trace_id, hit.n) for hit in store.fulltext.find(asked)]


def test_words_and_phrases_are_found_where_they_stand(store: Store) -> None:
    put(store, trace("a", "the Harbour is closed", "closed it is"), trace("b", "the harbour opened"))
    assert store.fulltext.pending() == 3
    filled(store)
    assert store.fulltext.pending() == 0
    assert found(store, "harbour") == [("t1-b", 1), ("t1-a", 1)]
    assert found(store, "closed harbour") == [("t1-a", 1)]
    assert found(store, '"is closed"') == [("t1-a", 1)]
    assert found(store, '"closed is"') == []
    assert found(store, "part_2.py") == [("t1-a", 2)]


@pytest.mark.parametrize("asked", ["", '"', "* OR", "NEAR(", "-", "a^b:c", "\ud800", "(", "\x00"])
def test_anything_may_be_asked(store: Store, asked: str) -> None:
    put(store, trace("a", "words"))
    assert isinstance(found(filled(store), asked), list)


def test_scripts_without_spaces_are_found_in_parts(store: Store) -> None:
    put(store, trace("a", "予約を変更できませんでした"))
    assert found(filled(store), "変更") == [("t1-a", 1)]
    assert found(store, "更変") == []


def test_results_are_found_and_lone_surrogates_do_no_harm(store: Store) -> None:
    step = Step(1, "agent", "\udcff", results=(Result("no such table: berths"),), source_ids=("s",))
    info = TraceInfo("t1-c", "h", "plain", n_steps=1)
    put(store, Trace(info, (step,)))
    assert found(filled(store), '"no such table"') == [("t1-c", 1)]


def test_a_long_trace_is_filled_over_several_transactions(store: Store) -> None:
    put(store, trace("long", *(f"word{n}" for n in range(2 * BATCH_STEPS + 3))))
    rounds = 0
    while store.fulltext.fill(0):
        rounds += 1
        assert rounds < 10
    assert rounds == 2
    assert found(store, f"word{2 * BATCH_STEPS + 2}") == [("t1-long", 2 * BATCH_STEPS + 3)]


def test_a_session_that_grew_is_found_once(store: Store) -> None:
    put(store, trace("s", "first words", records=b"12345678"))
    filled(store)
    put(store, trace("s", "first words", "later words", records=b"1234567887654321", revision="2"))
    assert store.fulltext.pending() == 2
    filled(store)
    assert found(store, "words") == [("t1-s", 2), ("t1-s", 1)]


def test_a_store_of_the_first_release_gets_its_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.db"
    with monkeypatch.context() as patch:
        patch.setattr(schema, "VERSION", 1)
        with Store.open(path, create=True) as old:
            put(old, trace("a", "the harbour"))
    with Store.open(path) as store:
        assert found(filled(store), "harbour") == [("t1-a", 1)]
    assert (tmp_path / f"old.db.before-{schema.VERSION}").exists()


def test_a_copy_of_before_an_earlier_upgrade_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody put a backup of an old store back in its place."""
    path, copy = tmp_path / "old.db", tmp_path / f"old.db.before-{schema.VERSION}"
    copy.write_text("kept")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "VERSION", 1)
        Store.open(path, create=True).close()
    Store.open(path).close()
    assert copy.read_text() == "kept"
    assert copy.with_name(f"{copy.name}-2").stat().st_size > 0
