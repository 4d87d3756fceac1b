"""A trace in as many views as it takes to read it: one where that shows enough, else several in a row.

Models lose the thread in long records, and a view in which every result is two lines proves nothing. So a
trace that does not fit well is read in segments, each within the budget, in which every step has its line
at least; an overview of all of it goes with what was found in them. Where not even the lines of all steps
fit into the overview, that is said. Pure; knows no model and no prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reviewer.suggest.excerpt import MARKER, Fitted, Laid, Part, laid, shorten
from reviewer.trace import Trace

DECENT = 1_000  # characters; a result cut below this has lost too much to be judged
_NOTES = 3_000  # characters; more than the notes on a segment mostly have
_TASK = 3_000  # characters of the task in each segment but the first


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of steps, numbered as in the trace, as it is shown."""

    first: int
    last: int
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Views:
    """One segment that is the whole trace, or several and an `overview` of all of it."""

    segments: tuple[Segment, ...]
    overview: Segment | None = None
    omitted: str = ""
    masked: Mapping[str, int] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything that is shown of the trace, each part once."""
        if self.overview is None:
            return self.segments[0].parts
        return tuple(dict.fromkeys(part for one in self.segments for part in one.parts))


def views(trace: Trace, *, budget: int, most: int, personal: bool = False) -> Views:
    """The trace in views of at most about `budget` characters, and in at most `most` segments."""
    whole = laid(trace, budget=budget * max(1, most // 3), personal=personal)
    shown = whole.fitted(budget)
    runs = list(_runs(_costs(whole), budget, most)) if _poor(shown) else []
    if len(runs) < 2:
        segment = _segment(whole, shown.parts, 0, len(trace.steps))
        return Views((segment,), None, whole.left_out(shown), dict(whole.clean.masked))
    fitted = [whole.fitted(budget, first, last) for first, last in runs]
    task = Part(0, "task, again", shorten(_task(trace, whole), _TASK), "task")
    segments = tuple(
        _segment(whole, (task, *one.parts) if n and task.text else one.parts, *runs[n])
        for n, one in enumerate(fitted)
    )
    over = whole.fitted(budget // 2)
    if over.folded:  # then as much as the notes on the segments leave room for
        over = whole.fitted(max(budget // 2, budget - _NOTES * len(runs)))
    overview = _segment(whole, over.parts, 0, len(trace.steps))
    ranges = ", ".join(f"{one.first}–{one.last}" for one in segments)
    omitted = f"read in {len(segments)} segments (steps {ranges}), then judged by what was found in them"
    if over.folded:
        first, last = over.folded
        omitted += f"; the overview for the verdict leaves out steps {first} to {last}"
    left = whole.left_out(*fitted)
    return Views(segments, overview, f"{omitted}; {left}" if left else omitted, dict(whole.clean.masked))


def _poor(shown: Fitted) -> bool:
    return shown.measure is not None and shown.measure < DECENT


def _costs(whole: Laid) -> list[int]:
    """What each step costs where long texts are cut to what can still be judged."""
    return [
        sum(min(part.cost, MARKER + len(part.label) + 2 * DECENT) for part in parts) for parts in whole.parts
    ]


def _runs(costs: Sequence[int], budget: int, most: int) -> Iterator[tuple[int, int]]:
    """(first, last) indices of about equally dear runs of steps, each of at least one step."""
    total = sum(costs)
    count = max(1, min(most, len(costs), -(-total // budget)))
    begun = spent = 0
    done = 1
    for n, cost in enumerate(costs):
        spent += cost
        if done < count and spent >= total * done / count and n + 1 < len(costs):
            yield begun, n + 1
            begun, done = n + 1, done + 1
    if begun < len(costs):
        yield begun, len(costs)


def _segment(whole: Laid, parts: Sequence[Part], first: int, last: int) -> Segment:
    numbers = [step.n for step in whole.steps[first:last]]
    return Segment(numbers[0] if numbers else 0, numbers[-1] if numbers else 0, tuple(parts))


def _task(trace: Trace, whole: Laid) -> str:
    """The task in clean words: as the trace names it, else the first thing that a user says."""
    if whole.task:
        return whole.task[0].text
    said = (part for parts in whole.parts for part in parts if part.label.startswith("user"))
    first = next(said, None)
    return first.text if first is not None else whole.clean(trace.info.task)
