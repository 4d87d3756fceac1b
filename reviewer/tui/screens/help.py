"""The help page: every key with its sentence, every mode with its definition, checks and neighbour rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static

from reviewer.taxonomy import Taxonomy
from reviewer.tui import keys
from reviewer.tui.sheet import BOOKMARK, DECISIVE, EVIDENCE, FLAG, HIT, STARTS
from reviewer.tui.spine import KINDS
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.parts import Part
from reviewer.tui.widgets.step_body import StepBody
from reviewer.tui.widgets.step_list import NEW, SIGNS

_MEANS = {
    "compaction": ": what went before was put into a summary",
    "injected": ": put in by the program around the agent in the user's name (a reminder, a caveat)",
    "notice": ": said by the program around the agent",
}


class HelpScreen(ModalScreen[None]):
    """Shown over any screen; knows only the bindings and the taxonomy it is given."""

    DEFAULT_CSS = """
    HelpScreen {
        layout: vertical;
        Static { height: 1; background: $panel; color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss", "close", id="help.close", tooltip="Close the help."),
        Binding("j,down", "scroll(1)", "down", id="help.down", tooltip="Scroll down."),
        Binding("k,up", "scroll(-1)", "up", id="help.up", tooltip="Scroll up."),
        Binding("space,pagedown", "page(1)", "page", id="help.page", tooltip="Scroll down a page."),
        Binding("pageup", "page(-1)", "page up", id="help.pageback", tooltip="Scroll up a page."),
    ]

    def __init__(self, bindings: Iterable[Binding], taxonomy: Taxonomy, *, labels: bool = True) -> None:
        """`labels`: whether the keys of the modes mean something on the screen below."""
        super().__init__()
        self._parts = [
            *_keys(bindings, taxonomy if labels else None),
            *_kinds(),
            *_signs(),
            *_modes(taxonomy),
        ]

    def compose(self) -> ComposeResult:
        yield StepBody(id="help")
        yield Static(" j k PgDn scroll   Esc closes", markup=False)

    def on_mount(self) -> None:
        self.query_one(StepBody).show_body(BodyDocument(self._parts))

    def action_scroll(self, direction: int) -> None:
        self.query_one(StepBody).scroll_rows(direction)

    def action_page(self, direction: int) -> None:
        self.query_one(StepBody).scroll_pages(direction)


def _keys(bindings: Iterable[Binding], taxonomy: Taxonomy | None) -> Iterator[Part]:
    yield Part("keys", "header", head=True)
    lines = [f"{shown:<16} {sentence}" for shown, sentence in keys.rows(bindings)]
    if taxonomy is not None:
        modes = " ".join(mode.key for mode in taxonomy.modes if mode.key)
        lines.insert(0, f"{modes:<16} Label with the mode of this key.")
    yield Part("\n".join(lines))
    yield Part("Ctrl+P           Every command by its name; themes.")


def _kinds() -> Iterator[Part]:
    yield Part("kinds of step, by the letter after ] [ and o", "header", head=True)
    lines = [
        f"{kind.letter}   {kind.name}" + ("" if kind.narrows else " (] and [ only)")
        for kind in KINDS.values()
    ]
    lines.append("While the list is narrowed h and l walk its rows; all other keys go where they always go.")
    lines.append("An error is put right when a later call of the same kind went through.")
    yield Part("\n".join(lines))


def _signs() -> Iterator[Part]:
    yield Part("signs of the step list", "header", head=True)
    lines = [f"{sign}   {name}{_MEANS.get(name, '')}" for name, sign in SIGNS.items()]
    marks = {
        DECISIVE: "the decisive step",
        EVIDENCE: "quoted, or called decisive",
        BOOKMARK: "a bookmark of yours",
        HIT: "has hits of the search",
        FLAG: "flagged",
        STARTS: "started a sub-agent (S goes into its run)",
    }
    lines.append(f"{NEW}   behind a number: you have not opened this step yet")
    lines += [f"{sign}   {words}" for sign, words in marks.items()]
    lines.append("The number at the right is the size of a step.")
    lines.append("The confidence of a suggestion is what its suggester says of itself, and no probability.")
    yield Part("\n".join(lines))


def _modes(taxonomy: Taxonomy) -> Iterator[Part]:
    yield Part(f"modes of {taxonomy.id} {taxonomy.version}", "header", head=True)
    for mode in taxonomy.modes:
        share = "" if mode.share is None else f"  ({100 * mode.share:.1f} % of failures, published)"
        yield Part(f"{mode.key or 'm'}  {mode.name}{share}", "call", head=True)
        yield Part(mode.definition)
        if mode.submodes:
            yield Part("\n".join(f"   {one.id}: {one.definition}" for one in mode.submodes), "key")
        if mode.checks:
            yield Part("\n".join(f"   ? {check}" for check in mode.checks))
    if taxonomy.rather:
        yield Part("rather this than that", "header", head=True)
    for rule in taxonomy.rather:
        a, b = rule.pair
        yield Part(f"{a} or {b}? {rule.ask}", "title", head=True)
        yield Part(
            f"   {a}: {rule.a}\n   {b}: {rule.b}" + (f"\n   neither: {rule.neither}" if rule.neither else "")
        )
