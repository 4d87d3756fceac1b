"""A suggestion that is to be checked: its quotes in sight, with what each shows; a key that walks them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.cli.context import Context, new_id, now
from reviewer.cli.intake import import_paths
from reviewer.label import Suggestion
from reviewer.store import Store
from reviewer.suggest import suggester
from reviewer.suggest.runner import run
from tests.tui.desk import Sitting, fill, sitting

SAMPLE = Path("sample_traces/mini_swe_agent/ledgerlib__ledgerlib-198.traj.json")
WHY = "the order was looked at, and the totals never were"
QUOTES = [
    {"step": 4, "quote": "def total(self) -> Decimal:", "shows": "never tested"},
    {"step": 4, "quote": "return sorted(self._totals.items())", "shows": "the order"},
    {"step": 5, "quote": "r.book(a, Decimal(1))", "shows": "the test"},
    {"step": 5, "quote": "never said by anybody"},
]


def prepared(path: Path, **changed: object) -> None:
    """A store with one trace and one scripted suggestion for it, with some fields `changed`."""
    answer = {"mode": "other", "confidence": 0.5, "step": 4, "rationale": WHY, "evidence": QUOTES}
    with Store.open(path, create=True) as store:
        import_paths(store, [str(SAMPLE)], None)
        taxonomy = Context(None, None).load_taxonomy(store)
        traces = [
            (store.traces.trace(id), store.outcomes.of(id))
            for id in store.suggestions.lacking("x", taxonomy.hash)
        ]
        asked = suggester("scripted", {"answers": {"*": answer}})

        def save(one: Suggestion) -> None:
            store.suggestions.save(replace(one, **changed))

        run(traces, asked, taxonomy, save, now=now, new_id=new_id)


def marked(sat: Sitting) -> str:
    return sat.screen.body.marked()


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
async def test_what_is_to_be_checked_is_in_sight(tmp_path: Path, size: tuple[int, int]) -> None:
    prepared(tmp_path / "e.db")
    async with sitting(tmp_path / "e.db", blind=False, size=size) as sat:
        text = " ".join(sat.text().split())
        if size[0] < 120:  # beside the text lines are broken elsewhere
            assert "scripted suggests other, step 4, confidence 0.50" in text
            assert WHY in text
            assert "★ step 4, never tested: “def total(self) -> Decimal:”" in text
            assert "★ step 5, the test: “r.book(a, Decimal(1))”" in text
            assert "✗ not found: step 5: “never said by anybody”" in text
        assert "Tool misuse" in text, "the modes are in sight as well"


async def test_blind_work_gives_the_text_its_rows(tmp_path: Path) -> None:
    prepared(tmp_path / "e.db")
    async with sitting(tmp_path / "e.db", size=(80, 24)) as sat:
        assert sat.screen.panel.size.height <= 5
        assert "never tested" not in sat.text()
        await sat.press("7")
        assert "never tested" in sat.text(), "revealed with the label"


async def test_one_key_walks_the_quotes_of_a_step_and_on_to_the_next(tmp_path: Path) -> None:
    prepared(tmp_path / "e.db")
    async with sitting(tmp_path / "e.db", blind=False, size=(80, 24)) as sat:
        sheet = sat.screen.sheet
        assert sheet is not None
        seen = []
        for _ in range(4):
            await sat.press("v")
            seen.append((sheet.n, sat.screen._quote))
        assert seen == [(4, 0), (4, 1), (5, 0), (4, 0)]
        assert "return sorted" in marked(sat) and "def total" in marked(sat), "both are marked"
        await sat.press("V")
        assert (sheet.n, sat.screen._quote) == (5, 0)
        await sat.press("V")
        assert (sheet.n, sat.screen._quote) == (4, 1), "backwards it comes to the last quote first"


async def test_v_goes_to_the_words_that_an_abstention_quotes_of_its_step(tmp_path: Path) -> None:
    reason = "Start at step 4: “return sorted(self._totals …” comes up there, instead of “self”"
    prepared(tmp_path / "e.db", status="abstained", mode="", reason=reason, evidence=())
    async with sitting(tmp_path / "e.db", blind=False, size=(80, 24)) as sat:
        await sat.press("v")
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.n == 4
        assert marked(sat) == "return sorted(self._totals"
        assert "return sorted(self._totals" in sat.text()


async def test_the_panel_follows_to_the_quote_that_is_shown(tmp_path: Path) -> None:
    prepared(tmp_path / "e.db")
    async with sitting(tmp_path / "e.db", blind=False, size=(80, 14)) as sat:
        await sat.press("tab", "tab")
        assert "never tested: “def total" not in sat.text()
        await sat.press("v")
        assert "never tested: “def total" in sat.text()


async def test_a_label_at_a_quoted_step_reveals_the_suggestion_from_its_beginning(tmp_path: Path) -> None:
    prepared(tmp_path / "e.db")
    async with sitting(tmp_path / "e.db", size=(80, 14)) as sat:
        await sat.press("g", "5", "enter", "7")
        assert "scripted suggests other" in sat.text()


async def test_the_quote_stays_in_sight_when_the_label_makes_the_panel_higher(tmp_path: Path) -> None:
    fill(tmp_path / "e.db", SAMPLE.with_name("ledgerlib__ledgerlib-214.traj.json"))
    async with sitting(tmp_path / "e.db", size=(80, 24)) as sat:
        await sat.press("g", "1", "2", "enter")
        before = sat.screen.body.size.height
        await sat.press("5")
        body, sheet = sat.screen.body, sat.screen.sheet
        assert sheet is not None and sheet.n == 12
        assert body.size.height < before, "the panel tells the suggestion and takes rows of the text"
        text = "\n".join(sat.text().splitlines()[body.region.y : body.region.bottom])
        assert body.marked() and body.marked() in text
        body.go_home()
        await sat.pilot.resize_terminal(80, 20)
        await sat.settle()
        assert body.top == 0, "what the hand scrolled away from does not come back"
