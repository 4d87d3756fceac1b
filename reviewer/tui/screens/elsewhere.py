"""Out of the open trace and back: search over all traces, others like a finding, the way back with Escape."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.session import AdjudicationSession
from reviewer.tui.screens.queueing import Queueing
from reviewer.tui.screens.seeking import Seeking
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.sought import Sought
from reviewer.values import dataclass

if TYPE_CHECKING:
    from reviewer.session.searching import Found

_FILL = 0.1  # seconds of filling the index between which a label can be saved
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one was, and searching for what, before a key led to something in trace `opened`.

    `before`: the way back that was there already.
    """

    trace_id: str
    n: int
    opened: str
    sought: Sought | None
    before: Origin | None = None


@dataclass(slots=True)
class Memory:
    """What was searched for last and what was found, so that one comes back to it."""

    words: str = ""
    found: list[Found] = field(default_factory=list)
    cursor: int = 0
    said: str = ""


class Elsewhere(Queueing):
    """Keys that lead to another trace by what stands in it."""

    _origin: Origin | None = None
    _memory: Memory | None = None

    def action_everywhere(self) -> None:
        self._search_all("")

    def action_like(self) -> None:
        """Search all traces for the words of the finding in this step."""
        sheet = self.sheet
        finding = "" if sheet is None else _finding(sheet)
        if finding:
            self.latest("like", lambda: self._like(finding))
        elif sheet is not None and sheet.facts is None:
            self.say("the trace is still being read; try again in a moment")
        else:
            self.say("no error and no quote in this step; / and Ctrl+F search for any text")

    async def _like(self, finding: str) -> None:
        left = await self.reader.ask(lambda reader: reader.pending())
        while left > 0:  # which words are rare is known when all are
            self.say(f"{count(left, 'step', 'is', 'are')} not in the index yet; it is being filled …")
            left = await self._fill()
        words = await self.reader.ask(lambda reader: reader.like(finding))
        if words:
            self._search_all(words)
        else:
            self.say("there is no word in this finding")

    def _search_all(self, words: str) -> None:
        if self.sheet is None or self.busy:
            self.say(f"not now: {self.busy}", bad=True)
            return
        from reviewer.tui.screens.everywhere import EverywhereScreen

        if self._memory is None:
            self._memory = Memory()
        memory = self._memory

        def answered(found: Found | None) -> None:
            self.body.focus()
            if found is not None:
                doing = "the trace of the hit is being opened"
                self.start(doing, "not opened", lambda: self._open_found(found, memory.words), asked=True)

        self.app.push_screen(EverywhereScreen(self.reader, self._fill, memory, words), answered)

    def _fill(self) -> Awaitable[int]:
        from reviewer.session.searching import fill

        return self.reviewer.opening.desk.ask(lambda session: fill(session.desk, _FILL))

    async def _open_found(self, found: Found, words: str) -> None:
        from reviewer.session.searching import pattern_in

        asked = Sought(pattern_in(words, found.line), regex=True, name=words)
        if await self._reach(found.info.trace_id, found.n):
            self.latest("find", lambda: self.find(asked, found.n))
        elif found.info.parent_id:
            await self._open_inside(found, asked)
        else:
            self.say(f"step {found.n} of {found.info.trace_id}: not in this queue, so not opened", bad=True)

    async def _reach(self, there: str, n: int) -> bool:
        """Open step `n` of a trace of the queue, with a way back; False where it is not in the queue."""
        sheet = self.sheet
        assert sheet is not None
        here = sheet.view.info.trace_id
        place = sheet.view.place if here == there else await self.place_of(there)
        if place is None:
            return False
        self._origin = Origin(here, sheet.n, there, sheet.sought)
        if here == there:
            self.go(n, anew=True)
        else:
            self.places.rewind(there, n)
            await self.open_place(place, n)
        return True

    async def _open_inside(self, found: Found, asked: Sought) -> None:
        """Open a hit in the run of a sub-agent: above the step of the trace that started it."""
        child, parent = found.info, found.info.parent_id
        starts = await self.reader.ask(lambda reader: reader.starts(parent, [child]))
        begun = next(iter(starts), 0)
        if not await self._reach(parent, begun) or self.sheet is None:
            self.say(f"step {found.n} of {child.trace_id}: a run inside runs; S goes there", bad=True)
            return
        self.places.rewind(child.trace_id, found.n)
        self.places.arrive(child.trace_id, found.n)
        self.enter(self.sheet, begun, child)
        screen = self.app.screen
        while screen is self.app.screen and isinstance(screen, Seeking) and screen.sheet is None:
            await asyncio.sleep(_POLL)
        if isinstance(screen, Seeking) and screen.sheet is not None:
            screen.latest("find", lambda: screen.find(asked, found.n))

    def place_of(self, trace_id: str) -> Awaitable[int | None]:
        return self.reviewer.opening.desk.ask(lambda session: _place(session, trace_id))

    # -- and back ------------------------------------------------------------------------------

    def action_back(self) -> None:
        sheet, origin = self.sheet, self._origin
        if sheet is None:
            return
        if self.detailed:
            self.arm(False)
            self.say("the next mode key asks for no details")
        elif origin is not None and origin.opened == sheet.view.info.trace_id:
            self.start("the trace before is being opened", "not opened", lambda: self._go_back(origin))
        elif sheet.sought is not None:
            self.end_search()
            self.say("the search is ended")

    def keep_way(self) -> None:
        sheet = self.sheet
        if sheet is not None:
            here = sheet.view.info.trace_id
            self._origin = Origin(here, sheet.n, here, sheet.sought, self._origin)

    async def _go_back(self, origin: Origin) -> None:
        self._origin = origin.before
        if self.sheet is not None and self.sheet.sought is not origin.sought:
            self.end_search()
        if origin.trace_id == origin.opened:
            self.go(origin.n)
            self.say("back where you were")
            return
        place = await self.place_of(origin.trace_id)
        if place is not None:
            await self.open_place(place, origin.n)
            self.say("back where you were; Ctrl+F shows the hits again")


def _place(session: Any, trace_id: str) -> int | None:
    """The place of a trace in the queue of a sitting; None where it is not in it."""
    if isinstance(session, AdjudicationSession):
        return session.place_of(trace_id)
    try:
        place: int = session.find(trace_id)
    except InputError:
        return None
    return place


def _finding(sheet: Sheet) -> str:
    """The words of what was found in the open step: a quote, an error, a check that failed."""
    for quote in sheet.quotes(sheet.n):
        return quote
    facts = sheet.facts
    if facts is None:
        return ""
    found = [error.quote for error in facts.errors if error.step == sheet.n]
    found += [check.quote for check in facts.checks if check.step == sheet.n and check.state == "failed"]
    return next(filter(None, found), "")
