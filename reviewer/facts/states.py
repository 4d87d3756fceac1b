"""The outcome's side of the facts: where the final state differs from the expected one.

Any JSON of any shape and depth. Lists are compared by position, so one item inserted at the front
makes every later one differ; whether a difference matters is not known here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reviewer.trace import Json, Outcome, plain

DifferenceKind: TypeAlias = Literal["missing", "extra", "changed"]
MOST = 500
MAX_VALUES = 200_000
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the states differ: `missing` in the final one, `extra` in it, or `changed`."""

    path: str
    kind: DifferenceKind
    expected: Json = None
    actual: Json = None


@dataclass(frozen=True, slots=True)
class StateDiff:
    """All differences of one outcome; `left_out` counts what is beyond the first `MOST`.

    `complete` is false when the states were too large to be walked to the end.
    """

    differences: tuple[Difference, ...] = ()
    left_out: int = 0
    complete: bool = True
    origin: str = ""

    @property
    def same(self) -> bool:
        return self.complete and not self.differences and not self.left_out


def diff_states(expected: Json, actual: Json, origin: str = "") -> StateDiff:
    """Where `actual` differs from `expected`, in the order of `expected`, by path from `$`."""
    found: list[Difference] = []
    left_out = 0
    budget = MAX_VALUES
    stack: list[tuple[str, Json, Json]] = [("$", expected, actual)]
    while stack and budget > 0:
        path, want, have = stack.pop()
        budget -= 1
        inner: list[tuple[str, Json, Json]] = []
        here: list[Difference] = []
        if isinstance(want, dict) and isinstance(have, dict):
            inner = [(_at(path, key), want[key], have[key]) for key in want if key in have]
            here = [Difference(_at(path, key), "missing", want[key]) for key in want if key not in have]
            here += [Difference(_at(path, key), "extra", None, have[key]) for key in have if key not in want]
        elif isinstance(want, list) and isinstance(have, list):
            inner = [(f"{path}[{n}]", a, b) for n, (a, b) in enumerate(zip(want, have, strict=False))]
            here = [
                Difference(f"{path}[{n}]", "missing", item) for n, item in enumerate(want) if n >= len(have)
            ]
            here += [
                Difference(f"{path}[{n}]", "extra", None, item)
                for n, item in enumerate(have)
                if n >= len(want)
            ]
        elif not _same(want, have):
            here = [Difference(path, "changed", want, have)]
        stack.extend(reversed(inner))
        room = max(MOST - len(found), 0)
        found.extend(here[:room])
        left_out += len(here[room:])
    return StateDiff(tuple(found), left_out, not stack, origin)


def _at(path: str, key: Json) -> str:
    text = str(key)
    return f"{path}.{text}" if _PLAIN_KEY.fullmatch(text) else f'{path}["{text[:200]}"]'


def _same(a: Json, b: Json) -> bool:
    """Equality of JSON leaves: 1 is 1.0 but not true, and NaN is NaN."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    numbers = isinstance(a, int | float) and isinstance(b, int | float)
    return (numbers or type(a) is type(b)) and bool(a == b)


def state_diffs(outcomes: Sequence[Outcome]) -> tuple[StateDiff, ...]:
    """The diff of every outcome that has both states."""
    return tuple(
        diff_states(outcome.expected_state, outcome.final_state, outcome.origin)
        for outcome in outcomes
        if outcome.expected_state is not None and outcome.final_state is not None
    )


def agreed(outcomes: Sequence[Outcome]) -> bool | None:
    """Passed or not when all outcomes that say so agree; None when unknown or when they differ.

    What judges and people think of a run is no outcome.
    """
    said = {outcome.passed for outcome in plain(outcomes) if outcome.passed is not None}
    return said.pop() if len(said) == 1 else None
