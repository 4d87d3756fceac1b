"""The signal that reads what agents note of themselves: that they go in circles.

English phrases only, and by form. Their word alone proves little: the loop must be there to see, the same act
or order at three steps or more, and it must not have been left. Not known: whether the act was the wrong one.
"""

from __future__ import annotations

import re

from reviewer.facts import first_appearance
from reviewer.facts.texts import ends, step_texts
from reviewer.suggest.rules.seen.broken import broken_off, final_answer
from reviewer.suggest.rules.seen.circles import Act, acts, in_loop, notes, shown
from reviewer.suggest.rules.seen.phrases import PLACEHOLDER
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, around, head, tail
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired

_MOST = 10  # acts that are looked at
_LATE = 4  # steps in which the words stand with which the harness ends a run
_STOPPED = re.compile(
    r"^\W{0,3}((?:max(?:imum)?|re-?plan)\w*\b[^\n.]{0,40}\b(?:reached|exceeded)\b[^\n]{0,20})",
    re.IGNORECASE | re.MULTILINE,
)


def says_it_is_stuck(scene: Scene) -> Fired | None:
    """The same act three times or more, up to the end, and the agents' last note calls it a loop.

    What ended the run, and an answer that was given all the same, only follow from it. Not where the act is
    about a placeholder: there the first departure is another one.
    """
    found = notes(scene)
    if scene.facts.passed is True or not in_loop(found):
        return None
    late = len(scene.trace.steps) * 2 // 3
    act = next((act for act in acts(scene) if act.steps[-1] >= min(late, found[-1].step)), None)
    if act is None or sum(note.loop and note.step > act.steps[0] for note in found) < 2:
        return None
    if PLACEHOLDER.search(shown(scene, act.steps[0], act)):
        return None
    end, words = _ending(scene)
    times = f"{len(act.steps)} times (steps {act.steps[0]} to {act.steps[-1]})"
    known = "" if scene.facts.passed is False else "; no outcome is known"
    says = f"off-goal loop: the same was done {times}, called a loop to the last; {end}{known}"
    quotes = _quotes(scene, act, found[-1].step)
    n, once_more, _ = quotes[1]
    new = [ended for ended in words if ended[0] != n or not ended[1].startswith(once_more)]
    return fired("says_it_is_stuck", act.steps[1], says, 0.4, *quotes, *new)


def loop_in_doubt(scene: Scene) -> tuple[int, str] | None:
    """Where agents first noted that they go in circles, if nothing proves a loop that was never left."""
    found = notes(scene)
    noted = [note for note in found if note.loop]
    if len(noted) < 2 or scene.facts.passed is True:
        return None
    last = "still says so" if found[-1].loop else "says it was left"
    return noted[0].step, (
        f"the first of {len(noted)} notes of going in circles; the last, at step {found[-1].step}, {last}; "
        f"{_ending(scene)[0]}"
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
                f"steps; {_ending(scene)[0]}"
            )
    return None


def _quotes(scene: Scene, act: Act, noted: int) -> list[tuple[int, str, str]]:
    again, last = act.steps[1], act.steps[-1]
    note = next(note for note in notes(scene) if note.step == noted)
    return [
        (again, _brief(shown(scene, again, act, LEAST)), "done again"),
        (last, _brief(shown(scene, last, act, LEAST)), "once more"),
        (noted, _keyed(note.quote), "its own note"),
    ]


def _keyed(note: str) -> str:
    """A note from its key on; of a sentence without one the end."""
    return note if note.startswith('"') else tail(note, BRIEF)


def _brief(words: str) -> str:
    """An act with its address if that is short, else its beginning."""
    return words if len(words) <= BRIEF else head(words, LEAST)


def _ending(scene: Scene) -> tuple[str, list[tuple[int, str, str]]]:
    """How the run ended, in words, and the quote for it."""
    answer = final_answer(scene)
    if (broken := broken_off(scene)) is not None:
        fault, words = f"the {broken.what} ended the run", (broken.step, broken.quote, "ended")
        return (f"{fault}, and an answer is given", [(*answer, "ended")]) if answer else (fault, [words])
    if (stop := _stopped(scene)) is not None:
        return "the harness stopped it" + (", yet an answer stands" if answer else ""), [(*stop, "ended")]
    if answer is not None:
        return "yet it answers", [(answer[0], head(answer[1], LEAST), "ended")]
    if scene.ran_out:
        return "the budget ran out", [(*scene.limit, "ended")] if scene.limit else []
    return "then it stops", []


def _stopped(scene: Scene) -> tuple[int, str] | None:
    """The words with which the harness says that it ended the run: a count was used up."""
    for step in reversed(scene.trace.steps[-_LATE:]):
        for place, whole in step_texts(step):
            if place != "call" and (match := _STOPPED.search(ends(whole))):
                return step.n, around(match[1], 0, len(match[1]), BRIEF)
    return None
