"""Search over all traces: words above, the hits below by trace, Enter opens one of them.

Shows trace text and the names of traces, nothing that anybody or any machine said of them. The index is
filled here where it lags behind, a little at a time and with a word about it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from reviewer.counting import count
from reviewer.errors import ReviewerError
from reviewer.session import Reading
from reviewer.session.searching import Found, pattern_of
from reviewer.text import safe_line
from reviewer.tui.lane import Lane
from reviewer.tui.naming import called
from reviewer.tui.widgets.finding import Haystack, occurrences
from reviewer.tui.widgets.prompt import inert_paste
from reviewer.tui.widgets.shorten import shorten

if TYPE_CHECKING:
    from reviewer.session.searching import Hit
    from reviewer.tui.screens.elsewhere import Memory

LIMIT = 200
_AT_ONCE = 20  # hits whose lines are read at a time
_HINT = 'words that all stand in one step, or a "phrase"; Enter searches'


class Words(Input):
    """The line for the words; what is pasted into it is made inert."""

    _on_paste = inert_paste


class EverywhereScreen(ModalScreen[Found | None]):
    """Asks for a hit; the answer is the one to open, or None. `words`: searched for at once."""

    DEFAULT_CSS = """
    EverywhereScreen {
        layout: vertical;
        Vertical { width: 100%; height: 100%; background: $surface; }
        OptionList { height: 1fr; background: $surface; border: none; padding: 0; }
        Input { border: none; height: 1; }
        Static { height: 1; background: $panel; color: $text-muted; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close", id="everywhere.close", tooltip="Close; go back."),
        Binding("down", "move(1)", "down", id="everywhere.down", tooltip="Next hit.", priority=True),
        Binding("up", "move(-1)", "up", id="everywhere.up", tooltip="Hit before.", priority=True),
        Binding("pagedown", "page(1)", "page", id="everywhere.page", tooltip="A page on.", priority=True),
        Binding("pageup", "page(-1)", "back", id="everywhere.pageback", tooltip="Back.", priority=True),
    ]

    def __init__(
        self,
        reader: Lane[Reading],
        fill: Callable[[], Awaitable[int]],
        memory: Memory,
        words: str = "",
    ) -> None:
        """`fill` takes steps into the index for a moment and tells how many are left (below 0: it cannot)."""
        super().__init__()
        self._reader = reader
        self._fill = fill
        self._memory = memory
        self._words = words

    def compose(self) -> ComposeResult:
        with Vertical():
            words = safe_line(self._words or self._memory.words)  # selected: what is typed takes their place
            yield Words(words, placeholder=_HINT, compact=True, select_on_focus=True)
            yield OptionList(markup=False)
            yield Static("Enter searches, then opens; ↑ ↓ PgUp PgDn choose; Esc goes back", markup=False)

    def on_mount(self) -> None:
        memory = self._memory
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        if self._words:
            self._search(self._words)
        elif memory.words:
            self._draw()
            self._say(memory.said)

    # -- searching -----------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        words = event.value.strip()
        if words != self._memory.words:
            self._search(words)
        elif self._memory.found:
            self._open()

    def _search(self, words: str) -> None:
        self.run_worker(self._all(words), exclusive=True)

    async def _all(self, words: str) -> None:
        """Search, then fill what the index lacks, and search again if there was something."""
        self._memory.words = words
        if not pattern_of(words):
            self._take([], "type a word" if not words else "only letters and digits are searched for")
            return
        try:
            await self._ask(words, "")
            left = await self._reader.ask(lambda reader: reader.pending())
            if left:
                await self._ask(words, await self._filled(left))
        except ReviewerError as error:
            self._say(str(error))

    async def _filled(self, left: int) -> str:
        """Fill the index as long as that takes; what is to be said about the rest."""
        while left > 0:
            self._say(f"{count(left, 'step', 'is', 'are')} not in the index yet; it is being filled …")
            left = await self._fill()
        return (
            f"; {count(-left, 'step', 'is', 'are')} not in the index, the store cannot be written"
            if left < 0
            else ""
        )

    async def _ask(self, words: str, warning: str) -> None:
        hits = await self._reader.ask(lambda reader: reader.search(words, LIMIT + 1))
        found: list[Found] = []
        for first in range(0, min(len(hits), LIMIT), _AT_ONCE):
            found += await self._lines(words, hits[first : min(first + _AT_ONCE, LIMIT)])
            self._say(f"{count(len(found), 'hit')} …")
        number = len({one.info.trace_id for one in found})
        traces = count(number, "trace") if number != 1 else "one trace"
        if len(hits) > LIMIT:
            said = f"the newest {LIMIT} hits, in {traces}; there are more: add a word"
        elif found:
            steps = count(len(found), "step") if len(found) > 1 else "one step"
            said = f"{steps} in {traces} hold all of it"
        else:
            said = "no step of any trace holds all of these words"
        self._take(found, said + warning)

    def _lines(self, words: str, hits: Sequence[Hit]) -> Awaitable[list[Found]]:
        return self._reader.ask(lambda reader: reader.found(words, hits))

    def _take(self, found: Sequence[Found], said: str) -> None:
        self._memory.found = list(_by_trace(found))
        self._memory.cursor, self._memory.said = 0, said
        self._draw()
        self._say(said)

    # -- showing -------------------------------------------------------------------------------

    def _draw(self) -> None:
        options, found = self.query_one(OptionList), self._memory.found
        options.clear_options()
        pattern, width = pattern_of(self._memory.words), max(20, self.app.size.width - 4)
        lines: list[Option] = []
        for place, one in enumerate(found):
            if place == 0 or found[place - 1].info.trace_id != one.info.trace_id:
                lines.append(Option(Content.styled(shorten(_name(one), width), "bold"), disabled=True))
            lines.append(Option(_line(one, pattern, width), id=str(place)))
        options.add_options(lines)
        if found:
            options.highlighted = options.get_option_index(str(min(self._memory.cursor, len(found) - 1)))

    def on_resize(self) -> None:
        if self._memory.found:
            self._draw()

    def _say(self, text: str) -> None:
        hint = "  ·  Enter opens, Esc goes back" if self._memory.found else "  ·  Esc goes back"
        line = safe_line(text + hint, self.app.size.width - 2)
        self.query_one(Static).update(Content(line), layout=False)

    # -- choosing ------------------------------------------------------------------------------

    def action_move(self, direction: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if direction > 0 else options.action_cursor_up)()

    def action_page(self, direction: int) -> None:
        options = self.query_one(OptionList)
        (options.action_page_down if direction > 0 else options.action_page_up)()  # type: ignore[no-untyped-call]

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self._memory.cursor = int(event.option_id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click chooses a line; it opens nothing."""
        event.stop()

    def _open(self) -> None:
        self.dismiss(self._memory.found[self._memory.cursor])


def _by_trace(found: Sequence[Found]) -> Iterator[Found]:
    """The hits of one trace together, in the order of its steps; traces as they came."""
    traces: dict[str, list[Found]] = {}
    for one in found:
        traces.setdefault(one.info.trace_id, []).append(one)
    for same in traces.values():
        yield from sorted(same, key=lambda one: one.n)


def _name(one: Found) -> str:
    info = one.info
    words = [called(info), info.model, "sub-agent" if info.parent_id else ""]
    words += [f"attempt {info.attempt}"] if info.attempt is not None else []
    return " · ".join(word for word in words if word)


def _line(one: Found, pattern: str, width: int) -> Content:
    """`  12  the line`, with the words in it marked."""
    number = f"{one.n:>6}  "
    text = shorten(one.line or "(the words stand apart in this step)", width - cell_len(number))
    marked = Content(text)
    for start, end in occurrences(Haystack(text), pattern, regex=True):
        marked = marked.stylize("bold underline", start, end)
    return Content.assemble((number, "dim"), marked)
