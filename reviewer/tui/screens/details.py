"""The details of a label: submode, secondary modes, facets; one list, one key to choose, Enter to save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from reviewer.label import Decision
from reviewer.taxonomy import Taxonomy
from reviewer.text import safe_line
from reviewer.values import dataclass

Kind: TypeAlias = Literal["submode", "facet", "secondary", "confidence"]
MOST_SECONDARY = 2
CONFIDENCE = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class Choice:
    """One line that can be chosen: of which kind and group, its id and its sentence."""

    kind: Kind
    group: str
    id: str
    words: str


class DetailsScreen(ModalScreen[Decision | None]):
    """Asks for the details of a decision; the answer is the decision with them, or None."""

    DEFAULT_CSS = """
    DetailsScreen {
        align: center middle;
        Vertical { width: 100%; max-width: 110; height: 90%; background: $panel; padding: 0 1; }
        OptionList, OptionList:focus { height: 1fr; background: $panel; border: none; }
        Static { height: 1; color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close", id="details.close", tooltip="Close; nothing changes."),
        Binding(
            "space,x",
            "choose",
            "choose",
            id="details.choose",
            tooltip="Choose this line, or not.",
            priority=True,
        ),
        Binding(
            "enter", "save", "save", id="details.save", tooltip="Save the label with these.", priority=True
        ),
        Binding("j", "move(1)", "down", id="details.down", tooltip="The next line."),
        Binding("k", "move(-1)", "up", id="details.up", tooltip="The line before."),
    ]

    def __init__(self, taxonomy: Taxonomy, decision: Decision) -> None:
        super().__init__()
        self._decision = decision
        self._choices = list(choices(taxonomy, decision.mode))
        self._keys = keys(self._choices, taxonomy)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content.assemble("details of ", (safe_line(self._decision.mode), "bold")))
            yield OptionList(markup=False)
            yield Static(
                "the key of a line, or Space on it, chooses; Enter saves, Esc leaves it", markup=False
            )

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        for place, choice in enumerate(self._choices):
            if place == 0 or self._choices[place - 1].group != choice.group:
                options.add_option(Option(Content.styled(safe_line(choice.group), "bold"), disabled=True))
            options.add_option(Option(self._line(place), id=str(place)))
        options.action_first()
        options.focus()

    def _line(self, place: int) -> Content:
        choice, key = self._choices[place], self._keys[place] or " "
        off, on = "☐☑" if choice.kind == "secondary" else "○◉"  # several of a group, or one of it
        mark = on if chosen(self._decision, choice) else off
        return Content.assemble(
            (f" {key} ", "bold"), f"{mark} {safe_line(choice.id)}  {safe_line(choice.words)}"
        )

    def on_key(self, event: Key) -> None:
        """The key of a line goes there and chooses it, or not."""
        if event.character and event.character in self._keys:
            event.stop()
            place = self._keys.index(event.character)
            options = self.query_one(OptionList)
            options.highlighted = options.get_option_index(str(place))
            self.action_choose()

    def action_move(self, direction: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if direction > 0 else options.action_cursor_up)()

    def action_choose(self) -> None:
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return
        option = options.get_option_at_index(options.highlighted)
        if option.id is not None:
            self._decision = toggled(self._decision, self._choices[int(option.id)])
            for place in range(len(self._choices)):
                options.replace_option_prompt(str(place), self._line(place))

    def action_save(self) -> None:
        self.dismiss(self._decision)


def choices(taxonomy: Taxonomy, mode: str) -> Iterator[Choice]:
    """Everything that can be said of a label of `mode` besides the mode."""
    for facet in taxonomy.facets:
        for one in facet.choices:
            yield Choice("facet", f"{facet.id}: {facet.question}", one.id, one.definition)
    for submode in taxonomy.mode(mode).submodes:
        yield Choice("submode", "submode", submode.id, submode.definition)
    for other in taxonomy.modes:
        if other.id != mode and other.failure and taxonomy.mode(mode).failure:
            yield Choice(
                "secondary", f"secondary modes, at most {MOST_SECONDARY}", other.id, other.definition
            )
    for sure in CONFIDENCE:
        yield Choice("confidence", "confidence", sure, "")


_TAKEN = "jkx"  # down, up, choose


def keys(lines: Sequence[Choice], taxonomy: Taxonomy) -> list[str]:
    """The key of each line: a mode has its own, the others letters in their order; the last may have none."""
    modes = {mode.id: mode.key for mode in taxonomy.modes if mode.key and mode.key not in _TAKEN}
    own = [modes.get(line.id, "") if line.kind == "secondary" else "" for line in lines]
    free = iter([letter for letter in ascii_lowercase if letter not in {*own, *_TAKEN}])
    return [key or next(free, "") for key in own]


def chosen(decision: Decision, choice: Choice) -> bool:
    if choice.kind == "facet":
        return decision.facets.get(choice.group.partition(":")[0]) == choice.id
    if choice.kind == "secondary":
        return choice.id in decision.secondary
    return choice.id == (decision.submode if choice.kind == "submode" else decision.confidence)


def toggled(decision: Decision, choice: Choice) -> Decision:
    """The decision with this line chosen, or no longer; a third secondary mode replaces the first."""
    on = not chosen(decision, choice)
    if choice.kind == "facet":
        facet = choice.group.partition(":")[0]
        rest = {key: value for key, value in decision.facets.items() if key != facet}
        return replace(decision, facets={**rest, facet: choice.id} if on else rest)
    if choice.kind == "secondary":
        rest_of = tuple(mode for mode in decision.secondary if mode != choice.id)
        return replace(decision, secondary=(*rest_of, choice.id)[-MOST_SECONDARY:] if on else rest_of)
    if choice.kind == "submode":
        return replace(decision, submode=choice.id if on else "")
    return replace(decision, confidence=choice.id if on else "")
