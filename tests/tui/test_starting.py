"""An abstention that says where to start reading: hidden in blind work until the label, then on record."""

from __future__ import annotations

from pathlib import Path

from reviewer.label import Suggestion
from reviewer.store import Store
from reviewer.tui.sheet import EVIDENCE
from tests.history import SIX, now, put, session
from tests.tui.desk import Sitting, sitting

WHY = "Start at step 2: it ends there without a word"
SIZE = (140, 40)


def prepared(path: Path) -> Path:
    with Store.open(path, create=True) as store:
        trace = put(store, session(["so", "it is", "done"]))
        said = {"status": "abstained", "reason": WHY, "step_n": 2}
        store.suggestions.save(Suggestion("s", "r", trace, "c", SIX.hash, "rules", at=now(), **said))  # type: ignore[arg-type]
    return path


def seen(sat: Sitting) -> tuple[bool, bool]:
    """Whether the words and the star are on the screen."""
    text = sat.text()  # lines of the panel are broken anywhere
    return "Start at" in text, EVIDENCE in text


def conditions(path: Path) -> list[str | None]:
    with Store.open(path) as store:
        return [event.condition for event in store.labels.events()]


async def test_blind_work_tells_nothing_of_it_until_the_label_is_in(tmp_path: Path) -> None:
    path = prepared(tmp_path / "e.db")
    async with sitting(path, size=SIZE) as sat:
        assert seen(sat) == (False, False)
        await sat.press("v")
        assert "after your label" in sat.text() and sat.screen.sheet is not None and not sat.screen.sheet.n
        await sat.press("slash", *"without", "enter")
        assert sat.screen.sheet.hits == {} and seen(sat)[1] is False
        await sat.press("escape", "1")
        await sat.until("Start at")
        assert seen(sat) == (True, True)
        await sat.press("2")
    assert conditions(path) == ["blind"]  # one decision a painting
    async with sitting(path, size=SIZE) as sat:
        await sat.press("r", "2")
    assert conditions(path) == ["blind", "suggestion"]


async def test_assisted_work_shows_it_and_the_label_says_so(tmp_path: Path) -> None:
    path = prepared(tmp_path / "e.db")
    async with sitting(path, blind=False, size=SIZE) as sat:
        assert seen(sat) == (True, True)
        await sat.press("1")
        await sat.until("(suggestion)")
    assert conditions(path) == ["suggestion"]
