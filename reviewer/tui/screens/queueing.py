"""Moving through a queue, for labelling and settling alike: next, before, undo; one thing at a time.

While something is being saved or opened nothing else that decides or moves between traces is let through,
so that an answer always meets the trace it was asked for. What goes wrong is said, and then things are as
before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.events import Key

from reviewer.counting import count
from reviewer.errors import ReviewerError
from reviewer.session import View
from reviewer.session.desk import is_number
from reviewer.session.undoing import Standing
from reviewer.tui.screens.reading import ReadingScreen
from reviewer.tui.widgets.parts import Part

UNPAINTED = "the next trace is not painted yet"


class Queueing(ReadingScreen):
    """A screen over a queue. `busy` says what is under way, `locked` why a mode key is not let through."""

    detailed = False  # the next mode asks for its details before it is saved
    _undo_asked = "", ""  # the decision elsewhere that the key before said `u` would take back, and this key
    _came_from: int | None = None  # the place that was left for the next trace that waits

    # What the session is asked for.

    def view_at(self, place: int) -> Awaitable[View]:
        raise NotImplementedError

    def next_waiting(self, place: int) -> Awaitable[int | None]:
        raise NotImplementedError

    def named_places(self, asked: str) -> Awaitable[list[int]]:
        raise NotImplementedError

    def place_of(self, trace_id: str) -> Awaitable[int | None]:
        """The place of a trace; None where it is not in the queue."""
        raise NotImplementedError

    def standing(self) -> Awaitable[Standing | None]:
        """What an undo would take back."""
        raise NotImplementedError

    def take_back(self) -> Awaitable[tuple[int | None, str]]:
        """The place of the trace that something was undone on (None: there was nothing), and what it was."""
        raise NotImplementedError

    def choose(self, mode: str) -> None:
        """A mode was chosen for the trace on the screen."""
        raise NotImplementedError

    ALL_DONE = "nothing is left to do"

    def on_key(self, event: Key) -> None:
        """The keys of the modes, which the taxonomy names."""
        mode = self.taxonomy.mode_for_key(event.character or "")
        if mode is not None:
            event.stop()
            self.choose(mode.id)

    def painted(self) -> None:
        self.locked = ""

    def hush(self) -> None:
        super().hush()
        self._undo_asked = self._undo_asked[1], ""

    def arm(self, on: bool) -> None:
        """Whether the next mode asks for its details; the panel says so as long as it does."""
        if self.detailed != on:
            self.detailed = on
            self.draw_panel()

    def armed_parts(self) -> list[Part]:
        return [
            Part("the next mode asks for its details (. or Esc undoes this)", "suggested")
        ] * self.detailed

    # -- one thing at a time -------------------------------------------------------------------

    def refused(self) -> str:
        """Why a key that decides or moves between traces is not let through now; empty when it is."""
        if self.reviewer.burst:
            return "that many keys at once look like pasted text"
        return self.occupied()

    def occupied(self) -> str:
        """What a decision has to wait for; empty when it has not."""
        if self.sheet is None or self.locked == UNPAINTED:
            return UNPAINTED
        return self.busy

    def start(
        self, doing: str, failed: str, work: Callable[[], Awaitable[None]], *, asked: bool = False
    ) -> None:
        """Do `work` unless something else is under way; an error of ours is said after `failed`.

        `asked`: a dialog was answered for it, into which text may have been pasted.
        """
        if why := self.occupied() if asked else self.refused():
            self.say(f"{failed}: {why}", bad=True)
            return
        self.busy = doing
        self.run_worker(self._work(failed, work))

    async def _work(self, failed: str, work: Callable[[], Awaitable[None]]) -> None:
        locked = self.locked
        try:
            await work()
        except ReviewerError as error:
            self.locked = locked
            self.say(f"{failed}: {error}", bad=True)
        finally:
            self.busy = ""

    async def open_place(self, place: int, n: int | None = None) -> None:
        """Open the trace at `place`, at `n` or where it was left; mode keys wait until it is painted."""
        view = await self.view_at(place)
        self._came_from = None
        self.locked = UNPAINTED
        await self.show_view(view, self.places.step(view.info.trace_id) if n is None else n)

    async def go_on(self, place: int, said: str) -> None:
        """Open the next trace that waits; when none does, stay and say so."""
        following = await self.next_waiting(place)
        if following is None:
            await self.stay(place, f"{self.ALL_DONE}; {said}")  # what was said may be long
            return
        await self.open_place(following)
        self._came_from = place  # traces between the two may be labelled already
        self.say(f"{said}; this is the next trace, H goes back")

    async def stay(self, place: int, said: str) -> None:
        """Show the trace at `place`, which is on the screen, in its new state."""
        sheet = self.sheet
        view = await self.view_at(place)
        if sheet is not None and self.sheet is sheet:
            await self.show_view(view, sheet.n, keep=True)
        self.say(said)

    # -- keys ----------------------------------------------------------------------------------

    def action_trace(self, direction: int) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        place = sheet.view.place + direction
        if direction < 0 and self._came_from is not None:
            place = self._came_from
        if 0 <= place < sheet.view.total:
            self.start("the next trace is being opened", "not opened", lambda: self.open_place(place))
        else:
            self.say("this is the last trace" if direction > 0 else "this is the first trace")

    def action_named_trace(self) -> None:
        self._ask("trace", "number of the trace in the queue, or a part of its task or id")

    def go_to_named(self, asked: str) -> None:
        sheet = self.sheet
        if sheet is not None:
            # the line was answered: whoever types an id fast and then Enter is no paste
            self.start(
                "the trace is being opened", "not opened", lambda: self._named(asked, sheet.view), asked=True
            )

    async def _named(self, asked: str, view: View) -> None:
        places = await self.named_places(asked)
        if not places:
            number, here = is_number(asked.strip()), count(view.total, "trace")
            said = "" if number else "no trace of the queue is called so; "
            self.say(f"{said}{here} here, numbered from 1", bad=True)
            return
        place = next((n for n in places if n > view.place), places[0])
        await self.open_place(place)
        if len(places) > 1:
            self.say(f"{places.index(place) + 1} of {len(places):,} that match; # with the same goes on")

    def action_next_open(self) -> None:
        sheet = self.sheet
        if sheet is not None:
            self.start(
                "the next trace is being opened", "not opened", lambda: self._next_open(sheet.view.place)
            )

    async def _next_open(self, place: int) -> None:
        following = await self.next_waiting(place)
        if following is None:
            self.say(self.ALL_DONE)
        else:
            await self.open_place(following)

    def action_undo(self) -> None:
        if self.reviewer.held:
            self.say("this key is held down; press it once for each undo", bad=True)
            return
        self.start("the last decision is being undone", "not undone", self._undo)

    async def _undo(self) -> None:
        due, sheet = await self.standing(), self.sheet
        elsewhere = due is not None and sheet is not None and due.trace_id != sheet.view.info.trace_id
        if due is not None and elsewhere and due.seen and due.event_id not in self._undo_asked:
            self._undo_asked = "", due.event_id
            self.say(await self._undo_words(due), bad=True)
            return
        place, undone = await self.take_back()
        if place is None:
            self.say("nothing to undo")
            return
        await self.open_place(place)
        view = self.sheet.view if self.sheet is not None else None
        seen = view is not None and view.case is None and view.blind and view.condition != "blind"
        warning = "; its suggestion was seen: a label now counts as assisted" if seen else ""
        where = f" on {place + 1}/{view.total}" if view is not None else ""
        self.say(f"undone: {undone}{where}{warning}")

    async def _undo_words(self, due: Standing) -> str:
        """What a second `u` would take back from a trace that is not in sight, and what it would cost."""
        place, total = await self.place_of(due.trace_id), self.sheet.view.total if self.sheet else 0
        where = due.trace_id[:11] if place is None else f"{place + 1}/{total}"
        cost = "its suggestion was seen: a new label counts as assisted"
        return f"u again takes back {due.words} on {where}; {cost}"

    def action_modes(self) -> None:
        from reviewer.tui.screens.modes import ModeScreen

        if why := self.refused() or self.locked:
            self.say(f"not now: {why}", bad=True)
            return
        self.app.push_screen(ModeScreen(self.taxonomy), lambda mode: self.choose(mode) if mode else None)

    def action_decisive(self) -> None:
        sheet = self.sheet
        if sheet is None or sheet.n == 0:
            self.say("x marks the step that decided it; l goes to the first step", bad=True)
            return
        sheet.decisive = None if sheet.decisive == sheet.n else sheet.n
        self.marked[sheet.view.info.trace_id] = sheet.decisive
        self.draw_marks()
        self.draw_panel()
        self.say(f"step {sheet.n} is the decisive one" if sheet.decisive else "no decisive step")
        self.step_marked()

    def step_marked(self) -> None:
        """The decisive step of the trace on the screen was marked or taken away."""
