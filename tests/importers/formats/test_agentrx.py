"""AgentRx: logs and runs that have their identity elsewhere, and people's labels that lie beside them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import Imported, NotATrace
from reviewer.importers.finding.files import open_source
from reviewer.importers.joining import agentrx_truth as truth
from reviewer.label import LabelEvent
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

DATA = SAMPLES / "agentrx" / "data"
ID = "1c9e4b7a-52d8-4f30-9a61-7e0d3b5c8f24"
LOG = DATA / "magentic_dataset" / f"{ID}.json"
TAU = DATA / "tau_dataset" / "7.json"


def _event(imported: Imported) -> LabelEvent:
    (event,) = [item for item in imported.labels if isinstance(item, LabelEvent)]
    return event


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the sample to change."""
    shutil.copytree(DATA, tmp_path / "data")
    return tmp_path / "data"


def _truth(copy: Path, **change: Any) -> None:
    path = copy / "ground_truth" / "bakeries.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    rows[0] |= change
    path.write_text(json.dumps(rows), encoding="utf-8")


def test_a_log_takes_its_label_from_the_ground_truth_above_it() -> None:
    imported = one(LOG)
    event = _event(imported)
    assert event.mode == "invention_of_new_information"
    assert event.secondary == ("instruction_adherence_failure",)
    assert (event.step_source, event.step_n) == ("#5", 6)  # step 6 of 1, 2, …
    assert imported.trace.steps[5].reasoning.startswith("Updated Ledger: the price")
    assert event.facets == {"agent": "orchestrator"}
    assert "With a made-up price" in event.note
    assert "failure, step 5: Websurfer, Instruction/Plan Adherence Failure" in event.note  # as written
    assert (event.kind, event.condition, event.origin) == ("label", "blind", "set agentrx")
    info = imported.trace.info
    assert (info.task_id, info.benchmark, info.ended) == (ID, "GAIA", "limit")
    assert info.n_messages == 10


def test_the_terminal_answers_in_the_step_of_who_wrote_the_code() -> None:
    steps = one(LOG).trace.steps
    assert steps[7].source_ids == ("#7", "#8")
    assert steps[7].results[0].exit_code == 0


def test_a_run_of_tau_bench_keeps_its_identity_and_its_calls(copy: Path) -> None:
    imported = one(TAU)
    event = _event(imported)
    assert imported.trace.info.format == "agentrx"
    assert imported.trace.info.n_tool_calls == 2
    assert event.mode == "intent_plan_misalignment"
    step = imported.trace.steps[(event.step_n or 0) - 1]
    assert step.calls[0].name == "exchange_delivered_order_items"
    assert event.step_source == step.stable_id
    listed = put(copy / "tau_retail", "failed.json", [json.loads(TAU.read_text(encoding="utf-8"))])
    (again,) = read(listed)
    assert again.trace.info.format == "tau_bench"
    assert again.trace.info.trace_id == imported.trace.info.trace_id
    assert _event(again) == event


def test_the_same_log_in_another_set_is_the_same_trace(tmp_path: Path) -> None:
    records = json.loads(LOG.read_text(encoding="utf-8"))
    other = {"history": records, "question_ID": ID, "is_corrected": False, "mistake_step": "4"}
    here, there = one(LOG), one(put(tmp_path, "1.json", other))
    assert there.trace.info.format == "who_and_when"
    assert here.trace.info.trace_id == there.trace.info.trace_id
    assert here.trace.info.content_hash == there.trace.info.content_hash
    assert here.trace.steps == there.trace.steps


@pytest.mark.parametrize(
    ("category", "mode"),
    [
        ("Instruction/Plan Adherence Failure", "instruction_adherence_failure"),
        ("Instruction Adherence Failure", "instruction_adherence_failure"),
        ("Intent not supported", "intent_not_supported"),
        ("Intent Not Supported", "intent_not_supported"),
        ("Intent-Plan Misalignment", "intent_plan_misalignment"),
        ("Intent Plan Misalignment ", "intent_plan_misalignment"),
        ("Inconclusive", "inconclusive"),
        ("Bad luck", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_spellings_of_a_category(category: Any, mode: str) -> None:
    assert truth.mode_of(category) == mode


def test_a_root_cause_that_is_not_listed_is_a_note(copy: Path) -> None:
    _truth(copy, root_cause={"failure_id": 9, "reason_for_root_cause": "Who knows."})
    imported, notes = read_all(copy / "magentic_dataset" / LOG.name)
    event = _event(imported[0])
    assert (event.kind, event.mode, event.step_n) == ("note", "", None)
    assert "Who knows." in event.note
    assert "failure that is not listed" in reasons(notes)


def test_a_category_nobody_knows_is_a_note(copy: Path) -> None:
    failure = {"failure_id": 1, "step_number": 400, "failure_category": "Bad luck"}
    _truth(copy, failures=[failure, 3], root_cause={"failure_id": 1})
    imported, notes = read_all(copy / "magentic_dataset" / LOG.name)
    assert _event(imported[0]).kind == "note"
    assert "unknown category 'Bad luck'" in reasons(notes)
    assert "no step of its run" in reasons(notes)


def test_a_damaged_ground_truth_is_named(copy: Path) -> None:
    (copy / "ground_truth" / "bakeries.json").write_text("[", encoding="utf-8")
    imported, notes = read_all(copy / "magentic_dataset" / LOG.name)
    assert imported[0].labels == ()
    assert "bakeries.json cannot be read" in reasons(notes)


def test_an_index_tells_which_trajectory_a_file_is(copy: Path) -> None:
    folder = copy.parent / "trajectories" / "magentic-one"
    put(
        folder,
        "trajectories_info.json",
        {"Invention": {ID: {"step": 6, "reason": "r", "name": "made_up_1.json"}}},
    )
    path = put(folder / "trajectories", "made_up_1.json", json.loads(LOG.read_text(encoding="utf-8")))
    imported = one(path)
    assert imported.trace.info.task_id == "made_up_1"
    assert imported.trace.info.meta["trajectory_id"] == ID
    assert _event(imported) == _event(one(LOG))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([{"trajectory_id": "7", "failures": []}], "ground truth"),
        ({ID: 12, ID.replace("1", "2"): 14}, "lengths"),
        ({"description": "27", "count": 1, "ids": [{"trajectory_id": ID}]}, "list of the ids"),
        (
            {"Intent not supported": {ID: {"step": 4, "reason": "r", "name": "a.json"}}},
            "index of the failures",
        ),
    ],
)
def test_what_lies_beside_is_no_trace(tmp_path: Path, value: Any, what: str) -> None:
    with pytest.raises(NotATrace, match=what):
        open_source(put(tmp_path, "a.json", value))


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    for value in ({"a": 1}, [], {"traj": 3}):
        path = put(tmp_path, "a.json", value)
        with pytest.raises(InputError):
            read(path, "agentrx")
