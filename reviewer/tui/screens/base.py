"""What the parts of the review screen share: the lanes, the sheet, where things are drawn."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, cast

from textual.binding import Binding, BindingsMap
from textual.screen import Screen
from textual.widgets import Static

from reviewer.session import Reading, View
from reviewer.taxonomy import Taxonomy
from reviewer.tui.lane import Lane
from reviewer.tui.outline import OutlineRows
from reviewer.tui.places import Opened, Places
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.panel_view import PanelView
from reviewer.tui.widgets.parts import Part
from reviewer.tui.widgets.step_body import StepBody
from reviewer.tui.widgets.step_list import StepList

if TYPE_CHECKING:
    from textual.events import Key
    from textual.worker import WorkType

    from reviewer.tui.app import DeskApp


class DeskScreen(Screen[None]):
    """A screen with a trace on the desk. `locked` says why no label key is let through now."""

    title_line: Static
    status_line: Static
    steps: StepList
    body: StepBody
    panel: PanelView

    KEYS: Sequence[Binding] = ()

    def __init__(self, reader: Lane[Reading], taxonomy: Taxonomy) -> None:
        super().__init__()
        self.reader = reader
        self.taxonomy = taxonomy
        self.sheet: Sheet | None = None
        self.locked = "the trace is being opened"
        self._rows: OutlineRows
        self._bodies: dict[int, Opened] = {}
        self.places = Places()
        self.returned = False  # the step on the screen stands where it was left
        self._wrap = True
        self._said = False
        self.stands = False  # mounted: there is something to draw on
        self.busy = ""
        self.keys_drawn: list[str | tuple[str, str]] = []  # the line of keys as it was drawn last
        self.marked: dict[str, int | None] = {}  # decisive steps chosen with x and not saved yet

    @property
    def reviewer(self) -> DeskApp:
        return cast("DeskApp", self.app)

    def latest(self, group: str, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Do `work`; an earlier one of the same group is given up, even before it has begun.

        `work` is called only when its turn comes, so that a coroutine given up is none that never ran.
        """

        async def begin() -> None:
            await work()

        wanted: WorkType[None] = begin
        self.run_worker(wanted, group=group, exclusive=True)

    @property
    def wraps(self) -> bool:
        """Whether long lines are wrapped in steps that are opened now."""
        return self._wrap

    def take_habits(self) -> None:
        """Keys, wrapping and widths as this annotator likes them."""
        self._wrap = self.reviewer.habits.wrap
        if self.reviewer.outside.keys:
            mine = {binding.id for binding in self.KEYS}
            kept = [one for _, one in self._bindings if one.id not in mine]
            self.KEYS = self.reviewer.remapped(self.KEYS)
            self._bindings = BindingsMap([*kept, *self.KEYS])

    # What the other parts ask of the screen that shows.

    async def show_view(self, view: View, n: int = 0, *, keep: bool = False) -> None:
        raise NotImplementedError

    def go(self, n: int, *, anew: bool = False) -> None:
        raise NotImplementedError

    def action_step(self, direction: int) -> None:
        raise NotImplementedError

    def go_to_show(self, n: int, show: Callable[[], None]) -> None:
        raise NotImplementedError

    def show_error(self, n: int) -> None:
        raise NotImplementedError

    def say(self, text: str, *, bad: bool = False) -> None:
        raise NotImplementedError

    def draw_panel(self) -> None:
        raise NotImplementedError

    def draw_keys(self) -> None:
        raise NotImplementedError

    def draw_title(self) -> None:
        raise NotImplementedError

    def panel_parts(self, sheet: Sheet, *, wide: bool) -> list[Part]:
        """What the panel says about the trace on the desk."""
        raise NotImplementedError

    def way(self, view: View) -> str:
        """The way of working, for the title."""
        raise NotImplementedError

    def hush(self) -> None:
        raise NotImplementedError

    def keep_place(self) -> None:
        """Remember where the reader is; where there is nothing to remember, nothing happens."""

    def keep_way(self) -> None:
        """A key leads away from the open step: where Escape goes back, it goes back there."""

    def keep_opened(self) -> None:
        """Remember which steps of the open trace were on the screen."""

    def takes_key(self, event: Key) -> bool:
        """Whether this key is the second of a pair, and goes nowhere else."""
        return False

    def painted(self) -> None:
        """The trace is on the screen; called after its frame."""

    def arrived(self, n: int) -> None:
        """Step `n` is on the screen."""

    def draw_marks(self) -> None:
        """The marks of steps changed."""
        self.steps.reload()
