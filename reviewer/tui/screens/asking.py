"""A question over the screen, answered with y; any other answer is no. Label keys do not reach through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from reviewer.text import safe_line


class AskScreen(ModalScreen[int | None]):
    """Asks `question` about one of `lines`; the answer is the number of the line, or None."""

    DEFAULT_CSS = """
    AskScreen {
        align: center middle;
        Vertical { width: 100%; max-width: 90; height: auto; background: $panel; padding: 0 1; }
        OptionList { height: auto; max-height: 12; background: $panel; border: none; }
        Static { height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "yes", "yes", id="ask.yes", tooltip="Do it.", priority=True),
        Binding("escape,n,q", "dismiss(None)", "no", id="ask.no", tooltip="Do not.", priority=True),
        Binding("enter", "nothing", "", show=False, id="ask.nothing", tooltip="Nothing.", priority=True),
        Binding("j", "move(1)", "down", id="ask.down", tooltip="The next line."),
        Binding("k", "move(-1)", "up", id="ask.up", tooltip="The line before."),
    ]

    def __init__(self, question: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._question = question
        self._lines = lines

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content.styled(safe_line(self._question), "bold"))
            yield OptionList(*(Option(Content(safe_line(line, 200))) for line in self._lines), markup=False)
            yield Static("y yes   n no" + ("   j k choose" if len(self._lines) > 1 else ""), markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = 0
        self.query_one(OptionList).focus()

    def action_yes(self) -> None:
        self.dismiss(self.query_one(OptionList).highlighted)

    def action_nothing(self) -> None:
        """Enter answers nothing."""

    def action_move(self, direction: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if direction > 0 else options.action_cursor_up)()
