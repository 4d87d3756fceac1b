"""A terminal recording (asciicast 2 and 3) as turns: keys that were sent, and what the terminal showed after.

Keys are gathered until Enter or a control key; what follows up to the next keys is the answer. Marks are
words that the agent left in the recording. The harness clears the screen first and closes the shell at last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.formats.terminal_bench.screen import shown_on
from reviewer.importers.opening.values import as_dict, as_float, as_int, iso, kind_of
from reviewer.trace import Json

WAIT = re.compile(r"\s*;\s*tmux wait -S done\s*\Z")
PAUSE = 1.0  # seconds; keys after a longer pause are another turn
_ENDS = re.compile(r"[\r\n\x03\x04\x1a\x1c]")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
# Paste brackets and the arrow keys as a terminal sends them.
_KEYS = {"\x1b[A": "<Up>", "\x1b[B": "<Down>", "\x1b[C": "<Right>", "\x1b[D": "<Left>"}


@dataclass(slots=True)
class Turn:
    """Keys and their answer; `number` is the place of the first event in the recording."""

    number: int
    at: float
    keys: str = ""
    output: list[str] = field(default_factory=list)
    last: float = 0.0
    mark: str = ""

    @property
    def done(self) -> bool:
        return bool(_ENDS.search(self.keys))

    @property
    def command(self) -> str:
        """The keys as they are read: without the Enter at the end, control keys by name."""
        text = WAIT.sub("", self.keys.replace("\x1b[200~", "").replace("\x1b[201~", ""))
        for sequence, name in _KEYS.items():
            text = text.replace(sequence, name)
        text = text.replace("\r", "\n").rstrip("\n") or ("\n" if self.keys else "")
        return _CONTROL.sub(lambda sign: "^?" if sign[0] == "\x7f" else f"^{chr(ord(sign[0]) + 64)}", text)


@dataclass(slots=True)
class Cast:
    """A recording that was read: its turns, what was shown before the first, and its verbatim lines."""

    turns: list[Turn] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    values: list[Json] = field(default_factory=list)
    width: int = 160
    started: float | None = None
    n_events: int = 0

    def when(self, seconds: float) -> str:
        return "" if self.started is None else iso(self.started + seconds)

    def shown(self, turn: Turn) -> str:
        """What the terminal showed, without the echo of the keys in its first row."""
        text = shown_on("".join(turn.output), self.width)
        echo = turn.command.split("\n")[0].strip()
        first, _, rest = text.partition("\n")
        return rest if echo and WAIT.sub("", first).strip() == echo else text


def read_cast(text: str, warn: Callable[[str], None]) -> Cast:
    """The recording in `text`; damaged lines are named and passed over."""
    cast = Cast()
    clock = 0.0
    relative = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        cast.lines.append(line)
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            warn("a damaged line of the recording is skipped")
            cast.values.append(line)
            continue
        cast.values.append(value)
        if isinstance(value, dict):
            relative = _header(cast, value)
            continue
        when = as_float(value[0]) if isinstance(value, list) and len(value) == 3 else None
        if when is None or not isinstance(value[2], str):
            warn(f"an event of the recording that is {kind_of(value)} is skipped")
            continue
        clock = clock + when if relative else when
        cast.n_events += 1
        _event(cast, clock, value[1], value[2], warn)
    return cast


def _header(cast: Cast, value: dict[str, Any]) -> bool:
    """The settings of the recording; whether its times are counted from event to event."""
    size = as_int(value.get("width")) or as_int(as_dict(value.get("term")).get("cols"))
    cast.width = min(size or 160, 2000)
    started = as_float(value.get("timestamp"))
    cast.started = started if started else cast.started
    return value.get("version") == 3


def _event(cast: Cast, clock: float, kind: Json, text: str, warn: Callable[[str], None]) -> None:
    last = cast.turns[-1] if cast.turns else None
    if kind == "o":
        (last.output if last else cast.before).append(text)
        if last:
            last.last = clock
    elif kind == "i":
        if last is None or last.done or (last.keys and last.output and clock - last.last > PAUSE):
            last = Turn(cast.n_events, clock, last=clock)
            cast.turns.append(last)
        last.keys += text
        last.last = clock
    elif kind == "m":
        cast.turns.append(Turn(cast.n_events, clock, last=clock, mark=text))
    elif kind not in ("r", "x"):
        warn(f"events {kind!r} of the recording are not shown"[:120])


def agents_own(cast: Cast) -> list[Turn]:
    """The turns without what the harness types: the first `clear`, and the end of the shell."""
    turns = list(cast.turns)
    if turns and not turns[0].mark and turns[0].command.strip() == "clear":
        turns.pop(0)
    if turns and turns[-1].keys == "\x04" and not turns[-1].mark:
        turns.pop()
    return turns
