"""Ways out of the trace on the desk and back: beside another attempt, into the run of a sub-agent.

Both are screens of their own above this one, so that it stays as it was left.
"""

from __future__ import annotations

from reviewer.counting import count
from reviewer.errors import ReviewerError
from reviewer.trace import TraceInfo
from reviewer.tui.screens.foot import Foot
from reviewer.tui.sheet import Sheet

_NAMED = 8  # steps that a line at the bottom names


class Descending(Foot):
    """`path` are the words for the runs that lead from the trace that is labelled to this one."""

    path: tuple[str, ...] = ()
    root = ""  # the trace that is labelled, where this is a run inside it

    def leave_step(self) -> None:
        """Keep how the step looks that is on the screen."""

    def action_beside(self) -> None:
        from reviewer.tui.screens.beside import BesideScreen

        sheet = self.sheet
        if sheet is None:
            return
        if not sheet.view.siblings:
            self.say("the store holds no other attempt at this task")
            return
        self.leave_step()
        self.app.push_screen(BesideScreen(self, sheet, self.go, wrap=self._wrap))

    # -- sub-agents ----------------------------------------------------------------------------

    async def find_starts(self, sheet: Sheet) -> None:
        """Find the steps that started sub-agents, for their signs in the list."""
        trace_id, children = sheet.view.info.trace_id, sheet.view.children
        try:
            starts = await self.reader.ask(lambda reader: reader.starts(trace_id, children))
        except ReviewerError as error:
            self.say(str(error), bad=True)
            return
        sheet.starts = starts
        if self.sheet is sheet:
            self.draw_marks()

    def action_inside(self) -> None:
        """Into the run of a sub-agent that this step started; on the summary page: any of them."""
        sheet = self.sheet
        if sheet is None:
            return
        children = {child.trace_id: child for child in sheet.view.children}
        if not children:
            self.say("the store holds no run of a sub-agent of this trace")
            return
        if sheet.n == 0:
            self._choose(sheet, [(n, children[id]) for n in sorted(sheet.starts) for id in sheet.starts[n]])
            return
        here = [(sheet.n, children[id]) for id in sheet.starts.get(sheet.n, ())]
        if here:
            self._choose(sheet, here)
            return
        steps = [str(n) for n in sorted(sheet.starts) if n]
        more = f" and {len(steps) - _NAMED} more" if len(steps) > _NAMED else ""
        known = f"at {', '.join(steps[:_NAMED])}{more}" if steps else "at no step that is known"
        self.say(f"no sub-agent starts at this step; they start {known} (on the summary page S lists them)")

    def _choose(self, sheet: Sheet, runs: list[tuple[int, TraceInfo]]) -> None:
        from reviewer.tui.screens.choosing import ChoiceScreen

        if len(runs) == 1:
            self.enter(sheet, *runs[0])
            return

        def chosen(number: int | None) -> None:
            if number is not None:
                self.enter(sheet, *runs[number])

        lines = [
            f"{_started(n)} · {count(child.n_steps, 'step')} · {_name(child)}: {child.task}"
            for n, child in runs
        ]
        self.app.push_screen(ChoiceScreen("runs of sub-agents", lines), chosen)

    def enter(self, sheet: Sheet, n: int, child: TraceInfo) -> None:
        """Into the run of a sub-agent that began at step `n` (0: at a step that is not known)."""
        from reviewer.tui.screens.inside import InsideScreen

        self.leave_step()
        path = (*self.path, f"{_name(child)}, begun at {_started(n)}")
        root = self.root or sheet.view.info.trace_id
        self.app.push_screen(InsideScreen(self, sheet.view, child, path, root))


def _started(n: int) -> str:
    return f"step {n}" if n else "an unknown step"


def _name(child: TraceInfo) -> str:
    return child.agent or child.trace_id[:11]
