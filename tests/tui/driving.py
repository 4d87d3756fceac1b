"""The whole app in process on a store of its own: opened, walked through, clicked; and what was painted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot

from reviewer.cli.context import Context
from reviewer.session import Reading, ReviewSession
from reviewer.tui import app as app_module
from reviewer.tui.app import ReviewApp
from reviewer.tui.opening import Opening
from reviewer.tui.screens.review import ReviewScreen
from tests.tui.seeing import FORBIDDEN, SCROLLBAR

Size = tuple[int, int]
NAMES = {"?": "question_mark", "/": "slash", "$": "dollar_sign", " ": "space"}


class WatchedApp(ReviewApp):
    """The app as it is; remembers which addresses something asked it to open."""

    CSS_PATH = str(Path(app_module.__file__).parent / ReviewApp.CSS_PATH)  # else looked for beside us
    opened: list[str]

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        self.opened.append(url)


class Driver:
    """A running app with its pilot. Everything that is painted while it walks is in `rows`."""

    def __init__(self, app: WatchedApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.rows: list[str] = []
        self.bodies: list[str] = []
        self._clock = 0.0

    @property
    def review(self) -> ReviewScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, ReviewScreen)
        return screen

    async def settle(self) -> None:
        """Until nothing is being read, written or laid out. (`pilot.pause` waits for an idle processor.)"""
        while True:
            assert await self.pilot._wait_for_screen(), "the app failed"
            waiting = [worker for worker in self.app.workers if not worker.is_finished]
            if not waiting:
                break
            await asyncio.gather(*(worker.wait() for worker in waiting), return_exceptions=True)
        self.app.screen._on_timer_update()
        await self.pilot._wait_for_screen()

    async def press(self, *keys: str) -> None:
        """Press keys, each after the answer to the one before has been painted."""
        for key in keys:
            event = events.Key(NAMES.get(key, key), key if len(key) == 1 else None)
            event.set_sender(self.app)
            event.time = self._clock = max(event.time, self._clock + 0.1)  # as from a hand, not as a burst
            self.app.post_message(event)
            for _ in range(4):  # from the app to the field in focus, back up to the screen, to the worker
                await self.pilot._wait_for_screen()
            if key != "q":
                await self.settle()
                self.look()

    async def leave(self) -> None:
        """Quit by the key, unless the app has ended already."""
        await self.press("q")
        for _ in range(500):
            if self.app._exit:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("q did not quit")

    def look(self) -> None:
        """Take in what is painted now, and see that nothing in it can act."""
        for strip in self.app.screen._compositor.render_strips():
            for text, style, control in strip:
                assert not control
                assert not FORBIDDEN.search(text), ascii(text)
                assert style is None or style.link is None, text
                # Textual's own scrollbar answers to the mouse; nothing else does.
                assert style is None or {key for key in style.meta if key[0] == "@"} <= SCROLLBAR, style.meta
            assert strip.cell_length == self.app.size.width
            self.rows.append(strip.text)
        if self.app.screen is self.review:
            region = self.review.body.region
            painted = self.app.screen._compositor.render_strips()[region.y : region.bottom]
            self.bodies += [
                strip.crop(region.x, region.right).text.rstrip(" ▁▂▃▄▅▆▇█▌▐") for strip in painted
            ]

    async def scroll(self) -> None:
        """Through the body of the open step, page by page."""
        body = self.review.body
        body.go_home()
        while True:
            await self.settle()
            self.look()
            before = body.top
            body.scroll_pages(1)
            if body.top == before:
                return

    async def walk(self, *, each: Callable[[], None] = lambda: None) -> None:
        """Through every step of every trace and back, each folded and unfolded."""
        assert self.review.sheet is not None
        for _ in range(self.review.sheet.view.place):
            await self.press("H")
        await self.press("0")
        for trace in range(self.review.sheet.view.total):
            if trace:
                await self.press("L")
            assert self.review.sheet.view.place == trace
            steps = self.review.sheet.view.info.n_steps
            for n in range(steps + 1):
                if n:
                    await self.press("l")
                assert self.review.sheet.n == n
                await self.scroll()
                self.review.body.fold_all(False)
                await self.scroll()
                each()
            for _ in range(min(steps, 20)):
                await self.press("h")

    def click(self, x: int, y: int) -> None:
        """A click at a cell, as a terminal reports it: moved there, pressed, released."""
        self.app.mouse_position = Offset(x, y)
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp, events.Click):
            widget, _ = self.app.get_widget_at(x, y)
            self.app.screen._forward_event(
                kind(
                    widget, x, y, 0, 0, button=1, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y
                )
            )

    async def click_everywhere(self, *, stride: int = 1) -> None:
        """Click (and so hover) every cell of the screen, or every `stride`-th of a row."""
        screen = self.app.screen
        width, height = self.app.size
        for y in range(height):
            for x in range(y % stride, width, stride):
                self.click(x, y)
            await self.settle()
            self.look()
        assert self.app.is_running
        assert self.app.screen is screen, "a click opened another screen"
        assert not self.app.opened

    # -- what was seen -------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """Everything that was painted, row by row."""
        return "\n".join(self.rows)

    def shows(self, text: str) -> bool:
        """Whether `text` stood in a row, or in the body across the rows it is wrapped into."""
        return text in self.text or _dense(text) in _dense("".join(self.bodies))


def _dense(text: str) -> str:
    return re.sub(r"\s", "", text)


@asynccontextmanager
async def driving(
    store: Path, *, size: Size = (80, 24), blind: bool = False, taxonomy: str | None = None, name: str = "ana"
) -> AsyncIterator[Driver]:
    """The app on `store`, ready, at `size`; left in order at the end."""
    context = Context(str(store), taxonomy)
    with context.open_store() as opened:
        codebook = context.load_taxonomy(opened)

    def session() -> ReviewSession:
        desk = context.desk(context.open_store(), name, None, codebook, origin="tui")
        return ReviewSession(desk, blind=blind)

    opening = Opening.of(session, lambda: Reading(context.open_store()), codebook)
    try:
        app = WatchedApp(opening)
        app.opened = []
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            await driver.settle()
            driver.look()
            yield driver
            await driver.leave()
    finally:
        opening.close()
