"""Walking the spine of a trace: a first key (`]`, `[`, `o`), then the letter of a kind of step.

`]w` and `[w` go to the next and the last write before, `]W` and `[W` to the very last and first; `ow` narrows
the list of steps to writes. After the first key the line at the bottom offers the letters. While the list is
narrowed, `h` and `l` walk its rows: what is seen is what is walked; all other keys go where they always go.
Bookmarks and the steps opened so far are kept here as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.content import Content
from textual.widgets import Static

from reviewer.counting import count
from reviewer.errors import ReviewerError
from reviewer.session import marks
from reviewer.text import safe_line
from reviewer.tui.narrow import NarrowRows
from reviewer.tui.screens.base import DeskScreen
from reviewer.tui.sheet import Sheet
from reviewer.tui.spine import ALL, KINDS, Kind, choices, steps_of, target

_POLL = 0.03
_COUNTED = 100  # columns from which the letters are offered with their counts
_SHORT = 12
_ROOMY = 120  # columns from which the title says in full what the list is narrowed to


class Walking(DeskScreen):
    """The keys that go from one step of a kind to the next."""

    _pair: int | None = None  # the first key was pressed: 1 ahead, -1 behind, 0 narrow
    _narrow: NarrowRows | None = None

    # -- two keys in a row ---------------------------------------------------------------------

    def action_pair(self, direction: int) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        self._pair = direction
        lead = {1: "next", -1: "before", 0: "only"}[direction]
        pieces: list[str | tuple[str, str]] = [(f" {lead} ", "")]
        for letter, name in choices(sheet, narrow=not direction, counts=self.app.size.width >= _COUNTED):
            pieces += [(letter, "bold"), f" {name}  "]
        self.keys_drawn = pieces
        self.query_one("#keys", Static).update(Content.assemble(*pieces), layout=False)

    def draw_keys(self) -> None:
        if self._pair is None:  # else the letters stand there
            super().draw_keys()

    def takes_key(self, event: events.Key) -> bool:
        """The second key of a pair: it goes nowhere else, whatever it is (a digit labels nothing)."""
        if self._pair is None:
            return False
        direction, self._pair = self._pair, None
        self.draw_keys()
        letter = event.character or ""
        kind = KINDS.get(letter.lower())
        if event.key == "escape":
            self.say("")
        elif not direction and letter in (ALL, ALL.upper()):
            self._widen()
        elif kind is None or (not direction and not kind.narrows):
            self.say("no kind of step has this letter", bad=True)
        elif direction:
            self.latest("jump", lambda: self._jump_to(kind, direction, farthest=letter.isupper()))
        else:
            self.latest("narrow", lambda: self._narrow_to(kind))
        return True

    async def _found(self, sheet: Sheet, kind: Kind) -> list[int] | None:
        """The steps of a kind; None if the trace was left, or its facts cannot be had."""
        trace_id = sheet.view.info.trace_id
        first = None
        if not kind.marks:
            if sheet.facts is None:
                self.say("the whole trace is being read for this …")
            while sheet.facts is None and not sheet.no_facts and self.sheet is sheet:
                await asyncio.sleep(_POLL)
            if sheet.facts is None:
                return None
            if kind.letter == "u":
                first = await self.reader.ask(lambda reader: reader.first_user(trace_id))
        return steps_of(kind, sheet, first) if self.sheet is sheet else None

    async def _jump_to(self, kind: Kind, direction: int, *, farthest: bool) -> None:
        sheet = self.sheet
        steps = await self._found(sheet, kind) if sheet is not None else None
        if sheet is None or steps is None:
            return
        n = target(steps, sheet.n, direction, farthest=farthest)
        if n is None and steps and not kind.narrows:
            n = steps[-1]  # there is only one
        if n is None:
            side = "after" if direction > 0 else "before"
            where = f"{side} this step ({len(steps):,} in the trace)" if steps else "in this trace"
            self.say(f"no {kind.one} {where}")
            return
        if kind.letter == "e":
            self.go_to_show(n, lambda: self.show_error(n))
        elif n != sheet.n:
            self.go(n, anew=True)
        if not kind.narrows:
            self.say("the last words of the agent")
        else:
            self.say(f"{kind.one} {steps.index(n) + 1:,} of {len(steps):,}")

    # -- the narrowed list ---------------------------------------------------------------------

    async def _narrow_to(self, kind: Kind) -> None:
        sheet = self.sheet
        steps = await self._found(sheet, kind) if sheet is not None else None
        if sheet is None or steps is None:
            return
        if not steps:
            self.say(f"no {kind.one} in this trace; the list stays as it is")
            return
        self._set_narrow(sheet, kind, steps)
        hidden = "" if self.steps.display else "; Ctrl+W shows the list"
        self.say(f"{self._narrowed(sheet, _ROOMY)}; h and l walk these, o o shows all{hidden}")

    def _set_narrow(self, sheet: Sheet, kind: Kind, steps: list[int]) -> None:
        sheet.kind, sheet.rows = kind.letter, len(steps)
        self._narrow = NarrowRows(sheet, steps, self._fetch_narrow)
        self._show_narrow(sheet)
        self.draw_title()

    def _show_narrow(self, sheet: Sheet) -> None:
        rows = self._narrow
        assert rows is not None
        self.steps.show(rows, rows.total, rows.place(sheet.n), highest=sheet.view.info.n_steps)

    def _widen(self) -> None:
        sheet = self.sheet
        if sheet is not None and self._narrow is not None:
            self._narrow, sheet.kind = None, ""
            self.show_rows(sheet)
            self.draw_title()
            self.say("all steps")

    def show_rows(self, sheet: Sheet) -> None:
        """Show the list of a trace that came on the desk, or came again in a new state."""
        if sheet.kind and self._narrow is not None:
            self._narrow = self._narrow.of(sheet)
            self._show_narrow(sheet)
        else:
            self._narrow = None
            self.steps.show(self._rows, sheet.view.info.n_steps + 1, sheet.n)

    def point(self, n: int) -> None:
        """Put the cursor of the list on the open step; its row says from now on that it was opened."""
        sheet, rows = self.sheet, self._narrow
        if sheet is None:
            return
        if rows is None:
            self.steps.renew(n)
            self.steps.go(n)
        elif rows.follow(n):
            self._show_narrow(sheet)
        else:
            self.steps.renew(rows.place(n))
            self.steps.go(rows.place(n))

    def row_beside(self, n: int, direction: int) -> int | None:
        """The step of the next or previous row; None, and a word about it, where there is none."""
        if self._narrow is None or n + direction < 0:
            return n + direction
        found = self._narrow.beside(n, direction)
        if found is None and self.sheet is not None:
            kind = KINDS[self.sheet.kind]
            # the open step has a row as well, whatever it is
            end = (
                f"the last of these {kind.name}"
                if self._narrow.keeps(n)
                else f"no {kind.one} after this step"
            )
            self.say(f"{end}; o o shows all steps")
        return found

    def _narrowed(self, sheet: Sheet, width: int) -> str:
        """`errors not put right: 4 of 212 steps`, for the title; empty while all steps are shown."""
        if not sheet.kind:
            return ""
        kind, total = KINDS[sheet.kind], sheet.view.info.n_steps
        if width < _ROOMY:
            if len(kind.name) < _SHORT:
                return f"only {count(sheet.rows, kind.name.removesuffix('s'))}"
            return f"only {sheet.rows:,} {kind.short}"
        return f"{kind.name}: {sheet.rows:,} of {count(total, 'step')}"

    def spine_words(self, sheet: Sheet) -> str:
        """What the list is narrowed to, before the place in the title."""
        words = self._narrowed(sheet, self.app.size.width)
        return f"{words} · " if words else ""

    def _fetch_narrow(self, numbers: list[int]) -> None:
        self.run_worker(self._add_narrow(self._narrow, numbers))

    async def _add_narrow(self, rows: NarrowRows | None, numbers: list[int]) -> None:
        if self.sheet is None:
            return
        trace_id = self.sheet.view.info.trace_id
        try:
            got = await self.reader.ask(lambda reader: reader.rows(trace_id, numbers))
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        if rows is None:  # asked for while the list was being made
            rows = self._narrow
        if rows is not None and rows is self._narrow:
            rows.add(got)
            self.steps.reload()

    # -- what the reader leaves in the trace ---------------------------------------------------

    def _at_desk(self, ask: Callable[[Any], Any]) -> Awaitable[Any]:
        """Ask the store that writes; whoever sits there has a desk."""
        return self.reviewer.opening.desk.ask(lambda session: ask(session.desk))

    def read_marks(self, sheet: Sheet) -> None:
        """Ask for the bookmarks, and for what was opened in earlier sittings."""
        if sheet.known is None:
            self.run_worker(self._read_marks(sheet))

    async def _read_marks(self, sheet: Sheet) -> None:
        trace_id = sheet.view.info.trace_id
        try:
            known: marks.Marks = await self._at_desk(lambda desk: marks.marks(desk, trace_id))
        except ReviewerError:
            return  # they are a help; the trace can be read without them
        sheet.known, sheet.bookmarks = known.opened, known.bookmarks
        if self.sheet is sheet:
            self.draw_marks()

    def action_bookmark(self) -> None:
        sheet = self.sheet
        if sheet is None or sheet.n == 0:
            self.say("a bookmark stands at a step; l goes to the first", bad=True)
            return
        self.run_worker(self._bookmark(sheet, sheet.n))

    async def _bookmark(self, sheet: Sheet, n: int) -> None:
        trace_id, on = sheet.view.info.trace_id, n not in sheet.bookmarks
        try:
            sheet.bookmarks = await self._at_desk(lambda desk: marks.bookmark(desk, trace_id, n, on))
        except ReviewerError as error:
            self.say(f"no bookmark: {error}", bad=True)
            return
        if self.sheet is sheet:
            self.draw_marks()
            there = "; ]b and [b go to bookmarks, o b lists them" if on else ""
            self.say(safe_line(f"bookmark {'at' if on else 'taken away from'} step {n}{there}"))

    def keep_opened(self) -> None:
        """Remember which steps were opened; nobody waits for it, and nothing is lost with it but a sign."""
        sheet = self.sheet
        if sheet is None or sheet.known is None:
            return
        new = sheet.opened - sheet.known - {0}
        if new:
            sheet.known |= new
            trace_id = sheet.view.info.trace_id
            self.reviewer.opening.desk.submit(lambda session: marks.keep_opened(session.desk, trace_id, new))
