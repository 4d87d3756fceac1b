"""The signal that reads what agents note of themselves: that they go in circles.

English phrases only, and by form. One such note proves little: there must be three, and the loop must not
have been left. Not known: whether the notes are right, and which act was the wrong one.
"""

from __future__ import annotations

import re

from reviewer.suggest.rules.seen.broken import broken_off, final_answer
from reviewer.suggest.rules.seen.circles import Note, notes
from reviewer.suggest.rules.seen.earlier import departed, turned_away
from reviewer.suggest.rules.seen.fitting import narrowed
from reviewer.suggest.rules.seen.quoting import around, clause
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_TIMES, _LAST = 3, 2  # notes of a loop, and those in the last third
_REPEATS = re.compile(  # the words of a note that tell a loop, and not only that something failed
    r"\brepeating\b|\brepeated(?:ly| (?:attempts|actions|searches|requests|steps))\b|\brepetitive\b"
    r"|\b(?:in|of) a loop\b|\bcircles\b|loop\w*\": ?true\b",
    re.IGNORECASE,
)


def says_it_is_stuck(scene: Scene) -> Fired | None:
    """The agents' own notes call it a loop three times or more, without progress, to the end of the run.

    To the end: twice in the last third, and the last note still says so, or a budget ran out. Not where
    a page or service refused the run before: there the departure is another.
    """
    found = notes(scene)
    stuck = [note for note in found if note.loop and not note.progress]
    late = sum(note.step > len(scene.trace.steps) * 2 // 3 for note in stuck)
    if scene.facts.passed is True or len(stuck) < _TIMES or late < _LAST:
        return None
    if not scene.ran_out and found[-1] is not stuck[-1]:
        return None
    first = stuck[0].step
    plain = [(note, match) for note in stuck if (match := _REPEATS.search(note.quote)) is not None]
    if len(plain) < _LAST or turned_away(scene, first) or departed(scene, first):
        return None
    says = f"loop: its own notes say so {len(stuck)} times ({first} to {stuck[-1].step})"
    if scene.ran_out:
        says += f"; limit reached at {scene.limit[0]}" if scene.limit else "; the limit ended it"
    but = _against(scene, found[-1])

    def build(width: int) -> Fired:
        quotes = []
        for note, match in (plain[0], plain[-1]):
            part = clause(note.quote, *match.span(), width)
            whole = part if match[0] in part else around(note.quote, *match.span(), width)
            quotes.append((note.step, whole, "its own note"))
        return fired("says_it_is_stuck", first, says, 0.4, *quotes, but=but)

    return narrowed(build)


def _against(scene: Scene, last: Note) -> str:
    """What speaks against a loop to the end: a last note that sees progress, another end, an answer."""
    broken, answer = broken_off(scene), final_answer(scene)
    told = [f"it sees progress at {last.step}"] if last.progress else []
    told += [f"a {'filter' if broken.filter else 'fault'} cut it off at {broken.step}"] if broken else []
    told += ["an answer is given"] if answer is not None else []
    return ", and ".join(told)


def loop_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """Where agents first noted that they go in circles, if nothing proves a loop that was never left."""
    found = notes(scene)
    noted = [note for note in found if note.loop]
    if len(noted) < 2 or scene.facts.passed is True:
        return None
    last = "still says so" if found[-1].loop else "says it was left"
    if (bar := turned_away(scene, noted[0].step)) is not None:
        return bar[0], f"it was refused there (“{bar[1]}”); {len(noted)} notes of going in circles follow"
    more = f"the last, at step {found[-1].step}, {last}"
    return noted[0].step, f"the first of {len(noted)} notes of going in circles; {more}"
