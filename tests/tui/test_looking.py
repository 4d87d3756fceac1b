"""Other ways to look at a step: its source record, its pictures, JSON as it stands, parts and widths."""

from __future__ import annotations

import base64
import json
import os
import stat
from pathlib import Path

import pytest

from reviewer.cli.sitting import picture_of
from reviewer.habits import Habits
from reviewer.store import Store
from reviewer.tui import viewer
from reviewer.tui.outside import Outside
from reviewer.tui.screens.asking import AskScreen
from reviewer.tui.summary import summary_parts
from reviewer.tui.widgets.page import PageScreen
from tests.conftest import SAMPLES
from tests.tui.desk import Sitting, fill, sitting

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """One trace with a picture, JSON in one line, and a verdict in its record."""
    picture = {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()},
    }
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "look at this"}, picture]},
        {"role": "assistant", "content": '{"seen":{"door":[1,2]},"ok":true}'},
    ]
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"messages": messages, "reward": 0, "verdict": "a verdict of the grader"}))
    fill(tmp_path / "s.db", file)
    with Store.open(tmp_path / "s.db") as store:
        assert store.traces.any()
    return tmp_path / "s.db"


def page(sat: Sitting) -> str:
    assert isinstance(sat.app.screen, PageScreen)
    return sat.text()


async def test_the_record_of_a_step_is_shown_also_in_blind_work(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "l", "R")
        text = page(sat)
        assert "source record of step 2" in text and '"role": "assistant"' in text
        assert "verdict of the grader" not in text and "look at this" not in text
        await sat.press("1", "y")
        assert isinstance(sat.app.screen, PageScreen), "no label key reaches through it"
        await sat.press("escape")
        assert sat.screen.sheet is not None and not sat.screen.sheet.view.labels


