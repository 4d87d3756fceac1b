"""The words of two runs beside each other: how they relate at a step, where they part, how each ended.

Plain state made of an alignment and two outlines; knows no widget. States differences, gives no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewer.counting import count
from reviewer.session.aligning import Alignment, Pair
from reviewer.trace import OutlineRow, TraceInfo
from reviewer.tui.sheet import VERDICTS
from reviewer.tui.widgets.parts import Part
from reviewer.tui.widgets.step_list import Row
from reviewer.values import dataclass

RELATIONS = {
    "same": "the same calls",
    "differ": "different calls",
    "said": "no calls",
    "here": "only in this run",
    "there": "only in the other run",
}
_SIGNS = {"same": "=", "differ": "≠", "said": "", "here": "◂", "there": "▸"}


def named(info: TraceInfo, passed: bool | None) -> str:
    """Which attempt it is and how it ended, in a line."""
    attempt = info.trace_id[:11] if info.attempt is None else f"attempt {info.attempt}"
    return " · ".join(filter(None, (VERDICTS[passed], attempt, f"ended {info.ended}", info.model)))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two runs with their alignment. Place 0 is a page about both; place p is pair p of the alignment.

    `bad`: the step of each error of this run and of the other, as the facts tell errors.
    """

    alignment: Alignment
    mine: Mapping[int, OutlineRow]
    other: Mapping[int, OutlineRow]
    bad: tuple[Sequence[int], Sequence[int]] = ((), ())

    def relation(self, place: int) -> str:
        """How the two runs relate at a place, in a few words."""
        pair = self.pair(place)
        if pair is None:
            return "both runs"
        if pair.moved is not None:
            return f"{'the other' if pair.a is not None else 'this'} run: at step {pair.moved}"
        return RELATIONS[pair.relation]

    @property
    def last(self) -> int:
        return len(self.alignment.pairs)

    def pair(self, place: int) -> Pair | None:
        return self.alignment.pairs[place - 1] if place else None

    def place_of(self, n: int) -> int:
        """Where step `n` of this run stands; the page about both for the summary page."""
        return self.alignment.place_of(n) + 1 if n else 0

    @property
    def partings(self) -> list[int]:
        return [place + 1 for place in self.alignment.parting]

    def step_near(self, place: int) -> int:
        """The step of this run at a place or the last one before it."""
        return max((pair.a for pair in self.alignment.pairs[:place] if pair.a is not None), default=0)

    def gap(self, place: int, *, mine: bool) -> list[Part]:
        """What stands where one of the runs has no step."""
        pairs, rows = self.alignment.pairs, self.mine if mine else self.other
        steps = [pair.a if mine else pair.b for pair in pairs]
        before = next((n for n in reversed(steps[:place]) if n is not None), None)
        after = next((n for n in steps[place:] if n is not None), None)
        lines = ["this run has ended" if mine else "the other run has ended"]
        if after is not None:
            row = rows.get(after)
            words = f": {row.tools} {row.head}" if row is not None else ""
            lines = [f"it goes on with step {after}{words}"]
        if before is not None:
            lines.append(f"its last step {'was' if after is None else 'before this is'} {before}")
        pair = self.pair(place)
        if pair is not None and pair.moved is not None:
            lines.insert(0, f"it makes the same calls at step {pair.moved}")
        return [Part("no step here", "title", head=True), *(Part(line, "reasoning") for line in lines)]

    def where(self) -> str:
        """Where the two part, in a sentence."""
        pair = self.pair(self.partings[0]) if self.partings else None
        if pair is None:
            every = all(one.relation in ("same", "said") for one in self.alignment.pairs)
            return "they make the same calls" + (
                "" if every else ", not always in the same order or as often"
            )
        if pair.a is None:
            return f"they part at step {pair.b} of the other run; this one makes its calls nowhere"
        if pair.b is None:
            return f"they part at step {pair.a} of this run; the other one makes its calls nowhere"
        return f"they part at step {pair.a} of this run, {pair.b} of the other"

    def page(self, info: TraceInfo, *, mine: bool) -> list[Part]:
        """The page about one of the runs; on this side with what is the same and what is not."""
        rows, pairs = self.mine if mine else self.other, self.alignment.count
        parts: list[Part] = []
        if mine:
            lines = [
                self.where(),
                f"{count(pairs('same'), 'step')} with the same calls, {pairs('differ'):,} with others",
                f"{count(pairs('here'), 'step')} only in this run, {pairs('there'):,} only in the other",
            ]
            parts += [Part("beside each other", "title", head=True), Part("\n".join(lines))]
            parts += [Part("compared are calls with their arguments, not what came back", "reasoning")]
        parts += [Part("how this run ended" if mine else "how the other run ended", "title", head=True)]
        if rows:
            last = rows[max(rows)]
            parts.append(Part(f"step {last.n}: {last.tools} {last.head}".replace(":  ", ": ")))
        errors = len(self.bad[0 if mine else 1])
        counts = ", ".join(
            (count(info.n_steps, "step"), count(info.n_tool_calls, "call"), count(errors, "error"))
        )
        return [*parts, Part(counts)]

    def rows(self, first: int, count: int) -> list[Row]:
        """The list of pairs: the step of this run, or of the other where this one has none."""
        return [self._row(place) for place in range(first, min(first + count, self.last + 1))]

    def _row(self, place: int) -> Row:
        pair = self.pair(place)
        if pair is None:
            return Row(0, head="both runs", kind="summary")
        row = self.mine.get(pair.a) if pair.a is not None else self.other.get(pair.b or 0)
        sign = _SIGNS[pair.relation]
        if row is None:
            return Row(pair.a or pair.b or 0, marks=sign)
        error = row.n in self.bad[0 if pair.a is not None else 1]
        return Row(row.n, row.source, row.head, row.tools, error, sign, 0, row.kind)
