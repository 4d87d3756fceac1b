"""`Prompt`: one line of input at the bottom. What is pasted into it is made inert first."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from reviewer.text import safe_line


def inert_paste(field: Input, event: events.Paste) -> None:
    """Handles a paste in place of `Input`: lines are joined, and nothing in them acts on a terminal.

    As what is typed, it takes the place of what is selected.
    """
    event.prevent_default()
    event.stop()
    field.replace(safe_line(" ".join(event.text.splitlines())), *field.selection)


class Prompt(Input):
    """Asks for one line; `Answered` brings it, Escape sends nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "cancel", show=False, id="prompt.cancel", tooltip="Close the line.")
    ]

    class Answered(Message):
        """The line was entered (`text`), or given up (`text` is None); `purpose` says what it was for."""

        def __init__(self, purpose: str, text: str | None) -> None:
            super().__init__()
            self.purpose = purpose
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)
        self.purpose = ""
        self._offer = ""

    def open(self, purpose: str, hint: str, offer: str = "") -> None:
        """Show the line for `purpose`, with a hint of ours in it; Enter alone takes the text on `offer`."""
        self.purpose = purpose
        self._offer = safe_line(offer)
        self.placeholder = f"{hint} (Enter: {self._offer})" if offer else hint
        self.value = ""
        self.display = True
        self.focus()

    _on_paste = inert_paste

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._close(self.value or self._offer)

    def action_give_up(self) -> None:
        self._close(None)

    def _close(self, text: str | None) -> None:
        self.display = False
        self.post_message(self.Answered(self.purpose, text))
