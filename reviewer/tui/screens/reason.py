"""Why a case is settled as it is: one line of reason, how sure, whether the guideline must change, and the
decisive step where people marked several.

A mode that nobody gave needs a second line: what all of them missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from reviewer.taxonomy import Rather
from reviewer.text import safe_line
from reviewer.tui.widgets.prompt import inert_paste
from reviewer.values import dataclass

CONFIDENCE = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class Reason:
    """What goes into an adjudication besides the mode; `step` where it was open and one was chosen."""

    text: str
    confidence: str
    guideline: bool
    note: str = ""
    step: int | None = None


class ReasonInput(Input):
    """An input that takes only inert text."""

    _on_paste = inert_paste


class ReasonScreen(ModalScreen[Reason | None]):
    """Asks for the reason; the answer is None when it is given up."""

    DEFAULT_CSS = """
    ReasonScreen {
        align: center middle;
        Vertical { width: 100%; max-width: 100; height: auto; background: $panel; padding: 1 2; }
        Static { height: auto; }
        .rule { color: $text-muted; }
        .all { color: $warning; }
        Input { height: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close", id="reason.close", tooltip="Close; nothing is settled."),
        Binding("ctrl+t", "confidence", "sure?", id="reason.sure", tooltip="High, medium or low confidence."),
        Binding("ctrl+g", "guideline", "rule", id="reason.rule", tooltip="The guideline must change."),
        Binding("ctrl+s", "step", "step", id="reason.step", tooltip="The decisive step, of those marked."),
    ]

    def __init__(
        self,
        mode: str,
        before: str,
        rule: Rather | None,
        *,
        note: str = "",
        against_all: bool = False,
        step: int | None = None,
        steps: Sequence[int] = (),
    ) -> None:
        """`before` is the reason offered, `rule` what the taxonomy says between the two modes.

        `step` is the decisive step; where it is open, `steps` are those that people marked.

        `against_all`: nobody gave this mode, so a note is asked for as well.
        """
        super().__init__()
        self._note = note
        self._against_all = against_all
        self._mode = mode
        self._before = before
        self._rule = rule
        self._sure = 0
        self._guideline = False
        self._step = step
        self._steps: Sequence[int] = steps if step is None else ()

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(
                Content.assemble("settle as ", (safe_line(self._mode), "bold"), ": which rule decides it?")
            )
            if (rule := self._rule) is not None:
                lines = (rule.ask, f"{rule.pair[0]}: {rule.a}", f"{rule.pair[1]}: {rule.b}")
                yield Static("\n".join(map(safe_line, lines)), classes="rule", markup=False)
            yield ReasonInput(safe_line(self._before), placeholder="the reason", compact=True)
            if self._against_all:
                yield Static(
                    "nobody gave this mode: what did all of them miss? (a note is needed)", classes="all"
                )
                yield ReasonInput(safe_line(self._note), placeholder="the note", compact=True, id="note")
            yield Static(id="switches")

    def on_mount(self) -> None:
        self._draw()
        self.query_one(Input).focus()

    def _draw(self) -> None:
        rule = "yes" if self._guideline else "no"
        sure = f"Ctrl+T confidence: {CONFIDENCE[self._sure]}"
        ends = (
            "Enter goes on, then saves   Esc gives up" if self._against_all else "Enter saves   Esc gives up"
        )
        step = "open" if self._step is None else f"{self._step}"
        if self._steps:
            step = f"Ctrl+S decisive step: {step} (marked: {', '.join(map(str, self._steps))})\n"
        else:
            step = f"decisive step: {step}\n" if self._step is not None else ""
        words = f"{sure}   Ctrl+G the guideline must change: {rule}\n{step}{ends}"
        self.query_one("#switches", Static).update(words, layout=False)

    def action_confidence(self) -> None:
        self._sure = (self._sure + 1) % len(CONFIDENCE)
        self._draw()

    def action_guideline(self) -> None:
        self._guideline = not self._guideline
        self._draw()

    def action_step(self) -> None:
        """The next of the steps that were marked; after the last none."""
        if self._steps:
            turn = [None, *self._steps]
            self._step = turn[(turn.index(self._step) + 1) % len(turn)]
            self._draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        fields = list(self.query(ReasonInput))
        values = [field.value.strip() for field in fields]
        if not values[0]:
            self._lacks("a reason is needed: which rule decides it?", fields[0])
        elif not all(values):  # on to the note: Enter in the first line goes there
            words = "a note is needed as well: nobody gave this mode, so say what all of them missed"
            self._lacks(words, fields[1])
        else:
            note = values[1] if len(values) > 1 else self._note
            step = self._step if self._steps else None
            self.dismiss(Reason(values[0], CONFIDENCE[self._sure], self._guideline, note, step))

    def _lacks(self, words: str, field: ReasonInput) -> None:
        self.query_one("#switches", Static).update(words)
        field.focus()
