"""The adjudication screen: what people said stands beside the trace, without names; a lead settles it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from reviewer.session import View
from reviewer.tui import keys
from reviewer.tui.case_panel import case_parts
from reviewer.tui.screens.settling import Settling
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.parts import Part


class AdjudicationScreen(Settling):
    """One case on the desk of the lead."""

    KEYS: Sequence[Binding] = keys.ADJUDICATE
    BINDINGS: ClassVar[list[BindingType]] = [*keys.ADJUDICATE]

    def panel_parts(self, sheet: Sheet, *, wide: bool) -> list[Part]:
        return [*self.armed_parts(), *case_parts(sheet, wide=wide)]

    def way(self, view: View) -> str:
        ruled = f" · {view.ruled} by rule" if view.ruled else ""
        stale = f" · {view.stale} stale" if view.stale else ""
        return f"{view.done} settled{stale}{ruled} · ADJUDICATING"
