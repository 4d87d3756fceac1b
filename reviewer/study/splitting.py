"""Which split a trace belongs to: drawn by its task, so that no task stands in two splits. Pure.

The draw is a hash of the task and a seed: it does not depend on what else is in the store, so a task that
comes later moves nobody. Attempts of one task share it; so do traces whose files name no task but tell it in
the same words, and a sub-agent's run has that of its parent. The shares are met on average, not exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reviewer.errors import InputError
from reviewer.trace import TraceInfo, digest
from reviewer.values import dataclass

_NAME = re.compile(r"[A-Za-z0-9_]{1,40}")


@dataclass(frozen=True, slots=True)
class Splits:
    """The names with their shares, which sum to 1, and the seed of the draw."""

    shares: tuple[tuple[str, float], ...]
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.shares)

    def of(self, key: str) -> str:
        """The split of everything with this key."""
        drawn = int(digest([self.seed, key])[:13], 16) / 16**13
        for name, share in self.shares:
            drawn -= share
            if drawn < 0:
                return name
        return self.shares[-1][0]  # what rounding leaves over


def parsed(text: str, seed: int = 0) -> Splits:
    """`train=0.8,test=0.2`; InputError where the shares are none or do not sum to 1."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        try:
            share = float(number)
        except ValueError:
            raise InputError(
                f"--split {text}: {part.strip()!r} is no NAME=SHARE (train=0.8,test=0.2)"
            ) from None
        if not _NAME.fullmatch(name) or name in shares:
            raise InputError(f"--split {text}: {name!r} is no name, or stands there twice")
        if not 0 < share <= 1:
            raise InputError(f"--split {text}: the share of {name} is not between 0 and 1")
        shares[name] = share
    if abs(sum(shares.values()) - 1) > 1e-9:
        raise InputError(f"--split {text}: the shares sum to {sum(shares.values()):g}, not to 1")
    return Splits(tuple(shares.items()), seed)


def keys(infos: Iterable[TraceInfo]) -> Mapping[str, str]:
    """By trace id, what must not be torn apart: the task of the trace, or of the run it is a part of."""
    known = {info.trace_id: info for info in infos}
    return {id: _key(_root(info, known)) for id, info in known.items()}


def _root(info: TraceInfo, known: Mapping[str, TraceInfo]) -> TraceInfo:
    seen = {info.trace_id}
    while info.parent_id in known and info.parent_id not in seen:
        seen.add(info.parent_id)
        info = known[info.parent_id]
    return info


def _key(info: TraceInfo) -> str:
    """Named tasks by benchmark and id; others by their words; a run that says nothing by itself."""
    benchmark, task = info.task_key
    words = " ".join(info.task.lower().split())
    if task != info.trace_id or not words:
        return f"id\n{benchmark}\n{task}"
    return f"words\n{words}"
