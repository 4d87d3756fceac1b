"""The settling half of the adjudication screen: a mode, the reason for it, undo. Nothing is preselected."""

from __future__ import annotations

from textual.events import Key

from reviewer.errors import ReviewerError
from reviewer.label import Decision
from reviewer.session import AdjudicationSession, Reading
from reviewer.taxonomy import Taxonomy
from reviewer.tui.lane import Lane
from reviewer.tui.screens.base import DeskScreen
from reviewer.tui.screens.reason import Reason, ReasonScreen


class Settling(DeskScreen):
    """Adjudications; every one is an event of the session, with its reason."""

    def __init__(self, desk: Lane[AdjudicationSession], reader: Lane[Reading], taxonomy: Taxonomy) -> None:
        super().__init__(reader, taxonomy)
        self.desk = desk
        self._reasons: dict[tuple[str, ...], str] = {}  # the last reason for each confused pair

    def on_key(self, event: Key) -> None:
        """The keys of the modes, which the taxonomy names."""
        mode = self.taxonomy.mode_for_key(event.character or "")
        if mode is not None:
            event.stop()
            self.settle(mode.id)

    def painted(self) -> None:
        self.locked = ""

    def settle(self, mode: str) -> None:
        """Ask for the reason, then commit."""
        sheet = self.sheet
        if sheet is None or sheet.view.case is None or self.locked or self.reviewer.burst:
            self.say(f"not settled: {self.locked or 'no case is open'}", bad=True)
            return
        pair = sheet.view.case.pair

        def commit(reason: Reason | None) -> None:
            if reason is not None:
                self._reasons[pair] = reason.text
                self.locked = "the case before is being saved"
                self.run_worker(self._commit(mode, reason))

        self.app.push_screen(ReasonScreen(mode, self._reasons.get(pair, "")), commit)

    async def _commit(self, mode: str, reason: Reason) -> None:
        sheet = self.sheet
        assert sheet is not None
        place, trace_id = sheet.view.place, sheet.view.info.trace_id
        decision = Decision(
            mode,
            step_n=sheet.decisive,
            reason=reason.text,
            confidence=reason.confidence,
            guideline=reason.guideline,
        )
        try:
            await self.desk.ask(lambda desk: desk.adjudicate(trace_id, decision))
        except ReviewerError as error:
            self.locked = ""
            self.say(f"not saved: {error}", bad=True)
            return
        following = await self.desk.ask(lambda desk: desk.next_open(place))
        await self._open(place if following is None else following)
        self.say(f"settled as {mode}" + ("; every case is settled" if following is None else ""))

    async def _open(self, place: int) -> None:
        self.locked = "the next case is not painted yet"
        try:
            view = await self.desk.ask(lambda desk: desk.open(place))
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        await self.show_view(view)

    # -- keys ----------------------------------------------------------------------------------

    def action_modes(self) -> None:
        from reviewer.tui.screens.modes import ModeScreen

        self.app.push_screen(ModeScreen(self.taxonomy), lambda mode: self.settle(mode) if mode else None)

    def action_decisive(self) -> None:
        sheet = self.sheet
        if sheet is None or sheet.n == 0:
            self.say("go to the step that decided it first (l), then x marks it", bad=True)
            return
        sheet.decisive = None if sheet.decisive == sheet.n else sheet.n
        self.draw_marks()
        self.draw_panel()

    def action_undo(self) -> None:
        self.run_worker(self._undo())

    async def _undo(self) -> None:
        try:
            place = await self.desk.ask(lambda desk: desk.undo())
        except ReviewerError as error:
            self.say(f"not undone: {error}", bad=True)
            return
        if place is None:
            self.say("nothing to undo")
            return
        await self._open(place)
        self.say("undone; this is the case it was about")

    def action_trace(self, direction: int) -> None:
        sheet = self.sheet
        if sheet is not None:
            place = sheet.view.place + direction
            if 0 <= place < sheet.view.total:
                self.latest("trace", lambda: self._open(place))
            else:
                self.say("this is the last case" if direction > 0 else "this is the first case")

    def action_next_open(self) -> None:
        sheet = self.sheet
        if sheet is not None:
            self.latest("trace", lambda: self._next_open(sheet.view.place))

    async def _next_open(self, place: int) -> None:
        following = await self.desk.ask(lambda desk: desk.next_open(place))
        if following is None:
            self.say("every case is settled")
        else:
            await self._open(following)

    def action_agreement(self) -> None:
        from reviewer.tui.screens.agreement import AgreementScreen

        self.app.push_screen(AgreementScreen(self.desk, self.taxonomy), self._opened)

    def _opened(self, trace_id: str | None) -> None:
        """A cell of the confusion table was chosen: go to its trace if it is a case."""
        if trace_id is not None:
            self.run_worker(self._find(trace_id))

    async def _find(self, trace_id: str) -> None:
        places = await self.desk.ask(
            lambda desk: [n for n, case in enumerate(desk.cases) if case.info.trace_id == trace_id]
        )
        if places:
            await self._open(places[0])
        else:
            self.say("people agree on this trace; there is nothing to settle")
