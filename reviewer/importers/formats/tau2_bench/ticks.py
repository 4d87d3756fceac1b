"""Voice runs: ticks of a fifth of a second, joined into the utterances of customer and agent.

Both may speak at once. An utterance goes on while its speaker speaks, over short silences; it begins
anew after the results of a tool. Where a file keeps the timing and no words, that is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str, kind_of
from reviewer.trace import Json

SILENCE = 5  # ticks: one second
SIDES = (("agent", "assistant"), ("user", "user"))
GOING_ON = {"wait", "keep_talking", "generate_message", ""}


@dataclass(slots=True)
class Utterance:
    """What one side says in one go, with the calls it makes meanwhile."""

    role: str
    at: Json
    first: int
    last: int = 0
    ids: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    moves: list[Json] = field(default_factory=list)
    calls: list[Json] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    spoke: bool = False

    def message(self) -> dict[str, Any]:
        """The utterance as a message of a simulation that is no voice run."""
        text = "".join(self.words).strip()
        wordless = not text
        if wordless and self.spoke and not self.calls:
            text = f"[speech, ticks {self.first}–{self.last}: the file keeps no words]"
        if not text and not self.spoke and not self.calls and self.moves:
            text = f"[{as_str(as_dict(self.moves[0]).get('action'))}]"
        heard = "".join(self.heard).strip()
        return {
            "role": self.role,
            "content": text,
            "tool_calls": self.calls,
            "timestamp": self.at,
            "ids": self.ids,
            "wordless": wordless,
            **({"heard": heard} if heard and heard != text else {}),
            **({"turn_taking": self.moves} if self.moves else {}),
        }


def spoken(ticks: list[Json], warn: Callable[[str], None]) -> list[Json]:
    """The messages that the ticks amount to, in the order in which they began."""
    found: list[Utterance | dict[str, Any]] = []
    open_: dict[str, Utterance] = {}
    for place, tick in enumerate(ticks):
        if not isinstance(tick, dict):
            warn(f"a tick that is {kind_of(tick)} is skipped")
            continue
        for side, role in SIDES:
            _side(tick, place, side, role, open_, found)
    return [item.message() if isinstance(item, Utterance) else item for item in found]


def _side(
    tick: dict[str, Any],
    place: int,
    side: str,
    role: str,
    open_: dict[str, Utterance],
    found: list[Utterance | dict[str, Any]],
) -> None:
    chunk = as_dict(tick.get(f"{side}_chunk"))
    calls = [*as_list(tick.get(f"{side}_tool_calls")), *as_list(chunk.get("tool_calls"))]
    results = as_list(tick.get(f"{side}_tool_results"))
    text = (
        "" if chunk.get("is_audio") is True and not chunk.get("transcript") else as_str(chunk.get("content"))
    )
    move = as_dict(chunk.get("turn_taking_action"))
    notable = as_str(move.get("action")) not in GOING_ON
    heard = as_str(tick.get("user_transcript")) if side == "user" else ""
    speaks = bool(text.strip()) or chunk.get("contains_speech") is True
    now = open_.get(side)
    if now is not None and place - now.last > SILENCE:
        now = None
    if speaks or calls or notable or heard:
        if now is None:
            now = Utterance(role, tick.get("timestamp"), place)
            found.append(now)
        open_[side] = now
        _grow(now, place, side, chunk, text)
        now.spoke = now.spoke or speaks
        now.calls += calls
        now.heard.append(heard)
        if notable:
            now.moves.append({"tick": place, **{key: item for key, item in move.items() if item is not None}})
    found.extend({"role": "tool", "ids": [f"tick {place} {side} result"], **as_dict(one)} for one in results)
    if results:
        open_.pop(side, None)


def _grow(now: Utterance, place: int, side: str, chunk: dict[str, Any], text: str) -> None:
    now.last = place
    now.ids.append(f"tick {place} {side}")
    spoken_of = {item for item in as_list(chunk.get("utterance_ids")) if isinstance(item, str)}
    if text:
        if now.words and spoken_of and now.said and spoken_of.isdisjoint(now.said):
            now.words.append(" ")
        now.words.append(text)
        now.said = spoken_of
