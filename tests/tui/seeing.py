"""What a test sees of a running app: the strips that are painted, and whether anything in them can act."""

from __future__ import annotations

import re

from textual.strip import Strip

from tests.tui.widget_app import WidgetApp

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff\ud800-\udfff]")
SCROLLBAR = {"@mouse.down", "@mouse.up"}


def strips(app: WidgetApp) -> list[Strip]:
    return list(app.screen._compositor.render_strips())


def assert_inert(app: WidgetApp) -> str:
    """What is on the screen, once nothing in it can act."""
    drawn = strips(app)
    for strip in drawn:
        for text, style, control in strip:
            assert not control
            assert not FORBIDDEN.search(text), ascii(text)
            assert style is None or style.link is None
            # Textual's own scrollbar answers to the mouse; nothing else does.
            assert style is None or {key for key in style.meta if key[0] == "@"} <= SCROLLBAR, style.meta
    assert {strip.cell_length for strip in drawn} == {app.size.width}
    return "\n".join(strip.text for strip in drawn)
