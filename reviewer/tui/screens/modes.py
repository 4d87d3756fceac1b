"""The mode menu: type a part of a name, choose, label. For modes without a key, and for who prefers words."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from reviewer.taxonomy import Mode, Taxonomy
from reviewer.text import safe, safe_line


class ModeScreen(ModalScreen[str | None]):
    """Asks for a mode; the answer is its id, or None."""

    DEFAULT_CSS = """
    ModeScreen {
        align: center middle;
        Vertical {
            width: 100%; max-width: 90; height: 90%; max-height: 34; background: $panel; padding: 0 1;
        }
        Static { height: auto; max-height: 50%; color: $text-muted; border-top: solid $foreground 20%; }
        OptionList { height: 1fr; background: $panel; border: none; }
        Input { border: none; height: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close", id="modes.close", tooltip="Close without a label."),
        Binding("down", "move(1)", "down", id="modes.down", tooltip="Next mode.", priority=True),
        Binding("up", "move(-1)", "up", id="modes.up", tooltip="Mode before.", priority=True),
    ]

    def __init__(self, taxonomy: Taxonomy) -> None:
        super().__init__()
        self._taxonomy = taxonomy

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Input(placeholder="type a part of the name, Enter labels, Esc closes", compact=True)
            yield OptionList(markup=False)
            yield Static(markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self._fill("")
        self.query_one(Input).focus()

    def _matching(self, typed: str) -> list[Mode]:
        words = typed.lower().replace("_", " ").split()
        modes = self._taxonomy.modes
        return [mode for mode in modes if all(word in f"{mode.id} {mode.name}".lower() for word in words)]

    def _fill(self, typed: str) -> None:
        options = self.query_one(OptionList)
        options.clear_options()
        found = self._matching(typed)
        options.add_options([Option(_line(mode), id=mode.id) for mode in found])
        if found:
            options.highlighted = 0
        else:
            options.add_option(Option(Content("no mode has this in its name"), disabled=True))
            self._explain()

    def on_option_list_option_highlighted(self) -> None:
        self._explain()

    def _explain(self) -> None:
        """What helps to decide for the mode that is chosen, if one is: its checks, and what sets it apart."""
        option = self.query_one(OptionList).highlighted_option
        lines = _help(self._taxonomy, option.id) if option is not None else []
        self.query_one(Static).update(Content("\n".join(map(safe, lines))))

    def action_move(self, direction: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if direction > 0 else options.action_cursor_up)()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    def on_input_submitted(self) -> None:
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            self.dismiss(options.get_option_at_index(options.highlighted).id)


def _line(mode: Mode) -> Content:
    key = f"{mode.key or ' '}  "
    return Content.assemble((key, "bold"), safe_line(f"{mode.name}: {mode.definition}"))


def _help(taxonomy: Taxonomy, id: str | None) -> list[str]:
    mode = next((mode for mode in taxonomy.modes if mode.id == id), None)
    if mode is None:
        return []
    lines = [f"? {check}" for check in mode.checks]
    for rule in taxonomy.rather:
        if id in rule.pair:
            other = rule.pair[1] if rule.pair[0] == id else rule.pair[0]
            own = rule.a if rule.pair[0] == id else rule.b
            lines.append(f"not {other}: {rule.ask} {own}")
    return lines
