"""Choose one of a few lines: a small window over any screen. Knows nothing of what the lines stand for."""

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

_LINE = 200


class ChoiceScreen(ModalScreen[int | None]):
    """The answer is the number of the line, from 0, or None."""

    DEFAULT_CSS = """
    ChoiceScreen {
        align: center middle;
        Vertical {
            width: 100%; max-width: 110; height: auto; max-height: 80%; background: $panel; padding: 0 1;
        }
        Static { height: 1; text-style: bold; }
        OptionList { height: auto; max-height: 20; background: $panel; border: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "close", id="choice.close", tooltip="Close; nothing is chosen."),
        Binding("j", "move(1)", "down", id="choice.down", tooltip="The next line."),
        Binding("k", "move(-1)", "up", id="choice.up", tooltip="The line before."),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(safe_line(f"{self._title}: Enter opens, Esc closes", _LINE)))
            yield OptionList(*(Option(Content(safe_line(line, _LINE))) for line in self._lines), markup=False)

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = 0
        options.focus()

    def action_move(self, direction: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if direction > 0 else options.action_cursor_up)()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)
