"""Searching the open trace: text or a pattern, "3 of 17", where a text occurs first."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING

from reviewer.counting import count
from reviewer.errors import ReviewerError
from reviewer.tui.screens.base import DeskScreen
from reviewer.tui.seeking import Seeker
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.sought import MOST, Sought, sought, word_at

if TYPE_CHECKING:
    from reviewer.facts import Appearance

_PATIENCE = 0.3  # seconds after which a search says how far it is
_COMPARED = "upper and lower case taken as one"
_ORIGINS = {
    "task": "in the task",
    "user": "said by the user",
    "system": "in a system message",
    "observation": "in what a tool gave back",
    "agent": "from the agent itself; nothing before it holds it",
}


class Seeking(DeskScreen):
    """Keys that look for text and change nothing."""

    _seeker: Seeker | None = None
    _land = 0  # which hit of the step that comes is shown: the first (1), the last (-1), the next in sight
    _then: tuple[int, Callable[[], None]] | None = None  # what is shown of the step that comes
    _unsearched = 0  # steps that the search under way has not seen yet

    def seek(self, typed: str) -> None:
        """Search for what was typed; nothing ends the search."""
        if not typed:
            self.end_search()
            return
        try:
            asked = sought(typed)
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        self.latest("find", lambda: self.find(asked))

    def end_search(self) -> None:
        sheet = self.sheet
        if sheet is not None:
            self.latest("find", _nothing)
            sheet.sought, sheet.hits, self._unsearched = None, {}, 0
            self.body.clear_find()
            self.draw_marks()

    async def find(self, asked: Sought, start: int | None = None) -> None:
        """Count the hits of the trace, from the open step on and round; go to the first one."""
        sheet = self.sheet
        if sheet is None:
            return
        total, first = sheet.view.info.n_steps, max(1, sheet.n if start is None else start)
        seeker = self._seeker_of(sheet)
        sheet.sought, sheet.hits, self._unsearched = asked, {}, total
        try:
            for begin, end in ((first, total), (1, first - 1)):
                await self._search(sheet, seeker, asked, begin, end)
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        if self.sheet is not sheet:
            return
        self.draw_marks()
        if not sheet.hits:
            self.body.clear_find()
            self.say(f"“{asked.said}” does not occur in the steps of this trace")
        elif self.body.hit_number[0] and sheet.n in sheet.hits:
            self._tell_hits()

    async def _search(self, sheet: Sheet, seeker: Seeker, asked: Sought, n: int, last: int) -> None:
        """Through the steps from `n` to `last`, slice by slice, as long as the trace is open."""
        begun, total = monotonic(), sheet.view.info.n_steps
        while n <= last and self.sheet is sheet:
            found, following = await self._slice(seeker, asked, n, last)
            if self.sheet is not sheet:
                return
            self._unsearched -= following - n
            n, new = following, not sheet.hits
            sheet.hits.update(found)
            if found and new:
                self._go_to_hit(sheet, min(found))
            elif monotonic() - begun > _PATIENCE:
                done, hits = total - self._unsearched, sum(sheet.hits.values())
                self.say(f"searching … {done:,} of {count(total, 'step')}, {count(hits, 'hit')} so far")

    def _slice(
        self, seeker: Seeker, asked: Sought, n: int, last: int
    ) -> Awaitable[tuple[dict[int, int], int]]:
        return self.reader.ask(lambda reader: seeker.seek(reader, asked, n, last))

    def _seeker_of(self, sheet: Sheet) -> Seeker:
        trace_id = sheet.view.info.trace_id
        if self._seeker is None or self._seeker.trace_id != trace_id:
            self._seeker = Seeker(trace_id)
        return self._seeker

    def _go_to_hit(self, sheet: Sheet, n: int) -> None:
        if n == sheet.n:
            self.show_hits(n, go=True)
        else:
            self._land = 1
            self.go(n, anew=True)

    def go_to_show(self, n: int, show: Callable[[], None]) -> None:
        """Go to step `n`, and there to what `show` shows of it."""
        if self.sheet is not None and n == self.sheet.n:
            show()
        else:
            self._then = (n, show)
            self.go(n, anew=True)

    def shown_then(self, n: int) -> Callable[[], None] | None:
        """What a key wants to show of step `n`, which came on the screen."""
        then, self._then = self._then, None
        return then[1] if then is not None and then[0] == n else None

    def show_hits(self, n: int, *, go: bool = False) -> None:
        """Mark the hits in step `n`, which came on the screen; go to one if a key asked for hits."""
        sheet, land, self._land = self.sheet, self._land, 0
        if sheet is None or sheet.sought is None or n not in sheet.hits:
            return
        asked = sheet.sought
        go = go or bool(land)
        count = self.body.find(
            asked.pattern, regex=asked.regex, ignore_case=asked.ignore_case, land=land, go=go
        )
        if count:
            sheet.hits[n] = count  # as it is drawn: folds and layout cannot make it another number
            self._tell_hits()

    def action_hit(self, direction: int) -> None:
        """The next hit: within the step as long as there is one further on, else in the next step."""
        sheet = self.sheet
        if sheet is None or sheet.sought is None:
            self.say("no search is open; / begins one")
            return
        if not sheet.hits:
            self.say(f"“{sheet.sought.said}” has no hit" + (" so far" if self._unsearched else ""))
            return
        number, count = self.body.hit_number
        if count and 1 <= number + direction <= count:
            self.body.find_next(1 if direction > 0 else -1)
            self._tell_hits()
            return
        steps = sorted(sheet.hits)
        target = sheet.next_of(steps, direction)
        if target is None:
            target = steps[0] if direction > 0 else steps[-1]
        self._land = direction
        if target == sheet.n:
            self.show_hits(target, go=True)
        else:
            self.go(target, anew=True)

    def _tell_hits(self) -> None:
        sheet = self.sheet
        if sheet is None or sheet.sought is None:
            return
        before = sum(count for n, count in sheet.hits.items() if n < sheet.n)
        number, here = self.body.hit_number
        total, steps = sum(sheet.hits.values()), len(sheet.hits)
        if not number:  # the step was gone to for something else
            of = count(total, "hit")
            self.say(f"{here:,} of {of} in this step · “{sheet.sought.said}” · n goes to the first")
            return
        more = "+" if max(sheet.hits.values()) >= MOST else ""
        which = f"hit {before + number:,} of {total:,}{more}"
        place = f"{count(total, 'hit')} so far" if self._unsearched else which
        case = "" if sheet.sought.ignore_case else ", with this case"
        inside = "in this step" if steps == 1 else f"in {steps:,} steps"
        self.say(f"{place} · “{sheet.sought.said}” {inside}{case} · n next, N before, Esc ends")

    # -- where it comes from -------------------------------------------------------------------

    def word_of_hit(self) -> str:
        """The word under the hit that is shown."""
        number, _ = self.body.hit_number
        body = self.body.body
        if not number or body is None:
            return ""
        hit = body.hits[number - 1]
        return word_at(body.parts[hit.part].text, hit.start, hit.end)

    def seek_first(self, text: str) -> None:
        """Tell where `text` occurs first."""
        if text:
            self.latest("find", lambda: self._find_first(text))

    async def _find_first(self, text: str) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        trace_id, n, begun = sheet.view.info.trace_id, 0, monotonic()
        while n <= sheet.view.info.n_steps:
            seen, n = await self._look_for_first(trace_id, text, n)
            if self.sheet is not sheet:
                return
            if seen is not None:
                break
            if monotonic() - begun > _PATIENCE:
                self.say(f"searching … {n:,} of {count(sheet.view.info.n_steps, 'step')}")
        else:
            self.say(f"“{text}” does not occur in this trace, in upper or lower case")
            return
        same = re.search(re.escape(text), seen.quote, re.IGNORECASE)
        written = same[0] if same is not None else text
        other = f", written “{written}”" if written != text else ""
        if seen.step != sheet.n:
            self.keep_way()
        if seen.step:
            where = f"“{text}”: first in step {seen.step}{other}, {_ORIGINS[seen.origin]} · {_COMPARED}"
            self.go_to_show(seen.step, lambda: self._show_first_place(written, where))
        else:
            self.go(0, anew=True)
            self.say(f"“{text}”: in the task already{other} · {_COMPARED}")

    def _show_first_place(self, written: str, where: str) -> None:
        self.body.show_place(written)
        self.say(where)

    def _look_for_first(self, trace_id: str, text: str, n: int) -> Awaitable[tuple[Appearance | None, int]]:
        return self.reader.ask(lambda reader: reader.first_seen(trace_id, text, n))


async def _nothing() -> None:
    """Takes the place of the search under way."""
