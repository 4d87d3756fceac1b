"""Inspect logs: the same traces in both layouts, pools and attachments, scores, how it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from reviewer.importers.formats.inspect.scores import graded
from tests.importers.inspect_logs import HASH, HEADER, log, message, sample
from tests.importers.reading import one, put, read, read_all, reasons, zipped


def test_archive_and_json_give_the_same_traces(tmp_path: Path) -> None:
    packed = read(log(tmp_path, sample(1), sample("b", epoch=2)))
    plain = read(put(tmp_path, "x.json", {**HEADER, "samples": [sample(1), sample("b", epoch=2)]}))
    assert [item.trace.info.trace_id for item in packed] == [item.trace.info.trace_id for item in plain]
    assert [item.trace.info.content_hash for item in packed] == [
        item.trace.info.content_hash for item in plain
    ]
    assert [item.trace.steps for item in packed] == [item.trace.steps for item in plain]
    info = packed[1].trace.info
    assert (info.task_id, info.attempt, info.model, info.benchmark) == ("b", 2, "v/m", "t")
    assert (info.task, info.n_messages, info.ended) == ("Q?", 2, "submitted")
    assert json.loads(packed[0].trace.raw) == sample(1)


def test_a_new_score_is_no_new_trace(tmp_path: Path) -> None:
    edit = {
        "event": "score_edit",
        "score_name": "match",
        "edit": {"value": "I", "provenance": {"author": "ana"}},
    }
    old = one(log(tmp_path, sample()))
    new = one(log(tmp_path, sample(scores={"match": {"value": "I"}}, events=[edit])))
    assert old.trace.info.trace_id == new.trace.info.trace_id
    assert old.trace.info.content_hash == new.trace.info.content_hash
    assert (old.outcomes[0].passed, new.outcomes[0].passed) == (True, False)
    assert "ana" in repr(new.outcomes[0].detail)
    assert one(log(tmp_path, sample(epoch=2))).trace.info.trace_id != old.trace.info.trace_id


@pytest.mark.parametrize(
    ("value", "score", "passed"),
    [
        ("C", 1.0, True),
        ("I", 0.0, False),
        ("P", 0.5, None),
        ("N", 0.0, False),
        (True, 1.0, True),
        (0, 0.0, False),
        (0.4, 0.4, None),
        ("0.25", 0.25, None),
        ("no", 0.0, False),
        ("perhaps", None, None),
        ({"a": 1}, None, None),
        ([1, 0], None, None),
        (None, None, None),
    ],
)
def test_scores(tmp_path: Path, value: Any, score: Any, passed: Any) -> None:
    assert graded(value) == score
    (outcome,) = one(log(tmp_path, sample(scores={"s": {"value": value, "answer": "x"}}))).outcomes
    assert (outcome.score, outcome.passed, outcome.origin) == (score, passed, "scores.s")
    assert outcome.expected_state == "A"


@pytest.mark.parametrize(
    ("more", "ended"),
    [
        ({"limit": {"type": "token", "limit": 9}}, "limit"),
        ({"limit": {"type": "time", "limit": 9}}, "timeout"),
        ({"limit": {"type": "operator", "limit": 1}}, "user_stop"),
        ({"error": {"message": "boom", "traceback": "at 1"}}, "error"),
        ({"output": {"choices": [{"stop_reason": "content_filter"}]}}, "refused"),
        ({"output": {"choices": [{"stop_reason": "max_tokens"}]}}, "limit"),
        ({"output": {}, "scores": {}}, "unknown"),
    ],
)
def test_how_it_ended_stands_beside_the_score(tmp_path: Path, more: Any, ended: str) -> None:
    imported = one(log(tmp_path, sample(**more)))
    assert imported.trace.info.ended == ended
    assert [outcome.passed for outcome in imported.outcomes] == ([] if "scores" in more else [True])
    assert ("boom" in imported.trace.steps[-1].message) == ("error" in more)


def test_attachments_are_put_where_they_are_meant(tmp_path: Path) -> None:
    missing = HASH.replace("0", "9")
    talk = [message("user", f"attachment://{HASH}"), message("assistant", f"see attachment://{missing}")]
    picture = [{"type": "image", "image": f"attachment://{HASH}"}]
    data = "data:image/png;base64," + "QUJD" * 1000
    (imported,), notes = read_all(log(tmp_path, sample(messages=talk, attachments={HASH: "long text"})))
    assert [step.message for step in imported.trace.steps] == [
        "long text",
        f"see [attachment missing: {missing}]",
    ]
    assert "attachment is missing" in reasons(notes)
    old = {"content": {HASH: data}, "events": []}
    steps = one(log(tmp_path, sample(messages=[message("user", picture)], transcript=old))).trace.steps
    assert steps[0].message == "[image/png 0794cc4a, 3.0 kB]"


@pytest.mark.parametrize("pool", ["events_data", "message_pool"])
def test_a_sample_cut_off_is_rebuilt_from_its_pool(tmp_path: Path, pool: str) -> None:
    pooled = [message("system", "s"), message("user", "Q?"), message("assistant", "thinking aloud", "a1")]
    said = message("assistant", "A", "a2")
    event = {
        "event": "model",
        "input": [],
        "input_refs": [[0, 2], [2, 3]],
        "timestamp": "2026-05-01T00:00:00Z",
        "output": {"choices": [{"message": said}], "usage": {"input_tokens": 4, "output_tokens": 2}},
    }
    more = {pool: {"messages": pooled} if pool == "events_data" else pooled}
    trace = one(log(tmp_path, sample(messages=[], events=[event], **more))).trace
    assert [step.message for step in trace.steps] == ["s", "Q?", "thinking aloud", "A"]
    assert (trace.steps[3].at, trace.steps[3].metrics.tokens_in) == ("2026-05-01T00:00:00.000Z", 4)  # type: ignore[union-attr]


def test_calls_results_and_what_the_scaffold_says(tmp_path: Path) -> None:
    calls = [
        {"id": "c1", "function": "f", "arguments": {"a": 1}},
        {"id": "c2", "function": "g", "arguments": {}},
    ]
    server = {
        "type": "tool_use",
        "id": "s",
        "name": "search",
        "arguments": "q",
        "result": "hit",
        "error": None,
    }
    talk = [
        message("user", "Q?", source="input"),
        message("assistant", [{"type": "reasoning", "reasoning": "hm"}, server], tool_calls=calls),
        message("tool", "", tool_call_id="c2", error={"type": "approval", "message": "rejected"}),
        message("tool", "one", tool_call_id="c1", error={"type": "timeout", "message": "late"}),
        message("user", "go on"),
    ]
    trace = one(log(tmp_path, sample(messages=talk))).trace
    agent = trace.steps[1]
    assert (agent.reasoning, [call.name for call in agent.calls]) == ("hm", ["search", "f", "g"])
    assert [(r.call_id, r.content, r.error, r.denied) for r in agent.results] == [
        ("s", "hit", False, False),
        ("c2", "rejected", False, True),
        ("c1", "one\nlate", True, False),
    ]
    assert [step.kind for step in trace.steps] == ["", "", "injected"]
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.n_errors) == (5, 2, 1)


def test_a_run_that_is_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(zipped({"_journal/start.json": HEADER, "samples/1_epoch_1.json": sample()}))
    assert one(path).trace.info.model == "v/m"
    path.write_bytes(zipped({"_journal/start.json": HEADER}))
    with pytest.raises(NotATrace, match="without samples"):
        read(path)
    with pytest.raises(NotATrace, match="without samples"):
        open_source(put(tmp_path, "x.json", {**HEADER, "samples": []}))


def test_a_compaction_stands_before_what_was_said_next(tmp_path: Path) -> None:
    said = {"choices": [{"message": message("assistant", "A", "m2")}]}
    events = [
        {"event": "compaction", "uuid": "c1", "tokens_before": 900, "tokens_after": 80, "source": "inspect"},
        {"event": "model", "pending": True, "output": said},
        {"event": "model", "output": said},
        {"event": "compaction", "timestamp": "2026-01-01T00:00:00Z"},
    ]
    steps = one(log(tmp_path, sample(events=events))).trace.steps
    assert [(step.kind, step.stable_id) for step in steps] == [
        ("", "#0"),
        ("compaction", "c1"),
        ("", "m2"),
        ("compaction", "compaction 2"),
    ]
    assert steps[1].message == "the context was compacted from 900 to 80 tokens by inspect"


def test_an_edited_score_keeps_its_history(tmp_path: Path) -> None:
    provenance = {"author": "ana", "reason": "read again", "timestamp": "2026-01-01T00:00:00Z"}
    history = [{"value": "C"}, {"value": "I", "provenance": provenance}]
    scores = {"match": {"value": "I", "history": history}}
    (outcome,) = one(log(tmp_path, sample(scores=scores))).outcomes
    assert (outcome.passed, outcome.detail["history"]) == (False, history)


def test_models_of_graders_are_named(tmp_path: Path) -> None:
    roles = {"grader": {"model": "v/judge", "args": {}}}
    about = {"task": "t", "model": "v/m", "run_id": "r", "model_roles": roles}
    header: dict[str, Any] = {"header.json": {**HEADER, "eval": about}}
    path = log(tmp_path, sample(), **header)
    assert one(path).trace.info.meta["model_roles"] == {"grader": "v/judge"}


def test_a_tool_message_without_a_call_keeps_its_error(tmp_path: Path) -> None:
    talk = [
        message("user", "Q?"),
        {
            "role": "tool",
            "content": "",
            "function": "sh",
            "error": {"type": "timeout", "message": "too slow"},
        },
        {"role": "tool", "content": "no", "error": {"type": "approval", "message": "no"}},
    ]
    given = one(log(tmp_path, sample(messages=talk))).trace
    assert [step.kind for step in given.steps] == ["", "notice", "notice"]
    slow, no = given.steps[1].results[0], given.steps[2].results[0]
    assert (slow.content, slow.error, slow.denied) == ("too slow", True, False)
    assert (no.content, no.error, no.denied) == ("no", False, True)
    assert given.info.n_errors == 1


@pytest.mark.parametrize("samples", [7, {}, "x", False, {"1": sample()}])
def test_samples_that_are_no_list_are_damage_in_a_folder_too(tmp_path: Path, samples: Any) -> None:
    path = put(tmp_path, "x.json", {**HEADER, "samples": samples})
    with pytest.raises(InputError, match=r"damaged Inspect log: `samples` is .*, not a list") as told:
        read(path)
    assert not isinstance(told.value, NotATrace)
