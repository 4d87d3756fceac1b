"""Foreign text in the widgets stays inert: in the strips, under the mouse, on a real terminal."""

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
from textual.widgets import Static

from reviewer.trace import Step
from reviewer.tui.widgets.body import BodyDocument
from tests.tui.seeing import assert_inert, strips
from tests.tui.widget_app import WidgetApp

SIZES = [(100, 30), (80, 24), (200, 50), (20, 5)]
CASES = Path(__file__).parents[2].parent / "shared" / "hostile" / "cases"


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
