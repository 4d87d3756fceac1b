"""The moving half of the review screen: steps, lines, errors, evidence, writes, checks, search, folds."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from reviewer.tui.screens.seeking import Seeking
from reviewer.tui.screens.walking import Walking

if TYPE_CHECKING:
    from reviewer.tui.widgets.prompt import Prompt


class Jumping(Seeking, Walking):
    """Keys that look and never change anything."""

    _quote, _quotes = 0, 0  # which of a step's quotes is shown, and how many of them stand in it

    def action_step(self, direction: int) -> None:
        sheet = self.sheet
        n = self.row_beside(sheet.n, direction) if sheet is not None else None
        if sheet is None or n is None:
            return
        if 0 <= n <= sheet.view.info.n_steps:
            self.go(n)
        else:
            self.say(
                "this is the last step" if direction > 0 else "this is the summary; nothing comes before it"
            )

    def action_ends(self, direction: int) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        n = 0 if direction < 0 else sheet.view.info.n_steps
        if n != sheet.n:
            self.go(n)
        elif direction < 0:  # there already: then to its own end
            self.body.go_home()
        else:
            self.body.go_end()

    def action_scroll(self, direction: int) -> None:
        self.body.scroll_rows(direction)

    def action_page(self, direction: int) -> None:
        self.body.scroll_pages(direction)

    def action_panel(self, direction: int) -> None:
        self.panel.scroll_pages(direction)

    def action_fold(self) -> None:
        if not self.body.toggle_fold():
            self.say("nothing in sight is folded")

    def action_fold_all(self) -> None:
        self._all_folded = not self._all_folded
        self.body.fold_all(self._all_folded)

    _all_folded = True
    _walking = _backwards = False  # a key that walks the evidence is under way, and in which direction

    def action_wrap(self) -> None:
        self._wrap = self.body.toggle_wrap()
        self.say("long lines are wrapped" if self._wrap else "long lines run out to the right; W wraps them")

    # -- jumps ---------------------------------------------------------------------------------

    def action_error(self, direction: int) -> None:
        if self.sheet is not None:
            self.latest("jump", lambda: self._error(direction))

    async def _error(self, direction: int) -> None:
        sheet = self.sheet
        assert sheet is not None
        trace_id, n = sheet.view.info.trace_id, sheet.n
        if sheet.error_steps is not None:
            self._jump(sheet.error_steps, "error", direction)
            return
        # until the facts are read, what the source flags has to do
        end = 0 if direction > 0 else sheet.view.info.n_steps + 1
        found = await self.reader.ask(
            lambda reader: (
                reader.next_error(trace_id, n, direction) or reader.next_error(trace_id, end, direction)
            )
        )
        if found is None:
            self.say("no step that the source flags as an error")
        elif self.sheet is sheet:
            self.go_to_show(found, lambda: self.show_error(found))

    def show_error(self, n: int) -> None:
        """Go to the result in the open step `n` that is its error."""
        facts = self.sheet.facts if self.sheet is not None else None
        self.body.show_error([error.quote for error in facts.errors if error.step == n] if facts else [])

    def action_evidence(self, direction: int) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        steps = sheet.evidence_steps
        if not steps:
            hidden = sheet.view.withheld
            self.say(
                "evidence is shown with the suggestion, after your label"
                if hidden
                else "there is no evidence"
            )
            return
        if sheet.n in steps and 0 <= self._quote + direction < self._quotes:
            self._quote += direction
            self.body.show_quotes(sheet.pointed(sheet.n), go=self._quote)
            self.panel.show_target(sheet.n, self._quote)
            return
        target = sheet.next_of(steps, direction)
        if target is None:  # round again, so that one key walks through all of it
            target = steps[0] if direction > 0 else steps[-1]
        if target == sheet.n and self._quotes <= 1:
            self.say("that is all the evidence there is")
        self._walking, self._backwards = True, direction < 0
        self.go(target, anew=True)

    def arrived(self, n: int) -> None:
        """Show what a key wants to show of the step that came; mark evidence and the hits of the search."""
        sheet = self.sheet
        if sheet is None or n == 0:
            return
        then = self.shown_then(n)
        stays, last = self.returned or then is not None, self._backwards
        self._quotes = self.body.show_quotes(sheet.pointed(n), go=None if stays else -1 if last else 0)
        self._quote, self._backwards = max(0, self._quotes - 1) if last else 0, False
        if self._quotes and self._walking:
            self.panel.show_target(n, self._quote)
        self._walking = False
        self.show_hits(n)
        if then is not None:
            then()

    def action_write(self, direction: int) -> None:
        facts = self.sheet.facts if self.sheet is not None else None
        self._jump(
            None if facts is None else [write.step for write in facts.writes], "step that writes", direction
        )

    def action_check(self, direction: int) -> None:
        facts = self.sheet.facts if self.sheet is not None else None
        self._jump(None if facts is None else [check.step for check in facts.checks], "check", direction)

    def _jump(self, steps: Collection[int] | None, what: str, direction: int) -> None:
        """Go to the next of `steps`, or round again and say so."""
        sheet = self.sheet
        if sheet is None or steps is None:
            self.say("the trace is still being read; try again in a moment")
            return
        if not steps:
            self.say(f"no {what} recognised in this trace")
            return
        among = sorted(set(steps))
        target = sheet.next_of(among, direction)
        if target is None:
            target, first = (among[0], "first") if direction > 0 else (among[-1], "last")
            again = f"no further {what}: round again, to the {first} of {len(among):,}"
            self.say(again if len(among) > 1 else f"this is the only {what} in the trace")
        if what == "error":
            self.go_to_show(target, lambda: self.show_error(target))
        else:
            self.go(target)

    # -- the line at the bottom ----------------------------------------------------------------

    def action_find(self) -> None:
        self._ask("find", "text to find in this trace, or re:PATTERN")

    def action_first(self) -> None:
        self._ask("first", "text whose first place in the trace you want to see", self.word_of_hit())

    def action_goto(self) -> None:
        self._ask("goto", "number of the step")

    def go_to_named(self, asked: str) -> None:
        """A trace was asked for by name; only a screen over a queue has others."""

    def _ask(self, purpose: str, hint: str, offer: str = "") -> None:
        from reviewer.tui.widgets.prompt import Prompt

        prompt = self.query_one_optional(Prompt)
        if prompt is None:
            prompt = Prompt(id="prompt")
            self.mount(prompt)
        prompt.open(purpose, hint, offer)

    def on_prompt_answered(self, message: Prompt.Answered) -> None:
        self.body.focus()
        text, sheet = message.text, self.sheet
        if text is None or sheet is None:
            return
        if message.purpose == "goto":
            number = text.strip()
            if number.isdecimal() and len(number) < 10 and int(number) <= sheet.view.info.n_steps:
                self.go(int(number))
            else:
                self.say(f"steps are numbered 1 to {sheet.view.info.n_steps}; 0 is the summary", bad=True)
        elif message.purpose == "trace":
            self.go_to_named(text)
        elif message.purpose == "first":
            self.seek_first(text)
        else:
            self.seek(text)
