"""Where to begin to read in runs in which a sign stands that proves no mode: pointers of an abstention.

Each is what a signal of the same idea leaves aside. Knows no mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.facts import first_appearance
from reviewer.suggest.rules.seen.phrases import missing
from reviewer.suggest.rules.seen.scene import Scene, failing_after
from reviewer.suggest.rules.signals.budget import answer_after_limit
from reviewer.suggest.rules.signals.fabricated import called_made_up
from reviewer.suggest.rules.signals.loops import loop_in_doubt, placeholder_in_doubt
from reviewer.suggest.rules.signals.surroundings import broken_in_doubt, fault_in_doubt
from reviewer.suggest.rules.signals.unread import unread_in_doubt

_MOST = 20  # errors that are looked at: each one searches all earlier steps
_SHORT = 3  # characters: a shorter name stands anywhere


def hints(scene: Scene) -> Iterator[tuple[int, str]]:
    """The step and why, the most telling first."""
    first = (unread_in_doubt, called_made_up, answer_after_limit, given_and_absent)
    for look in (*first, placeholder_in_doubt, loop_in_doubt, broken_in_doubt, fault_in_doubt):
        if (found := look(scene)) is not None:
            yield found


def checked_and_wrong(scene: Scene) -> tuple[int, str] | None:
    """Where a test after the last write passed, though the outcome is failed: a pointer, since whether a part
    was left out, something made up, or the solution only wrong does not follow from it.
    """
    facts = scene.facts
    good = next((check for check in reversed(facts.checks_after) if check.state == "passed"), None)
    if facts.passed is not False or good is None or failing_after(facts) or facts.last_write is None:
        return None
    if good.kind not in ("test", "script") or not good.quote:
        return None  # a build or a linter tests nothing of what was asked, and a bare exit code shows nothing
    return good.step, "its own test passed there, and it is wrong all the same: what does the test leave out?"


def given_and_absent(scene: Scene) -> tuple[int, str] | None:
    """The first thing that the task or the user names and that a call finds missing, to the end."""
    if scene.facts.passed is True:
        return None
    for error in scene.standing[:_MOST]:
        name = missing(error.quote).rstrip(".:/*") if error.kind == "tool" else ""
        place = first_appearance(scene.trace, name, before=error.step) if len(name) > _SHORT else None
        if place is not None and place.origin in ("task", "user", "system"):
            return error.step, f"{name[-60:]} is not there, though the task names it: task, set-up or fault?"
    return None
