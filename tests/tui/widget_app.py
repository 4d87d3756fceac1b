"""A small app around the widgets, full of hostile text; run as a program it lives in a real terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.containers import Horizontal

from reviewer.trace import Result, Step, ToolCall
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.step_body import StepBody
from reviewer.tui.widgets.step_list import Row, StepList

HOSTILE = (
    "START\x1b]0;PWNED\x1b\\ \x1b]52;c;UFdORUQ=\x07 \x9b5m \x90$qm\x9c \x1b[6n \x1b[c \x1bP$qm\x1b\\ "
    "\x1b]11;?\x07 \x1b[2J\x1b[H [@click=app.pwn]press[/] [@click=app.quit]bye[/] [/etc/passwd] [a=b:c] "
    "[link=http://x]l[/] \x1b]8;;http://x\x1b\\l\x1b]8;;\x1b\\ \u202eRTL "
    "\u202c \u200b \ufeff \ud800 \x08\x7f\x00"
    "\x1b[31mred \x1b[8;30;40mhidden\x1b[m one\rtwo 你好 👩\u200d💻 list[int] \\ \t END"
)


def hostile_step(text: str = HOSTILE) -> Step:
    """A step with `text` wherever a step has text."""
    return Step(
        1,
        "agent",
        message=text,
        reasoning=text,
        calls=(ToolCall(text, {"command": text, text: text, "long": f"{text}\n{text}"}, text),),
        results=(Result(text, text, error=True), Result(text, f"{text}2")),
        number=text,
        model=text,
        at=text,
        extra={text: [text]},
    )


class HostileRows:
    """A source of any number of rows."""

    def __init__(self, text: str = HOSTILE) -> None:
        self.text = text
        self.asked = 0

    def rows(self, first: int, count: int) -> Sequence[Row]:
        self.asked += 1
        return [
            Row(n, "agent", self.text, self.text, error=n % 5 == 1, marks=self.text, size=n, kind=self.text)
            for n in range(first, first + count)
        ]


class WidgetApp(App[None]):
    """A step list and a step body side by side."""

    CSS = "StepList { width: 40%; }"

    def __init__(self, text: str = HOSTILE, *, total: int = 1000, seconds: float = 0) -> None:
        super().__init__()
        self.animation_level = "none"  # what a test looks at stands still
        self.text = text
        self.total = total
        self.seconds = seconds
        self.pwned = 0
        self.chosen: list[int] = []
        self.frames = 0
        self.opened: list[str] = []

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield StepList()
            yield StepBody()

    def on_mount(self) -> None:
        self.steps = self.query_one(StepList)
        self.body = self.query_one(StepBody)
        self.source = HostileRows(self.text)
        self.steps.show(self.source, self.total)
        self.body.show_body(BodyDocument.of(hostile_step(self.text)))
        if self.seconds:
            self.set_interval(self.seconds / 10, lambda: self.body.scroll_rows(3))
            self.set_timer(self.seconds, self.exit)

    def on_step_list_chosen(self, event: StepList.Chosen) -> None:
        self.chosen.append(event.n)

    def action_pwn(self) -> None:
        self.pwned += 1

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        self.opened.append(url)


if __name__ == "__main__":
    WidgetApp(seconds=float(sys.argv[1])).run()
