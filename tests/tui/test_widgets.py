"""The line-drawn widgets in a running app: foreign text stays inert, a key costs one frame."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Static

from reviewer.trace import Result, Step
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.inks import CONTRAST, contrast, ink_style
from reviewer.tui.widgets.lines import LineView
from reviewer.tui.widgets.step_body import StepBody
from reviewer.tui.widgets.step_list import SIGNS, Row, StepList
from tests.tui.widget_app import HOSTILE, HostileRows, WidgetApp

SIZES = [(100, 30), (80, 24), (200, 50), (20, 5)]
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff\ud800-\udfff]")
SCROLLBAR = {"@mouse.down", "@mouse.up"}
CASES = Path(__file__).parents[2].parent / "shared" / "hostile" / "cases"


def strips(app: WidgetApp) -> list[Strip]:
    return list(app.screen._compositor.render_strips())


def assert_inert(app: WidgetApp) -> str:
    """What is on the screen, once nothing in it can act."""
    drawn = strips(app)
    for strip in drawn:
        for text, style, control in strip:
            assert not control
            assert not FORBIDDEN.search(text), ascii(text)
            assert style is None or style.link is None
            # Textual's own scrollbar answers to the mouse; nothing else does.
            assert style is None or {key for key in style.meta if key[0] == "@"} <= SCROLLBAR, style.meta
    assert {strip.cell_length for strip in drawn} == {app.size.width}
    return "\n".join(strip.text for strip in drawn)


async def read_all(app: WidgetApp, pilot: Pilot[None]) -> str:
    """Scroll through the whole body and collect what is seen of it."""
    seen = []
    app.body.go_home()
    while True:
        await pilot.pause()
        assert_inert(app)
        left = app.body.region.x
        seen.append("\n".join(strip.crop(left).text.rstrip("▁▂▃▄▅▆▇ ") for strip in strips(app)))
        before = app.body.top
        app.body.scroll_pages(1)
        if app.body.top == before:
            return "\n".join(seen)


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_text_is_inert_at_every_size(size: tuple[int, int]) -> None:
    app = WidgetApp()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        seen = await read_all(app, pilot)
        if size[0] > 50:
            for word in ("[@click=app.pwn]", "[/etc/passwd]", "[a=b:c]", "␛]52;c;", "hidden", "list[int]"):
                assert word in seen.replace("\n", ""), word
        for n in (0, 1, 500, 999):
            app.steps.go(n)
            await pilot.pause()
            assert_inert(app)
        for theme in ("textual-light", "nord", "ansi-dark", "ansi-light"):
            app.theme = theme
            await pilot.pause()
            assert_inert(app)


def click(app: WidgetApp, x: int, y: int) -> None:
    """What a terminal makes of a click; `pilot.click` does the same with a pause after each event."""
    app.mouse_position = Offset(x, y)
    for kind in (events.MouseMove, events.MouseDown, events.MouseUp, events.Click):
        widget, _ = app.get_widget_at(x, y)
        app.screen._forward_event(
            kind(widget, x, y, 0, 0, button=1, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y)
        )


async def test_a_click_anywhere_only_chooses_a_row() -> None:
    app = WidgetApp()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        rows = len(app.body.body or ())
        for y in range(5):
            for x in range(20):
                click(app, x, y)
            await pilot.pause()
        assert app.is_running
        assert (app.pwned, app.opened) == (0, [])
        assert len(app.body.body or ()) == rows, "no fold was opened"
        assert app.steps.cursor == 0, "the screen decides what a choice means"
        top = app.steps.scroll_offset.y  # the scrollbar was clicked as well
        click(app, 2, 3)
        await pilot.pause()
        assert app.chosen[-1] == top + 3


async def test_such_a_click_would_run_the_action_of_a_markup_widget() -> None:
    """The test above can fail: the same click on the same text in a Static runs its action."""
    app = WidgetApp()
    async with app.run_test(size=(20, 5)) as pilot:
        await app.screen.mount(Static("[@click=app.pwn]press[/]"), before=0)
        await pilot.pause()
        click(app, 1, 0)
        await pilot.pause()
        assert app.pwned == 1


@pytest.mark.skipif(not CASES.is_dir(), reason="the hostile cases are not here")
@pytest.mark.parametrize("number", ["01", "03", "06", "08", "09", "10", "11", "12", "13", "14"])
async def test_hostile_cases(number: str) -> None:
    (case,) = CASES.glob(f"{number}-*")
    spec = json.loads((case / "case.json").read_text("utf-8"))
    texts: list[str] = []
    for name in spec["inputs"]:
        content = (case / name).read_text("utf-8")
        documents = content.splitlines() if name.endswith(".jsonl") else [content]
        for document in documents:
            texts += strings_of(json.loads(document))
    app = WidgetApp("\n".join(texts), total=10)
    async with app.run_test(size=(80, 24)) as pilot:
        app.body.show_body(BodyDocument.of(Step(1, "agent", "\n".join(texts))))
        await pilot.pause()
        app.body.fold_all(False)
        seen = (await read_all(app, pilot)).replace("\n", "")
        for check in spec["checks"]:
            if check["op"] == "rendered_contains":
                assert check["text"].replace(" ", "") in seen.replace(" ", "")
            if check["op"] == "rendered_lacks":
                assert check["text"] not in seen


def strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)


def test_no_byte_of_an_escape_reaches_a_real_terminal() -> None:
    """What the app writes to a pty while hostile text is shown and scrolled."""
    written = run_in_pty([sys.executable, "-m", "tests.tui.widget_app", "1.0"])
    for forbidden in (
        *(b"\x1b]52", b"\x1b]0;PWNED", b"\x1b[6n", b"\x1b[c", b"\x1bP$q", b"\x1b]11;?", b"\x1b]8;"),
        *(b"\x1b[2J\x1b[H ", b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\x08", b"\x00", b"\x7f"),
    ):
        assert forbidden not in written, forbidden
    text = written.decode("utf-8")
    assert not re.search("[\x80-\x9f]", text)
    assert "␛]52;c;" in text and "[@click" in text, "it was shown"


def run_in_pty(command: list[str]) -> bytes:
    pid, descriptor = pty.fork()
    if pid == 0:  # pragma: no cover - the child
        os.chdir(Path(__file__).parents[2])
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8")
        os.execv(command[0], command)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    written = b""
    until = time.monotonic() + 60
    try:
        while time.monotonic() < until:
            if not select.select([descriptor], [], [], 1)[0]:
                continue
            try:
                data = os.read(descriptor, 65536)
            except OSError:  # Linux says so when the child has gone
                break
            if not data:
                break
            written += data
    finally:
        os.close(descriptor)
        os.waitpid(pid, 0)
    return written


class CountingApp(WidgetApp):
    """Counts the frames it draws."""

    def _display(self, *args: Any, **kwargs: Any) -> None:
        self.frames += 1
        super()._display(*args, **kwargs)


async def test_a_key_costs_one_frame() -> None:
    app = CountingApp("word " * 1000, total=100_001)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.2)
        app.body.fold_all(False)
        await pilot.pause(0.2)
        for act in (
            lambda: app.body.scroll_rows(1),
            lambda: app.body.scroll_pages(1),
            app.body.go_end,
            app.body.go_home,
            app.body.toggle_fold,
            lambda: app.steps.go(app.steps.cursor + 1),
            lambda: app.steps.go(90_000),
            lambda: app.body.find("word word"),
            app.body.find_next,
            lambda: app.body.show_body(BodyDocument.of(Step(2, "user", "short"))),
        ):
            app.frames = 0
            act()
            await pilot.pause(0.1)
            assert app.frames == 1, act


async def test_moving_the_cursor_draws_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    app = WidgetApp("text", total=100_001)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        drawn: list[int] = []
        render = app.steps.render_line

        def counted(y: int) -> Strip:
            drawn.append(y)
            return render(y)

        monkeypatch.setattr(app.steps, "render_line", counted)
        asked = app.source.asked
        app.steps.go(1)
        await pilot.pause()
        assert sorted(drawn) == [0, 1]
        for n in range(2, 40):
            app.steps.go(n)
            await pilot.pause()
            assert app.steps.scroll_offset.y <= n < app.steps.scroll_offset.y + 24
        assert app.source.asked - asked <= 1, "a page at a time"


@pytest.mark.parametrize("width", [20, 30, 45, 60])
async def test_rows_fit_every_width(width: int) -> None:
    app = WidgetApp("text", total=12)
    async with app.run_test(size=(100, 14)) as pilot:
        app.steps.styles.width = width
        await pilot.pause()

        class Source(HostileRows):
            def rows(self, first: int, count: int) -> list[Row]:
                rows = [
                    Row(0, head="fix the bug"),
                    Row(1, "system", "you are an agent"),
                    Row(2, "user", "please fix " * 9, kind="injected"),
                    Row(3, "agent", "ls -la", "bash", size=12_345, marks="◆⚑"),
                    Row(4, "agent", "Traceback", "bash", error=True),
                    Row(5, "agent", "你好" * 40, "edit_file", marks="◆"),
                ]
                return rows[first : first + count]

        app.steps.show(Source(), 12)
        await pilot.pause()
        lines = [strip.crop(0, width - 1).text for strip in strips(app)]
        assert lines[0].startswith("   ≡ fix the bug")
        assert lines[1].startswith(" 1 S you are")
        assert lines[2].startswith(" 2 ~ please") and lines[2].rstrip().endswith("…")
        assert lines[3].startswith(" 3 A b") and lines[3].endswith(" ◆⚑")
        assert ("12k" in lines[3]) == (width > 44)
        assert lines[4].startswith(" 4 ✗ b")
        assert "你" in lines[5]
        assert lines[5].replace("  ", " ").endswith("… ◆")
        assert lines[6].strip() == "…", "a row that the source has not yet"


async def test_search_folds_and_evidence_on_the_screen() -> None:
    text = "".join(f"line {number} of the log\n" for number in range(3000))
    app = WidgetApp("x")
    async with app.run_test(size=(80, 24)) as pilot:
        app.body.show_body(BodyDocument.of(Step(1, "agent", "hello", results=(Result(text),))))
        await pilot.pause()
        assert app.body.find("LINE 1500 ") == 1
        await pilot.pause()
        assert "line 1500 of the log" in assert_inert(app)
        assert app.body.hit_number == (1, 1)
        assert app.body.show_quote("line 2999  of the\nlog")
        await pilot.pause()
        assert "line 2999 of the log" in assert_inert(app)
        assert not app.body.show_quote("never said")
        app.body.fold_all(True)
        await pilot.pause()
        app.body.go_home()
        await pilot.pause()
        assert "hello" in assert_inert(app)
        assert app.body.find("nowhere") == 0
        assert app.body.find_next() is False
        app.body.clear_find()


async def test_a_resize_keeps_the_place_and_the_end_is_the_end() -> None:
    text = " ".join(str(number) for number in range(60_000))
    app = WidgetApp("x")
    async with app.run_test(size=(100, 24)) as pilot:
        body = BodyDocument.of(Step(1, "agent", results=(Result(text),)))
        app.body.show_body(body)
        app.body.fold_all(False)
        app.body.go_end()
        await pilot.pause(0.6)
        assert "59999" in assert_inert(app), "it follows the layout to the end"
        app.body.go_to(body.row_at(len(body.parts) - 1, text.index(" 30000 ")))
        await pilot.pause()
        before = body.anchor(app.body.top)
        await pilot.resize_terminal(61, 20)
        await pilot.pause(0.1)
        after = body.anchor(app.body.top)
        assert before[0] == after[0] and abs(before[1] - after[1]) <= 100


async def test_lines_that_are_not_wrapped_scroll_sideways() -> None:
    app = WidgetApp("x")
    async with app.run_test(size=(100, 24)) as pilot:
        body = BodyDocument.of(Step(1, "agent", "a" * 200 + "needle" + "b" * 200))
        app.body.show_body(body)
        assert app.body.toggle_wrap() is False
        await pilot.pause()
        assert "needle" not in assert_inert(app)
        assert "›" in assert_inert(app)
        app.body.find("needle")
        await pilot.pause()
        assert "needle" in assert_inert(app)
        app.body.scroll_columns(-1000)
        await pilot.pause()
        assert app.body.left == 0


async def test_another_theme_changes_what_is_drawn() -> None:
    app = WidgetApp("x")
    async with app.run_test() as pilot:
        await pilot.pause()
        before = [[style for _, style, _ in strip] for strip in strips(app)]
        app.theme = "textual-light"
        await pilot.pause()
        after = [[style for _, style, _ in strip] for strip in strips(app)]
        for dark, light in zip(before, after, strict=True):
            assert not {style.bgcolor for style in dark if style} & {
                style.bgcolor for style in light if style
            }


async def test_the_wheel_scrolls_and_keys_are_left_to_the_screen() -> None:
    app = WidgetApp("line\n" * 60)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.body.focus()
        await pilot.press("down", "end", "space")
        assert app.body.top == 0
        app.screen._forward_event(
            events.MouseScrollDown(app.body, 60, 5, 0, 0, 0, False, False, False, screen_x=60, screen_y=5)
        )
        await pilot.pause()
        assert app.body.top > 0


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "nord", "solarized-light"])
async def test_every_style_can_be_read(theme: str) -> None:
    app = WidgetApp("x")
    async with app.run_test() as pilot:
        app.theme = theme
        await pilot.pause()
        for widget in (app.body, app.steps):
            for name in widget.COMPONENT_CLASSES:
                style = widget.get_component_rich_style(name)
                assert style.color and style.color.triplet and style.bgcolor and style.bgcolor.triplet
                assert contrast(tuple(style.color.triplet), tuple(style.bgcolor.triplet)) > 2.5, name


@pytest.mark.parametrize("back", [(255, 255, 255), (0, 0, 0), (30, 30, 30), (200, 200, 200), (128, 128, 128)])
def test_no_colour_of_tool_output_hides_text(back: tuple[int, int, int]) -> None:
    from reviewer.ansi import Ink

    front = (0, 0, 0) if sum(back) > 380 else (255, 255, 255)
    for fg in [None, *range(256), back]:
        for bg in [None, 0, 7, 15, 244, back]:
            for ink in (Ink(fg, bg), Ink(fg, bg, dim=True), Ink(fg, bg, reverse=True)):
                style = ink_style(ink, front, back)
                assert style.color and style.color.triplet
                ground = style.bgcolor.triplet if style.bgcolor and style.bgcolor.triplet else back
                assert contrast(tuple(style.color.triplet), tuple(ground)) >= CONTRAST


def test_every_sign_has_a_style_and_a_meaning() -> None:
    assert {f"steps--{name}" for name in SIGNS} <= StepList.COMPONENT_CLASSES
    assert len(set(SIGNS.values())) == len(SIGNS)
    assert issubclass(StepBody, LineView)
    assert HOSTILE.endswith("END")
