"""Where to begin to read in runs in which a sign stands that proves no mode: pointers of an abstention.

Each is what a signal of the same idea leaves aside. Knows no mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.failing_calls import given_and_absent
from reviewer.suggest.rules.signals.invented import called_made_up
from reviewer.suggest.rules.signals.loops import loop_in_doubt
from reviewer.suggest.rules.signals.surroundings import broken_in_doubt, fault_in_doubt


def hints(scene: Scene) -> Iterator[tuple[int, str]]:
    """The step and why, the most telling first."""
    for look in (called_made_up, given_and_absent, loop_in_doubt, broken_in_doubt, fault_in_doubt):
        if (found := look(scene)) is not None:
            yield found
