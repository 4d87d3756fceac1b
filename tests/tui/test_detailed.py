"""Details given with a label, what a label took, and going to a trace by name."""

from pathlib import Path

import pytest

from tests.conftest import SAMPLES
from tests.tui.desk import fill, sitting
from tests.tui.test_review import events, labels

MINI = SAMPLES / "mini_swe_agent"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    filled = tmp_path / "tui.db"
    fill(filled, MINI)
    return filled


async def test_details_before_a_label_are_as_blind_as_it_is(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("full_stop", "2")
        assert "details of planning_drift" in sat.text()
        assert "○" in sat.text()
        assert "☐" in sat.text()
        assert labels(path) == []
        await sat.press("space", "enter")
        (label,) = events(path, "label")
        assert (label.mode, label.condition) == ("planning_drift", "blind")
        assert label.facets or label.submode
        await sat.press("L", "3")  # the next trace is labelled at once again
        assert [mode for mode, _ in labels(path)] == ["planning_drift", "context_hallucination"]


async def test_details_that_are_left_save_nothing(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("full_stop", "2", "escape")
        assert labels(path) == []
        assert "nothing was saved" in sat.text()
        await sat.press("2")
        assert labels(path) == [("planning_drift", "blind")]


async def test_what_a_label_took_counts_the_visits_before(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "l", "l", "L", "H")
        sheet = sat.screen.sheet
        assert sheet is not None
        sat.screen._spent[sheet.view.info.trace_id] += 100.0
        await sat.press("2")
        (label,) = events(path, "label")
        assert label.steps_opened == 3
        assert label.seconds is not None
        assert 100 < label.seconds < 200


async def test_seconds_and_steps_of_a_label_are_of_the_same_sitting(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "l", "l", "L", "H", "l")
    async with sitting(path) as sat:
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.known == {1, 2, 3}, "the list still tells what was opened in earlier sittings"
        await sat.press("0", "l", "2")
        (label,) = events(path, "label")
        assert label.steps_opened == 2, "the step it opened on, and the one gone to"
        assert label.seconds is not None
        assert label.seconds < 100


async def test_a_trace_is_gone_to_by_number_task_or_id(path: Path) -> None:
    async with sitting(path) as sat:
        for asked, place in (("3", 2), ("tidepool", 3), ("ledgerlib-198", 0), ("nowhere", 0), ("99", 0)):
            await sat.press("number_sign", *asked, "enter")
            sheet = sat.screen.sheet
            assert sheet is not None
            assert sheet.view.place == place, asked
        assert "4 traces here, numbered from 1" in sat.text()
        await sat.press("number_sign", *"nowhere", "enter")
        assert "no trace of the queue is called so" in sat.text()
        await sat.press("number_sign", *"t1-", "enter")
        assert "2 of 4 that match" in sat.text()


async def test_the_panel_says_as_long_as_details_are_armed(path: Path) -> None:
    said = "the next mode asks for its details"
    async with sitting(path) as sat:
        assert said not in sat.text()
        await sat.press("full_stop", "l", "l")
        assert said in sat.text()
        await sat.press("full_stop")
        assert said not in sat.text()
        assert "labels at once, without details" in sat.text()
        await sat.press("full_stop", "escape")
        assert said not in sat.text()
        await sat.press("full_stop", "L")
        assert said not in sat.text()
