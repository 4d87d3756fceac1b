"""A panel that has more to say than it has rows: where it ends, and where it says that there is more.

What has to be read or pressed ends with the modes; what comes after them only explains. Where the modes are
in sight the last row tells of the rest, else the first one. Knows no widget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.parts import Part

_MORE = "Tab shows the rest"
_MODES = ("mode", "chosen", "suggested")


def in_few_rows(
    parts: Sequence[Part], width: int, most: int, *, fill: bool = False
) -> tuple[BodyDocument, int]:
    """The panel laid out for so many columns, and how many rows it takes: at most `most`, or all (`fill`)."""
    panel = _fitted(parts, width)
    if len(panel) <= most or not parts:
        return panel, len(panel)
    modes = max((n for n, part in enumerate(parts) if part.style in _MODES), default=len(parts))
    ends = {n: panel.row_at(n, 0) - parts[n].head for n in range(modes + 1, len(parts))}
    for n, row in sorted(ends.items(), reverse=True):  # no part is shown by half
        if row < most:
            gap = most - row - 1 if fill else 0
            hint = Part("\n" * gap + _MORE, "quiet")
            return _fitted([*parts[:n], hint, *parts[n:]], width), row + gap + 1
    return _fitted([replace(parts[0], text=f"{parts[0].text} · {_MORE}"), *parts[1:]], width), most


def _fitted(parts: Sequence[Part], width: int) -> BodyDocument:
    panel = BodyDocument(parts)
    panel.fit(width)
    return panel
