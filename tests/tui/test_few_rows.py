"""Where there is little room: what is said is folded, a panel tells of its rest, a dialog fills the width."""

from pathlib import Path

import pytest
from textual import events
from textual.containers import Vertical
from textual.widgets import Input, TextArea

from reviewer.tui.few_rows import in_few_rows
from reviewer.tui.screens.foot import folded
from reviewer.tui.widgets.parts import Part
from tests.conftest import SAMPLES
from tests.tui.desk import fill, sitting

PARTS = [Part("state"), Part("1 one  2 two", "mode"), Part("what one means"), Part("what two means")]
MORE = "Tab shows the rest"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    fill(tmp_path / "s.db", SAMPLES / "mini_swe_agent")
    return tmp_path / "s.db"


@pytest.mark.parametrize(
    ("most", "shown"),
    [
        (4, ["state", "1 one  2 two", "what one means", "what two means"]),
        (3, ["state", "1 one  2 two", MORE]),
        (2, [f"state · {MORE}", "1 one  2 two"]),
    ],
)
def test_the_hint_stands_behind_what_has_to_be_read(most: int, shown: list[str]) -> None:
    panel, rows = in_few_rows(PARTS, 40, most)
    assert [part.text for part in panel.parts][:rows] == shown


def test_where_the_rows_are_given_the_hint_is_the_last_of_them() -> None:
    panel, rows = in_few_rows([*PARTS[:3], Part("what\ntwo\nmeans")], 40, 5, fill=True)
    assert [part.text for part in panel.parts][:4] == [*(part.text for part in PARTS[:3]), f"\n{MORE}"]
    assert rows == 5


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ("short", "")),
        ("one two three four", ("one two", "three four")),
        ("oneoneonetwo", ("oneoneonet", "wo")),
        ("one two three four five six", ("one two", "three fou…")),
        ("你好你好你好", ("你好你好你", "好")),
        ("a\x1b[2Jb", ("a␛[2Jb", "")),
    ],
)
def test_what_is_said_goes_on_in_a_second_line(text: str, lines: tuple[str, str]) -> None:
    assert folded(text, 10) == lines


async def test_a_long_warning_is_read_whole_and_the_keys_come_back(path: Path) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("5", "u")
        said = " ".join(" ".join(sat.text().splitlines()[-2:]).split())
        assert said.endswith("its suggestion was seen: a label now counts as assisted")
        assert "your label: not labelled yet" in sat.text() and "annot" in sat.text()
        await sat.press("l")
        assert "? keys" in sat.text().splitlines()[-1]


async def test_a_low_panel_beside_the_text_shows_all_modes_and_tells_of_the_rest(path: Path) -> None:
    async with sitting(path, blind=False, size=(130, 22)) as sat:
        assert sat.screen.sheet is not None and sat.screen.sheet.suggestion is not None
        assert "annot" in sat.text()
        assert sat.text().splitlines()[-3].rstrip().endswith(MORE)
        await sat.press("tab")
        assert not sat.text().splitlines()[-3].rstrip().endswith(MORE)


@pytest.mark.parametrize("key", ["m", "i", "full_stop"])
async def test_beside_a_dialog_nothing_of_the_page_is_left(path: Path, key: str) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("5", *("L" * (key == "m")), key)
        assert sat.app.screen.query_one(Vertical).outer_size.width == 80


async def test_no_mode_is_explained_where_none_has_what_was_typed(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("m")
        assert "? Would this call fail" in sat.text()
        await sat.press(*"qq")
        assert "no mode has this in its name" in sat.text()
        assert "? " not in sat.text().replace("? keys", "")
        await sat.press("backspace", "backspace")
        assert "? Would this call fail" in sat.text()


async def test_pasted_lines_stay_lines_in_a_note_and_words_in_one_line(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("i")
        sat.app.screen.query_one(TextArea).post_message(events.Paste("one\rtwo\r\nthree\nfour"))
        await sat.settle()
        assert sat.app.screen.query_one(TextArea).text == "one\ntwo\nthree\nfour"
        await sat.press("escape", "slash")
        sat.app.screen.query_one(Input).post_message(events.Paste("one\rtwo\r\nthree\n"))
        await sat.settle()
        assert sat.app.screen.query_one(Input).value == "one two three"
