"""Expected against actual as lines to read: what was missing, what came instead, a little around it.

`sides` writes the lines; here stands which of them are kept, and which step made which call. Whether a
difference matters is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.sides import Line, Made, Sides, compact, is_call
from reviewer.facts.texts import pairs, spelled
from reviewer.trace import Json, Outcome, Trace

AROUND = 2


@dataclass(frozen=True, slots=True)
class Compared:
    """The two sides of one outcome. `final` false: the file does not hold what the run left, or answered.

    Left out: `reads` calls that only look, the calls of steps `failed`, whose result is an error, and
    `left_out` differences beyond the first lines.
    """

    origin: str
    lines: tuple[Line, ...]
    final: bool = True
    reads: int = 0
    failed: tuple[int, ...] = ()
    left_out: int = 0

    @property
    def same(self) -> bool:
        return self.final and not any(line.sign in "-+" for line in self.lines) and not self.left_out


def compared(outcomes: Sequence[Outcome], trace: Trace) -> tuple[Compared, ...]:
    """Every outcome that has an expected state, with what the run left instead of it."""
    return tuple(_compare(outcome, trace) for outcome in outcomes if outcome.expected_state is not None)


def _compare(outcome: Outcome, trace: Trace) -> Compared:
    want, have = outcome.expected_state, outcome.final_state
    answer = outcome.detail.get("answer") if isinstance(outcome.detail, dict) else None
    if have is None and answer is not None and not isinstance(want, dict):
        have = answer  # a scorer that compares answers keeps the given one beside its value
    if isinstance(want, list) and isinstance(have, str) and have in want:
        want = have  # one of several answers that count as right
    if outcome.passed and isinstance(want, str) and isinstance(have, str) and _bare(want) == _bare(have):
        want = have  # the grader let case, blanks and the last full stop go
    writer = Sides(_made(trace) if _holds_calls(have) else {})
    if have is None:
        writer.add("-", compact(want))
        return Compared(outcome.origin, tuple(writer.lines), final=False, left_out=writer.left_out)
    writer.pair("", want, have, 0)
    return Compared(
        outcome.origin,
        tuple(_near(writer.lines)),
        reads=writer.reads,
        failed=tuple(writer.failed),
        left_out=writer.left_out,
    )


def _bare(answer: str) -> str:
    return " ".join(answer.split()).rstrip(".").casefold()


def _holds_calls(value: Json) -> bool:
    lists = value.values() if isinstance(value, dict) else [value]
    return any(isinstance(items, list) and any(map(is_call, items)) for items in lists)


def _made(trace: Trace) -> Made:
    """The steps of every call and whether it failed, by its name and arguments, the last first."""
    made: Made = {}
    for step in reversed(trace.steps):
        for call, result in reversed(pairs(step)):
            key = (call.name, spelled(arguments_of(call)))
            made.setdefault(key, []).append((step.n, failed(result)))
    return made


def _near(lines: Sequence[Line]) -> Iterable[Line]:
    """The lines that differ, their headings, and the equal ones close by; runs of others are counted."""
    differing = [n for n, line in enumerate(lines) if line.sign in "-+"]
    keep = {n + d for n in differing for d in range(-AROUND, AROUND + 1)}
    if not differing:
        keep = set(range(len(lines)))
    skipped = 0
    for n, line in enumerate(lines):
        if n in keep or line.sign == ">":
            if skipped:
                yield Line(" ", f"… {skipped:,} equal", line.depth)
                skipped = 0
            yield line
        else:
            skipped += 1
    if skipped:
        yield Line(" ", f"… {skipped:,} equal")
