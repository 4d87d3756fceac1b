"""What a trace is called; the keys of the details; an id typed fast; each round's own place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer import taxonomy
from reviewer.cli.context import Context
from reviewer.label import Decision
from reviewer.session import ReviewSession
from reviewer.session.revisiting import WorklistSession
from reviewer.trace import TraceInfo
from reviewer.tui.naming import called
from reviewer.tui.screens.details import choices, keys
from reviewer.tui.screens.review import ReviewScreen
from tests.conftest import SAMPLES
from tests.tui.desk import fill, sitting
from tests.tui.test_review import events, labels

BARE = TraceInfo(
    "t1-" + "0" * 32, "h", "plain", task="Book a flight\n\nfrom Oslo to Rome, cheap, before noon."
)
UUID = "9b2f1c1e-7c1d-4b59-9a1e-0f6a5d3b2c11"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    filled = tmp_path / "tui.db"
    fill(filled, SAMPLES / "mini_swe_agent")
    return filled


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("ledgerlib-198", "ledgerlib-198"),
        ("v0_ctf_flash", "v0_ctf_flash"),
        ("deadbeef", "deadbeef"),
        ("default", "default · Book a flight from Oslo to Rome, cheap,…"),
        ("55", "55 · Book a flight from Oslo to Rome, cheap,…"),
        ("task_7", "task_7 · Book a flight from Oslo to Rome, cheap,…"),
        (UUID, "9b2f1c1e… · Book a flight from Oslo to Rome, cheap,…"),
        (UUID.replace("-", ""), "9b2f1c1e… · Book a flight from Oslo to Rome, cheap,…"),
        ("ses_2489703bfffe4fyidcD0PGhHvD", "ses_2489… · Book a flight from Oslo to Rome, cheap,…"),
        ("internationalisation_of_forms", "internationalisation_of_forms"),
        ("", "Book a flight from Oslo to Rome, cheap,…"),
        ("a\n\nb", "a b"),
    ],
)
def test_the_task_says_what_its_id_does_not(id: str, name: str) -> None:
    assert called(replace(BARE, task_id=id)) == name


def test_without_words_the_ids_are_left() -> None:
    assert called(replace(BARE, task="", task_id="55")) == "55"
    assert called(replace(BARE, task="", task_id="")) == BARE.trace_id


@pytest.mark.parametrize("name", taxonomy.available())
def test_every_line_of_the_details_has_a_key_of_its_own(name: str) -> None:
    book = taxonomy.load(name)
    for mode in book.modes:
        lines = list(choices(book, mode.id))
        found = [key for key in keys(lines, book) if key]
        assert len(set(found)) == len(found) and not set(found) & set("jkx")
        if len(lines) < 26:
            assert len(found) == len(lines)


async def test_a_key_chooses_a_line_of_the_details(path: Path) -> None:
    book = taxonomy.load("six-modes")
    lines = list(choices(book, "tool_misuse"))
    at = next(n for n, line in enumerate(lines) if line.id == "repeated_failing_call")
    async with sitting(path, size=(110, 50)) as sat:
        digit = book.mode("tool_misuse").key
        await sat.press(
            "full_stop", digit or "", keys(lines, book)[at], book.mode("planning_drift").key or ""
        )
        assert "◉ repeated_failing_call" in sat.text() and "☑ planning_drift" in sat.text()
        await sat.press("enter")
    (label,) = events(path, "label")
    assert (label.mode, label.submode) == ("tool_misuse", "repeated_failing_call")
    assert label.secondary == ("planning_drift",)


async def test_what_did_not_fail_has_no_secondary_mode(path: Path) -> None:
    book = taxonomy.load("six-modes")
    kinds = {line.kind for line in choices(book, "no_failure")}
    assert "secondary" not in kinds and "facet" in kinds
    lines = list(choices(book, "tool_misuse"))
    at = next(n for n, line in enumerate(lines) if line.id == "planning_drift")
    async with sitting(path, size=(110, 50)) as sat:
        await sat.press("full_stop", book.mode("tool_misuse").key or "", keys(lines, book)[at], "enter")
        screen = sat.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.decision("other").secondary == ("planning_drift",)
        assert screen.decision("no_failure").secondary == ()


async def test_an_id_typed_fast_and_entered_opens_its_trace(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("number_sign")
        await sat.press("3")
        sat.app._burst_until = 1e12  # what was typed came as fast as pasted text does
        await sat.pilot.press("enter")
        await sat.settle()
        assert sat.screen.sheet is not None and sat.screen.sheet.view.place == 2
        assert "pasted" not in sat.text()
    assert labels(path) == []


def test_a_round_and_the_worklist_have_places_of_their_own(path: Path) -> None:
    context = Context(str(path), None)
    with context.open_store() as store:
        first = ReviewSession(context.desk(store, "ana", 1), blind=True)
        first.keep_place(2, 3)
        first.label(0, Decision("other"))
        second = ReviewSession(context.desk(store, "ana", 2), blind=True)
        assert second.first().place == 0
        second.keep_place(1, 1)
        worklist = WorklistSession.__new__(WorklistSession)
        worklist.desk = second.desk
        assert len({first.bookmark, second.bookmark, worklist.bookmark}) == 3
        again = ReviewSession(context.desk(store, "ana", 1), blind=True)
        view = again.first()
        assert (view.place, view.step) == (2, 3)
