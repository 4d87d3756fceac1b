"""The adjudication screen: no names, no suggestion, nothing preselected; a reason; undo; agreement."""

import re
from pathlib import Path

import pytest

from reviewer.cli import run
from reviewer.store import Store
from tests.conftest import SAMPLES
from tests.tui.desk import adjudicating, fill

MINI = SAMPLES / "mini_swe_agent"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Four traces; ana and ben differ on the first two, and agree on the third."""
    filled = tmp_path / "tui.db"
    fill(filled, MINI)
    with Store.open(filled) as store:
        ids = [info.trace_id for info in store.traces.all()]
    said = {"ana": ["tool_misuse", "silent_success", "other"], "ben": ["planning_drift", "other", "other"]}
    for who, modes in said.items():
        for trace, mode in zip(ids, modes, strict=False):
            assert (
                run(["--store", str(filled), "annotate", trace, mode, "--as", who, "--note", f"{mode} I say"])
                == 0
            )
    return filled


async def test_what_people_said_stands_there_without_names(path: Path) -> None:
    async with adjudicating(path) as sat:
        text = sat.text()
        assert "1/2" in text
        assert " I: " in text
        assert "II: " in text
        assert "I say" in text
        for hidden in (" ana", " ben", "suggests", "Rule-based"):
            assert hidden not in text


async def test_a_mode_and_a_reason_make_gold_and_undo_takes_it_back(path: Path) -> None:
    async with adjudicating(path) as sat:
        first = sat.screen.sheet.view.info.trace_id  # type: ignore[union-attr]
        await sat.press("5", *"rule 3", "ctrl+g", "ctrl+t", "enter")
        assert "nobody gave this mode" in sat.text()
        await sat.press(*"both missed it", "enter")
        assert "settled as silent_success" in sat.text()
        assert "2/2" in sat.text()
        with Store.open(path) as store:
            (event,) = [event for event in store.labels.events(first) if event.kind == "adjudicate"]
        assert (event.mode, event.reason, event.note) == ("silent_success", "rule 3", "both missed it")
        assert (event.guideline, event.confidence) == (True, "medium")
        await sat.press("u")
        assert "undone: " in sat.text() and "1/2" in sat.text().splitlines()[0]
    with Store.open(path) as store:
        assert not [event for event in store.labels.heads() if event.kind == "adjudicate"]
        assert len([event for event in store.labels.heads() if event.kind == "label"]) == 6


async def test_without_a_reason_nothing_is_settled(path: Path) -> None:
    async with adjudicating(path) as sat:
        await sat.press("5", "enter", "escape")
        await sat.press("y", "enter", "space")
    with Store.open(path) as store:
        assert not [event for event in store.labels.events() if event.kind == "adjudicate"]


async def test_seeing_what_others_said_is_recorded_before_it_is_painted(path: Path) -> None:
    async with adjudicating(path, name="ana") as sat:
        assert sat.screen.sheet is not None
        seen = sat.screen.sheet.view.info.trace_id
    with Store.open(path) as store:
        me = next(id for id, person in store.labels.annotators().items() if person.name == "ana")
        assert "peers" in {kind for kind, _ in store.labels.exposures(me, seen)}
    assert run(["--store", str(path), "annotate", seen, "other", "--as", "ana"]) == 0
    with Store.open(path) as store:
        last = store.labels.events(seen)[-1]
        assert (last.mode, last.condition) == ("other", "peers")


async def test_all_settled_is_said_and_the_ledger_lists_the_reasons(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with adjudicating(path) as sat:
        await sat.press("7", *"because", "enter", *"new", "enter", "1", *"order", "enter", *"old", "enter")
        assert "every case is settled" in sat.text()
    capfd.readouterr()
    assert run(["--store", str(path), "adjudicate", "--ledger"]) == 0
    out = capfd.readouterr().out
    assert "because" in out
    assert "order" in out


async def test_the_agreement_screen_opens_the_traces_of_a_cell(path: Path) -> None:
    async with adjudicating(path) as sat:
        await sat.press("A")
        await sat.until("kappa")
        text = sat.text()
        assert re.search(r"annotator \d × annotator \d: n = 3", text)
        assert "kappa" in text
        assert "rows: annotator" in text
        assert not re.search(r"\b(ana|ben)\b", text)
        for _ in range(12):  # to a cell that holds a trace
            await sat.press("right")
        await sat.press("escape")
        assert sat.screen.sheet is not None


async def test_the_agreement_screen_shows_the_few_and_with_a_key_the_rest(path: Path) -> None:
    async with adjudicating(path, size=(120, 60)) as sat:
        await sat.press("A")
        await sat.until("kappa")
        few = sat.text()
        assert re.search(r"n = 3, agree \d+ %, kappa [\d.-]+, AC1", few)
        assert "cannot tell" in few
        assert not re.search("PABAK|MASI|each mode|Fleiss", few)
        await sat.press("d")
        all_figures = sat.text()
        assert re.search("PABAK", all_figures) and "MASI" in all_figures
        assert not re.search(r"\b(ana|ben)\b", all_figures)
        await sat.press("d")
        assert sat.text() == few


async def test_the_details_come_into_sight_where_there_is_little_room(path: Path) -> None:
    async with adjudicating(path, size=(80, 24)) as sat:
        await sat.press("A")
        await sat.until("kappa")
        few = sat.text()
        assert "traces with labels of two or more" in few
        await sat.press("d")
        assert "more of annotator" in sat.text() and "PABAK" in sat.text()
        assert "traces with labels of two or more" not in sat.text()
        await sat.press(*"k" * 40)
        assert "traces with labels of two or more" in sat.text()  # they are above
        await sat.press("d")
        assert sat.text() == few


async def test_nothing_to_settle_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "s.db", MINI)
    async with adjudicating(tmp_path / "s.db") as sat:
        assert "people differ on nothing" in str(sat.app.failure) or sat.app.failure is not None
