"""The deciding half of the review screen: label, confirm, note, details, skip, flag, revise.

A label is sent off at the key press and called saved only when the session says so. From the key press
to the painting of the next trace no other label key is let through, however long a key is held.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from time import monotonic

from reviewer.errors import ReviewerError
from reviewer.label import Decision
from reviewer.session import Reading, ReviewSession, View
from reviewer.session.undoing import Standing, standing
from reviewer.taxonomy import Taxonomy
from reviewer.tui.lane import Lane
from reviewer.tui.screens.elsewhere import Elsewhere
from reviewer.tui.sheet import Sheet

_DRAFT_SECONDS = 1.0  # after which a note that is being written is kept
_LABELLED = "just labelled; L next, u undo, r lets one more label key through"


class Deciding(Elsewhere):
    """Decisions; every one is an event of the session."""

    ALL_DONE = "every trace in the queue has a label of yours"

    def __init__(self, desk: Lane[ReviewSession], reader: Lane[Reading], taxonomy: Taxonomy) -> None:
        super().__init__(reader, taxonomy)
        self.desk = desk
        # of this sitting, on each trace but for the visit that is on the screen: seconds, steps opened
        self._spent: dict[str, float] = {}
        self._stepped: dict[str, frozenset[int]] = {}

    def view_at(self, place: int) -> Awaitable[View]:
        return self.desk.ask(lambda desk: desk.open(place))

    def next_waiting(self, place: int) -> Awaitable[int | None]:
        return self.desk.ask(lambda desk: desk.next_open(place))

    def named_places(self, asked: str) -> Awaitable[list[int]]:
        return self.desk.ask(lambda desk: desk.named(asked))

    def standing(self) -> Awaitable[Standing | None]:
        return self.desk.ask(lambda desk: standing(desk.desk))

    def take_back(self) -> Awaitable[tuple[int | None, str]]:
        return self.desk.ask(lambda desk: (desk.undo(), desk.undone))

    async def open_place(self, place: int, n: int | None = None) -> None:
        left = self.sheet
        await super().open_place(place, n)
        if left is not None and self.sheet is not None and left.view.place != self.sheet.view.place:
            trace_id = left.view.info.trace_id
            self._spent[trace_id], self._stepped[trace_id] = self._seconds(left), self._opened(left)
            self.arm(False)
        self.keep_place()

    def _seconds(self, sheet: Sheet) -> float:
        """How long this trace was on the screen in this sitting, other visits among it."""
        return self._spent.get(sheet.view.info.trace_id, 0.0) + monotonic() - sheet.since

    def _opened(self, sheet: Sheet) -> frozenset[int]:
        """The steps that were on the screen in the time that `_seconds` counts, and in no earlier sitting."""
        return self._stepped.get(sheet.view.info.trace_id, frozenset()) | (sheet.opened - {0})

    def keep_place(self) -> None:
        """Remember where the annotator is and what was begun; nobody waits for it or is told if it fails."""
        sheet = self.sheet
        if sheet is None:
            return
        place, n, draft = sheet.view.place, sheet.n, sheet.draft
        self.desk.submit(lambda desk: desk.keep_place(place, n))
        if draft != sheet.kept_draft:
            sheet.kept_draft = draft
            kept = self.desk.submit(lambda desk: desk.keep_draft(place, draft))
            kept.add_done_callback(lambda done: sheet.draft_not_kept() if done.exception() else None)

    # -- labels --------------------------------------------------------------------------------

    def choose(self, mode: str) -> None:
        if self.detailed and not self.locked:
            self._detail(self.decision(mode))
        else:
            self.label(self.decision(mode))

    def decision(self, mode: str) -> Decision:
        """The mode with what stands on the sheet; details of the label before go on where they still fit."""
        sheet = self.sheet
        assert sheet is not None
        known = sheet.view.label
        decision = Decision(mode, step_n=sheet.decisive, note=sheet.view.note)
        if known is None:
            return decision
        same = known.mode == mode
        failed = self.taxonomy.mode(mode).failure
        secondary = tuple(other for other in known.secondary if other != mode and failed)
        kept = replace(decision, facets=known.facets, secondary=secondary)
        return replace(kept, submode=known.submode if same else "", confidence=known.confidence)

    def label(self, decision: Decision) -> None:
        """Label the trace on the screen."""
        if self.sheet is not None and self.locked:
            self.say(f"not labelled: {self.locked}", bad=True)
            return
        if self.reviewer.held:
            self.say("this key is held down; u takes the label back if it was too much", bad=True)
            return
        self.start(f"{decision.mode} is being saved", "not saved", lambda: self._label(decision))

    async def _label(self, decision: Decision) -> None:
        sheet = self.sheet
        assert sheet is not None
        place = sheet.view.place
        spent, opened = self._seconds(sheet), len(self._opened(sheet))
        self.locked = "the label before is being saved"
        self.say(f"saving {decision.mode} …")
        saved = await self.reviewer.saving(
            self.desk.submit(lambda desk: desk.label(place, decision, seconds=spent, steps_opened=opened))
        )
        said = f"saved {decision.mode} ({saved.condition})"
        proposed = sheet.suggestion
        if (
            proposed is not None
            and proposed.mode == decision.mode
            and proposed.step_n
            and not decision.step_n
        ):
            said += f"; step {proposed.step_n} not taken: x there marks it"  # a mark is a person's own
        rule = sheet.relabels(decision.mode)
        if (
            rule is not None and not sheet.view.blind
        ):  # in blind work the panel tells it, once it may be shown
            said += f", not {rule.pair[1]} ({rule.ask})"
        self.locked = _LABELLED
        if (sheet.view.blind and sheet.view.reveal) or sheet.view.labels:
            await self.stay(place, f"{said}; Enter or L goes on")
        else:
            await self.go_on(place, said)

    def step_marked(self) -> None:
        """On a labelled trace the mark is saved at once, as a revision of the label."""
        label = self.sheet.view.label if self.sheet is not None else None
        if label is not None:
            self.start(
                "the decisive step is being saved",
                "not saved",
                lambda: self._label(self.decision(label.mode)),
            )

    def action_confirm(self) -> None:
        sheet = self.sheet
        if sheet is not None and sheet.suggestion is not None:
            self.choose(sheet.suggestion.mode)
        elif sheet is not None and sheet.view.withheld:
            self.say("nothing to confirm: the suggestion stays hidden until your own label is in", bad=True)
        else:
            self.say("nothing to confirm: there is no suggestion", bad=True)

    def action_revise(self) -> None:
        if self.sheet is not None and self.sheet.view.labels and not self.busy:
            self.locked = ""
            self.say("the next label key revises this label; both stay in the history")
        else:
            self.say("nothing to revise: this trace has no label of yours", bad=True)

    def action_details(self) -> None:
        """Submode, secondary modes, facets: of the label that stands, else of the one that comes next.

        Given with the label they are as blind as it is; afterwards they are a revision.
        """
        label = self.sheet.view.label if self.sheet is not None else None
        if self.refused():
            self.say(f"not now: {self.refused()}", bad=True)
        elif label is not None:
            self._detail(self.decision(label.mode))
        else:
            self.arm(not self.detailed)
            self.say(
                "the next mode key asks for submode, secondary modes, facets before it saves; . undoes this"
                if self.detailed
                else "the next mode key labels at once, without details"
            )

    def _detail(self, decision: Decision) -> None:
        from reviewer.tui.screens.details import DetailsScreen

        def keep(detailed: Decision | None) -> None:
            self.arm(False)
            if detailed is not None:
                self.locked = ""
                self.label(detailed)
            else:
                self.say("nothing was saved")

        self.app.push_screen(DetailsScreen(self.taxonomy, decision), keep)

    # -- what is no label ----------------------------------------------------------------------

    def _change(self, doing: str, change: Callable[[ReviewSession, int], object], said: str) -> None:
        """Do something to the trace on the screen, then show its new state."""
        sheet = self.sheet
        if sheet is None:
            return
        place = sheet.view.place

        async def work() -> None:
            await self.reviewer.saving(self.desk.submit(lambda desk: change(desk, place)))
            await self.stay(place, said)

        self.start(doing, "not saved", work)

    def action_note(self) -> None:
        from reviewer.tui.screens.note import NoteScreen

        sheet = self.sheet
        if sheet is None or self.refused():
            self.say(f"not now: {self.refused()}", bad=True)
            return

        place, step = sheet.view.place, sheet.n or None

        def keep(text: str | None) -> None:
            if text is None:
                self.keep_place()  # at once: the next key may open another trace
                self.draw_panel()
                return
            sheet.kept_draft = sheet.draft  # saving ends the draft; the timer must not bring it back
            self.start("the note is being saved", "not saved", lambda: save(text), asked=True)

        async def save(text: str) -> None:
            try:
                await self.reviewer.saving(self.desk.submit(lambda desk: desk.note(place, text, step)))
            except ReviewerError:
                sheet.draft_not_kept()
                raise
            await self.stay(place, "note saved" if text.strip() else "note taken away")

        def typed(text: str) -> None:
            if sheet.draft == sheet.kept_draft != text:  # the first change since it was kept
                self.set_timer(_DRAFT_SECONDS, self.keep_place)
            sheet.draft = text

        self.app.push_screen(NoteScreen(sheet.view.note, sheet.draft, typed), keep)

    def action_flag(self) -> None:
        flagged = self.sheet is not None and self.sheet.view.item.flagged
        said = "flag taken away" if flagged else "flagged for discussion"
        self._change("the flag is being saved", lambda desk, place: desk.flag(place), said)

    def action_skip(self) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        place = sheet.view.place

        async def work() -> None:
            await self.reviewer.saving(self.desk.submit(lambda desk: desk.skip(place)))
            await self.go_on(place, "skipped, it comes again last")

        self.start("the trace is being skipped", "not skipped", work)
