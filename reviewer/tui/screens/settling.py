"""The settling half of the adjudication screen: a mode, the reason for it, undo. Nothing is preselected."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from dataclasses import replace

from reviewer.label import Decision, LabelEvent
from reviewer.session import AdjudicationSession, Reading, View
from reviewer.session.undoing import Standing, standing
from reviewer.study.basis import overrides
from reviewer.study.disagreements import Case
from reviewer.study.gold import marked
from reviewer.taxonomy import Taxonomy
from reviewer.tui.lane import Lane
from reviewer.tui.screens.elsewhere import Elsewhere
from reviewer.tui.screens.reason import Reason, ReasonScreen


class Settling(Elsewhere):
    """Adjudications; every one is an event of the session, with its reason."""

    ALL_DONE = "every case is settled"

    def __init__(self, desk: Lane[AdjudicationSession], reader: Lane[Reading], taxonomy: Taxonomy) -> None:
        super().__init__(reader, taxonomy)
        self.desk = desk
        self._reasons: dict[tuple[str, ...], str] = {}  # the last reason for each confused pair and decision

    def view_at(self, place: int) -> Awaitable[View]:
        return self.desk.ask(lambda desk: desk.open(place))

    def next_waiting(self, place: int) -> Awaitable[int | None]:
        return self.desk.ask(lambda desk: desk.next_open(place))

    def named_places(self, asked: str) -> Awaitable[list[int]]:
        return self.desk.ask(lambda desk: desk.named(asked))

    def standing(self) -> Awaitable[Standing | None]:
        return self.desk.ask(lambda desk: standing(desk.desk, adjudications=True))

    def take_back(self) -> Awaitable[tuple[int | None, str]]:
        return self.desk.ask(lambda desk: (desk.undo(), desk.undone))

    def choose(self, mode: str) -> None:
        """Ask for the reason, then commit."""
        sheet = self.sheet
        if sheet is None or sheet.view.case is None or self.refused():
            self.say(f"not settled: {self.refused() or 'no case is open'}", bad=True)
            return
        if sheet.view.case.barred:
            self.say("not settled: you labelled this trace, so a third person settles it", bad=True)
            return
        decision = Decision(mode, step_n=sheet.decisive)
        if not self.detailed:
            self._reason(decision, sheet.view.case)
            return
        from reviewer.tui.screens.details import DetailsScreen

        case = sheet.view.case

        def detailed(given: Decision | None) -> None:
            self.arm(False)
            if given is not None:
                self._reason(given, case)

        self.app.push_screen(DetailsScreen(self.taxonomy, decision), detailed)

    def action_details(self) -> None:
        """Submode, secondary modes and facets of the decision that comes next."""
        self.arm(not self.detailed)
        self.say(
            "the next mode key asks for submode, secondary modes, facets, then the reason; . undoes this"
            if self.detailed
            else "the next mode key asks for the reason only, without details"
        )

    def _reason(self, decision: Decision, case: Case) -> None:
        mode, pair, before = decision.mode, case.pair, case.gold.decision

        def commit(reason: Reason | None) -> None:
            if reason is not None:
                self._reasons[(*pair, mode)] = reason.text
                doing = f"{mode} is being saved"
                self.start(doing, "not settled", lambda: self._commit(decision, reason), asked=True)

        rule = self.taxonomy.rule(*pair) if len(pair) == 2 else None
        offered = self._reasons.get((*pair, mode), "")
        note = ""
        if (
            case.gold.stale and before is not None and before.mode == mode
        ):  # reaffirmed, the words stand there
            offered, note = before.reason, before.note
        alike = _steps(event for event in case.said if event.mode == mode)
        step = alike[0] if decision.step_n is None and len(alike) == 1 else decision.step_n
        asking = ReasonScreen(
            *(mode, offered, rule),
            note=note,
            against_all=overrides(mode, case.said),
            step=step,
            steps=_steps(case.said),
        )
        self.app.push_screen(asking, commit)

    async def _commit(self, decision: Decision, reason: Reason) -> None:
        sheet = self.sheet
        assert sheet is not None
        place, trace_id, mode = sheet.view.place, sheet.view.info.trace_id, decision.mode
        decision = replace(
            decision,
            reason=reason.text,
            note=reason.note or decision.note,
            confidence=reason.confidence or decision.confidence,
            guideline=reason.guideline,
            step_n=decision.step_n if reason.step is None else reason.step,
        )
        await self.reviewer.saving(self.desk.submit(lambda desk: desk.adjudicate(trace_id, decision)))
        self.marked.pop(trace_id, None)
        if await self.desk.ask(lambda desk: desk.cases[place].settled):
            await self.go_on(place, f"settled as {mode}")
        else:
            await self.stay(place, f"saved {mode}; others adjudicated otherwise, so no gold (u undoes)")

    def action_agreement(self) -> None:
        from reviewer.tui.screens.agreement import AgreementScreen

        self.app.push_screen(AgreementScreen(self.desk, self.taxonomy), self._chosen)

    def _chosen(self, trace_id: str | None) -> None:
        """A trace of a cell of the confusion table was chosen: go to it if it is a case."""
        if trace_id is not None:
            self.start("the trace is being opened", "not opened", lambda: self._find(trace_id))

    async def _find(self, trace_id: str) -> None:
        place = await self.desk.ask(lambda desk: desk.place_of(trace_id))
        if place is None:
            self.say(
                "people agree on this trace: if blind, it is settled by that rule; nothing to settle here"
            )
        else:
            await self.open_place(place)


def _steps(said: Iterable[LabelEvent]) -> list[int]:
    return [event.step_n for event in marked(said) if event.step_n is not None]
