"""The reading screen: the list of steps, the text of one, a panel beside it. Shows; decides nothing.

What may be seen comes from a session, what is drawn from the sheet. What is decided here, and with which
keys, is the business of the screens that build on it: `review`, `adjudicate`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from reviewer.errors import ReviewerError
from reviewer.session import View
from reviewer.session.reading import page_of
from reviewer.text import safe_line
from reviewer.trace import OutlineRow
from reviewer.tui.naming import called
from reviewer.tui.opening import Opening
from reviewer.tui.outline import OutlineRows
from reviewer.tui.places import START, Opened, look, opened, row_of
from reviewer.tui.screens.base import DeskScreen
from reviewer.tui.screens.descending import Descending
from reviewer.tui.screens.foot import Foot
from reviewer.tui.screens.jumping import Jumping
from reviewer.tui.screens.leading import Leading
from reviewer.tui.screens.looking import Looking
from reviewer.tui.sheet import FLAG, VERDICTS, Sheet
from reviewer.tui.summary import summary_parts
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.panel_view import PanelView
from reviewer.tui.widgets.step_body import StepBody
from reviewer.tui.widgets.step_list import StepList

_WIDE, _HIGH = 120, 30  # from which the panel has a row for each mode
_FACTS_AFTER = 0.05  # seconds
_KEPT = 12  # bodies that are at hand while the trace is open


class ReadingScreen(Leading, Looking, Jumping, Descending, Foot, DeskScreen):
    """One trace on the desk. `KEYS` are the bindings that the footer, the help and the palette show."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 (as Textual types it)
        *((0, "-slim"), (100, "-narrow"), (_WIDE, "-wide"), (150, "-broad"), (180, "-vast")),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (14, "-low"), (30, "-high")]  # noqa: RUF012

    _shown: tuple[str, int, Opened] | None = None  # the step on the screen: trace, number, body

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield StepList(id="steps")
        yield StepBody(id="body")
        yield PanelView(id="panel")
        yield Static(id="status", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.title_line = self.query_one("#title", Static)
        self.status_line = self.query_one("#status", Static)
        self.steps = self.query_one(StepList)
        self.body = self.query_one(StepBody)
        self.panel = self.query_one(PanelView)
        self.stands = True
        self.take_habits()
        self.set_widths()
        self.body.focus()
        self.draw_keys()
        self.show_first()

    def show_first(self) -> None:
        """Show what a sitting begins with."""
        opening = self.reviewer.opening
        if opening.ready:  # then the first frame shows it
            self._show_first(opening)
        else:
            self.run_worker(self._begin(opening))

    async def _begin(self, opening: Opening[Any]) -> None:
        await asyncio.wait([asyncio.wrap_future(opening.page)])
        self._show_first(opening)

    def _show_first(self, opening: Opening[Any]) -> None:
        try:
            view, page = opening.view.result(), opening.page.result()
        except ReviewerError as error:
            self.reviewer.fail(error)
            return
        sheet = self._take(view, view.step, keep=False)
        self._lay_out(sheet, page.rows)
        if page.step is not None:
            self._remember(page.step.n, opened(BodyDocument.of(page.step, wrap=self._wrap), None, 0))
        self._paint_step(sheet.n)
        self._settle(sheet, keep=False)
        if self.reviewer.outside.told:
            self.say(self.reviewer.outside.told)

    # -- showing -------------------------------------------------------------------------------

    async def show_view(self, view: View, n: int = 0, *, keep: bool = False) -> None:
        """Put a trace on the desk; `keep` when it is the same one in a new state."""
        sheet = self._take(view, n, keep=keep)
        rows = await self.reader.ask(lambda reader: reader.outline(view.info.trace_id, *page_of(n)))
        if self.sheet is sheet:
            self._lay_out(sheet, rows)
            await self._show_step(n)
            self._settle(sheet, keep=keep)

    def _take(self, view: View, n: int, *, keep: bool) -> Sheet:
        self.leave_step()
        self.keep_opened()
        sheet = Sheet(view, self.taxonomy, monotonic(), n=n)
        if view.label is None:
            sheet.decisive = self.marked.get(view.info.trace_id)
        if keep and self.sheet is not None and self.sheet.view.info.trace_id == view.info.trace_id:
            sheet.take_over(self.sheet)
        else:
            self._bodies.clear()
        self.sheet = sheet
        self._rows = OutlineRows(sheet, self._fetch_rows)
        return sheet

    def _lay_out(self, sheet: Sheet, rows: Sequence[OutlineRow]) -> None:
        self._rows.add(page_of(sheet.n)[0], rows)
        self.show_rows(sheet)
        self.draw_panel()

    def _settle(self, sheet: Sheet, *, keep: bool) -> None:
        self.read_marks(sheet)
        if not keep:
            self.call_after_refresh(self.painted)
        if sheet.view.children:
            self.run_worker(self.find_starts(sheet))
        if sheet.facts is None:  # they can wait until the trace is painted, and be skipped by a quick hand
            self.call_after_refresh(self.set_timer, _FACTS_AFTER, lambda: self._want_facts(sheet))

    def _want_facts(self, sheet: Sheet) -> None:
        if self.sheet is sheet:
            self.run_worker(self._read_facts(sheet))

    async def _read_facts(self, sheet: Sheet) -> None:
        trace_id, outcomes = sheet.view.info.trace_id, sheet.view.outcomes
        thinker = self.reviewer.opening.thinker
        try:
            sheet.take_facts(await thinker.ask(lambda reader: reader.facts(trace_id, outcomes)))
        except ReviewerError as error:
            sheet.no_facts = True
            self.say(f"no facts: {error}", bad=True)
            return
        if self.sheet is sheet:
            self.draw_marks()
        if self.sheet is sheet and sheet.n == 0:
            self.leave_step()
            known, row = self._summary(sheet), self.body.top
            self._shown = (trace_id, 0, known)
            self.body.show_body(known.body, row)

    def _fetch_rows(self, first: int, count: int) -> None:
        self.run_worker(self._add_rows(self._rows, first, count))

    async def _add_rows(self, rows: OutlineRows, first: int, count: int) -> None:
        assert self.sheet is not None
        trace_id = self.sheet.view.info.trace_id
        try:
            rows.add(first, await self.reader.ask(lambda reader: reader.outline(trace_id, first, count)))
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        if rows is self._rows:
            self.steps.reload()

    def go(self, n: int, *, anew: bool = False) -> None:
        """Go to step `n` (0 is the summary) of the open trace: where it was left, or (`anew`) to its top."""
        if self.sheet is None or not 0 <= n <= self.sheet.view.info.n_steps:
            return
        self.leave_step()
        if anew:
            self.places.rewind(self.sheet.view.info.trace_id, n)
        self.sheet.n = n
        self.latest("step", lambda: self._show_step(n))

    def leave_step(self) -> None:
        """Keep how the step looks that is on the screen."""
        if self._shown is not None:
            trace_id, n, known = self._shown
            self.places.leave(trace_id, n, look(known.body, self.body.top), known.fresh)

    async def _show_step(self, n: int) -> None:
        sheet = self.sheet
        assert sheet is not None
        if n and n not in self._bodies:
            trace_id = sheet.view.info.trace_id
            seen, wrap, width = self.places.seen(trace_id, n), self._wrap, self.body.columns_seen
            try:  # laid out over there too: what was left far down in megabytes takes its time
                body = await self.reader.ask(
                    lambda reader: opened(BodyDocument.of(reader.step(trace_id, n), wrap=wrap), seen, width)
                )
            except ReviewerError as error:
                self.say(str(error), bad=True)
                return
            self._remember(n, body)
        if self.sheet is sheet and sheet.n == n:
            self._paint_step(n)

    def _paint_step(self, n: int) -> None:
        """Draw step `n`, whose body is at hand."""
        assert self.sheet is not None
        trace_id = self.sheet.view.info.trace_id
        seen = self.places.seen(trace_id, n)
        known = self._bodies[n] if n else self._summary(self.sheet)
        self._shown = (trace_id, n, known)
        self.places.arrive(trace_id, n)
        self.returned = seen is not None and seen.anchor != START
        self.sheet.opened.add(n)
        self.body.show_body(known.body, row_of(known.body, seen))
        self.point(n)
        self.draw_title()
        self.draw_keys()
        self.arrived(n)

    def _summary(self, sheet: Sheet) -> Opened:
        body = BodyDocument(summary_parts(sheet), wrap=self._wrap)
        return opened(body, self.places.seen(sheet.view.info.trace_id, 0), self.body.columns_seen)

    def _remember(self, n: int, known: Opened) -> None:
        """Keep the body of a step; the oldest ones go, huge ones at once. `places` knows how they looked."""
        for old in [m for m, other in self._bodies.items() if other.body.huge]:
            del self._bodies[old]
        self._bodies[n] = known
        if len(self._bodies) > _KEPT:
            del self._bodies[next(iter(self._bodies))]

    # -- lines ---------------------------------------------------------------------------------

    def draw_title(self) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        view = sheet.view
        words = self.title_words(view)
        words += [VERDICTS[view.passed]] if view.passed is not None else []
        left = safe_line(" · ".join(word for word in words if word))
        right = f" {self.spine_words(sheet)}{sheet.where} · {self.way(view)} "
        room = max(0, self.app.size.width - len(right) - 1)
        line = Content.assemble(" ", safe_line(left, room).ljust(room), (right, "bold"))
        self.title_line.update(line, layout=False)

    def title_words(self, view: View) -> list[str]:
        """Where one is, for the title."""
        name = called(view.info)
        where = f"{view.place + 1}/{view.total}"
        if view.assigned:
            where = f"{view.place + 1} of {view.total} (assigned)"
        where += f" {FLAG}" * view.item.flagged
        return [where, name, view.info.model, f"ended {view.info.ended}"]

    def draw_panel(self) -> None:
        if self.sheet is not None:
            width, height = self.app.size
            parts = self.panel_parts(self.sheet, wide=width >= _WIDE and height >= _HIGH)
            self.panel.show(self.in_rows(parts))
            self.draw_keys()

    def idle(self) -> set[str]:
        sheet = self.sheet
        if sheet is None:
            return set()
        on_summary, view = sheet.n == 0, sheet.view
        return {
            *(("label.step", "settle.step") if on_summary else ("lead.next", "lead.follow")),
            *(("label.confirm",) if sheet.suggestion is None or view.labels else ()),
            *(() if sheet.evidence_steps else ("jump.evidence",)),
            *(() if view.siblings else ("beside",)),
            *(() if view.total > 1 else ("trace.next",)),
        }

    def on_resize(self, event: Resize) -> None:
        self.draw_title()
        self.draw_keys()
        self.draw_panel()

    def on_step_list_chosen(self, message: StepList.Chosen) -> None:
        self.go(message.n)
