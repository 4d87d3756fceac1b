"""Google ADK: both spellings, pairing, errors, streams, hand-overs, sessions that grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.importers.reading import one, put, read, read_all, reasons


def event(key: str, author: str, *parts: Any, **more: Any) -> dict[str, Any]:
    return {"id": key, "invocation_id": "i1", "author": author, "content": {"parts": list(parts)}, **more}


ASK = event("e1", "user", {"text": "Is the kiln hot?"}, timestamp=1736000000.5)
CALL = event("e2", "potter", {"function_call": {"name": "read", "args": {"kiln": 2}}})
TOLD = event("e3", "potter", {"function_response": {"name": "read", "response": {"degrees": 900}}})
DONE = event("e4", "potter", {"text": "Yes."}, timestamp=1736000003.5)
EVENTS = [ASK, CALL, TOLD, DONE]


def session(*events: Any, **more: Any) -> dict[str, Any]:
    return {"id": "s1", "events": list(events), **more}


def camel(value: Any) -> Any:
    if isinstance(value, list):
        return [camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {_joined(key): camel(item) for key, item in value.items()}


def _joined(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(word.title() for word in rest)


@pytest.mark.parametrize("spell", [lambda value: value, camel])
def test_both_spellings_give_the_same_steps(tmp_path: Path, spell: Any) -> None:
    usage = {"prompt_token_count": 9, "candidates_token_count": 4, "thoughts_token_count": 1}
    events = [ASK, CALL, TOLD, {**DONE, "usage_metadata": usage, "model_version": "brook-large"}]
    found = one(put(tmp_path, "x.json", spell(session(*events)))).trace
    assert [(step.source, step.message) for step in found.steps] == [
        ("user", "Is the kiln hot?"),
        ("agent", ""),
        ("agent", "Yes."),
    ]
    assert found.steps[1].source_ids == ("e2", "e3")
    assert found.steps[1].calls[0].arguments == {"kiln": 2}
    assert (found.info.n_messages, found.info.n_tool_calls, found.info.task_id) == (4, 1, "s1")
    assert (found.info.tokens_in, found.info.tokens_out, found.info.model) == (9, 5, "brook-large")
    assert (found.info.seconds, found.info.started) == (3.0, "2025-01-04T14:13:20.500Z")


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_events_without_a_session(tmp_path: Path, name: str) -> None:
    found = one(put(tmp_path, name, EVENTS)).trace
    assert len(found.steps) == 3
    assert found.info.n_messages == 4


def test_parallel_calls_are_paired_by_id(tmp_path: Path) -> None:
    calls = event("e2", "p", *({"functionCall": {"id": key, "name": "read"}} for key in ("a", "b")))
    told = event(
        "e3",
        "p",
        {"functionResponse": {"id": "b", "name": "read", "response": {"error": "no kiln b"}}},
        {"functionResponse": {"id": "a", "name": "read", "response": {"result": "900"}}},
    )
    step = one(put(tmp_path, "x.json", session(ASK, calls, told))).trace.steps[1]
    assert [(result.call_id, result.content, result.error) for result in step.results] == [
        ("b", "no kiln b", True),
        ("a", "900", False),
    ]


def test_errors_limits_and_hand_overs(tmp_path: Path) -> None:
    moved = event(
        "e5", "potter", {"text": "Over to you."}, actions={"transferToAgent": "glazer", "stateDelta": {}}
    )
    cut = event("e6", "glazer", {"text": "The gla"}, finishReason="MAX_TOKENS")
    found = one(put(tmp_path, "x.json", session(ASK, moved, cut))).trace
    assert found.steps[1].extra["actions.transfer_to_agent"] == "glazer"
    assert found.info.ended == "limit"
    bad = event("e7", "glazer", errorCode="500", errorMessage="overloaded")
    broken = one(put(tmp_path, "y.json", session(ASK, moved, cut, bad))).trace
    assert broken.steps[-1].fault
    assert broken.steps[-1].message == "500: overloaded"
    assert broken.info.ended == "error"


def test_pieces_of_a_stream_are_left_out(tmp_path: Path) -> None:
    pieces = [event(f"p{n}", "potter", {"text": "Y"}, partial=True) for n in range(2)]
    found = one(put(tmp_path, "x.json", session(ASK, *pieces, DONE))).trace
    assert [step.message for step in found.steps] == ["Is the kiln hot?", "Yes."]
    alone = one(put(tmp_path, "y.json", session(ASK, *pieces))).trace
    assert [step.message for step in alone.steps] == ["Is the kiln hot?", "Y", "Y"]


def test_thoughts_code_and_compaction(tmp_path: Path) -> None:
    thought = event("e2", "p", {"text": "hm", "thought": True}, {"text": "So."})
    code = event(
        "e3",
        "p",
        {"executableCode": {"language": "PYTHON", "code": "1/0"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "ZeroDivisionError"}},
    )
    packed = event(
        "e4", "user", actions={"compaction": {"compacted_content": {"parts": [{"text": "Kiln 2."}]}}}
    )
    steps = one(put(tmp_path, "x.json", session(ASK, thought, code, packed))).trace.steps
    assert (steps[1].reasoning, steps[1].message) == ("hm", "So.")
    assert steps[2].results[0].error
    assert (steps[3].kind, steps[3].message) == ("compaction", "Kiln 2.")


def test_a_session_that_grows_keeps_its_id(tmp_path: Path) -> None:
    early = one(put(tmp_path, "x.json", session(ASK, CALL))).trace
    late = one(put(tmp_path, "y.json", session(*EVENTS, state={"a": 1}))).trace
    assert late.info.trace_id == early.info.trace_id
    assert late.records.startswith(early.records)
    assert late.info.content_hash != early.info.content_hash
    assert late.steps[1].stable_id == early.steps[1].stable_id
    assert (
        one(put(tmp_path, "z.json", {**session(*EVENTS), "id": "s2"})).trace.info.trace_id
        != early.info.trace_id
    )


def test_model_and_instruction_from_the_logs_of_old_sessions(tmp_path: Path) -> None:
    log = {
        "event_id": "e4",
        "model_request": {"model": "lantern-mini", "config": {"system_instruction": "Be warm."}},
    }
    found = one(put(tmp_path, "x.json", session(*EVENTS, event_logs=[log]))).trace
    assert (found.steps[0].source, found.steps[0].message) == ("system", "Be warm.")
    assert found.info.model == "lantern-mini"


def test_sessions_in_a_list_and_damage(tmp_path: Path) -> None:
    found, notes = read_all(put(tmp_path, "x.json", [session(*EVENTS, 7), {"id": "s2", "events": "none"}]))
    assert [item.trace.info.n_messages for item in found] == [5]
    assert "a text, not a list" in reasons(notes)
    assert "an event that is a number" in reasons(notes)
    lone = event("e9", "p", {"function_response": {"name": "x", "response": {}}})
    assert len(read(put(tmp_path, "y.json", session(ASK, lone)))[0].trace.steps) == 2
