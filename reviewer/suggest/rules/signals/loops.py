"""The signal that reads what agents note of themselves: that they go in circles.

English phrases only, and by form. Their word alone proves little: the loop must be there to see, the same act
or order at three steps or more, and it must not have been left. Not known: whether the act was the wrong one.
"""

from __future__ import annotations

import re

from reviewer.facts import first_appearance
from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.broken import broken_off, final_answer
from reviewer.suggest.rules.seen.circles import acts, in_loop, notes, row_to_end, shown
from reviewer.suggest.rules.seen.earlier import departed
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.phrases import FAULT, PLACEHOLDER
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around, head, tail
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_MOST = 10  # acts that are looked at
_TIMES, _NOTED = 3, 2
_NOTE = 60  # characters of a note that is an entry of a record
_LATE = 4  # steps in which the words stand with which the harness ends a run
_BARRED = re.compile(  # as a page says it, or as what fails prints it
    r"pardon our interruption|access to this page has been denied|access denied|captcha"
    r"|are you a (?:robot|human)"
    r"|verify (?:that )?you are (?:a )?human|unusual traffic|\b403\b[: ]{1,2}(?:client error|forbidden)|"
    + FAULT.pattern,
    re.IGNORECASE,
)
_STOPPED = re.compile(
    r"^\W{0,3}((?:max(?:imum)?|re-?plan)\w*\b[^\n.]{0,40}\b(?:reached|exceeded)\b[^\n]{0,20})",
    re.IGNORECASE | re.MULTILINE,
)


def says_it_is_stuck(scene: Scene) -> Fired | None:
    """The same act three times or more in a row, up to the end, and the agents' last note calls it a loop.

    What ended the run, and an answer that was given all the same, only follow from it. Not where the act is
    about a placeholder, or where a page or service refused the run before: there the departure is another.
    """
    found = notes(scene)
    if scene.facts.passed is True or not in_loop(found):
        return None
    late = len(scene.trace.steps) * 2 // 3
    rows = ((act, row_to_end(scene, act)) for act in acts(scene)[:_MOST])
    act, row = next(((act, row) for act, row in rows if len(row) >= _TIMES and row[-1] > late), (None, ()))
    if act is None or sum(note.loop and note.step > row[0] for note in found) < _NOTED:
        return None
    if PLACEHOLDER.search(shown(scene, row[0], act)) or barred(scene, row[0]) or departed(scene, row[0]):
        return None
    where = f"{len(row)} times ({row[0]} to {row[-1]})"
    says = f"off-goal loop: the same act {where}, and its own note calls it a loop"
    must = [
        (row[1], _brief(shown(scene, row[1], act, LEAST)), "done again"),
        (found[-1].step, _keyed(found[-1].quote), "its own note"),
    ]
    broken = broken_off(scene)
    but = f"the {broken.what} ended the run at {broken.step}" if broken is not None else ""
    may = [(broken.step, head(broken.quote, LEAST), "but")] if broken is not None else []
    return fired("says_it_is_stuck", row[1], says, 0.4, *fitting(says, but, must, may), but=but)


def barred(scene: Scene, before: int) -> tuple[int, str] | None:
    """The first page or service before a step that refused the run: what came then may follow from it."""
    for step in scene.trace.steps[: before - 1]:
        for place, whole in step_texts(step):
            match = _BARRED.search(ends(whole)) if place in ("message", "result") and not step.kind else None
            if match is not None and step.source == "agent" and "->" not in step.name:
                return step.n, around(whole, at := whole.find(match[0]), at + len(match[0]), BRIEF)
    return None


def loop_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """Where agents first noted that they go in circles, if nothing proves a loop that was never left."""
    found = notes(scene)
    noted = [note for note in found if note.loop]
    if len(noted) < 2 or scene.facts.passed is True:
        return None
    last = "still says so" if found[-1].loop else "says it was left"
    if (bar := barred(scene, noted[0].step)) is not None:
        return bar[
            0
        ], f"it was refused there (“{bar[1]}”), and goes in circles later ({len(noted)} notes of it)"
    return noted[0].step, (
        f"the first of {len(noted)} notes of going in circles; the last, at step {found[-1].step}, {last}; "
        f"{_ending(scene)}"
    )


def placeholder_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """Where a placeholder first stands, if the run does the same with it again and again."""
    if scene.facts.passed is True:
        return None
    for act in acts(scene)[:_MOST]:
        match = PLACEHOLDER.search(shown(scene, act.steps[0], act))
        place = first_appearance(scene.trace, match[0]) if match is not None else None
        if match is not None and place is not None and place.step and place.origin not in ("task", "user"):
            return place.step, (
                f"“{match[0]}” is a placeholder, first there, and is taken for a thing at {len(act.steps)} "
                f"steps; {_ending(scene)}"
            )
    return None


def _keyed(note: str) -> str:
    """A note from its key on; of a sentence without one the end."""
    return head(note, _NOTE) if note.startswith('"') else tail(note, BRIEF)


def _brief(words: str) -> str:
    """An act with its address if that is short, else its beginning."""
    return words if len(words) <= BRIEF else head(words, LEAST)


def _ending(scene: Scene) -> str:
    """How the run ended, in words."""
    answer = final_answer(scene)
    if (broken := broken_off(scene)) is not None:
        return f"the {broken.what} ended the run" + (", and an answer is given" if answer else "")
    if _stopped(scene):
        return "the harness stopped it" + (", yet an answer stands" if answer else "")
    if answer is not None:
        return "yet it answers"
    return "the budget ran out" if scene.ran_out else "then it stops"


def _stopped(scene: Scene) -> bool:
    """Whether the harness says in the last steps that it ended the run: a count was used up."""
    last = (text for step in scene.trace.steps[-_LATE:] for text in step_texts(step))
    return any(place != "call" and _STOPPED.search(ends(whole)) for place, whole in last)
