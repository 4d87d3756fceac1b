"""Another attempt at the same task beside this one, step by step, aligned by their calls. Only for reading.

Which of the others may be shown, and that it was, is the session's business: nothing of the other run is
painted before its showing is on record. Knows no label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from reviewer.errors import ReviewerError
from reviewer.session import Reading
from reviewer.session.aligning import Pair, differing
from reviewer.session.attempts import beside, in_order
from reviewer.text import safe_line
from reviewer.tui import keys
from reviewer.tui.naming import called
from reviewer.tui.pairing import Pairing, named
from reviewer.tui.places import Opened, Places, opened
from reviewer.tui.screens.foot import Foot
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.parts import Part
from reviewer.tui.widgets.side import Side
from reviewer.tui.widgets.step_list import StepList

_VIEWS = ("", "-only-mine", "-only-other")


class BesideScreen(Foot):
    """The trace of `sheet` with one of its siblings; `chosen` is called with a step to go to."""

    KEYS: Sequence[Binding] = keys.BESIDE
    BINDINGS: ClassVar[list[BindingType]] = [*keys.BESIDE]
    LABELS = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide"), (160, "-broad")]  # noqa: RUF012
    CSS_PATH = "beside.tcss"

    def __init__(self, of: Foot, sheet: Sheet, chosen: Callable[[int], None], *, wrap: bool) -> None:
        super().__init__(of.reader, of.taxonomy)
        self._sheet = sheet
        self._chosen = chosen
        self._wrap = wrap
        self.places: Places = of.places
        self._others = in_order(sheet.view.siblings)
        self._number = 0  # which of the others
        self._pairing: Pairing | None = None
        self._place = 0
        self._view = 0
        self._folded = True

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield StepList(id="pairs")
        yield Side(id="mine")
        yield Side(id="second")
        yield Static(id="status", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.title_line = self.query_one("#title", Static)
        self.status_line = self.query_one("#status", Static)
        self.steps = self.query_one(StepList)
        self._mine = self.query_one("#mine", Side)
        self._other = self.query_one("#second", Side)
        self.stands = True
        self.take_habits()
        self.draw_keys()
        view = self._sheet.view
        self._mine.take(view.info, f"this · {named(view.info, view.passed)}", self.places)
        self.latest("open", lambda: self._open(self._sheet.n))

    # -- showing -------------------------------------------------------------------------------

    async def _open(self, n: int) -> None:
        """Read the alignment with the other attempt that is chosen, then show it at step `n` of this one."""
        mine, other = self._sheet.view.info, self._others[self._number]
        self._pairing = None
        self.draw_title()
        self.say("both runs are being read …")
        opening = self.reviewer.opening
        try:
            attempt = await opening.desk.ask(lambda session: beside(session.desk, mine.trace_id, other))
            found = await opening.thinker.ask(lambda reader: reader.beside(mine.trace_id, other.trace_id))
            bad = await opening.thinker.ask(self._errors)
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        self._other.take(other, f"other · {named(other, attempt.passed)}", self.places)
        self._pairing = Pairing(*found, bad)
        self._place = self._pairing.place_of(n)
        self.steps.show(self._pairing, self._pairing.last + 1, self._place)
        await self._show(self._place)
        self.say(f"{self._pairing.where()} (d goes there, n to the next difference)")

    def _errors(self, reader: Reading) -> tuple[list[int], list[int]]:
        """The steps of the errors of both runs, each as its own summary page counts them."""
        mine = self._sheet.facts or reader.facts(self._sheet.view.info.trace_id, ())
        other = reader.facts(self._others[self._number].trace_id, ())
        return [error.step for error in mine.errors], [error.step for error in other.errors]

    def _go(self, place: int) -> None:
        if self._pairing is not None and 0 <= place <= self._pairing.last:
            self._place = place
            self.latest("pair", lambda: self._show(place))

    async def _show(self, place: int) -> None:
        pairing = self._pairing
        if pairing is None:
            return
        pair = pairing.pair(place)
        wanted = [] if pair is None else [(self._mine, pair.a), (self._other, pair.b)]
        lacking = [(side, n) for side, n in wanted if n is not None and side.lacks(n)]
        try:
            for (side, n), known in zip(lacking, await self._read(lacking), strict=True):
                side.keep(n, known)
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        if self._pairing is pairing and self._place == place:
            self._paint(pairing, place)
            if pair is not None and pair.relation == "differ":
                await self._tell(pair)

    async def _tell(self, pair: Pair) -> None:
        """Say what differs in the calls of a pair that is on the screen."""
        a, b, mine, other = pair.a or 0, pair.b or 0, self._mine.trace_id, self._other.trace_id
        try:
            said = await self.reader.ask(
                lambda reader: differing(reader.step(mine, a), reader.step(other, b))
            )
        except ReviewerError as error:
            said = f"the calls could not be read: {error}"
        if (self._mine.n, self._other.n) == (pair.a, pair.b):
            self.say(said)

    async def _read(self, wanted: Sequence[tuple[Side, int]]) -> list[Opened]:
        """The bodies of steps, laid out as they were left."""
        if not wanted:
            return []
        asked = [
            (side.trace_id, n, self.places.seen(side.trace_id, n), side.body.columns_seen)
            for side, n in wanted
        ]
        wrap = self._wrap

        def read(reader: Reading) -> list[Opened]:
            return [
                opened(BodyDocument.of(reader.step(trace_id, n), wrap=wrap), seen, width)
                for trace_id, n, seen, width in asked
            ]

        return await self.reader.ask(read)

    def _paint(self, pairing: Pairing, place: int) -> None:
        view, pair = self._sheet.view, pairing.pair(place)
        self._mine.leave()
        self._other.leave()
        if pair is None:
            self._mine.show_page(pairing.page(view.info, mine=True), "")
            other = self._others[self._number]
            self._other.show_page(pairing.page(other, mine=False), "")
        else:
            self._paint_side(self._mine, pair.a, len(pairing.mine), pairing.gap(place, mine=True))
            self._paint_side(self._other, pair.b, len(pairing.other), pairing.gap(place, mine=False))
            if pair.a is not None:
                self._sheet.opened.add(pair.a)
        self.steps.go(place)
        self.draw_title()

    def _paint_side(self, side: Side, n: int | None, total: int, gap: list[Part]) -> None:
        if n is None:
            side.show_page(gap, f"– /{total}")
        else:
            side.show_step(n, f"step {n}/{total}")

    def draw_title(self) -> None:
        info, count = self._sheet.view.info, len(self._others)
        which = f"beside another attempt ({self._number + 1} of {count})"
        left = f"{which} · task {called(info)}"
        right = " … "
        if self._pairing is not None:
            said = f"{self._place}/{self._pairing.last} · {self._pairing.relation(self._place)}"
            right = f" {said} · READING ONLY "
        room = max(0, self.app.size.width - len(right) - 1)
        line = Content.assemble(" ", safe_line(left, room).ljust(room), (right, "bold"))
        self.title_line.update(line, layout=False)

    def on_resize(self, event: Resize) -> None:
        self.draw_title()
        self.draw_keys()

    # -- keys ----------------------------------------------------------------------------------

    @property
    def _sides(self) -> list[Side]:
        """Those that are seen now."""
        return [side for side in (self._mine, self._other) if side.display]

    def action_step(self, direction: int) -> None:
        self._go(self._place + direction)

    def action_ends(self, direction: int) -> None:
        if self._pairing is not None:
            self._go(0 if direction < 0 else self._pairing.last)

    def action_parting(self) -> None:
        """To the first place where the two part."""
        if self._pairing is not None:
            self.say(self._pairing.where())
            self._go(next(iter(self._pairing.partings), self._place))

    def action_difference(self, direction: int) -> None:
        if self._pairing is None:
            return
        places = self._pairing.partings[::direction]
        target = next((place for place in places if (place - self._place) * direction > 0), None)
        if target is None:
            self.say(f"no difference in calls {'after' if direction > 0 else 'before'} this step")
        else:
            self._go(target)

    def action_other(self, direction: int) -> None:
        number = self._number + direction
        if not 0 <= number < len(self._others):
            which = "last" if direction > 0 else "first"
            self.say(f"this is the {which} of the {len(self._others)} other attempts")
            return
        self._number = number
        n = self._pairing.step_near(self._place) if self._pairing is not None else self._sheet.n
        self.latest("open", lambda: self._open(n))

    def action_scroll(self, direction: int) -> None:
        for side in self._sides:
            side.body.scroll_rows(direction)

    def action_page(self, direction: int) -> None:
        for side in self._sides:
            side.body.scroll_pages(direction)

    def action_view(self) -> None:
        """Both, this one alone, the other one alone."""
        self._view = (self._view + 1) % len(_VIEWS)
        for name in _VIEWS[1:]:
            self.set_class(name == _VIEWS[self._view], name)

    def action_fold(self) -> None:
        if not [side for side in self._sides if side.body.toggle_fold()]:
            self.say("nothing in sight is folded")

    def action_fold_all(self) -> None:
        self._folded = not self._folded
        for side in self._sides:
            side.body.fold_all(self._folded)

    def action_wrap(self) -> None:
        self._wrap = not self._wrap
        for side in (self._mine, self._other):
            if side.body.body is not None and side.body.body.wrap != self._wrap:
                side.body.toggle_wrap()

    def action_take(self) -> None:
        """Back, to the step of this run that is shown."""
        n = self._pairing.step_near(self._place) if self._pairing is not None else self._sheet.n
        self.action_leave()
        self._chosen(n)

    def action_leave(self) -> None:
        """Back to where one was."""
        self._mine.leave()
        self._other.leave()
        self.app.pop_screen()

    def on_step_list_chosen(self, message: StepList.Chosen) -> None:
        self._go(message.n)
