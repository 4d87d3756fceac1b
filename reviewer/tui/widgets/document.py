"""What a `LineView` can show: a document that lays itself out to a width and hands out single lines.

No widget in here: a document can be tested, and laid out, without a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from reviewer.ansi import PLAIN, Ink


class Piece(NamedTuple):
    """Text of one look: safe, without TAB and LF. `style` and `mark` name component classes of the view.

    `ink` is what the tool output itself asked for; a `mark` (search hit, evidence) is drawn over both.
    """

    text: str
    style: str = "text"
    ink: Ink = PLAIN
    mark: str = ""


class Document(Protocol):
    """Rows of pieces. Only rows that are laid out are known; `more` lays out further ones."""

    def fit(self, width: int) -> None:
        """Lay out anew for `width` cells; only a first slice at once."""

    def __len__(self) -> int:
        """How many rows are laid out by now."""

    def line(self, row: int, columns: int) -> Sequence[Piece]:
        """The pieces of one row, as far as its first `columns` cells; the view crops what is wider."""

    def more(self, seconds: float = 0.01) -> bool:
        """Lay out for about so long; True as long as something is left to do."""
