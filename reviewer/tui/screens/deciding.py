"""The deciding half of the review screen: label, confirm, note, decisive step, skip, flag, undo.

A label is sent off at the key press and called saved only when the session says so. From the key press
to the painting of the next trace no other label key is let through, however long a key is held.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from textual.events import Key

from reviewer.errors import ReviewerError
from reviewer.label import Decision
from reviewer.session import Reading, ReviewSession
from reviewer.taxonomy import Taxonomy
from reviewer.tui.lane import Lane
from reviewer.tui.screens.base import DeskScreen

Answer = TypeVar("Answer")


class Deciding(DeskScreen):
    """Decisions; every one is an event of the session."""

    def __init__(self, desk: Lane[ReviewSession], reader: Lane[Reading], taxonomy: Taxonomy) -> None:
        super().__init__(reader, taxonomy)
        self.desk = desk

    def on_key(self, event: Key) -> None:
        """The keys of the modes, which the taxonomy names."""
        mode = self.taxonomy.mode_for_key(event.character or "")
        if mode is not None:
            event.stop()
            self.decide(mode.id)

    def painted(self) -> None:
        self.locked = ""

    def _refused(self) -> str:
        """Why a deciding key is not let through now; empty when it is."""
        if self.reviewer.burst:
            return "that many keys at once look like pasted text; nothing was decided"
        if self.sheet is None:
            return "no trace is open"
        return self.locked

    def decide(self, mode: str) -> None:
        """Label the open trace."""
        if why := self._refused():
            self.say(f"not labelled: {why}", bad=True)
            return
        self.locked = "the label before is being saved"
        self.say(f"saving {mode} …")
        self.run_worker(self._label(mode))

    async def _label(self, mode: str) -> None:
        sheet = self.sheet
        assert sheet is not None
        place = sheet.view.place
        decision = Decision(mode, step_n=sheet.decisive, note=sheet.view.note)
        spent, opened = monotonic() - sheet.since, len(sheet.opened - {0})
        saved = await self._told(
            self.desk.ask(lambda desk: desk.label(place, decision, seconds=spent, steps_opened=opened))
        )
        if saved is None:
            self.locked = ""
            return
        if sheet.view.blind:
            view = await self.desk.ask(lambda desk: desk.open(place))
            await self.show_view(view, sheet.n, keep=True)
            self.locked = "this trace was just labelled: L next, u undo, r lets one more label through"
            self.say(f"saved {mode} ({saved.condition}); Enter or L goes on")
            return
        await self._go_on(place, f"saved {mode} ({saved.condition})")

    async def _go_on(self, place: int, said: str) -> None:
        """Open the next trace that waits for a label."""
        following = await self.desk.ask(lambda desk: desk.next_open(place))
        if following is None:
            view = await self.desk.ask(lambda desk: desk.open(place))
            await self.show_view(view, keep=True)
            self.locked = "all traces are labelled: H goes back, u undoes, r lets one more label through"
            self.say(f"{said}; every trace in the queue has a label of yours")
            return
        await self._open(following)
        self.say(said)

    async def _open(self, place: int, n: int = 0) -> None:
        self.locked = "the next trace is not painted yet"
        view = await self._told(self.desk.ask(lambda desk: desk.open(place)))
        if view is not None:
            self.desk.submit(lambda desk: desk.keep_place(place, n))
            await self.show_view(view, n)

    async def _told(self, answer: Awaitable[Answer]) -> Answer | None:
        """The answer, or None after an error of ours was said."""
        try:
            return await answer
        except ReviewerError as error:
            self.say(f"not saved: {error}", bad=True)
            return None

    def _change(self, change: Callable[[ReviewSession, int], object], said: str) -> None:
        """Do something to the open trace, then show its new state."""
        if self.sheet is not None:
            self.run_worker(self._changed(change, self.sheet.view.place, said))

    async def _changed(self, change: Callable[[ReviewSession, int], object], place: int, said: str) -> None:
        done = await self._told(self.desk.ask(lambda desk: (change(desk, place), desk.open(place))))
        if done is not None and self.sheet is not None and self.sheet.view.place == place:
            await self.show_view(done[1], self.sheet.n, keep=True)
            self.say(said)

    # -- keys ----------------------------------------------------------------------------------

    def action_confirm(self) -> None:
        sheet = self.sheet
        if sheet is not None and sheet.suggestion is not None:
            self.decide(sheet.suggestion.mode)
        elif sheet is not None and sheet.view.withheld:
            self.say("nothing to confirm: the suggestion stays hidden until your own label is in", bad=True)
        else:
            self.say("nothing to confirm: there is no suggestion", bad=True)

    def action_modes(self) -> None:
        from reviewer.tui.screens.modes import ModeScreen

        if why := self._refused():
            self.say(f"not labelled: {why}", bad=True)
            return
        self.app.push_screen(ModeScreen(self.taxonomy), lambda mode: self.decide(mode) if mode else None)

    def action_note(self) -> None:
        from reviewer.tui.screens.note import NoteScreen

        sheet = self.sheet
        if sheet is None:
            return
        place = sheet.view.place

        def keep(text: str | None) -> None:
            if text is not None:
                self.run_worker(self._changed(lambda desk, at: desk.note(at, text), place, "note saved"))

        drafts = self.reviewer.drafts
        self.app.push_screen(NoteScreen(sheet.view.note, drafts, sheet.view.info.trace_id), keep)

    def action_decisive(self) -> None:
        sheet = self.sheet
        if sheet is None or sheet.n == 0:
            self.say("go to the step that decided it first (l), then x marks it", bad=True)
            return
        sheet.decisive = None if sheet.decisive == sheet.n else sheet.n
        self.draw_marks()
        self.draw_panel()
        said = f"step {sheet.n} is the decisive one" if sheet.decisive else "no decisive step"
        self.say(f"{said}; it is saved with the label")

    def action_skip(self) -> None:
        if why := self._refused():
            self.say(f"not skipped: {why}", bad=True)
        elif self.sheet is not None:
            self.locked = "the trace is being skipped"
            self.run_worker(self._skip(self.sheet.view.place))

    async def _skip(self, place: int) -> None:
        if await self._told(self.desk.ask(lambda desk: desk.skip(place))) is None:
            self.locked = ""
            return
        await self._go_on(place, "skipped; it comes again at the end")

    def action_flag(self) -> None:
        self._change(lambda desk, place: desk.flag(place), "flag changed")

    def action_undo(self) -> None:
        if self.reviewer.burst:
            self.say(f"not undone: {self._refused()}", bad=True)
            return
        self.run_worker(self._undo(), group="undo", exclusive=False)

    async def _undo(self) -> None:
        undone = await self._told(self.desk.ask(lambda desk: (desk.undo(),)))
        if undone is None:
            return
        if undone[0] is None:
            self.say("nothing to undo")
            return
        await self._open(undone[0])
        self.say("undone; this is the trace it was about")

    def action_revise(self) -> None:
        if self.sheet is not None and self.sheet.view.label is not None:
            self.locked = ""
            self.say("the next label key revises this label; both stay in the history")
        else:
            self.say("nothing to revise: this trace has no label of yours", bad=True)

    def action_trace(self, direction: int) -> None:
        sheet = self.sheet
        if sheet is not None:
            place = sheet.view.place + direction
            if 0 <= place < sheet.view.total:
                self.latest("trace", lambda: self._open(place))
            else:
                self.say("this is the last trace" if direction > 0 else "this is the first trace")

    def action_next_open(self) -> None:
        sheet = self.sheet
        if sheet is not None:
            self.latest("trace", lambda: self._next_open(sheet.view.place))

    async def _next_open(self, place: int) -> None:
        following = await self.desk.ask(lambda desk: desk.next_open(place))
        if following is None:
            self.say("every trace in the queue has a label of yours")
        else:
            await self._open(following)
