"""The note: a small editor over the review screen. Enter saves, Escape keeps a draft, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from reviewer.text import safe


class NoteArea(TextArea):
    """A text area that takes only inert text and leaves Enter to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "screen.save",
            "save",
            priority=True,
            show=False,
            id="note.save",
            tooltip="Save the note.",
        ),
        Binding("ctrl+j", "line", "new line", show=False, id="note.line", tooltip="Begin a new line."),
    ]

    def action_line(self) -> None:
        self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")  # terminals end pasted lines with CR
        self.insert(safe(text))


class NoteScreen(ModalScreen[str | None]):
    """Asks for a note; the answer is its text, or None when it stays a draft."""

    DEFAULT_CSS = """
    NoteScreen {
        align: center bottom;
        #note { width: 100%; max-width: 100; background: $panel; padding: 0 1; }
        #note { height: 12; min-height: 4; max-height: 25%; }
        NoteArea { height: 1fr; }
        Static { height: 1; color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape", "leave", "keep as draft", id="note.leave", tooltip="Close; the text stays as a draft."
        ),
    ]

    def __init__(self, note: str, draft: str, typed: Callable[[str], None]) -> None:
        """`typed` is told what the draft is after every change; empty when it is the note as saved."""
        super().__init__()
        self._note = safe(note)
        self._draft = safe(draft)
        self._typed = typed

    def compose(self) -> ComposeResult:
        with Vertical(id="note"):
            yield Static("note  (Enter saves, Ctrl+J new line, Esc keeps a draft)", markup=False)
            yield NoteArea(self._draft or self._note, soft_wrap=True)

    def on_mount(self) -> None:
        area = self.query_one(NoteArea)
        area.move_cursor(area.document.end)
        area.focus()

    def on_text_area_changed(self) -> None:
        text = self.query_one(NoteArea).text
        self._typed("" if text == self._note else text)

    def action_save(self) -> None:
        self.on_text_area_changed()
        text = self.query_one(NoteArea).text
        self.dismiss(None if text == self._note else text)

    def action_leave(self) -> None:
        self.on_text_area_changed()
        self.dismiss(None)
