"""Which part of a source record belongs to a step: by id, by place, and never by a wrong place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.session.records import Signs, record_of, signs_of
from reviewer.store import Store
from reviewer.trace import Json, Result, Step, ToolCall
from tests.conftest import SAMPLES

ROWS: list[Json] = [
    {"role": "system", "content": "be good"},
    {"role": "user", "content": "please mend the door"},
    {"role": "assistant", "content": "I mend the door now", "id": "m-3"},
]


def step(*ids: str, message: str = "", **fields: object) -> Signs:
    return signs_of(Step(3, "agent", message, source_ids=ids, **fields))  # type: ignore[arg-type]


def test_an_id_names_a_record_at_any_depth() -> None:
    raw = json.dumps({"info": {"messages": ROWS}, "verdict": "failed"})
    record = record_of(raw, step("m-3", message="I mend the door now"))
    assert not record.whole and record.values == (ROWS[2],)


def test_a_place_counts_only_in_a_list_where_the_words_stand() -> None:
    other: list[Json] = [{"note": str(n)} for n in range(9)]
    raw = json.dumps({"other": other, "history": ROWS})
    record = record_of(raw, step("#1", message="please  mend\nthe door"))
    assert record.values == (ROWS[1],)
    assert record_of(raw, step("#1", message="something that stands nowhere")).whole


def test_calls_and_results_are_words_too() -> None:
    rows: list[Json] = [{"do": {"cmd": "ls -la"}}, {"got": "total 0"}]
    done = step(
        "#0", "#1", calls=(ToolCall("sh", {"cmd": "ls -la"}, "c"),), results=(Result("total 0", "c"),)
    )
    assert record_of(json.dumps(rows), done).values == tuple(rows)


def test_what_cannot_be_found_is_the_whole() -> None:
    for raw in (json.dumps({"a": ROWS}), "not json", "[" * 100_000, "null", "[1, 2]"):
        record = record_of(raw, step("m-9", message="x"))
        assert record.whole and record.text == raw
    assert record_of("[]", None).whole


def test_steps_that_are_read_when_asked_for_are_those_of_the_trace(tmp_path: Path) -> None:
    from reviewer.session.stored_steps import StoredSteps
    from tests.tui.desk import fill

    fill(tmp_path / "s.db", SAMPLES / "swe_agent")
    with Store.open(tmp_path / "s.db") as store:
        for info in store.traces.all():
            whole = store.traces.trace(info.trace_id).steps
            lazy = StoredSteps(store, info.trace_id, info.n_steps)
            assert tuple(lazy) == whole and tuple(reversed(lazy)) == whole[::-1]
            assert lazy[-1] == whole[-1] and lazy[1:3] == whole[1:3] and len(lazy) == len(whole)


def test_facts_are_the_same_where_the_trace_is_not_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reviewer.session import reading
    from tests.tui.desk import fill

    fill(tmp_path / "s.db", SAMPLES / "swe_agent")
    reader = reading.Reading(Store.open(tmp_path / "s.db"))
    traces = [info.trace_id for info in reader._store.traces.all()]
    whole = [reader.facts(trace, ()) for trace in traces]
    monkeypatch.setattr(reading, "MANY", 1)
    assert [reader.facts(trace, ()) for trace in traces] == whole
    reader.close()