async def test_the_whole_record_waits_for_the_label_in_blind_work(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("R")
        assert "shown after your label" in sat.text()
        await sat.press("8", "R")
        assert "the whole source record" in page(sat) and "a verdict of the grader" in page(sat)
    async with sitting(path, name="ben", blind=False) as sat:
        await sat.press("R")
        assert "a verdict of the grader" in page(sat)


@pytest.mark.parametrize("blind", [True, False])
async def test_a_record_with_labels_of_its_set_waits_and_is_a_look_at_them(
    tmp_path: Path, blind: bool
) -> None:
    fill(tmp_path / "s.db", SAMPLES / "mast" / "lost-turn_human.json")
    async with sitting(tmp_path / "s.db", blind=blind) as sat:
        await sat.press("R")
        assert "shown after your label" in sat.text() and not isinstance(sat.app.screen, PageScreen)
        await sat.press("8", "0")
        assert "peers" not in exposed(tmp_path / "s.db")
        if not blind:
            await sat.press("H")
        await sat.press("R")
        assert "the whole source record" in page(sat)
        assert "peers" in exposed(tmp_path / "s.db")


async def test_what_a_judge_said_waits_for_the_label(tmp_path: Path) -> None:
    fill(tmp_path / "s.db", SAMPLES / "mast" / "MAD_full_dataset.json")
    async with sitting(tmp_path / "s.db", blind=True) as sat:
        assert "mast_annotation" not in whole(sat) and "1 verdict of judges or people" in whole(sat)
        await sat.press("8")
        assert "mast_annotation" in whole(sat)


async def test_the_record_of_a_step_that_a_judge_speaks_in_waits_too(tmp_path: Path) -> None:
    fill(tmp_path / "s.db", SAMPLES / "browser_use" / "library-hours.history.json")
    async with sitting(tmp_path / "s.db", blind=True) as sat:
        await sat.press("end", "R")
        assert "after your label" in sat.text() and not isinstance(sat.app.screen, PageScreen)
        await sat.press("home", "l", "l", "R")
        assert "judgement" not in page(sat)
        await sat.press("escape", "2", "end", "R")
        assert "wrong library" in page(sat)
        assert "suggestion" in exposed(tmp_path / "s.db")


def whole(sat: Sitting) -> str:
    """The summary page with what is below the screen."""
    sheet = sat.screen.sheet
    assert sheet is not None
    return "\n".join(part.text for part in summary_parts(sheet))


def exposed(path: Path) -> set[str]:
    with Store.open(path) as store:
        return {one.kind for one in store.history.exposures()}


async def test_json_as_it_stands_and_back(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "l")
        assert '  "ok": true' in sat.text()
        await sat.press("ctrl+r")
        assert '{"seen":{"door":[1,2]},"ok":true}' in sat.text()
        await sat.press("ctrl+r")
        assert '  "ok": true' in sat.text()


async def test_a_picture_is_opened_only_after_a_question(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = tmp_path / "shown"
    fake = tmp_path / "bin" / "xdg-open"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\ncp "$1" {shown}\necho "$1" > {shown}.name\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    async with sitting(path, size=(140, 30)) as sat:
        sat.app.outside = Outside(picture=picture_of)
        await sat.press("l")
        assert viewer.PLACEHOLDER.search(sat.text())
        await sat.press("ctrl+o")
        assert isinstance(sat.app.screen, AskScreen)
        await sat.press("enter", "1", "n")
        assert not shown.exists() and "nothing was opened" in sat.text()
        await sat.press("ctrl+o", "y")
        await sat.settle()
        assert shown.read_bytes() == PNG
        kept = Path(Path(f"{shown}.name").read_text().strip())
        assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700 and kept.suffix == ".png"
        assert sat.screen.sheet is not None and not sat.screen.sheet.view.labels, "y labelled nothing"


def test_what_is_no_picture_is_only_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    said = viewer.show(tmp_path / "x.html")
    assert said.startswith("not opened") and "x.html" in said
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert "no viewer" in viewer.show(tmp_path / "x.png")


def test_a_name_of_a_file_stays_in_its_folder() -> None:
    kept = viewer.keep("../../etc/x.png", b"1")
    assert kept.parent.name.startswith("reviewer-") and kept.name == ".._.._etc_x.png"
    kept.unlink()
    kept.parent.rmdir()


async def test_one_part_at_a_time_on_a_narrow_screen(path: Path) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        screen = sat.screen
        assert screen.body.region.width >= 79 and not screen.steps.region
        await sat.press("ctrl+w")
        assert screen.steps.region.width >= 79 and not screen.body.region and screen.panel.region
        await sat.press("j")
        assert screen.sheet is not None and screen.sheet.n == 1, "j walks the outline"
        await sat.press("ctrl+w")
        assert screen.panel.region.height > 15 and not screen.body.region
        await sat.press("ctrl+w")
        assert screen.body.region and "look at this" in sat.text()


async def test_all_parts_on_a_wide_screen_or_the_text_alone(path: Path) -> None:
    async with sitting(path, size=(200, 50)) as sat:
        screen = sat.screen
        assert screen.steps.region and screen.body.region and screen.panel.region.width == 56
        await sat.press("ctrl+w")
        assert screen.body.region.width == 200
        await sat.press("ctrl+w")
        before = screen.steps.region.width
        await sat.press("right_curly_bracket")
        assert screen.steps.region.width > before
        assert sat.app.habits == Habits(list_width=30)


async def test_the_colours_go_round_and_every_word_can_be_read(path: Path) -> None:
    from reviewer.tui.widgets.inks import contrast

    async with sitting(path, size=(140, 30)) as sat:
        for theme in ("textual-light", "high-contrast", "textual-dark"):
            await sat.press("ctrl+t")
            assert sat.app.theme == theme
            await sat.press("l")
            for strip in sat.app.screen._compositor.render_strips():
                for text, style, _ in strip:
                    if style and style.color and style.bgcolor and any(map(str.isalnum, text)):
                        front, back = style.color.triplet, style.bgcolor.triplet
                        assert front and back
                        least = 7 if theme == "high-contrast" else 3
                        assert contrast(tuple(front), tuple(back)) >= least, (theme, text)


@pytest.mark.parametrize("size", [(80, 24), (110, 32)])
async def test_the_verdict_below_takes_the_rows_it_needs(tmp_path: Path, size: tuple[int, int]) -> None:
    fill(tmp_path / "m.db", SAMPLES / "mini_swe_agent")
    async with sitting(tmp_path / "m.db", size=size) as sat:
        panel, body = sat.screen.panel, sat.screen.body
        before = panel.size.height
        assert before < 8
        assert "annot" in sat.text(), "the last of the modes is seen"
        assert before + body.size.height == size[1] - 3
        await sat.press("2")
        assert before < panel.size.height <= size[1] // 2, "what is told after a label needs more"
        assert "quote found" in sat.text() or "Tab shows the rest" in sat.text()
        await sat.press("ctrl+w", "ctrl+w", "ctrl+w")
        assert panel.size.height + body.size.height == size[1] - 3


@pytest.mark.parametrize(("width", "most"), [(120, 39), (200, 56)])
async def test_the_verdict_beside_takes_less_than_a_third(path: Path, width: int, most: int) -> None:
    async with sitting(path, size=(width, 40)) as sat:
        assert sat.screen.panel.outer_size.width <= most


@pytest.mark.parametrize("blind", [True, False])
async def test_the_footer_names_keys_that_do_something(tmp_path: Path, blind: bool) -> None:
    def foot() -> str:
        return sat.text().splitlines()[-1]

    fill(tmp_path / "m.db", SAMPLES / "mini_swe_agent")
    async with sitting(tmp_path / "m.db", blind=blind, size=(80, 24)) as sat:
        assert ("y confirm" in foot()) is not blind
        assert ("v quote" in foot()) is not blind
        assert "x decisive" not in foot()
        for words in ("l step", "e error", "i note", "? keys", "q quit", "u undo"):
            assert words in foot()
        await sat.press("l")
        assert ("x decisive" in foot()) is blind, "beside y and v it has no room"
        await sat.pilot.resize_terminal(120, 24)
        await sat.press("0")
        assert "J line" in foot()
        await sat.press("l")
        assert "J line" not in foot()
