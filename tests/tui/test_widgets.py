"""The line-drawn widgets in a running app: a key costs one frame, nothing is cut unsaid."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.strip import Strip

from reviewer.trace import Result, Step
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.inks import CONTRAST, contrast, ink_style
from reviewer.tui.widgets.lines import LineView
from reviewer.tui.widgets.step_body import StepBody
from reviewer.tui.widgets.step_list import SIGNS, Row, StepList
from tests.tui.seeing import assert_inert, strips
from tests.tui.widget_app import HOSTILE, HostileRows, WidgetApp


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
        assert app.body.show_quotes(["line 2999  of the\nlog", "never said"]) == 1
        await pilot.pause()
        assert "line 2999 of the log" in assert_inert(app)
        assert not app.body.show_quotes(["never said"])
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
                assert contrast(tuple(style.color.triplet), tuple(style.bgcolor.triplet)) >= 3, name


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
