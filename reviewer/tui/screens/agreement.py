"""The agreement screen: the numbers of a round with what they rest on, and who was confused about what.

The cells of the confusion table open their traces. Knows no statistic: it shows what the study counted.
"""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, OptionList, Static
from textual.widgets.option_list import Option

from reviewer.session import AdjudicationSession
from reviewer.study.agreement import Agreement, Pair
from reviewer.taxonomy import Taxonomy
from reviewer.text import safe_line
from reviewer.trace import TraceInfo
from reviewer.tui.agreement_words import round_parts
from reviewer.tui.lane import Lane
from reviewer.tui.naming import called
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.panel_view import PanelView

_TITLE = " agreement; names are hidden while you adjudicate, `reviewer agreement` tells them"
_KEYS = " arrows choose a cell, Enter opens its traces   d details   j k   [ ] pair   Esc"


def _words(trace_id: str, info: TraceInfo | None) -> str:
    """A trace in a line: its task, its model, the beginning of its id."""
    if info is None:
        return trace_id
    return f"{called(info)}  {info.model or 'model unknown'}  {trace_id[:11]}"


class AgreementScreen(Screen[str | None]):
    """Shows a round; the answer is the trace that was chosen, or None."""

    DEFAULT_CSS = """
    AgreementScreen {
        layout: vertical;
        #title { height: 1; background: $primary; color: $text; }
        #numbers { height: 1fr; min-height: 8; }
        #pair { height: 1; color: $text-muted; }
        DataTable { height: auto; max-height: 50%; }
        OptionList { height: auto; max-height: 30%; display: none; border: none; }
        #keys { height: 1; background: $panel; color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,A", "leave", "close", id="agreement.close", tooltip="Back."),
        Binding(
            "right_square_bracket", "pair(1)", "pair", id="agreement.pair", tooltip="The next two people."
        ),
        Binding("left_square_bracket", "pair(-1)", "", id="agreement.pairback", tooltip="The pair before."),
        Binding("d", "details", "details", id="agreement.details", tooltip="All figures, or the few again."),
        Binding("j,down", "scroll(1)", "", id="agreement.down", tooltip="Read down."),
        Binding("k,up", "scroll(-1)", "", id="agreement.up", tooltip="Read up."),
    ]

    def __init__(self, desk: Lane[AdjudicationSession], taxonomy: Taxonomy) -> None:
        super().__init__()
        self._desk = desk
        self._taxonomy = taxonomy
        self._found: Agreement | None = None
        self._changed = (0, 0)
        self._details = False
        self._pair = 0
        self._in_cell: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static(_TITLE, id="title", markup=False)
        yield PanelView(id="numbers")
        yield Static(id="pair", markup=False)
        yield DataTable(cursor_type="cell")
        yield OptionList(markup=False)
        yield Static(_KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(DataTable).focus()
        self.run_worker(self._read())

    async def _read(self) -> None:
        found, changed = await self._desk.ask(lambda desk: (desk.agreement(), desk.changed()))
        self._found, self._changed = found, changed
        self._draw_numbers()
        self._draw_pair()

    def _draw_numbers(self) -> None:
        if self._found is not None:
            few = round_parts(self._found, self._changed)
            parts = round_parts(self._found, self._changed, details=True) if self._details else few
            view, document = self.query_one(PanelView), BodyDocument(parts)
            view.show(document)
            if self._details and len(parts) > len(few):  # what was asked for comes into sight
                view.scroll_rows(document.row_at(len(few), 0))

    @property
    def pair(self) -> Pair | None:
        return self._found.pairs[self._pair] if self._found is not None and self._found.pairs else None

    def _draw_pair(self) -> None:
        table = self.query_one(DataTable)
        table.clear(columns=True)
        pair = self.pair
        if pair is None:
            self.query_one("#pair", Static).update(" no trace was labelled blind by two people yet")
            return
        a, b = safe_line(pair.a.name), safe_line(pair.b.name)
        self.query_one("#pair", Static).update(
            Text(f" rows: {a}   columns: {b} (by the key of the mode)   n = {pair.found.n}")
        )
        used = self._used(pair)
        short = {mode: self._short(n, mode) for n, mode in enumerate(used, 1)}
        table.add_columns(Text(""), *(Text(short[mode], justify="right") for mode in used))
        for row in used:
            counts = [sum(x == row and y == column for _, x, y in pair.items) for column in used]
            cells = [
                Text(str(n) if n else "·", justify="right", style="bold" if n else "dim") for n in counts
            ]
            table.add_row(Text(f"{short[row]:>2} {safe_line(row)}"), *cells)
        table.move_cursor(row=0, column=1)

    def _short(self, place: int, mode: str) -> str:
        """The key of a mode stands for it above its column, so that all columns fit; else its place."""
        known = next((one for one in self._taxonomy.modes if one.id == mode), None)
        return known.key if known is not None and known.key else f"({place})"

    def _used(self, pair: Pair) -> list[str]:
        said = {mode for _, x, y in pair.items for mode in (x, y)}
        return [str(mode) for mode in pair.found.table.categories if mode in said]

    def action_scroll(self, direction: int) -> None:
        self.query_one(PanelView).scroll_rows(direction)

    def action_details(self) -> None:
        self._details = not self._details
        self._draw_numbers()

    def action_pair(self, direction: int) -> None:
        if self._found is not None and self._found.pairs:
            self._pair = (self._pair + direction) % len(self._found.pairs)
            self._draw_pair()

    def on_data_table_cell_selected(self, event: DataTable.CellSelected) -> None:
        pair, options = self.pair, self.query_one(OptionList)
        options.clear_options()
        if pair is None or event.coordinate.column == 0:
            return
        used = self._used(pair)
        row, column = used[event.coordinate.row], used[event.coordinate.column - 1]
        in_cell = [trace for trace, x, y in pair.items if (x, y) == (row, column)]
        self.run_worker(self._open_cell(in_cell), exclusive=True)

    async def _open_cell(self, in_cell: list[str]) -> None:
        """List the traces of a cell, after it is on record that they are shown."""
        infos = await self._desk.ask(lambda desk: desk.look_into(in_cell))
        options = self.query_one(OptionList)
        self._in_cell = in_cell
        options.add_options(
            [
                Option(Text(safe_line(_words(trace, info))), id=trace)
                for trace, info in zip(in_cell, infos, strict=True)
            ]
        )
        options.display = bool(self._in_cell)
        if self._in_cell:
            options.highlighted = 0
            options.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_leave(self) -> None:
        options = self.query_one(OptionList)
        if options.display and options.has_focus:
            options.display = False
            self.query_one(DataTable).focus()
        else:
            self.dismiss(None)
