"""What a screen is given from outside its rooms: habits, changed keys, the way to the pictures of a trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from reviewer.habits import Habits
from reviewer.values import dataclass


def _no_picture(raw: str, name: str) -> tuple[str, bytes] | None:
    return None


@dataclass(frozen=True, slots=True)
class Outside:
    """`picture`: (file name, data) of a placeholder's name in a raw record. `keep`: where habits go."""

    habits: Habits = field(default_factory=Habits)
    keep: Callable[[Habits], None] = lambda habits: None
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys_file: str = "keys.toml"
    told: str = ""  # the first message: what was said before the screen hid it
    picture: Callable[[str, str], tuple[str, bytes] | None] = _no_picture
