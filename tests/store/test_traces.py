"""Traces in the store: identity, revisions, bodies that come back as they went in."""

import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.cli import joining
from reviewer.errors import NotFound
from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.trace import (
    Metrics,
    Outcome,
    Result,
    Step,
    ToolCall,
    Trace,
    TraceInfo,
    digest,
    record_hashes,
    renumbered,
    trace_id,
)


def trace(records: list[str], first: str = "one", **more: object) -> Trace:
    """A trace of a growing session: its id rests on `first`, its content on all records."""
    steps = renumbered([Step(0, "user", text, source_ids=(text,)) for text in records])
    info = TraceInfo(trace_id(first), digest(records), "plain", n_steps=len(records), task=records[0])
    return Trace(replace(info, **more), steps, str(records), record_hashes(records))  # type: ignore[arg-type]


def put(store: Store, one: Trace) -> tuple[str, str]:
    with store.write():
        found = store.traces.put(one, now="now")
    return found.kind, found.trace_id


def label(store: Store, one: Trace, **more: object) -> LabelEvent:
    event = LabelEvent(
        "e1", "label", one.info.trace_id, "ana", "now", "test", "test", mode="m", taxonomy_hash="h"
    )
    return store.labels.record(replace(event, **more))  # type: ignore[arg-type]


ODD = Step(
    n=1,
    source="agent",
    message="half a pair \ud83d, NUL \x00, 70 bits",
    reasoning="why\r\n",
    calls=(
        ToolCall("bash", {"n": 1180591620717411303424, "f": float("inf"), "s": "\udcb2"}, "c1"),
        ToolCall("x", None),
    ),
    results=(Result("out\x1b[31m", "c1", error=True, exit_code=1), Result(denied=True)),
    source_ids=("a", "b"),
    number="7",
    kind="notice",
    fault=True,
    at="2026-01-01T00:00:00Z",
    seconds=0.0,
    model="m",
    metrics=Metrics(1, None, 0.5),
    extra={"k": [1, None]},
)


def test_a_step_comes_back_as_it_went_in(store: Store) -> None:
    big = replace(ODD, n=2, message="é" * 700_000)
    one = Trace(replace(trace(["x"]).info, meta={"a": "\ud800"}, tokens_in=2**80), (ODD, big), '{"a": 1e400}')
    put(store, one)
    assert store.traces.trace(one.info.trace_id).steps == (ODD, big)
    assert store.traces.step(one.info.trace_id, 2) == big
    assert store.traces.raw(one.info.trace_id) == '{"a": 1e400}'
    info = store.traces.info(one.info.trace_id)
    assert info.meta == {"a": "\ud800"}
    assert info.tokens_in is None  # beyond 64 bits: never a rounded number


def test_importing_twice_changes_nothing(store: Store) -> None:
    one = trace(["one", "two"])
    assert put(store, one)[0] == "new"
    assert put(store, one)[0] == "unchanged"
    assert len(store.traces.all()) == 1


def test_a_session_that_grew_is_a_revision_and_keeps_what_a_label_refers_to(store: Store) -> None:
    old, new = trace(["one", "two"]), trace(["one", "two", "three"])
    put(store, old)
    saved = label(store, old, step_n=2, step_source="two")
    assert put(store, new) == ("updated", old.info.trace_id)
    assert store.traces.info(old.info.trace_id).n_steps == 3
    assert saved.content_hash == old.info.content_hash != new.info.content_hash
    assert store.traces.step_number(old.info.trace_id, saved.step_source) == 2
    kept = store._connection.db.execute("SELECT DISTINCT revision FROM bodies").fetchall()
    assert kept == [(1,), (2,)]
    assert put(store, old)[0] == "unchanged"  # an older copy of the same session


def test_an_old_revision_without_labels_is_dropped(store: Store) -> None:
    put(store, trace(["one"]))
    put(store, trace(["one", "two"]))
    assert store._connection.db.execute("SELECT DISTINCT revision FROM bodies").fetchall() == [(2,)]


def test_the_same_id_with_other_content_is_a_second_trace(store: Store) -> None:
    one, other = trace(["one", "two"]), trace(["one", "else"])
    put(store, one)
    kind, own = put(store, other)
    assert (kind, own) == ("clash", trace_id([one.info.trace_id, other.info.content_hash]))
    assert put(store, other) == ("unchanged", own)
    assert len(store.traces.all()) == 2


def test_labels_can_come_before_their_trace_and_outlive_it(store: Store) -> None:
    one = trace(["one"])
    label(store, one)
    put(store, one)
    assert [event.mode for event in store.labels.heads()] == ["m"]


def test_a_part_of_an_import_is_whole_or_absent(store: Store) -> None:
    with store.write():
        store.traces.put(trace(["one"]), now="now")
        with pytest.raises(RuntimeError), store.whole():
            store.traces.put(trace(["two"], first="two"), now="now")
            raise RuntimeError
    assert [info.task for info in store.traces.all()] == ["one"]


def test_ids_are_named_by_any_unique_beginning(store: Store) -> None:
    one, other = trace(["one"]), trace(["two"], first="two")
    put(store, one)
    put(store, other)
    full = one.info.trace_id
    assert store.traces.resolve(full[:9]) == store.traces.resolve(full[3:9]) == full
    with pytest.raises(NotFound, match="several"):
        store.traces.resolve("t1-")
    for nobody in ("zz", "'; --", "\x1b", ""):
        with pytest.raises(NotFound):
            store.traces.resolve(nobody)


def test_a_new_grade_is_a_new_outcome_and_not_a_new_trace(store: Store) -> None:
    for passed, known in ((False, True), (False, False), (True, True), (False, True)):
        with store.write():
            assert store.outcomes.put("t", Outcome(passed, 0.5, {"a": 1}, origin="file"), now="now") is known
    with store.write():
        store.outcomes.put("t", Outcome(True, origin="report.json"), now="now")
    assert [(o.passed, o.origin) for o in store.outcomes.of("t")] == [(False, "file"), (True, "report.json")]


def test_the_store_opens_on_a_path_with_odd_characters(tmp_path: Path) -> None:
    path = tmp_path / "a ?#%41'é.db"
    Store.open(path, create=True).close()
    with Store.open(path) as again:
        assert again.traces.all() == []
    assert path.exists()


def test_what_is_known_of_many_traces_is_counted_one_after_the_other(store: Store) -> None:
    ids = []
    for n in range(200):
        one = trace([f"record {n}"], f"id {n}", meta={"settings": "x" * 50_000})
        ids.append(put(store, one)[1])
        with store.write():
            store.outcomes.put(ids[-1], Outcome(True, detail="y" * 50_000), now="now")
    tracemalloc.start()
    counts = joining.known(store, ids)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counts["plain"]["outcome"] == 200
    assert peak < 3_000_000
