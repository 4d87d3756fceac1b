"""`PanelView`: a small page of parts beside the text, drawn line by line like the text itself."""

from __future__ import annotations

from typing import ClassVar

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
