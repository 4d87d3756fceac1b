"""Looking at a step in other ways: its source record, its pictures, a copy; other parts, widths, colours.

Nothing here decides or changes anything but how things look, and only a key of its own copies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from textual.events import Resize

from reviewer.errors import ReviewerError
from reviewer.session.held import opinions_said, read_record
from reviewer.tui import themes
from reviewer.tui.few_rows import in_few_rows
from reviewer.tui.screens.base import DeskScreen
from reviewer.tui.source import source_page
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.parts import Part

COPIED = 50_000  # characters; terminals drop what is much longer
_LIST = (15, 20, 25, 30, 35, 40, 50)  # hundredths of the screen
_BESIDE = 120  # columns from which the panel stands beside the text
_BELOW = ((100, 30, 10), (100, 14, 7), (0, 30, 8), (0, 14, 5))  # columns, rows, and the most for the panel
_PARTS = {"": "all that has room", "outline": "the outline", "panel": "the verdict panel", "text": "the text"}


class Looking(DeskScreen):
    """Keys that look, from another side."""

    _part = ""  # which part has the screen to itself

    # -- the source record ---------------------------------------------------------------------

    def action_raw(self) -> None:
        if self.sheet is not None:
            self.latest("raw", self._raw)

    async def _raw(self) -> None:
        sheet = self.sheet
        assert sheet is not None
        trace_id, n = sheet.view.info.trace_id, sheet.n
        hidden, wrap, desk = sheet.view.sealed, self._wrap, self.reviewer.opening.desk
        self.say("reading the source record …")
        try:
            texts: list[str] = []
            if sheet.view.record:
                texts = await desk.ask(lambda session: opinions_said(session.desk.store, trace_id))
            page = await self.reader.ask(source_page, trace_id, n, texts, hidden=hidden, wrap=wrap)
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        if self.sheet is not sheet:
            return
        if page.whole and hidden:
            self.say("the whole record may hold a verdict: it is shown after your label", bad=True)
            return
        if page.speaks and hidden:
            self.say(
                "this record holds what a judge or a person said: it is shown after your label", bad=True
            )
            return
        if sheet.view.record and (page.whole or page.speaks):
            await desk.ask(lambda session: read_record(session.desk, trace_id))
        self.say("")
        from reviewer.tui.widgets.page import PageScreen

        whole = f"the whole source record, {page.size:,} characters"
        what = whole if page.whole else f"source record of step {n}"
        self.app.push_screen(PageScreen(f"{what} · {sheet.view.info.source_path}", page.document))

    # -- pictures ------------------------------------------------------------------------------

    def action_picture(self) -> None:
        from reviewer.tui import viewer
        from reviewer.tui.screens.asking import AskScreen

        body = self.body.body
        found: dict[str, str] = {}
        for part in body.parts if body is not None else ():
            found.update(viewer.placeholders(part.text))
        if not found:
            self.say("no picture stands in this step")
            return
        names = list(found)

        def answered(chosen: int | None) -> None:
            if chosen is None:
                self.say("nothing was opened")
            else:
                self.latest("picture", lambda: self._open_picture(names[chosen]))

        question = AskScreen("Open it in the viewer of this machine?", [found[name] for name in names])
        self.app.push_screen(question, answered)

    async def _open_picture(self, name: str) -> None:
        sheet = self.sheet
        assert sheet is not None
        trace_id, picture = sheet.view.info.trace_id, self.reviewer.outside.picture
        try:
            found = await self.reader.ask(lambda reader: picture(reader.raw(trace_id), name))
            said = await asyncio.to_thread(_opened, found, name)  # a viewer may take its time to say no
        except (ReviewerError, OSError) as error:
            said = f"not opened: {error}"
        self.say(said)

    # -- a copy --------------------------------------------------------------------------------

    def action_copy(self, what: Literal["step", "quote"]) -> None:
        """To the clipboard of the terminal, by OSC 52; nothing else ever sends one."""
        body = self.body.body
        if body is None:
            return
        texts = [part.raw or part.text for part in body.parts] if what == "step" else [self.body.marked()]
        text = "\n".join(texts)
        if not text:
            self.say("no quote and no hit is marked here; v and / mark one", bad=True)
            return
        self.reviewer.copy_to_clipboard(text[:COPIED])
        cut = f" of {len(text):,}; a terminal takes no more" if len(text) > COPIED else ""
        self.say(f"copied the {what}: {min(len(text), COPIED):,} characters{cut}, controls as signs")

    # -- looks ---------------------------------------------------------------------------------

    def action_as_it_stands(self) -> None:
        """JSON that was laid out for reading as it stands, or the other way round."""
        turned = self.body.turn_all()
        self.say("JSON as it stands, or laid out: Ctrl+R turns it" if turned else "no JSON was laid out here")

    def action_theme(self) -> None:
        self.app.theme = themes.following(self.app.theme)
        self.reviewer.habits = replace(self.reviewer.habits, theme=self.app.theme)
        self.say(f"colours: {themes.NAMES[self.app.theme]}")

    def action_width(self, direction: int) -> None:
        """A wider or narrower outline."""
        now = self.reviewer.habits.list_width or 25
        wanted = [width for width in _LIST if (width - now) * direction > 0]
        if wanted:
            width = wanted[0] if direction > 0 else wanted[-1]
            self.reviewer.habits = replace(self.reviewer.habits, list_width=width)
            self.set_widths()
        self.say(f"outline: {self.reviewer.habits.list_width or now} % of the width")

    def set_widths(self) -> None:
        """The columns, by habit; where the outline stands alone or not at all the style sheet decides."""
        width = self.reviewer.habits.list_width
        if not width or self._part or self.has_class("-slim"):
            self.styles.clear_rule("grid_columns")
        elif self.has_class("-narrow"):
            self.styles.grid_columns = f"{width}% 1fr"
        else:
            self.styles.grid_columns = f"{width}% 1fr {self._beside}"

    def in_rows(self, parts: Sequence[Part]) -> BodyDocument:
        """The panel, for the rows that it has beside the text or alone; below the text it gets what it needs.

        There it has at most as many as the style sheet would give; where something is to be decided, half of
        the screen.
        """
        width, height = self.app.size
        most = next((rows for at, low, rows in _BELOW if width >= at and height >= low), 0)
        if width >= _BESIDE or not most or self._part:
            self.styles.clear_rule("grid_rows")
            columns = width if self._part else self._beside
            return in_few_rows(parts, columns - 1, height - 3, fill=True)[0]
        if any(part.style == "mode" for part in parts):
            most = max(most, height // 2)
        panel, rows = in_few_rows(parts, width - 1, most)
        self.styles.grid_rows = f"1 1fr {max(2, rows)} 1 1"
        return panel

    @property
    def _beside(self) -> int:
        """The columns of a panel beside the text, as in the style sheet."""
        return 56 if self.has_class("-vast") else 46 if self.has_class("-broad") else 38

    def on_resize(self, event: Resize) -> None:
        self.set_widths()

    def action_part(self) -> None:
        """One part after the other has the screen; where all have room, the text alone or all."""
        parts = ["", "outline", "panel"] if self.has_class("-slim") else ["", "text"]
        if self._part in parts:
            self._part = parts[(parts.index(self._part) + 1) % len(parts)]
        else:
            self._part = ""
        for part in _PARTS:
            if part:
                self.set_class(part == self._part, f"-only-{part}")
        self.set_widths()
        self.draw_panel()
        self.say(f"shown: {_PARTS[self._part]}; Ctrl+W goes on")

    def action_scroll(self, direction: int) -> None:
        if self._part == "outline":
            self.action_step(direction)
        else:
            (self.panel if self._part == "panel" else self.body).scroll_rows(direction)

    def action_page(self, direction: int) -> None:
        (self.panel if self._part == "panel" else self.body).scroll_pages(direction)


def _opened(found: tuple[str, bytes] | None, name: str) -> str:
    from reviewer.tui import viewer

    if found is None:
        return f"the source record does not hold {name}: its data was left out of the file"
    return viewer.show(viewer.keep(*found))
