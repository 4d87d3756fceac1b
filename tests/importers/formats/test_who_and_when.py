"""Who&When: talks folded into steps, and the experts' answer as a label on the right step."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from reviewer.importers.finding.files import open_source
from reviewer.label import Annotator, LabelEvent
from reviewer.taxonomy import Taxonomy
from tests.importers.reading import SAMPLES, one, put, read_all, reasons

LIGHTS = SAMPLES / "who_and_when" / "harbour-lights.json"
REGATTA = SAMPLES / "who_and_when" / "toy-boat-regatta.json"


def _value(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _event(path: Path) -> LabelEvent:
    (event,) = [item for item in one(path).labels if isinstance(item, LabelEvent)]
    return event


def test_a_group_chat_is_folded_and_its_terminal_answers_are_results() -> None:
    trace = one(LIGHTS).trace
    assert [step.source for step in trace.steps[:4]] == ["system", "system", "user", "agent"]
    first, second = trace.steps[3], trace.steps[4]
    assert first.source_ids == ("#1", "#2")
    assert first.number == "1–2"
    assert first.error
    assert first.results[0].exit_code == 1
    assert second.results[0].exit_code == 0
    assert not second.error
    notice = next(step for step in trace.steps if step.source_ids == ("#6",))
    assert (notice.source, notice.kind) == ("system", "notice")
    assert trace.info.n_messages == 8
    assert trace.info.n_tool_calls == 0
    assert trace.info.ended == "submitted"
    assert trace.info.benchmark == "GAIA"
    assert trace.info.agent == "CaptainAgent"


def test_a_log_of_magentic_one_says_who_thinks_and_who_speaks() -> None:
    trace = one(REGATTA).trace
    assert trace.steps[0].source == "user"
    assert trace.steps[1].reasoning.startswith("Initial plan")
    assert trace.steps[3].message.startswith("Search for")
    assert trace.steps[10 - 1].results[0].exit_code == 0
    assert trace.steps[-1].kind == "notice"
    assert trace.info.benchmark == "AssistantBench"
    (outcome,) = one(REGATTA).outcomes
    assert outcome.passed is False
    assert outcome.final_state == {"answer": "12"}
    assert outcome.expected_state == {"answer": "2"}


def test_the_label_names_our_step_of_the_zero_based_place() -> None:
    taxonomy, annotator, event = one(LIGHTS).labels
    assert isinstance(taxonomy, Taxonomy) and taxonomy.id == "who-and-when"
    assert isinstance(annotator, Annotator) and annotator.id == "who-and-when-annotator"
    assert isinstance(event, LabelEvent)
    assert event.step_source == "#5"
    step = next(step for step in one(LIGHTS).trace.steps if "#5" in step.source_ids)
    assert event.step_n == step.n == 6
    assert step.message.startswith("Automatic after 1931")
    assert event.facets == {"agent": "expert"}
    assert "DataTables_Expert" in event.note
    assert (event.condition, event.round, event.origin) == ("blind", 1, "set who-and-when")
    assert event.at == "2025-04-30T00:00:00.000000Z"
    assert _event(REGATTA).facets == {"agent": "web_surfer"}
    assert "wrong page" in _event(REGATTA).note


def test_a_place_in_a_terminal_answer_is_the_step_that_it_answers(tmp_path: Path) -> None:
    value = _value(LIGHTS) | {"mistake_step": "2"}
    event = _event(put(tmp_path, "a.json", value))
    assert (event.step_source, event.step_n) == ("#1", 4)


def test_a_place_that_is_none_stands_in_the_note(tmp_path: Path) -> None:
    for place in ("99", "-1", "two", "1" * 40):
        path = put(tmp_path, "a.json", _value(LIGHTS) | {"mistake_step": place})
        imported, notes = read_all(path)
        event = imported[0].labels[2]
        assert isinstance(event, LabelEvent)
        assert (event.step_source, event.step_n) == ("", None)
        assert f"mistake_step: {place}" in event.note
        assert "no step of its run" in reasons(notes)


def test_what_the_set_says_changes_no_identity(tmp_path: Path) -> None:
    value = _value(REGATTA)
    bare = {"history": value["history"], "question_ID": "x", "is_corrected": True, "mistake_step": "1"}
    assert one(put(tmp_path, "a.json", bare)).trace.info.trace_id == one(REGATTA).trace.info.trace_id
    other = copy.deepcopy(value)
    other["history"][3]["content"] += "!"
    assert one(put(tmp_path, "b.json", other)).trace.info.trace_id != one(REGATTA).trace.info.trace_id


def test_ids_of_labels_are_the_same_at_every_import(tmp_path: Path) -> None:
    path = put(tmp_path, "elsewhere.json", _value(LIGHTS))
    assert one(path).labels == one(LIGHTS).labels


def test_a_run_without_a_label_has_none(tmp_path: Path) -> None:
    value = {key: item for key, item in _value(LIGHTS).items() if not key.startswith("mistake")}
    path = put(tmp_path, "a.json", value)
    assert open_source(path)[0].FORMAT == "who_and_when"
    assert one(path).labels == ()


def test_how_a_log_of_magentic_one_ended(tmp_path: Path) -> None:
    for last, ended in (
        ("Max rounds (30) reached.\nFINAL ANSWER: 3", "limit"),
        ("Max time (1500s) reached.\nFINAL ANSWER: 3", "timeout"),
        ("oh\nSCENARIO.PY EXITED WITH CODE: 1 !#!#", "error"),
        ("a page", "unknown"),
    ):
        value = _value(REGATTA)
        value["history"][-1]["content"] = last
        assert one(put(tmp_path, "a.json", value)).trace.info.ended == ended


def test_lines_of_runs_and_damaged_ones(tmp_path: Path) -> None:
    good = _value(REGATTA)
    rows = [good, good | {"history": 3}, good | {"history": [3, {"role": 4}, None, {"content": [1]}]}]
    imported, notes = read_all(put(tmp_path, "a.jsonl", rows))
    assert len(imported) == 2
    assert "history is a number" in reasons(notes)
