"""Two sides of a state written as lines: lists aligned, calls beside calls, what is equal in one line.

Calls that by their names only look are left out, and so are those whose result is an error, since no data
depend on them. Not known: what a difference means, or a pairing of items that a person would see at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from reviewer.facts.states import diff_states
from reviewer.facts.texts import spelled
from reviewer.facts.tools import named_read
from reviewer.trace import Json

Sign: TypeAlias = Literal["-", "+", " ", ">"]
Made: TypeAlias = dict[tuple[str, str], list[tuple[int, bool]]]
MOST = 400
_ALIGNED = 400  # longer lists are compared by position: aligning costs the square of the length
_DEEP = 40
_NEXT = 40
_WIDE = 100
_LONG = 2_000
_ARGUMENTS = ("arguments", "kwargs")
_IDS = re.compile(r"(?:^|_)ids$|[a-z]Ids$")


@dataclass(frozen=True, slots=True)
class Line:
    """`-` expected and not there, `+` there and not expected, ` ` equal, `>` a heading of what differs below.

    `step` is the step that made the call which the line shows; 0 where that is not known.
    """

    sign: Sign
    text: str
    depth: int = 0
    step: int = 0


def is_call(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("name"), str)
        and any(isinstance(value.get(key), dict) for key in _ARGUMENTS)
    )


def arguments(call: Mapping[str, Json]) -> dict[str, Json]:
    return next((call[key] for key in _ARGUMENTS if isinstance(call.get(key), dict)), {})


def in_order(want: Mapping[str, Json], have: Mapping[str, Json]) -> Mapping[str, Json]:
    """`have` with its ids in the order of those in `want`, where that is all that differs.

    Lists of ids that belong to each other (old and new ones) are one list of rows.
    """
    keys = [key for key in want if _IDS.search(key) and _plain(want[key]) and _plain(have.get(key))]
    left = list(zip(*(map(str, want[key]) for key in keys), strict=False)) if keys else []
    right = list(zip(*(map(str, have[key]) for key in keys), strict=False)) if keys else []
    sizes = {len(side[key]) for key in keys for side in (want, have)}
    if len(sizes) != 1 or left == right or sorted(left) != sorted(right):
        return have
    return {**have, **{key: want[key] for key in keys}}


def _plain(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str | int) for item in value)


@dataclass(slots=True)
class Sides:
    """Writes the lines; never deeper than `_DEEP`, never more than `MOST`."""

    made: Made
    lines: list[Line] = field(default_factory=list)
    reads: int = 0
    failed: list[int] = field(default_factory=list)
    steps: dict[int, int] = field(default_factory=dict)  # id of an actual call: its step
    left_out: int = 0

    def add(self, sign: Sign, text: str, depth: int = 0, step: int = 0) -> None:
        if len(self.lines) < MOST:
            self.lines.append(Line(sign, text, depth, step))
        elif sign in "-+":
            self.left_out += 1

    def one(self, sign: Sign, label: str, value: Json, depth: int) -> None:
        step = self.steps.get(id(value), 0) if sign in "+ " else 0
        line = label + (_json(value) if label else compact(value))
        if sign in "-+" and is_call(value) and len(line) > _WIDE:  # an argument a line
            self.add(sign, f"{label}{_who(value)}{value['name']}", depth, step)
            for key, item in arguments(value).items():
                self.add(sign, f"{key}: {_json(item)}", depth + 1)
        else:
            self.add(sign, line, depth, step)

    def pair(self, label: str, want: Json, have: Json, depth: int) -> None:
        """Both sides of one value."""
        if len(self.lines) >= MOST:
            self.left_out += 1
        elif diff_states(want, have).same:
            self.one(" ", label, have, depth)
        elif is_call(want) and is_call(have) and want["name"] == have["name"]:
            self.call(label, want, have, depth)
        elif isinstance(want, dict) and isinstance(have, dict) and depth < _DEEP:
            inner = self.heading(label, depth)
            for key in want:
                if key in have:
                    self.pair(f"{key}: ", want[key], have[key], inner)
                else:
                    self.one("-", f"{key}: ", want[key], inner)
            for key in have:
                if key not in want:
                    self.one("+", f"{key}: ", have[key], inner)
        elif isinstance(want, list) and isinstance(have, list) and depth < _DEEP and not _brief(want, have):
            self.items(want, have, self.heading(label, depth))
        elif isinstance(want, str) and isinstance(have, str) and ("\n" in want or "\n" in have):
            self.items(want.split("\n"), have.split("\n"), self.heading(label, depth))
        else:
            self.one("-", label, want, depth)
            self.one("+", label, have, depth)

    def heading(self, label: str, depth: int) -> int:
        """What stands below belongs to `label`; how deep it stands."""
        if not label:
            return depth
        self.add(">", label.removesuffix(": "), depth)
        return depth + 1

    def call(self, label: str, want: dict[str, Json], have: dict[str, Json], depth: int) -> None:
        """The same call with other arguments: those that differ, one a line."""
        mine, given = arguments(want), dict(in_order(arguments(want), arguments(have)))
        if diff_states(mine, given).same:
            self.one(" ", label, have, depth)
            return
        self.add(">", f"{label}{_who(have)}{have['name']}", depth, self.steps.get(id(have), 0))
        self.pair("", mine, given, depth + 1)

    def items(self, want: list[Json], have: list[Json], depth: int) -> None:
        """Two lists, aligned by their equal items."""
        if any(map(is_call, want)) or any(map(is_call, have)):
            want, have = self.without_reads(want, have)
        if max(len(want), len(have)) > _ALIGNED:
            self.pairs(want, have, depth)
            return
        matcher = SequenceMatcher(
            None, [spelled(i) for i in want], [spelled(i) for i in have], autojunk=False
        )
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag == "equal":
                for item in have[c:d]:
                    self.one(" ", "", item, depth)
            else:
                self.pairs(want[a:b], have[c:d], depth)

    def without_reads(self, want: list[Json], have: list[Json]) -> tuple[list[Json], list[Json]]:
        """Without what only looks or failed, and without the holes that stand for what is missing."""
        self.reads += sum(map(_reads, have))
        return (
            [item for item in want if item is not None and not _reads(item)],
            [item for item in have if item is not None and not _reads(item) and self.went_through(item)],
        )

    def went_through(self, call: Json) -> bool:
        """Finds the step of an actual call; False if its result there is an error."""
        known = self.made.get((call["name"], spelled(arguments(call)))) if is_call(call) else None
        if not known:
            return True
        step, bad = known.pop()
        self.steps[id(call)] = step
        if bad:
            self.failed.append(step)
        return not bad

    def pairs(self, want: list[Json], have: list[Json], depth: int) -> None:
        """Items that differ: calls of one name beside each other, else those at the same place."""
        left = list(have)
        for item in want:
            at: int | None = 0 if left else None
            if len(left) <= _ALIGNED and (is_call(item) or (left and is_call(left[0]))):
                at = _like(item, left)
            other = None if at is None else left.pop(at)
            if other is None:  # importers write null where nothing answers an item
                self.one("-", "", item, depth)
            elif item is None:
                self.one("+", "", other, depth)
            else:
                self.pair("", item, other, depth)
        for item in left:
            if item is not None:
                self.one("+", "", item, depth)


def _like(call: Json, others: Sequence[Json]) -> int | None:
    """The call of the same name whose arguments agree most, of the next few; None if there is none."""
    if not is_call(call):
        return None
    mine = arguments(call)
    best, score = None, -1
    for n, other in enumerate(others[:_NEXT]):
        if is_call(other) and other["name"] == call["name"]:
            theirs = arguments(other)
            agree = sum(1 for key in mine if key in theirs and spelled(mine[key]) == spelled(theirs[key]))
            if agree >= score:  # of equals the last: a later try stands for those before it
                best, score = n, agree
    return best


def _reads(value: Json) -> bool:
    return is_call(value) and named_read(value["name"])


def _brief(*values: Json) -> bool:
    """Lists of plain values that fit into a line are read as one."""
    return all(
        len(value) <= _WIDE
        and not any(isinstance(item, dict | list) for item in value)
        and len(_json(value)) <= _WIDE
        for value in values
    )


def compact(value: Json) -> str:
    """A value in one line: a call as `name(key=value)`, a text as it is, anything else as JSON."""
    if is_call(value):
        inner = ", ".join(f"{key}={_json(item)}" for key, item in arguments(value).items())
        return _cut(f"{_who(value)}{value['name']}({inner})")
    return _cut(value) if isinstance(value, str) else _json(value)


def _who(call: dict[str, Json]) -> str:
    who = call.get("requestor")
    return f"{who} " if isinstance(who, str) else ""


def _json(value: Json) -> str:
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return _cut(spelled(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]} … ({len(text):,} characters)"
