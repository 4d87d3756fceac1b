"""Which key does what on the review screen. The footer, the help, the palette and the README read it here.

Ids are stable names for remapping; tooltips are the sentences of the help. The keys of the modes come
from the taxonomy in use.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding

from reviewer.taxonomy import Taxonomy

# Keys as people read them, where Textual calls them otherwise.
_NAMES = {
    **{"slash": "/", "question_mark": "?", "dollar_sign": "$", "pagedown": "PgDn", "pageup": "PgUp"},
    **{"space": "Space", "enter": "Enter", "down": "↓", "up": "↑", "left": "←", "right": "→", "home": "Home"},
    **{"end": "End", "tab": "Tab", "escape": "Esc"},
}


def _key(keys: str, action: str, name: str, tooltip: str, *, id: str, show: bool = False) -> Binding:
    return Binding(keys, action, name, show=show, tooltip=tooltip, id=id)


REVIEW = [
    _key("l,right", "step(1)", "step", "Go to the next step.", id="step.next", show=True),
    _key(
        "h,left",
        "step(-1)",
        "",
        "Go to the step before; before the first one lies the summary.",
        id="step.back",
    ),
    _key("L", "trace(1)", "trace", "Go to the next trace in the queue.", id="trace.next", show=True),
    _key("H", "trace(-1)", "", "Go to the trace before.", id="trace.back"),
    _key(
        "enter",
        "next_open",
        "",
        "Go to the next trace without a label of yours; labels nothing.",
        id="trace.open",
    ),
    _key("j,down", "scroll(1)", "line", "Scroll down a line.", id="scroll.down"),
    _key("k,up", "scroll(-1)", "", "Scroll up a line.", id="scroll.up"),
    _key("space,pagedown", "page(1)", "", "Scroll down a page; labels nothing.", id="scroll.page"),
    _key("pageup", "page(-1)", "", "Scroll up a page.", id="scroll.pageback"),
    _key("0,home", "ends(-1)", "", "Go to the summary page.", id="step.first"),
    _key("dollar_sign,end", "ends(1)", "", "Go to the last step.", id="step.last"),
    _key("e", "error(1)", "error", "Go to the next step with an error.", id="jump.error", show=True),
    _key("E", "error(-1)", "", "Go to the error before.", id="jump.errorback"),
    _key(
        "v",
        "evidence(1)",
        "evidence",
        "Go to the next evidence of the suggestion.",
        id="jump.evidence",
        show=True,
    ),
    _key("V", "evidence(-1)", "", "Go to the evidence before.", id="jump.evidenceback"),
    _key(
        "w",
        "write(1)",
        "write",
        "Go to the next step that writes; after the last, to the first.",
        id="jump.write",
    ),
    _key(
        "c",
        "check(1)",
        "check",
        "Go to the next step that runs a check; after the last, to the first.",
        id="jump.check",
    ),
    _key("slash", "find", "find", "Search in this trace: text, or re:PATTERN.", id="find.open", show=True),
    _key("n", "hit(1)", "", "Go to the next hit of the search.", id="find.next"),
    _key("N", "hit(-1)", "", "Go to the hit before.", id="find.back"),
    _key("g", "goto", "", "Go to a step by its number.", id="step.goto"),
    _key("z", "fold", "fold", "Open or fold the long part in sight.", id="body.fold"),
    _key("Z", "fold_all", "", "Open or fold all long parts of the step.", id="body.foldall"),
    _key("W", "wrap", "", "Wrap long lines, or let them run out to the right.", id="body.wrap"),
    _key(
        "y",
        "confirm",
        "confirm",
        "Label with the mode that the suggestion proposes.",
        id="label.confirm",
        show=True,
    ),
    _key("m", "modes", "mode", "Choose a mode by typing a part of its name.", id="label.menu"),
    _key(
        "x",
        "decisive",
        "decisive",
        "Mark this step as the decisive one, or take the mark away.",
        id="label.step",
        show=True,
    ),
    _key("i", "note", "note", "Write a note, with or without a label.", id="label.note", show=True),
    _key("f", "flag", "", "Flag this trace for discussion, or take the flag away.", id="label.flag"),
    _key("s", "skip", "skip", "Put this trace at the end of the queue.", id="label.skip", show=True),
    _key("u", "undo", "undo", "Take back what you decided last.", id="label.undo", show=True),
    _key(
        "r",
        "revise",
        "",
        "Let one more label key through on a trace that was just labelled.",
        id="label.revise",
    ),
    _key("question_mark", "help", "keys", "Show the keys and the modes.", id="help", show=True),
    _key("q", "app.quit", "quit", "Leave; everything that was saved is saved.", id="quit", show=True),
]


def names(binding: Binding) -> str:
    """The keys of a binding as people read them: `l →`."""
    return " ".join(_NAMES.get(key, key) for key in binding.key.split(","))


def footer(bindings: Iterable[Binding], taxonomy: Taxonomy) -> list[tuple[str, str]]:
    """(key, what it does) for one line at the bottom, the modes first."""
    count = sum(mode.key.isdigit() for mode in taxonomy.modes)
    # the way to the rest comes first: what does not fit is cut from the right
    bindings = sorted(bindings, key=lambda binding: binding.id != "help")
    shown = [
        (_NAMES.get(first := binding.key.split(",")[0], first), binding.description)
        for binding in bindings
        if binding.show
    ]
    return [(f"1-{count}" if count > 1 else "1", "mode"), *shown]


def rows(bindings: Iterable[Binding]) -> list[tuple[str, str]]:
    """(keys, sentence) for the help and the README."""
    return [(names(binding), binding.tooltip) for binding in bindings]
