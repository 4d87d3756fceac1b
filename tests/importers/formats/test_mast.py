"""MAST: three shapes of a set whose people mark modes by yes or no, under names that changed with time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer import taxonomy
from reviewer.importers.base import Imported
from reviewer.importers.formats.mast.names import GONE, SAME, mode_of
from reviewer.importers.formats.mast.texts import pieces
from reviewer.label import LabelEvent
from tests.importers.reading import SAMPLES, one, put, read, read_all, reasons

FOLDER = SAMPLES / "mast"
FERRY = FOLDER / "ferry-bicycles_human.json"


def _events(imported: Imported) -> list[LabelEvent]:
    return [item for item in imported.labels if isinstance(item, LabelEvent)]


def _value() -> Any:
    return json.loads(FERRY.read_text(encoding="utf-8"))


def test_a_form_of_twenty_two_modes_becomes_one_label() -> None:
    imported = one(FERRY)
    (event,) = _events(imported)
    assert event.mode == "no_or_incomplete_verification"  # the first of the modes in the taxonomy's order
    assert event.secondary == ("incorrect_verification", "earlier_mode")
    assert event.step_n is None
    assert "The rain is never taken into account." in event.note
    assert "Proceed with incorrect assumptions; No attempt to verify outcome" in event.note
    assert (event.annotator, event.origin) == ("mast-annotator", "set mast")
    trace = imported.trace
    assert trace.steps[0].source == "user"
    assert [step.source for step in trace.steps[1:]] == ["agent"] * 3
    assert trace.info.n_messages == 4
    (outcome,) = imported.outcomes
    assert outcome.passed is False
    assert (outcome.final_state, outcome.expected_state) == ({"answer": "504"}, {"answer": "396"})


def test_a_log_of_lines_is_cut_where_an_entry_begins() -> None:
    imported = one(FOLDER / "lost-turn_human.json")
    assert [step.source for step in imported.trace.steps] == ["user"] + ["agent"] * 5
    assert "0 for an empty book" in imported.trace.steps[2].message
    assert imported.trace.info.benchmark == "SWE-bench"
    (event,) = _events(imported)
    assert event.mode == "conversation_reset"
    assert "Neither yes nor no: Blurring role (Unsure)" in event.note


def test_three_people_are_three_annotators() -> None:
    chatdev, manus = read(FOLDER / "MAD_human_labelled_dataset.json")
    first, second, third = _events(chatdev)
    assert [event.annotator for event in (first, second, third)] == [f"mast-annotator-{n}" for n in (1, 2, 3)]
    assert (first.mode, first.secondary) == ("disobey_task_specification", ())
    assert second.secondary == ("no_or_incomplete_verification",)
    assert third.mode == "none_marked"
    assert {event.round for event in (first, second, third)} == {1}
    assert "Round 1" in first.note
    assert [event.mode for event in _events(manus)] == [
        "premature_termination",
        "none_marked",
        "premature_termination",
    ]
    assert chatdev.trace.info.task == "A game in which frogs cross a pond on lily pads."
    assert len({event.id for item in (chatdev, manus) for event in _events(item)}) == 6


def test_what_a_model_judged_is_no_label() -> None:
    imported = one(FOLDER / "MAD_full_dataset.json")
    assert imported.labels == ()
    (outcome,) = imported.outcomes
    assert outcome.passed is None
    assert outcome.detail["mast_annotation"]["1.3"] == 1
    assert imported.trace.info.model == "brook-large"
    assert len(imported.trace.steps) == 3


def test_a_blank_form_is_no_label(tmp_path: Path) -> None:
    value = _value()
    value["note"] = {"text": [""], "options": dict.fromkeys(value["note"]["options"], "no")}
    assert one(put(tmp_path, "a.json", value)).labels == ()
    value["note"]["text"] = ["Went well."]
    (event,) = _events(one(put(tmp_path, "b.json", value)))
    assert event.mode == "none_marked"


@pytest.mark.parametrize(
    ("name", "mode", "submode"),
    [
        ("1.1 Disobey Task Specification", "disobey_task_specification", ""),
        ("2.4 Information Witholding", "information_withholding", ""),
        ("2.5 Ignored Other Agents' Input", "ignored_other_agents_input", ""),
        ("2.6 Reasoning-Action Mismatch", "reasoning_action_mismatch", ""),
        ("3.2 No or Incomplete Verification", "no_or_incomplete_verification", ""),
        ("Blurring role", "disobey_role_specification", ""),
        ("1.4 Unbatched repetitive execution\nThe system …", "earlier_mode", "unbatched_repetition"),
        ("Something new", "earlier_mode", ""),
    ],
)
def test_names_of_all_versions(name: str, mode: str, submode: str) -> None:
    assert mode_of(name) == (mode, submode)


def test_every_name_leads_to_a_mode() -> None:
    mast = taxonomy.load("mast")
    assert all(mast.has(mode) for mode in SAME.values())
    assert {mast.mode("earlier_mode").submode(name).id for name in GONE.values()}
    assert len([mode for mode in mast.failures if mode.name[0].isdecimal()]) == 14
    options = _value()["note"]["options"]
    assert len(options) == 22
    assert all(mode_of(name) != ("earlier_mode", "") for name in options)


def test_marks_change_no_identity(tmp_path: Path) -> None:
    value = _value() | {"note": {"options": {"Step repetition": "yes"}}, "other_data": {}}
    assert one(put(tmp_path, "a.json", value)).trace.info.trace_id == one(FERRY).trace.info.trace_id


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 0),
        ("one line", 1),
        ("Chef (to Guest):\n\nsoup\n-----\nGuest (to Chef):\n\nthanks\n", 2),
        ("before\n[2025-31-03 10:00:01 INFO] a\n[2025-31-03 10:00:02 INFO] b\n", 3),
    ],
)
def test_texts_are_cut_and_nothing_is_lost(text: str, n: int) -> None:
    assert len(pieces(text)) == n
    assert "".join(pieces(text)) == text


def test_a_trajectory_of_another_shape_is_shown(tmp_path: Path) -> None:
    value = _value() | {"trajectory": {"thoughts": ["a"], "votes": 2}}
    imported, notes = read_all(put(tmp_path, "a.json", value))
    assert '"votes": 2' in imported[0].trace.steps[1].message
    assert "an object is shown as JSON" in reasons(notes)


def test_damaged_rows(tmp_path: Path) -> None:
    rows = [_value(), {"note": 3}, {"trace": [None, {"role": []}], "mast_annotation": {}}, 7]
    imported, notes = read_all(put(tmp_path, "a.json", rows))
    assert len(imported) == 2
    assert "no run of MAST" in reasons(notes)
