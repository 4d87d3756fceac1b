"""One thing at a time: while a write is under way, or when it fails, no key decides or moves anything."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reviewer.label import LabelEvent
from reviewer.store import Store, connection
from tests.conftest import SAMPLES
from tests.tui.desk import Sitting, adjudicating, fill, sitting
from tests.tui.studies import differing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    filled = tmp_path / "tui.db"
    fill(filled, SAMPLES / "mini_swe_agent")
    return filled


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program in the middle of a write."""
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


def events(path: Path) -> list[LabelEvent]:
    with Store.open(path) as store:
        return store.labels.events()


def where(sat: Sitting) -> tuple[str, int]:
    sheet = sat.screen.sheet
    assert sheet is not None
    return sheet.view.info.trace_id, sheet.n


@pytest.mark.parametrize("blind", [True, False])
@pytest.mark.parametrize("second", ["2", "y", "1"])
async def test_a_label_key_while_another_label_is_saved_is_refused(
    path: Path, blind: bool, second: str
) -> None:
    async with sitting(path, blind=blind) as sat:
        trace, _ = where(sat)
        with locked(path):
            await sat.pilot.press("1")
            assert "saving tool_misuse" in sat.text()
            await sat.pilot.press(second)
            await sat.pilot.pause()
            said = sat.text().splitlines()[-2]
            assert said.startswith((" not labelled", " nothing to confirm", " this key is held down")), said
            assert "saved tool_misuse" not in sat.text()
            assert where(sat)[0] == trace
        await sat.settle()
        assert "saved tool_misuse" in sat.text()
    assert [(event.trace_id, event.mode) for event in events(path)] == [(trace, "tool_misuse")]


@pytest.mark.parametrize("key", ["L", "u", "s", "f", "enter", "m", "i", "full_stop"])
async def test_no_other_key_gets_past_a_label_that_is_being_saved(path: Path, key: str) -> None:
    async with sitting(path) as sat:
        trace, _ = where(sat)
        with locked(path):
            await sat.pilot.press("1", key)
            await sat.pilot.pause()
            assert len(sat.app.screen_stack) == 1
            assert where(sat)[0] == trace
        await sat.settle()
        assert where(sat)[0] == trace  # blind work stays for the reveal
    assert [event.kind for event in events(path)] == ["label"]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (["2"], "not saved"),
        (["L"], "not opened"),
        (["enter"], "not opened"),
        (["s"], "not skipped"),
        (["f"], "not saved"),
        (["u", "u"], "not undone"),
        (["i", *"a note", "enter"], "not saved"),
    ],
    ids=["label", "next", "next open", "skip", "flag", "undo", "note"],
)
async def test_a_locked_store_is_told_and_the_sheet_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch, keys: list[str], told: str
) -> None:
    monkeypatch.setattr(connection, "WAIT", 0.05)
    async with sitting(path, blind=False, size=(250, 30)) as sat:  # wide enough for the path of a test
        await sat.press("1", "l", "l")
        before = where(sat)
        done = events(path)
        with locked(path):
            await sat.press(*keys)
            said = sat.text().splitlines()[-2]
            assert said.startswith(f" {told}: "), said
            assert "another process holds the lock" in said
            assert where(sat) == before
            assert sat.screen.status_line.has_class("-bad")
        assert events(path) == done
        await sat.press("2")  # and then things are as before
        assert "saved planning_drift" in sat.text()
    assert [event.mode for event in events(path)] == ["tool_misuse", "planning_drift"]


async def test_a_step_can_be_read_while_the_store_is_locked(path: Path) -> None:
    async with sitting(path) as sat:
        with locked(path):
            await sat.press("l", "l")
            assert where(sat)[1] == 2


async def test_a_lead_keeps_the_case_when_the_store_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = differing(tmp_path / "case.db", [("tool_misuse", "other"), ("tool_misuse", "other")])
    monkeypatch.setattr(connection, "WAIT", 0.05)
    async with adjudicating(path, size=(250, 40)) as sat:
        before = where(sat)
        with locked(path):
            await sat.press("1", *"rule 1", "enter")
            assert "not settled" in sat.text()
            assert "another process holds the lock" in sat.text()
            await sat.press("L")
            assert "not opened" in sat.text()
            assert where(sat) == before
        assert not [event for event in events(path) if event.kind == "adjudicate"]
        await sat.press("1", "enter")  # the reason typed before is offered again
        assert "settled as tool_misuse" in sat.text()


async def test_x_on_a_labelled_trace_is_saved_at_once(path: Path) -> None:
    async with sitting(path, size=(130, 40)) as sat:
        await sat.press("5", "l", "l", "x")
        assert "saved silent_success" in sat.text()
        first, second = events(path)
        assert (first.step_n, second.step_n, second.mode) == (None, 2, "silent_success")
        assert second.step_source
        assert second.supersedes == (first.id,)
        assert where(sat) == (first.trace_id, 2)
        await sat.press("x")
        third = events(path)[2]
        assert (third.mode, third.step_n, third.step_source) == ("silent_success", None, "")
    with Store.open(path) as store:
        assert [event.id for event in store.labels.heads()] == [third.id]


async def test_x_without_a_label_waits_for_it(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "x")
        assert events(path) == []
        await sat.press("5")
    assert [event.step_n for event in events(path)] == [1]


async def test_x_keeps_the_details_of_the_label(path: Path) -> None:
    async with sitting(path) as sat:
        trace, _ = where(sat)
    from reviewer.cli import run

    details = ("--submode", "false_completion", "--facet", "claim=false", "--secondary", "other")
    assert run(["--store", str(path), "annotate", trace, "silent_success", "--as", "ana", *details]) == 0
    async with sitting(path) as sat:
        if where(sat)[0] != trace:
            await sat.press("H")
        assert where(sat)[0] == trace
        await sat.press("l", "x")
    said = events(path)[-1]
    assert (said.mode, said.submode, said.step_n) == ("silent_success", "false_completion", 1)
    assert (said.facets, said.secondary) == ({"claim": "false"}, ("other",))
