"""`PanelView`: a small page of parts beside the text, drawn line by line like the text itself."""

from __future__ import annotations

from typing import ClassVar

from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.lines import LineView


class PanelView(LineView):
    """Shows a `BodyDocument` in the looks of the verdict panel."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("view--text", "view--title", "view--quiet", "view--chosen", "view--suggested", "view--mode"),
        *("view--evidence", "view--error", "view--fold"),
    }
    DEFAULT_CSS = """
    PanelView {
        background: $panel;
        color: $foreground;

        & > .view--title { color: $text-muted; text-style: bold; }
        & > .view--quiet { color: $text-muted; }
        & > .view--chosen { color: $text-success; text-style: bold; }
        & > .view--suggested { color: $text-warning; text-style: bold; }
        & > .view--evidence { color: $text-accent; }
        & > .view--error { color: $text-error; }
        & > .view--fold { color: $text-muted; text-style: italic; }
    }
    """

    def show_target(self, step: int, nth: int) -> None:
        """Bring the `nth` part that leads to this step in sight; stays where it is if it is."""
        if not isinstance(self._document, BodyDocument):
            return
        leading = [n for n, part in enumerate(self._document.parts) if part.target == step]
        for number in leading[nth : nth + 1]:
            text = self._document.parts[number].text
            for offset in (len(text) - 1, 0):  # the end first, so that the beginning is sure to be seen
                self.go_to(self._document.row_at(number, offset))
