"""Which key does what on the screens. The footer, the help, the palette and the README read it here.

One line a binding: its id (a stable name, for remapping), its keys, the action, its word in the footer
(empty: not there), and the sentence of the help. The keys of the modes come from the taxonomy in use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from textual.binding import Binding

from reviewer.taxonomy import Taxonomy

# Keys as people read them, where Textual calls them otherwise.
_NAMES = {
    **{"slash": "/", "question_mark": "?", "dollar_sign": "$", "pagedown": "PgDn", "pageup": "PgUp"},
    **{"space": "Space", "enter": "Enter", "down": "↓", "up": "↑", "left": "←", "right": "→", "home": "Home"},
    **{"end": "End", "tab": "Tab", "shift+tab": "Shift+Tab", "escape": "Esc", "full_stop": "."},
    **{"number_sign": "#", "greater_than_sign": ">", "less_than_sign": "<"},
    **{"right_square_bracket": "]", "left_square_bracket": "[", "asterisk": "*", "ctrl+f": "Ctrl+F"},
    **{"right_curly_bracket": "}", "left_curly_bracket": "{", "ctrl+o": "Ctrl+O", "ctrl+t": "Ctrl+T"},
    **{"ctrl+k": "Ctrl+K", "ctrl+r": "Ctrl+R", "ctrl+w": "Ctrl+W"},
}

_READING = """
step.next | l,right | step(1) | step | Go to the next step.
step.back | h,left | step(-1) | | Go to the step before; before the first is the summary.
trace.next | L | trace(1) | trace | Go to the next trace in the queue.
trace.back | H | trace(-1) | | Go to the trace before; after a label, to the one just labelled.
trace.goto | number_sign | named_trace | | Go to a trace of the queue by its number, its task or its id.
trace.open | enter | next_open | | Go to the next trace that waits for you; decides nothing.
scroll.down | j,down | scroll(1) | | Scroll down a line.
scroll.up | k,up | scroll(-1) | | Scroll up a line.
scroll.page | space,pagedown | page(1) | | Scroll down a page; decides nothing.
scroll.pageback | pageup | page(-1) | | Scroll up a page.
step.first | 0,home | ends(-1) | | Go to the summary page.
step.last | dollar_sign,end,G | ends(1) | | Go to the last step.
lead.next | J | lead(1) | line | On the summary page: choose the next line that leads to a step.
lead.back | K | lead(-1) | | Choose the line before.
lead.follow | greater_than_sign | follow | go | Go to the step to which the chosen line leads; 0 comes back.
jump.error | e | error(1) | error | Go to the next step with an error; after the last, the first.
jump.errorback | E | error(-1) | | Go to the error before; before the first, the last.
jump.evidence | v | evidence(1) | quote | Go to the next quote, or to the step called decisive.
jump.evidenceback | V | evidence(-1) | | Go to the one before.
jump.write | w | write(1) | | Go to the next step that writes; after the last, the first.
jump.check | c | check(1) | | Go to the next step that runs a check; after the last, the first.
jump.ahead | right_square_bracket | pair(1) | | To the next one of a kind: its letter comes after.
jump.behind | left_square_bracket | pair(-1) | | To the one before; a capital letter: the first (] the last).
outline.narrow | o | pair(0) | outline | Narrow the list to one kind; h and l then walk it, o o shows all.
bookmark | b | bookmark | | Put a bookmark on this step, or take it away.
find.open | slash | find | find | Search in this trace: text, or re:PATTERN.
find.next | n | hit(1) | | Go to the next hit of the search.
find.back | N | hit(-1) | | Go to the hit before.
find.first | p | first | | Tell where a text occurs first, and go there; it offers the word of the hit.
find.all | ctrl+f | everywhere | | Search all traces.
find.like | asterisk | like | | Search all traces for the words of the error or quote in this step.
back | escape | back | | Go back to where you were before p or a hit in another trace; else end the search.
step.goto | g | goto | | Go to a step by its number.
panel.page | tab | panel(1) | | Scroll the verdict panel down a page.
panel.pageback | shift+tab | panel(-1) | | Scroll it up.
beside | B | beside | beside | Show another attempt at the same task beside this one.
inside | S | inside | | Go into the run of the sub-agent that this step started.
body.fold | z | fold | | Open or fold the long part in sight.
body.foldall | Z | fold_all | | Open or fold all long parts of the step.
body.wrap | W | wrap | | Wrap long lines, or let them run out to the right.
body.verbatim | ctrl+r | as_it_stands | | Show JSON that is laid out for reading as it stands, and back.
body.raw | R | raw | | Show the source record of this step; on the summary page the whole record.
body.picture | ctrl+o | picture | | Open a picture of this step in a viewer outside, after a question.
copy.step | C | copy('step') | | Copy the text of this step to the clipboard (OSC 52).
copy.quote | ctrl+k | copy('quote') | | Copy the hit or the quote that is marked.
part.next | ctrl+w | part | | Show one part after the other; where all have room, the text alone or all.
part.wider | right_curly_bracket | width(1) | | Make the list of steps wider.
part.narrower | left_curly_bracket | width(-1) | | Make it narrower.
theme.next | ctrl+t | theme | | Change the colours: dark, light, high contrast.
"""
_DECIDING = """
label.confirm | y | confirm | confirm | Label with the mode that the suggestion proposes.
label.menu | m | modes | | Choose a mode by typing a part of its name.
label.step | x | decisive | decisive | Mark this step as the decisive one, or take the mark away.
label.details | full_stop | details | details | Submode, secondary modes, facets: of your label or the next.
label.note | i | note | note | Write a note, with or without a label.
label.flag | f | flag | | Flag this trace for discussion, or take the flag away.
label.skip | s | skip | skip | Put this trace at the end of the queue.
label.undo | u | undo | undo | Take back what you decided last; for a blind label elsewhere it asks.
label.revise | r | revise | | Let one more label key through on a trace just labelled.
"""
_SETTLING = """
settle.menu | m | modes | | Choose a mode by typing a part of its name.
settle.step | x | decisive | decisive | Mark this step as the decisive one, or take the mark away.
settle.details | full_stop | details | details | Give submode, secondary modes, facets with what comes next.
settle.undo | u | undo | undo | Take back what you settled last.
settle.agreement | A | agreement | agreement | Show the agreement of this round.
"""
_INSIDE = """
inside.out | less_than_sign,escape,q | out | out | Go back out to the step that started this run.
"""
_BESIDE = """
beside.next | l,right | step(1) | step | Go on, in both runs.
beside.back | h,left | step(-1) | | Go back, in both; before the first is a page about both.
beside.first | 0,home | ends(-1) | | Go to the page about both.
beside.last | dollar_sign,end,G | ends(1) | | Go to the end.
beside.parting | d | parting | part | Go to where they part: the first calls that the other run makes nowhere.
beside.difference | n | difference(1) | next | Go to the next such calls.
beside.differenceback | N | difference(-1) | | Go to the ones before.
beside.other | L | other(1) | other | Take the next of the other attempts.
beside.otherback | H | other(-1) | | Take the one before.
beside.view | tab | view | one/both | Show both, this run alone, the other alone.
beside.down | j,down | scroll(1) | | Scroll down a line what is seen.
beside.up | k,up | scroll(-1) | | Scroll up a line.
beside.page | space,pagedown | page(1) | | Scroll down a page.
beside.pageback | pageup | page(-1) | | Scroll up a page.
beside.fold | z | fold | | Open or fold the long part in sight, on each side.
beside.foldall | Z | fold_all | | Open or fold all long parts.
beside.wrap | W | wrap | | Wrap long lines, or let them run out to the right.
beside.take | enter | take | | Go back, to the step of this run that is shown.
beside.leave | escape,q | leave | back | Go back to where you were.
"""
_HELP = """
help | question_mark | help | keys | Show the keys and the modes.
"""
_LIFE = """
quit | q | app.quit | quit | Quit; everything that was saved is saved.
"""


_FIRST_IDS = """
inside.out label.confirm step.next jump.error jump.evidence label.note help quit label.step settle.step
label.undo settle.undo trace.next find.open lead.next lead.follow label.details settle.details
beside.leave beside.next beside.parting beside.difference beside.other
"""
_FIRST = {id: place for place, id in enumerate(_FIRST_IDS.split())}


def _bindings(*tables: str) -> list[Binding]:
    rows = (line.split("|") for table in tables for line in table.strip().splitlines())
    cells = ([cell.strip() for cell in row] for row in rows)
    return [
        Binding(keys, action, word, show=bool(word), tooltip=sentence, id=id)
        for id, keys, action, word, sentence in cells
    ]


REVIEW = _bindings(_READING, _DECIDING, _HELP, _LIFE)
ADJUDICATE = _bindings(_READING, _SETTLING, _HELP, _LIFE)
# Inside a sub-agent's run one reads; what moves through the queue or rests on its labels is not there.
_ELSEWHERE = ("trace.", "jump.evidence", "beside", "back", "find.all", "find.like")
_LOOKING = [one for one in _bindings(_READING) if not (one.id or "").startswith(_ELSEWHERE)]
INSIDE = [*_LOOKING, *_bindings(_INSIDE, _HELP)]
BESIDE = _bindings(_BESIDE, _HELP)
# What the README lists: the screen, and its keys.
TABLES = {
    "": REVIEW,
    "Beside another attempt (`B`)": BESIDE,
    "In the run of a sub-agent (`S`), besides the keys for reading": _bindings(_INSIDE),
}


def ids() -> set[str]:
    """Every name that a binding has on some screen."""
    return {binding.id or "" for bindings in (REVIEW, ADJUDICATE, INSIDE, BESIDE) for binding in bindings}


def names(binding: Binding) -> str:
    """The keys of a binding as people read them: `l →`."""
    return " ".join(_NAMES.get(key, key) for key in binding.key.split(","))


def footer(
    bindings: Iterable[Binding], taxonomy: Taxonomy | None, idle: Collection[str] = ()
) -> list[tuple[str, str]]:
    """(key, what it does) for one line at the bottom, the modes first (no taxonomy: there are none).

    `idle` are the names of those that do nothing now.
    """
    # what does not fit is cut from the right: what is used most comes first, with the way to the rest and out
    bindings = sorted(bindings, key=lambda binding: _FIRST.get(binding.id or "", len(_FIRST)))
    shown = [
        (_NAMES.get(first := binding.key.split(",")[0], first), binding.description)
        for binding in bindings
        if binding.show and binding.id not in idle
    ]
    if taxonomy is None:
        return shown
    count = sum(mode.key.isdigit() for mode in taxonomy.modes)
    return [(f"1-{count}" if count > 1 else "1", "mode"), *shown]


def rows(bindings: Iterable[Binding]) -> list[tuple[str, str]]:
    """(keys, sentence) for the help and the README."""
    return [(names(binding), binding.tooltip) for binding in bindings]
